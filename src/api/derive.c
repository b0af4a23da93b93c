// Equations of motion by the formalisms asked for.
#include "api/api_internal.h"

#include "derive/formalism.h"
#include "equations/evaluate.h"
#include "equations/cheapest.h"
#include "print/derivation.h"

#include <string.h>

const formalism *find_form(context *ctx, const char *id) {
    const formalism *f = formalism_find(id);
    const char *near = f ? NULL : formalism_nearest(id);
    if (!f)
        diag_error(ctx, (span){0},
                   near ? arena_format(&ctx->arena, "did you mean `%s`?", near)
                        : "`hamel forms` lists them",
                   "there is no form `%s`", id);
    return f;
}

hamel_status read_forms(context *ctx, const char *ids, form_list *out) {
    *out = (form_list){.all = strcmp(ids, "all") == 0};
    for (uint32_t i = 0; i < formalism_count() && out->all; i++)
        out->form[out->count++] = formalism_at(i);
    while (!out->all && *ids) {
        ids += strspn(ids, " ");
        const size_t length = strcspn(ids, ", ");
        const char *id = arena_copy(&ctx->arena, ids, length);
        const formalism *f = find_form(ctx, id);
        if (!f) return HAMEL_USAGE;
        if (out->count < sizeof out->form / sizeof *out->form) out->form[out->count++] = f;
        ids += length;
        ids += strspn(ids, " ,");
    }
    if (out->count) return HAMEL_OK;
    diag_error(ctx, (span){0}, "`hamel forms` lists them", "no form is named");
    return HAMEL_USAGE;
}

// Operations in matrix, right-hand side and velocities: what straight-line code would execute.
static const char *stats_of(const equations *eq) {
    const mechanics *s = eq->system;
    const uint32_t nodes = pool_size(s->pool);
    cheapest_system cheapest = cheapest_system_create(eq);
    const operation_counts c = program_count(cheapest.prog);
    cheapest_system_free(&cheapest);
    return arena_format(&s->model->ctx->arena,
                        "operations after sharing: %u (%u additions, %u multiplications, %u "
                        "divisions, %u powers, %u functions); %u nodes in the pool",
                        operation_total(c), c.additions, c.multiplications, c.divisions, c.powers,
                        c.functions, nodes);
}

static void print(const derivation *d, hamel_format format, text *out, json *document) {
    switch (format) {
    case HAMEL_TEXT: print_derivation_text(d, out); break;
    case HAMEL_LATEX: print_derivation_latex(d, out); break;
    case HAMEL_MARKDOWN: print_derivation_markdown(d, out); break;
    case HAMEL_SYMPY: print_derivation_sympy(d, out); break;
    case HAMEL_JSON: print_derivation_json(d, document); break;
    case HAMEL_HTML: break; // a page is made by hamel_model_report()
    }
}

static hamel_status derive_one(const formalism *f, const mechanics *given, hamel_format format,
                               unsigned flags, text *out, json *document) {
    mechanics asked = *given;
    const mechanics *s = &asked;
    asked.list_everything = (flags & HAMEL_DERIVE_FULL) != 0;
    derivation d = {.form = f, .refusal = formalism_refusal(f, s)};
    if (d.refusal) {
        print(&d, format, out, document);
        return HAMEL_MODEL;
    }
    equations *eq = formalism_derive(f, s);
    hamel_status status = context_status(s->model->ctx);
    if (!status) {
        presentation shown = presentation_create(eq, (flags & HAMEL_DERIVE_RAW) != 0);
        d.shown = &shown;
        if (flags & HAMEL_DERIVE_STATS) d.stats = stats_of(eq);
        print(&d, format, out, document);
        presentation_free(&shown);
        status = context_status(s->model->ctx);
    }
    equations_free(eq);
    return status;
}

