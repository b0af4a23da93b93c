// What turns the values of runs into what is collected of them. The driver hands out chunks of runs
// to workers; it cannot tell whether they go one by one through the driver of `simulate` (scalar),
// side by side in the lanes of a processor (lanes) or to a GPU (cuda). What is collected of a run
// depends on its values alone, not on its neighbours.
#ifndef HAMEL_SWEEP_ENGINE_H
#define HAMEL_SWEEP_ENGINE_H

#include "base/context.h"

typedef enum {
    SWEEP_REACHED,    // the end
    SWEEP_STOPPED,    // an event with `stop`; `event` is its number in the model
    SWEEP_NO_START,   // the constraints are not satisfied, or have no solution
    SWEEP_NOT_FINITE, // the causes of runs that ended early, as `simulate` has them
    SWEEP_STUCK,
    SWEEP_SINGULAR,
    SWEEP_LIMIT,
    SWEEP_OTHER,
} sweep_outcome;

// How a run ended
typedef struct {
    double t;
    sweep_outcome outcome;
    int32_t event; // of SWEEP_STOPPED; else -1
} sweep_end;

typedef struct sweep_engine sweep_engine;
struct sweep_engine {
    const char *how; // "scalar, dop853", "8 lanes (AVX-512), dop853"
    // What the last bits of its numbers depend on: those of engines with the same words are the
    // same. "scalar", "lanes, SLEEF"
    const char *arithmetic;
    uint32_t value_count, collected_count, worker_count;
    uint64_t preferred; // runs at a time that suit it
    // `count` runs, whose values stand row by row, for worker `worker` < worker_count, each of
    // which calls from a thread of its own; numbers that a run did not come to are NaN. False: the
    // sweep cannot go on (memory, the device), and `why` of the engine says why; what a single run
    // failed by is in its `end` alone.
    bool (*run)(sweep_engine *e, uint32_t worker, uint64_t count, const double *values,
                double *collected, sweep_end *end);
    void (*release)(sweep_engine *e);
    text *why;
    const volatile int *interrupted; // run() returns soon, with false, when it is set
};

#endif
