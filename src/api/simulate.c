// Trajectories: the model's defaults, an integrator, a place for the rows, a summary.
#include "api/resume.h"

#include "derive/formalism.h"
#include "simulate/integrator.h"

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
    run_past past; // with --resume
    run r;
    run_status outcome;
} job;

static double model_number(const model *m, expr e, double otherwise) {
    return e == EXPR_NONE ? otherwise : expr_value(m->pool, e, NULL);
}

static void report(run *r, const char *message) { r->failure = message; }

// --- preparation -----------------------------------------------------------------------------------------------------------------

static hamel_status derive(job *j) {
    const mechanics *s;
    hamel_status status = model_mechanics(j->m, &s);
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
    completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    status = read_state(j->m, j->asked->at, &where);
    if (!status) status = context_status(j->m->ctx);
    if (!status) status = simulation_create(j->m, s, j->eq, &where, &j->system);
    return status;
}

static hamel_status choose_method(job *j) {
    const char *id = j->asked->method ? j->asked->method : j->m->simulate.method;
    if (!id || strcmp(id, "auto") == 0) id = "tsit5";
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

static void tell_progress(const run *r, void *data) {
    const job *j = data;
    const double begin = j->system->t0;
    j->asked->progress((r->t - begin) / (r->end - begin), j->asked->data);
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
    if (a->resume) resume_apply(&j->past, &j->r);
    if (a->progress) j->r.progress = tell_progress, j->r.progress_data = j;
    if (!(j->r.end > j->r.t)) {
        diag_error(j->m->ctx, (span){0}, "give a later end with --until", "the run would end at t = %g, and it %s at t = %g", j->r.end,
                   a->resume ? "stands" : "begins", j->r.t);
        return HAMEL_USAGE;
    }
    return choose_method(j);
}

static run_terms terms_of(const job *j) {
    const model *m = j->m;
    arena *memory = &m->ctx->arena;
    const char **included = arena_array(memory, const char *, m->included_count);
    for (uint32_t i = 0; i < m->included_count; i++) included[i] = arena_copy(memory, m->included[i]->bytes, m->included[i]->length);
    return (run_terms){.version = HAMEL_VERSION, .name = m->name, .title = m->title ? m->title : "",
                       .text = arena_copy(memory, m->text->bytes, m->text->length), .included_count = m->included_count, .included = included,
                       .set = override_words(m->ctx), .at = j->asked->at ? j->asked->at : "",
                       .form = j->form->id, .method = j->method->id, .execution = j->f->how, .tolerance = j->r.tolerance, .interval = j->r.interval,
                       .until = j->r.end, .step = j->r.step, .project = j->asked->project != 0};
}

static sink *open_csv(const job *j, const char *name, text *why) {
    byte_writer to = {j->asked->write, NULL, j->asked->data};
    if (strcmp(name, "-") != 0 && !open_file_writer(name, &to)) {
        text_append(why, strerror(errno));
        return NULL;
    }
    sink *s = sink_csv(j->system, to);
    if (!s) text_append(why, strerror(errno));
    return s;
}

static sink *open_npz(const job *j, const char *name, text *why) { return sink_npz(j->system, name, why); }

static sink *open_hdf5(const job *j, const char *name, text *why) {
    const run_terms terms = terms_of(j);
    return j->asked->resume ? sink_hdf5_again(&j->r, &terms, name, why) : sink_hdf5(&j->r, &terms, name, why);
}

static const struct output_kind {
    const char *ending;
    sink *(*open)(const job *j, const char *name, text *why);
} output_kinds[] = {{".csv", open_csv}, {".h5", open_hdf5}, {".npz", open_npz}};

static const struct output_kind *output_kind(const char *name) {
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof output_kinds / sizeof *output_kinds; i++) {
        const size_t size = strlen(output_kinds[i].ending);
        if (length > size && strcmp(name + length - size, output_kinds[i].ending) == 0) return &output_kinds[i];
    }
    return strcmp(name, "-") == 0 ? &output_kinds[0] : NULL;
}

static hamel_status check_output(const job *j) {
    const char *name = j->asked->output;
    if (!name || output_kind(name)) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0}, "give a name that ends in .csv, .h5 or .npz, or - for CSV on standard output",
               "`%s` does not say in which format rows are to be written", name);
    return HAMEL_USAGE;
}

