// The ring of some expressions: which generators they need, which relations hold between those, and
// the value of each expression there.
#include "normal/ring.h"
#include "expr/node_position.h"

enum { ROOT_LIMIT = 12 }; // highest root that becomes a generator

normal_budget normal_budget_default(void) {
    return (normal_budget){.terms = 400, .generators = 48};
}

static slong add_generator(ring *R, expr base, ulong root) {
    if (R->generators_count >= R->budget.generators) {
        R->over = true;
        return 0;
    }
    const symbol *s = expr_as_symbol(R->p, base);
    const bool velocity = s && root == 1 && s->role == ROLE_COORDINATE && s->order >= 1;
    const bool quasi = s && root == 1 && s->role == ROLE_QUASI;
    const bool formal =
        s && root == 1 &&
        (s->role == ROLE_MULTIPLIER || s->role == ROLE_VARIATION || s->role == ROLE_TRANSPOSE);
    array_reserve(R->generators, R->generators_count, R->generators_capacity);
    R->generators[R->generators_count] = (generator){
        .base = base,
        .root = root,
        .weight = root == 1 ? expr_weight(R->p, base) : 2,
        .moving = velocity || quasi || formal,
        .fastest = (velocity && s->order >= 2) || (quasi && s->order >= 1) || formal,
        .parameter = s && root == 1 && s->role == ROLE_PARAMETER,
    };
    return R->generators_count++;
}

static relation *add_relation(ring *R, slong variable, slong partner, family f, ulong degree) {
    array_reserve(R->relations, R->relations_count, R->relations_capacity);
    relation *r = &R->relations[R->relations_count++];
    *r = (relation){.variable = variable, .partner = partner, .family = f, .degree = degree};
    return r;
}

// --- scanning ------------------------------------------------------------------------------------

// Which nodes need a value: the roots, and from there down through sums and products.
// Arguments of functions do not.
static void mark_needed(ring *R, uint32_t roots, const expr *root) {
    for (uint32_t i = 0; i < roots; i++)
        R->needed[node_position(R->nodes, R->node_count, root[i])] = true;
    for (uint32_t i = R->node_count; i-- > 0;) {
        const expr e = R->nodes[i];
        const expr_kind kind = expr_kind_of(R->p, e);
        if (!R->needed[i] || (kind != EXPR_SUM && kind != EXPR_PRODUCT)) continue;
        for (uint32_t j = kind == EXPR_SUM ? 2 : 0; j < expr_operand_count(R->p, e); j += 2)
            R->needed[node_position(R->nodes, R->node_count, expr_operand(R->p, e, j))] = true;
    }
}

// b^(p/q): one generator b^(1/Q) for each base, Q the least common multiple of the q met.
static void scan_roots(ring *R, expr product) {
    for (uint32_t i = 0; i < expr_operand_count(R->p, product); i += 2) {
        const fmpq *e = expr_number_value(R->p, expr_operand(R->p, product, i + 1));
        if (fmpz_is_one(fmpq_denref(e))) continue;
        const expr base = expr_operand(R->p, product, i);
        const uint32_t at = node_position(R->nodes, R->node_count, base);
        if (!expr_is_number(R->p, base))
            R->sound = false; // roots of distinct primes are independent, others may not be
        if (fmpz_cmp_ui(fmpq_denref(e), ROOT_LIMIT) > 0) {
            R->over = true;
            return;
        }
        const ulong q = fmpz_get_ui(fmpq_denref(e));
        if (R->root_of[at] < 0) {
            R->root_of[at] = add_generator(R, base, q);
        } else {
            generator *g = &R->generators[R->root_of[at]];
            g->root = g->root / n_gcd(g->root, q) * q;
        }
    }
}

// Abstract functions of plain symbols, and their derivatives, are independent of everything else;
// of other functions we do not know.
static bool is_independent_atom(const pool *p, expr e) {
    if (expr_kind_of(p, e) == EXPR_SYMBOL || expr_kind_of(p, e) == EXPR_PI) return true;
    if (expr_kind_of(p, e) != EXPR_APPLY) return false;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i++)
        if (expr_kind_of(p, expr_operand(p, e, i)) != EXPR_SYMBOL) return false;
    return true;
}

