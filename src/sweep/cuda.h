// The engine that hands chunks of runs to a GPU: the text of codegen/cuda.h for the system,
// compiled by nvcc when the sweep begins and kept in the cache. Starts are found on the processor,
// by the workers, side by side; the GPU takes one chunk at a time. A run that it does not finish is
// begun anew by the scalar engine. docs/cuda.md says what falls back.
#ifndef HAMEL_SWEEP_CUDA_H
#define HAMEL_SWEEP_CUDA_H

#include "sweep/system.h"

typedef struct {
    const sweep_system *system;
    sweep_engine *scalar; // for what the GPU cannot follow; stays the caller's
    uint32_t worker_count;
    bool varies_parameters;
    const volatile int *interrupted;
} cuda_asked;

enum { CUDA_CHUNK = 1 << 16 }; // runs at a time that suit it, at least

// NULL: there is none for this system or on this machine, and `*why` says why, in words
sweep_engine *sweep_cuda_create(context *ctx, const cuda_asked *asked, const char **why);

#endif
