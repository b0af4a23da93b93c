// How wrong the numbers of a sweep are: a few of its runs once more, one by one by the driver of
// `simulate`, at a hundredth of the tolerance (as --verify has it of a single run), whoever ran
// them first. Asked for when all runs are finished, for the summary.
#ifndef HAMEL_API_SWEEP_AGAIN_H
#define HAMEL_API_SWEEP_AGAIN_H

#include "api/sweep_job.h"

struct sweep_again {
    uint32_t runs;         // that were looked at
    double tolerance;      // of these; 0: the method has none, and
    double step;           // .. takes this step
    uint32_t ended_unlike; // of which one reached the end, or an event, that the other did not
    double
        *off_by; // of each collected column the largest difference; NaN: there is none to compare
};

// NULL: the sweep is short (of fewer than AGAIN_FROM runs), not finished, or to end; or what is
// needed for it cannot be made.
enum { AGAIN_FROM = 4096 };
const sweep_again *sweep_again_look(const sweep_job *j);

#endif
