// Small dense matrices of doubles, eliminated with full pivoting: solutions, and how near to
// singular a matrix is. Ranks of constraints along a run, projections and reactions use them: one
// call for a matrix, row by row.
#ifndef HAMEL_EXECUTE_ELIMINATION_H
#define HAMEL_EXECUTE_ELIMINATION_H

#include <stdint.h>

// The largest and the last of the min(rows, columns) pivots, and the product of all; 0 for one that
// is not there or not finite. Overwrites a.
typedef struct {
    double largest, smallest, product;
} pivot_sizes;
pivot_sizes elimination_pivots(uint32_t rows, uint32_t columns, double *a);

// A solution x of a x = b, a n x n and b n x rights, in the place of b. Pivots below 1e-13 of the
// largest count as 0, and what they would determine is 0: a system with more equations than it
// needs has a solution too. Overwrites a.
void elimination_solve(uint32_t n, double *a, uint32_t rights, double *b);

#endif
