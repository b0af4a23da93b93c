// The inputs of a system taken as the model states them, or left open. Statements keep `input u` as
// a symbol for a function of time; where a motion is looked for, u is what the model says it is in
// runs, and where one asks how the motion answers to u, it is that and a change.
#ifndef HAMEL_MODEL_INPUTS_H
#define HAMEL_MODEL_INPUTS_H

#include "model/mechanics.h"

// The same system with E in the place of each `input u = E`, and with a constant in the place of
// some inputs: `at[i]` for the input `input[i]`, whose rates are 0. An E that uses other inputs
// follows what stands in their place. s itself if there are no inputs.
const mechanics *mechanics_with_constant_inputs(const mechanics *s, uint32_t count,
                                                const expr *input, const expr *at);

// The same system with E + u, E' + u', .. in the place of u, u', ..: there u is the change of the
// input. s itself if there are no inputs.
const mechanics *mechanics_with_open_inputs(const mechanics *s);

// The symbols u, u', .. of inputs that occur in these expressions, in the arena: those of the first
// input, then those of the next
uint32_t mechanics_inputs_in(const mechanics *s, uint32_t count, const expr *e, const expr **out);

// For generated code: inputs become parameters of the same symbols, with the stated value where
// that is a constant and 0 else. model_return_inputs() makes them inputs again.
typedef struct {
    uint32_t parameters;   // of the model before
    given_function *given; // all of them, as they were
} inputs_taken;
inputs_taken model_take_inputs(model *m);
// The same without those that resets set, which are no inputs of a motion with its resets
inputs_taken model_take_open_inputs(model *m);
// Inputs that are constants in the place of what the model states, until model_return_inputs()
inputs_taken model_hold_inputs(model *m, uint32_t count, const assignment *held);
void model_return_inputs(model *m, const inputs_taken *taken);

#endif
