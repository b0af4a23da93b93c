// Bounds for degrees. A value in F_p is a quotient of polynomials in the random numbers behind the
// point. Its numerator's degree is bounded by a number, its denominator is kept as a product of
// known factors, so that terms of a sum over the same denominator do not multiply it. sin and cos
// of k atoms/denominator are of degree 2k over (1 + u^2)^k, u the circle parameter; a square root
// doubles the degree (norm of the extension). What an elimination made of a linear system has the
// degree of minors (expr/matrix.h), however many operations it took.
#include "prove/degree_bound.h"

#include "expr/matrix.h"
#include "prove/denominator.h"

#include <math.h>
#include <string.h>

typedef struct {
    double above;
    const denominator *below; // NULL: 1
} degree;

// A linear system A X = R over the common denominators D_A of A and D_R of R.
typedef struct {
    bool needed, known;
    uint32_t key;                 // of the minor det_0 of D_A A, those of the others follow
    double matrix, right;         // degrees of the entries of D_A A, of D_R R
    const denominator *common[2]; // D_A, D_R
    degree solution;
} system_degree;

typedef struct {
    pool *p;
    denominator_store denominators;
    uint32_t size;        // of the pool when this was made
    degree *known;        // by node
    double *weight;       // degree of a node as a factor of a denominator
    bool *needed;         // by node: it is reached in the traversal under way
    uint32_t *eliminated; // by node: number + 1 of what an elimination knows about it
    system_degree *system;
    double denominator;
    double velocity;          // bound for a velocity on the constraints, above and below together
    double momentum;          // of a momentum, where it is not written out
    double roots;             // different roots met
    bool *rooted;             // by node: a root of it was met
    bool *argument;           // by node: an argument of a function
    double arguments, widest; // how many different ones, and the largest degree of one
} bounds;

static double total_degree(const degree *d) { return d->above + denominator_degree(d->below); }

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

// Of the numerator over a denominator that its own one divides
static double degree_over(const bounds *b, const denominator *common, expr e) {
    return b->known[e].above + denominator_degree(common) - denominator_degree(b->known[e].below);
}

static degree sum_degree(bounds *b, expr e) {
    const uint32_t count = expr_operand_count(b->p, e);
    denominator_begin(&b->denominators);
    for (uint32_t i = 2; i < count; i += 2)
        denominator_join(&b->denominators, b->known[expr_operand(b->p, e, i)].below);
    degree d = {.below = denominator_finish(&b->denominators)};
    d.above = denominator_degree(d.below);
    for (uint32_t i = 2; i < count; i += 2)
        d.above = fmax(d.above, degree_over(b, d.below, expr_operand(b->p, e, i)));
    return d;
}

// --- what an elimination made -------------------------------------------------------------------

// D_A, D_R, and the degrees of the polynomials D_A A, D_R R; of the minors det_k of D_A A
static void know_system(bounds *b, uint32_t number) {
    const eliminated_system *s = matrix_eliminated_system(b->p, number);
    system_degree *d = &b->system[number];
    const expr *list[2] = {s->matrix, s->right};
    const size_t count[2] = {(size_t)s->n * s->n, (size_t)s->n * s->columns};
    double most[2] = {1, 1};
    for (int side = 0; side < 2; side++) {
        denominator_begin(&b->denominators);
        for (size_t i = 0; i < count[side]; i++)
            denominator_join(&b->denominators, b->known[list[side][i]].below);
        d->common[side] = denominator_finish(&b->denominators);
        for (size_t i = 0; i < count[side]; i++)
            most[side] = fmax(most[side], degree_over(b, d->common[side], list[side][i]));
    }
    d->matrix = most[0], d->right = most[1];
    for (uint32_t k = 0; k <= s->n; k++) b->weight[d->key + k] = k * d->matrix;
    // D_A minor/(det_n D_R)
    denominator_begin(&b->denominators);
    denominator_multiply(&b->denominators, d->common[1], 1);
    denominator_multiply_factor(&b->denominators, d->key + s->n, 1);
    d->solution = (degree){(s->n - 1) * d->matrix + d->right + denominator_degree(d->common[0]),
                           denominator_finish(&b->denominators)};
    d->known = true;
}

