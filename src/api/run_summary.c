// What a run says about itself beside its rows.
#include "api/run_summary.h"

#include "print/expression.h"
#include "integrate/sight.h"

#include <math.h>
#include <string.h>

static model *model_of(const run *r) { return r->state.f->system->m; }

static const char *symbol_words(const run *r, expr symbol) {
    text name = {0};
    print_symbol_name(model_of(r)->pool, symbol, STYLE_TEXT, &name);
    const char *words = arena_format(&model_of(r)->ctx->arena, "%s", text_string(&name));
    text_free(&name);
    return words;
}

// --- around the run ------------------------------------------------------------------------------

void run_summary_begin(run_summary *w, run *r, bool verify) {
    const integrator *method = r->asked.method;
    w->start = arena_array(&model_of(r)->ctx->arena, double, r->state.f->size);
    memcpy(w->start, r->state.z, sizeof(double) * r->state.f->size);
    if (!method->fixed_step && !r->state.extended)
        r->holonomic =
            holonomic_create(r->state.f->system, integrator_residual(method, r->asked.tolerance));
    if (verify) w->kept = keep_rows(r);
}

// Coordinates come first in z.
static double state_value(const run *r, uint32_t i) {
    return i < r->state.f->system->eq->system->n ? run_coordinate(r, i) : r->state.z[i];
}

static void report_stop(run_summary *w, const run *r, run_status outcome) {
    context *ctx = model_of(r)->ctx;
    if (outcome == RUN_FAILED && r->state.failure) {
        diag_error(ctx, (span){0}, NULL, "the run stopped at t = %.10g: %s", r->state.t,
                   r->state.failure);
        return;
    }
    const ode *o = r->state.f->system->o;
    text here = {0};
    w->failure = outcome == RUN_RANK ? diagnosis_of_rank() : diagnose(&r->state, w->start);
    for (uint32_t i = 0; i < o->size; i++)
        text_format(&here, "%s%s = %.10g", i ? ", " : "", symbol_words(r, o->state[i]),
                    state_value(r, i));
    diag_error(ctx, (span){0}, w->failure.help, "the run stopped at t = %.10g: %s", r->state.t,
               w->failure.cause);
    diag_note(ctx, (span){0}, NULL, "the last state: %s", text_string(&here));
    text_free(&here);
}

// What should stay and does not is an error that no second run can take back. Without error control
// nobody promised more than a picture.
static void judge_drift(run_summary *w, const run *r) {
    static const double TOLERANCES = 1e3, PICTURE = 1e-3, FINEST = 1e-15;
    if (!r->record.rows) return;
    uint32_t column;
    const double error = drift_error(r, &column),
                 most = r->asked.method->fixed_step ? PICTURE
                                                    : TOLERANCES * fmax(r->asked.tolerance, FINEST);
    if (w->verified.rows && error > w->verified.error)
        w->verified.error = w->verified.drift = error;
    if (!(error > most)) return;
    const struct column *c = &r->state.f->system->column[column];
    diag_warning(
        model_of(r)->ctx, (span){0},
        c->kind == COLUMN_ENERGY
            ? "the equations keep it: try another method, or a smaller --tol or --step"
            : "it is no invariant of this motion, or the run is wrong: `hamel prove` tells",
        "%s drifts by %.3g, which is an error of %.2g in the state", c->name,
        r->record.deviation[column], error);
}

void run_summary_finish(run_summary *w, const run *r, run_status outcome) {
    const bool good = outcome == RUN_DONE || outcome == RUN_EVENT;
    if (w->kept && good) w->verified = verify_run(r, w->start, w->kept);
    judge_drift(w, r);
    const char *help = NULL, *missed = sight_words(&r->state, &help);
    if (r->record.events_confused)
        diag_warning(model_of(r)->ctx, (span){0},
                     "a shorter run tells them apart, or an event that crosses 0 less often",
                     "more zeros of an event lay together than could be told apart: some may have "
                     "been missed");
    if (missed) diag_warning(model_of(r)->ctx, (span){0}, help, "%s", missed);
    if (!good && outcome != RUN_INTERRUPTED) report_stop(w, r, outcome);
}

