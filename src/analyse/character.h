// The character of a system: what `check` says of it beyond the constraints one by one
// (docs/mathematics.md, section 8). One call with the mechanics answers all; special.h and the
// formalisms' own refusals build on the same facts.
#ifndef HAMEL_ANALYSE_CHARACTER_H
#define HAMEL_ANALYSE_CHARACTER_H

#include "model/mechanics.h"

typedef struct {
    // Linear homogeneous stationary constraints; dependent velocities can be chosen whose
    // coordinates appear neither in them nor in T
    bool chaplygin;
    bool holonomic;  // every constraint is of order 0
    bool voronec;    // linear (or affine) constraints solved for the dependent velocities
    bool quadratic;  // T is a quadratic form plus lower terms in q'
    bool rheonomic;  // time in T, U, forces or constraints
    bool *cyclic;    // n: q_i appears neither in L nor in the forces nor in the constraints
    bool *ignorable; // n: q_i does not appear in L
} character;

character character_of(const mechanics *s);

#endif
