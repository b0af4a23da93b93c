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

// --- what an elimination made -------------------------------------------------------------------
// Bounds for degrees that follow the operations of an elimination double at every pivot; by minors
// they grow linearly. So a pool remembers which nodes matrix_solve() made of which system. In pivot
// order, det_k the k-th leading minor of A:
typedef enum {
    // entry of A after k pivots: a minor of size k + 1 over det_k
    ELIMINATED_ENTRY,
    // the entry that becomes the pivot of number k: det_(k+1)/det_k
    ELIMINATED_PIVOT,
    // entry of R after k pivots: a minor with a column of R, over det_k
    ELIMINATED_RIGHT,
    // what the pivot of number k divides in the end: det_(k+1)/det_k times the solution
    ELIMINATED_REST,
    // a minor of size n with a column of R, over det_n
    ELIMINATED_SOLUTION,
} eliminated_kind;

typedef struct {
    expr node;
    uint32_t system; // its number
    eliminated_kind kind;
    uint32_t pivots; // k
} eliminated_node;

typedef struct {
    uint32_t n, columns;
    expr *matrix, *right; // row-major
} eliminated_system;

// Systems of fewer unknowns than this, and those that take no elimination, are not remembered.
enum { FEWEST_REMEMBERED = 4 };

uint32_t matrix_eliminated_count(const pool *p);
const eliminated_node *matrix_eliminated(const pool *p, uint32_t i);
uint32_t matrix_eliminated_system_count(const pool *p);
const eliminated_system *matrix_eliminated_system(const pool *p, uint32_t i);

#endif
