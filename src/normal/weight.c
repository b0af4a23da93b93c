// The length of an expression on paper: what "shortest form" means.
#include "normal/ring.h"
#include "expr/node_position.h"

enum {
    SYMBOL_WEIGHT = 2,
    FUNCTION_WEIGHT = 3,
    OPERATOR_WEIGHT = 1,
    BRACKET_WEIGHT = 1,
    ROOT_WEIGHT = 2
};

// Weights of operands are looked up in a table of all nodes below, or found by going down the tree,
// which is quicker while the tree is small.
typedef struct {
    const pool *p;
    const expr *nodes; // NULL: go down
    const uint32_t *weights;
    uint32_t count;
    uint32_t left; // going down: nodes that may still be visited
} weigher;

static uint32_t node_weight(weigher *w, expr e);

static uint32_t weight_of(weigher *w, expr e) {
    return w->nodes ? w->weights[node_position(w->nodes, w->count, e)] : node_weight(w, e);
}

static uint32_t plus(uint32_t a, uint32_t b) { return a > UINT32_MAX - b ? UINT32_MAX : a + b; }

// roughly its digits
static uint32_t integer_weight(const fmpz_t n) { return (uint32_t)(1 + fmpz_bits(n) / 4); }

static uint32_t number_weight(const fmpq *q) {
    const uint32_t top = integer_weight(fmpq_numref(q));
    return fmpz_is_one(fmpq_denref(q)) ? top
                                       : top + OPERATOR_WEIGHT + integer_weight(fmpq_denref(q));
}

// --- sums ----------------------------------------------------------------------------------------

static const fmpq *coefficient(const pool *p, expr sum, uint32_t i) {
    return expr_number_value(p, expr_operand(p, sum, i));
}

// Do all coefficients of a sum have one denominator > 1? It is then printed once, behind brackets.
static bool has_common_denominator(const pool *p, expr e) {
    const fmpz *d = fmpq_denref(coefficient(p, e, 1));
    if (fmpz_is_one(d) || expr_operand_count(p, e) < 5) return false;
    for (uint32_t i = expr_operand(p, e, 0) == EXPR_ZERO ? 1 : 0; i < expr_operand_count(p, e);
         i += i ? 2 : 1)
        if (!fmpz_equal(d, fmpq_denref(coefficient(p, e, i)))) return false;
    return true;
}

// A coefficient +-1 costs its sign only, which the operator pays.
static uint32_t coefficients_weight(const pool *p, expr e) {
    const bool common = has_common_denominator(p, e);
    uint32_t total = expr_operand(p, e, 0) == EXPR_ZERO ? 0 : number_weight(coefficient(p, e, 0));
    for (uint32_t i = 1; i < expr_operand_count(p, e); i += 2) {
        const expr c = expr_operand(p, e, i);
        if (common)
            total += fmpz_is_pm1(fmpq_numref(expr_number_value(p, c))) ? 0 : 2 * OPERATOR_WEIGHT;
        else if (c != EXPR_ONE && c != EXPR_MINUS_ONE)
            total += number_weight(expr_number_value(p, c)) + OPERATOR_WEIGHT;
    }
    return common ? total + BRACKET_WEIGHT + 2 * OPERATOR_WEIGHT : total;
}

// c0 + c1*t1 + ...
static uint32_t sum_weight(weigher *w, expr e) {
    const pool *p = w->p;
    const uint32_t n = expr_operand_count(p, e);
    const bool has_constant = expr_operand(p, e, 0) != EXPR_ZERO;
    uint32_t total = plus(coefficients_weight(p, e), OPERATOR_WEIGHT * (n / 2 - !has_constant));
    bool positive = has_constant && fmpq_sgn(coefficient(p, e, 0)) > 0;
    for (uint32_t i = 1; i < n; i += 2) {
        const expr t = expr_operand(p, e, i + 1);
        total = plus(total, weight_of(w, t));
        if (expr_kind_of(p, t) == EXPR_SUM) total = plus(total, BRACKET_WEIGHT);
        positive = positive || fmpq_sgn(coefficient(p, e, i)) > 0;
    }
    return positive ? total : plus(total, OPERATOR_WEIGHT); // the leading minus
}

// --- products, functions -------------------------------------------------------------------------

// What an exponent adds to its base: nothing for +-1, a root sign for +-1/2.
static uint32_t exponent_weight(const fmpq *e) {
    if (fmpz_is_one(fmpq_denref(e)))
        return fmpz_is_pm1(fmpq_numref(e)) ? 0 : integer_weight(fmpq_numref(e));
    if (fmpz_is_pm1(fmpq_numref(e)) && fmpz_equal_ui(fmpq_denref(e), 2)) return ROOT_WEIGHT;
    return BRACKET_WEIGHT + number_weight(e);
}

