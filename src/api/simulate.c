// Trajectories: the model's defaults, an integrator, a place for the rows, a summary.
#include "api/run_job.h"

#include "derive/formalism.h"
#include "print/expression.h"
#include "simulate/choose.h"
#include "simulate/diagnose.h"
#include "simulate/project.h"
#include "simulate/sinks.h"
#include "simulate/verify.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void report(run *r, const char *message) { r->failure = message; }

static hamel_status open_output(run_job *j) {
    const char *name = j->asked->output;
    if (!name) return HAMEL_OK;
    byte_writer to = {j->asked->write, NULL, j->asked->data};
    if (strcmp(name, "-") != 0 && !open_file_writer(name, &to)) {
        diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`: %s", name, strerror(errno));
        return HAMEL_USAGE;
    }
    j->r.out = sink_csv(j->system, to);
    if (j->r.out) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`", name);
    return HAMEL_NUMERICS;
}

// --- the summary -----------------------------------------------------------------------------------------------------------------

static bool is_drift(column_kind k) { return k == COLUMN_ENERGY || k == COLUMN_INVARIANT || k == COLUMN_RESIDUAL; }

static bool stopped_short(const run_job *j) { return j->outcome != RUN_DONE && j->outcome != RUN_EVENT && j->outcome != RUN_INTERRUPTED; }

static const char *symbol_words(const run_job *j, expr symbol) {
    text name = {0};
    print_symbol_name(j->m->pool, symbol, STYLE_TEXT, &name);
    const char *words = arena_format(&j->m->ctx->arena, "%s", text_string(&name));
    text_free(&name);
    return words;
}

static void write_projection_text(const run_job *j, text *out) {
    const start_projection *p = &j->projection;
    if (!j->asked->project) return;
    text_format(out, "start projected by %.6g in the coordinates, %.6g in the velocities (kinetic metric)\n", p->coordinates, p->velocities);
    for (uint32_t i = 0; i < p->count; i++)
        text_format(out, "  %s = %.17g, given %.17g\n", symbol_words(j, p->list[i].symbol), p->list[i].projected, p->list[i].given);
}

static void write_quality_text(const run_job *j, text *out) {
    const holonomic_report h = holonomic_done(j->r.holonomic);
    if (h.times)
        text_format(out, "coordinates projected onto the holonomic constraints %llu times, by %.3g at most\n", (unsigned long long)h.times,
                    h.largest);
    if (!j->verified.rows) return;
    const verification *v = &j->verified;
    text_format(out, "error estimate %.3g at t = %.6g: the largest scaled difference from a run with %s %g, at %u rows%s\n", v->error, v->t,
                v->step > 0 ? "step" : "tolerance", v->step > 0 ? v->step : v->tolerance, v->rows, v->complete ? "" : "; it stopped before the end");
}

static void write_text(const run_job *j, text *out) {
    const run *r = &j->r;
    text_format(out, "%s by %s, %s, tolerance %g, %s\n", j->m->title ? j->m->title : j->m->name, j->form->id, j->method->id, r->tolerance, j->f->how);
    if (j->why) text_format(out, "method chosen: %s\n", j->why);
    write_projection_text(j, out);
    text_format(out, "%s at t = %.17g\n", run_job_outcome(j), r->t);
    text_format(out, "steps %llu, rejected %llu, evaluations %llu, rows %llu\n", (unsigned long long)r->steps, (unsigned long long)r->rejected,
                (unsigned long long)j->f->rate_calls, (unsigned long long)r->rows);
    for (uint32_t i = 0; i < r->events_count; i++)
        text_format(out, "event %s at t = %.17g, %s\n", r->events[i].name, r->events[i].t, r->events[i].direction > 0 ? "rising" : "falling");
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (is_drift(j->system->column[i].kind))
            text_format(out, "%-28s %.3g%s\n", arena_format(&j->m->ctx->arena, "drift of %s", j->system->column[i].name), r->deviation[i],
                        fabs(r->first_row[i]) > 0 ? arena_format(&j->m->ctx->arena, " (relative %.3g)", r->deviation[i] / fabs(r->first_row[i])) : "");
    write_quality_text(j, out);
}

static void json_number(json *out, const char *key, double value) {
    text t = {0};
    text_format(&t, "%.17g", value);
    json_text(out, key, &t);
    text_free(&t);
}

static void write_projection_json(const run_job *j, json *out) {
    if (!j->asked->project) return;
    json_open(out, "start_projection", '{');
    json_number(out, "coordinates", j->projection.coordinates);
    json_number(out, "velocities", j->projection.velocities);
    json_open(out, "changed", '[');
    for (uint32_t i = 0; i < j->projection.count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", symbol_words(j, j->projection.list[i].symbol));
        json_number(out, "given", j->projection.list[i].given);
        json_number(out, "projected", j->projection.list[i].projected);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_close(out, '}');
}

static void write_quality_json(const run_job *j, json *out) {
    const holonomic_report h = holonomic_done(j->r.holonomic);
    if (h.times) {
        json_open(out, "holonomic_projection", '{');
        json_integer(out, "times", (int64_t)h.times);
        json_number(out, "largest", h.largest);
        json_close(out, '}');
    }
    if (j->verified.rows) {
        json_open(out, "verification", '{');
        json_number(out, "error", j->verified.error);
        json_number(out, "t", j->verified.t);
        json_number(out, "tolerance", j->verified.tolerance);
        if (j->verified.step > 0) json_number(out, "step", j->verified.step);
        json_integer(out, "rows", j->verified.rows);
        json_bool(out, "complete", j->verified.complete);
        json_close(out, '}');
    }
}

// Where the run stopped: the cause, and z there. Only numbers that are numbers.
static void write_failure_json(const run_job *j, json *out) {
    if (!stopped_short(j) || !j->failure.cause) return;
    json_string(out, "cause", j->failure.cause);
    json_open(out, "state", '{');
    for (uint32_t i = 0; i < j->system->o->size; i++)
        if (isfinite(j->r.z[i])) json_number(out, symbol_words(j, j->system->o->state[i]), j->r.z[i]);
    json_close(out, '}');
}

static void write_json(const run_job *j, json *out) {
    const run *r = &j->r;
    json_open(out, NULL, '{');
    json_string(out, "form", j->form->id);
    json_string(out, "method", j->method->id);
    if (j->why) json_string(out, "method_chosen", j->why);
    json_string(out, "execution", j->f->how);
    write_projection_json(j, out);
    json_string(out, "outcome", run_job_outcome(j));
    json_number(out, "t", r->t);
    write_failure_json(j, out);
    json_integer(out, "steps", (int64_t)r->steps);
    json_integer(out, "rejected", (int64_t)r->rejected);
    json_integer(out, "evaluations", (int64_t)j->f->rate_calls);
    json_integer(out, "rows", (int64_t)r->rows);
    json_open(out, "events", '[');
    for (uint32_t i = 0; i < r->events_count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", r->events[i].name);
        json_number(out, "t", r->events[i].t);
        json_integer(out, "direction", r->events[i].direction);
        json_close(out, '}');
    }
    json_close(out, ']');
    json_open(out, "drift", '{');
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (is_drift(j->system->column[i].kind)) json_number(out, j->system->column[i].name, r->deviation[i]);
    json_close(out, '}');
    write_quality_json(j, out);
    json_open(out, "final", '{');
    for (uint32_t i = 0; i < j->system->column_count; i++) json_number(out, j->system->column[i].name, r->last_row[i]);
    json_close(out, '}');
    json_close(out, '}');
    text_char(out->out, '\n');
}

// --- failures -------------------------------------------------------------------------------------------------------------------

// The message of a run that stopped: when, why, and in which state.
static void report_failure(run_job *j) {
    if (!stopped_short(j)) return;
    if (j->outcome == RUN_FAILED && j->r.failure) {
        diag_error(j->m->ctx, (span){0}, NULL, "the run stopped at t = %.10g: %s", j->r.t, j->r.failure);
        return;
    }
    j->failure = diagnose(&j->r, j->start);
    text here = {0};
    for (uint32_t i = 0; i < j->system->o->size; i++)
        text_format(&here, "%s%s = %.10g", i ? ", " : "", symbol_words(j, j->system->o->state[i]), j->r.z[i]);
    diag_error(j->m->ctx, (span){0}, j->failure.help, "the run stopped at t = %.10g: %s", j->r.t, j->failure.cause);
    diag_note(j->m->ctx, (span){0}, NULL, "the last state: %s", text_string(&here));
    text_free(&here);
}

// --- the run ---------------------------------------------------------------------------------------------------------------------

hamel_status hamel_model_simulate(hamel_model *m, const hamel_run *asked, hamel_format format, char **result) {
    *result = NULL;
    run_job j = {.m = m, .asked = asked};
    hamel_status status = run_job_prepare(&j);
    if (!status) status = open_output(&j);
    if (!status) {
        j.start = arena_array(&m->ctx->arena, double, j.system->o->size);
        memcpy(j.start, j.r.z, sizeof(double) * j.system->o->size);
        if (j.method->adaptive) j.r.holonomic = holonomic_create(j.system, j.r.tolerance);
        if (asked->verify) j.kept = keep_rows(&j.r);
        j.outcome = run_begin(&j.r);
        if (!j.outcome) j.outcome = j.method->integrate(&j.r);
        if (j.r.out && !j.r.out->finish(j.r.out) && j.outcome == RUN_DONE) {
            j.outcome = RUN_FAILED;
            report(&j.r, "the results could not be written");
        }
        if (j.kept && (j.outcome == RUN_DONE || j.outcome == RUN_EVENT)) j.verified = verify_run(&j.r, j.method, j.start, j.kept);
        report_failure(&j);
        text out = {0};
        if (format == HAMEL_JSON) write_json(&j, &(json){.out = &out});
        else write_text(&j, &out);
        finish_text(&out, result);
        if (j.outcome != RUN_DONE && j.outcome != RUN_EVENT) status = HAMEL_NUMERICS;
        kept_rows_free(j.kept);
    }
    run_job_close(&j);
    return status;
}
