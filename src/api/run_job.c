// What a run needs, from the model's defaults and what was asked for, and where its rows go:
// memory, a file by the ending of its name, or the caller.
#include "api/run_job.h"

#include "api/pieces.h"

#include "derive/reactive.h"
#include "equations/evaluate.h"
#include "execute/compiled.h"
#include "record/column_store.h"
#include "simulate/charts.h"
#include "simulate/choose.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double DEFAULT_TOLERANCE = 1e-10, DEFAULT_LENGTH = 10;
enum { DEFAULT_ROWS = 200 };

static double model_number(const model *m, expr e, double otherwise) {
    return e == EXPR_NONE ? otherwise : model_constant(m, e);
}

// Dependent velocities and pivots are chosen for the state at which the run begins. Without
// `initial` the model was analysed at another state.
static hamel_status mechanics_at_start(run_job *j, const completion_request *where,
                                       const mechanics **out) {
    hamel_status status = where->at_count ? HAMEL_OK : api_mechanics(j->m, out);
    if (status ||
        (!where->at_count && (j->m->initial_count || mechanics_is_regular_at(*out, where))))
        return status;
    mechanics *there = NULL;
    status = mechanics_create(j->m, where, &there);
    *out = there;
    return status;
}

// Where forces hold multipliers the motion may be undetermined at its start: elimination would
// divide by 0 there.
static hamel_status expect_motion(const run_job *j, const completion_request *where) {
    enum { START_BITS = 192 };
    const mechanics *s = j->eq->system;
    reactive_trouble trouble = {0};
    state x;
    if (!s->forces_hold_multipliers) return HAMEL_OK;
    if (state_find(&x, j->m, model_bits(j->m, START_BITS), where) &&
        !equations_are_regular(j->eq, &x))
        trouble = reactive_diagnose(s, &x);
    state_clear(&x);
    if (!trouble.what) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0}, trouble.help, "%s", trouble.what);
    return HAMEL_NUMERICS;
}

static hamel_status derive(run_job *j) {
    const mechanics *s;
    completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    hamel_status status = api_read_state(j->m, j->asked->at, &where);
    j->summary.projected = j->asked->project;
    if (!status && j->asked->project) status = project_start(j->m, &where, &j->summary.projection);
    if (!status) status = mechanics_at_start(j, &where, &s);
    if (status) return status;
    const char *id = j->asked->form ? j->asked->form : j->m->simulate.form;
    j->form = id ? api_find_form(j->m->ctx, id) : formalism_default(s);
    if (!j->form) return HAMEL_USAGE;
    status = api_derive(j->form, s, &j->eq);
    if (!status) status = expect_motion(j, &where);
    if (status) return status;
    return j->bare ? simulation_create_bare(j->m, s, j->eq, &where, &j->sim)
                   : simulation_create(j->m, s, j->eq, &where, &j->sim);
}

static hamel_status choose_method(run_job *j) {
    const char *id = j->asked->method ? j->asked->method : j->m->simulate.method;
    if (!id || strcmp(id, "auto") == 0) {
        const choice found = choose_integrator(&j->r.state, !j->precision);
        j->method = found.method, j->summary.why = found.why;
        j->r.first = found.method, j->r.other = found.other;
        j->r.record.may_change = found.other != NULL;
        return HAMEL_OK;
    }
    j->method = integrator_find(id);
    if (j->method) {
        const char *refusal = integrator_refusal(j->method, &j->r.state);
        if (refusal)
            diag_error(j->m->ctx, (span){0}, NULL, "the method `%s` does not apply: %s", id,
                       refusal);
        return refusal ? HAMEL_USAGE : HAMEL_OK;
    }
    return api_refuse_unknown(j->m->ctx, "methods", "method", id);
}

static void tell_progress(const run *r, void *data) {
    const run_job *j = data;
    const double begin = j->sim->t0;
    const locale_t inside = uselocale(recovery_now->callers);
    j->asked->progress((r->state.t - begin) / (r->asked.end - begin), j->asked->data);
    uselocale(inside);
}

