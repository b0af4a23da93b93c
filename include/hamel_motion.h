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
// contacts whose modes are not set, or with `when` or `every`, is HAMEL_USAGE. A motion, its copies
// and its fields look at `interrupted`, else at that of the model's limits, until they are freed.
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
// derives anew. An `input` that is set is held at this value in the place of what the model says,
// and is among the parameters from the next start on, which derives anew; to follow a signal, set
// it again and start from where the motion is. HAMEL_USAGE if there is none of that name.
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
// From here on `happened` is called at each event of a run, in the order of time, with the row
// there: hamel_motion_count(HAMEL_COLUMN) numbers, of which some may be no numbers. A value that is
// not 0 ends the run there, as an event with `stop` does. NULL: no more. A copy of the motion has
// none.
HAMEL_API hamel_status hamel_motion_on_event(hamel_motion *motion,
                                             int (*happened)(void *data, size_t which, double t,
                                                             int direction, const double *row),
                                             void *data);
// Where the motion is: z, or NULL; and its row, or NULL
HAMEL_API hamel_status hamel_motion_now(hamel_motion *motion, double *t, double *z, double *row);
// z' = f(t, z) itself, for other people's integrators. HAMEL_NUMERICS where it has no finite value
HAMEL_API hamel_status hamel_motion_rate(hamel_motion *motion, double t, const double *z,
                                         double *rate);
// The same at `count` states, one behind the other: z and rates have count times
// hamel_motion_count(HAMEL_STATE) numbers. A state without a finite rate has NaN in its place, and
// the call is HAMEL_NUMERICS.
HAMEL_API hamel_status hamel_motion_rates(hamel_motion *motion, size_t count, const double *t,
                                          const double *z, double *rates);

// --- the field of a motion -----------------------------------------------------------------------

// z' = f(t, z) as functions to call, from any number of threads at once, each with a work area of
// its own. A field is made once, does not change, and is independent of the motion and the model
// that it was made from; it is there until it and all of its work areas are freed, in any order.
//
//     hamel_field *f;
//     if (hamel_model_field(model, NULL, HAMEL_FIELD_RATE | HAMEL_FIELD_JACOBIAN, &f)) ..
//     void *work = hamel_field_work(f);
//     if (!f->rate(f, work, t, z, dz)) ..
//     hamel_field_work_free(work);
//     hamel_field_free(f);
//
// A call answers with 1, or with 0 where a number is not finite, t is outside of the data that the
// model reads, memory runs out, or an argument is NULL or the work area of another field.
typedef struct hamel_field hamel_field;
struct hamel_field {
    size_t size, columns, parameters; // of z; of a row; of a work area
    unsigned order;                   // the highest of taylor()
    int compiled;
    int (*rate)(const hamel_field *field, void *work, double t, const double *z, double *dz);
    // df_i/dz_j, row by row
    int (*jacobian)(const hamel_field *field, void *work, double t, const double *z, double *out);
    // A row: what a trajectory has at (t, z), named by hamel_field_name(HAMEL_COLUMN)
    int (*values)(const hamel_field *field, void *work, double t, const double *z, double *out);
    // Taylor coefficients of the solution through (t, z): z(t + h) = sum_k out[k * size + i] h^k
    int (*taylor)(const hamel_field *field, void *work, double t, const double *z, unsigned order,
                  double *out);
};

// What a field is to have; a function that is not asked for is NULL in it.
enum {
    HAMEL_FIELD_RATE = 1,
    HAMEL_FIELD_JACOBIAN = 2,
    HAMEL_FIELD_VALUES = 4,
    HAMEL_FIELD_TAYLOR = 8,
    HAMEL_FIELD_ALL = 15
};
// Of `run` (NULL: as the model says) the same is looked at as by hamel_model_prepare(); `execute`
// says whether it is compiled (NULL: it is; "interpreted" takes no compiler).
HAMEL_API hamel_status hamel_model_field(hamel_model *model, const hamel_run *run, unsigned what,
                                         hamel_field **field);
// With the values that parameters and inputs of the motion have now
HAMEL_API hamel_status hamel_motion_field(hamel_motion *motion, unsigned what, hamel_field **field);
HAMEL_API void hamel_field_free(hamel_field *field);
// As of a motion; HAMEL_EVENT has none
HAMEL_API const char *hamel_field_name(const hamel_field *field, hamel_motion_kind kind,
                                       size_t index);
// Where the motion begins: 1, or 0
HAMEL_API int hamel_field_start(const hamel_field *field, double *t, double *z);
// NULL where memory runs out
HAMEL_API void *hamel_field_work(const hamel_field *field);
HAMEL_API void hamel_field_work_free(void *work);
// Another value for a parameter in this work area, and for those that the model defines by it: 1,
// or 0 where there is none, or where the constraints would be others for this value
HAMEL_API int hamel_field_set(void *work, size_t parameter, double value);
HAMEL_API double hamel_field_get(const void *work, size_t parameter);

#endif
