// Expressions at rational points.
#include "analyse/rational_point.h"

typedef struct {
    const mechanics *s;
    pool *p;
    uint64_t seed;
    expr *from, *to;
    uint32_t pairs;
} rational_point;

static bool moves(pool *p, expr e) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        const symbol *v = expr_as_symbol(p, nodes[i]);
        found = v && v->role != ROLE_PARAMETER;
    }
    memory_free(nodes);
    return found;
}

// A rational number that is a function of (seed, tag), none of -1, 0, 1.
static expr rational_for(const rational_point *r, uint32_t tag) {
    uint64_t random = r->seed * 0x9E3779B97F4A7C15u + tag;
    random_next(&random);
    const int64_t top = 2 + (int64_t)(random_next(&random) % 29),
                  bottom = 1 + (int64_t)(random_next(&random) % 3);
    const bool negative = random_next(&random) & 1;
    return expr_rational(r->p, negative ? -top * 2 - 1 : top * 2 + 1, 2 * bottom);
}

typedef struct {
    expr c, s; // c^2 + s^2 = 1
} circle;

static circle turn(pool *p, circle a, circle b) {
    return (circle){expr_sub(p, expr_mul(p, a.c, b.c), expr_mul(p, a.s, b.s)),
                    expr_add(p, expr_mul(p, a.c, b.s), expr_mul(p, a.s, b.c))};
}

// The point ((1 - u^2)/(1 + u^2), 2u/(1 + u^2)) for the angle `term` if it moves; else its own sine
// and cosine.
static circle circle_of(const rational_point *r, expr term) {
    pool *p = r->p;
    if (!moves(p, term))
        return (circle){expr_function(p, EXPR_COS, &term), expr_function(p, EXPR_SIN, &term)};
    const expr u = rational_for(r, term), u2 = expr_square(p, u), d = expr_add(p, EXPR_ONE, u2);
    return (circle){expr_div(p, expr_sub(p, EXPR_ONE, u2), d), expr_div(p, expr_add(p, u, u), d)};
}

// sin, cos or tan of an argument with whole coefficients; EXPR_NONE for another one.
static expr circular(const rational_point *r, expr_kind kind, expr argument) {
    pool *p = r->p;
    circle all = {EXPR_ONE, EXPR_ZERO};
    if (expr_kind_of(p, argument) != EXPR_SUM) {
        all = circle_of(r, argument);
    } else {
        all = circle_of(r, expr_operand(p, argument, 0));
        for (uint32_t j = 1; j < expr_operand_count(p, argument); j += 2) {
            int64_t times;
            if (!expr_is_integer(p, expr_operand(p, argument, j), &times) || times > 8 ||
                times < -8)
                return EXPR_NONE;
            circle one = circle_of(r, expr_operand(p, argument, j + 1));
            if (times < 0) one.s = expr_neg(p, one.s), times = -times;
            for (; times; times--) all = turn(p, all, one);
        }
    }
    return kind == EXPR_SIN ? all.s : kind == EXPR_COS ? all.c : expr_div(p, all.s, all.c);
}

static expr exponential(const rational_point *r, expr argument) {
    pool *p = r->p;
    if (expr_kind_of(p, argument) != EXPR_SUM) return rational_for(r, argument);
    expr all = EXPR_ONE;
    for (uint32_t j = 1; j < expr_operand_count(p, argument); j += 2) {
        const expr term = expr_operand(p, argument, j + 1);
        const expr base =
            moves(p, term) ? rational_for(r, term) : expr_function(p, EXPR_EXP, &term);
        if (!expr_is_integer(p, expr_operand(p, argument, j), &(int64_t){0})) return EXPR_NONE;
        all = expr_mul(p, all, expr_pow(p, base, expr_operand(p, argument, j)));
    }
    return all;
}

static expr image(const rational_point *r, expr e) {
    pool *p = r->p;
    switch (expr_kind_of(p, e)) {
    case EXPR_NUMBER:
    case EXPR_PI:
    case EXPR_SUM:
    case EXPR_PRODUCT:
    case EXPR_POWER: return EXPR_NONE; // by their operands
    case EXPR_SYMBOL: return rational_for(r, e);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return circular(r, expr_kind_of(p, e), expr_operand(p, e, 0));
    case EXPR_EXP: return exponential(r, expr_operand(p, e, 0));
    default: return rational_for(r, e);
    }
}

void rational_point_values(const mechanics *s, uint64_t seed, uint32_t count, const expr *in,
                           expr *out) {
    rational_point r = {.s = s, .p = s->pool, .seed = seed};
    uint32_t nodes;
    expr *node = expr_reachable(r.p, count, in, &nodes);
    r.from = memory_array(expr, nodes + 1);
    r.to = memory_array(expr, nodes + 1);
    for (uint32_t i = 0; i < nodes; i++) {
        if (!moves(r.p, node[i])) continue;
        const expr value = image(&r, node[i]);
        if (value == EXPR_NONE) continue;
        r.from[r.pairs] = node[i];
        r.to[r.pairs++] = value;
    }
    expr_substitute(r.p, r.pairs, r.from, r.to, count, in, out);
    memory_free(node);
    memory_free(r.from);
    memory_free(r.to);
}
