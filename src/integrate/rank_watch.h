// Do the constraints keep their rank along a step? Where the rows dPhi/dq' become
// dependent inside it, the model says nothing definite about the motion beyond, however
// smoothly a polynomial goes on. The driver makes one for each system and asks after each step.
#ifndef HAMEL_INTEGRATE_RANK_WATCH_H
#define HAMEL_INTEGRATE_RANK_WATCH_H

#include "integrate/curve.h"
#include "execute/simulation.h"

typedef struct rank_watch rank_watch;

// NULL if the system has no such rows. A run with this tolerance passes a place where
// the rank is lost at some distance.
rank_watch *rank_watch_create(const simulation *sim, double tolerance);
void rank_watch_take_parameters(rank_watch *w, const double *parameter_value);
void rank_watch_free(rank_watch *w);

// The same for another motion, from its start
void rank_watch_restart(rank_watch *w, double t, const double *z);
// The rows at (t, z), where a step begins: to be called before the first step, and wherever the run
// goes on from a state that is not the end of the last step.
void rank_watch_begin(rank_watch *w, double t, const double *z);
// Over a step: INFINITY, or the time at which the rank is lost. The inside of the step is searched
// only where the rows change much.
double rank_watch_until(rank_watch *w, const accepted_step *s);
// Is it kept all over a box of (z, t), as ranges show it?
bool rank_watch_keeps_in(rank_watch *w, const range *input);

#endif