// --- precision -----------------------------------------------------------------------------------

static hamel_status find_precision(run_job *j) {
    const char *id = j->asked->precision;
    if (!id || strcmp(id, "double") == 0) return HAMEL_OK;
    j->precision = extended_find(id);
    if (!j->precision)
        diag_error(j->m->ctx, (span){0}, "there are: double, long, quad",
                   "there is no precision `%s`", id);
    return j->precision ? HAMEL_OK : HAMEL_USAGE;
}

// What cannot be done in a higher precision than double, and what to do instead; NULL: nothing
// prevents it.
static const char *obstacle(const run_job *j, const char **help) {
    const hamel_run *a = j->asked;
    arena *memory = &j->m->ctx->arena;
    *help = NULL;
    if (!j->method->extended) {
        *help = arena_format(memory, "add `--method %s`", integrator_extended()->id);
        return arena_format(memory, "the method `%s` has none", j->method->id);
    }
    if (a->execute && strcmp(a->execute, "compiled") == 0)
        return "compiled code is in double; such runs are interpreted";
    if (a->resume && !sink_find(a->resume)->put_line)
        return arena_format(memory, "an %s file holds doubles", sink_find(a->resume)->suffix);
    return NULL;
}

static hamel_status set_precision(run_job *j) {
    if (!j->precision) return HAMEL_OK;
    const char *help, *why = obstacle(j, &help);
    if (!why) {
        j->r.state.extended = extended_create(j->precision, &j->r.state);
        if (!j->r.state.extended)
            why = "the compiler that built this program, or its C library, has no such numbers";
    }
    if (why)
        diag_error(j->m->ctx, (span){0}, help, "the run cannot be made in precision `%s`: %s",
                   j->precision->id, why);
    return why ? HAMEL_USAGE : HAMEL_OK;
}

// A precision that was asked for is used in full, unless a tolerance was asked for too.
static double tolerance_of(const run_job *j) {
    const double asked = j->asked->tolerance;
    if (j->precision) return fmax(asked, j->precision->finest);
    return asked > 0 ? asked : model_number(j->m, j->m->simulate.tolerance, DEFAULT_TOLERANCE);
}

// --- the run -------------------------------------------------------------------------------------

static field *make_field(simulation *s, void *data) {
    const run_job *j = data;
    if (!j->precision) return field_asked_for(s, j->asked->execute, j->r.asked.end);
    field *f = field_interpreted(s);
    f->how = arena_format(&j->m->ctx->arena, "interpreted in %s precision", j->precision->id);
    return f;
}

// What may change the state between steps. Steps of one length go on as they began.
static void watch_state(run_job *j) {
    const integrator *method = j->r.asked.method = j->method;
    assert(method); // choose_method() found one
    if (method->fixed_step) return;
    j->r.charts = charts_create(j->form, j->field, j->bare, make_field, j);
    if (!method->multistep) j->r.state.shifts = j->shifts = shifts_create(j->sim);
    j->r.asked.wants_rest = j->r.charts || j->shifts;
    if (!j->precision)
        j->r.holonomic =
            holonomic_create(j->sim, integrator_residual(method, j->r.asked.tolerance));
}

// As many crossings as were asked for take as long as they take: at most as many runs of the length
// that the model says, unless an end was asked for too.
static void set_section(run_job *j) {
    run_request *asked = &j->r.asked;
    asked->section = j->section;
    if (j->section && j->section->wanted && j->asked->until == 0)
        asked->end = j->sim->t0 + (double)j->section->wanted * (asked->end - j->sim->t0);
}

// As the model says, else some time, but not beyond its data
static double usual_end(const run_job *j) {
    double from, to, end = j->sim->t0 + DEFAULT_LENGTH;
    if (model_data_range(j->m, &from, &to) && to > j->sim->t0) end = fmin(end, to);
    return model_number(j->m, j->m->simulate.to, end);
}

