// Admissible directions.
#include "analyse/directions.h"

#include "derive/basis.h"
#include "expr/matrix.h"
#include "normal/normal.h"

static arena *arena_of(const mechanics *s) { return &s->model->ctx->arena; }

directions directions_of(const mechanics *s, points *at) {
    directions d = {.s = s, .at = at, .width = s->n + 1, .fields = s->m + 1};
    const mechanics plain = mechanics_without_quasi(s);
    const velocity_basis v = basis_create(&plain);
    expr *zero = arena_array(arena_of(s), expr, s->m);
    d.field = arena_array(arena_of(s), expr, d.fields * d.width);
    for (uint32_t k = 0; k < s->m; k++)
        for (uint32_t i = 0; i < s->n; i++) d.field[k * d.width + i] = v.column[i * s->m + k];
    for (uint32_t i = 0; i < s->n; i++)
        d.field[s->m * d.width + i] = expr_replace(s->pool, v.velocity[i], s->m, plain.eta, zero);
    d.field[s->m * d.width + s->n] = EXPR_ONE;
    return d;
}

void constraint_form(const mechanics *s, uint32_t nu, expr *form) {
    expr *zero = arena_array(arena_of(s), expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) form[i] = mechanics_slopes(s)[nu * s->n + i];
    form[s->n] = expr_replace(s->pool, s->phi[nu], s->n, s->qd, zero);
}

// Columns whose entries are numbers come first: divided by one of these, fields get no
// denominators.
static void order_columns(const mechanics *s, uint32_t count, const expr *form, uint32_t *column) {
    const uint32_t width = s->n + 1;
    uint32_t placed = 0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < s->n; i++) {
            bool numbers = true;
            for (uint32_t nu = 0; nu < count; nu++)
                numbers = numbers && expr_is_number(s->pool, form[nu * width + i]);
            if (numbers == (pass == 0)) column[placed++] = i;
        }
    column[placed] = s->n; // time is never a dependent direction
}

bool directions_of_forms(const mechanics *s, points *at, uint32_t count, const expr *form,
                         directions *out) {
    const uint32_t width = s->n + 1;
    arena *a = arena_of(s);
    pool *p = s->pool;
    uint32_t *order = arena_array(a, uint32_t, width),
             *row = arena_array(a, uint32_t, count + width),
             *column = arena_array(a, uint32_t, count + width);
    expr *sorted = arena_array(a, expr, count * width + 1);
    order_columns(s, count, form, order);
    for (uint32_t i = 0; i < count * width; i++)
        sorted[i] = form[i / width * width + order[i % width]];
    const uint32_t k = points_generic_pivots(at, count, width, sorted, row, column);
    const uint32_t free_count = width - k;
    bool *depends = arena_array(a, bool, width);
    for (uint32_t j = 0; j < k; j++) {
        if (column[j] == s->n) return false; // a combination says dt = 0
        depends[column[j]] = true;
    }
    // block * dependent = -(the other columns)
    expr *block = arena_array(a, expr, k * k + 1),
         *right = arena_array(a, expr, k * free_count + 1),
         *x = arena_array(a, expr, k * free_count + 1);
    uint32_t *pivot = arena_array(a, uint32_t, k + 1);
    for (uint32_t i = 0; i < k; i++) {
        pivot[i] = i;
        for (uint32_t j = 0; j < k; j++) block[i * k + j] = sorted[row[i] * width + column[j]];
        uint32_t f = 0;
        for (uint32_t j = 0; j < width; j++)
            if (!depends[j]) right[i * free_count + f++] = expr_neg(p, sorted[row[i] * width + j]);
    }
    if (k) matrix_solve(p, k, block, free_count, right, pivot, pivot, x);
    *out = (directions){.s = s,
                        .at = at,
                        .width = width,
                        .fields = free_count,
                        .field = arena_array(a, expr, free_count * width)};
    const normal_budget budget = normal_budget_default();
    uint32_t f = 0;
    for (uint32_t j = 0; j < width; j++) { // time is last among the free ones
        if (depends[j]) continue;
        out->field[f * width + order[j]] = EXPR_ONE;
        for (uint32_t i = 0; i < k; i++)
            out->field[f * width + order[column[i]]] =
                normal_simplify(p, x[i * free_count + f], &budget);
        f++;
    }
    return true;
}

void directions_gradient(const mechanics *s, expr f, expr *out) {
    expr *zero = arena_array(arena_of(s), expr, s->n);
    expr_gradient(s->pool, f, s->n, s->q, out);
    out[s->n] = expr_replace(s->pool, expr_ddt(s->pool, f), s->n, s->qd, zero);
}

bool directions_independent_functions(const mechanics *s, points *at, uint32_t count,
                                      const expr *f) {
    const uint32_t width = s->n + 1;
    expr *slope = arena_array(arena_of(s), expr, count * width);
    for (uint32_t i = 0; i < count; i++) directions_gradient(s, f[i], slope + i * width);
    return points_generic_rank(at, count, width, slope) == count;
}

// out = the derivative of `count` functions along X: d/dt of a given is its own derivative times
// the time component.
static void derive_along(const directions *d, const expr *x, uint32_t count, const expr *f,
                         expr *out) {
    const mechanics *s = d->s;
    pool *p = s->pool;
    const uint32_t most = s->n + 1 + pool_symbol_count(p);
    expr *variable = memory_array(expr, most), *direction = memory_array(expr, most);
    uint32_t variables = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (x[i] != EXPR_ZERO) variable[variables] = s->q[i], direction[variables++] = x[i];
    if (x[s->n] != EXPR_ZERO) {
        variable[variables] = s->model->time, direction[variables++] = x[s->n];
        for (uint32_t i = 0, symbols = pool_symbol_count(p); i < symbols; i++) {
            if (pool_symbol(p, i)->role != ROLE_GIVEN) continue;
            variable[variables] = pool_symbol(p, i)->node;
            direction[variables++] =
                expr_mul(p, x[s->n], expr_symbol_derivative(p, pool_symbol(p, i)->node));
        }
    }
    expr_pushforward(p, variables, variable, direction, count, f, out);
    memory_free(variable);
    memory_free(direction);
}

void directions_bracket(const directions *d, const expr *x, const expr *y, expr *out) {
    pool *p = d->s->pool;
    expr *back = arena_array(arena_of(d->s), expr, d->width);
    derive_along(d, x, d->width, y, out);
    derive_along(d, y, d->width, x, back);
    for (uint32_t i = 0; i < d->width; i++) out[i] = expr_sub(p, out[i], back[i]);
}
