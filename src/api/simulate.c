// Trajectories: the model's defaults, an integrator, a place for the rows, a summary.
#include "api/findings.h"

#include "derive/formalism.h"
#include "simulate/sinks.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-10, DEFAULT_LENGTH = 10;
enum { DEFAULT_ROWS = 200 };

typedef struct {
    model *m;
    const hamel_run *asked;
    const formalism *form;
    equations *eq;
    simulation *system;
    field *f;
    const integrator *method;
    run r;
    run_status outcome;
    findings found;
} job;

static double model_number(const model *m, expr e, double otherwise) {
    return e == EXPR_NONE ? otherwise : expr_value(m->pool, e, NULL);
}

static void report(run *r, const char *message) { r->failure = message; }

// --- preparation -----------------------------------------------------------------------------------------------------------------

// The state to begin from, and the mechanics there. With `project` the values given need not satisfy the constraints.
static hamel_status find_start(job *j, completion_request *where, const mechanics **s) {
    hamel_status status = read_state(j->m, j->asked->at, where);
    if (status || !j->asked->project) return status ? status : model_mechanics(j->m, s);
    status = project_start(j->m, where, &j->found.projection);
    j->found.projected = true;
    mechanics *there = NULL;
    if (!status) status = mechanics_create(j->m, where, &there);
    *s = there;
    return status;
}

static hamel_status derive(job *j) {
    const mechanics *s;
    completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    hamel_status status = find_start(j, &where, &s);
    if (status) return status;
    const char *id = j->asked->form ? j->asked->form : j->m->simulate.form;
    j->form = id ? find_form(j->m->ctx, id) : formalism_default(s);
    if (!j->form) return HAMEL_USAGE;
    const char *refusal = formalism_refusal(j->form, s);
    if (refusal) {
        diag_error(j->m->ctx, (span){0}, NULL, "the form `%s` does not apply: %s", j->form->id, refusal);
        return HAMEL_MODEL;
    }
    j->eq = formalism_derive(j->form, s);
    status = context_status(j->m->ctx);
    if (!status) status = simulation_create(j->m, s, j->eq, &where, &j->system);
    return status;
}

static hamel_status choose_method(job *j) {
    const char *id = j->asked->method ? j->asked->method : j->m->simulate.method;
    if (!id || strcmp(id, "auto") == 0) {
        const choice best = choose_integrator(&j->r);
        j->method = best.method, j->found.why = best.why;
        return HAMEL_OK;
    }
    j->method = integrator_find(id);
    if (j->method) {
        const char *refusal = j->method->refusal(&j->r);
        if (refusal) diag_error(j->m->ctx, (span){0}, NULL, "the method `%s` does not apply: %s", id, refusal);
        return refusal ? HAMEL_USAGE : HAMEL_OK;
    }
    text list = {0};
    for (uint32_t i = 0; i < integrator_count(); i++) text_format(&list, "%s%s", i ? ", " : "", integrator_at(i)->id);
    diag_error(j->m->ctx, (span){0}, arena_format(&j->m->ctx->arena, "there are: auto, %s", text_string(&list)), "there is no method `%s`", id);
    text_free(&list);
    return HAMEL_USAGE;
}

static hamel_status set_run(job *j) {
    const simulate_defaults *d = &j->m->simulate;
    const hamel_run *a = j->asked;
    j->f = field_interpreted(j->system);
    j->r = (run){.f = j->f, .t = j->system->t0, .z = j->system->z0, .interrupted = a->interrupted};
    j->r.end = a->until != 0 ? a->until : model_number(j->m, d->to, j->r.t + DEFAULT_LENGTH);
    j->r.tolerance = a->tolerance > 0 ? a->tolerance : model_number(j->m, d->tolerance, DEFAULT_TOLERANCE);
    j->r.interval = a->interval > 0 ? a->interval : model_number(j->m, d->output, (j->r.end - j->r.t) / DEFAULT_ROWS);
    j->r.step = a->step;
    if (!(j->r.end > j->r.t)) {
        diag_error(j->m->ctx, (span){0}, "give a later end with --until", "the run would end at t = %g, and it begins at t = %g", j->r.end, j->r.t);
        return HAMEL_USAGE;
    }
    return choose_method(j);
}

