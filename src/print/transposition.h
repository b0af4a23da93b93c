// Transpositional relations, free and reduced by Chetaev's conditions, with the matrices behind
// them. `transpose` and report pages make one from a form and its equations, and print it in one of
// the formats.
#ifndef HAMEL_PRINT_TRANSPOSITION_H
#define HAMEL_PRINT_TRANSPOSITION_H

#include "derive/formalism.h"
#include "print/expression.h"
#include "print/json.h"

typedef struct {
    const formalism *form;
    const equations *eq;       // with transpositional relations
    const expr *delta;         // n symbols delta(q_i)
    const expr *unreduced;     // n: delta(dq_i/dt) - d/dt delta(q_i), in all the delta(q_j)
    const expr *chetaev;       // k: the delta of the dependent coordinates in those of the others
    const uint32_t *dependent; // k coordinates
    // n: in the delta of the independent coordinates, velocities and accelerations on the
    // constraints
    const expr *reduced;
} transposition;

transposition transposition_create(const formalism *form, const equations *eq);

// Does the mechanics define W, E(L) and A?
bool transposition_has_matrices(const transposition *t);
enum { TRANSPOSITION_MATRICES = 3 };

// One piece in LaTeX: the matrix `which`, the relation of coordinate i with the right side `value`.
void transposition_latex_matrix(const transposition *t, uint32_t which, text *out);
void transposition_latex_relation(const transposition *t, uint32_t i, expr value,
                                  const char *equals, text *out);

void transposition_text(const transposition *t, text *out);
void transposition_latex(const transposition *t, text *out);
void transposition_json(const transposition *t, json *out);

#endif
