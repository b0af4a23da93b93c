// Which positions can be reached.
#include "analyse/reach.h"

#include "derive/determinant.h"
#include "expr/matrix.h"
#include "normal/normal.h"

#include <flint/nmod_mat.h>

enum {
    SEED = 11,
    PLACES = 4,
    MOST_CHARTS = 20,
    MOST_POWERS = 24,
    MOST_AD = 4,
    MOST_CHART_NODES = 8000,
    MOST_BRACKETS = 24,
    MOST_CHOICES = 3000
};

static arena *arena_of(const directions *d) { return &d->s->model->ctx->arena; }

// --- everywhere ----------------------------------------------------------------------------------

static bool is_constant(pool *p, expr e) {
    return expr_order(p, e) < 0 && !expr_depends_on_time(p, e);
}

// b1^e1 * b2^e2 ..: whole powers, none of them negative, of what moves
static bool has_whole_powers(pool *p, expr product) {
    for (uint32_t i = 0; i < expr_operand_count(p, product); i += 2) {
        int64_t power;
        const bool whole =
            expr_is_integer(p, expr_operand(p, product, i + 1), &power) && power >= 0;
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
    memory_free(node);
    return entire;
}

// Fields, and one more function, at some random points with the same parameters.
typedef struct {
    uint32_t n, width;
    mp_limb_t *value[PLACES], scale[PLACES], prime;
} survey;

static void survey_free(survey *v) {
    for (uint32_t i = 0; i < PLACES; i++) memory_free(v->value[i]);
}

static bool survey_make(const directions *d, uint32_t fields, const expr *field, expr scale,
                        survey *out) {
    const uint32_t count = fields * d->width + 1;
    expr *all = arena_array(arena_of(d), expr, count);
    for (uint32_t i = 0; i + 1 < count; i++) all[i] = field[i];
    all[count - 1] = scale;
    *out = (survey){.n = d->width - 1, .width = d->width};
    uint32_t places = 0;
    for (uint64_t variation = 0; variation < MOST_TRIES && places < PLACES; variation++) {
        random_point at;
        if (!random_point_create(d->at, SEED, variation, &at)) continue;
        mp_limb_t *value = memory_grow(out->value[places], count);
        if (random_point_values(d->at, &at, count, all, value)) {
            out->scale[places] = value[count - 1], out->prime = at.at.prime;
            places++;
        }
        random_point_clear(&at);
    }
    return places == PLACES;
}

// Is det * scale^p, for some p, the same at all positions, and not 0? det: of the q-components of n
// of the fields.
static bool is_constant_up_to_scale(const survey *v, const uint32_t *which) {
    const uint32_t n = v->n;
    mp_limb_t det[PLACES];
    nmod_mat_t m;
    nmod_mat_init(m, n, n, v->prime);
    for (uint32_t k = 0; k < PLACES; k++) {
        for (uint32_t i = 0; i < n * n; i++)
            nmod_mat_entry(m, i / n, i % n) = v->value[k][which[i / n] * v->width + i % n];
        det[k] = nmod_mat_det(m);
    }
    nmod_mat_clear(m);
    for (uint32_t power = 0; power < MOST_POWERS && det[0]; power++) {
        bool same = true;
        for (uint32_t i = 1; i < PLACES; i++) same = same && det[i] == det[0];
        if (same) return true;
        for (uint32_t i = 0; i < PLACES; i++) det[i] = n_mulmod2(det[i], v->scale[i], v->prime);
    }
    return false;
}

static expr simplify(pool *p, expr e) {
    const normal_budget budget = normal_budget_default();
    return normal_simplify(p, e, &budget);
}

static bool is_nonzero_constant(const directions *d, expr e) {
    return e != EXPR_ZERO && is_constant(d->s->pool, e);
}

// The free directions with the velocities of these columns eliminated; false if the forms do not
// determine them.
static bool chart(const directions *d, uint32_t k, const expr *form, const uint32_t *column,
                  directions *out) {
    const uint32_t w = d->width, n = w - 1, m = n - k;
    arena *a = arena_of(d);
    expr *block = arena_array(a, expr, k * k + 1), *right = arena_array(a, expr, k * m + 1),
         *x = arena_array(a, expr, k * m + 1);
    uint32_t *row = arena_array(a, uint32_t, k + 1), *pivot = arena_array(a, uint32_t, k + 1),
             f = 0;
    bool *depends = arena_array(a, bool, n);
    *out = *d;
    out->fields = m + 1; // the drift plays no part
    out->field = arena_array(a, expr, (m + 1) * w);
    out->field[m * w + n] = EXPR_ONE;
    for (uint32_t j = 0; j < k; j++) depends[column[j]] = true;
    for (uint32_t i = 0; i < k * k; i++) block[i] = form[i / k * w + column[i % k]];
    if (points_generic_pivots(d->at, k, k, block, row, pivot) < k) return false;
    for (uint32_t i = 0; i < n; i++) {
        if (depends[i]) continue;
        out->field[f * w + i] = EXPR_ONE;
        for (uint32_t nu = 0; nu < k; nu++)
            right[nu * m + f] = expr_neg(d->s->pool, form[nu * w + i]);
        f++;
    }
    matrix_solve(d->s->pool, k, block, m, right, row, pivot, x);
    for (f = 0; f < m; f++)
        for (uint32_t j = 0; j < k; j++) out->field[f * w + column[j]] = x[j * m + f];
    return true;
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

// Generators and their brackets, length by length, up to two more than fill the space in general:
// on exceptional positions longer ones may do it.
static uint32_t longer_brackets(const directions *d, uint32_t levels, expr *field) {
    const uint32_t w = d->width, generators = d->fields - 1;
    const uint32_t nodes = pool_size(d->s->pool);
    uint32_t count = generators, first = 0;
    for (uint32_t i = 0; i < generators * w; i++) field[i] = d->field[i];
    for (uint32_t level = 1; level < levels + 2; level++) {
        const uint32_t last = count;
        for (uint32_t s = 0; s < generators; s++)
            for (uint32_t y = first; y < last && count < MOST_BRACKETS; y++) {
                if (y < generators && y <= s) continue; // [X, Y] = -[Y, X]
                if (pool_size(d->s->pool) - nodes > MOST_CHART_NODES / 2) return count;
                directions_bracket(d, field + s * w, field + y * w, field + count * w);
                if (points_generic_rank(d->at, 1, w, field + count * w)) count++;
            }
        first = last;
    }
    return count;
}

// Do the brackets fill the space wherever the minor of this chart does not vanish? The generators,
// and some of the brackets with them, have a determinant that is a power of the minor.
static bool fills_chart(const directions *d, expr minor) {
    const uint32_t n = d->width - 1, generators = d->fields - 1;
    const flag f = flag_generic(d, generators, n);
    if (!f.levels || f.rank[f.levels - 1] != n) return false;
    expr *field = arena_array(arena_of(d), expr, (MOST_BRACKETS + 1) * d->width);
    const uint32_t count = longer_brackets(d, f.levels, field), rest = n - generators;
    uint32_t *choice = arena_array(arena_of(d), uint32_t, n + 1),
             *which = arena_array(arena_of(d), uint32_t, n + 1);
    survey v;
    bool found = false;
    const bool made = survey_make(d, count, field, minor, &v);
    for (uint32_t i = 0; i < rest; i++) choice[i] = i;
    for (uint32_t tried = 0; made && count >= n && tried < MOST_CHOICES && !found; tried++) {
        for (uint32_t i = 0; i < n; i++)
            which[i] = i < generators ? i : generators + choice[i - generators];
        found = is_constant_up_to_scale(&v, which);
        if (!next_choice(count - generators, rest, choice)) break;
    }
    survey_free(&v);
    return found;
}

// Where a minor, or the sum of the squares of the minors of such charts, is a constant, one of them
// is good at every position.
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

// --- with the drift ------------------------------------------------------------------------------

typedef struct {
    const directions *d;
    expr *field; // what can be followed both ways
    uint32_t count, rank;
} saturation;

static bool is_field_zero(const directions *d, const expr *x) {
    for (uint32_t i = 0; i < d->width; i++)
        if (points_vanish(d->at, x[i]) != VANISHES_YES) return false;
    return true;
}

// Its curves are straight lines, run through at constant speed: V(V_i) = 0.
static bool is_straight(const directions *d, const expr *v) {
    pool *p = d->s->pool;
    for (uint32_t i = 0; i < d->width; i++) {
        expr *slope = arena_array(arena_of(d), expr, d->width);
        directions_gradient(d->s, v[i], slope);
        if (points_vanish(d->at, expr_dot(p, d->width, slope, v)) != VANISHES_YES) return false;
    }
    return true;
}

static void add_field(saturation *s, const expr *x) {
    const uint32_t w = s->d->width;
    if (s->count == MOST_FIELDS) return;
    for (uint32_t i = 0; i < w; i++) s->field[s->count * w + i] = x[i];
    const uint32_t rank = points_generic_rank(s->d->at, s->count + 1, w, s->field);
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
        directions_bracket(d, v, last, next);
        if (is_field_zero(d, next)) {
            if (r % 2) add_field(s, last);
            return;
        }
        for (uint32_t i = 0; i < w; i++) last[i] = next[i];
    }
}

// What can be followed both ways: the free directions, limits of the drift, and their brackets,
// until nothing new appears.
static bool drift_fills_everywhere(const directions *d, const flag *free) {
    const uint32_t w = d->width, n = w - 1;
    if (!free->field || !is_entire(d->s->pool, d->fields * w, d->field)) return false;
    saturation s = {.d = d, .field = arena_array(arena_of(d), expr, (MOST_FIELDS + 1) * w)};
    for (uint32_t i = 0; i < free->count; i++) add_field(&s, free->field + i * w);
    expr *bracket = arena_array(arena_of(d), expr, w);
    for (uint32_t i = 0; i < s.count && s.rank < n; i++) {
        add_limit(&s, s.field + i * w);
        for (uint32_t j = 0; j < i && s.rank < n; j++) {
            directions_bracket(d, s.field + i * w, s.field + j * w, bracket);
            add_field(&s, bracket);
        }
    }
    if (s.rank != n || s.count != n) return false;
    uint32_t *which = arena_array(arena_of(d), uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++) which[i] = i;
    survey v;
    const bool fills =
        survey_make(d, n, s.field, EXPR_ONE, &v) && is_constant_up_to_scale(&v, which);
    survey_free(&v);
    return fills;
}

// --- the verdict ---------------------------------------------------------------------------------

reach reach_of(const directions *d, const flag *free, const flag *motion, uint32_t forms,
               const expr *form) {
    const uint32_t n = d->width - 1;
    if (free->levels && free->rank[free->levels - 1] == n)
        return (reach){fills_everywhere(d, forms, form) ? REACH_EVERY : REACH_NEAR, false};
    if (!motion->levels) return (reach){REACH_UNKNOWN, false};
    if (motion->rank[motion->levels - 1] <= n)
        return (reach){motion->complete ? REACH_LEAF : REACH_UNKNOWN, false};
    return (reach){free->complete && drift_fills_everywhere(d, free) ? REACH_EVERY : REACH_OPEN_SET,
                   true};
}
