// What a functional mock-up unit (FMI 2.0) needs of a system besides its functions: kinds of
// parameters, resets and clocks, a method for co-simulation. The target `fmu` writes it out as the
// description, fmu.c, and as the tables of the code, fmu_model.c; that code itself stands in fmu/
// of the repository and is copied as it is (fmu_sources.h).
#ifndef HAMEL_CODEGEN_FMU_H
#define HAMEL_CODEGEN_FMU_H

#include "codegen/tableau.h"
#include "codegen/target.h"

typedef enum {
    PARAMETER_TUNABLE,  // the host may set it, also between steps
    PARAMETER_DISCRETE, // a reset sets it
    PARAMETER_CONSTANT, // what the code is depends on its value
} fmu_parameter;

typedef struct {
    const char *name; // "strikes", "every 0.1"
    int event;        // whose zero it is; -1: a clock
    // of the clock, and how many ticks there are in a unit of time where that is a whole number,
    // else 0
    double period, each;
    uint32_t count; // of new values: the outputs of the function `id`
    const char *id;
    const uint32_t *target; // states, then parameters
} fmu_reset;

typedef struct project_fmu {
    const char *guid;
    const fmu_parameter *kind; // of each parameter
    const double *input;       // at the start
    const bool *state_is_output;
    // values that are calculated (NULL: none), and which of them are outputs
    const project_function *shown;
    const bool *shown_is_output;
    // of rates, then of shown values: by states, the time and inputs, row by row. NULL: too many
    const project_function *slopes;
    uint32_t reset_count;
    const fmu_reset *reset;
    const tableau *pair; // of co-simulation
    double tolerance, interval;
} project_fmu;

// sources/model.h, and the one source that a compiler is given
void fmu_write_model(const project *g, text *out);
void fmu_write_source(const project *g, text *out);

// <UnitDefinitions>, of all units in use; nothing where there are none (fmu_units.c)
void fmu_write_units(const project *g, text *out);

#endif
