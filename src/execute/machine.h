// The machine of the interpreter: three-address code over doubles, like operations in bursts, so
// that the processor need not predict what comes next. Initialise it with a tape and parameter
// values, run it as often as needed, free it; interpreter.c makes a field of several.
#ifndef HAMEL_EXECUTE_MACHINE_H
#define HAMEL_EXECUTE_MACHINE_H

#include "codegen/tape.h"

typedef struct {
    tape_operation operation;
    tape_level level;
    uint32_t count;
} burst;

typedef struct {
    uint32_t a, b; // registers
} operands;

typedef struct {
    const tape *t;
    // registers: inputs, constants, then one a step in the order in which they are run
    double *value;
    operands *code; // of the steps, in that order
    uint32_t burst_count;
    burst *bursts;            // fixed ones first, then timed ones, then those of the state
    uint32_t *output;         // registers
    uint32_t *system_operand; // registers of the operands of all systems
    double *workspace;        // to solve one
    uint32_t *exchanged;      // rows
    double time;              // for which the timed steps were last run
    bool fresh;               // nothing was run yet
} machine;

void machine_init(machine *m, const tape *t, const double *parameter_value);
// Other values of the parameters, from the next run on
void machine_set_parameters(machine *m, const double *parameter_value);
void machine_free(machine *m);
// False where an output is not a finite number. Steps that do not depend on the state are
// run again only when they must be.
bool machine_run(machine *m, double t, const double *z, double *out);

#endif
