// Where runs on a GPU begin, without solving anything: coordinates and velocities are given, as
// functions of parameters, and states follow from them. For codegen --target cuda, which makes all
// starts on the GPU, and for sweep --device cuda, which does so where a sweep allows it. Where
// there is no such start, runs begin from states alone.
#ifndef HAMEL_API_GPU_START_H
#define HAMEL_API_GPU_START_H

#include "execute/simulation.h"
#include "sweep/plan.h"

typedef struct {
    tape *given, *start;     // numbers that are given, of p; z of these as its states. NULL: none
    const char *const *name; // of what is given: q_i, then q'_i
} gpu_start;

// In the context of m, of which sim is made; the caller frees the tapes.
gpu_start gpu_start_list(model *m, const simulation *sim);
void gpu_start_free(gpu_start *s);
// What a value of a sweep goes to: state k is k, parameter k n + k, number k that is given n +
// parameters + k; -1: none of them, or more than itself follows from it
int gpu_start_target(const gpu_start *s, const simulation *sim, const char *name);
// Does nothing that a run begins with follow from parameter k: no other parameter, and no state
// that was found by solving?
bool gpu_start_may_vary(const gpu_start *s, const simulation *sim, uint32_t k);
// .. from state i: are there no holonomic constraints on it?
bool gpu_start_may_vary_state(const gpu_start *s, const simulation *sim, uint32_t i);
// Are all states what the model gives, so that with another one the rest stays?
bool gpu_start_is_stated(const gpu_start *s, const simulation *sim);
// z at these values of the given and of parameters; false where it is not finite
bool gpu_start_find(const gpu_start *s, const simulation *sim, const double *parameters,
                    uint32_t count, const int *target, const double *values, double *z);

#endif
