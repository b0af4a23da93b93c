// What a run says about itself: why this method, what was projected, how wrong it is, why it
// stopped; as text and as JSON.
#include "api/pieces.h"
#include "api/run_summary.h"

#include "base/decimal.h"
#include "derive/formalism.h"
#include "integrate/conserved.h"
#include "integrate/sight.h"
#include "print/expression.h"
#include "simulate/run_method.h"
#include "simulate/charts.h"

#include <math.h>
#include <string.h>

static model *model_of(const run *r) { return r->state.f->sim->m; }

static const char *symbol_words(const run *r, expr symbol) {
    text name = {0};
    print_symbol_name(model_of(r)->pool, symbol, STYLE_TEXT, &name);
    const char *words = arena_format(&model_of(r)->ctx->arena, "%s", text_string(&name));
    text_free(&name);
    return words;
}

// --- around the run ------------------------------------------------------------------------------

void run_summary_begin(run_job *j, bool verify) {
    run_summary *w = &j->summary;
    run *r = &j->r;
    w->start = arena_array(&model_of(r)->ctx->arena, double, r->state.f->size);
    memcpy(w->start, r->state.z, sizeof(double) * r->state.f->size);
    if (verify) w->kept = kept_rows_create(r);
}

// Coordinates come first in z.
static double state_value(const run *r, uint32_t i) {
    return i < r->state.f->sim->eq->system->n ? run_coordinate(r, i) : r->state.z[i];
}

static void report_stop(run_summary *w, const run *r, run_status outcome, const char *help) {
    context *ctx = model_of(r)->ctx;
    if (outcome == RUN_FAILED && r->state.failure) {
        diag_error(ctx, (span){0}, help, "the run stopped at t = %.10g: %s", r->state.t,
                   r->state.failure);
        return;
    }
    const ode *o = r->state.f->sim->o;
    text here = {0};
    w->failure = diagnose(&r->state, outcome, w->start);
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
    const double error = verify_drift(r, &column),
                 most = r->asked.method->fixed_step ? PICTURE
                                                    : TOLERANCES * fmax(r->asked.tolerance, FINEST);
    if (w->verified.rows && error > w->verified.error)
        w->verified.error = w->verified.drift = error;
    if (!(error > most)) return;
    const struct column *c = &r->state.f->sim->column[column];
    diag_warning(
        model_of(r)->ctx, (span){0},
        c->kind == COLUMN_ENERGY
            ? "the equations keep it: try another method, or a smaller --tol or --step"
            : "it is no invariant of this motion, or the run is wrong: `hamel prove` tells",
        "%s drifts by %.3g at t = %.6g, which is an error of %.2g in the state", c->name,
        r->record.deviation[column], r->record.deviation_t[column], error);
}

void run_summary_finish(run_job *j) {
    run_summary *w = &j->summary;
    const run *r = &j->r;
    const run_status outcome = j->outcome;
    const bool good = outcome == RUN_DONE || outcome == RUN_EVENT;
    if (w->kept && good) w->verified = verify_run(r, w->start, w->kept);
    if (!j->pieces) judge_drift(w, r);
    const char *help = NULL, *missed = sight_words(&r->state, &help);
    if (r->record.events_confused)
        diag_warning(model_of(r)->ctx, (span){0},
                     "a shorter run tells them apart, or an event that crosses 0 less often",
                     "more zeros of an event lay together than could be told apart: some may have "
                     "been missed");
    if (missed) diag_warning(model_of(r)->ctx, (span){0}, help, "%s", missed);
    const char *advice = NULL, *limited = run_method_words(r, &advice);
    if (limited) diag_warning(model_of(r)->ctx, (span){0}, advice, "%s", limited);
    if (outcome == RUN_LIMIT) run_limits_explain(j);
    else if (!good && outcome != RUN_INTERRUPTED)
        report_stop(w, r, outcome, j->pieces ? j->pieces->help : NULL);
}

// --- parts of the summary, as text ---------------------------------------------------------------

static void write_head_text(const run_summary *w, const run *r, text *out) {
    const start_projection *p = &w->projection;
    if (w->why) text_format(out, "method chosen: %s\n", w->why);
    if (!w->projected) return;
    text_format(
        out,
        "start projected by %.6g in the coordinates, %.6g in the velocities (kinetic metric)\n",
        p->coordinates, p->velocities);
    for (uint32_t i = 0; i < p->count; i++) {
        text_format(out, "  %s = ", symbol_words(r, p->list[i].symbol));
        decimal_append(p->list[i].projected, out);
        text_append(out, ", given ");
        decimal_append(p->list[i].given, out);
        text_char(out, '\n');
    }
}

