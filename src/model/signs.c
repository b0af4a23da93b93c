// Which signs an expression can have: from its form, by an interval for every node below it; and as
// a quadratic function of velocities (or of positions, accelerations) that keeps its sign also
// where its form does not show it: x'^2 - x'*y' + y'^2 vanishes only where x' = y' = 0, and has no
// gradient there.
#include "model/mechanics.h"

#include "expr/node_position.h"
#include "expr/program.h"

#include <math.h>

typedef struct {
    double low, high;
    bool nonzero; // never 0, though an end of the interval may be
} range;

static const range ANYTHING = {-INFINITY, INFINITY, false};

static bool is_nonzero(range a) { return a.nonzero || a.low > 0 || a.high < 0; }

// How parameters are taken: with their stated values, or by the signs of these alone. Where both
// give the same answer it holds for other values too; where not, they decided it.
typedef enum { BY_VALUE, BY_SIGN } parameter_use;

static void note_decided(const model *m) {
    for (uint32_t i = 0; i < m->parameters_count; i++) m->parameters[i].decided = true;
}

// One without a value is generic: any number but 0.
static range range_of_symbol(const model *m, expr e, parameter_use use) {
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        if (m->parameters[i].symbol != e) continue;
        const expr value = m->parameters[i].value;
        if (m->parameters[i].is_signal) return ANYTHING;
        if (value == EXPR_NONE) return (range){-INFINITY, INFINITY, true};
        if (!expr_is_number(m->pool, value)) return ANYTHING;
        const int sign = fmpq_sgn(expr_number_value(m->pool, value));
        if (use == BY_SIGN)
            return (range){sign < 0 ? -INFINITY : 0, sign > 0 ? INFINITY : 0, sign != 0};
        const double size = fabs(expr_value(m->pool, value, NULL));
        return (range){sign * size, sign * size, sign != 0};
    }
    return ANYTHING;
}

static range scaled(range a, double c) {
    if (c == 0) return (range){0, 0, false};
    return c > 0 ? (range){c * a.low, c * a.high, a.nonzero}
                 : (range){c * a.high, c * a.low, a.nonzero};
}

static range added(range a, range b) {
    const range sum = {a.low + b.low, a.high + b.high, false};
    const bool up = a.low >= 0 && b.low >= 0, down = a.high <= 0 && b.high <= 0;
    return (range){sum.low, sum.high, (up || down) && (is_nonzero(a) || is_nonzero(b))};
}

// One end of a product: 0 times anything is 0
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static range multiplied(range a, range b) {
    const double end[4] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                           times(a.high, b.high)};
    range product = {end[0], end[0], is_nonzero(a) && is_nonzero(b)};
    for (int i = 1; i < 4; i++)
        product.low = fmin(product.low, end[i]), product.high = fmax(product.high, end[i]);
    return product;
}

// a^exponent: of even powers and of roots the sign is known, of the others that of a
static range raised(range a, const fmpq *exponent) {
    const bool root = !fmpz_is_one(fmpq_denref(exponent)),
               even = fmpz_is_even(fmpq_numref(exponent));
    const bool divides = fmpq_sgn(exponent) < 0;
    const bool nonzero = divides || is_nonzero(a);
    if (root || even) return (range){0, INFINITY, nonzero};
    if (fmpq_is_one(exponent)) return a;
    return (range){a.low >= 0 ? 0 : -INFINITY, a.high <= 0 ? 0 : INFINITY, nonzero};
}

static range range_of_function(expr_kind kind, range a) {
    switch (kind) {
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TANH: return (range){-1, 1, false};
    case EXPR_EXP: return (range){0, INFINITY, true};
    case EXPR_COSH: return (range){1, INFINITY, true};
    case EXPR_ABS: return (range){0, INFINITY, is_nonzero(a)};
    default: return ANYTHING;
    }
}

