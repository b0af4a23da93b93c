// Linear systems with symbolic entries, solved by elimination on the DAG. Dependent velocities,
// accelerations and multipliers all come from here; the pivots are chosen in numbers beforehand
// (pivots_choose), so that no symbolic zero test is needed.
#ifndef HAMEL_EXPR_MATRIX_H
#define HAMEL_EXPR_MATRIX_H

#include "expr/expr.h"

// Solve A X = R, A n x n and R n x rhs, row-major. The pivot sequence (row[i], column[i]) must come
// from a numeric elimination at a state where A is regular; zeros are skipped, so that a sparse or
// triangular A costs what it should. X may not alias R. Returns whether all pivots are constants:
// then the solution has no singularities that A does not have.
bool matrix_solve(pool *p, uint32_t n, const expr *a, uint32_t rhs, const expr *r,
                  const uint32_t *row, const uint32_t *column, expr *x);

// A X = R with names for X, for those who solve it in numbers, at each state anew.
typedef struct {
    uint32_t n, columns;
    bool symmetric;     // and definite: no pivoting
    const expr *matrix; // n x n, row-major
    const expr *right;  // column after column, as the unknowns: symbols
    const expr *unknown;
} matrix_system;

#endif
