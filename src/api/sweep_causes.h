// Why runs of a sweep have no start, and why runs in pieces (sweep_pieces.h) stop. Some of them,
// spread evenly, are begun once more as `simulate` would begin them, those in pieces run to their
// end, and what it would say is counted: the numbers are the same whoever computed the sweep.
#ifndef HAMEL_API_SWEEP_CAUSES_H
#define HAMEL_API_SWEEP_CAUSES_H

#include "api/sweep_job.h"

typedef struct {
    uint64_t looked, count; // how many were looked at; how many of these had this cause
    const char *words;      // of the commonest cause
    uint32_t constraint_count;
    const char **constraint; // that are not satisfied there
    uint64_t run;            // one with this cause
} sweep_cause;

// Of `failed` runs that ended so; false: nothing can be said. In a call on the context of the
// model, where it lies.
bool sweep_cause_find(const sweep_job *j, sweep_outcome ended, uint64_t failed, sweep_cause *out);

#endif
