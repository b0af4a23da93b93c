// Taylor coefficients of columns: Z_{k+1} = (sum_{j=0..k} A_j Z_{k-j} + b_k) / (k + 1), where those
// of A and b are known. Columns stand side by side, so that a vector takes four of them whatever
// the system is. Fill a, own and the coefficients 0 of z, then call; interpreted and compiled runs
// call the same code.
#ifndef HAMEL_EXECUTE_COLUMN_SERIES_H
#define HAMEL_EXECUTE_COLUMN_SERIES_H

#include <stdbool.h>
#include <stdint.h>

enum { COLUMN_LANES = 4, COLUMN_ROWS = 4 };

// Entries of A that act on one component of the columns, at most COLUMN_ROWS of them. Components
// are named by where their rows begin in z: index * width.
typedef struct {
    uint32_t of, count;
    uint32_t to[COLUMN_ROWS], entry[COLUMN_ROWS];
} column_group;

// One entry: of A, from one row to another; of b, to a place of a row
typedef struct {
    uint32_t to, of, entry;
} column_place;

typedef struct {
    uint32_t rows, width; // of z at one order; the width is a multiple of COLUMN_LANES
    uint32_t groups, fixed_count, owns;
    const column_group *group; // entries that change
    const column_place *fixed; // entries that do not
    const column_place *own;   // b
    const double *a;           // coefficient k of entry e: a[k * room + e]
    uint32_t room;
    double *z; // coefficient k of row i: z[(k * rows + i) * width + column]
} column_series;

// Coefficients 1 .. order of z; the second with fused products, for a processor that has them.
// False where one is not finite.
bool column_series_run(const column_series *w, uint32_t order);
bool column_series_run_fused(const column_series *w, uint32_t order);

#endif
