// Which positions can be reached.
#include "analyse/reach.h"

#include "derive/determinant.h"
#include "expr/matrix.h"
#include "normal/normal.h"

#include <flint/nmod_mat.h>
#include <stdlib.h>

enum { SEED = 11, PLACES = 4, MOST_CHARTS = 20, MOST_POWERS = 24, MOST_AD = 4, MOST_CHART_NODES = 30000 };

static arena *arena_of(const directions *d) { return &d->s->model->ctx->arena; }

// --- everywhere -----------------------------------------------------------------------------------------------------

static bool is_constant(pool *p, expr e) { return expr_order(p, e) < 0 && !expr_depends_on_time(p, e); }

// b1^e1 * b2^e2 ..: whole powers, none of them negative, of what moves
static bool has_whole_powers(pool *p, expr product) {
    for (uint32_t i = 0; i < expr_operand_count(p, product); i += 2) {
        int64_t power;
        const bool whole = expr_is_integer(p, expr_operand(p, product, i + 1), &power) && power >= 0;
        if (!whole && !is_constant(p, expr_operand(p, product, i))) return false;
    }
    return true;
}

// Sums, products, whole powers, sin, cos, exp ..: defined and analytic for all positions and times.
static bool is_entire(pool *p, uint32_t count, const expr *e) {
    uint32_t nodes;
    expr *node = expr_reachable(p, count, e, &nodes);
    bool entire = true;
    for (uint32_t i = 0; i < nodes && entire; i++) switch (expr_kind_of(p, node[i])) {
        case EXPR_SUM:
        case EXPR_SIN:
        case EXPR_COS:
        case EXPR_SINH:
        case EXPR_COSH:
        case EXPR_TANH:
        case EXPR_ATAN:
        case EXPR_EXP: break;
        case EXPR_PRODUCT: entire = has_whole_powers(p, node[i]); break;
        default: entire = expr_operand_count(p, node[i]) == 0 || is_constant(p, node[i]);
        }
    free(node);
    return entire;
}

// The determinant of the q-components of n fields, and the functions `other`, at a point; false if they have no value.
static bool values_at(const directions *d, uint64_t variation, const expr *field, uint32_t others, const expr *other,
                      mp_limb_t *det, mp_limb_t *out, mp_limb_t *prime) {
    const uint32_t w = d->width, n = w - 1, count = n * w + others;
    random_point at;
    expr *all = arena_array(arena_of(d), expr, count);
    for (uint32_t i = 0; i < count; i++) all[i] = i < n * w ? field[i] : other[i - n * w];
    if (!point_create(d->at, SEED, variation, &at)) return false;
    mp_limb_t *value = memory_resize(NULL, sizeof(mp_limb_t) * count);
    const bool ok = point_values(d->at, &at, count, all, value);
    if (ok) {
        nmod_mat_t m;
        nmod_mat_init(m, n, n, at.at.prime);
        for (uint32_t i = 0; i < n * n; i++) nmod_mat_entry(m, i / n, i % n) = value[i / n * w + i % n];
        *det = nmod_mat_det(m), *prime = at.at.prime;
        nmod_mat_clear(m);
        for (uint32_t i = 0; i < others; i++) out[i] = value[n * w + i];
    }
    free(value);
    point_clear(&at);
    return ok;
}

// Is det * minor^p, for some p, the same at all positions, and not 0? Decided at random points with the same
// parameters.
static bool is_constant_up_to(const directions *d, const expr *field, expr minor) {
    mp_limb_t det[PLACES], scale[PLACES], prime = 2;
    uint32_t places = 0;
    for (uint64_t variation = 0; variation < MOST_TRIES && places < PLACES; variation++)
        places += values_at(d, variation, field, 1, &minor, &det[places], &scale[places], &prime);
    if (places < PLACES || !det[0]) return false;
    for (uint32_t power = 0; power < MOST_POWERS; power++) {
        bool same = true;
        for (uint32_t i = 1; i < PLACES; i++) same = same && det[i] == det[0];
        if (same) return true;
        for (uint32_t i = 0; i < PLACES; i++) det[i] = n_mulmod2(det[i], scale[i], prime);
    }
    return false;
}