static range range_of(const model *m, const expr *node, uint32_t count, const range *known,
                      uint32_t which, parameter_use use) {
    const pool *p = m->pool;
    const expr e = node[which];
    const uint32_t operands = expr_operand_count(p, e);
    const expr_kind kind = expr_kind_of(p, e);
#define KNOWN(i) known[node_position(node, count, expr_operand(p, e, i))]
    range r = ANYTHING;
    if (kind == EXPR_SYMBOL) r = range_of_symbol(m, e, use);
    if (kind == EXPR_PI) r = (range){3, 4, true};
    if (kind == EXPR_NUMBER) {
        const double value = expr_value(m->pool, e, NULL);
        r = (range){value, value, fmpq_sgn(expr_number_value(p, e)) != 0};
    }
    if (kind == EXPR_SUM) {
        r = KNOWN(0);
        for (uint32_t i = 1; i + 1 < operands; i += 2)
            r = added(r, scaled(KNOWN(i + 1), KNOWN(i).low));
    }
    if (kind == EXPR_PRODUCT) {
        r = (range){1, 1, true};
        for (uint32_t i = 0; i < operands; i += 2)
            r = multiplied(r, raised(KNOWN(i), expr_number_value(p, expr_operand(p, e, i + 1))));
    }
    if (kind > EXPR_APPLY) r = range_of_function(kind, KNOWN(0));
#undef KNOWN
    return r;
}

static possible_signs signs_taken(const model *m, expr e, parameter_use use) {
    uint32_t count;
    expr *node = expr_reachable(m->pool, 1, &e, &count);
    range *known = memory_array(range, count);
    for (uint32_t i = 0; i < count; i++) known[i] = range_of(m, node, count, known, i, use);
    const range r = known[node_position(node, count, e)];
    memory_free(node);
    memory_free(known);
    return (possible_signs){.zero = r.low <= 0 && r.high >= 0 && !r.nonzero,
                            .negative = r.low<0, .positive = r.high> 0};
}

static possible_signs signs_by_form(const model *m, expr e) {
    const possible_signs s = signs_taken(m, e, BY_VALUE), any = signs_taken(m, e, BY_SIGN);
    if (s.zero != any.zero || s.negative != any.negative || s.positive != any.positive)
        note_decided(m);
    return s;
}

bool expr_vanishes_nowhere(const model *m, expr e) { return !signs_by_form(m, e).zero; }

// --- quadratic functions -------------------------------------------------------------------------

enum { LOOKS = 24 };
// relative to the entries: far above rounding, far below random values
static const double NEGLIGIBLE = 1e-10;

// A quadratic function of v that has one sign for all v, wherever everything else is: its sign (0:
// none is known), how many independent squares are in it, and whether it is never 0.
typedef struct {
    int sign;
    uint32_t rank;
    bool apart;
} form_sign;

// f = v.H v/2 + b.v + c by completing squares: rows of [H b; b' 2c] with the largest diagonal entry
// first. Returns the sign of H (0: none, or not definite), its rank, and what is left of 2c.
static int sign_of_form(uint32_t n, double *a, uint32_t *rank, double *left) {
    const uint32_t w = n + 1;
    double scale = 0;
    int sign = 0;
    bool *done = memory_zeros(bool, n + 1);
    for (uint32_t i = 0; i < w * w; i++) scale = fmax(scale, fabs(a[i]));
    for (*rank = 0; *rank < n; ++*rank) {
        uint32_t k = n;
        for (uint32_t i = 0; i < n; i++)
            if (!done[i] && (k == n || fabs(a[i * w + i]) > fabs(a[k * w + k]))) k = i;
        const double pivot = a[k * w + k];
        if (fabs(pivot) <= NEGLIGIBLE * scale) break;
        const int here = pivot > 0 ? 1 : -1;
        if (sign && here != sign) sign = 2;
        else if (sign != 2) sign = here;
        done[k] = true;
        for (uint32_t i = 0; i < w; i++) {
            const double factor = a[i * w + k] / pivot;
            for (uint32_t j = 0; j < w && (i == n || !done[i]); j++)
                a[i * w + j] -= factor * a[k * w + j];
        }
    }
    bool flat = true; // what is left of H and b
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < w && !done[i]; j++)
            flat = flat && (done[j] || fabs(a[i * w + j]) <= NEGLIGIBLE * scale);
    *left = fabs(a[n * w + n]) <= NEGLIGIBLE * scale ? 0 : a[n * w + n];
    memory_free(done);
    return flat && sign != 2 ? sign : 0;
}

