// Integrals of linear constraints: functions f(q, t) whose rate is a combination of the
// constraints. Where geometry.h finds that there must be some, this looks for them.
#ifndef HAMEL_ANALYSE_INTEGRALS_H
#define HAMEL_ANALYSE_INTEGRALS_H

#include "analyse/directions.h"

// Look for functions that no admissible direction changes, as combinations of the functions of
// ansatz.h. f[0 .. known - 1] are known already; functionally independent ones are added until
// there are `wanted`. Each is verified: its rate along a general admissible velocity vanishes
// identically, by normal form, or in F_p where that is too large. Returns how many are known now.
uint32_t integrals_find(const directions *d, uint32_t forms, const expr *form, uint32_t wanted,
                        uint32_t known, expr *f);

// df = sum_nu multiplier[nu] omega_nu; false if the multipliers were not found in short form.
bool integral_multipliers(const mechanics *s, expr f, expr *multiplier);

#endif
