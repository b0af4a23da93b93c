// How far ahead a step can see: the part of it over which nothing narrow can stand unnoticed
// (lookout.h). Every method asks before it takes a step, and steps no farther than it can see.
#ifndef HAMEL_INTEGRATE_SIGHT_H
#define HAMEL_INTEGRATE_SIGHT_H

#include "integrate/curve.h"
#include "integrate/integrator.h"

typedef struct sight sight;
void sight_free(sight *s);
// Another motion of the same system begins: nothing of it was looked at yet.
void sight_restart(integration *in);
// Parameters of the system have changed.
void sight_take_parameters(integration *in);

// Is there anything to look for?
bool sight_looks(integration *in); // found out once for a system
static inline bool sight_is_needed(integration *in) {
    return in->plain_rate != in->f->sim->rate && sight_looks(in);
}
// The same for methods that judge their errors, before one is chosen.
bool sight_may_be_needed(integration *in);
// The longest of h, h/2, h/4 .. from the beginning of the curve over which nothing can be hidden; h
// itself where rates are of a kind that hides nothing. Where ranges cannot exclude it however short
// the part: 1/4096 of the run or 1/256 of h, whichever is shorter; that close the method sees
// everything itself.
double sight_of_step(integration *in, const curve *c, double h);
// Can nothing be hidden over all of h? A short look, for steps that need not be so long.
bool sight_is_clear(integration *in, const curve *c, double h);
// The same for a step of the length h from in->t, where the slopes are f0, to z1 at t, where they
// are f1; half of it where it does not keep the energy.
double sight_of_ends(integration *in, double h, double t, const double *z1, const double *f0,
                     const double *f1);
// The same for a method that chooses its steps itself, within a longest one. True: the step was too
// long and is to be taken again with a shorter `longest`, which grows as long as steps are clear.
bool sight_takes_back(integration *in, double t, const double *z1, const double *f0,
                      const double *f1, double *longest);
// The same for a method that cannot shorten its steps: one that is too long is remembered, for
// sight_words().
void sight_remember(integration *in, double h, const double *z1, const double *f0,
                    const double *f1);
// Does the step from in->t to t, where the state is z, keep the energy that the equations keep,
// to 1000 times the tolerance? Asked where rates can hide something. A step of 1/4096 of the run
// is not refused but noted.
bool sight_keeps_energy(integration *in, double t, const double *z);
// What should stay (field.watch) at t, where that was asked for it last; NULL: it was not.
const double *sight_watched(const integration *in, double t);

// Did ranges exclude everything in the step last asked about? If not, the method has to look at
// places inside it.
bool sight_is_sure(const integration *in);

// What may have been missed, in words; NULL: nothing.
const char *sight_words(const integration *in, const char **help);

#endif
