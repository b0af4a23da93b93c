// A report: everything that is known of one model, and the page it becomes (docs/page.md). The api
// fills it in, section by section, with what could be had and why the rest could not; the two calls
// below write it.
#ifndef HAMEL_REPORT_REPORT_H
#define HAMEL_REPORT_REPORT_H

#include "print/derivation.h"
#include "print/json.h"
#include "print/transposition.h"
#include "prove/prove.h"
#include "report/classification.h"
#include "report/finished_run.h"
#include "study/critical.h"
#include "study/linearise.h"

// One formalism: why it does not apply, or what it gives.
typedef struct {
    const formalism *form;
    const char *refusal;
    equations *eq;
    presentation shown;
    // relations that fill pages are not made, nor shown
    bool has_transposition, transposition_is_long;
    transposition transposed;
} report_form;

// Eigenvalues along a parameter or a speed of the family of steady motions
typedef struct {
    expr symbol;
    double at; // the value of the model
    const scan *rows;
    const critical_values *critical;
} report_sweep;

// The steady motion near the initial state
typedef struct {
    const symmetries *group;
    const steady_motion *motion;
    const linearisation *linear; // NULL: not known
    LIST(report_sweep, sweeps);
} report_steady;

typedef struct {
    classification known;
    const char *called;     // the model as on a command line: "snake --set N=8"
    const formalism *usual; // the form that the others are compared with
    LIST(report_form, forms);
    judgement verdicts;
    const char *no_verdicts; // why nothing was judged; NULL if something was
    const finished_run *run; // NULL: there is none, and `no_run` says why
    const char *no_run;
    const report_steady *steady; // NULL: none was found
} report;

// The page, and the data in it alone.
void report_write_page(const report *r, text *out);
void report_write_data(const report *r, json *out);

#endif
