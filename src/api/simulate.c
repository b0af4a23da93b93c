// Trajectories: the model's defaults, an integrator, a place for the rows, a summary.
#include "api/plot_figure.h"
#include "api/run_job.h"

#include "derive/formalism.h"
#include "integrate/conserved.h"

// --- the summary ---------------------------------------------------------------------------------

static void write_text(const void *of, text *out) {
    const run_job *j = of;
    const run *r = &j->r;
    text_format(out, "%s by %s, %s, tolerance %g, %s\n", j->m->title ? j->m->title : j->m->name,
                j->form->id, j->method->id, r->asked.tolerance, r->state.f->how);
    run_summary_head_text(&j->summary, r, out);
    text_format(out, "%s at t = %.17g\n", run_job_outcome(j), r->state.t);
    text_format(out, "steps %llu, rejected %llu, evaluations %llu, rows %llu\n",
                (unsigned long long)r->record.steps, (unsigned long long)r->state.rejected,
                (unsigned long long)r->state.f->rate_calls, (unsigned long long)r->record.rows);
    const uint64_t switches = charts_switches(r->charts);
    if (switches)
        text_format(out, "independent velocities chosen anew %llu time%s\n",
                    (unsigned long long)switches, switches == 1 ? "" : "s");
    for (uint32_t i = 0; i < r->record.events_count; i++)
        text_format(out, "event %s at t = %.17g, %s\n", r->record.events[i].name,
                    r->record.events[i].t,
                    r->record.events[i].direction > 0 ? "rising" : "falling");
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (column_should_stay(j->system->column[i].kind))
            text_format(
                out, "%-28s %s\n", column_drift_name(j->system, i),
                column_drift_size(j->system, i, r->record.first_row[i], r->record.deviation[i]));
    run_summary_tail_text(&j->summary, r, out);
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
    const uint32_t n = r->state.f->system->eq->system->n;
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

static void write_warnings(const run_job *j, json *out) {
    const context *ctx = j->m->ctx;
    json_open(out, "warnings", '[');
    for (uint32_t i = 0; i < ctx->diagnostic_count; i++)
        if (ctx->diagnostics[i].severity == DIAG_WARNING)
            json_string(out, NULL, ctx->diagnostics[i].message);
    json_close(out, ']');
}

static void write_json(const void *of, json *out) {
    const run_job *j = of;
    const run *r = &j->r;
    json_open(out, NULL, '{');
    json_string(out, "form", j->form->id);
    json_string(out, "method", j->method->id);
    json_string(out, "execution", r->state.f->how);
    run_summary_head_json(&j->summary, r, out);
    json_string(out, "outcome", run_job_outcome(j));
    json_number(out, "t", r->state.t);
    run_summary_stop_json(&j->summary, r, out);
    json_integer(out, "steps", (int64_t)r->record.steps);
    json_integer(out, "rejected", (int64_t)r->state.rejected);
    json_integer(out, "evaluations", (int64_t)r->state.f->rate_calls);
    json_integer(out, "rows", (int64_t)r->record.rows);
    json_integer(out, "charts", (int64_t)charts_switches(r->charts) + 1);
    write_events(r, out);
    json_open(out, "drift", '{');
    for (uint32_t i = 0; i < j->system->column_count; i++)
        if (column_should_stay(j->system->column[i].kind))
            json_number(out, j->system->column[i].name, r->record.deviation[i]);
    json_close(out, '}');
    run_summary_tail_json(&j->summary, r, out);
    write_warnings(j, out);
    json_open(out, "final", '{');
    for (uint32_t i = 0; i < j->system->column_count; i++)
        write_last(r, i, j->system->column[i].name, out);
    json_close(out, '}');
    json_close(out, '}');
}

// --- the run -------------------------------------------------------------------------------------

hamel_status run_job_run(run_job *j) {
    hamel_status status = run_job_prepare(j);
    if (!status && j->plot) {
        const plot_rows r = run_job_rows(j);
        status = plot_figure_check(&r);
    }
    if (!status) status = output_open(j);
    if (status) return status;
    run_summary_begin(&j->summary, &j->r, j->asked->verify);
    j->outcome = run_begin(&j->r);
    if (!j->outcome) j->outcome = run_integrate(&j->r);
    if (j->r.record.out && !j->r.record.out->finish(j->r.record.out, run_job_outcome(j)) &&
        j->outcome == RUN_DONE) {
        j->outcome = RUN_FAILED;
        j->r.state.failure = "the results could not be written";
    }
    run_summary_finish(&j->summary, &j->r, j->outcome);
    return HAMEL_OK;
}

static hamel_status simulate(hamel_model *m, const hamel_run *asked, hamel_format format,
                             char **result) {
    hamel_run merged = *asked;
    table rows = {0};
    run_job j = {.m = m, .asked = &merged, .plot = asked->plot, .rows = asked->plot ? &rows : NULL};
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    hamel_status status = as ? output_check(&j) : HAMEL_USAGE;
    if (!status && asked->resume) status = resume_read(m, &merged, &j.past);
    if (!status) status = run_job_run(&j);
    if (!status) {
        text out = {0};
        as->result(&(printable){&j, write_text, write_json}, &out);
        if (j.plot && !as->for_programs) {
            const plot_rows drawn = run_job_rows(&j);
            text_char(&out, '\n');
            status = plot_figure_characters(&drawn, &out);
        }
        api_finish_text(&out, result);
        if (j.outcome != RUN_DONE && j.outcome != RUN_EVENT) status = HAMEL_NUMERICS;
    }
    table_free(&rows);
    run_job_close(&j);
    return status;
}

hamel_status hamel_model_simulate(hamel_model *m, const hamel_run *asked, hamel_format format,
                                  char **result) {
    API_CALL(m->ctx, result, simulate(m, asked, format, result), "simulating `%s`", m->name);
}
