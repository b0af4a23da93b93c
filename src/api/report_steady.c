// Steady motions for a page: which is shown, and along what its eigenvalues are.
#include "api/report_steady.h"

#include "study/even_spectrum.h"
#include "study/modes.h"

#include <math.h>

// Of small systems parameters are varied too; of others one speed or position of the family alone,
// since a sweep takes about as long as the rest of the page; of large ones nothing is looked for.
enum { SMALL = 4, LARGE = 8, ROWS = 80 };

// From a tenth of the value to twice the value, so that masses and lengths stay what they are; from
// 0 where it is a speed; around 0 by 1.
static const char *range_of(arena *a, const char *name, double value, bool is_speed) {
    const double low = value == 0 ? -1
                       : is_speed ? 0
                                  : 0.1 * value,
                 high = value == 0 ? 1 : 2 * value;
    return arena_format(a, "%s = %.17g..%.17g", name, fmin(low, high), fmax(low, high));
}

static bool is_velocity(const model *m, expr symbol) {
    return expr_symbol_of_order(m->pool, symbol, 0) != symbol;
}

// `o`: of the motion that was found, for an unknown of it; NULL: for a parameter
static void add_sweep(page_steady *w, expr symbol, const ode *o) {
    model *m = w->job.m;
    const double value = ball_middle(state_get((state *)&w->job.motion.x, symbol));
    if (w->jobs == (w->job.s->n > SMALL ? 1 : MOST_SWEEPS) || !isfinite(value)) return;
    stability_job *j = &w->sweep[w->jobs];
    context *ctx = m->ctx;
    const uint32_t diagnostics = ctx->diagnostic_count, errors = ctx->error_count;
    const bool is_speed = o && is_velocity(m, symbol);
    const char *words =
        range_of(&m->ctx->arena, expr_symbol_text(m->pool, symbol), value, is_speed);
    const hamel_status status = o ? stability_job_scan_from(&w->job, o, words, ROWS, j)
                                  : stability_job_scan(m, NULL, words, ROWS, j);
    if (status || j->rows.row_count < 2 || !j->rows.count) { // nothing depends on it, or the like
        ctx->diagnostic_count = diagnostics, ctx->error_count = errors;
        stability_job_close(j);
        return;
    }
    w->jobs++;
    list_push(&w->shown, sweeps, (report_sweep){symbol, value, &j->rows, &j->critical});
}

static void add_sweeps(page_steady *w, const ode *o) {
    const steady_motion *at = &w->job.motion;
    for (int speeds = 1; speeds >= 0; speeds--) // these first
        for (uint32_t i = 0; i < at->family && at->parameter; i++)
            if (is_velocity(w->job.m, at->parameter[i]) == (speeds == 1))
                add_sweep(w, at->parameter[i], o);
    const model *m = w->job.m;
    for (uint32_t i = 0; i < m->parameters_count && w->job.s->n <= SMALL; i++) {
        const parameter *q = &m->parameters[i];
        if (q->value != EXPR_NONE && !q->decided) add_sweep(w, q->symbol, NULL);
    }
}

// Eigenvalues that may lie on the imaginary axis do where the polynomial is known to be even.
static void settle_on_axis(page_steady *w, const ode *o) {
    linearisation *l = &w->linear;
    if (l->stable == STABLE_UNDECIDED && l->enclosed && l->count && l->count % 2 == 0 &&
        even_spectrum_at(w->job.problem, &w->job.motion, o, &w->job.guess))
        modes_settle_on_axis(l);
}

void page_steady_find(model *m, report *r, page_steady *w) {
    *w = (page_steady){0};
    const ode *o;
    if (r->known.s->n > LARGE) return;
    if (steady_job_look(m, NULL, &w->job) || !w->job.motion.found) return;
    w->shown.group = &w->job.group, w->shown.motion = &w->job.motion;
    if (!steady_job_ode(&w->job, &w->eq, &o)) {
        linearisation_create(w->job.problem, &w->job.motion, o, &w->linear);
        settle_on_axis(w, o);
        if (w->linear.eigenvalue) w->shown.linear = &w->linear;
    }
    if (w->shown.linear && w->linear.count) add_sweeps(w, o);
    r->steady = &w->shown;
}

void page_steady_close(page_steady *w) {
    for (uint32_t i = 0; i < w->jobs; i++) stability_job_close(&w->sweep[i]);
    memory_free(w->shown.sweeps);
    linearisation_clear(&w->linear);
    equations_free(w->eq);
    steady_job_close(&w->job);
}
