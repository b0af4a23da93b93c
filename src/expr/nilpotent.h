// Derivatives along derivatives at a point of F_p, without an expression for any of them: values
// over F_p[e1 .. er] with e_i^2 = 0. At x + e1 X the coefficient of e1 is the derivative along X,
// at x + e1 X + e2 Y + e1 e2 Z that of e1 e2 a second one, and so on, all exact. An element has 2^r
// coefficients, the one of e_i e_j .. at the index with the bits i, j ..; the top bit halves it.
//
// Make one for some expressions, set it to a point, run it as often as needed with the nilpotent
// parts of the variables; what has no rule (abstract functions, abs ..) has to be differentiated as
// an expression.
#ifndef HAMEL_EXPR_NILPOTENT_H
#define HAMEL_EXPR_NILPOTENT_H

#include "expr/program.h"

typedef struct nilpotent nilpotent;

enum { MOST_NILPOTENT = 12 };

// NULL if one of the expressions holds a variable in something that has no rule.
nilpotent *nilpotent_create(pool *p, uint32_t count, const expr *e, uint32_t variables,
                            const expr *variable);
void nilpotent_free(nilpotent *n);

// The point; `symbols` by symbol index, as for program_run_modular()
modular_status nilpotent_set(nilpotent *n, const modular_point *at, const mp_limb_t *symbols);

// x: each variable's 2^r coefficients, the first of them its value at the point; out: each
// expression's. MODULAR_RETRY where something is divided by 0.
modular_status nilpotent_run(nilpotent *n, uint32_t r, const mp_limb_t *x, mp_limb_t *out);

// Products of elements in one run: each takes 3^r multiplications
uint32_t nilpotent_products(const nilpotent *n);

#endif
