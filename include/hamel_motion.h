// Runs by the thousand: a model made ready once and run as often as wanted. This is a part of
// hamel.h, which includes it and says what statuses and contexts are; programs include that one.
#ifndef HAMEL_MOTION_H
#define HAMEL_MOTION_H

#ifndef HAMEL_H
#error "include hamel.h"
#endif

// --- runs by the thousand ------------------------------------------------------------------------

// A model by one form and one method, made ready once and run as often as wanted, from other states
// and with other parameters: derived, compiled and planned by hamel_model_prepare(), after which a
// run costs its integration. A motion has a context of its own, outlives the model, and is for one
// thread at a time; hamel_motion_copy() makes another one for another thread, with which it shares
// nothing.
//
//     hamel_motion *motion;
//     if (hamel_model_prepare(model, &(hamel_run){.tolerance = 1e-12}, &motion)) ..
//     for (double m = 1; m < 10; m++) {
//         hamel_motion_set(motion, "m", m);
//         hamel_motion_start(motion, 0, NULL);
//         hamel_motion_run(motion, 10, times, count, rows, NULL);
//     }
//     hamel_motion_free(motion);
typedef struct hamel_motion hamel_motion;

// Of `run`, form, method, at, execute (NULL: compiled), tolerance, step, project and interrupted
// are looked at. What the form and the method are chosen by is the state and the parameters at
// which the model is now. Errors are in the context of the model. A motion is smooth: a model with
// contacts whose modes are not set, or with `when` or `every`, is HAMEL_USAGE.
HAMEL_API hamel_status hamel_model_prepare(hamel_model *model, const hamel_run *run,
                                           hamel_motion **motion);
HAMEL_API hamel_status hamel_motion_copy(hamel_motion *motion, hamel_motion **copy);
HAMEL_API void hamel_motion_free(hamel_motion *motion);
// Where the errors of the last call on the motion are; it is the motion's own, good until the next
// start.
HAMEL_API hamel_context *hamel_motion_context(hamel_motion *motion);

typedef enum {
    HAMEL_STATE,     // z: coordinates, then independent velocities and what else is integrated
    HAMEL_COLUMN,    // what a row holds, as in CSV files: "t", "x", "x'", "energy", ..
    HAMEL_PARAMETER, // those that have a value
    HAMEL_EVENT      // of the model
} hamel_motion_kind;
HAMEL_API size_t hamel_motion_count(const hamel_motion *motion, hamel_motion_kind kind);
// Good until the next start; NULL if there are not so many
HAMEL_API const char *hamel_motion_name(const hamel_motion *motion, hamel_motion_kind kind,
                                        size_t index);

// Another value for a parameter, and for those that the model defines by it; it counts from the
// next start on. Where values decide what the constraints are, or one changes its sign, that start
// derives anew. HAMEL_USAGE if there is none of that name.
HAMEL_API hamel_status hamel_motion_set(hamel_motion *motion, const char *parameter, double value);
HAMEL_API double hamel_motion_get(const hamel_motion *motion, size_t parameter);

// The start: the state z at t; where z is NULL, as the model's `initial` and `at` of the run say,
// and t is not looked at. Coordinates are to satisfy holonomic constraints; velocities do. Where it
// fails there is no motion to run until the next.
HAMEL_API hamel_status hamel_motion_start(hamel_motion *motion, double t, const double *z);
// The same with changes to `initial`, "x=1, x'=2", until the next: slower, and solved for what the
// constraints determine.
HAMEL_API hamel_status hamel_motion_start_at(hamel_motion *motion, const char *at);

typedef struct hamel_outcome {
    double t;               // where the motion is now
    size_t rows;            // written
    size_t steps, rejected; // of the method
    size_t evaluations;     // of z' = f(t, z)
    size_t events;          // that happened
    double drift;           // the largest change of energy, invariants and residuals
    const char *words;      // how it ended, good until the next call
    const void *later[4];   // of later versions; NULL
} hamel_outcome;

// On from where the motion is, to the time `until`. Rows are written at `count` times, not before
// now and increasing; without times, behind each of at most `count` steps, after which the run
// ends (count = 0: no rows, and no limit). A row has hamel_motion_count(HAMEL_COLUMN) numbers.
// HAMEL_OK where `until`, an event with `stop` or the number of steps was reached.
HAMEL_API hamel_status hamel_motion_run(hamel_motion *motion, double until, const double *times,
                                        size_t count, double *rows, hamel_outcome *outcome);
// An event of the last run; false: there were not so many. `which` is its number in the model.
HAMEL_API int hamel_motion_event(const hamel_motion *motion, size_t index, size_t *which, double *t,
                                 int *direction);
// Where the motion is: z, or NULL; and its row, or NULL
HAMEL_API hamel_status hamel_motion_now(hamel_motion *motion, double *t, double *z, double *row);
// z' = f(t, z) itself, for other people's integrators. HAMEL_NUMERICS where it has no finite value
HAMEL_API hamel_status hamel_motion_rate(hamel_motion *motion, double t, const double *z,
                                         double *rate);

#endif
