// Some runs of a plan, in any order, by the workers of an engine, each in a thread of its own; what
// they come to stays in memory. What is asked next may depend on it: maps that are refined
// (refinement.h) call it again and again. The numbers do not depend on the threads.
#ifndef HAMEL_SWEEP_DRIVE_LIST_H
#define HAMEL_SWEEP_DRIVE_LIST_H

#include "sweep/drive.h"

typedef struct {
    const sweep_plan *plan;
    sweep_engine *engine;
    volatile int *stop; // of the engine: set here, to end it
    const volatile int *interrupted;
    void (*progress)(uint64_t done, void *data); // at most 20 times a second; NULL
    void *data;
} sweep_list_drive;

// In a call. What is collected of run[i] stands in row i; after anything but DRIVEN_ALL some rows
// are missing.
driven sweep_drive_list(const sweep_list_drive *d, uint64_t count, const uint64_t *run,
                        double *collected, sweep_end *end);

#endif
