// A system whose motion is evaluated from its typed statements. typed_motion() and
// typed_accelerations() are built on these; they solve the same equations of d'Alembert as the
// forms do, in another way.
#ifndef HAMEL_TYPED_TYPED_MOTION_H
#define HAMEL_TYPED_TYPED_MOTION_H

#include "typed/evaluator.h"

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

bool typed_system_find_gravity(typed_system *sys);
bool typed_lagrangian(typed_system *sys, const level *l, jet *out); // T - U, or as it was stated
// Q_i: everything that is not in L
bool typed_force(typed_system *sys, uint32_t i, jet *out);

#endif
