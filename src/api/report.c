// A page for a person: everything is derived once, judged, run, and written.
#include "api/pieces.h"
#include "api/report_steady.h"
#include "api/run_job.h"

#include "normal/normal.h"
#include "report/report.h"

// --- what is missing from the page ---------------------------------------------------------------

typedef struct {
    uint32_t diagnostics, errors;
} mark;

static mark mark_of(const context *ctx) { return (mark){ctx->diagnostic_count, ctx->error_count}; }

// An error that was reported since does not stop the page: it becomes a sentence in it, and a
// warning. NULL if there was no error.
static const char *excuse(context *ctx, mark before, const char *what) {
    const diagnostic *first = NULL;
    for (uint32_t i = before.diagnostics; i < ctx->diagnostic_count && !first; i++)
        if (ctx->diagnostics[i].severity == DIAG_ERROR) first = &ctx->diagnostics[i];
    if (!first || ctx->exhausted) return NULL;
    const diagnostic why = *first;
    ctx->diagnostic_count = before.diagnostics, ctx->error_count = before.errors;
    diag_warning(ctx, why.at, why.help, "%s: %s", what, why.message);
    return arena_format(&ctx->arena, "%s: %s%s%s", what, why.message, why.help ? "; " : "",
                        why.help ? why.help : "");
}

// --- equations -----------------------------------------------------------------------------------

// Of all relations together, in expr_weight() units: as much as a system shown without names.
enum { LONGEST_RELATIONS = 6000 };

static bool relations_are_long(const equations *eq) {
    const uint32_t n = eq->system->n;
    uint64_t total = 0;
    for (uint32_t i = 0; i < n * n; i++)
        total += expr_weight(eq->system->pool, eq->transposition[i]);
    return total > LONGEST_RELATIONS;
}

static void show(report_form *f) {
    f->shown = presentation_create(f->eq, false);
    if (!f->eq->transposition) return;
    f->transposition_is_long = relations_are_long(f->eq);
    f->has_transposition = !f->transposition_is_long;
    if (f->has_transposition) f->transposed = transposition_create(f->form, f->eq);
}

static bool is_listed(const form_list *list, const formalism *f) {
    for (uint32_t i = 0; i < list->count; i++)
        if (list->form[i] == f) return true;
    return false;
}

// Every form that was asked for, and the reasons of those that do not apply. `derived` has the
// equations by the index of their formalism.
static hamel_status derive_forms(report *r, const form_list *list, equations **derived) {
    const mechanics *s = r->known.s;
    for (uint32_t i = 0; i < formalism_count() && !context_status(s->model->ctx); i++) {
        const formalism *form = formalism_at(i);
        if (!is_listed(list, form)) continue;
        report_form f = {.form = form, .refusal = formalism_refusal(form, s)};
        if (!f.refusal) {
            f.eq = derived[i] = formalism_derive(form, s);
            if (!context_status(s->model->ctx)) show(&f);
        }
        list_push(r, forms, f);
    }
    return context_status(s->model->ctx);
}

static void judge(model *m, report *r, const form_list *list, equations **derived) {
    const mark before = mark_of(m->ctx);
    const prove_request request = {.form_count = list->all ? 0 : list->count,
                                   .form = list->form,
                                   .derived = derived,
                                   .write = api_write_expression};
    prove_model(m, r->known.s, &request, &r->verdicts);
    r->no_verdicts = excuse(m->ctx, before, "nothing was judged");
}

// --- the run -------------------------------------------------------------------------------------

typedef struct {
    hamel_run asked;
    run_job job;
    table rows;
    finished_run done;
    run_changes changes;
} page_run;