static expr simplify(pool *p, expr e) {
    const normal_budget budget = normal_budget_default();
    return normal_simplify(p, e, &budget);
}

static bool is_nonzero_constant(const directions *d, expr e) { return e != EXPR_ZERO && is_constant(d->s->pool, e); }

// The free directions with the velocities of these columns eliminated; false if the forms do not determine them.
static bool chart(const directions *d, uint32_t k, const expr *form, const uint32_t *column, directions *out) {
    const uint32_t w = d->width, n = w - 1, m = n - k;
    arena *a = arena_of(d);
    expr *block = arena_array(a, expr, k * k + 1), *right = arena_array(a, expr, k * m + 1),
         *x = arena_array(a, expr, k * m + 1);
    uint32_t *row = arena_array(a, uint32_t, k + 1), *pivot = arena_array(a, uint32_t, k + 1), f = 0;
    bool *depends = arena_array(a, bool, n);
    *out = *d;
    out->fields = m + 1; // the drift plays no part
    out->field = arena_array(a, expr, (m + 1) * w);
    out->field[m * w + n] = EXPR_ONE;
    for (uint32_t j = 0; j < k; j++) depends[column[j]] = true;
    for (uint32_t i = 0; i < k * k; i++) block[i] = form[i / k * w + column[i % k]];
    if (generic_pivots(d->at, k, k, block, row, pivot) < k) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (depends[i]) continue;
        out->field[f * w + i] = EXPR_ONE;
        for (uint32_t nu = 0; nu < k; nu++) right[nu * m + f] = expr_neg(d->s->pool, form[nu * w + i]);
        f++;
    }
    matrix_solve(d->s->pool, k, block, m, right, row, pivot, x);
    for (f = 0; f < m; f++)
        for (uint32_t j = 0; j < k; j++) out->field[f * w + column[j]] = x[j * m + f];
    return true;
}

// Do the brackets fill the space wherever the minor of this chart does not vanish?
static bool fills_chart(const directions *d, expr minor) {
    const uint32_t n = d->width - 1;
    const flag f = flag_generic(d, d->fields - 1, n);
    if (!f.levels || f.rank[f.levels - 1] != n) return false;
    return is_constant_up_to(d, f.field, minor);
}

static bool next_choice(uint32_t n, uint32_t k, uint32_t *column) {
    for (uint32_t i = k; i-- > 0;) {
        if (column[i] >= n - k + i) continue;
        column[i]++;
        for (uint32_t j = i + 1; j < k; j++) column[j] = column[j - 1] + 1;
        return true;
    }
    return false;
}

// Where a minor, or the sum of the squares of the minors of such charts, is a constant, one of them is good at every
// position.
static bool fills_everywhere(const directions *d, uint32_t k, const expr *form) {
    const uint32_t w = d->width, n = w - 1;
    pool *p = d->s->pool;
    if (n > MOST_DETERMINANT || !is_entire(p, k * w, form)) return false;
    uint32_t *column = arena_array(arena_of(d), uint32_t, k + 1);
    expr *block = arena_array(arena_of(d), expr, k * k + 1), sum = EXPR_ZERO;
    for (uint32_t j = 0; j < k; j++) column[j] = j;
    const uint32_t nodes = pool_size(p);
    uint32_t charts = 0;
    do {
        if (pool_size(p) - nodes > MOST_CHART_NODES) return false;
        for (uint32_t i = 0; i < k * k; i++) block[i] = form[i / k * w + column[i % k]];
        const expr minor = simplify(p, determinant(p, k, block));
        directions local;
        if (!chart(d, k, form, column, &local) || !fills_chart(&local, minor)) continue;
        sum = simplify(p, expr_add(p, sum, expr_square(p, minor)));
        if (is_nonzero_constant(d, minor) || is_nonzero_constant(d, sum)) return true;
    } while (++charts < MOST_CHARTS && next_choice(n, k, column));
    return false;
}