// [H b; b' 2c]
static void form_entries(const model *m, expr f, uint32_t n, const expr *v, expr *out) {
    pool *p = m->pool;
    const uint32_t w = n + 1;
    expr *slope = arena_array(&m->ctx->arena, expr, n),
         *zero = arena_array(&m->ctx->arena, expr, n);
    expr_gradient(p, f, n, v, slope);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n; j++) out[i * w + j] = expr_diff(p, slope[i], v[j]);
        out[i * w + n] = out[n * w + i] = expr_replace(p, slope[i], n, v, zero);
    }
    out[n * w + n] = expr_mul(p, EXPR_TWO, expr_replace(p, f, n, v, zero));
}

// Of either sign and of any size from 0.01 to 1000: a sign that changes
// anywhere there will be seen to.
static double anywhere(uint64_t *random) {
    const double size = exp(log(0.01) + log(1e5) * (double)(random_next(random) >> 11) * 0x1p-53);
    return random_next(random) & 1 ? size : -size;
}

static form_sign quadratic_taken(const model *m, expr f, uint32_t n, const expr *v,
                                 parameter_use use) {
    const form_sign unknown = {0, 0, false};
    const uint32_t w = n + 1, symbols = pool_symbol_count(m->pool);
    if (expr_degree(m->pool, f, n, v, NULL) != 2) return unknown;
    arena *a = &m->ctx->arena;
    expr *entry = arena_array(a, expr, w * w);
    form_entries(m, f, n, v, entry);
    model_concrete(m, true, w * w, entry, entry);
    double *value = arena_array(a, double, w *w),
           *at = arena_array(a, double, pool_symbol_count(m->pool) + 1);
    program *prog = program_create(m->pool, w * w, entry);
    form_sign found = unknown;
    uint64_t random = 1;
    bool constant = true; // that it is never 0 is believed of numbers only
    for (uint32_t i = 0; i < w * w; i++) constant = constant && expr_is_number(m->pool, entry[i]);
    for (uint32_t look = 0; look < LOOKS; look++) {
        for (uint32_t i = 0; i < symbols; i++) at[i] = anywhere(&random);
        for (uint32_t i = 0; i < m->parameters_count; i++)
            if (m->parameters[i].value != EXPR_NONE &&
                expr_is_number(m->pool, m->parameters[i].value)) {
                const double stated = expr_value(m->pool, m->parameters[i].value, NULL);
                double *here = &at[expr_symbol_index(m->pool, m->parameters[i].symbol)];
                *here = use == BY_VALUE || stated == 0 ? stated : copysign(*here, stated);
            }
        program_run_double(prog, at, value);
        uint32_t rank;
        double left;
        const int sign = sign_of_form(n, value, &rank, &left);
        const form_sign here = {sign, rank, sign * left > 0};
        const bool useless =
            !sign || sign * left < 0 || !isfinite(left) || (here.apart && !constant);
        const bool same = !look || (here.sign == found.sign && here.rank == found.rank &&
                                    here.apart == found.apart);
        found = here;
        if (useless || !same) {
            program_free(prog);
            return unknown;
        }
    }
    program_free(prog);
    return found;
}

static form_sign sign_of_quadratic(const model *m, expr f, uint32_t n, const expr *v) {
    const form_sign s = quadratic_taken(m, f, n, v, BY_VALUE),
                    any = quadratic_taken(m, f, n, v, BY_SIGN);
    if (s.sign != any.sign || s.rank != any.rank || s.apart != any.apart) note_decided(m);
    return s;
}

possible_signs expr_possible_signs(const model *m, expr e, uint32_t order) {
    possible_signs signs = signs_by_form(m, e);
    expr *top = arena_array(&m->ctx->arena, expr, m->coordinates_count);
    for (uint32_t i = 0; i < m->coordinates_count; i++)
        top[i] = expr_symbol_of_order(m->pool, m->coordinates[i], order);
    const form_sign form = sign_of_quadratic(m, e, m->coordinates_count, top);
    if (form.sign && form.apart) signs.zero = false;
    if (form.sign && form.rank > 1) signs.negative = form.sign<0, signs.positive = form.sign> 0;
    return signs;
}
