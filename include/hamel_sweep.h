// Sweeps: one model run from very many starts and with very many values of its parameters, and what
// is kept of each run. This is a part of hamel.h, which includes it and says what statuses, models
// and runs are; programs include that one.
#ifndef HAMEL_SWEEP_H
#define HAMEL_SWEEP_H

#ifndef HAMEL_H
#error "include hamel.h"
#endif

// How far a sweep has come
typedef struct hamel_sweep_progress {
    unsigned long long runs, done, failed; // of all; finished; of these, that failed
    double rate, remaining;                // runs in a second; seconds, NaN where nobody knows
} hamel_sweep_progress;

// Runs that are finished, one behind the other: `values` numbers of each are what was varied,
// `collected` numbers what was collected of it (NaN: what it did not come to)
typedef struct hamel_sweep_chunk {
    unsigned long long first, count;
    size_t values, collected;
    const double *value, *number;
    const double *end;        // the times at which they ended
    const char *const *ended; // "end", the name of an event, or the cause of a failure
} hamel_sweep_chunk;

// What is asked of hamel_model_sweep; members that are NULL or 0 are as the model says, or chosen.
typedef struct hamel_sweep {
    // As behind the statements `sweep` and `collect`, in their place: "v = 0.5 .. 3 count 200",
    // "top = max(th), end = final(x)"
    const char *const *vary, *const *collect;
    size_t vary_count, collect_count;
    const char *samples, *seed; // "1000 sobol", "7"
    const char *output;         // .csv or .h5; "-": CSV through `write` of the run; NULL: none
    int resume;                 // go on with the journal of a sweep that was cut short
    const char *device;         // "cpu" or "cuda"
    // So many runs, spread evenly over all of them, are written in full beside the output, those of
    // "rows.csv" as "rows-0.csv", "rows-17.csv" .., with the rows of hamel_model_simulate()
    unsigned long long keep;
    unsigned threads; // 0: as many as there are processors. Numbers do not depend on it
    void (*progress)(const hamel_sweep_progress *p, void *data); // at most 20 times a second
    // Finished chunks, in whatever order they come; a value that is not 0 ends the sweep
    int (*chunk)(const hamel_sweep_chunk *c, void *data);
    void *data; // of both
    // What is drawn of it, NULL: nothing: panels are "NAME", over what is varied along grids,
    // "X:NAME" and "X:Y:NAME"; `ended` says how runs ended. To its output, or in characters behind
    // the summary (HAMEL_TEXT)
    const struct hamel_plot *figure;
    const void *later[4]; // NULL, for members of later versions
} hamel_sweep;

// All runs of a sweep; the result is a summary (HAMEL_TEXT or HAMEL_JSON). Of `run`, form, method,
// at, execute, until, tolerance, interval (of what is kept), step, project, write and interrupted
// are looked at. Runs that fail are counted and do not end the sweep. HAMEL_NUMERICS where it was
// interrupted, HAMEL_LIMIT where its time was over: what is finished is in the output, and `resume`
// goes on.
HAMEL_API hamel_status hamel_model_sweep(hamel_model *model, const hamel_sweep *asked,
                                         const hamel_run *run, hamel_format format, char **result);

// --- maps ----------------------------------------------------------------------------------------

// What is asked of hamel_model_map; members that are NULL or 0 are chosen.
typedef struct hamel_map {
    // Two initial values or parameters and their ranges, "x = -2 .. 2"
    const char *const *vary;
    size_t vary_count;
    // An expression of the state: rounded to a whole number where a run ends, it is the class of
    // the run; NULL: how it ended is
    const char *by;
    // Cells on each side at first (16), and how often those whose corners are of several classes
    // are halved (4)
    unsigned cells, depth;
    int whole; // all points of the finest raster are looked at
    // The class of a point is what the eigenvalues of the steady motion with these values say:
    // "stable", "marginal", "unstable", or "no steady motion" where none is found. Nothing is run,
    // and of a hamel_run `at` alone counts
    int stability;
    unsigned threads;
    const char *output;       // .csv: the cells in the end, with the class of each; NULL: none
    const hamel_plot *figure; // to its output, or in characters behind the summary; NULL: none
    void (*progress)(const hamel_sweep_progress *p, void *data); // `runs` are those known to come
    void *data;
    const void *later[4]; // NULL, for members of later versions
} hamel_map;

