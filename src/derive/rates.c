// The accelerations that constraints of order 2 leave.
#include "derive/rates.h"

#include "derive/deliver.h"
#include "derive/sample_pivots.h"
#include "expr/matrix.h"

#include <string.h>

static arena *arena_of(const manifold *m) { return &m->system->model->ctx->arena; }

// Phi_nu with q'' and q' on the manifold, for the h constraints of order 2
static expr *on_accelerations(const manifold *m) {
    const mechanics *s = m->system;
    expr *phi = arena_array(arena_of(m), expr, s->h);
    expr_substitute(s->pool, s->n, s->qdd, m->v.acceleration, s->h, s->phi + s->k, phi);
    for (uint32_t i = 0; i < s->h; i++) phi[i] = manifold_star(m, phi[i]);
    return phi;
}

// Which h rates follow from the others: a regular block of C at the sampled state.
static void choose_bound(rate_chart *c, uint32_t *row) {
    const mechanics *s = c->m->system;
    arena *a = arena_of(c->m);
    uint32_t *bound = arena_array(a, uint32_t, s->h), *free = arena_array(a, uint32_t, s->m),
             count = 0;
    bool *taken = arena_array(a, bool, s->m);
    sample_pivots_find_rows(s, s->h, s->m, c->slope, row, bound);
    for (uint32_t i = 0; i < s->h; i++) taken[bound[i]] = true;
    expr *rate = arena_array(a, expr, s->m);
    for (uint32_t i = 0; i < s->m; i++)
        if (!taken[i]) free[count] = i, rate[count++] = c->m->v.eta_rate[i];
    c->bound = bound, c->free = free, c->free_count = count, c->free_rate = rate;
}

// C_bound (response, solution at eta'_free = 0) = -(C_free, d)
static void solve_bound(rate_chart *c, const uint32_t *row) {
    const mechanics *s = c->m->system;
    arena *a = arena_of(c->m);
    const uint32_t h = s->h, width = c->free_count + 1;
    expr *block = arena_array(a, expr, h * h), *rhs = arena_array(a, expr, h * width),
         *x = arena_array(a, expr, h * width);
    expr *response = arena_array(a, expr, h * c->free_count), *solution = arena_array(a, expr, h);
    uint32_t *column = arena_array(a, uint32_t, h);
    for (uint32_t i = 0; i < h; i++) {
        column[i] = i;
        for (uint32_t j = 0; j < h; j++) block[i * h + j] = c->slope[i * s->m + c->bound[j]];
        for (uint32_t f = 0; f < c->free_count; f++)
            rhs[i * width + f] = expr_neg(s->pool, c->slope[i * s->m + c->free[f]]);
        rhs[i * width + c->free_count] =
            expr_neg(s->pool, expr_at_zero(s->pool, c->phi[i], s->m, c->m->v.eta_rate));
    }
    matrix_solve(s->pool, h, block, width, rhs, row, column, x);
    for (uint32_t i = 0; i < h; i++) {
        memcpy(response + i * c->free_count, x + i * width, sizeof(expr) * c->free_count);
        solution[i] = expr_add(s->pool, x[i * width + c->free_count],
                               expr_dot(s->pool, c->free_count, x + i * width, c->free_rate));
    }
    c->response = response, c->solution = solution;
}

rate_chart rates_create(const manifold *m) {
    const mechanics *s = m->system;
    rate_chart c = {.m = m, .free_count = s->m, .free_rate = m->v.eta_rate};
    if (!s->h) return c;
    expr *slope = arena_array(arena_of(m), expr, s->h * s->m);
    uint32_t *row = arena_array(arena_of(m), uint32_t, s->h);
    c.phi = on_accelerations(m);
    expr_jacobian(s->pool, s->h, c.phi, s->m, m->v.eta_rate, slope); // C = dPhi*/d eta'
    c.slope = slope;
    choose_bound(&c, row);
    solve_bound(&c, row);
    return c;
}

expr rates_substitute(const rate_chart *c, expr f) {
    const mechanics *s = c->m->system;
    expr *bound = arena_array(arena_of(c->m), expr, s->h);
    for (uint32_t i = 0; i < s->h; i++) bound[i] = c->m->v.eta_rate[c->bound[i]];
    return s->h ? expr_replace(s->pool, f, s->h, bound, c->solution) : f;
}

void rates_restrict(const rate_chart *c, const expr *covector, expr *out) {
    const mechanics *s = c->m->system;
    for (uint32_t f = 0; f < c->free_count; f++) {
        expr sum = covector[s->h ? c->free[f] : f];
        for (uint32_t i = 0; i < s->h; i++) // c_f + sum_b c_b d eta'_b/d eta'_f
            sum = expr_add_product(s->pool, sum, covector[c->bound[i]],
                                   c->response[i * c->free_count + f]);
        out[f] = sum;
    }
}

void rates_project(const rate_chart *c, const expr *covector, expr *out) {
    const mechanics *s = c->m->system;
    if (s->h != 1) {
        rates_restrict(c, covector, out);
        return;
    }
    for (uint32_t f = 0; f < c->free_count; f++) { // C_b c_f - C_f c_b
        const expr kept = expr_mul(s->pool, c->slope[c->bound[0]], covector[c->free[f]]);
        out[f] = expr_sub_product(s->pool, kept, c->slope[c->free[f]], covector[c->bound[0]]);
    }
}

void rates_deliver(equations *eq, const rate_chart *c, const expr *value) {
    const mechanics *s = c->m->system;
    if (!s->h) {
        deliver_projected(eq, c->m, value);
        return;
    }
    expr *all = arena_array(arena_of(c->m), expr, s->m);
    residual *r = arena_array(arena_of(c->m), residual, s->m);
    memcpy(all, value, sizeof(expr) * c->free_count);
    memcpy(all + c->free_count, c->phi, sizeof(expr) * s->h);
    deliver_projected(eq, c->m, all);
    memcpy(r, eq->residual, sizeof(residual) * s->m);
    for (uint32_t i = 0; i < s->h; i++)
        r[c->free_count + i].kind = RESIDUAL_ACCELERATION, r[c->free_count + i].source = s->k + i;
    eq->residual = r;
    eq->symmetric = false;
}
