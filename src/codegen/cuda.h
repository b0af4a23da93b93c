// What the target `cuda` writes beyond the functions of a project: a sweep of runs of the system on
// a GPU. api/codegen_sweep.c fills a project_sweep from the model; cuda.c makes one file of it and
// of the code in the folder cuda/, which is the same for every system. The engine of
// `sweep --device cuda` compiles the same text.
#ifndef HAMEL_CODEGEN_CUDA_H
#define HAMEL_CODEGEN_CUDA_H

#include "codegen/scalar_type.h"
#include "codegen/tableau.h"
#include "codegen/target.h"

typedef struct {
    const char *name;
    int kind;    // as collect_kind of the model
    uint32_t of; // which value, or which event
} project_collected;

typedef struct project_sweep {
    const tape *rate;
    const tape *events;          // NULL: there are none
    const tape *values, *slopes; // what is collected, as functions of (t, z), and its rates
    uint32_t collected_count;
    const project_collected *collected;
    const char *const *event_name; // as the model calls them
    // Where runs begin: what is given, as functions of parameters, and the state that follows from
    // it; NULL: runs begin at the state of the project
    const tape *given, *start;
    const char *const *given_name;
    const bool *may_vary; // of each state, then each parameter: nothing else follows from it
    // dPhi/dq' where the choice of independent velocities is to be watched; NULL: it is not
    const tape *rows;
    uint32_t dependent_count;
    const uint32_t *dependent; // columns of it
    const tableau *tsit5, *dop853;
    const char *layout; // what the model varies, as C: see cuda/main.cuh
} project_sweep;

// NAME.cu. A project without a name has no program around it, and its other names and numbers are
// not looked at.
void cuda_source(const project *g, text *out);

// The parts of it that follow from tables (cuda_pair.c, cuda_series.c)
extern const scalar_type scalar_type_gpu;
// struct hamel_ID: the attempt of a step, and its polynomials
void cuda_pair(const tape *rate, const char *id, const tableau *pair, text *out);
// hamel_series_fixed(), hamel_series(): Taylor coefficients; places in c. 0: there is no series
uint32_t cuda_series(const tape *rate, uint32_t most, text *out);

#endif
