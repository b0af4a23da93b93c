// The threads of one rank that compute chunks of a sweep. Chunks are given to them by number and
// come back as bytes, in any order; the thread of the caller, which alone speaks MPI, waits for
// them and never computes.
#ifndef HAMEL_MPI_CREW_H
#define HAMEL_MPI_CREW_H

#include "hamel.h"
#include <stdbool.h>

enum { CREW_DEPTH = 2 }; // chunks a thread has at a time: one under way, one that waits

typedef struct crew crew;

typedef struct {
    unsigned long long chunk;
    hamel_status status;
    void *bytes; // crew_give_back() when they are read
} crew_result;

// NULL: there is no memory, or no thread. `stop` is what the job's runs look at: crew_stop sets it.
crew *crew_start(hamel_sweep_job *job, unsigned threads, volatile int *stop);
// At most CREW_DEPTH chunks a thread that did not come back yet
void crew_add(crew *c, unsigned long long chunk);
// Waits for so many seconds at the most: false if there is none then.
bool crew_take(crew *c, double seconds, crew_result *out);
void crew_give_back(crew *c, void *bytes);
// Runs under way end, and the threads with them
void crew_stop(crew *c);
void crew_free(crew *c);

#endif
