// Poincare's section of a motion: its states where an event crosses zero, as a table, as rows of a
// file, or as a figure. The motion between them is neither kept nor written.
#include "api/run_job.h"

#include "base/decimal.h"
#include "base/names.h"
#include "derive/formalism.h"

#include <ctype.h>
#include <string.h>

typedef struct {
    model *m;
    const hamel_section *asked;
    section_request request;
    const char *shown; // the event as it was named
    bool added;        // to the model, for this call
    run_job run;
    table rows;
} section_job;

// --- the event -----------------------------------------------------------------------------------

static bool is_one_word(const char *s) {
    if (!isalpha((unsigned char)*s)) return false;
    while (isalnum((unsigned char)*s) || *s == '_') s++;
    return !*s;
}

static hamel_status refuse_event(model *m, const char *name) {
    arena *a = &m->ctx->arena;
    names known = {0};
    const char *all = "";
    for (uint32_t i = 0; i < m->events_count; i++) {
        names_put(&known, m->events[i].name, i);
        all = arena_format(a, "%s%s%s", all, i ? ", " : "", m->events[i].name);
    }
    const char *near = names_nearest(&known, name, NULL);
    diag_error(m->ctx, (span){0},
               near              ? arena_format(a, "did you mean `%s`?", near)
               : m->events_count ? arena_format(a, "there are: %s; or give an expression", all)
                                 : "the model has no events: give an expression, such as \"x - 1\"",
               "there is no event `%s`, and nothing else of this name", name);
    names_free(&known);
    return HAMEL_USAGE;
}

// An event of the model by its name, or an expression that is one for this call
static hamel_status find_event(section_job *w) {
    model *m = w->m;
    const char *words = w->asked->event;
    for (uint32_t i = 0; i < m->events_count; i++)
        if (strcmp(m->events[i].name, words) == 0) {
            w->request.event = i, w->request.direction = m->events[i].direction;
            return HAMEL_OK;
        }
    if (is_one_word(words) && !parse_knows(m, words)) return refuse_event(m, words);
    source *text = arena_new(&m->ctx->arena, source);
    *text = (source){.name = "EVENT",
                     .bytes = arena_copy(&m->ctx->arena, words, strlen(words)),
                     .length = strlen(words)};
    expr value = EXPR_NONE;
    const hamel_status status = parse_scalar(m, text, &value);
    if (status) return status;
    w->request.event = m->events_count, w->added = true;
    list_push(m, events, (event){.name = text->bytes, .value = value});
    return HAMEL_OK;
}

static hamel_status find_direction(section_job *w) {
    static const struct {
        const char *word;
        int direction;
    } known[] = {{"up", 1}, {"down", -1}, {"both", 0}};
    const char *word = w->asked->direction;
    if (!word) return HAMEL_OK;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].word, word) == 0) {
            w->request.direction = known[i].direction;
            return HAMEL_OK;
        }
    diag_error(w->m->ctx, (span){0}, "give up, down or both", "there is no direction `%s`", word);
    return HAMEL_USAGE;
}

// --- words ---------------------------------------------------------------------------------------

static const char *direction_words(const section_job *w) {
    return w->request.direction > 0 ? " upwards" : w->request.direction < 0 ? " downwards" : "";
}

// Where a crossing was to be found and was not
static hamel_status judge(section_job *w) {
    const run *r = &w->run.r;
    const hamel_status status = run_job_status(&w->run);
    arena *a = &w->m->ctx->arena;
    const char *help = "give a later end with --until, another start with --at, or another "
                       "--direction; a zero that is only touched is no crossing";
    if (status) return status;
    if (!r->record.rows) {
        diag_error(w->m->ctx, (span){0}, help, "`%s` does not cross zero%s from t = %.10g to %.10g",
                   w->shown, direction_words(w), w->run.sim->t0, r->state.t);
        return HAMEL_NUMERICS;
    }
    if (r->record.rows < w->request.wanted)
        diag_warning(
            w->m->ctx, (span){0},
            arena_format(a, "the run ended at t = %.10g: --until sets its end", r->state.t),
            "`%s` crosses zero%s %llu times, and %llu were asked for", w->shown, direction_words(w),
            (unsigned long long)r->record.rows, (unsigned long long)w->request.wanted);
    return HAMEL_OK;
}

// What should stay stays: a table for people leaves it out.
static bool is_shown(const section_job *w, uint32_t column) {
    return !column_should_stay(w->run.sim->column[column].kind);
}

static void write_row(const section_job *w, uint64_t row, text *out) {
    for (uint32_t i = 0; i < w->rows.column_count; i++)
        if (is_shown(w, i)) text_format(out, " %20.12g", table_at(&w->rows, row, i));
    text_char(out, '\n');
}

static void write_table(const section_job *w, text *out) {
    enum { MOST = 60, EACH_END = 25 };
    const uint64_t count = w->rows.row_count;
    for (uint32_t i = 0; i < w->rows.column_count; i++)
        if (is_shown(w, i)) text_format(out, " %20s", w->run.sim->column[i].name);
    text_char(out, '\n');
    for (uint64_t i = 0; i < count; i++) {
        if (count > MOST && i == EACH_END) {
            text_format(out, " .. %llu rows are left out: -o FILE.csv has all of them\n",
                        (unsigned long long)(count - 2 * EACH_END));
            i = count - EACH_END;
        }
        write_row(w, i, out);
    }
}

