// Random points of F_p.
#include "model/points.h"

#include <flint/nmod_mat.h>
#include <flint/ulong_extras.h>

enum { POINTS = 4 };

// --- the surface ---------------------------------------------------------------------------------

// Constraints are solved in their order, so a coordinate to solve for may
// not appear in those before.
static bool is_free_for(const points *all, expr q) {
    for (uint32_t i = 0; i < all->surfaces; i++)
        if (expr_depends_on(all->pool, all->surface[i].function, 1, &q)) return false;
    return true;
}

// For one of the variables, the last that will do
static void add_surface(points *all, expr function, uint32_t count, const expr *variable) {
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t degree = expr_degree(all->pool, function, 1, &variable[i], NULL);
        if (degree < 1 || degree > 2 || !is_free_for(all, variable[i])) continue;
        all->surface[all->surfaces++] = (surface){function, variable[i]};
        return;
    }
}

points points_of(const mechanics *s) {
    points all = {.m = s->model,
                  .pool = s->pool,
                  .surface = arena_array(&s->model->ctx->arena, surface, s->k)};
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 0) add_surface(&all, c->phi, s->n, s->q);
    }
    return all;
}

points points_on(const model *m, uint32_t count, const uint32_t *constraint_index, bool stated) {
    const uint32_t n = m->coordinates_count;
    arena *a = &m->ctx->arena;
    points all = {
        .m = m, .pool = m->pool, .surface = arena_array(a, surface, count), .stated = stated};
    expr *qd = arena_array(a, expr, n);
    for (uint32_t j = 0; j < n; j++) qd[j] = expr_symbol_of_order(m->pool, m->coordinates[j], 1);
    for (uint32_t i = 0; i < count; i++) {
        const constraint *c = &m->constraints[constraint_index[i]];
        expr phi = c->phi;
        if (c->order && c->linear) continue;
        model_concrete(m, false, 1, &phi, &phi);
        add_surface(&all, phi, n, c->order ? qd : m->coordinates);
    }
    return all;
}

// Solve c0 + c1 x + c2 x^2 = 0 in F_p; of two roots the first.
static bool solve_quadratic(mp_limb_t c0, mp_limb_t c1, mp_limb_t c2, nmod_t mod, mp_limb_t *x) {
    if (!c2) {
        if (!c1) return false;
        *x = nmod_div(nmod_neg(c0, mod), c1, mod);
        return true;
    }
    const mp_limb_t four = nmod_mul(4, nmod_mul(c0, c2, mod), mod),
                    d = nmod_sub(nmod_mul(c1, c1, mod), four, mod);
    if (d && n_jacobi_unsigned(d, mod.n) != 1) return false;
    *x = nmod_div(nmod_sub(n_sqrtmod(d, mod.n), c1, mod), nmod_add(c2, c2, mod), mod);
    return true;
}

// The polynomial from its values at 0, 1, -1.
static bool solve_surface(const points *all, const surface *f, random_point *at) {
    nmod_t mod;
    nmod_init(&mod, at->at.prime);
    mp_limb_t *x = &at->value[expr_symbol_index(all->pool, f->coordinate)], y[3];
    const mp_limb_t where[3] = {0, 1, mod.n - 1}, half = nmod_inv(2, mod);
    for (uint32_t i = 0; i < 3; i++) {
        *x = where[i];
        if (!random_point_values(all, at, 1, &f->function, &y[i])) return false;
    }
    const mp_limb_t c1 = nmod_mul(half, nmod_sub(y[1], y[2], mod), mod);
    const mp_limb_t c2 = nmod_sub(nmod_mul(half, nmod_add(y[1], y[2], mod), mod), y[0], mod);
    return solve_quadratic(y[0], c1, c2, mod, x);
}

// Stated values: numbers, then those that use other parameters, in any order
static bool set_parameters(const points *all, random_point *at) {
    const model *m = all->m;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < m->parameters_count; i++) {
            const parameter *a = &m->parameters[i];
            mp_limb_t *value = &at->value[expr_symbol_index(all->pool, a->symbol)], old = *value;
            if (a->value != EXPR_NONE && !random_point_values(all, at, 1, &a->value, value))
                return false;
            changed = changed || *value != old;
        }
    }
    return true;
}

// --- points --------------------------------------------------------------------------------------

bool random_point_create(points *all, uint64_t seed, uint64_t variation, random_point *out) {
    pool *p = all->pool;
    if (all->nodes != pool_size(p)) all->nodes = pool_size(p), all->angles = modular_angles_of(p);
    uint64_t random = pool_context(p)->seed + 0xD1342543DE82EF95u * (seed + 1);
    *out = (random_point){.at = modular_point_random(all->angles, &random),
                          .symbols = pool_symbol_count(p)};
    out->value = memory_array(mp_limb_t, out->symbols + 1);
    uint64_t moving = random + variation * 0x9E3779B97F4A7C15u + 1;
    random_next(&moving);
    for (uint32_t i = 0; i < out->symbols; i++)
        out->value[i] = random_next(pool_symbol(p, i)->role == ROLE_PARAMETER ? &random : &moving) %
                        out->at.prime;
    bool ok = all->angles.denominator != 0 && (!all->stated || set_parameters(all, out));
    for (uint32_t i = 0; i < all->surfaces && ok; i++)
        ok = solve_surface(all, &all->surface[i], out);
    if (!ok) random_point_clear(out);
    return ok;
}