void run_summary_clear(run_summary *w, run *r) {
    kept_rows_free(w->kept);
    holonomic_free(r->holonomic);
    w->kept = NULL, r->holonomic = NULL;
}

// --- text ----------------------------------------------------------------------------------------

void run_summary_head_text(const run_summary *w, const run *r, text *out) {
    const start_projection *p = &w->projection;
    if (w->why) text_format(out, "method chosen: %s\n", w->why);
    if (!w->projected) return;
    text_format(
        out,
        "start projected by %.6g in the coordinates, %.6g in the velocities (kinetic metric)\n",
        p->coordinates, p->velocities);
    for (uint32_t i = 0; i < p->count; i++)
        text_format(out, "  %s = %.17g, given %.17g\n", symbol_words(r, p->list[i].symbol),
                    p->list[i].projected, p->list[i].given);
}

void run_summary_tail_text(const run_summary *w, const run *r, text *out) {
    const holonomic_report h = holonomic_done(r->holonomic);
    if (h.times)
        text_format(
            out,
            "coordinates projected onto the holonomic constraints %llu times, by %.3g at most\n",
            (unsigned long long)h.times, h.largest);
    const verification *v = &w->verified;
    if (!v->rows) return;
    if (!v->complete && v->rows < 2 && !(v->drift > 0)) {
        text_format(
            out,
            "no error estimate: the run with %s %g stopped before the first row was compared\n",
            v->step > 0 ? "step" : "tolerance", v->step > 0 ? v->step : v->tolerance);
        return;
    }
    text_format(
        out, "error estimate %.3g at t = %.6g: the largest scaled difference from a run with %s %g",
        v->error, v->t, v->step > 0 ? "step" : "tolerance", v->step > 0 ? v->step : v->tolerance);
    if (strcmp(v->precision, "double") != 0) text_format(out, " in precision %s", v->precision);
    text_format(out, ", at %u rows%s%s\n", v->rows,
                v->complete ? "" : "; it stopped before the end",
                v->drift > 0 ? "; raised to what the drift shows" : "");
}

// --- JSON ----------------------------------------------------------------------------------------

void run_summary_head_json(const run_summary *w, const run *r, json *out) {
    const start_projection *p = &w->projection;
    if (w->why) json_string(out, "method_chosen", w->why);
    if (!w->projected) return;
    json_open(out, "start_projection", '{');
    json_number(out, "coordinates", p->coordinates);
    json_number(out, "velocities", p->velocities);
    json_open(out, "changed", '[');
    for (uint32_t i = 0; i < p->count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", symbol_words(r, p->list[i].symbol));
        json_number(out, "given", p->list[i].given);
        json_number(out, "projected", p->list[i].projected);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

// The cause, and z there. Only numbers that are numbers.
void run_summary_stop_json(const run_summary *w, const run *r, json *out) {
    if (!w->failure.cause) return;
    json_string(out, "cause", w->failure.cause);
    json_open(out, "state", '{');
    for (uint32_t i = 0; i < r->state.f->size; i++)
        if (isfinite(r->state.z[i]))
            json_number(out, symbol_words(r, r->state.f->system->o->state[i]), state_value(r, i));
    json_close(out, '}');
}

void run_summary_tail_json(const run_summary *w, const run *r, json *out) {
    const holonomic_report h = holonomic_done(r->holonomic);
    const verification *v = &w->verified;
    if (h.times) {
        json_open(out, "holonomic_projection", '{');
        json_integer(out, "times", (int64_t)h.times);
        json_number(out, "largest", h.largest);
        json_close(out, '}');
    }
    if (!v->rows) return;
    json_open(out, "verification", '{');
    if (v->complete || v->rows > 1 || v->drift > 0)
        json_number(out, "error", v->error); // the start alone tells nothing
    json_number(out, "t", v->t);
    json_number(out, "tolerance", v->tolerance);
    if (v->step > 0) json_number(out, "step", v->step);
    json_string(out, "precision", v->precision);
    json_integer(out, "rows", v->rows);
    if (v->drift > 0) json_number(out, "drift", v->drift);
    json_bool(out, "complete", v->complete);
    json_close(out, '}');
}
