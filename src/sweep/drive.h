// The driver of a sweep: hands its chunks of runs to the workers of an engine, each in a thread of
// its own, and what they come to into the store, in whatever order they come. What comes out does
// not depend on the number of threads.
#ifndef HAMEL_SWEEP_DRIVE_H
#define HAMEL_SWEEP_DRIVE_H

#include "sweep/store.h"

typedef struct {
    uint64_t runs, done, failed; // of all; that are finished, and how many of these failed
    double rate;                 // runs in a second, of late
    double remaining;            // seconds, as it goes now; NaN: nobody knows
} sweep_progress;

// A finished chunk, in the thread of the caller
typedef struct {
    uint64_t first, count;
    const double *values, *collected; // row by row
    const sweep_end *end;
} sweep_chunk;

typedef struct {
    const sweep_plan *plan;
    sweep_engine *engine;
    sweep_store *store;
    volatile int *stop; // of the engine: set here, to end it
    const volatile int *interrupted;
    void (*progress)(const sweep_progress *p, void *data); // at most 20 times a second; NULL
    bool (*told)(const sweep_chunk *c, void *data);        // false: the sweep ends; NULL
    void *data;
} sweep_drive;

typedef enum {
    DRIVEN_ALL,
    DRIVEN_INTERRUPTED, // by the flag, or by who was told
    DRIVEN_TIME,        // the time of the call is over
    DRIVEN_NO_FILE,     // the store could not keep a chunk, `why` says why
    DRIVEN_NO_ENGINE,   // the engine could not go on
} driven;

// In a call: what is finished is in the store in every case.
driven sweep_drive_run(const sweep_drive *d, sweep_progress *out, text *why);

#endif
