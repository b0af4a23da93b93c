// One run: the driver between an integrator and what is written of the motion.
//
// A run is what is asked (`asked`, fixed once it begins), where the integration is (`state`) and
// what is written (`record`), and beside these what is watched between steps. run_open() sets it
// at a state, run_begin() writes the first row or takes up an earlier run, run_integrate() starts
// the integrator, whose accepted steps come back to the driver in run.c, and run_finish() closes
// the sink.
#ifndef HAMEL_SIMULATE_RUN_H
#define HAMEL_SIMULATE_RUN_H

#include "integrate/integrator.h"
#include "simulate/pace.h"

// Goes along with a run, step by step: what a sweep collects (src/sweep/collector.h)
typedef struct run run;
typedef struct run_follower run_follower;
struct run_follower {
    // A piece of a motion in pieces begins where r stands (api/pieces.h); NULL: nobody asks
    void (*enter)(run_follower *f, const run *r);
    // From where r->state is the run goes on to (t, z), along `inside`
    void (*pass)(run_follower *f, const run *r, double t, const double *z, const dense *inside);
    // On the way there, in the direction that the model asks for. With one who is told of them the
    // record of the run has no list of events; NULL: it has.
    void (*event)(run_follower *f, uint32_t event, double t);
    // The same of a motion in pieces, by its name: models of pieces number them otherwise
    void (*named)(run_follower *f, const char *event, double t);
    bool looks_inside; // of steps, also where no row is due: the chart is to be good there
};

struct run {
    integration state; // the first: the driver finds the run of a step by it
    run_request asked;
    run_record record;
    void (*progress)(const struct run *r, void *data); // at most 20 times a second
    void *progress_data;
    // At an event, with the row there in `record`; true: the run ends there. NULL: nobody is told
    bool (*told)(const struct run *r, uint32_t event, double t, int direction, void *data);
    void *told_data;
    run_follower *follower; // NULL: nobody
    // t, q and q' at the start, where z may not say them: in a chart that is singular there. NULL:
    // z says all
    const double *begins_at;
    // Watched between steps
    struct charts *charts;       // NULL: one choice of independent velocities for all of it
    bool charts_exhausted;       // no better choice was found: none is looked for any more
    struct holonomic *holonomic; // keeps coordinates on the constraints; NULL: nothing to keep
    const simulation *watched;   // the system that the next two were made for; NULL: none yet
    struct event_search *search; // NULL: there are no events
    struct rank_watch *rank;     // NULL: the constraints cannot lose rank
    double *event_value;         // of each event, the last that is not 0
    // what should stay: its values at the start, and where the run is now
    double *watched_first, *watched_now;
    pace pace;
    // The method that it began with and the one that it may change to (run_method.h), NULL: none;
    // why the last change was made
    const integrator *first, *other;
    const char *because;
    double *work;
};

// At (t, z), z the caller's, to be integrated as r->asked says.
void run_open(run *r, field *f, double t, double *z);
// Begin: the first row is written, or an earlier run is taken up again.
run_status run_begin(run *r);
// The same for a piece of a longer motion, from where r->state is: rows are due from this number on
// and none is written yet.
void run_begin_piece(run *r, uint64_t next_row);
// Where the state was not chosen with the chart: other independent velocities, if they are better
void run_leave_poor_chart(run *r);
// The integrator from there to the end, through as many charts as it takes.
run_status run_integrate(run *r);
// Closes the sink, with the outcome in words. False if the results could not be written.
bool run_finish(run *r, const char *outcome, text *why);
void run_free(run *r);

double run_coordinate(const run *r, uint32_t i); // with its turns, where it is an angle

#endif
