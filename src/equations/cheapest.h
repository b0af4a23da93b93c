// The equations as the cheapest straight-line program found: what statistics count
// and code generation writes out.
//
// With residual = M u + r the system is M u = -r. Any row may be multiplied by -1, r may be
// delivered with either sign, each entry may be written as derived or in its shortest form, and of
// a symmetric M one triangle is enough. All that is chosen here, by counting.
//   E u = -rest_sign * b,   E = D M,   b = rest_sign * D r,   D = diag(row_sign)
#ifndef HAMEL_EQUATIONS_CHEAPEST_H
#define HAMEL_EQUATIONS_CHEAPEST_H

#include "equations/equations.h"
#include "expr/program.h"

typedef struct {
    program *prog;         // its outputs are distinct expressions
    uint32_t n;            // unknowns
    signed char *row_sign; // n: +1 or -1
    int rest_sign;         // +1 or -1
    const uint32_t *entry; // n*n: the output that holds E_ij
    const uint32_t *rest;  // n: the output that holds b_i
    // the output that holds q'_i; NULL where the form keeps q' as its state
    const uint32_t *velocity;
    uint32_t *output; // all three
} cheapest_system;

cheapest_system cheapest_system_create(const equations *eq);
void cheapest_system_free(cheapest_system *cheapest);

// M and r alone, written so that they cost least at a state: n*n entries and behind them n, in the
// arena, with q' as far as the equations know them. An entry that is 0 at every state is 0.
const expr *cheapest_matrix(const equations *eq);

#endif
