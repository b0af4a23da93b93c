// M, F and the constraint matrix of a form, as expressions: what `matrices` says.
//
// A form's equations are affine in its unknowns: residual_i = sum_j M_ij unknown_j + F_i = 0. The
// constraint matrix holds dPhi_nu/dq'_i, or dPhi_nu/dq^(p)_i for a constraint of order p.
#include "api/api_internal.h"

#include "derive/formalism.h"
#include "normal/normal.h"
#include "print/expression.h"

#include <string.h>

enum { LONGEST_SIMPLIFIED = 20000 }; // expr_weight() beyond which an entry is written as derived

typedef struct {
    const formalism *form;
    const equations *eq;
    sheet sheet;
} matrices_job;

static expr *simplified(const mechanics *s, uint32_t count, expr *e) {
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < count; i++)
        if (!expr_is_heavier(s->pool, e[i], LONGEST_SIMPLIFIED))
            e[i] = normal_simplify(s->pool, e[i], &budget);
    return e;
}

// "unknowns: v', w'"
static const char *list_of(const mechanics *s, const char *what, uint32_t count,
                           const expr *symbol) {
    text out = {0};
    text_append(&out, what);
    for (uint32_t i = 0; i < count; i++)
        text_format(&out, "%s%s", i ? ", " : " ", expr_symbol_text(s->pool, symbol[i]));
    const char *words = arena_copy(&s->model->ctx->arena, text_string(&out), out.length);
    text_free(&out);
    return words;
}

static const char *list_of_constraints(const mechanics *s) {
    text out = {0};
    text_append(&out, "rows of constraints:");
    for (uint32_t i = 0; i < s->k + s->h; i++)
        text_format(&out, "%s%s", i ? ", " : " ", s->model->constraints[s->constraint[i]].name);
    const char *words = arena_copy(&s->model->ctx->arena, text_string(&out), out.length);
    text_free(&out);
    return words;
}

static void make_sheet(matrices_job *j) {
    const equations *eq = j->eq;
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const uint32_t u = eq->unknown_count, rows = s->k + s->h;
    expr *m = arena_array(a, expr, (size_t)u * u + 1), *f = arena_array(a, expr, u + 1),
         *phi = arena_array(a, expr, (size_t)rows * s->n + 1);
    equations_affine(eq, m, f);
    if (rows) memcpy(phi, mechanics_slopes(s), sizeof *phi * rows * s->n);
    sheet_matrix *matrix = arena_array(a, sheet_matrix, 3);
    matrix[0] = (sheet_matrix){"M", u, u, simplified(s, u * u, m), NULL};
    matrix[1] = (sheet_matrix){"F", u, 1, simplified(s, u, f), NULL};
    matrix[2] = (sheet_matrix){"constraints", rows, s->n, phi, NULL};
    const char **comment = arena_array(a, const char *, 3);
    comment[0] = arena_format(a, "M x + F = 0 of %s (%s) with x = %s", j->form->name, j->form->id,
                              list_of(s, "", u, eq->unknown) + 1);
    comment[1] = list_of(s, "columns of constraints:", s->n, s->qd);
    comment[2] = list_of_constraints(s);
    j->sheet = (sheet){s->model, rows ? 3 : 1, comment, rows ? 3 : 2, matrix};
}

static void write_words(const void *of, text *out) {
    const sheet *s = &((const matrices_job *)of)->sheet;
    for (uint32_t i = 0; i < s->comments; i++) text_format(out, "%s\n", s->comment[i]);
    for (uint32_t k = 0; k < s->count; k++) {
        const sheet_matrix *a = &s->matrix[k];
        text_format(out, "%s\n", a->name);
        for (uint32_t i = 0; i < a->rows; i++) {
            text_append(out, "  [");
            for (uint32_t j = 0; j < a->columns; j++) {
                if (j) text_append(out, ", ");
                sheet_write_entry(s, a, i, j, STYLE_TEXT, out);
            }
            text_append(out, "]\n");
        }
    }
}

static void write_names(json *out, const char *key, const mechanics *s, uint32_t count,
                        const expr *symbol) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++)
        json_string(out, NULL, expr_symbol_text(s->pool, symbol[i]));
    json_close(out, ']');
}

static void write_data(const void *of, json *out) {
    const matrices_job *j = of;
    const mechanics *s = j->eq->system;
    json_open(out, NULL, '{');
    json_string(out, "form", j->form->id);
    write_names(out, "unknowns", s, j->eq->unknown_count, j->eq->unknown);
    write_names(out, "velocities", s, s->n, s->qd);
    for (uint32_t k = 0; k < j->sheet.count; k++) {
        const sheet_matrix *a = &j->sheet.matrix[k];
        json_open(out, a->name, '[');
        for (uint32_t i = 0; i < a->rows; i++) {
            json_open(out, NULL, '[');
            for (uint32_t c = 0; c < a->columns; c++) {
                text entry = {0};
                sheet_write_entry(&j->sheet, a, i, c, STYLE_SYMPY, &entry);
                json_string(out, NULL, text_string(&entry));
                text_free(&entry);
            }
            json_close(out, ']');
        }
        json_close(out, ']');
    }
    json_close(out, '}');
}

static hamel_status matrices(hamel_model *m, const char *id, hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_MATRICES);
    const mechanics *s;
    equations *eq = NULL;
    hamel_status status = as ? api_mechanics(m, &s) : HAMEL_USAGE;
    if (status) return status;
    matrices_job j = {.form = id ? api_find_form(m->ctx, id) : formalism_default(s)};
    if (!j.form) return HAMEL_USAGE;
    status = api_derive(j.form, s, &eq);
    j.eq = eq;
    if (!status) make_sheet(&j), status = context_status(m->ctx);
    if (!status && as->result) {
        status = api_finish_result(as, &(printable){&j, write_words, write_data, m}, result);
    } else if (!status) {
        text out = {0};
        as->matrices(&j.sheet, &out);
        status = api_finish_text(&out, result);
    }
    equations_free(eq);
    return status;
}

hamel_status hamel_model_matrices(hamel_model *m, const char *form, hamel_format format,
                                  char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, matrices(m, form, format, result), "writing the matrices of `%s`",
             m->name);
}
