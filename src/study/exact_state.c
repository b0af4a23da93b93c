// Steady motions recognised and verified in closed form.
#include "study/exact_state.h"

#include "expr/vanish.h"
#include "model/inputs.h"
#include "study/grid.h"
#include "study/steady_problem.h"

enum { LARGEST_DENOMINATOR = 1000, DECIMALS = 12 };

typedef struct {
    const steady_problem *w;
    const steady_motion *at;
    const ode *o;
    const mechanics *stated, *open;
    pool *p;
    state *x;
    uint32_t kept_count;
    const expr *kept;
    exact_state out;
} work;

// --- recognising numbers -------------------------------------------------------------------------

static bool try_denominator(pool *p, const arb_t ball, const fmpz_t d, slong bits, expr *out) {
    arb_t scaled;
    fmpq_t value;
    arb_init(scaled), fmpq_init(value);
    arb_mul_fmpz(scaled, ball, d, bits);
    const bool found = arb_get_unique_fmpz(fmpq_numref(value), scaled);
    if (found) {
        fmpz_set(fmpq_denref(value), d);
        fmpq_canonicalise(value);
        *out = expr_number(p, value);
    }
    arb_clear(scaled), fmpq_clear(value);
    return found;
}

static bool recognise_fraction(pool *p, const arb_t ball, slong bits, expr *out) {
    fmpz_t d;
    bool found = false;
    fmpz_init(d);
    for (ulong i = 1; i <= LARGEST_DENOMINATOR && !found; i++) {
        fmpz_set_ui(d, i);
        found = try_denominator(p, ball, d, bits, out);
    }
    for (ulong i = 4; i <= DECIMALS && !found; i++) {
        fmpz_set_ui(d, 10);
        fmpz_pow_ui(d, d, i);
        found = try_denominator(p, ball, d, bits, out);
    }
    fmpz_clear(d);
    return found;
}

// A fraction, or a fraction of pi; false: neither
static bool recognise(pool *p, const arb_t ball, slong bits, expr *out) {
    if (arb_contains_zero(ball)) {
        *out = EXPR_ZERO;
        return true;
    }
    if (recognise_fraction(p, ball, bits, out)) return true;
    arb_t turns;
    arb_init(turns);
    arb_const_pi(turns, bits);
    arb_div(turns, ball, turns, bits);
    const bool found = recognise_fraction(p, turns, bits, out);
    if (found) *out = expr_mul(p, *out, expr_pi(p));
    arb_clear(turns);
    return found;
}

// --- what stands for what ------------------------------------------------------------------------

static void add_pair(work *w, expr from, expr to) {
    w->out.from[w->out.count] = from, w->out.to[w->out.count++] = to;
}

static bool is_kept(const work *w, expr symbol) {
    for (uint32_t i = 0; i < w->kept_count; i++)
        if (w->kept[i] == symbol) return true;
    return false;
}

// Parameters that are defined by others stand by their definitions; with `stated`, all do
static void put_parameters(work *w, bool stated) {
    const model *m = w->stated->model;
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const parameter *q = &m->parameters[i];
        if (q->value == EXPR_NONE || is_kept(w, q->symbol)) continue;
        bool derived = false;
        for (uint32_t k = 0; k < m->parameters_count; k++)
            derived = derived || expr_depends_on(w->p, q->value, 1, &m->parameters[k].symbol);
        if (derived || stated) add_pair(w, q->symbol, q->value);
    }
    expr_resolve(w->p, w->out.count, w->out.from, w->out.to);
}

static void put_coordinates(work *w) {
    const mechanics *s = w->w->s;
    for (uint32_t i = 0; i < s->n; i++) {
        expr value;
        if (recognise(w->p, state_get(w->x, s->q[i]), w->x->precision, &value))
            add_pair(w, s->q[i], value);
    }
}

// Velocities that are 0; a dependent one that is asked for takes the place of an independent one:
// with q'_i = c eta_s on the motion, eta_s = q'_i/c
static void put_velocities(work *w) {
    const mechanics *s = w->w->s;
    for (uint32_t i = 0; i < s->m; i++)
        if (arb_contains_zero(state_get(w->x, s->eta[i]))) add_pair(w, s->eta[i], EXPR_ZERO);
    for (uint32_t i = 0; i < s->n; i++) {
        if (!is_kept(w, s->qd[i])) continue;
        for (uint32_t j = 0; j < s->m; j++) {
            if (s->eta[j] == s->qd[i] || arb_contains_zero(state_get(w->x, s->eta[j]))) continue;
            expr slope = expr_diff(w->p, w->o->velocity[i], s->eta[j]);
            exact_state_put(&w->out, w->p, 1, &slope, &slope);
            if (expr_all_vanish(w->p, 1, &slope)) continue;
            add_pair(w, s->eta[j], expr_div(w->p, s->qd[i], slope));
            break;
        }
    }
}

