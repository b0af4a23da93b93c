// Results as data: what a model names, trajectories as columns in memory, verdicts, equations as
// expressions that can be walked through. This is a part of hamel.h, which includes it and says
// what statuses, models and runs are; programs include that one.
//
// Results are objects of their own: they outlive the model and the context they come from, never
// change, may be read by several threads at once, and are released by their _free(), which takes
// NULL too. What they hand out (names, columns) is theirs, and is there until then. Where an index
// or a name leads to nothing they answer with NULL or 0.
#ifndef HAMEL_DATA_H
#define HAMEL_DATA_H

#ifndef HAMEL_H
#error "include hamel.h"
#endif

// --- the names of a model ------------------------------------------------------------------------

// What a model has, one by one in the order of its text: the name of number `index` of a kind,
// "coordinates", "quasi-velocities", "parameters", "inputs", "functions" (of the time), "bodies",
// "points", "constraints", "contacts", "events", "resets", "invariants", "observables" or
// "claims"; NULL behind the last. A name is good as long as the context.
HAMEL_API const char *hamel_model_listed(hamel_model *model, const char *kind, size_t index);
// The name and the title that the model gives itself; a nameless one is called after its file, and
// a title may be NULL.
HAMEL_API const char *hamel_model_name(const hamel_model *model);
HAMEL_API const char *hamel_model_title(const hamel_model *model);
// The unit of a coordinate, velocity, parameter, observable .. of this name: "m/s". NULL: it has
// none, or the model has no units.
HAMEL_API const char *hamel_model_unit(hamel_model *model, const char *name);
// The value of a parameter, as the model and hamel_context_set() say: 1, or 0 where there is no
// such parameter or it has none.
HAMEL_API int hamel_model_value(hamel_model *model, const char *parameter, double *value);

// --- trajectories in memory ----------------------------------------------------------------------

// The rows of a run, column by column: each column is one array of doubles, so that programs use it
// where it lies.
//
//     hamel_trajectory *run;
//     if (hamel_model_trajectory(model, &(hamel_run){.until = 10}, &run)) ..
//     const double *t = hamel_trajectory_column(run, 0);
//     const double *x = hamel_trajectory_column(run, hamel_trajectory_find(run, "x"));
//     for (size_t i = 0; i < hamel_trajectory_rows(run); i++) printf("%g %g\n", t[i], x[i]);
//     hamel_trajectory_free(run);
typedef struct hamel_trajectory hamel_trajectory;

// A run as of hamel_model_simulate(), with contacts, resets and clocks. Output, resume and plot of
// `run` are not looked at; in a higher precision columns are the doubles nearest to its numbers.
// HAMEL_NUMERICS or HAMEL_LIMIT where the run stopped before its end, and *trajectory is then what
// was computed up to there; it is NULL where there was no run.
HAMEL_API hamel_status hamel_model_trajectory(hamel_model *model, const hamel_run *run,
                                              hamel_trajectory **trajectory);
// The same from rows in a file: an .h5 of hamel_model_simulate() or any .csv with a line of names
// first, where an empty cell is a gap (NaN).
HAMEL_API hamel_status hamel_file_trajectory(hamel_context *ctx, const char *file,
                                             hamel_trajectory **trajectory);
HAMEL_API void hamel_trajectory_free(hamel_trajectory *trajectory);

HAMEL_API size_t hamel_trajectory_rows(const hamel_trajectory *trajectory);
HAMEL_API size_t hamel_trajectory_columns(const hamel_trajectory *trajectory);
// As in the first line of a CSV file: "t", "x", "x'", "energy"
HAMEL_API const char *hamel_trajectory_name(const hamel_trajectory *trajectory, size_t column);
// "time", "coordinate", "velocity", "quasi-velocity", "multiplier", "energy", "invariant",
// "observable", "residual" or "contact"
HAMEL_API const char *hamel_trajectory_kind(const hamel_trajectory *trajectory, size_t column);
HAMEL_API const char *hamel_trajectory_unit(const hamel_trajectory *trajectory, size_t column);
// The number of the column with this name; SIZE_MAX, which leads to nothing, where there is none
HAMEL_API size_t hamel_trajectory_find(const hamel_trajectory *trajectory, const char *name);
// hamel_trajectory_rows() numbers
HAMEL_API const double *hamel_trajectory_column(const hamel_trajectory *trajectory, size_t column);
// What hamel_model_simulate() says of the run, HAMEL_TEXT or HAMEL_JSON; NULL of a file
HAMEL_API const char *hamel_trajectory_summary(const hamel_trajectory *trajectory,
                                               hamel_format format);

// What happened at one time of a run; members that do not belong to its kind are NULL or 0.
typedef struct hamel_happening {
    const char *kind; // "event"; "mode", "impact" (of contacts); "reset"
    const char *name; // of the event, the contact or the reset
    double t;
    int direction;         // of an event: 1 from negative to positive, -1
    const char *from, *to; // the modes of a contact: "free", "sliding", "sliding-", "sticking"
    double speed, lost;    // of an impact: along the normal before it; energy
    const double *state;   // of an event: coordinates, then their velocities; may be NULL
    size_t state_count;
    const void *later[4]; // of later versions; NULL
} hamel_happening;
// In the order of time: 1, or 0 behind the last
HAMEL_API int hamel_trajectory_event(const hamel_trajectory *trajectory, size_t index,
                                     hamel_happening *happening);

#endif