// cos(u)/sin(u) is read as one function, the cotangent, and weighs what tan(u) does. Returns the
// weight that such cosines add beyond that.
static uint32_t weight_in_cotangents(weigher *w, expr e) {
    const pool *p = w->p;
    const uint32_t n = expr_operand_count(p, e);
    uint32_t total = 0;
    for (uint32_t i = 0; i < n; i += 2) {
        const expr base = expr_operand(p, e, i);
        if (expr_kind_of(p, base) != EXPR_COS ||
            fmpq_sgn(expr_number_value(p, expr_operand(p, e, i + 1))) < 0)
            continue;
        for (uint32_t j = 0; j < n; j += 2) {
            const expr below = expr_operand(p, e, j);
            if (expr_kind_of(p, below) == EXPR_SIN &&
                expr_operand(p, below, 0) == expr_operand(p, base, 0) &&
                fmpq_sgn(expr_number_value(p, expr_operand(p, e, j + 1))) < 0)
                total = plus(total, weight_of(w, base) + OPERATOR_WEIGHT);
        }
    }
    return total;
}

static uint32_t product_weight(weigher *w, expr e) {
    const pool *p = w->p;
    const uint32_t n = expr_operand_count(p, e);
    uint32_t total = OPERATOR_WEIGHT * (n / 2 - 1), below = 0;
    for (uint32_t i = 0; i < n; i += 2) {
        const expr base = expr_operand(p, e, i);
        const fmpq *exponent = expr_number_value(p, expr_operand(p, e, i + 1));
        const uint32_t raised = exponent_weight(exponent);
        const bool bracketed = expr_kind_of(p, base) == EXPR_SUM && raised != ROOT_WEIGHT;
        total = plus(total, weight_of(w, base));
        total = plus(total, raised + (bracketed ? BRACKET_WEIGHT : 0));
        below += fmpq_sgn(exponent) < 0;
    }
    if (below > 1) total = plus(total, BRACKET_WEIGHT);
    if (below == n / 2) total = plus(total, OPERATOR_WEIGHT + 1); // "1/"
    if (!below || below == n / 2 || total == UINT32_MAX) return total;
    return total - weight_in_cotangents(w, e);
}

static uint32_t node_weight(weigher *w, expr e) {
    if (!w->nodes && w->left-- == 0) { // too large: stop everywhere
        w->left = 0;
        return UINT32_MAX;
    }
    switch (expr_kind_of(w->p, e)) {
    case EXPR_NUMBER:
        return number_weight(expr_number_value(w->p, e)) +
               (fmpq_sgn(expr_number_value(w->p, e)) < 0);
    case EXPR_SYMBOL:
    case EXPR_PI: return SYMBOL_WEIGHT;
    case EXPR_SUM: return sum_weight(w, e);
    case EXPR_PRODUCT: return product_weight(w, e);
    default: break;
    }
    uint32_t total = FUNCTION_WEIGHT;
    for (uint32_t i = 0; i < expr_operand_count(w->p, e); i++)
        total = plus(total, weight_of(w, expr_operand(w->p, e, i)));
    return total;
}

uint32_t expr_weight(pool *p, expr e) {
    enum { SMALL = 400 }; // nodes of a tree that is walked through
    weigher down = {.p = p, .left = SMALL};
    const uint32_t small = node_weight(&down, e);
    if (small != UINT32_MAX) return small;
    uint32_t count;
    expr *nodes = expr_reachable(p, 1, &e, &count);
    uint32_t *weights = memory_array(uint32_t, count);
    weigher table = {.p = p, .nodes = nodes, .weights = weights, .count = count};
    for (uint32_t i = 0; i < count; i++) weights[i] = node_weight(&table, nodes[i]);
    const uint32_t result = weights[count - 1]; // the root has the largest index of all
    memory_free(weights);
    memory_free(nodes);
    return result;
}

bool expr_is_heavier(pool *p, expr e, uint32_t limit) {
    uint32_t weight;
    return !weight_is_below(p, e, limit + 1, &weight);
}

bool weight_is_below(pool *p, expr e, uint32_t limit, uint32_t *weight) {
    enum { WIDE = 4001 }; // beyond, going down would go too deep
    if (limit > WIDE) {
        *weight = expr_weight(p, e);
    } else {
        weigher down = {.p = p, .left = limit}; // every node weighs 1 at least
        *weight = node_weight(&down, e);
    }
    return *weight < limit;
}
