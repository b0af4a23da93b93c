// Bounds for degrees. A value in F_p is a quotient of polynomials in the random numbers behind the
// point. Its numerator's degree is bounded by a number, its denominator is kept as a product of
// known factors, so that terms of a sum over the same denominator do not multiply it. sin and cos
// of k atoms/denominator are of degree 2k over (1 + u^2)^k, u the circle parameter; a square root
// doubles the degree (norm of the extension).
#include "prove/degree_bound.h"

#include <math.h>

// factor^exponent of a denominator; the factor is a node, for sin and cos the node of the angle
typedef struct {
    expr key;
    double exponent;
} factor;

typedef struct {
    double above;
    const factor *below; // sorted by key
    uint32_t count;
} degree;

typedef struct {
    pool *p;
    arena arena;
    degree *known;  // by node
    double *weight; // degree of a node as a factor of a denominator
    double denominator;
    double velocity;          // bound for a velocity on the constraints, above and below together
    double momentum;          // of a momentum, where it is not written out
    double roots;             // different roots met
    bool *rooted;             // by node: a root of it was met
    bool *argument;           // by node: an argument of a function
    double arguments, widest; // how many different ones, and the largest degree of one
} bounds;

static double below_degree(const bounds *b, const degree *d) {
    double sum = 0;
    for (uint32_t i = 0; i < d->count; i++)
        sum += d->below[i].exponent * b->weight[d->below[i].key];
    return sum;
}

// Merge two denominators: least common multiple (larger exponent) or product (sum of exponents).
static void merge(bounds *b, degree *into, const factor *list, uint32_t count, bool product,
                  double scale) {
    factor *out = arena_array(&b->arena, factor, into->count + count);
    uint32_t n = 0, i = 0, j = 0;
    while (i < into->count || j < count) {
        const bool left = j == count || (i < into->count && into->below[i].key <= list[j].key);
        const bool both = left && j < count && into->below[i].key == list[j].key;
        factor f = left ? into->below[i] : (factor){list[j].key, scale * list[j].exponent};
        if (both)
            f.exponent = product ? f.exponent + scale * list[j].exponent
                                 : fmax(f.exponent, scale * list[j].exponent);
        out[n++] = f;
        i += left;
        j += both || !left;
    }
    into->below = out;
    into->count = n;
}

static double rational_size(const fmpq *q) { return fabs(fmpq_get_d(q)); }

// How often a base angle is taken: c*denominator times; once where that is so often
// that it is an angle of its own.
static double times_taken(const bounds *b, const fmpq *c) {
    const double times = rational_size(c) * b->denominator;
    return times < ldexp(1, MOST_MULTIPLE_BITS + 1) ? times : 1;
}

// Of all base angles in an argument, numbers among them. Fractions of pi
// are constants, of no degree.
static double multiples(const bounds *b, expr argument) {
    double sum = 0;
    if (expr_is_number(b->p, argument)) return times_taken(b, expr_number_value(b->p, argument));
    if (expr_kind_of(b->p, argument) != EXPR_SUM) return b->denominator;
    for (uint32_t j = 0; j < expr_operand_count(b->p, argument); j += j ? 2 : 1)
        if (!j || expr_kind_of(b->p, expr_operand(b->p, argument, j + 1)) != EXPR_PI)
            sum += times_taken(b, expr_number_value(b->p, expr_operand(b->p, argument, j)));
    return sum;
}

static degree sum_degree(bounds *b, expr e) {
    degree d = {0};
    for (uint32_t i = 2; i < expr_operand_count(b->p, e); i += 2) {
        const degree *t = &b->known[expr_operand(b->p, e, i)];
        if (t->count) merge(b, &d, t->below, t->count, false, 1);
    }
    const double common = below_degree(b, &d);
    d.above = common;
    for (uint32_t i = 2; i < expr_operand_count(b->p, e); i += 2) {
        const degree *t = &b->known[expr_operand(b->p, e, i)];
        d.above = fmax(d.above, t->above + common - below_degree(b, t));
    }
    return d;
}

static degree product_degree(bounds *b, expr e) {
    degree d = {0};
    for (uint32_t i = 0; i < expr_operand_count(b->p, e); i += 2) {
        const expr base = expr_operand(b->p, e, i);
        const degree *t = &b->known[base];
        const fmpq *power = expr_number_value(b->p, expr_operand(b->p, e, i + 1));
        const double size = rational_size(power);
        if (!fmpz_is_one(fmpq_denref(power)) && !b->rooted[base])
            b->roots++, b->rooted[base] = true;
        if (fmpq_sgn(power) > 0) {
            d.above += size * t->above;
            if (t->count) merge(b, &d, t->below, t->count, true, size);
        } else { // 1/base: its denominator goes up, its numerator becomes a factor below
            d.above += size * below_degree(b, t);
            const factor own = {base, size};
            merge(b, &d, &own, 1, true, 1);
        }
    }
    return d;
}