static hamel_status set_run(run_job *j) {
    const hamel_status known = find_precision(j);
    if (known) return known;
    const simulate_defaults *d = &j->m->simulate;
    const hamel_run *a = j->asked;
    run_request *asked = &j->r.asked;
    const double start = a->resume ? j->past.t : j->sim->t0;
    j->r = (run){.asked.interrupted = a->interrupted};
    asked->end = a->until != 0 ? a->until : usual_end(j);
    asked->tolerance = tolerance_of(j);
    const double length = asked->end - j->sim->t0;
    asked->interval =
        a->interval > 0 ? a->interval : model_number(j->m, d->output, length / DEFAULT_ROWS);
    if (j->least_rows && !(a->interval > 0))
        asked->interval = fmin(asked->interval, length / j->least_rows);
    if (j->rowless && length > 0) asked->interval = length;
    asked->step = a->step;
    set_section(j);
    if (a->resume) { // as it was asked for then, to the last bit
        const run_terms *terms = &j->past.terms;
        asked->tolerance = terms->tolerance, asked->interval = terms->interval;
        asked->step = terms->step;
    }
    if (a->progress) j->r.progress = tell_progress, j->r.progress_data = j;
    const bool is_there = a->resume && j->past.unpublished && asked->end == start;
    if (!(asked->end > start) && !is_there) {
        diag_error(j->m->ctx, (span){0}, "give a later end with --until",
                   "the run would end at t = %g, and it %s at t = %g", asked->end,
                   a->resume ? "stands" : "begins", start);
        return HAMEL_USAGE;
    }
    j->field = make_field(j->sim, j);
    if (!j->field) return HAMEL_USAGE;
    run_open(&j->r, j->field, start, j->sim->z0);
    const hamel_status status = choose_method(j);
    if (status) return status;
    const hamel_status allowed = run_limits_check(j);
    if (allowed) return allowed;
    watch_state(j);
    return set_precision(j);
}

// --- where the rows go ---------------------------------------------------------------------------

static run_terms terms_of(const run_job *j) {
    const model *m = j->m;
    arena *memory = &m->ctx->arena;
    const char **included = arena_array(memory, const char *, m->included_count);
    for (uint32_t i = 0; i < m->included_count; i++)
        included[i] = arena_copy(memory, m->included[i]->bytes, m->included[i]->length);
    return (run_terms){.version = HAMEL_VERSION,
                       .name = m->name,
                       .title = m->title ? m->title : "",
                       .text = arena_copy(memory, m->text->bytes, m->text->length),
                       .included_count = m->included_count,
                       .included = included,
                       .set = api_override_words(m->ctx),
                       .at = j->asked->at ? j->asked->at : "",
                       .form = j->form->id,
                       .method = j->method->id,
                       .execution = j->field->how,
                       .precision = j->precision ? j->precision->id : "double",
                       .tolerance = j->r.asked.tolerance,
                       .interval = j->section ? RECORDING_SECTION : j->r.asked.interval,
                       .until = j->r.asked.end,
                       .step = j->r.asked.step,
                       .project = j->asked->project != 0};
}

static bool is_standard_output(const char *name) { return strcmp(name, "-") == 0; }

static const sink_kind *kind_of(const char *name) {
    return is_standard_output(name) ? sink_streaming() : sink_find(name);
}

static hamel_status check_output(const run_job *j) {
    const char *name = j->asked->output;
    if (!name) return HAMEL_OK;
    if (kind_of(name)) return api_refuse_own_rows(j->m->ctx, name);
    arena *a = &j->m->ctx->arena;
    diag_error(j->m->ctx, (span){0},
               arena_format(a, "give a name that ends in %s, or - for CSV on standard output",
                            sink_suffixes(a, SINK_WRITES)),
               "`%s` does not say in which format rows are to be written", name);
    return HAMEL_USAGE;
}

static int write_to_caller(const void *bytes, size_t size, void *data) {
    const hamel_run *asked = data;
    const locale_t inside = uselocale(recovery_now->callers);
    const int written = asked->write(bytes, size, asked->data);
    uselocale(inside);
    return written;
}