// --- with the drift -------------------------------------------------------------------------------------------------

typedef struct {
    const directions *d;
    expr *field; // what can be followed both ways
    uint32_t count, rank;
} saturation;

static bool is_field_zero(const directions *d, const expr *x) {
    for (uint32_t i = 0; i < d->width; i++)
        if (vanishes(d->at, x[i]) != VANISHES_YES) return false;
    return true;
}

// Its curves are straight lines, run through at constant speed: V(V_i) = 0.
static bool is_straight(const directions *d, const expr *v) {
    pool *p = d->s->pool;
    for (uint32_t i = 0; i < d->width; i++) {
        expr *slope = arena_array(arena_of(d), expr, d->width);
        gradient_in_space(d->s, v[i], slope);
        if (vanishes(d->at, expr_dot(p, d->width, slope, v)) != VANISHES_YES) return false;
    }
    return true;
}

static void add_field(saturation *s, const expr *x) {
    const uint32_t w = s->d->width;
    if (s->count == MOST_FIELDS) return;
    for (uint32_t i = 0; i < w; i++) s->field[s->count * w + i] = x[i];
    const uint32_t rank = generic_rank(s->d->at, s->count + 1, w, s->field);
    if (rank > s->rank) s->rank = rank, s->count++;
}

// The last ad_V^r X_0 that does not vanish, if r is odd
static void add_limit(saturation *s, const expr *v) {
    const directions *d = s->d;
    const uint32_t w = d->width;
    const expr *drift = d->field + (d->fields - 1) * w;
    if (!is_straight(d, v)) return;
    expr *last = arena_array(arena_of(d), expr, w), *next = arena_array(arena_of(d), expr, w);
    for (uint32_t i = 0; i < w; i++) last[i] = drift[i];
    for (uint32_t r = 0; r < MOST_AD; r++) {
        lie_bracket(d, v, last, next);
        if (is_field_zero(d, next)) {
            if (r % 2) add_field(s, last);
            return;
        }
        for (uint32_t i = 0; i < w; i++) last[i] = next[i];
    }
}

// What can be followed both ways: the free directions, limits of the drift, and their brackets, until nothing comes.
static bool drift_fills_everywhere(const directions *d, const flag *free) {
    const uint32_t w = d->width, n = w - 1;
    if (!is_entire(d->s->pool, d->fields * w, d->field)) return false;
    saturation s = {.d = d, .field = arena_array(arena_of(d), expr, (MOST_FIELDS + 1) * w)};
    for (uint32_t i = 0; i < free->count; i++) add_field(&s, free->field + i * w);
    expr *bracket = arena_array(arena_of(d), expr, w);
    for (uint32_t i = 0; i < s.count && s.rank < n; i++) {
        add_limit(&s, s.field + i * w);
        for (uint32_t j = 0; j < i && s.rank < n; j++) {
            lie_bracket(d, s.field + i * w, s.field + j * w, bracket);
            add_field(&s, bracket);
        }
    }
    return s.rank == n && s.count == n && is_constant_up_to(d, s.field, EXPR_ONE);
}

// --- the verdict ----------------------------------------------------------------------------------------------------

reach reach_of(const directions *d, const flag *free, const flag *motion, uint32_t forms, const expr *form) {
    const uint32_t n = d->width - 1;
    if (free->levels && free->rank[free->levels - 1] == n)
        return (reach){fills_everywhere(d, forms, form) ? REACH_EVERY : REACH_NEAR, false};
    if (!motion->levels) return (reach){REACH_UNKNOWN, false};
    if (motion->rank[motion->levels - 1] <= n) return (reach){motion->complete ? REACH_LEAF : REACH_UNKNOWN, false};
    return (reach){free->complete && drift_fills_everywhere(d, free) ? REACH_EVERY : REACH_OPEN_SET, true};
}