static void scan_node(ring *R, uint32_t position) {
    const expr e = R->nodes[position];
    switch (expr_kind_of(R->p, e)) {
    case EXPR_NUMBER:
    case EXPR_SUM: return;
    case EXPR_PRODUCT: scan_roots(R, e); return;
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: angles_note(R, FAMILY_CIRCULAR, expr_operand(R->p, e, 0)); return;
    case EXPR_SINH:
    case EXPR_COSH:
    case EXPR_TANH: angles_note(R, FAMILY_HYPERBOLIC, expr_operand(R->p, e, 0)); return;
    case EXPR_EXP: angles_note(R, FAMILY_EXPONENTIAL, expr_operand(R->p, e, 0)); return;
    default: break;
    }
    if (!is_independent_atom(R->p, e)) R->sound = false;
    R->generator_of[position] = add_generator(R, e, 1);
}

// --- generators and relations --------------------------------------------------------------------

static void add_angle_generators(ring *R) {
    angles_choose(R);
    static const expr_kind kinds[3][2] = {
        {EXPR_SIN, EXPR_COS}, {EXPR_SINH, EXPR_COSH}, {EXPR_EXP, EXPR_EXP}};
    bool present[3] = {false, false, false}, constant = false;
    for (uint32_t i = 0; i < R->angles_count; i++) {
        base_angle *angle = &R->angles[i];
        fmpq_t scale;
        fmpq_init(scale);
        fmpq_set_fmpz_frac(scale, (fmpz[]){1}, angle->divisor);
        const expr argument = expr_mul(R->p, expr_number(R->p, scale), angle->term);
        fmpq_clear(scale);
        angle->first = add_generator(R, expr_function(R->p, kinds[angle->family][0], &argument), 1);
        if (angle->family != FAMILY_EXPONENTIAL) {
            const slong second =
                add_generator(R, expr_function(R->p, kinds[angle->family][1], &argument), 1);
            add_relation(R, angle->first, second, angle->family, 2);
        }
        present[angle->family] = true;
        constant = constant || angle->term == EXPR_ONE;
    }
    // exp(x) = cosh(x) + sinh(x) is not among the relations; neither is what may
    // hold between sin(1), e and pi.
    if ((present[FAMILY_HYPERBOLIC] && present[FAMILY_EXPONENTIAL]) || constant) R->sound = false;
}

static void start_relations(ring *R) {
    for (uint32_t i = 0; i < R->generators_count; i++)
        if (R->generators[i].root > 1)
            add_relation(R, (slong)i, -1, FAMILY_CIRCULAR, R->generators[i].root);
    for (uint32_t i = 0; i < R->relations_count; i++) {
        relation *r = &R->relations[i];
        fmpz_mpoly_init(r->top, R->ctx);
        fmpz_mpoly_init(r->bottom, R->ctx);
        fmpz_mpoly_one(r->bottom, R->ctx);
        if (r->partner < 0) continue; // radicands become known while converting
        const slong variable = r->variable;
        r->variable = r->partner, r->partner = variable;
        relation_flip(R, r); // fills in s^2 = ...
    }
}

// --- values: one pass over the needed nodes, operands first --------------------------------------

static fraction *value_at(ring *R, expr e) {
    return &R->values[node_position(R->nodes, R->node_count, e)];
}

static void convert_sum(ring *R, expr e, fraction *out) {
    fraction term;
    fmpz_mpoly_q_init(&term, R->ctx);
    fmpz_mpoly_q_set_fmpq(out, expr_number_value(R->p, expr_operand(R->p, e, 0)), R->ctx);
    for (uint32_t i = 1; i < expr_operand_count(R->p, e) && !R->over; i += 2) {
        fmpz_mpoly_q_mul_fmpq(&term, value_at(R, expr_operand(R->p, e, i + 1)),
                              expr_number_value(R->p, expr_operand(R->p, e, i)), R->ctx);
        fraction_add(R, out, out, &term);
    }
    fmpz_mpoly_q_clear(&term, R->ctx);
}

static relation *relation_of(ring *R, slong variable) {
    for (uint32_t i = 0; i < R->relations_count; i++)
        if (R->relations[i].variable == variable) return &R->relations[i];
    return NULL;
}