static hamel_status open_output(job *j) {
    const char *name = j->asked->output;
    if (!name) return HAMEL_OK;
    text why = {0};
    j->r.out = output_kind(name)->open(j, name, &why);
    if (!j->r.out) diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`: %s", name, text_string(&why));
    text_free(&why);
    return j->r.out ? HAMEL_OK : HAMEL_USAGE;
}

// --- the summary -----------------------------------------------------------------------------------------------------------------

static const char *outcome_words(const job *j) {
    switch (j->outcome) {
    case RUN_DONE: return "the end was reached";
    case RUN_EVENT: return OUTCOME_EVENT;
    case RUN_INTERRUPTED: return "interrupted";
    case RUN_NOT_FINITE: return "the right-hand side has no finite value from here on";
    case RUN_UNDERFLOW: return "the step became too small";
    case RUN_TOO_MANY: return "too many steps";
    case RUN_FAILED: break;
    }
    return j->r.failure ? j->r.failure : "failed";
}

static void write_text(const job *j, text *out) {
    const run *r = &j->r;
    text_format(out, "%s by %s, %s, tolerance %g, %s\n", j->m->title ? j->m->title : j->m->name, j->form->id, j->method->id, r->tolerance, j->f->how);
    text_format(out, "%s at t = %.17g\n", outcome_words(j), r->t);
    text_format(out, "steps %llu, rejected %llu, evaluations %llu, rows %llu\n", (unsigned long long)r->steps, (unsigned long long)r->rejected,
                (unsigned long long)j->f->rate_calls, (unsigned long long)r->rows);
    for (uint32_t i = 0; i < r->events_count; i++)
        text_format(out, "event %s at t = %.17g, %s\n", r->events[i].name, r->events[i].t, r->events[i].direction > 0 ? "rising" : "falling");
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (column_should_stay(j->system->column[i].kind))
            text_format(out, "%-28s %.3g%s\n", arena_format(&j->m->ctx->arena, "drift of %s", j->system->column[i].name), r->deviation[i],
                        fabs(r->first_row[i]) > 0 ? arena_format(&j->m->ctx->arena, " (relative %.3g)", r->deviation[i] / fabs(r->first_row[i])) : "");
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
    json_string(out, "outcome", outcome_words(j));
    json_number(out, "t", r->t);
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
        if (column_should_stay(j->system->column[i].kind)) json_number(out, j->system->column[i].name, r->deviation[i]);
    json_close(out, '}');
    json_open(out, "final", '{');
    for (uint32_t i = 0; i < j->system->column_count; i++) json_number(out, j->system->column[i].name, r->last_row[i]);
    json_close(out, '}');
    json_close(out, '}');
    text_char(out->out, '\n');
}

// --- the run ---------------------------------------------------------------------------------------------------------------------

hamel_status hamel_model_simulate(hamel_model *m, const hamel_run *asked, hamel_format format, char **result) {
    *result = NULL;
    hamel_run merged = *asked;
    job j = {.m = m, .asked = &merged};
    hamel_status status = check_output(&j);
    if (!status && asked->resume) status = resume_read(m, &merged, &j.past);
    if (!status) status = derive(&j);
    if (!status) status = set_run(&j);
    if (!status) status = open_output(&j);
    if (!status) {
        j.outcome = run_begin(&j.r);
        if (!j.outcome) j.outcome = j.method->integrate(&j.r);
        if (j.r.out && !j.r.out->finish(j.r.out, outcome_words(&j)) && j.outcome == RUN_DONE) {
            j.outcome = RUN_FAILED;
            report(&j.r, "the results could not be written");
        }
        text out = {0};
        if (format == HAMEL_JSON) write_json(&j, &(json){.out = &out});
        else write_text(&j, &out);
        finish_text(&out, result);
        if (j.outcome != RUN_DONE && j.outcome != RUN_EVENT) status = HAMEL_NUMERICS;
        run_free(&j.r);
    }
    field_free(j.f);
    simulation_free(j.system);
    equations_free(j.eq);
    return status;
}
