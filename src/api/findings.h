// What a run says about itself beside its rows: why this method, what was projected, how wrong it
// is, why it stopped. findings_begin() and findings_finish() stand around the run; the summary then
// asks for its parts in the order in which it shows them, as text or as JSON.
#ifndef HAMEL_API_FINDINGS_H
#define HAMEL_API_FINDINGS_H

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
} findings;

// Around the run: before run_begin(), and after the integrator. The second reports a run that
// stopped: when, why, and in which state.
void findings_begin(findings *w, run *r, bool verify);
void findings_finish(findings *w, const run *r, run_status outcome);
void findings_clear(findings *w, run *r);

// In the summary: before the outcome, right behind it, and after the drifts.
void findings_head_text(const findings *w, const run *r, text *out);
void findings_tail_text(const findings *w, const run *r, text *out);
void findings_head_json(const findings *w, const run *r, json *out);
void findings_stop_json(const findings *w, const run *r, json *out);
void findings_tail_json(const findings *w, const run *r, json *out);

#endif