static hamel_status open_output(job *j) {
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

static const char *outcome_words(const job *j) {
    switch (j->outcome) {
    case RUN_DONE: return "the end was reached";
    case RUN_EVENT: return "stopped by an event";
    case RUN_INTERRUPTED: return "interrupted";
    case RUN_NOT_FINITE: return "the right-hand side has no finite value from here on";
    case RUN_UNDERFLOW: return "the step became too small";
    case RUN_TOO_MANY: return "too many steps";
    case RUN_FAILED: break;
    }
    return j->r.failure ? j->r.failure : "failed";
}

static bool is_drift(column_kind k) { return k == COLUMN_ENERGY || k == COLUMN_INVARIANT || k == COLUMN_RESIDUAL; }

static void write_text(const job *j, text *out) {
    const run *r = &j->r;
    text_format(out, "%s by %s, %s, tolerance %g, %s\n", j->m->title ? j->m->title : j->m->name, j->form->id, j->method->id, r->tolerance, j->f->how);
    findings_head_text(&j->found, r, out);
    text_format(out, "%s at t = %.17g\n", outcome_words(j), r->t);
    text_format(out, "steps %llu, rejected %llu, evaluations %llu, rows %llu\n", (unsigned long long)r->steps, (unsigned long long)r->rejected,
                (unsigned long long)j->f->rate_calls, (unsigned long long)r->rows);
    for (uint32_t i = 0; i < r->events_count; i++)
        text_format(out, "event %s at t = %.17g, %s\n", r->events[i].name, r->events[i].t, r->events[i].direction > 0 ? "rising" : "falling");
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (is_drift(j->system->column[i].kind))
            text_format(out, "%-28s %.3g%s\n", arena_format(&j->m->ctx->arena, "drift of %s", j->system->column[i].name), r->deviation[i],
                        fabs(r->first_row[i]) > 0 ? arena_format(&j->m->ctx->arena, " (relative %.3g)", r->deviation[i] / fabs(r->first_row[i])) : "");
    findings_tail_text(&j->found, r, out);
}

static void json_number(json *out, const char *key, double value) {
    text t = {0};
    text_format(&t, "%.17g", value);
    json_text(out, key, &t);
    text_free(&t);
}

static void write_json(const job *j, json *out) {
    const run *r = &j->r;
    json_open(out, NULL, '{');
    json_string(out, "form", j->form->id);
    json_string(out, "method", j->method->id);
    json_string(out, "execution", j->f->how);
    findings_head_json(&j->found, r, out);
    json_string(out, "outcome", outcome_words(j));
    json_number(out, "t", r->t);
    findings_stop_json(&j->found, r, out);
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
    findings_tail_json(&j->found, r, out);
    json_open(out, "final", '{');
    for (uint32_t i = 0; i < j->system->column_count; i++) json_number(out, j->system->column[i].name, r->last_row[i]);
    json_close(out, '}');
    json_close(out, '}');
    text_char(out->out, '\n');
}

// --- the run ---------------------------------------------------------------------------------------------------------------------

hamel_status hamel_model_simulate(hamel_model *m, const hamel_run *asked, hamel_format format, char **result) {
    *result = NULL;
    job j = {.m = m, .asked = asked};
    hamel_status status = derive(&j);
    if (!status) status = set_run(&j);
    if (!status) status = open_output(&j);
    if (!status) {
        findings_begin(&j.found, &j.r, j.method, asked->verify);
        j.outcome = run_begin(&j.r);
        if (!j.outcome) j.outcome = j.method->integrate(&j.r);
        if (j.r.out && !j.r.out->finish(j.r.out) && j.outcome == RUN_DONE) {
            j.outcome = RUN_FAILED;
            report(&j.r, "the results could not be written");
        }
        findings_finish(&j.found, &j.r, j.method, j.outcome);
        text out = {0};
        if (format == HAMEL_JSON) write_json(&j, &(json){.out = &out});
        else write_text(&j, &out);
        finish_text(&out, result);
        if (j.outcome != RUN_DONE && j.outcome != RUN_EVENT) status = HAMEL_NUMERICS;
        findings_clear(&j.found, &j.r);
        run_free(&j.r);
    }
    field_free(j.f);
    simulation_free(j.system);
    equations_free(j.eq);
    return status;
}
