// One form of a model made ready to run: equations, first-order system, integrator, a place for the
// rows. `simulate`, `plot`, `compare` and `report` all fill in the first fields and call
// run_job_run(); run_job_close() comes last in every case.
#ifndef HAMEL_API_RUN_JOB_H
#define HAMEL_API_RUN_JOB_H

#include "api/api_internal.h"
#include "api/plot_figure.h"
#include "record/journal.h"
#include "simulate/diagnose.h"
#include "simulate/projection.h"
#include "simulate/verify.h"
#include "integrate/extended.h"
#include "integrate/shifts.h"

struct formalism;

// What a run says about itself beside its rows.
typedef struct {
    const char *why; // the method was chosen; NULL: asked for
    bool projected;  // the start was
    start_projection projection;
    double *start;   // z at the beginning
    kept_rows *kept; // for the verification; NULL: none is wanted
    verification verified;
    diagnosis failure; // of a run that stopped
} run_summary;

typedef struct {
    model *m;
    const hamel_run *asked;
    bool bare;                    // only t, q and q' are looked at
    bool rowless;                 // no rows are wanted: the motion is followed for something else
    table *rows;                  // rows are kept here, beside where `asked` says; NULL: only there
    struct column_store *columns; // .. or here
    bool is_all;      // the call does nothing else: what it has is written when its time is over
    uint32_t motions; // that are kept in memory by the caller, row by row: of `compare`
    // rows are where an event crosses zero; NULL: at times
    const section_request *section;
    uint32_t least_rows; // where nobody asked for an interval, it is such that there are as many
    // what is to be drawn of the rows: looked at before the run begins; NULL: nothing
    const hamel_plot *plot;
    bool of_pieces; // it is a piece of a motion, or a run that is made of pieces
    const struct formalism *form;
    equations *eq;
    simulation *sim;
    field *field;
    const integrator *method;
    const extended_kind *precision; // NULL: double
    run r;
    run_status outcome;
    run_summary summary;
    run_past past;         // with --resume
    struct pieces *pieces; // contacts, resets and clocks; NULL: the motion is smooth
    shifts *shifts;        // taken off the state between steps; NULL: there are none
} run_job;

// With `m`, `asked` and `bare` set: everything up to the first row. In every case
// run_job_close() comes after it.
hamel_status run_job_prepare(run_job *j);
// The whole run, after which its outcome, its rows and what was found are there
// (simulate.c). It prepares the job.
hamel_status run_job_run(run_job *j);
void run_job_close(run_job *j);

// `write` of a run, called in the locale of the caller as `progress` is.
byte_writer run_job_callers_writer(const hamel_run *asked);

// Once the job is ready to begin: HAMEL_OK, or HAMEL_LIMIT or HAMEL_USAGE after saying what the run
// would take (run_limits.c).
hamel_status run_limits_check(const run_job *j);
void run_limits_explain(run_job *j); // after RUN_LIMIT

const char *run_job_outcome(const run_job *j); // in words
hamel_status run_job_status(const run_job *j); // HAMEL_OK where the end or an event was reached
// What `plot` can draw of it: names once it is prepared, rows after the run
plot_rows run_job_rows(const run_job *j);

#endif
