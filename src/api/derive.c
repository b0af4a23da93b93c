// Equations of motion by the formalisms asked for.
#include "api/api_internal.h"

#include "derive/formalism.h"
#include "equations/cheapest.h"

#include <string.h>

const formalism *api_find_form(context *ctx, const char *id) {
    const formalism *f = formalism_find(id);
    const char *near = f ? NULL : formalism_nearest(id);
    if (!f)
        diag_error(ctx, (span){0},
                   near ? arena_format(&ctx->arena, "did you mean `%s`?", near)
                        : "`hamel forms` lists them",
                   "there is no form `%s`", id);
    return f;
}

hamel_status api_derive(const formalism *f, const mechanics *s, equations **out) {
    context *ctx = s->model->ctx;
    const char *refusal = formalism_refusal(f, s);
    if (refusal) {
        diag_error(ctx, (span){0}, "`hamel forms MODEL` lists those that apply",
                   "%s (`%s`) cannot be used here: %s", f->name, f->id, refusal);
        return HAMEL_MODEL;
    }
    *out = formalism_derive(f, s);
    return context_status(ctx);
}

hamel_status api_read_forms(context *ctx, const char *ids, form_list *out) {
    *out = (form_list){.all = strcmp(ids, "all") == 0};
    for (uint32_t i = 0; i < formalism_count() && out->all; i++)
        out->form[out->count++] = formalism_at(i);
    while (!out->all && *ids) {
        ids += strspn(ids, " ");
        const size_t length = strcspn(ids, ", ");
        const char *id = arena_copy(&ctx->arena, ids, length);
        const formalism *f = api_find_form(ctx, id);
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
                        operation_counts_total(c), c.additions, c.multiplications, c.divisions,
                        c.powers, c.functions, nodes);
}

// One form, number i of those asked for, added to a document.
static hamel_status derive_one(const formalism *f, const mechanics *given, const format *as,
                               unsigned flags, uint32_t i, json *out) {
    mechanics asked = *given;
    const mechanics *s = &asked;
    asked.list_everything = (flags & HAMEL_DERIVE_FULL) != 0;
    derivation d = {
        .form = f, .refusal = formalism_refusal(f, s), .cites = (flags & HAMEL_DERIVE_CITE) != 0};
    if (d.refusal) {
        as->equations(&d, i, out);
        return HAMEL_MODEL;
    }
    equations *eq = formalism_derive(f, s);
    hamel_status status = context_status(s->model->ctx);
    if (!status) {
        presentation shown = presentation_create(eq, (flags & HAMEL_DERIVE_RAW) != 0);
        d.shown = &shown;
        if (flags & HAMEL_DERIVE_STATS) d.stats = stats_of(eq);
        as->equations(&d, i, out);
        presentation_free(&shown);
        status = context_status(s->model->ctx);
    }
    equations_free(eq);
    return status;
}

static hamel_status derive(hamel_model *m, const char *forms, hamel_format format, unsigned flags,
                           char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_EQUATIONS);
    form_list list;
    hamel_status status = !as     ? HAMEL_USAGE
                          : forms ? api_read_forms(m->ctx, forms, &list)
                                  : HAMEL_OK;
    const mechanics *s;
    if (!status) status = api_mechanics(m, &s);
    if (status) return status;
    if (!forms) list = (form_list){.form = {formalism_default(s)}, .count = 1};
    text out = {0};
    json document = {.out = &out};
    if (as->open_equations) as->open_equations(m, &document);
    bool refused = false;
    for (uint32_t i = 0; i < list.count && !context_status(m->ctx); i++)
        refused |= derive_one(list.form[i], s, as, flags, i, &document) == HAMEL_MODEL;
    if (as->close_equations) as->close_equations(&document);
    status = context_status(m->ctx);
    if (status) {
        text_free(&out);
        return status;
    }
    api_finish_text(&out, result);
    return refused && !list.all ? HAMEL_MODEL : HAMEL_OK;
}

hamel_status hamel_model_derive(hamel_model *m, const char *forms, hamel_format format,
                                unsigned flags, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, derive(m, forms, format, flags, result),
             "deriving the equations of `%s`", m->name);
}

// --- the list of formalisms ----------------------------------------------------------------------

typedef struct {
    const model *m;
    const mechanics *s; // NULL: without a model
} applicability;

static void write_forms_text(const void *of, text *out) {
    const applicability *a = of;
    for (uint32_t i = 0; i < formalism_count(); i++) {
        const formalism *f = formalism_at(i);
        text_format(out, "%-21s %s (%s)\n%-21s %s\n%-21s applies: %s\n", f->id, f->name, f->paper,
                    "", f->formula, "", f->applies);
        if (!a->s) continue;
        const char *refusal = formalism_refusal(f, a->s);
        text_format(out, "%-21s %s: %s%s%s\n", "", a->m->name, refusal ? "no" : "yes",
                    refusal ? ", " : "", refusal ? refusal : "");
    }
}

static void write_form_json(const formalism *f, const mechanics *s, json *out) {
    const char *refusal = s ? formalism_refusal(f, s) : NULL;
    json_open(out, NULL, '{');
    json_string(out, "id", f->id);
    json_string(out, "name", f->name);
    json_string(out, "paper", f->paper);
    json_string(out, "formula", f->formula);
    json_string(out, "latex", f->latex);
    json_string(out, "history", f->history);
    json_string(out, "use", f->use);
    if (f->lists) json_string(out, "lists", f->lists);
    json_string(out, "applicability", f->applies);
    if (f->mechanics) json_string(out, "mechanics", f->mechanics);
    if (s) json_bool(out, "applies", !refusal);
    if (refusal) json_string(out, "reason", refusal);
    json_close(out, '}');
}

static void write_forms_json(const void *of, json *out) {
    const applicability *a = of;
    json_open(out, NULL, '{');
    json_open(out, "forms", '[');
    for (uint32_t i = 0; i < formalism_count(); i++) write_form_json(formalism_at(i), a->s, out);
    json_close(out, ']');
    json_close(out, '}');
}

static hamel_status list_forms(context *ctx, model *m, hamel_format format, char **result) {
    const struct format *as = api_find_format(ctx, format, WRITES_RESULT);
    applicability a = {.m = m};
    const hamel_status status = !as ? HAMEL_USAGE : m ? api_mechanics(m, &a.s) : HAMEL_OK;
    if (status) return status;
    return api_finish_result(as, &(printable){&a, write_forms_text, write_forms_json, m}, result);
}

hamel_status hamel_forms(hamel_context *ctx, hamel_model *m, hamel_format format, char **result) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, result);
    API_CALL(m ? m->ctx : ctx, result, list_forms(m ? m->ctx : ctx, m, format, result),
             "listing the forms");
}
