// From expressions to fractions: one pass over the needed nodes, operands first.
#include "normal/ring.h"
#include "expr/node_position.h"

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
    for (uint32_t i = 0; i < R->relation_count; i++)
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

// sin, cos, tan and their hyperbolic sisters, which = 0, 1, 2.
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

void ring_convert(ring *R) {
    R->values = memory_array(fraction, R->node_count);
    for (uint32_t i = 0; i < R->node_count; i++)
        if (R->needed[i]) fmpz_mpoly_q_init(&R->values[i], R->ctx);
    for (uint32_t i = 0; i < R->node_count && !R->over; i++)
        if (R->needed[i]) convert_node(R, i);
}
