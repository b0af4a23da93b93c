// Integrals by linear algebra: d/dt sum_j c_j b_j = 0 for all admissible velocities, at random
// points of F_p, then with exact coefficients.
#include "analyse/integrals.h"

#include "analyse/ansatz.h"
#include "analyse/rational_point.h"
#include "analyse/residues.h"
#include "normal/normal.h"

#include <flint/nmod_mat.h>

enum {
    MORE_ROWS = 4,
    MOST_SUPPORT = 12,
    LARGEST_NUMBER = 1 << 20,
    MOST_RELATIONS = 24,
    SHORT_MULTIPLIER = 200
};

typedef struct {
    const directions *d;
    pool *p;
    arena *arena;
    expr *speed;    // one scratch symbol a direction: the speed along it
    expr *velocity; // q' = X_0 + sum_s speed_s X_s
    expr column[MOST_COLUMNS], rate[MOST_COLUMNS];
    uint32_t columns;
    nmod_mat_t relation; // reduced row echelon form of the rates at random points
    slong rank;
    slong *pivot; // of each row
} search;

// --- rates ---------------------------------------------------------------------------------------

static void general_velocity(search *r) {
    const directions *d = r->d;
    r->speed = arena_array(r->arena, expr, d->fields);
    r->velocity = arena_array(r->arena, expr, d->s->n);
    for (uint32_t k = 0; k + 1 < d->fields; k++)
        r->speed[k] = expr_symbol(r->p, arena_format(r->arena, "speed[%u]", k + 1), ROLE_LOCAL);
    r->speed[d->fields - 1] = EXPR_ONE;
    expr *entry = arena_array(r->arena, expr, d->fields);
    for (uint32_t i = 0; i < d->s->n; i++) {
        for (uint32_t k = 0; k < d->fields; k++) entry[k] = d->field[k * d->width + i];
        r->velocity[i] = expr_dot(r->p, d->fields, r->speed, entry);
    }
}

static expr rate_of(const search *r, expr f) {
    return expr_replace(r->p, expr_ddt(r->p, f), r->d->s->n, r->d->s->qd, r->velocity);
}

// A row of rates at each of enough points, all with the same parameters; false if a point is
// missing.
static bool fill_rows(search *r, program *prog, uint64_t seed) {
    const uint32_t rows = r->columns + MORE_ROWS;
    uint32_t done = 0;
    for (uint64_t variation = 0; variation < rows + MOST_TRIES && done < rows; variation++) {
        random_point at;
        if (!random_point_create(r->d->at, seed, variation, &at)) continue;
        if (!done) nmod_mat_init(r->relation, rows, r->columns, at.at.prime);
        done += program_run_modular(prog, &at.at, at.value,
                                    nmod_mat_entry_ptr(r->relation, done, 0)) == MODULAR_OK;
        random_point_clear(&at);
        if (!done) nmod_mat_clear(r->relation);
    }
    if (done && done < rows) nmod_mat_clear(r->relation);
    return done == rows;
}

static bool find_relations(search *r) {
    program *prog = program_create(r->p, r->columns, r->rate);
    bool ok = false;
    for (uint64_t seed = 0; seed < 4 && !ok; seed++) ok = fill_rows(r, prog, seed);
    program_free(prog);
    if (!ok) return false;
    r->rank = nmod_mat_rref(r->relation);
    r->pivot = arena_array(r->arena, slong, r->rank + 1);
    for (slong i = 0; i < r->rank; i++)
        while (!nmod_mat_entry(r->relation, i, r->pivot[i])) r->pivot[i]++;
    return true;
}

// --- coefficients --------------------------------------------------------------------------------

typedef struct { // b_last + sum of c_j b_j over earlier columns
    uint32_t count;
    expr column[MOST_SUPPORT], coefficient[MOST_SUPPORT], rate[MOST_SUPPORT];
    // coefficients that are no small numbers: they depend on parameters
    uint32_t unknown[MOST_SUPPORT], unknowns;
} candidate;

static bool candidate_of(const search *r, slong free_column, candidate *c) {
    *c = (candidate){.count = 0};
    for (slong i = 0; i < r->rank; i++) {
        const mp_limb_t x = nmod_mat_entry(r->relation, i, free_column);
        if (!x) continue;
        if (c->count == MOST_SUPPORT - 1) return false;
        c->column[c->count] = r->column[r->pivot[i]];
        c->rate[c->count] = r->rate[r->pivot[i]];
        c->coefficient[c->count] = residues_small_fraction(r->p, nmod_neg(x, r->relation->mod),
                                                           r->relation->mod.n, LARGEST_NUMBER);
        if (c->coefficient[c->count] == EXPR_NONE) c->unknown[c->unknowns++] = c->count;
        c->count++;
    }
    c->column[c->count] = r->column[free_column];
    c->rate[c->count] = r->rate[free_column];
    c->coefficient[c->count++] = EXPR_ONE;
    return true;
}