static void make_run(model *m, report *r, const form_list *list, const hamel_run *asked,
                     page_run *w) {
    const mark before = mark_of(m->ctx);
    if (asked) w->asked = *asked;
    w->asked.output = w->asked.resume = NULL;
    if (!w->asked.form && list->count == 1) w->asked.form = list->form[0]->id;
    w->job = (run_job){.m = m, .asked = &w->asked, .rows = &w->rows};
    const hamel_status status = run_job_run(&w->job);
    if (!status && w->rows.row_count) {
        const run_job *j = &w->job;
        w->done = (finished_run){.form = j->form,
                                 .method = j->method,
                                 .sim = j->sim,
                                 .run = &j->r,
                                 .rows = j->rows,
                                 .outcome = run_job_outcome(j)};
        if (j->pieces) w->changes = pieces_changes(j->pieces), w->done.changes = &w->changes;
        r->run = &w->done;
    }
    r->no_run =
        excuse(m->ctx, before, r->run ? "the run did not reach its end" : "there is no run");
}

// --- steady motions ------------------------------------------------------------------------------

// That there is none, or none that can be found, is nothing to speak of.
static void find_steady(model *m, report *r, page_steady *w) {
    const mark before = mark_of(m->ctx);
    page_steady_find(m, r, w);
    if (m->ctx->exhausted) return;
    m->ctx->diagnostic_count = before.diagnostics, m->ctx->error_count = before.errors;
}

// --- the model on a command line -----------------------------------------------------------------

// One word for a shell: in quotes where it holds more than letters that mean themselves
static void write_word(const char *word, text *out) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+";
    const bool quoted = !*word || word[strspn(word, plain)];
    if (quoted) text_char(out, '\'');
    for (const char *c = word; *c; c++)
        if (*c == '\'') text_append(out, "'\\''");
        else text_char(out, *c);
    if (quoted) text_char(out, '\'');
}

// "snake --set N=8"
static const char *command_words(const model *m) {
    const session *s = session_of(m->ctx);
    text words = {0};
    write_word(strcmp(m->text->name, "(standard input)") == 0 ? "-" : m->text->name, &words);
    for (uint32_t i = 0; i < m->override_count; i++) {
        const parse_override *o = &s->overrides[i];
        text_append(&words, " --set ");
        write_word(arena_format(&m->ctx->arena, "%s=%s", o->name, o->value), &words);
    }
    const char *kept = arena_copy(&m->ctx->arena, text_string(&words), words.length);
    text_free(&words);
    return kept;
}

// --- the whole -----------------------------------------------------------------------------------

static void report_clear(report *r) {
    for (uint32_t i = 0; i < r->forms_count; i++) {
        if (r->forms[i].shown.printer) presentation_free(&r->forms[i].shown);
        equations_free(r->forms[i].eq);
    }
    memory_free(r->forms);
    judgement_free(&r->verdicts);
}

static void write_page(const void *of, text *out) { report_write_page(of, out); }
static void write_data(const void *of, json *out) { report_write_data(of, out); }

static hamel_status make_page(hamel_model *m, const char *forms, const hamel_run *asked,
                              hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_PAGE);
    form_list list;
    const mechanics *s;
    hamel_status status = as ? api_read_forms(m->ctx, forms ? forms : "all", &list) : HAMEL_USAGE;
    if (!status) status = api_mechanics(m, &s);
    if (status) return status;
    report r = {.known = classification_of(m, s),
                .called = command_words(m),
                .usual = formalism_default(s)};
    equations **derived = arena_array(&m->ctx->arena, equations *, formalism_count());
    page_run w = {0};
    if (!as->for_programs) status = derive_forms(&r, &list, derived);
    if (!status && !as->for_programs) judge(m, &r, &list, derived);
    if (!status) make_run(m, &r, &list, asked, &w);
    page_steady steady = {0};
    if (!status) find_steady(m, &r, &steady);
    if (!status) status = context_status(m->ctx);
    text out = {0};
    if (!status) as->page(&(printable){&r, write_page, write_data, NULL}, &out);
    if (!status) api_finish_text(&out, result);
    page_steady_close(&steady);
    run_job_close(&w.job);
    table_free(&w.rows);
    report_clear(&r);
    return status;
}

hamel_status hamel_model_report(hamel_model *m, const char *forms, const hamel_run *asked,
                                hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, make_page(m, forms, asked, format, result), "writing the page of `%s`",
             m->name);
}
