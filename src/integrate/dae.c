// From the equations with multipliers to F(t, y, y') = 0.
#include "integrate/dae.h"

#include <string.h>

static uint32_t geometric_count(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    uint32_t count = 0;
    for (uint32_t nu = 0; nu < s->k; nu++)
        count += sim->m->constraints[s->constraint[nu]].order == 0;
    return count;
}

// Symbols of y, then of y'. q' by a name of its own beside v.
static void name_variables(const simulation *sim, uint32_t size, expr *y, bool *differential) {
    const equations *eq = sim->eq;
    const mechanics *s = eq->system;
    pool *p = sim->m->pool;
    expr *dy = y + size;
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->n; i++, at++)
        y[at] = s->q[i], dy[at] = expr_symbol(p, "rate", ROLE_LOCAL), differential[at] = true;
    for (uint32_t i = 0; i < s->n; i++, at++)
        y[at] = s->qd[i], dy[at] = s->qdd[i], differential[at] = true;
    for (uint32_t i = 0; i < eq->multiplier_count; i++, at++) {
        y[at] = eq->multiplier[i], dy[at] = expr_symbol_derivative(p, eq->multiplier[i]);
        differential[at] = equations_multiplier_is_state(eq, i);
    }
    for (; at < size; at++)
        y[at] = expr_symbol(p, "mu", ROLE_LOCAL), dy[at] = expr_symbol(p, "mu'", ROLE_LOCAL);
}

static void write_residual(const simulation *sim, uint32_t size, const expr *y, expr *f) {
    const equations *eq = sim->eq;
    const mechanics *s = eq->system;
    pool *p = sim->m->pool;
    const uint32_t n = s->n, first_mu = 2 * n + eq->multiplier_count;
    const expr *dy = y + size;
    for (uint32_t i = 0; i < n; i++) f[i] = expr_sub(p, dy[i], s->qd[i]);
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        const residual *r = &eq->residual[i];
        f[n + i] =
            r->kind == RESIDUAL_CONSTRAINT && r->source < s->k ? s->phi[r->source] : r->value;
    }
    uint32_t at = first_mu;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &sim->m->constraints[s->constraint[nu]];
        if (c->order) continue;
        // dPhi/dq' = dg/dq
        for (uint32_t i = 0; i < n; i++)
            f[i] = expr_sub(p, f[i], expr_mul(p, y[at], mechanics_slopes(s)[nu * n + i]));
        f[at++] = c->phi;
    }
}

static bool make_functions(dae *d, const simulation *sim, const expr *y) {
    pool *p = sim->m->pool;
    const uint32_t n = d->size;
    expr *f = memory_array(expr, 3 * n + 1 + 2 * (size_t)n * n), *input = f + n,
         *by_y = input + 2 * n + 1, *by_dy = by_y + n * n;
    write_residual(sim, n, y, f);
    memcpy(input, y, sizeof(expr) * 2 * n);
    input[2 * n] = expr_symbol(p, "c", ROLE_LOCAL);
    expr_jacobian(p, n, f, n, y, by_y);
    expr_jacobian(p, n, f, n, y + n, by_dy);
    for (uint32_t i = 0; i < n * n; i++)
        by_y[i] = expr_add(p, by_y[i], expr_mul(p, input[2 * n], by_dy[i]));
    const bool made = own_functions_init(&d->residual, sim, 2 * n, input, n, f) &&
                      own_functions_init(&d->jacobian, sim, 2 * n + 1, input, n * n, by_y);
    memory_free(f);
    return made;
}

bool dae_init(dae *d, const simulation *sim) {
    const uint32_t n = 2 * sim->eq->system->n + sim->eq->multiplier_count + geometric_count(sim);
    *d = (dae){.size = n,
               .differential = memory_zeros(bool, n + 1),
               .place = memory_zeros(uint32_t, sim->o->size + 1)};
    expr *y = memory_array(expr, 2 * n + 1);
    name_variables(sim, n, y, d->differential);
    // q, q' and the multipliers of order 3: all among the y
    for (uint32_t i = 0; i < sim->o->size; i++)
        while (y[d->place[i]] != sim->o->state[i]) d->place[i]++;
    const bool made = make_functions(d, sim, y);
    memory_free(y);
    return made;
}

void dae_clear(dae *d) {
    own_functions_clear(&d->residual), own_functions_clear(&d->jacobian);
    memory_free(d->differential);
    memory_free(d->place);
}

bool dae_start(const dae *d, field *f, double t, const double *z, double *y, double *dy) {
    const simulation *sim = f->sim;
    double *rate = memory_array(double, f->size + sim->column_count), *column = rate + f->size;
    const bool finite = f->rate(f, t, z, rate) && f->columns(f, t, z, column);
    memset(y, 0, sizeof(double) * d->size);
    memset(dy, 0, sizeof(double) * d->size);
    for (uint32_t i = 0, at = 2 * sim->eq->system->n; i < sim->column_count && finite; i++)
        if (sim->column[i].kind == COLUMN_MULTIPLIER) y[at++] = column[i];
    for (uint32_t i = 0; i < f->size && finite; i++)
        y[d->place[i]] = z[i], dy[d->place[i]] = rate[i];
    memory_free(rate);
    return finite;
}