// Coefficients that depend on parameters, from as many rational points as there are.
static bool solve_coefficients(const search *r, candidate *c) {
    if (!c->unknowns) return true;
    expr residual[MOST_SUPPORT], symbol[MOST_SUPPORT], value[MOST_SUPPORT], rate[MOST_SUPPORT];
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < c->unknowns; i++) {
        symbol[i] = expr_symbol(r->p, "coefficient", ROLE_LOCAL);
        c->coefficient[c->unknown[i]] = symbol[i];
    }
    for (uint64_t seed = 0; seed < 3; seed++) {
        for (uint32_t i = 0; i < c->unknowns; i++) {
            rational_point_values(r->d->s, seed * MOST_SUPPORT + i, c->count, c->rate, rate);
            residual[i] = expr_dot(r->p, c->count, c->coefficient, rate);
        }
        if (!normal_solve(r->p, c->unknowns, residual, symbol, &budget, value)) continue;
        for (uint32_t i = 0; i < c->unknowns; i++) c->coefficient[c->unknown[i]] = value[i];
        return true;
    }
    return false;
}

// The combination, scaled so that it is shortest: one of the coefficients, the first if none is
// better, becomes 1.
static expr shortest_combination(const search *r, const candidate *c) {
    const normal_budget budget = normal_budget_default();
    expr best = EXPR_NONE, scaled[MOST_SUPPORT];
    for (uint32_t k = 0; k < c->count; k++) {
        for (uint32_t j = 0; j < c->count; j++)
            scaled[j] = normal_simplify(r->p, expr_div(r->p, c->coefficient[j], c->coefficient[k]),
                                        &budget);
        const expr f = normal_simplify(r->p, expr_dot(r->p, c->count, scaled, c->column), &budget);
        if (best == EXPR_NONE || expr_weight(r->p, f) < expr_weight(r->p, best)) best = f;
    }
    return best;
}

// --- verification --------------------------------------------------------------------------------

static bool is_constant(const search *r, expr f) {
    const expr rate = rate_of(r, f);
    const normal_budget budget = normal_budget_default();
    const normal_truth truth = normal_is_zero(r->p, rate, &budget);
    // on the holonomic constraints only
    return truth == NORMAL_YES ||
           (truth == NORMAL_UNKNOWN && points_vanish(r->d->at, rate) == VANISHES_YES) ||
           (r->d->at->surfaces && points_vanish(r->d->at, rate) == VANISHES_YES);
}

// Each column that depends on those before it gives a candidate: an integral, a function of
// integrals, or an identity between columns.
static uint32_t take_relations(search *r, uint32_t wanted, uint32_t known, expr *f) {
    slong next = 0;
    uint32_t tried = 0;
    for (slong j = 0; j < (slong)r->columns && known < wanted && tried < MOST_RELATIONS; j++) {
        if (next < r->rank && r->pivot[next] == j) {
            next++;
            continue;
        }
        candidate c;
        tried++;
        if (!candidate_of(r, j, &c) || !solve_coefficients(r, &c)) continue;
        f[known] = expr_dot(r->p, c.count, c.coefficient, c.column);
        if (!directions_independent_functions(r->d->s, r->d->at, known + 1, f) ||
            !is_constant(r, f[known]))
            continue;
        f[known] = shortest_combination(r, &c);
        known++;
    }
    return known;
}

uint32_t integrals_find(const directions *d, uint32_t forms, const expr *form, uint32_t wanted,
                        uint32_t known, expr *f) {
    if (known >= wanted) return known;
    search *r = arena_new(&d->s->model->ctx->arena, search);
    *r = (search){.d = d, .p = d->s->pool, .arena = &d->s->model->ctx->arena};
    general_velocity(r);
    const ansatz a = ansatz_create(d, forms, form);
    for (uint32_t stage = 0; stage < ANSATZ_STAGES && known < wanted; stage++) {
        r->columns = ansatz_columns(&a, stage, r->column);
        if (!r->columns) break;
        for (uint32_t j = 0; j < r->columns; j++) r->rate[j] = rate_of(r, r->column[j]);
        if (!find_relations(r)) break;
        known = take_relations(r, wanted, known, f);
        nmod_mat_clear(r->relation);
    }
    return known;
}

bool integral_multipliers(const mechanics *s, expr f, expr *multiplier) {
    arena *a = &s->model->ctx->arena;
    pool *p = s->pool;
    expr *symbol = arena_array(a, expr, s->k), *residual = arena_array(a, expr, s->k),
         *column = arena_array(a, expr, s->k);
    normal_budget budget = normal_budget_default();
    budget.longest = SHORT_MULTIPLIER;
    for (uint32_t nu = 0; nu < s->k; nu++) symbol[nu] = expr_symbol(p, "multiplier", ROLE_LOCAL);
    for (uint32_t j = 0; j < s->k; j++) {
        const uint32_t i = s->dependent[j];
        for (uint32_t nu = 0; nu < s->k; nu++) column[nu] = mechanics_slopes(s)[nu * s->n + i];
        residual[j] = expr_sub(p, expr_dot(p, s->k, symbol, column), expr_diff(p, f, s->q[i]));
    }
    return normal_solve(p, s->k, residual, symbol, &budget, multiplier);
}
