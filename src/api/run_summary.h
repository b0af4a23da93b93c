// What a run says about itself beside its rows: why this method, what was projected, how wrong it
// is, why it stopped. run_summary_begin() and run_summary_finish() stand around the run; the
// summary then asks for its parts in the order in which it shows them, as text or as JSON.
#ifndef HAMEL_API_RUN_SUMMARY_H
#define HAMEL_API_RUN_SUMMARY_H

#include "api/api_internal.h"
#include "simulate/choose.h"
#include "simulate/diagnose.h"
#include "simulate/projection.h"
#include "simulate/verify.h"

typedef struct {
    const char *why; // the method was chosen; NULL: asked for
    bool projected;  // the start was
    start_projection projection;
    double *start;   // z at the beginning
    kept_rows *kept; // for the verification; NULL: none is wanted
    verification verified;
    diagnosis failure; // of a run that stopped
} run_summary;

// Around the run: before run_begin(), and after the integrator. The second reports a run that
// stopped: when, why, and in which state.
void run_summary_begin(run_summary *w, run *r, bool verify);
void run_summary_finish(run_summary *w, const run *r, run_status outcome);
void run_summary_clear(run_summary *w, run *r);

// In the summary: before the outcome, right behind it, and after the drifts.
void run_summary_head_text(const run_summary *w, const run *r, text *out);
void run_summary_tail_text(const run_summary *w, const run *r, text *out);
void run_summary_head_json(const run_summary *w, const run *r, json *out);
void run_summary_stop_json(const run_summary *w, const run *r, json *out);
void run_summary_tail_json(const run_summary *w, const run *r, json *out);

#endif
