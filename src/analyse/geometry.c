// Frobenius' test and the growth vector, by exact arithmetic in F_p at random points.
#include "analyse/geometry.h"

#include "derive/basis.h"
#include "expr/program.h"

#include <flint/nmod_mat.h>
#include <stdlib.h>

enum { LARGEST = 12, POINTS = 4, MOST_TRIES = 200, MOST_FIELDS = 64 };

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    uint32_t dimension; // n, and t as one more direction
    expr *field;        // admissible directions: X_1 .. X_m and the drift X_0, each `dimension` components
    uint32_t fields;
} directions;

// --- random points ---------------------------------------------------------------------------------------------------------

// Values of expressions at the i-th random point; false if something has no image there.
static bool values_at(const directions *d, uint64_t seed, uint32_t count, const expr *e, mp_limb_t *prime, mp_limb_t *out) {
    program *prog = program_create(d->p, count, e);
    const uint32_t symbols = pool_symbol_count(d->p);
    mp_limb_t *value = memory_resize(NULL, sizeof(mp_limb_t) * (symbols ? symbols : 1));
    uint64_t random = 0x5EED + seed;
    const modular_point at = {modular_random_prime(&random), random_next(&random), modular_denominator(d->p)};
    for (uint32_t i = 0; i < symbols; i++) value[i] = random_next(&random) % at.prime;
    const bool ok = program_run_modular(prog, &at, value, out) == MODULAR_OK;
    *prime = at.prime;
    free(value);
    program_free(prog);
    return ok;
}

// Is the expression zero at several random points? UNKNOWN where too few points can be made.
static integrability vanishes(const directions *d, expr e) {
    if (e == EXPR_ZERO) return INTEGRABLE_YES;
    uint32_t done = 0;
    for (uint64_t seed = 0; seed < MOST_TRIES && done < POINTS; seed++) {
        mp_limb_t prime, value;
        if (!values_at(d, seed, 1, &e, &prime, &value)) continue;
        if (value) return INTEGRABLE_NO;
        done++;
    }
    return done == POINTS ? INTEGRABLE_YES : INTEGRABLE_UNKNOWN;
}

// Rank of a list of vectors at a random point; 0 if no point can be made.
static uint32_t rank_of(const directions *d, uint32_t count, uint32_t width, const expr *vectors) {
    mp_limb_t *value = memory_resize(NULL, sizeof(mp_limb_t) * count * width), prime;
    uint32_t rank = 0;
    for (uint64_t seed = 0; seed < MOST_TRIES && !rank; seed++) {
        if (!values_at(d, seed, count * width, vectors, &prime, value)) continue;
        nmod_mat_t m;
        nmod_mat_init(m, count, width, prime);
        for (uint32_t i = 0; i < count * width; i++) nmod_mat_entry(m, i / width, i % width) = value[i];
        rank = (uint32_t)nmod_mat_rank(m);
        nmod_mat_clear(m);
    }
    free(value);
    return rank;
}

// --- directions --------------------------------------------------------------------------------------------------------------

// X_s = sum_i B_is d/dq_i, and the drift X_0 = d/dt + sum_i V_i(eta = 0) d/dq_i of affine or moving constraints.
static directions directions_of(const mechanics *s) {
    directions d = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena, .dimension = s->n + 1, .fields = s->m + 1};
    const mechanics plain = mechanics_without_quasi(s);
    const velocity_basis v = basis_create(&plain);
    expr *zero = arena_array(d.arena, expr, s->m);
    d.field = arena_array(d.arena, expr, d.fields * d.dimension);
    for (uint32_t k = 0; k < s->m; k++)
        for (uint32_t i = 0; i < s->n; i++) d.field[k * d.dimension + i] = v.column[i * s->m + k];
    for (uint32_t i = 0; i < s->n; i++) d.field[s->m * d.dimension + i] = expr_replace(d.p, v.velocity[i], s->m, plain.eta, zero);
    d.field[s->m * d.dimension + s->n] = EXPR_ONE;
    return d;
}

// --- brackets ----------------------------------------------------------------------------------------------------------------

