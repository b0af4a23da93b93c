// Matrices along a parameter: value and derivative together, in balls. Where the derivative is not
// wanted it is neither made nor looked at. A value over a ball P of the parameter around p0 lies
// also in v(p0) + v'(P) (P - p0), which is much narrower for long formulas.
#ifndef HAMEL_STUDY_MATRIX_JET_H
#define HAMEL_STUDY_MATRIX_JET_H

#include <arb_mat.h>
#include <stdbool.h>

typedef struct {
    arb_mat_t v, d;
    bool rates; // d is there
} matrix_jet;

void matrix_jet_init(matrix_jet *m, slong rows, slong columns, bool rates);
void matrix_jet_clear(matrix_jet *m);
// to(i, j) = from(k, l), or its negative
void matrix_jet_copy(matrix_jet *to, slong i, slong j, const matrix_jet *from, slong k, slong l,
                     bool negative);
void matrix_jet_multiply(matrix_jet *out, const matrix_jet *a, const matrix_jet *b, slong bits);
// x with left x = right, for matrices of balls that are wide; false where left may be singular
bool matrix_jet_solve_values(arb_mat_t x, const arb_mat_t left, const arb_mat_t right, slong bits);
// out with left out = right: out' = left^-1 (right' - left' out). False where left may be singular.
bool matrix_jet_solve(matrix_jet *out, const matrix_jet *left, const matrix_jet *right, slong bits);

#endif
