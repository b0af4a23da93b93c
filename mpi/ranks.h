// A sweep over the ranks of an MPI job. Rank 0 hands out chunks one by one, as ranks become free,
// computes as the others do, and alone keeps what comes back; so it does not show who computed
// what. The store is that of the library: what was kept survives the death of any rank.
#ifndef HAMEL_MPI_RANKS_H
#define HAMEL_MPI_RANKS_H

#include "hamel.h"
#include <stdbool.h>

typedef enum {
    RANKS_DONE,
    RANKS_INTERRUPTED,
    RANKS_LATE,     // there is no time left
    RANKS_NOT_KEPT, // the context of the job says why
    RANKS_BROKEN,   // a rank could not compute
} ranks_outcome;

typedef struct {
    hamel_sweep_job *job; // of this rank
    unsigned threads;     // of this rank
    volatile int *stop;   // what the runs of the job look at: set here where they are to end
    const volatile int *interrupted;
    double end; // the time, by MPI_Wtime(), at which rank 0 ends it; INFINITY: whenever it is done
} ranks_work;

// Of all ranks together; the outcome counts in rank 0. `*broken`: the rank that could not go on
ranks_outcome ranks_lead(const ranks_work *w, int *broken);
void ranks_follow(const ranks_work *w);

#endif