// A' = D_A A and R' = D_R R hold polynomials, det_k are the leading minors of A', and
//   entry of A = minor of A'/(det_k D_A), of R = minor of A' and a column of R'/(det_k D_R),
//   solution = D_A minor/(det_n D_R), rest = solution det_(k+1)/(det_k D_A).
static degree eliminated_degree(bounds *b, const eliminated_node *e) {
    if (!b->system[e->system].known) know_system(b, e->system);
    const system_degree *s = &b->system[e->system];
    const uint32_t n = matrix_eliminated_system(b->p, e->system)->n;
    const bool of_matrix = e->kind == ELIMINATED_ENTRY || e->kind == ELIMINATED_PIVOT;
    if (e->kind == ELIMINATED_SOLUTION) return s->solution;
    degree d = {.above = (e->pivots + 1) * s->matrix};
    if (e->kind == ELIMINATED_RIGHT) d.above = e->pivots * s->matrix + s->right;
    if (e->kind == ELIMINATED_REST) d.above = (e->pivots + n) * s->matrix + s->right;
    denominator_begin(&b->denominators);
    denominator_multiply(&b->denominators, s->common[!of_matrix], 1);
    denominator_multiply_factor(&b->denominators, s->key + e->pivots, 1);
    if (e->kind == ELIMINATED_REST) denominator_multiply_factor(&b->denominators, s->key + n, 1);
    d.below = denominator_finish(&b->denominators);
    return d;
}

static const eliminated_node *elimination_of(const bounds *b, expr e) {
    return b->eliminated[e] ? matrix_eliminated(b->p, b->eliminated[e] - 1) : NULL;
}

// In a product, rests divided by their pivot are solutions: how many of them
// are there of this pivot? None if it is not divided by often enough.
static double solutions_in(const bounds *b, expr product, const eliminated_node *of) {
    double rests = 0, divisions = 0;
    for (uint32_t i = 0; i < expr_operand_count(b->p, product); i += 2) {
        const eliminated_node *e = elimination_of(b, expr_operand(b->p, product, i));
        const expr power = expr_operand(b->p, product, i + 1);
        if (!e || e->system != of->system || e->pivots != of->pivots) continue;
        if (e->kind == ELIMINATED_REST && power == EXPR_ONE) rests++;
        if (e->kind == ELIMINATED_PIVOT) divisions -= fmpq_get_d(expr_number_value(b->p, power));
    }
    return rests <= divisions ? rests : 0;
}

static degree product_degree(bounds *b, expr e) {
    denominator_store *below = &b->denominators;
    degree d = {0};
    denominator_begin(below);
    for (uint32_t i = 0; i < expr_operand_count(b->p, e); i += 2) {
        const expr base = expr_operand(b->p, e, i);
        const degree *t = &b->known[base];
        const eliminated_node *known = elimination_of(b, base);
        const fmpq *power = expr_number_value(b->p, expr_operand(b->p, e, i + 1));
        const double solutions = known ? solutions_in(b, e, known) : 0;
        double times = rational_size(power);
        if (!fmpz_is_one(fmpq_denref(power)) && !b->rooted[base])
            b->roots++, b->rooted[base] = true;
        if (known && solutions > 0 && known->kind == ELIMINATED_REST)
            t = &b->system[known->system].solution;
        if (fmpq_sgn(power) > 0) {
            d.above += times * t->above;
            denominator_multiply(below, t->below, times);
        } else if (times > solutions) { // 1/base: its denominator goes up, its numerator below
            times -= solutions;
            d.above += times * denominator_degree(t->below);
            denominator_multiply_factor(below, base, times);
        }
    }
    d.below = denominator_finish(below);
    return d;
}

// sin and cos: of degree 2k over (1 + u^2)^k
static degree circle_degree(bounds *b, expr angle) {
    const double k = multiples(b, angle);
    denominator_begin(&b->denominators);
    denominator_multiply_factor(&b->denominators, angle, k);
    return (degree){2 * k, denominator_finish(&b->denominators)};
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
    case EXPR_TANH: return circle_degree(b, expr_operand(b->p, e, 0));
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
        b->widest = fmax(b->widest, total_degree(&b->known[u]));
    }
}

// --- the whole ----------------------------------------------------------------------------------

