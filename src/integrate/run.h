// One run of an integrator: where it is, what it has to reach, where results go.
#ifndef HAMEL_INTEGRATE_RUN_H
#define HAMEL_INTEGRATE_RUN_H

#include "execute/field.h"

typedef enum {
    RUN_DONE,  // the end was reached
    RUN_EVENT, // an event with `stop` happened
    RUN_INTERRUPTED,
    RUN_CHART, // another choice of independent velocities is due: see charts.h
    // f has no finite value and no smaller step helps: a singular mass matrix, a
    // root of a negative number ..
    RUN_NOT_FINITE,
    RUN_RANK,      // the constraints become dependent: the motion beyond is not determined
    RUN_UNDERFLOW, // the step became too small for the machine
    RUN_TOO_MANY,  // steps so short that the end cannot be reached
    RUN_FAILED,    // something else; run->failure says what
} run_status;

// The solution within a step: z at a time between its ends.
typedef struct dense {
    void (*at)(const struct dense *d, double t, double *z);
    const void *data;
    uint32_t order; // of its polynomial
} dense;

typedef struct {
    const char *name;
    double t;
    int direction; // +1: from negative to positive
    // coordinates and velocities there, n each; heap, NULL: they have no finite values
    double *state;
} event_record;

struct run;

// Where rows go. Each returns false if it cannot go on (a full disk).
typedef struct sink {
    bool (*row)(struct sink *s, const double *values);
    // Now and then, between two steps: what was computed is to survive a kill; may be NULL
    bool (*pulse)(struct sink *s);
    // also after an interrupted run; closes and frees
    bool (*finish)(struct sink *s, const char *outcome);
    // The results of an earlier run: takes r to where that one was; NULL: a new run
    bool (*restore)(struct sink *s, struct run *r);
} sink;

enum { ROW_WITHOUT_NUMBER = -1 };
// the last one says in which chart z is: 0 is that of the start
enum { RUN_CARRIED = 4, RUN_CHART_PLACE = 3 };

typedef struct run {
    field *f;
    double t, end;
    double *z; // the state at t
    // What a double leaves of it: the state is z + rest. Of the driver; 0 by
    // methods that know no more than z
    double *rest;
    double *turns; // taken off each coordinate; of the driver
    // NULL: no coordinate is an angle that winds or goes away with others
    const struct angle_unwrapping *unwrapping;
    struct charts *charts; // NULL: one choice of independent velocities for all of it
    bool charts_exhausted; // no better choice was found: none is looked for any more
    double tolerance;
    // state, steps and rows in wider numbers than double, by methods that can
    // (taylor); NULL: in double
    struct extended *extended;
    // What steps have been looked at for, and what may have been missed: see sight.h; of the driver
    struct sight *sight;
    const tape *plain_rate; // rates in which nothing can hide
    double closer;          // by this factor, where it is not 0, than a run that is to be verified
    bool fixed_steps;       // of the method, before it looks: it does not judge its own errors
    // fixed step of methods without error control; 0: chosen from the length of the run
    double step;
    double interval; // between rows; 0: every step
    // rows at these times instead, the first at the start; NULL: as `interval` says
    const double *times;
    uint32_t time_count;
    // of the rows at these times, as the run had them that they are from; NULL: they have none
    const int64_t *numbers;
    bool ignores_events;
    // What the method takes from one step into the next besides t and z, set before
    // run_step(): all 0 at the start
    double carried[RUN_CARRIED];
    uint64_t next_row; // its number
    uint64_t rows;
    sink *out;
    // keeps coordinates on the holonomic constraints; NULL: nothing to keep
    struct holonomic *holonomic;
    const volatile int *interrupted;                   // set from outside; NULL: never
    void (*progress)(const struct run *r, void *data); // at most 20 times a second
    void *progress_data;
    // counted
    uint64_t steps, rejected;
    double smallest_step, largest_step;
    LIST(event_record, events);
    // drift of the columns that should not change: largest deviation from the first row
    double *first_row, *last_row, *deviation;
    double *row;    // being made
    int64_t number; // of that row; ROW_WITHOUT_NUMBER if it is at no multiple of the interval
    const char *failure;
    // of the integrator, before run_step(): the polynomial of the step; NULL: it is
    // found from the dense output
    const struct curve *path;
    const double *beyond; // the rest of the z given to run_step(); NULL: nothing is known of it
    // run_step() set r->z beside the z it was given: what an integrator remembers of the
    // end of its step holds no longer
    bool moved;
    bool turned; // it took whole turns or a common way off r->z: slopes stay what they are
    // of the driver
    double *event_value, *work; // event_value: the last that is not 0
    struct event_search *search;
    struct regular *regular; // NULL: nothing to watch, or not asked yet
    const simulation *regular_of;
    bool events_confused; // somewhere more zeros lay together than could be told apart
    // where the steps last counted began: see is_stuck(), is_slow() in run.c
    double mark, pace_mark;
    double checked, pulsed;     // seconds of the clock
    uint32_t stride, unchecked; // steps between two looks at the clock, and since the last
} run;

// Begin: the first row is written, or an earlier run is taken up again.
run_status run_begin(run *r);
// An accepted step from r->t to t, where the solution is z: writes the rows within it, locates
// events, moves r->t and r->z. RUN_DONE to go on, RUN_EVENT or RUN_INTERRUPTED to stop there.
run_status run_step(run *r, double t, const double *z, const dense *inside);
double run_coordinate(const run *r, uint32_t i); // with its turns, where it is an angle
void run_free(run *r);

// How many rows there are in a unit of time where that is a whole number, else 0.
double rows_in_a_unit(double interval);

#endif
