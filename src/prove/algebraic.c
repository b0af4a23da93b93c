// Constants as algebraic numbers: a minimal polynomial and an enclosure that
// tells its root (Calcium's qqbar).
#include "prove/algebraic.h"

#include "expr/node_position.h"

#include <calcium/qqbar.h>

enum {
    MOST_NODES = 80,
    MOST_DEGREE = 64,
    MOST_BITS = 2000,
    LARGEST_EXPONENT = 24,
    LARGEST_ORDER = 180
};

typedef struct {
    pool *p;
    const expr *nodes;
    uint32_t count;
    qqbar_ptr value; // by position; of a multiple of pi the multiple
    bool *good, *is_pi;
} work;

static uint32_t position(const work *w, expr e) { return node_position(w->nodes, w->count, e); }

static bool within_limits(const qqbar_t a, const qqbar_t b) {
    return qqbar_binop_within_limits(a, b, MOST_DEGREE, MOST_BITS) != 0;
}

static bool add_terms(work *w, expr e, qqbar_t out) {
    bool good = true;
    qqbar_t term;
    qqbar_init(term);
    qqbar_set(out, w->value + position(w, expr_operand(w->p, e, 0)));
    for (uint32_t i = 1; i < expr_operand_count(w->p, e) && good; i += 2) {
        const uint32_t c = position(w, expr_operand(w->p, e, i)),
                       t = position(w, expr_operand(w->p, e, i + 1));
        good = w->good[t] && !w->is_pi[t];
        if (!good) break;
        qqbar_mul(term, w->value + c, w->value + t);
        good = within_limits(out, term);
        if (good) qqbar_add(out, out, term);
    }
    qqbar_clear(term);
    return good;
}

// c*pi, and nothing else
static bool is_multiple_of_pi(const work *w, expr e) {
    return expr_kind_of(w->p, e) == EXPR_SUM && expr_operand_count(w->p, e) == 3 &&
           expr_operand(w->p, e, 0) == EXPR_ZERO &&
           expr_kind_of(w->p, expr_operand(w->p, e, 2)) == EXPR_PI;
}

static bool multiply_powers(work *w, expr e, qqbar_t out) {
    bool good = true;
    qqbar_t power;
    qqbar_init(power);
    qqbar_one(out);
    for (uint32_t i = 0; i < expr_operand_count(w->p, e) && good; i += 2) {
        const uint32_t b = position(w, expr_operand(w->p, e, i));
        fmpq_t exponent;
        *exponent = *expr_number_value(w->p, expr_operand(w->p, e, i + 1)); // a shallow view
        good =
            w->good[b] && !w->is_pi[b] &&
            fmpz_cmpabs(fmpq_numref(exponent), (fmpz[]){LARGEST_EXPONENT}) <= 0 &&
            fmpz_cmp_ui(fmpq_denref(exponent), LARGEST_EXPONENT) <= 0 &&
            qqbar_degree(w->value + b) * (slong)fmpz_get_ui(fmpq_denref(exponent)) <= MOST_DEGREE &&
            !(qqbar_is_zero(w->value + b) && fmpq_sgn(exponent) < 0) &&
            qqbar_is_real(w->value + b) &&
            (fmpz_is_one(fmpq_denref(exponent)) || qqbar_sgn_re(w->value + b) >= 0);
        if (!good) break;
        qqbar_pow_fmpq(power, w->value + b, exponent);
        good = within_limits(out, power);
        if (good) qqbar_mul(out, out, power);
    }
    qqbar_clear(power);
    return good;
}

static bool circular(work *w, expr e, qqbar_t out) {
    const uint32_t u = position(w, expr_operand(w->p, e, 0));
    if (!w->is_pi[u]) return false;
    fmpq_t turns;
    fmpq_init(turns);
    qqbar_get_fmpq(turns, w->value + u);
    bool good =
        fmpz_cmp_ui(fmpq_denref(turns), LARGEST_ORDER) <= 0 && fmpz_bits(fmpq_numref(turns)) < 40;
    if (good) {
        const slong n = fmpz_get_si(fmpq_numref(turns));
        const ulong d = fmpz_get_ui(fmpq_denref(turns));
        if (expr_kind_of(w->p, e) == EXPR_SIN) qqbar_sin_pi(out, n, d);
        else if (expr_kind_of(w->p, e) == EXPR_COS) qqbar_cos_pi(out, n, d);
        else good = qqbar_tan_pi(out, n, d) != 0;
    }
    fmpq_clear(turns);
    return good;
}

static bool evaluate(work *w, uint32_t i) {
    const expr e = w->nodes[i];
    fmpq_t number;
    switch (expr_kind_of(w->p, e)) {
    case EXPR_NUMBER:
        *number = *expr_number_value(w->p, e);
        qqbar_set_fmpq(w->value + i, number);
        return true;
    case EXPR_PI:
        w->is_pi[i] = true;
        qqbar_one(w->value + i);
        return true;
    case EXPR_SUM:
        if (!is_multiple_of_pi(w, e)) return add_terms(w, e, w->value + i);
        w->is_pi[i] = true;
        qqbar_set(w->value + i, w->value + position(w, expr_operand(w->p, e, 1)));
        return true;
    case EXPR_PRODUCT: return multiply_powers(w, e, w->value + i);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return circular(w, e, w->value + i);
    default: return false;
    }
}

// No symbol and no abstract function among the nodes
static bool are_constant(const pool *p, uint32_t count, const expr *nodes) {
    for (uint32_t i = 0; i < count; i++) {
        const expr_kind kind = expr_kind_of(p, nodes[i]);
        if (kind == EXPR_SYMBOL || kind == EXPR_APPLY) return false;
    }
    return true;
}

normal_truth algebraic_is_zero(pool *p, expr e) {
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    normal_truth truth = NORMAL_UNKNOWN;
    if (count <= MOST_NODES && are_constant(p, count, nodes)) {
        work w = {.p = p, .nodes = nodes, .count = count, .value = _qqbar_vec_init((slong)count)};
        w.good = memory_zeros(bool, 2 * (size_t)count), w.is_pi = w.good + count;
        for (uint32_t i = 0; i < count; i++) w.good[i] = evaluate(&w, i);
        if (w.good[count - 1] && !w.is_pi[count - 1])
            truth = qqbar_is_zero(w.value + count - 1) ? NORMAL_YES : NORMAL_NO;
        _qqbar_vec_clear(w.value, (slong)count);
        memory_free(w.good);
    }
    memory_free(nodes);
    return truth;
}
