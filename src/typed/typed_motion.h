// A system whose motion is evaluated from its typed statements. typed_motion() and
// typed_accelerations() are built on these; they solve the same equations of d'Alembert as the
// forms do, in another way.
#ifndef HAMEL_TYPED_TYPED_MOTION_H
#define HAMEL_TYPED_TYPED_MOTION_H

#include "typed/evaluator.h"

#include <arb_mat.h>

typedef struct {
    evaluator ev;
    const mechanics *system;
    uint32_t n, acting;     // coordinates; constraints of the system, k + h
    uint32_t *q, *qd, *qdd; // symbols, by their index
    // those of the system if `as_stated`, else all that were typed
    const constraint **constraint;
    uint32_t constraint_count;
    bool as_stated; // every constraint of the system is one that was typed
    const instance *gravity;
    bool gravity_in_potential; // it depends on no coordinate: -m g.X is part of U
} typed_system;

// --- typed_constraints.c -------------------------------------------------------------------------

// Those of the system, where each is one that was typed. Where a factor, a root or a combination
// took the place of what was typed, all the typed ones are used instead: they say the same.
void typed_gather_constraints(typed_system *sys);
// d2/dt2 Phi for order 0, d/dt Phi for order 1, Phi from order 2 on
bool typed_acceleration_form(typed_system *sys, const constraint *c, arb_t out);
bool typed_fill_rows(typed_system *sys, arb_mat_t rows); // dPhi/dq^(p)
// Along what the reactions of the constraints act: their rows, or what servo constraints state
bool typed_fill_directions(typed_system *sys, const arb_mat_t rows, arb_mat_t out);

// --- typed_energy.c ------------------------------------------------------------------------------

bool typed_system_find_gravity(typed_system *sys);
bool typed_lagrangian(typed_system *sys, const level *l, jet *out); // T - U, or as it was stated
// Q_i: everything that is not in L
bool typed_force(typed_system *sys, uint32_t i, jet *out);

#endif
