// The engine that hands chunks of runs to a GPU: the text of codegen/cuda.h for the system,
// compiled by nvcc when the sweep begins and kept in the cache. Starts are made on the GPU where
// nothing has to be solved, else by the workers, side by side; it takes one chunk at a time. A run
// that it does not finish is begun anew by the scalar engine. docs/cuda.md says what falls back.
#ifndef HAMEL_SWEEP_CUDA_H
#define HAMEL_SWEEP_CUDA_H

#include "sweep/system.h"

typedef struct {
    const sweep_system *system;
    sweep_engine *scalar; // for what the GPU cannot follow; stays the caller's
    uint32_t worker_count;
    bool varies_parameters;
    // Where values of the plan make starts without solving anything: what is given as functions of
    // parameters, states as functions of that, and what each value goes to: state k is k, parameter
    // k n + k, number k that is given n + parameters + k. NULL: `starts` of the system finds them
    const tape *given, *start;
    const int *target;
    const volatile int *interrupted;
} cuda_asked;

enum { CUDA_CHUNK = 1 << 16 }; // runs at a time that suit it, at least

// NULL: there is none for this system or on this machine, and `*why` says why, in words
sweep_engine *sweep_cuda_create(context *ctx, const cuda_asked *asked, const char **why);

#endif
