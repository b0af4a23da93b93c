// Signs and branches that a point of F_p takes at random where a real state has one of them.
// modular_test.h asks how many more trials they cost.
#ifndef HAMEL_PROVE_CHOICES_H
#define HAMEL_PROVE_CHOICES_H

#include "prove/modular.h"

// How many binary choices lie behind the values of the expressions at a point: signs of abs
// and sign, of roots whose radicand may be a square, and of branches of a constraint that may
// fall apart. A root of a radicand that certainly is no square is not counted: its two values
// are conjugate, so a statement that is false for one of them is false for both. UINT32_MAX
// where they are too many to look at.
uint32_t choices_count(modular_motion *mod, uint32_t count, const expr *e);

// Trials after which a statement that is false for one of 2^choices ways to choose has survived
// with a probability below 2^-bits only.
double choices_trials(uint32_t choices, double bits);

#endif
