// Functions of a method's own variables (both ends of a step, y and y' of a residual), as code
// beside that of the system. `dla` and the residuals of `ida` (integrate/dae.h) are made with it.
#ifndef HAMEL_EXECUTE_OWN_FUNCTIONS_H
#define HAMEL_EXECUTE_OWN_FUNCTIONS_H

#include "execute/machine.h"
#include "execute/simulation.h"

typedef struct {
    tape *code;
    machine at;
} own_functions;

// Outputs in the inputs (symbols), t, parameters and givens. False if
// something in them has no value.
bool own_functions_init(own_functions *f, const simulation *sim, uint32_t inputs, const expr *input,
                        uint32_t outputs, const expr *output);
void own_functions_clear(own_functions *f);

#endif