// The generator of base^(1/q). When met first its radicand becomes known; one with the same
// radicand and degree is the same.
static slong root_generator(ring *R, expr base) {
    slong *root = &R->root_of[node_position(R->nodes, R->node_count, base)];
    const fraction *radicand = value_at(R, base);
    relation *r = relation_of(R, *root);
    if (!fmpz_mpoly_is_zero(r->top, R->ctx)) return *root;
    for (const relation *other = R->relations; other < r; other++) {
        if (other->partner >= 0 || other->degree != r->degree) continue;
        if (!fmpz_mpoly_equal(other->top, fmpz_mpoly_q_numref(radicand), R->ctx)) continue;
        if (fmpz_mpoly_equal(other->bottom, fmpz_mpoly_q_denref(radicand), R->ctx))
            return *root = other->variable;
    }
    if (fmpz_mpoly_q_is_zero(radicand, R->ctx)) R->over = true;
    fmpz_mpoly_set(r->top, fmpz_mpoly_q_numref(radicand), R->ctx);
    fmpz_mpoly_set(r->bottom, fmpz_mpoly_q_denref(radicand), R->ctx);
    return *root;
}

// b^e = b^floor(e) * (b^(1/q))^(q*(e - floor(e))): roots never enter a denominator here.
static void convert_power(ring *R, expr base, const fmpq *e, fraction *out) {
    fmpz_t whole;
    fmpz_init(whole);
    fmpz_fdiv_q(whole, fmpq_numref(e), fmpq_denref(e));
    if (!fmpz_fits_si(whole)) R->over = true;
    else fraction_power(R, out, value_at(R, base), fmpz_get_si(whole));
    if (!fmpz_is_one(fmpq_denref(e)) && !R->over) {
        const slong variable = root_generator(R, base);
        fmpz_mul(whole, whole, fmpq_denref(e));
        fmpz_sub(whole, fmpq_numref(e), whole); // p mod q
        fmpz_mul_ui(whole, whole, R->generators[variable].root);
        fmpz_divexact(whole, whole, fmpq_denref(e));
        fraction root;
        fmpz_mpoly_q_init(&root, R->ctx);
        fmpz_mpoly_q_gen(&root, variable, R->ctx);
        fmpz_mpoly_pow_ui(fmpz_mpoly_q_numref(&root), fmpz_mpoly_q_numref(&root),
                          fmpz_get_ui(whole), R->ctx);
        fraction_multiply(R, out, out, &root);
        fmpz_mpoly_q_clear(&root, R->ctx);
    }
    fmpz_clear(whole);
}

static void convert_product(ring *R, expr e, fraction *out) {
    fraction factor;
    fmpz_mpoly_q_init(&factor, R->ctx);
    fmpz_mpoly_q_one(out, R->ctx);
    for (uint32_t i = 0; i < expr_operand_count(R->p, e) && !R->over; i += 2) {
        convert_power(R, expr_operand(R->p, e, i),
                      expr_number_value(R->p, expr_operand(R->p, e, i + 1)), &factor);
        fraction_multiply(R, out, out, &factor);
    }
    fmpz_mpoly_q_clear(&factor, R->ctx);
}

// sin, cos, tan and their hyperbolic counterparts, which = 0, 1, 2.
static void convert_circular(ring *R, family f, int which, expr argument, fraction *out) {
    fraction sine, cosine;
    fmpz_mpoly_q_init(&sine, R->ctx);
    fmpz_mpoly_q_init(&cosine, R->ctx);
    angles_sine_cosine(R, f, argument, fmpz_mpoly_q_numref(&sine), fmpz_mpoly_q_numref(&cosine));
    if (which == 0) fmpz_mpoly_q_swap(out, &sine, R->ctx);
    else if (which == 1) fmpz_mpoly_q_swap(out, &cosine, R->ctx);
    else fraction_divide(R, out, &sine, &cosine);
    fmpz_mpoly_q_clear(&sine, R->ctx);
    fmpz_mpoly_q_clear(&cosine, R->ctx);
}

