// Every form against the second evaluator: accelerations and multipliers of a model at random
// admissible states. Tests hand over a model and read the counts of what agreed, differed and could
// not be compared.
#ifndef HAMEL_TESTS_TYPED_AGREEMENT_H
#define HAMEL_TESTS_TYPED_AGREEMENT_H

#include "support/support.h"

#include "derive/formalism.h"

typedef struct {
    uint32_t states;   // where the second evaluator knew the motion
    uint32_t compared; // forms compared there
    uint32_t wrong;    // that disagree
    // comparisons of balls too wide to count, or on another branch than the form's
    uint32_t wide;
    // the last reason why there was no value, a form and what it said: in the arena of the context
    const char *why;
} agreement;

// A random admissible state of the model, stand-ins for what has no value.
bool admissible_state(model *m, uint64_t seed, slong precision, state *s);
// All forms that `wanted` takes (NULL: all of the classical motion) at `states` states.
void compare_with_typed(model *m, const mechanics *w, uint32_t states, uint64_t seed,
                        bool (*wanted)(const formalism *), agreement *a);
bool form_is_classical(const formalism *f); // its motion is the classical one wherever it applies
bool form_is_quick(const formalism *f);     // maggi and multipliers

#endif