static void write_title(const model *m, hamel_format format, text *out) {
    const char *title = m->title ? m->title : m->name;
    if (format == HAMEL_TEXT) text_format(out, "%s\n\n", title);
    if (format == HAMEL_LATEX) text_format(out, "%% %s\n", title);
    if (format == HAMEL_MARKDOWN) text_format(out, "# %s\n\n", title);
    if (format == HAMEL_SYMPY) text_format(out, "# %s\n", title);
}

static hamel_status derive(hamel_model *m, const char *forms, hamel_format format, unsigned flags,
                           char **result) {
    form_list list;
    hamel_status status = forms ? read_forms(m->ctx, forms, &list) : HAMEL_OK;
    const mechanics *s;
    if (!status) status = model_mechanics(m, &s);
    if (status) return status;
    if (!forms) list = (form_list){.form = {formalism_default(s)}, .count = 1};
    text out = {0};
    json document = {.out = &out};
    if (format == HAMEL_JSON) {
        json_open(&document, NULL, '{');
        json_string(&document, "system", m->name);
        json_open(&document, "forms", '[');
    } else {
        write_title(m, format, &out);
    }
    bool refused = false;
    for (uint32_t i = 0; i < list.count && !context_status(m->ctx); i++) {
        if (i && format == HAMEL_TEXT) text_char(&out, '\n');
        refused =
            derive_one(list.form[i], s, format, flags, &out, &document) == HAMEL_MODEL || refused;
    }
    if (format == HAMEL_JSON) {
        json_close(&document, ']');
        json_close(&document, '}');
        text_char(&out, '\n');
    }
    status = context_status(m->ctx);
    if (status) {
        text_free(&out);
        return status;
    }
    finish_text(&out, result);
    return refused && !list.all ? HAMEL_MODEL : HAMEL_OK;
}

hamel_status hamel_model_derive(hamel_model *m, const char *forms, hamel_format format,
                                unsigned flags, char **result) {
    API_CALL(m->ctx, result, derive(m, forms, format, flags, result),
             "deriving the equations of `%s`", m->name);
}

static hamel_status list_forms(model *m, hamel_format format, char **result) {
    const mechanics *s = NULL;
    const hamel_status status = m ? model_mechanics(m, &s) : HAMEL_OK;
    if (status) return status;
    text out = {0};
    json document = {.out = &out};
    if (format == HAMEL_JSON) {
        json_open(&document, NULL, '{');
        json_open(&document, "forms", '[');
    }
    for (uint32_t i = 0; i < formalism_count(); i++) {
        const formalism *f = formalism_at(i);
        const char *refusal = s ? formalism_refusal(f, s) : NULL;
        if (format != HAMEL_JSON) {
            text_format(&out, "%-21s %s (%s)\n%-21s %s\n%-21s applies: %s\n", f->id, f->name,
                        f->paper, "", f->formula, "", f->applies);
            if (s)
                text_format(&out, "%-21s %s: %s%s%s\n", "", m->name, refusal ? "no" : "yes",
                            refusal ? ", " : "", refusal ? refusal : "");
            continue;
        }
        json_open(&document, NULL, '{');
        json_string(&document, "id", f->id);
        json_string(&document, "name", f->name);
        json_string(&document, "paper", f->paper);
        json_string(&document, "formula", f->formula);
        json_string(&document, "latex", f->latex);
        json_string(&document, "history", f->history);
        json_string(&document, "use", f->use);
        if (f->lists) json_string(&document, "lists", f->lists);
        json_string(&document, "applicability", f->applies);
        if (f->mechanics) json_string(&document, "mechanics", f->mechanics);
        if (s) json_bool(&document, "applies", !refusal);
        if (refusal) json_string(&document, "reason", refusal);
        json_close(&document, '}');
    }
    if (format == HAMEL_JSON) {
        json_close(&document, ']');
        json_close(&document, '}');
        text_char(&out, '\n');
    }
    return finish_text(&out, result);
}

hamel_status hamel_forms(hamel_context *ctx, hamel_model *m, hamel_format format, char **result) {
    API_CALL(m ? m->ctx : ctx, result, list_forms(m, format, result), "listing the forms");
}