// u, u', .. are changes of inputs: 0
static void put_inputs(work *w) {
    const expr *input;
    const uint32_t count = mechanics_inputs_in(w->stated, w->o->size, w->o->rate, &input);
    for (uint32_t i = 0; i < count; i++) add_pair(w, input[i], EXPR_ZERO);
}

// q' = sum_a xi_a X_a(q) for xi, where the X_a are independent; the others are 0
static bool put_speeds(work *w) {
    const mechanics *s = w->w->s;
    const uint32_t n = s->n, g = w->w->group->count;
    const model *m = s->model;
    grid field = grid_create(m, n, g), velocity = grid_create(m, n, 1);
    for (uint32_t i = 0; i < n; i++) {
        GRID(velocity, i, 0) = w->o->velocity[i];
        for (uint32_t a = 0; a < g; a++) GRID(field, i, a) = w->w->group->at[a].field[i];
    }
    exact_state_put(&w->out, w->p, n * g, field.at, field.at);
    exact_state_put(&w->out, w->p, n, velocity.at, velocity.at);
    uint32_t *row = arena_array(&m->ctx->arena, uint32_t, n + g + 1),
             *column = arena_array(&m->ctx->arena, uint32_t, n + g + 1), first = 0;
    const uint32_t rank =
        g ? pivots_choose(n, g, grid_values(w->x, field), NULL, 1, row, column) : 0;
    grid speed;
    if (!grid_solve(w->x, grid_part(m, field, rank, row, rank, column),
                    grid_part(m, velocity, rank, row, 1, &first), &speed))
        return false;
    for (uint32_t a = 0; a < g; a++) {
        expr value = EXPR_ZERO;
        for (uint32_t i = 0; i < rank; i++)
            if (column[i] == a) value = GRID(speed, i, 0);
        add_pair(w, w->w->speed[a], value);
    }
    return true;
}

// --- verifying -----------------------------------------------------------------------------------

// The rates f - X and the constraints on positions vanish for all values of the symbols.
static bool verify(work *w) {
    const mechanics *s = w->w->s;
    const uint32_t size = w->o->size;
    expr *e = arena_array(&s->model->ctx->arena, expr, size + s->k + 1);
    linear_problem_rates(w->w, w->o, e);
    uint32_t count = size;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) e[count++] = c->phi;
    }
    exact_state_put(&w->out, w->p, count, e, e);
    return expr_all_vanish(w->p, count, e);
}

static bool try(work *w, bool stated) {
    w->out.count = 0;
    w->out.stated = stated;
    put_parameters(w, stated);
    put_coordinates(w);
    put_inputs(w);
    put_velocities(w);
    return put_speeds(w) && verify(w);
}

exact_state exact_state_create(const steady_problem *p, const steady_motion *at, const ode *o,
                               const mechanics *stated, uint32_t kept_count, const expr *kept) {
    const mechanics *s = p->s;
    work w = {.w = p,
              .at = at,
              .o = o,
              .stated = stated,
              .p = s->pool,
              .x = (state *)&at->x,
              .kept_count = kept_count,
              .kept = kept};
    const model *m = stated->model;
    const size_t most =
        m->parameters_count + 2 * s->n + s->m + p->group->count + 4 * (size_t)m->givens_count + 1;
    w.out.from = arena_array(&m->ctx->arena, expr, most);
    w.out.to = arena_array(&m->ctx->arena, expr, most);
    if (!at->found || !(try(&w, false) || try(&w, true)))
        w.out.refusal = "the steady motion is not one whose coordinates are known numbers (0, "
                        "fractions, fractions of pi) for all values of its velocities";
    return w.out;
}

void exact_state_put(const exact_state *x, pool *p, uint32_t count, const expr *in, expr *out) {
    expr_substitute(p, x->count, x->from, x->to, count, in, out);
}