// All partial derivatives of f in q and t; a given's time dependence is explicit time.
static void gradient(const directions *d, expr f, expr *out) {
    const mechanics *s = d->s;
    expr *zero = arena_array(d->arena, expr, s->n);
    expr_gradient(d->p, f, s->n, s->q, out);
    out[s->n] = expr_replace(d->p, expr_ddt(d->p, f), s->n, s->qd, zero);
}

// [X, Y]_i = sum_j (X_j dY_i/dx_j - Y_j dX_i/dx_j), x = (q, t)
static void bracket(const directions *d, const expr *x, const expr *y, expr *out) {
    expr *partial = arena_array(d->arena, expr, d->dimension);
    for (uint32_t i = 0; i < d->dimension; i++) {
        gradient(d, y[i], partial);
        out[i] = expr_dot(d->p, d->dimension, x, partial);
        gradient(d, x[i], partial);
        out[i] = expr_sub(d->p, out[i], expr_dot(d->p, d->dimension, y, partial));
    }
}

typedef struct {
    expr *field;
    uint32_t count;
    uint32_t rank[MOST_LEVELS], levels;
    bool complete; // closed under brackets, or all of the space
} closure;

// The span of the first `generators` directions and of their brackets with what the last level added, until nothing new comes.
static closure close_under_brackets(const directions *d, uint32_t generators, uint32_t full) {
    const uint32_t w = d->dimension;
    closure c = {.field = arena_array(d->arena, expr, (MOST_FIELDS + 1) * w), .count = generators};
    for (uint32_t i = 0; i < generators * w; i++) c.field[i] = d->field[i];
    uint32_t rank = rank_of(d, c.count, w, c.field), first = 0;
    while (rank >= generators && c.levels < MOST_LEVELS && !c.complete) {
        c.rank[c.levels++] = rank;
        const uint32_t last = c.count;
        for (uint32_t s = 0; s < generators && rank < full; s++)
            for (uint32_t y = first; y < last && rank < full && c.count < MOST_FIELDS; y++) {
                bracket(d, c.field + s * w, c.field + y * w, c.field + c.count * w);
                const uint32_t now = rank_of(d, c.count + 1, w, c.field);
                if (now > rank) rank = now, c.count++;
            }
        c.complete = c.count == last;
        first = last;
    }
    return c;
}

// A constraint follows from a relation between positions (and time) iff its form vanishes on everything that brackets of admissible directions reach.
static integrability integrable(const directions *d, const closure *c, uint32_t nu) {
    const mechanics *s = d->s;
    expr *form = arena_array(d->arena, expr, d->dimension), *zero = arena_array(d->arena, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) form[i] = s->phi_velocity[nu * s->n + i];
    form[s->n] = expr_replace(d->p, s->phi[nu], s->n, s->qd, zero);
    integrability result = INTEGRABLE_YES;
    for (uint32_t y = 0; y < c->count && result == INTEGRABLE_YES; y++)
        result = vanishes(d, expr_dot(d->p, d->dimension, form, c->field + y * d->dimension));
    return result == INTEGRABLE_YES && !c->complete ? INTEGRABLE_UNKNOWN : result;
}

geometry geometry_of(const mechanics *s) {
    geometry g = {.constraint = arena_array(&s->model->ctx->arena, integrability, s->model->constraints_count)};
    for (uint32_t i = 0; i < s->model->constraints_count; i++)
        g.constraint[i] = s->model->constraints[i].order == 0 ? INTEGRABLE_YES : INTEGRABLE_UNKNOWN;
    for (uint32_t i = 0; i < s->k; i++)
        if (!s->model->constraints[s->constraint[i]].linear) return g;
    if (s->n > LARGEST) return g;
    const directions d = directions_of(s);
    const closure motion = close_under_brackets(&d, s->m + 1, s->n + 1), positions = close_under_brackets(&d, s->m, s->n);
    for (uint32_t nu = 0; nu < s->k && motion.levels; nu++) g.constraint[s->constraint[nu]] = integrable(&d, &motion, nu);
    g.growth_count = positions.complete ? positions.levels : 0;
    for (uint32_t i = 0; i < g.growth_count; i++) g.growth[i] = positions.rank[i];
    return g;
}
