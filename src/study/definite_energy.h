// Dirichlet's theorem for small motions: around a state of rest of a conservative system where the
// energy has a minimum every eigenvalue is imaginary and has all of its eigenvectors, also where
// some of them are equal. Ask for it at a motion that is enclosed, with M and K of what is left.
#ifndef HAMEL_STUDY_DEFINITE_ENERGY_H
#define HAMEL_STUDY_DEFINITE_ENERGY_H

#include "study/second_order.h"

bool definite_energy_at(const steady_motion *at, const linearisation *l, const second_order *form);

#endif