static void need(bounds *b, size_t count, const expr *e) {
    for (size_t i = 0; i < count; i++) b->needed[e[i]] = true;
}

// What the degree of a node is computed from: its operands, or the system
// that it was eliminated from.
static void need_below(bounds *b, expr e) {
    const eliminated_node *from = elimination_of(b, e);
    if (!from) {
        for (uint32_t j = 0; j < expr_operand_count(b->p, e); j++)
            b->needed[expr_operand(b->p, e, j)] = true;
        return;
    }
    const eliminated_system *s = matrix_eliminated_system(b->p, from->system);
    if (b->system[from->system].needed) return;
    b->system[from->system].needed = true;
    need(b, (size_t)s->n * s->n, s->matrix);
    need(b, (size_t)s->n * s->columns, s->right);
}

// The largest numerator and denominator degrees among the expressions, added.
static double largest(bounds *b, uint32_t count, const expr *e) {
    double most = 1;
    denominator_store_empty(&b->denominators);
    memset(b->needed, 0, sizeof(bool) * b->size);
    for (uint32_t i = 0; i < matrix_eliminated_system_count(b->p); i++)
        b->system[i].known = b->system[i].needed = false;
    need(b, count, e);
    for (expr i = b->size; i-- > 0;)
        if (b->needed[i]) need_below(b, i);
    for (expr i = 0; i < b->size; i++) {
        if (!b->needed[i]) continue;
        const eliminated_node *from = elimination_of(b, i);
        b->known[i] = from ? eliminated_degree(b, from) : node_degree(b, i);
        b->weight[i] = fmax(2, b->known[i].above); // 2: at least the circle's 1 + u^2
        note_function(b, i);
    }
    for (uint32_t i = 0; i < count; i++) most = fmax(most, total_degree(&b->known[e[i]]));
    return most;
}

// Velocities by Cramer's rule on the n linear equations for them.
static double cramer_bound(bounds *b, const mechanics *s) {
    const double entry =
        fmax(largest(b, s->k, s->phi), s->has_quasi ? largest(b, s->m, s->psi) : 1);
    return (s->has_quasi ? s->n : s->k) * entry + 1;
}

static bounds bounds_create(const mechanics *s, double denominator) {
    bounds b = {.p = s->pool,
                .size = pool_size(s->pool),
                .denominator = denominator,
                .velocity = 1,
                .momentum = 1};
    const uint32_t systems = matrix_eliminated_system_count(s->pool);
    uint32_t keys = b.size;
    b.system = memory_zeros(system_degree, systems);
    for (uint32_t i = 0; i < systems; i++)
        b.system[i].key = keys, keys += matrix_eliminated_system(s->pool, i)->n + 1;
    b.known = memory_zeros(degree, b.size);
    b.weight = memory_zeros(double, keys);
    denominator_store_init(&b.denominators, b.weight);
    b.needed = memory_zeros(bool, b.size);
    b.eliminated = memory_zeros(uint32_t, b.size);
    for (uint32_t i = 0; i < matrix_eliminated_count(s->pool); i++)
        b.eliminated[matrix_eliminated(s->pool, i)->node] = i + 1;
    b.rooted = memory_zeros(bool, b.size);
    b.argument = memory_zeros(bool, b.size);
    return b;
}

static void bounds_free(bounds *b) {
    memory_free(b->system);
    memory_free(b->known);
    memory_free(b->weight);
    memory_free(b->needed);
    memory_free(b->eliminated);
    memory_free(b->rooted);
    memory_free(b->argument);
    denominator_store_free(&b->denominators);
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
    bound->solved = 0;
    bounds_free(&b);
}

void degree_bound_add_motion(degree_bound *bound, const mechanics *s, uint32_t count,
                             const expr *e) {
    degree_bound_add(bound, s, count, e);
    bound->solved = bound->statement;
}

double degree_bound_bits(const degree_bound *d, bool higher) {
    // Cramer: unknowns of degree at most `unknowns * residual`, put once more into an
    // expression of degree `residual`; with constraints of higher order by way of q''', an
    // expression of that degree, too.
    return (higher ? 2 : 1) * log2(fmax(d->residual, d->statement)) +
           log2(d->unknowns * fmax(d->residual, d->solved) + 1) +
           fmin(fmax(d->roots, d->statement_roots), 64);
}
