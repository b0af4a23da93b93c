// The motions of one thread of a sweep: that of the model, and those for signs and values of
// parameters for which the equations are others, of which some are kept. Which one takes a run
// follows from the values of the run alone.
#ifndef HAMEL_API_SWEEP_MOTIONS_H
#define HAMEL_API_SWEEP_MOTIONS_H

#include "api/sweep_start.h"
#include "api/sweep_systems.h"
#include "api/sweep_worker.h"

// A motion made ready for sweeps
typedef struct {
    hamel_motion *w;
    collector *c;
    sweep_start *start;
    double *parameters; // that its system was derived for (sweep_systems_find)
    uint32_t numbers;   // collected of each run
    const collected *what;
    tape *value, *slope; // of what is collected, for other engines
    program *end;        // of each run, from its parameters; NULL: all end at one time
} swept_motion;

enum { MOST_SWEPT_MOTIONS = 8 };

typedef struct {
    const sweep_setting_up *how;
    swept_motion list[MOST_SWEPT_MOTIONS]; // that of the model first
    uint32_t count, oldest;
    uint32_t values; // of each run
    sweep_value *value;
    double *asked, *refused; // parameters; many of them, for which there is no system
    uint32_t refused_count;
} sweep_motions;

// `tells`: errors are said in the context of the model.
hamel_status sweep_motions_create(sweep_motions *m, const sweep_setting_up *how, bool tells);
void sweep_motions_free(sweep_motions *m);
// Is it at once seen that this motion takes the run, if it can be started by it?
bool sweep_motions_suit(sweep_motions *m, const swept_motion *s, const double *values);
// That of the model, or another like it where that is used up; NULL: the run is not for it.
swept_motion *sweep_motions_first(sweep_motions *m, const double *values);
// The motion for a run, to be started by it. HAMEL_MODEL: with these values there is no model.
hamel_status sweep_motions_choose(sweep_motions *m, const double *values, swept_motion **out);

#endif