void random_point_clear(random_point *at) { memory_free(at->value); }

bool random_point_values(const points *all, const random_point *at, uint32_t count, const expr *e,
                         mp_limb_t *out) {
    program *prog = program_create(all->pool, count, e);
    const bool ok = program_run_modular(prog, &at->at, at->value, out) == MODULAR_OK;
    program_free(prog);
    return ok;
}

bool points_have_values(points *all, uint32_t count, const expr *e) {
    mp_limb_t *value = memory_array(mp_limb_t, count + 1);
    bool found = false;
    for (uint64_t seed = 0; seed < MOST_TRIES && !found; seed++) {
        random_point at;
        if (!random_point_create(all, seed, 0, &at)) continue;
        found = random_point_values(all, &at, count, e, value);
        random_point_clear(&at);
    }
    memory_free(value);
    return found;
}

vanishing points_vanish(points *all, expr e) {
    if (e == EXPR_ZERO) return VANISHES_YES;
    uint32_t done = 0;
    for (uint64_t seed = 0; seed < MOST_TRIES && done < POINTS; seed++) {
        random_point at;
        mp_limb_t value = 0;
        if (!random_point_create(all, seed, 0, &at)) continue;
        const bool ok = random_point_values(all, &at, 1, &e, &value);
        random_point_clear(&at);
        if (value && ok) return VANISHES_NO;
        done += ok;
    }
    return done == POINTS ? VANISHES_YES : VANISHES_UNKNOWN;
}

// Elimination with the first pivot found, columns in order.
static uint32_t eliminate(nmod_mat_t m, uint32_t *row, uint32_t *column) {
    uint32_t rank = 0;
    bool *used = memory_zeros(bool, (size_t)m->r + 1);
    for (slong j = 0; j < m->c; j++) {
        slong pivot = 0;
        while (pivot < m->r && (used[pivot] || !nmod_mat_entry(m, pivot, j))) pivot++;
        if (pivot == m->r) continue;
        used[pivot] = true;
        row[rank] = (uint32_t)pivot, column[rank++] = (uint32_t)j;
        const mp_limb_t inverse = nmod_inv(nmod_mat_entry(m, pivot, j), m->mod);
        for (slong i = 0; i < m->r; i++) {
            if (used[i] || !nmod_mat_entry(m, i, j)) continue;
            const mp_limb_t factor =
                nmod_neg(nmod_mul(nmod_mat_entry(m, i, j), inverse, m->mod), m->mod);
            for (slong k = j; k < m->c; k++)
                nmod_mat_entry(m, i, k) =
                    nmod_add(nmod_mat_entry(m, i, k),
                             nmod_mul(factor, nmod_mat_entry(m, pivot, k), m->mod), m->mod);
        }
    }
    memory_free(used);
    return rank;
}

// Rank and pivots at the point of this seed; false if there is none.
static bool rank_at(points *all, uint64_t seed, uint32_t rows, uint32_t width, const expr *matrix,
                    uint32_t *row, uint32_t *column, uint32_t *rank) {
    random_point at;
    if (!random_point_create(all, seed, 0, &at)) return false;
    mp_limb_t *value = memory_array(mp_limb_t, (size_t)rows * width + 1);
    const bool ok = random_point_values(all, &at, rows * width, matrix, value);
    if (ok) {
        nmod_mat_t m;
        nmod_mat_init(m, rows, width, at.at.prime);
        for (uint32_t i = 0; i < rows * width; i++)
            nmod_mat_entry(m, i / width, i % width) = value[i];
        *rank = eliminate(m, row, column);
        nmod_mat_clear(m);
    }
    memory_free(value);
    random_point_clear(&at);
    return ok;
}

uint32_t points_generic_pivots(points *all, uint32_t rows, uint32_t width, const expr *matrix,
                               uint32_t *row, uint32_t *column) {
    uint32_t rank = 0;
    for (uint64_t seed = 0; seed < MOST_TRIES; seed++)
        if (rank_at(all, seed, rows, width, matrix, row, column, &rank)) return rank;
    return 0;
}

static uint32_t rank_at_points(points *all, uint32_t count, uint32_t rows, uint32_t width,
                               const expr *vectors) {
    uint32_t *pivot = memory_array(uint32_t, 2 * width + 1), largest = 0, rank = 0, done = 0;
    for (uint64_t seed = 0; seed < MOST_TRIES && done < count; seed++) {
        if (!rank_at(all, seed, rows, width, vectors, pivot, pivot + width, &rank)) continue;
        if (rank > largest) largest = rank;
        done++;
    }
    memory_free(pivot);
    return largest;
}

uint32_t points_generic_rank(points *all, uint32_t rows, uint32_t width, const expr *vectors) {
    return rank_at_points(all, 1, rows, width, vectors);
}
uint32_t points_largest_rank(points *all, uint32_t rows, uint32_t width, const expr *vectors) {
    return rank_at_points(all, POINTS, rows, width, vectors);
}
