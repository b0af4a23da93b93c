// Solving one equation for an unknown, exactly, where its degree is low; the tools with which
// steady_closed.c follows branches. A solver knows all equations, so that what was found can be
// substituted into them.
#ifndef HAMEL_STUDY_STEADY_SOLVE_H
#define HAMEL_STUDY_STEADY_SOLVE_H

#include "model/points.h"
#include "study/steady_closed.h"

typedef struct {
    pool *p;
    arena *a;
    points at;
    uint32_t rows;
    expr *row;
} closed_solver;

// The shortest form; numerator and denominator factored (EXPR_NONE if that is too long, EXPR_ZERO
// if it vanishes identically), and the factors of its numerator that are no numbers
expr closed_solver_simplified(closed_solver *w, expr e);
expr closed_solver_factored(closed_solver *w, expr e);
uint32_t closed_solver_factors(closed_solver *w, expr e, uint32_t room, expr *out);

// f = 0 for y, or for *left, which is the sine, cosine or tangent of y; or for *y where f is the
// sine or cosine of it. Returns how many solutions there are.
enum { CLOSED_MOST_SOLUTIONS = 4 };
uint32_t closed_solver_polynomial(closed_solver *w, expr f, expr y, expr *out);
uint32_t closed_solver_circular(closed_solver *w, expr f, expr y, expr *left, expr *out);
uint32_t closed_solver_plain(closed_solver *w, expr f, expr *y, expr *out);

// Do all rows vanish identically with these values, and with `last` (NULL: nothing) besides? Each
// value holds only unknowns that have none.
bool closed_solver_verify(closed_solver *w, uint32_t values, const closed_solution *value,
                          const closed_solution *last);

// Do they leave everything defined that the rows divide by?
bool closed_solver_is_defined(closed_solver *w, uint32_t values, const closed_solution *value,
                              const closed_solution *last);

#endif
