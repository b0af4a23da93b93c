// Refutation: a real admissible state at which a residual certainly is not zero. A refuted line of
// `prove` comes from here: the state is printed with it, and anybody can put it into `hamel eval
// --at`.
#ifndef HAMEL_PROVE_WITNESS_H
#define HAMEL_PROVE_WITNESS_H

#include "prove/prove.h"
#include "prove/samples.h"

struct statement;

// Look for a state where one of the expressions (in q, q', q'', lambda, t) is nonzero along the
// motion of eq. True: v is filled as refuted.
bool witness_against(samples *r, const equations *eq, uint32_t count, const expr *residual,
                     verdict *v);
// The same at one state.
bool witness_at(const samples *r, const equations *eq, state *x, uint32_t count,
                const expr *residual, verdict *v);
// The state and the residual, whose ball excludes 0, written into v. `note_state`
// leaves the verdict as it is.
bool witness_refute(const samples *r, const equations *eq, state *x, arb_srcptr gap,
                    const struct statement *st, verdict *v);
void witness_note_state(const equations *eq, state *x, arb_srcptr residual, verdict *v);
// The same for two sets of equations that give different accelerations, or
// also different multipliers.
bool witness_between(samples *r, const equations *a, const equations *b, bool with_multipliers,
                     verdict *v);

#endif
