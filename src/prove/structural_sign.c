// Bounds from the structure: symbols are anything, squares and roots are not
// negative, sin and cos stay within 1.
#include "prove/structural_sign.h"

#include "expr/node_position.h"

#include <math.h>

typedef struct {
    double low, high; // either may be infinite
} range;

static const range ANYTHING = {-INFINITY, INFINITY};
enum { MOST_NODES = 2000 };
static const double SLACK = 1e-12; // far above what rounding does to these few operations

// A little wider, except at 0, which is exact: squares and their sums end there.
static range widened(range r) {
    if (r.low != 0) r.low -= SLACK * fabs(r.low);
    if (r.high != 0) r.high += SLACK * fabs(r.high);
    return r;
}

static range number_range(const fmpq *q) {
    const double v = fmpq_get_d(q);
    return widened((range){v, v});
}

// 0*infinity: the bound 0 is reached
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

static range product_range(range a, range b) {
    const double c[4] = {times(a.low, b.low), times(a.low, b.high), times(a.high, b.low),
                         times(a.high, b.high)};
    range r = {c[0], c[0]};
    for (int i = 1; i < 4; i++) r.low = fmin(r.low, c[i]), r.high = fmax(r.high, c[i]);
    return widened(r);
}

static range sum_range(range a, range b) {
    const range r = {a.low + b.low, a.high + b.high};
    return isnan(r.low) || isnan(r.high) ? ANYTHING : widened(r);
}

static range inverse_range(range r) {
    if (r.low >= 0) return widened((range){1 / r.high, r.low > 0 ? 1 / r.low : INFINITY});
    if (r.high <= 0) return widened((range){r.high < 0 ? 1 / r.high : -INFINITY, 1 / r.low});
    return ANYTHING;
}

static range power_range(range base, const fmpq *exponent) {
    const double e = fabs(fmpq_get_d(exponent));
    const bool whole = fmpz_is_one(fmpq_denref(exponent)),
               even = whole && fmpz_is_even(fmpq_numref(exponent));
    range r;
    if (!whole) { // a root of something that is not negative
        const double low = fmax(base.low, 0), high = fmax(base.high, 0);
        r = (range){pow(low, e), pow(high, e)};
    } else if (even) {
        const bool crosses = base.low < 0 && base.high > 0;
        const double a = pow(fabs(base.low), e), b = pow(fabs(base.high), e);
        r = (range){crosses ? 0 : fmin(a, b), fmax(a, b)};
    } else
        r = (range){copysign(pow(fabs(base.low), e), base.low),
                    copysign(pow(fabs(base.high), e), base.high)};
    r = widened(r);
    return fmpq_sgn(exponent) < 0 ? inverse_range(r) : r;
}

static range function_range(expr_kind kind, range u) {
    static const double pi = 3.14159265358979323846;
    switch (kind) {
    case EXPR_SIN:
    case EXPR_COS: return (range){-1, 1};
    case EXPR_PI: return widened((range){pi, pi});
    case EXPR_EXP: return widened((range){exp(u.low), exp(u.high)});
    case EXPR_COSH: return (range){1, INFINITY};
    case EXPR_ABS:
        return (range){u.low > 0    ? u.low
                       : u.high < 0 ? -u.high
                                    : 0,
                       fmax(fabs(u.low), fabs(u.high))};
    case EXPR_SIGN: return (range){u.low > 0 ? 1 : -1, u.high < 0 ? -1 : 1};
    case EXPR_POWER: return (range){0, INFINITY};
    case EXPR_TANH: return widened((range){tanh(u.low), tanh(u.high)});
    case EXPR_SINH: return widened((range){sinh(u.low), sinh(u.high)});
    case EXPR_ATAN: return widened((range){atan(u.low), atan(u.high)});
    case EXPR_ASIN: return widened((range){u.low >= 0 ? 0 : -pi / 2, u.high <= 0 ? 0 : pi / 2});
    case EXPR_ACOS: return widened((range){0, pi});
    case EXPR_ATAN2: return widened((range){-pi, pi});
    default: return ANYTHING; // a symbol, an abstract function
    }
}

typedef struct {
    pool *p;
    const expr *nodes;
    range *known;
    uint32_t count;
} ranges;

static range known_range(const ranges *r, expr e) {
    return r->known[node_position(r->nodes, r->count, e)];
}

static range node_range(const ranges *r, expr e) {
    pool *p = r->p;
    const uint32_t count = expr_operand_count(p, e);
    range all;
    switch (expr_kind_of(p, e)) {
    case EXPR_NUMBER: return number_range(expr_number_value(p, e));
    case EXPR_SUM:
        all = number_range(expr_number_value(p, expr_operand(p, e, 0)));
        for (uint32_t i = 1; i < count; i += 2)
            all = sum_range(all,
                            product_range(number_range(expr_number_value(p, expr_operand(p, e, i))),
                                          known_range(r, expr_operand(p, e, i + 1))));
        return all;
    case EXPR_PRODUCT:
        all = (range){1, 1};
        for (uint32_t i = 0; i < count; i += 2)
            all = product_range(all, power_range(known_range(r, expr_operand(p, e, i)),
                                                 expr_number_value(p, expr_operand(p, e, i + 1))));
        return all;
    default:
        return function_range(expr_kind_of(p, e),
                              count ? known_range(r, expr_operand(p, e, 0)) : ANYTHING);
    }
}

int structural_sign(pool *p, expr e) {
    if (expr_is_number(p, e)) return fmpq_sgn(expr_number_value(p, e));
    ranges r = {.p = p};
    expr *nodes = expr_reachable(p, 1, &e, &r.count);
    range whole = ANYTHING;
    if (r.count <= MOST_NODES) {
        r.nodes = nodes;
        r.known = memory_array(range, r.count);
        for (uint32_t i = 0; i < r.count; i++) whole = r.known[i] = node_range(&r, nodes[i]);
        memory_free(r.known);
    }
    memory_free(nodes);
    return whole.low >= 0 ? 1 : whole.high <= 0 ? -1 : 0; // NaN is neither
}
