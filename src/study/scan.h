// Eigenvalues along a path of steady motions, in doubles: each followed continuously, by steps so
// small that it is plain which is which; where the path ends before its interval does, how. What is
// critical is looked for between the rows (critical.h); nothing here is a proof.
#ifndef HAMEL_STUDY_SCAN_H
#define HAMEL_STUDY_SCAN_H

#include "study/spectrum.h"
#include "study/steady_path.h"

typedef struct {
    double p;
    path_point at;   // with 53 bits
    double *re, *im; // one for each eigenvalue, in the order of the first row
    double test[TESTS];
} scan_row;

typedef enum { ENDS_WHERE_ASKED, ENDS_IN_A_FOLD, ENDS_OTHERWISE, ENDS_AFTER_ROWS } scan_end;

typedef struct {
    steady_path *path;
    double interval; // its length
    uint32_t count;  // of eigenvalues
    uint32_t neutral;
    uint32_t row_count, capacity;
    scan_row *row; // by increasing p
    scan_end low_end, high_end;
    bool has_values; // false: the rates have no derivatives at the start
} scan;

// From p where the path begins, to both ends, with at least so many steps.
void scan_create(steady_path *path, double start, double low, double high, uint32_t steps,
                 scan *out);
void scan_clear(scan *s);
// The tests of each row
void scan_test(scan *s, spectrum_kind kind);
// Does the tangent at `to` lead back to `from`? If not, it may be of another motion.
bool scan_leads_back(scan *s, const path_point *from, const path_point *to);
// The row next to p
scan_row *scan_near(scan *s, double p);

#endif
