// Goes along with one run after the other and finds what is collected of each, by the definitions
// of system.h: the scalar engine's part of a sweep. Made once of a simulation and what is to be
// collected; in other independent velocities (simulate/charts.h) it makes its code anew and keeps
// it. Set it as the follower of a run, begin, run, and ask for the numbers.
#ifndef HAMEL_SWEEP_COLLECTOR_H
#define HAMEL_SWEEP_COLLECTOR_H

#include "simulate/run.h"
#include "sweep/system.h"

typedef struct collector collector;

// NULL: something that is collected has no value in this system, said with its place.
collector *collector_create(const simulation *sim, uint32_t count, const struct collected *what);
void collector_free(collector *c);
run_follower *collector_follower(collector *c);

// A run begins where r stands.
void collector_begin(collector *c, const run *r);
// A run in pieces (api/pieces.h) begins at t. Each piece is told of: it begins where r stands, and
// the same is collected in its own model, where what is constrained and which forces there are
// depends on contacts. False: something has no value there, said with its place.
void collector_begin_pieces(collector *c, double t);
bool collector_take_model(collector *c, const simulation *sim, const struct collected *what);
bool collector_knows_model(const collector *c, const model *m);
void collector_enter_piece(collector *c, const run *r);
void collector_note(collector *c, const char *event, double t); // of the run, or of a contact
// What is collected of the run that has come to where r stands. Of one that failed before its end
// there are only first crossings; what a run did not come to is NaN.
void collector_finish(collector *c, const run *r, bool failed, double *out);
// The event that ended the run; -1: none did
int32_t collector_stopped_by(const collector *c);

#endif