static void write_text(const void *of, text *out) {
    const section_job *w = of;
    const run *r = &w->run.r;
    text_format(out, "%s by %s, %s, tolerance %g\n", w->m->title ? w->m->title : w->m->name,
                w->run.form->id, w->run.method->id, r->asked.tolerance);
    text_format(out, "%s crosses zero%s %llu time%s up to t = ", w->shown, direction_words(w),
                (unsigned long long)r->record.rows, r->record.rows == 1 ? "" : "s");
    decimal_append(r->state.t, out);
    text_append(out, w->run.outcome == RUN_INTERRUPTED ? ", where it was interrupted\n" : "\n");
    if (w->run.rows && w->rows.row_count) write_table(w, out);
}

static void write_json(const void *of, json *out) {
    const section_job *w = of;
    const run *r = &w->run.r;
    json_open(out, NULL, '{');
    json_string(out, "event", w->shown);
    json_string(out, "direction",
                w->request.direction > 0   ? "up"
                : w->request.direction < 0 ? "down"
                                           : "both");
    json_string(out, "form", w->run.form->id);
    json_string(out, "method", w->run.method->id);
    json_string(out, "outcome", run_job_outcome(&w->run));
    json_number(out, "t", r->state.t);
    json_integer(out, "count", (int64_t)r->record.rows);
    json_open(out, "columns", '[');
    for (uint32_t i = 0; i < w->run.sim->column_count; i++)
        json_string(out, NULL, w->run.sim->column[i].name);
    json_close(out, ']');
    json_open(out, "rows", '[');
    for (uint64_t k = 0; w->run.rows && k < w->rows.row_count; k++) {
        json_open(out, NULL, '{');
        for (uint32_t i = 0; i < w->rows.column_count; i++)
            json_number(out, w->run.sim->column[i].name, table_at(&w->rows, k, i));
        json_close(out, '}');
    }
    json_close(out, ']');
    api_write_warnings(w->m->ctx, out);
    json_close(out, '}');
}

// --- the call ------------------------------------------------------------------------------------

static hamel_status draw(const section_job *w, const hamel_plot *plot, text *out) {
    plot_rows r = run_job_rows(&w->run);
    r.asked = plot, r.dots = true, r.event_count = 0;
    if (!plot->output) return plot_figure_characters(&r, out);
    return plot_write(&r, run_job_callers_writer(w->run.asked), NULL);
}

// The table, or in its place a figure in characters
static hamel_status write_result(const section_job *w, const format *as, char **result) {
    const hamel_plot *plot = w->asked->plot;
    const run *r = &w->run.r;
    const bool drawn = plot && r->record.rows, in_characters = drawn && !plot->output;
    hamel_status status = HAMEL_OK;
    text out = {0};
    section_job shown = *w;
    if (drawn && !as->for_programs) shown.run.rows = NULL;
    as->result(&(printable){&shown, write_text, write_json, w->m}, &out);
    if (in_characters) text_char(&out, '\n');
    if (drawn) status = draw(w, plot, &out);
    api_finish_text(&out, result);
    return status;
}

static hamel_status check(const section_job *w, const format *as) {
    const hamel_plot *plot = w->asked->plot;
    if (!as) return HAMEL_USAGE;
    if (plot && !plot->output && as->for_programs) {
        diag_error(w->m->ctx, (span){0}, "write the figure to a file with -o FILE.svg",
                   "a drawing in characters is no part of a JSON document");
        return HAMEL_USAGE;
    }
    return plot ? plot_check_output(w->m->ctx, plot) : HAMEL_OK;
}

static hamel_status run_section(section_job *w, const hamel_run *asked, hamel_format format,
                                char **result) {
    const struct format *as = api_find_format(w->m->ctx, format, WRITES_RESULT);
    hamel_run run = *asked;
    run.resume = run.precision = NULL, run.plot = NULL, run.verify = 0;
    hamel_status status = check(w, as);
    if (!status) status = find_event(w);
    if (!status) status = find_direction(w);
    w->shown = w->asked->event, w->request.wanted = w->asked->count;
    const bool keeps = !run.output || w->asked->plot;
    w->run = (run_job){.m = w->m,
                       .asked = &run,
                       .plot = w->asked->plot,
                       .section = &w->request,
                       .rows = keeps ? &w->rows : NULL,
                       .is_all = true};
    if (!status) status = run_job_run(&w->run);
    if (!status) {
        const hamel_status ended = judge(w);
        status = w->run.r.record.rows || as->for_programs ? write_result(w, as, result) : HAMEL_OK;
        if (ended) status = ended;
    }
    run_job_close(&w->run);
    table_free(&w->rows);
    return status;
}

static hamel_status section(hamel_model *m, const hamel_section *asked, const hamel_run *run,
                            hamel_format format, char **result) {
    section_job w = {.m = m, .asked = asked};
    hamel_status status = API_KNOWS(m->ctx, asked);
    if (!status) status = run_section(&w, run, format, result);
    if (w.added) m->events_count--;
    return status;
}

hamel_status hamel_model_section(hamel_model *m, const hamel_section *asked, const hamel_run *run,
                                 hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, asked->event);
    API_NEEDS(m->ctx, run);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, section(m, asked, run, format, result), "a section of `%s`", m->name);
}