// A rectangle of two initial values (basins of attraction) or parameters, divided by what becomes
// of runs. The result is a summary: the share of each class in the area (HAMEL_TEXT or HAMEL_JSON).
// Of `run`, the same is looked at as by hamel_model_sweep().
HAMEL_API hamel_status hamel_model_map(hamel_model *model, const hamel_map *asked,
                                       const hamel_run *run, hamel_format format, char **result);

// --- in parts ------------------------------------------------------------------------------------

// A sweep made ready once, whose chunks of runs are computed by whoever wants to, in any order and
// on any machine, and put together at the end: the bytes are those of hamel_model_sweep(). It has a
// context of its own and outlives the model. Each worker, numbered from 0, may compute from a
// thread of its own; everything else is for one thread at a time.
//
//     hamel_sweep_job *job;
//     if (hamel_sweep_prepare(model, &asked, &run, 1, &job)) ..
//     void *bytes = malloc(hamel_sweep_chunk_bytes(job));
//     for (unsigned long long i = 0; i < hamel_sweep_count(job, HAMEL_SWEEP_CHUNKS); i++)
//         if (hamel_sweep_compute(job, 0, i, bytes) || hamel_sweep_put(job, i, bytes)) ..
//     hamel_sweep_finish(job, HAMEL_TEXT, &result);
//     hamel_sweep_free(job);
typedef struct hamel_sweep_job hamel_sweep_job;

// Of `asked`, callbacks and the figure are not looked at. One that computes only (output "") has no
// place for chunks. Errors are in the context of the model.
HAMEL_API hamel_status hamel_sweep_prepare(hamel_model *model, const hamel_sweep *asked,
                                           const hamel_run *run, unsigned workers,
                                           hamel_sweep_job **job);
HAMEL_API void hamel_sweep_free(hamel_sweep_job *job);
// Where the errors of calls on it are
HAMEL_API hamel_context *hamel_sweep_context(hamel_sweep_job *job);

typedef enum {
    HAMEL_SWEEP_RUNS,
    HAMEL_SWEEP_CHUNKS,    // of runs, equally many in each but the last
    HAMEL_SWEEP_VARIED,    // values of a run
    HAMEL_SWEEP_COLLECTED, // numbers of a run
    HAMEL_SWEEP_COLUMNS    // of a trajectory, as in CSV files
} hamel_sweep_kind;
HAMEL_API unsigned long long hamel_sweep_count(const hamel_sweep_job *job, hamel_sweep_kind kind);
// Of what is varied, what is collected, a column; NULL if there are not so many. Of the first chunk
// in words what the last bits of all of them depend on: chunks of one sweep have them in common
HAMEL_API const char *hamel_sweep_name(const hamel_sweep_job *job, hamel_sweep_kind kind,
                                       size_t index);

// The same on every machine, while their processors and the library are
HAMEL_API size_t hamel_sweep_chunk_bytes(const hamel_sweep_job *job); // of one, at most
HAMEL_API hamel_status hamel_sweep_compute(hamel_sweep_job *job, unsigned worker,
                                           unsigned long long chunk, void *bytes);
// Is the chunk there already, from a journal or by hamel_sweep_put()?
HAMEL_API int hamel_sweep_has(const hamel_sweep_job *job, unsigned long long chunk);
HAMEL_API hamel_status hamel_sweep_put(hamel_sweep_job *job, unsigned long long chunk,
                                       const void *bytes);
// The output of all chunks that are there, and the summary. Only hamel_sweep_free() comes after it.
HAMEL_API hamel_status hamel_sweep_finish(hamel_sweep_job *job, hamel_format format, char **result);

// Trajectories of `count` runs from `first` on: a row at each time for each of them, behind one
// another, hamel_sweep_count(HAMEL_SWEEP_COLUMNS) numbers each; NaN where a run did not come to
// that time. Times increase from the start on.
HAMEL_API hamel_status hamel_sweep_trajectories(hamel_sweep_job *job, unsigned worker,
                                                unsigned long long first, unsigned long long count,
                                                const double *times, size_t time_count,
                                                double *rows);

#endif