static void convert_node(ring *R, uint32_t position) {
    const expr e = R->nodes[position];
    fraction *out = &R->values[position];
    switch (expr_kind_of(R->p, e)) {
    case EXPR_NUMBER: fmpz_mpoly_q_set_fmpq(out, expr_number_value(R->p, e), R->ctx); return;
    case EXPR_SUM: convert_sum(R, e, out); return;
    case EXPR_PRODUCT: convert_product(R, e, out); return;
    case EXPR_SIN: convert_circular(R, FAMILY_CIRCULAR, 0, expr_operand(R->p, e, 0), out); return;
    case EXPR_COS: convert_circular(R, FAMILY_CIRCULAR, 1, expr_operand(R->p, e, 0), out); return;
    case EXPR_TAN: convert_circular(R, FAMILY_CIRCULAR, 2, expr_operand(R->p, e, 0), out); return;
    case EXPR_SINH:
        convert_circular(R, FAMILY_HYPERBOLIC, 0, expr_operand(R->p, e, 0), out);
        return;
    case EXPR_COSH:
        convert_circular(R, FAMILY_HYPERBOLIC, 1, expr_operand(R->p, e, 0), out);
        return;
    case EXPR_TANH:
        convert_circular(R, FAMILY_HYPERBOLIC, 2, expr_operand(R->p, e, 0), out);
        return;
    case EXPR_EXP: angles_exponential(R, expr_operand(R->p, e, 0), out); return;
    default: fmpz_mpoly_q_gen(out, R->generator_of[position], R->ctx); return;
    }
}

static void convert(ring *R) {
    R->values = memory_array(fraction, R->node_count);
    for (uint32_t i = 0; i < R->node_count; i++)
        if (R->needed[i]) fmpz_mpoly_q_init(&R->values[i], R->ctx);
    for (uint32_t i = 0; i < R->node_count && !R->over; i++)
        if (R->needed[i]) convert_node(R, i);
}

// --- the whole -----------------------------------------------------------------------------------

bool ring_create(ring *R, pool *p, uint32_t roots, const expr *root, angle_mode mode,
                 const normal_budget *b) {
    *R = (ring){.p = p, .budget = *b, .mode = mode, .sound = true};
    R->nodes = expr_reachable(p, roots, root, &R->node_count);
    R->over = ring_is_too_large(R->node_count, b);
    if (!R->over) {
        R->needed = memory_array(bool, R->node_count);
        R->generator_of = memory_array(slong, R->node_count);
        R->root_of = memory_array(slong, R->node_count);
        for (uint32_t i = 0; i < R->node_count; i++)
            R->needed[i] = false, R->generator_of[i] = R->root_of[i] = -1;
        mark_needed(R, roots, root);
        for (uint32_t i = 0; i < R->node_count && !R->over; i++)
            if (R->needed[i]) scan_node(R, i);
        if (!R->over) add_angle_generators(R);
    }
    if (!R->over) {
        fmpz_mpoly_ctx_init(R->ctx, R->generators_count ? (slong)R->generators_count : 1, ORD_LEX);
        R->started = true;
        start_relations(R);
        convert(R);
    }
    if (R->over) ring_clear(R);
    return !R->over;
}

void ring_clear(ring *R) {
    if (R->started) {
        for (uint32_t i = 0; i < R->relations_count; i++) {
            fmpz_mpoly_clear(R->relations[i].top, R->ctx);
            fmpz_mpoly_clear(R->relations[i].bottom, R->ctx);
        }
        for (uint32_t i = 0; R->values && i < R->node_count; i++)
            if (R->needed[i]) fmpz_mpoly_q_clear(&R->values[i], R->ctx);
        for (uint32_t i = 0; i < R->factored_count; i++)
            fmpz_mpoly_clear(R->factored[i].polynomial, R->ctx);
        fmpz_mpoly_ctx_clear(R->ctx);
    }
    memory_free(R->factored);
    angles_clear(R);
    memory_free(R->generators);
    memory_free(R->relations);
    memory_free(R->nodes);
    memory_free(R->needed);
    memory_free(R->generator_of);
    memory_free(R->root_of);
    memory_free(R->values);
}

const fraction *ring_value(const ring *R, expr e) {
    return &R->values[node_position(R->nodes, R->node_count, e)];
}
