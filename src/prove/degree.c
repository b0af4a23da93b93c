// Bounds for degrees. A value in F_p is a quotient of polynomials in the random numbers: its degree is bounded from those of its parts.
// A root of a square doubles the degree (the norm of the extension); sin and cos of k atoms/denominator are of degree 2k in the circle parameter.
#include "prove/degree.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    double above, below;
} degree;

typedef struct {
    pool *p;
    double denominator;
    double velocity; // degree of a velocity on the constraints
    double roots;    // number of square roots met
} bounds;

static double rational_size(const fmpq *q) { return fabs(fmpq_get_d(q)); }

static double multiples(const bounds *b, expr argument) {
    double sum = 0;
    if (expr_kind_of(b->p, argument) != EXPR_SUM) return b->denominator;
    for (uint32_t j = 0; j < expr_operand_count(b->p, argument); j += j ? 2 : 1)
        sum += rational_size(expr_number_value(b->p, expr_operand(b->p, argument, j)));
    return sum * b->denominator;
}

static degree product_degree(bounds *b, expr e, const degree *known) {
    degree d = {0, 0};
    for (uint32_t i = 0; i < expr_operand_count(b->p, e); i += 2) {
        const degree base = known[expr_operand(b->p, e, i)];
        const fmpq *power = expr_number_value(b->p, expr_operand(b->p, e, i + 1));
        const double size = rational_size(power);
        if (!fmpz_is_one(fmpq_denref(power))) b->roots++;
        d.above += size * (fmpq_sgn(power) > 0 ? base.above : base.below);
        d.below += size * (fmpq_sgn(power) > 0 ? base.below : base.above);
    }
    return d;
}

static degree node_degree(bounds *b, expr e, const degree *known) {
    degree d = {0, 0};
    switch (expr_kind_of(b->p, e)) {
    case EXPR_NUMBER: return d;
    case EXPR_SYMBOL: {
        const symbol *s = expr_as_symbol(b->p, e);
        return (degree){s->role == ROLE_COORDINATE && s->order == 1 ? b->velocity : 1, s->role == ROLE_COORDINATE && s->order == 1 ? b->velocity : 0};
    }
    case EXPR_SUM:
        for (uint32_t i = 2; i < expr_operand_count(b->p, e); i += 2) d.below += known[expr_operand(b->p, e, i)].below;
        for (uint32_t i = 2; i < expr_operand_count(b->p, e); i += 2) {
            const degree t = known[expr_operand(b->p, e, i)];
            d.above = fmax(d.above, t.above + d.below - t.below);
        }
        d.above = fmax(d.above, d.below);
        return d;
    case EXPR_PRODUCT: return product_degree(b, e, known);
    case EXPR_SIN: case EXPR_COS: case EXPR_TAN: case EXPR_EXP: case EXPR_SINH: case EXPR_COSH: case EXPR_TANH: {
        const double k = 2 * multiples(b, expr_operand(b->p, e, 0));
        return (degree){k, k};
    }
    default: return (degree){1, 0}; // a random function's value
    }
}

static degree largest(bounds *b, uint32_t count, const expr *e) {
    uint32_t n;
    expr top = 0;
    for (uint32_t i = 0; i < count; i++) top = e[i] > top ? e[i] : top;
    expr *nodes = expr_reachable(b->p, count, e, &n);
    degree *known = calloc((size_t)top + 1, sizeof *known), most = {0, 0};
    for (uint32_t i = 0; i < n; i++) known[nodes[i]] = node_degree(b, nodes[i], known);
    for (uint32_t i = 0; i < count; i++) {
        most.above = fmax(most.above, known[e[i]].above);
        most.below = fmax(most.below, known[e[i]].below);
    }
    free(known);
    free(nodes);
    return most;
}

double degree_bits(const mechanics *s, const velocity_basis *v, double denominator, uint32_t count, const expr *e) {
    bounds b = {.p = s->pool, .denominator = denominator, .velocity = 1};
    if (v->explicit_velocities) {
        const degree velocity = largest(&b, s->n, v->velocity);
        b.velocity = fmax(1, velocity.above + velocity.below);
    } else {
        b.velocity = 8; // a root of a polynomial of low degree
    }
    b.roots = 0;
    const degree d = largest(&b, count, e);
    const double unknowns = s->n + s->k, residual = d.above + d.below + 1;
    // Cramer: unknowns of degree at most `unknowns * residual`, put once more into an expression of degree `residual`.
    return log2(residual) + log2(unknowns * residual + 1) + fmin(b.roots, 64);
}