static void write_tail_text(const run_summary *w, const run *r, text *out) {
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

// --- parts of the summary, as JSON ---------------------------------------------------------------

static void write_head_json(const run_summary *w, const run *r, json *out) {
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
static void write_stop_json(const run_summary *w, const run *r, json *out) {
    if (!w->failure.cause) return;
    json_string(out, "cause", w->failure.cause);
    json_open(out, "state", '{');
    for (uint32_t i = 0; i < r->state.f->size; i++)
        if (isfinite(r->state.z[i]))
            json_number(out, symbol_words(r, r->state.f->sim->o->state[i]), state_value(r, i));
    json_close(out, '}');
}

static void write_tail_json(const run_summary *w, const run *r, json *out) {
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

// --- the summary ---------------------------------------------------------------------------------

static void write_text(const void *of, text *out) {
    const run_job *j = of;
    const run *r = &j->r;
    text_format(out, "%s by %s, %s, tolerance %g, %s\n", j->m->title ? j->m->title : j->m->name,
                j->form->id, j->method->id, r->asked.tolerance, r->state.f->how);
    write_head_text(&j->summary, r, out);
    text_format(out, "%s at t = ", run_job_outcome(j));
    decimal_append(r->state.t, out);
    text_char(out, '\n');
    text_format(out, "steps %llu, rejected %llu, evaluations %llu, rows %llu\n",
                (unsigned long long)r->record.steps, (unsigned long long)r->state.rejected,
                (unsigned long long)r->state.f->rate_calls, (unsigned long long)r->record.rows);
    for (uint32_t i = 0; i < r->record.changes_count; i++) {
        const method_change *c = &r->record.changes[i];
        text_format(out, "method changed to %s at t = %.6g: %s\n", c->method, c->t, c->because);
    }
    const uint64_t switches = charts_switches(r->charts);
    if (switches)
        text_format(out, "independent velocities chosen anew %llu time%s\n",
                    (unsigned long long)switches, switches == 1 ? "" : "s");
    if (j->pieces) pieces_write_text(j->pieces, out);
    for (uint32_t i = 0; i < r->record.events_count; i++) {
        const event_record *e = &r->record.events[i];
        if (j->pieces && changes_tell(j->m, e->name)) continue;
        text_format(out, "event %s at t = ", e->name);
        decimal_append(e->t, out);
        text_append(out, e->direction > 0 ? ", rising\n" : ", falling\n");
    }
    for (uint32_t i = 0; i < j->sim->column_count; i++)
        if (column_should_stay(j->sim->column[i].kind) &&
            (!j->pieces || j->sim->column[i].kind != COLUMN_ENERGY))
            text_format(out, "%-28s %s\n", column_drift_name(j->sim, i),
                        column_drift_size(j->sim, i, r->record.first_row[i], r->record.deviation[i],
                                          r->record.deviation_t[i]));
    write_tail_text(&j->summary, r, out);
}

// A value of the last row, with all its digits
static void write_last(const run *r, uint32_t column, const char *name, json *out) {
    if (!r->state.extended || !r->record.rows) {
        json_number(out, name, r->record.last_row[column]);
        return;
    }
    text digits = {0};
    r->state.extended->put(r->state.extended, column, &digits);
    json_text(out, name, &digits);
    text_free(&digits);
}

static void write_numbers(json *out, const char *name, uint32_t count, const double *value) {
    json_open(out, name, '[');
    for (uint32_t i = 0; i < count; i++) json_number(out, NULL, value[i]);
    json_close(out, ']');
}

// With the state there: coordinates and velocities, in the order of the columns
static void write_events(const run *r, json *out) {
    const uint32_t n = r->state.f->sim->eq->system->n;
    json_open(out, "events", '[');
    for (uint32_t i = 0; i < r->record.events_count; i++) {
        const event_record *e = &r->record.events[i];
        json_open(out, NULL, '{');
        json_string(out, "name", e->name);
        json_number(out, "t", e->t);
        json_integer(out, "direction", e->direction);
        if (e->state)
            write_numbers(out, "q", n, e->state), write_numbers(out, "qd", n, e->state + n);
        json_close(out, '}');
    }
    json_close(out, ']');
}

// Of the method, where there were any
static void write_changes(const run *r, json *out) {
    if (!r->record.changes_count) return;
    json_open(out, "method_changes", '[');
    for (uint32_t i = 0; i < r->record.changes_count; i++) {
        const method_change *c = &r->record.changes[i];
        json_open(out, NULL, '{');
        json_number(out, "t", c->t);
        json_integer(out, "steps", (int64_t)c->steps);
        json_string(out, "method", c->method);
        json_string(out, "because", c->because);
        json_close(out, '}');
    }
    json_close(out, ']');
}

// A number for each column that should stay
static void write_watched(const simulation *sim, const char *name, const double *value, json *out) {
    json_open(out, name, '{');
    for (uint32_t k = 0; k < sim->watched_count; k++)
        json_number(out, sim->column[sim->watched[k]].name, value[sim->watched[k]]);
    json_close(out, '}');
}

static void write_json(const void *of, json *out) {
    const run_job *j = of;
    const run *r = &j->r;
    json_open(out, NULL, '{');
    json_string(out, "form", j->form->id);
    json_string(out, "method", j->method->id);
    json_string(out, "execution", r->state.f->how);
    write_head_json(&j->summary, r, out);
    json_string(out, "outcome", run_job_outcome(j));
    json_number(out, "t", r->state.t);
    write_stop_json(&j->summary, r, out);
    json_integer(out, "steps", (int64_t)r->record.steps);
    json_integer(out, "rejected", (int64_t)r->state.rejected);
    json_integer(out, "evaluations", (int64_t)r->state.f->rate_calls);
    json_integer(out, "rows", (int64_t)r->record.rows);
    json_integer(out, "charts", (int64_t)charts_switches(r->charts) + 1);
    write_changes(r, out);
    write_events(r, out);
    if (j->pieces) pieces_write_json(j->pieces, out);
    write_watched(j->sim, "drift", r->record.deviation, out);
    write_watched(j->sim, "drift_at", r->record.deviation_t, out);
    write_tail_json(&j->summary, r, out);
    api_write_warnings(j->m->ctx, out);
    json_open(out, "final", '{');
    for (uint32_t i = 0; i < j->sim->column_count; i++)
        write_last(r, i, j->sim->column[i].name, out);
    json_close(out, '}');
    json_close(out, '}');
}

void run_summary_write(const run_job *j, const struct format *as, text *out) {
    // a run in pieces tells its modes itself
    as->result(&(printable){j, write_text, write_json, j->pieces ? NULL : j->m}, out);
}
