// What an integrator works on: z' = f(t, z) from where it is to the end that is asked for.
//
// `run_request` says what is asked and does not change; `integration` is where the computation
// stands. A method advances by steps: each one it accepts is a value, `accepted_step`, handed to
// the driver by integration_accept(), which moves t and z and answers with an `outcome`: go on,
// go on from another state, or stop. Methods write nothing else of a run.
#ifndef HAMEL_INTEGRATE_INTEGRATION_H
#define HAMEL_INTEGRATE_INTEGRATION_H

#include "execute/field.h"

#include <math.h>

typedef enum {
    RUN_DONE,  // the end was reached
    RUN_EVENT, // an event with `stop` happened
    RUN_INTERRUPTED,
    RUN_LIMIT,  // of the call: its time, or the number of rows
    RUN_CHART,  // other independent velocities are to be chosen: see simulate/charts.h
    RUN_METHOD, // another method is to go on from here: see simulate/stiffness.h
    // f has no finite value and no smaller step helps: a singular mass matrix, a
    // root of a negative number ..
    RUN_NOT_FINITE,
    RUN_RANK,      // the constraints become dependent: the motion beyond is not determined
    RUN_UNDERFLOW, // the step became too small for the machine
    RUN_TOO_MANY,  // steps so short that the end cannot be reached
    RUN_FAILED,    // something else; integration.failure says what
} run_status;

// --- what is asked -------------------------------------------------------------------------------

// Poincare's section of a motion: the states at which one event crosses zero.
typedef struct {
    uint32_t event;  // its number in the model
    int direction;   // +1: rising, -1: falling, 0: both
    uint64_t wanted; // crossings, with the last of which the run ends; 0: it goes on to its end
} section_request;

typedef struct run_request {
    const struct integrator *method;
    double end, tolerance;
    double step;     // fixed step of methods without error control; 0: from the length of the run
    double interval; // between rows; 0: every step
    // rows at these times instead, the first at the start; NULL: as `interval` says
    const double *times;
    uint32_t time_count;
    // the numbers that the rows at these times had in the run they come from; NULL: they have none
    const int64_t *numbers;
    const section_request *section; // rows where it says, and nowhere else; NULL: rows as above
    uint64_t most_rows; // the run ends after the step in which there are so many; 0: it does not
    bool ignores_events;
    bool wants_rest; // the state may be changed between steps: methods hand over all its digits
    double closer;   // where not 0: steps are examined more closely by this factor (--verify)
    const volatile int *interrupted; // set from outside; NULL: never
} run_request;

enum { ROW_WITHOUT_NUMBER = -1 }; // of a row at no multiple of the interval

// How many rows there are in a unit of time where that is a whole number, else 0.
static inline double rows_in_a_unit(double interval) {
    const double each = nearbyint(1 / interval);
    return each >= 1 && 1 / each == interval ? each : 0;
}

// --- a step --------------------------------------------------------------------------------------

// The solution within a step: z at a time between its ends.
typedef struct dense {
    void (*at)(const struct dense *d, double t, double *z);
    const void *data;
    uint32_t order; // of its polynomial
} dense;

enum { PACE_NUMBERS = 2 };

// A step that a method accepts.
typedef struct {
    double from, to;
    const double *z;          // the state at `to`
    const double *rest;       // what rounding to double left out of z; NULL: not known
    const dense *inside;      // the solution between
    const struct curve *path; // its polynomial; NULL: it is found from `inside`
    // what the method takes into the next step besides t and z: the length it plans, the error
    // of this one, the steps that were hard to look along; 0 for methods that can begin anew from
    // any state
    double pace[PACE_NUMBERS];
} accepted_step;

typedef enum {
    STATE_KEPT, // the state is the end of the step
    // whole turns or a common translation were taken off it: slopes stay what they are
    STATE_SHIFTED,
    // it was moved onto constraints: what a method remembers of the end of the step holds no longer
    STATE_MOVED,
} state_change;

typedef struct {
    run_status status; // RUN_DONE: go on from integration.t and integration.z
    state_change change;
} outcome;

// --- where it is ---------------------------------------------------------------------------------

typedef struct integration {
    const run_request *request;
    field *f; // of the chart that the run is in
    double t;
    double *z;     // the state at t is z + rest
    double *rest;  // what rounding to double left out of z; 0 for methods that only know z
    double *turns; // taken off each coordinate, in periods
    // what is taken off the state between steps; NULL: there is nothing to take off
    const struct shifts *shifts;
    uint32_t chart;            // in which z is: 0 is that of the start
    double pace[PACE_NUMBERS]; // of the last step; 0 at the start
    // state, steps and rows in wider numbers than double; NULL: in double
    struct extended *extended;
    // what steps were searched for, and what may have been missed: see sight.h
    struct sight *sight;
    const tape *plain_rate; // rates in which nothing can hide, by sight.c
    // A function from data is another polynomial from this time on: no step passes over it
    bool pauses;
    double pause;
    uint64_t rejected;   // attempts of a step
    const char *failure; // after RUN_FAILED
    outcome (*accept)(struct integration *in, const accepted_step *s);
} integration;

// Where the method is to stop for now: at the end that is asked for, or at a point of data before
static inline double integration_end(const integration *in) {
    const double end = in->request->end, last = end - 0x1p-49 * fabs(end); // steps that lead on
    return in->pauses && in->pause < last ? in->pause : end;
}

// RUN_FAILED, and why.
static inline run_status integration_fail(integration *in, const char *why) {
    in->failure = why;
    return RUN_FAILED;
}

// An accepted step from in->t: the driver writes the rows within it, locates events, moves in->t
// and in->z to its end or to where it stops.
static inline outcome integration_accept(integration *in, const accepted_step *s) {
    return in->accept(in, s);
}

#endif
