// The engine that integrates many runs side by side, in the lanes of a processor: code for the
// system and the method in vectors of doubles, compiled when the sweep begins. For explicit
// Runge-Kutta pairs (dop853, tsit5) and Taylor's method, on systems whose runs stay in one choice
// of velocities; what a lane cannot follow goes to the scalar engine. docs/lanes.md says what falls
// back, and how closely lanes agree with the scalar code.
#ifndef HAMEL_SWEEP_LANES_H
#define HAMEL_SWEEP_LANES_H

#include "integrate/shifts.h"
#include "sweep/system.h"

typedef struct {
    const sweep_system *system;
    const shifts *shifts; // that the scalar engine takes off; NULL: none
    sweep_engine *scalar; // for what lanes cannot follow; stays the caller's
    uint32_t worker_count;
    uint32_t width;        // lanes; 0: as many as the processor has
    bool libm;             // elementary functions of the C library, lane by lane
    bool keeps_velocities; // other independent velocities are never chosen
    const volatile int *interrupted;
} lanes_asked;

// NULL: there are none for this system, and `*why` says why, in words
sweep_engine *sweep_lanes_create(context *ctx, const lanes_asked *asked, const char **why);

// Of all that an engine of lanes has run: for benchmarks and tests
typedef struct {
    uint64_t steps, rejected, tries, looks; // steps of runs; attempts of vectors; of the host
    uint64_t given_up;                      // runs that went to the scalar engine
} lanes_counts;
lanes_counts sweep_lanes_counts(const sweep_engine *e);

#endif