byte_writer run_job_callers_writer(const hamel_run *asked) {
    return (byte_writer){write_to_caller, NULL, (void *)asked};
}

static void put_exact(const void *exact, uint32_t column, text *out) {
    const extended *w = exact;
    w->put(w, column, out);
}

static sink *open_sink(const run_job *j, const char *name, bool *short_of_memory, text *why) {
    const run_terms terms = terms_of(j);
    const sink_request request = {.file = is_standard_output(name) ? NULL : name,
                                  .to = run_job_callers_writer(j->asked),
                                  .sim = j->sim,
                                  .record = &j->r.record,
                                  .terms = &terms,
                                  .put_exact = j->r.state.extended ? put_exact : NULL,
                                  .exact = j->r.state.extended,
                                  .short_of_memory = short_of_memory};
    if (!request.file) return sink_streaming()->stream(&request, why);
    return j->asked->resume ? journal_continue(&request, why) : journal_create(&request, why);
}

static hamel_status open_output(run_job *j) {
    const char *name = j->asked->output;
    if (name) {
        text why = {0};
        bool short_of_memory = false;
        j->r.record.out = open_sink(j, name, &short_of_memory, &why);
        if (!j->r.record.out)
            diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`: %s", name,
                       text_string(&why));
        text_free(&why);
        if (!j->r.record.out) return short_of_memory ? HAMEL_LIMIT : HAMEL_NUMERICS;
    }
    if (j->rows) j->r.record.out = sink_tee(j->r.record.out, sink_table(j->sim, j->rows));
    if (j->columns) j->r.record.out = sink_tee(j->r.record.out, sink_columns(j->sim, j->columns));
    return HAMEL_OK;
}

// --- the job -------------------------------------------------------------------------------------

hamel_status run_job_prepare(run_job *j) {
    hamel_status status = API_KNOWS(j->m->ctx, j->asked);
    if (!status) status = pieces_refuse(j);
    if (!status) status = check_output(j);
    if (!status) status = derive(j);
    if (!status) status = set_run(j);
    if (!status && j->plot) {
        const plot_rows r = run_job_rows(j);
        status = plot_figure_check(&r);
    }
    return status ? status : open_output(j);
}

const char *run_job_outcome(const run_job *j) {
    switch (j->outcome) {
    case RUN_DONE: return "the end was reached";
    case RUN_EVENT: return OUTCOME_EVENT;
    case RUN_INTERRUPTED: return "interrupted";
    case RUN_LIMIT:
        return j->r.record.rows >= j->m->ctx->limits.rows
                   ? arena_format(&j->m->ctx->arena, "limit reached: rows (at most %llu)",
                                  (unsigned long long)j->m->ctx->limits.rows)
                   : arena_format(&j->m->ctx->arena, "limit reached: time (at most %g s)",
                                  j->m->ctx->budget.seconds);
    case RUN_NOT_FINITE: return "the right-hand side has no finite value from here on";
    case RUN_RANK: return "the constraints become dependent";
    case RUN_UNDERFLOW: return "the step became too small";
    case RUN_TOO_MANY: return "too many steps: they are so short that the end cannot be reached";
    case RUN_CHART:
    case RUN_METHOD:
    case RUN_FAILED: break;
    }
    return j->r.state.failure ? j->r.state.failure : "failed";
}

plot_rows run_job_rows(const run_job *j) {
    return (plot_rows){.ctx = j->m->ctx,
                       .asked = j->plot,
                       .column_count = j->sim->column_count,
                       .column = j->sim->column,
                       .rows = j->rows,
                       .event_count = j->r.record.events_count,
                       .event = j->r.record.events};
}

void run_job_close(run_job *j) {
    pieces_free(j->pieces);
    kept_rows_free(j->summary.kept);
    holonomic_free(j->r.holonomic);
    charts_free(j->r.charts);
    extended_free(j->r.state.extended);
    shifts_free(j->shifts);
    run_free(&j->r);
    field_free(j->field);
    simulation_free(j->sim);
    equations_free(j->eq);
}
