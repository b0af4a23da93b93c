// The matrices of a linear motion as lists of what is written: numbers with the digits that are
// right, or expressions.
#include "api/linear_job.h"

static const char *const *numbers(const linear_job *j, const arb_mat_t a, slong rows) {
    const slong columns = arb_mat_ncols(a);
    const char **out = arena_array(&j->steady.m->ctx->arena, const char *, rows *columns + 1);
    for (slong i = 0; i < rows * columns; i++)
        out[i] = steady_job_number(&j->steady, arb_mat_entry(a, i / columns, i % columns));
    return out;
}

static sheet_matrix of_balls(const linear_job *j, const char *name, const arb_mat_t a, slong rows) {
    return (sheet_matrix){.name = name,
                          .rows = (uint32_t)rows,
                          .columns = (uint32_t)arb_mat_ncols(a),
                          .number = numbers(j, a, rows)};
}

static sheet_matrix of_grid(const char *name, grid g) {
    return (sheet_matrix){.name = name, .rows = g.rows, .columns = g.columns, .entry = g.at};
}

static const char *list_of(const linear_job *j, const char *what, uint32_t count,
                           const expr *symbol) {
    text out = {0};
    text_append(&out, what);
    for (uint32_t i = 0; i < count; i++)
        text_format(&out, "%s%s", i ? ", " : " ", expr_symbol_text(j->steady.s->pool, symbol[i]));
    const char *words =
        arena_copy(&j->steady.m->ctx->arena, text_string(&out), text_string(&out) ? out.length : 0);
    text_free(&out);
    return words;
}

sheet linear_job_sheet(const linear_job *j) {
    enum { MOST_MATRICES = 8, MOST_COMMENTS = 3 };
    arena *a = &j->steady.m->ctx->arena;
    const linearisation *l = &j->linear;
    const response *r = &j->response;
    const second_order *s = &j->second;
    sheet_matrix *matrix = arena_array(a, sheet_matrix, MOST_MATRICES);
    const char **comment = arena_array(a, const char *, MOST_COMMENTS);
    uint32_t count = 0, comments = 0;
    comment[comments++] = list_of(j, "states:", l->size, l->state);
    if (r->inputs) comment[comments++] = list_of(j, "inputs:", r->inputs, r->input);
    matrix[count++] = j->symbolic ? of_grid("A", j->exact.a) : of_balls(j, "A", l->a, l->size);
    matrix[count++] = j->symbolic ? of_grid("B", j->exact.b) : of_balls(j, "B", r->b, l->size);
    if (!j->symbolic) {
        matrix[count++] = of_balls(j, "observe", r->c, r->outputs);
        matrix[count++] = of_balls(j, "feedthrough", r->d, r->outputs);
    }
    if (!s->refusal && (!j->symbolic || j->exact.has_second)) {
        const exact_linear *e = &j->exact;
        comment[comments++] =
            list_of(j, "M p'' + C p' + K p = F u with p =", s->count, s->coordinate);
        matrix[count++] = j->symbolic ? of_grid("M", e->m) : of_balls(j, "M", s->m, s->count);
        matrix[count++] = j->symbolic ? of_grid("C", e->c) : of_balls(j, "C", s->c, s->count);
        matrix[count++] = j->symbolic ? of_grid("K", e->k) : of_balls(j, "K", s->k, s->count);
        matrix[count++] = j->symbolic ? of_grid("F", e->f) : of_balls(j, "F", s->f, s->count);
    }
    return (sheet){j->steady.m, comments, comment, count, matrix};
}

const char *linear_job_factor(const linear_job *j, const split_term *t) {
    text out = {0};
    for (uint32_t i = 0; i < j->split.symbols; i++) {
        if (!t->exponent[i]) continue;
        text_format(&out, "%s%s", out.length ? "*" : "",
                    expr_symbol_text(j->steady.s->pool, j->split.symbol[i]));
        if (t->exponent[i] > 1) text_format(&out, "^%u", t->exponent[i]);
    }
    if (!out.length) text_append(&out, "1");
    const char *words = arena_copy(&j->steady.m->ctx->arena, text_string(&out), out.length);
    text_free(&out);
    return words;
}

sheet_matrix linear_job_term(const linear_job *j, const split_term *t, int which) {
    static const char *const name[SPLIT_MATRICES] = {"M", "C", "K"};
    const grid g = t->part[which];
    if (j->symbolic) return of_grid(name[which], g);
    state *x = (state *)&j->steady.motion.x;
    const uint32_t count = g.rows * g.columns;
    const char **out = arena_array(&j->steady.m->ctx->arena, const char *, count + 1);
    state_reserve(x);
    program *prog = program_create(j->steady.s->pool, count, g.at);
    arb_ptr value = _arb_vec_init(count);
    program_run_arb(prog, x->value, x->precision, value);
    for (uint32_t i = 0; i < count; i++) out[i] = steady_job_number(&j->steady, value + i);
    _arb_vec_clear(value, count);
    program_free(prog);
    return (sheet_matrix){.name = name[which], .rows = g.rows, .columns = g.columns, .number = out};
}