static degree node_degree(bounds *b, expr e) {
    switch (expr_kind_of(b->p, e)) {
    case EXPR_NUMBER: return (degree){0};
    case EXPR_SYMBOL: {
        const symbol *s = expr_as_symbol(b->p, e);
        if (s->role == ROLE_MOMENTUM) return (degree){.above = b->momentum};
        return (degree){.above = s->role == ROLE_COORDINATE && s->order == 1 ? b->velocity : 1};
    }
    case EXPR_SUM: return sum_degree(b, e);
    case EXPR_PRODUCT: return product_degree(b, e);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN:
    case EXPR_EXP:
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: {
        const expr angle = expr_operand(b->p, e, 0);
        factor *f = arena_new(&b->arena, factor);
        *f = (factor){e, multiples(b, angle)};
        f->key = angle;
        return (degree){2 * f->exponent, f, 1};
    }
    case EXPR_ABS: return b->known[expr_operand(b->p, e, 0)];
    case EXPR_SIGN: return (degree){0};
    default: return (degree){.above = 1}; // a random function's value
    }
}

// Two arguments that differ are the same at a point with a chance of degree/p, and then
// what is random of them is, too.
static void note_function(bounds *b, expr e) {
    const expr_kind kind = expr_kind_of(b->p, e);
    if (kind == EXPR_SUM || kind == EXPR_PRODUCT || kind == EXPR_ABS || kind == EXPR_SIGN) return;
    for (uint32_t i = 0; i < expr_operand_count(b->p, e); i++) {
        const expr u = expr_operand(b->p, e, i);
        b->arguments += !b->argument[u];
        b->argument[u] = true;
        b->widest = fmax(b->widest, b->known[u].above + below_degree(b, &b->known[u]));
    }
}

// The largest numerator and denominator degrees among the expressions, added.
static double largest(bounds *b, uint32_t count, const expr *e) {
    uint32_t n;
    double most = 1;
    expr *nodes = expr_reachable(b->p, count, e, &n);
    for (uint32_t i = 0; i < n; i++) {
        b->known[nodes[i]] = node_degree(b, nodes[i]);
        b->weight[nodes[i]] = fmax(2, b->known[nodes[i]].above); // 2: at least the circle's 1 + u^2
        note_function(b, nodes[i]);
    }
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, b->known[e[i]].above + below_degree(b, &b->known[e[i]]));
    memory_free(nodes);
    return most;
}

// Velocities by Cramer's rule on the n linear equations for them.
static double cramer_bound(bounds *b, const mechanics *s) {
    const double entry =
        fmax(largest(b, s->k, s->phi), s->has_quasi ? largest(b, s->m, s->psi) : 1);
    return (s->has_quasi ? s->n : s->k) * entry + 1;
}

static bounds bounds_create(const mechanics *s, double denominator) {
    const uint32_t size = pool_size(s->pool);
    bounds b = {.p = s->pool, .denominator = denominator, .velocity = 1, .momentum = 1};
    arena_init(&b.arena);
    b.known = memory_zeros(degree, size);
    b.weight = memory_zeros(double, size);
    b.rooted = memory_zeros(bool, size);
    b.argument = memory_zeros(bool, size);
    return b;
}

static void bounds_free(bounds *b) {
    memory_free(b->known);
    memory_free(b->weight);
    memory_free(b->rooted);
    memory_free(b->argument);
    arena_free(&b->arena);
}

// Pairs of arguments that differ, each of at most that degree
static double collisions(const bounds *b) {
    return b->arguments * (b->arguments - 1) / 2 * b->widest;
}

degree_bound degree_bound_of_motion(const mechanics *s, const velocity_basis *v, double denominator,
                                    uint32_t count, const expr *e) {
    bounds b = bounds_create(s, denominator);
    double velocity = 8; // a root of a polynomial of low degree
    if (v->explicit_velocities)
        velocity = fmin(largest(&b, s->n, v->velocity), cramer_bound(&b, s));
    b.velocity = fmax(1, velocity);
    const double residual = largest(&b, count, e) + collisions(&b) + 1;
    const degree_bound bound = {.denominator = denominator,
                                .velocity = b.velocity,
                                .residual = residual,
                                .roots = b.roots,
                                .unknowns = s->n + s->k + s->h};
    bounds_free(&b);
    return bound;
}

void degree_bound_add(degree_bound *bound, const mechanics *s, uint32_t count, const expr *e) {
    bounds b = bounds_create(s, bound->denominator);
    b.velocity = bound->velocity, b.momentum = bound->residual;
    bound->statement = largest(&b, count, e) + collisions(&b) + 1;
    bound->statement_roots = b.roots;
    bounds_free(&b);
}

double degree_bound_bits(const degree_bound *d, bool higher) {
    // Cramer: unknowns of degree at most `unknowns * residual`, put once more into an
    // expression of degree `residual`; with constraints of higher order by way of q''', an
    // expression of that degree, too.
    return (higher ? 2 : 1) * log2(fmax(d->residual, d->statement)) +
           log2(d->unknowns * d->residual + 1) + fmin(fmax(d->roots, d->statement_roots), 64);
}
