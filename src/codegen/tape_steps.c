// The steps of one instruction: sums pairwise, products with one fixed factor, powers, and sin, cos
// and tan, of which some are computed together and some from others.
#include "codegen/tape_internal.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST_POWER = 16 }; // beyond it pow() is shorter

static uint32_t emit_unary(builder *w, tape_operation operation, uint32_t a) {
    return tape_emit(w, operation, a, a);
}

// --- sums and products ---------------------------------------------------------------------------

typedef struct {
    uint32_t at;
    bool negative;
    tape_level level;
} term;

// Terms of one level side by side, so that what can be computed once is; the order within a level
// stays.
static int by_level(const void *a, const void *b) {
    const term *x = a, *y = b;
    return x->level != y->level ? (x->level > y->level) - (x->level < y->level)
                                : (x->at > y->at) - (x->at < y->at);
}

// Neighbours are added, then neighbours among the results ..
static term add_pairwise(builder *w, term *list, uint32_t count) {
    while (count > 1) {
        uint32_t left = 0;
        for (uint32_t i = 0; i + 1 < count; i += 2) {
            const term x = list[i], y = list[i + 1];
            term sum = {.level = x.level > y.level ? x.level : y.level,
                        .negative = x.negative && y.negative};
            if (x.negative == y.negative) sum.at = tape_emit(w, TAPE_ADD, x.at, y.at);
            else
                sum.at = x.negative ? tape_emit(w, TAPE_SUB, y.at, x.at)
                                    : tape_emit(w, TAPE_SUB, x.at, y.at);
            list[left++] = sum;
        }
        if (count % 2) list[left++] = list[count - 1];
        count = left;
    }
    return list[0];
}

// Levels one after the other: the sum of all that is fixed, then what depends on time, then on the
// state.
static uint32_t add_terms(builder *w, term *list, uint32_t count) {
    qsort(list, count, sizeof *list, by_level);
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && list[end].level == list[i].level) end++;
        const term part = add_pairwise(w, list + i, end - i);
        list[parts++] = part;
        i = end;
    }
    const term sum = add_pairwise(w, list, parts);
    return sum.negative ? emit_unary(w, TAPE_NEG, sum.at) : sum.at;
}

static bool is_one(const builder *w, expr number) {
    return number == EXPR_ONE ||
           (expr_is_number(w->p, number) && fmpq_is_one(expr_number_value(w->p, number)));
}

static uint32_t multiply_all(builder *w, term *list, uint32_t count) {
    qsort(list, count, sizeof *list, by_level);
    uint32_t at = list[0].at; // fixed factors first, so that their product is computed once
    for (uint32_t i = 1; i < count; i++) at = tape_emit(w, TAPE_MUL, at, list[i].at);
    return at;
}

// base^n by repeated squaring, n >= 1
static uint32_t whole_power(builder *w, uint32_t base, slong n) {
    if (n == 1) return base;
    const uint32_t half = whole_power(w, base, n / 2), square = tape_emit(w, TAPE_MUL, half, half);
    return n % 2 ? tape_emit(w, TAPE_MUL, square, base) : square;
}

// base^|e|
static uint32_t positive_power(builder *w, uint32_t base, const fmpq_t exponent) {
    fmpq_t e;
    fmpq_init(e);
    fmpq_abs(e, exponent);
    const bool modest = fmpz_cmp_si(fmpq_numref(e), LARGEST_POWER) <= 0;
    uint32_t at;
    if (modest && fmpz_is_one(fmpq_denref(e))) {
        at = whole_power(w, base, fmpz_get_si(fmpq_numref(e)));
    } else if (modest && fmpz_equal_si(fmpq_denref(e), 2)) { // x^(n + 1/2) = x^n sqrt(x)
        const slong n = fmpz_get_si(fmpq_numref(e)) / 2;
        at = emit_unary(w, TAPE_SQRT, base);
        if (n) at = tape_emit(w, TAPE_MUL, whole_power(w, base, n), at);
    } else {
        at = tape_emit(w, TAPE_POW, base, tape_constant_register(w, expr_number(w->p, e)));
    }
    fmpq_clear(e);
    return at;
}

// scale * product: what is fixed, above and below, is one factor; the rest is one quotient.
static uint32_t scaled_product(builder *w, const instruction *c, expr scale) {
    const program *g = w->prog;
    const uint32_t *operand = g->operands + c->first;
    term *list = memory_array(term, 2 * (size_t)c->count + 4), *part[2][2]; // part[fixed][below]
    uint32_t count[2][2] = {{0}};
    for (int i = 0; i < 4; i++) part[i / 2][i % 2] = list + i * (c->count / 2 + 1);
    if (!is_one(w, scale))
        part[1][0][count[1][0]++] = (term){tape_constant_register(w, scale), false, TAPE_FIXED};
    for (uint32_t i = 0; i < c->count; i += 2) {
        const fmpq *e = expr_number_value(w->p, g->code[operand[i + 1]].node);
        const uint32_t at = positive_power(w, w->of[operand[i]], e);
        const tape_level level = tape_level_of(w, at);
        const int fixed = level == TAPE_FIXED, below = fmpq_sgn(e) < 0;
        part[fixed][below][count[fixed][below]++] = (term){at, false, level};
    }
    if (count[1][1]) {
        const uint32_t above = count[1][0] ? multiply_all(w, part[1][0], count[1][0])
                                           : tape_constant_register(w, EXPR_ONE);
        part[1][0][0] =
            (term){tape_emit(w, TAPE_DIV, above, multiply_all(w, part[1][1], count[1][1])), false,
                   TAPE_FIXED};
        count[1][0] = 1;
    }
    memcpy(part[0][0] + count[0][0], part[1][0], sizeof(term) * count[1][0]);
    count[0][0] += count[1][0];
    uint32_t at = count[0][0] ? multiply_all(w, part[0][0], count[0][0])
                              : tape_constant_register(w, EXPR_ONE);
    if (count[0][1]) at = tape_emit(w, TAPE_DIV, at, multiply_all(w, part[0][1], count[0][1]));
    memory_free(list);
    return at;
}

// A product that only this sum needs takes its coefficient among its fixed factors.
static uint32_t scaled(builder *w, uint32_t operand, expr scale) {
    const instruction *c = &w->prog->code[operand];
    if (is_one(w, scale)) return w->of[operand];
    if (c->kind == EXPR_PRODUCT && w->uses[operand] == 1) return scaled_product(w, c, scale);
    return tape_emit(w, TAPE_MUL, tape_constant_register(w, scale), w->of[operand]);
}

static uint32_t make_sum(builder *w, const instruction *c, const uint32_t *operand) {
    const program *g = w->prog;
    term *list = memory_array(term, c->count + 1);
    uint32_t count = 0;
    const expr c0 = g->code[operand[0]].node;
    // -2*x is one product
    const bool alone =
        c0 == EXPR_ZERO && c->count == 3 && g->code[operand[1]].node != EXPR_MINUS_ONE;
    if (c0 != EXPR_ZERO) list[count++] = (term){w->of[operand[0]], false, TAPE_FIXED};
    for (uint32_t i = 1; i < c->count; i += 2) {
        const expr factor = g->code[operand[i]].node;
        const bool negative = !alone && fmpq_sgn(expr_number_value(w->p, factor)) < 0;
        const uint32_t at = scaled(w, operand[i + 1], negative ? expr_neg(w->p, factor) : factor);
        list[count++] = (term){at, negative, tape_level_of(w, at)};
    }
    const uint32_t sum = count ? add_terms(w, list, count) : tape_constant_register(w, EXPR_ZERO);
    memory_free(list);
    return sum;
}

// --- circular functions --------------------------------------------------------------------------

typedef struct {
    uint32_t sine, cosine;
} circular;

// sin and cos of one argument stand side by side: jets need both, and a compiler merges them. Those
// of a sum or difference of two angles whose sin and cos are computed anyway follow from the
// addition theorems.
static circular circular_of(builder *w, uint32_t argument) {
    if (!w->split[argument])
        return (circular){emit_unary(w, TAPE_SIN, w->of[argument]),
                          emit_unary(w, TAPE_COS, w->of[argument])};
    const uint32_t *term = w->prog->operands + w->prog->code[argument].first;
    const bool minus_a = w->prog->code[term[1]].node == EXPR_MINUS_ONE,
               minus_b = w->prog->code[term[3]].node == EXPR_MINUS_ONE;
    const circular a = circular_of(w, term[2]), b = circular_of(w, term[4]);
    const uint32_t sc = tape_emit(w, TAPE_MUL, a.sine, b.cosine),
                   cs = tape_emit(w, TAPE_MUL, a.cosine, b.sine);
    const uint32_t cc = tape_emit(w, TAPE_MUL, a.cosine, b.cosine),
                   ss = tape_emit(w, TAPE_MUL, a.sine, b.sine);
    if (minus_a != minus_b)
        return (circular){minus_a ? tape_emit(w, TAPE_SUB, cs, sc) : tape_emit(w, TAPE_SUB, sc, cs),
                          tape_emit(w, TAPE_ADD, cc, ss)};
    const uint32_t sine = tape_emit(w, TAPE_ADD, sc, cs);
    return (circular){minus_a ? emit_unary(w, TAPE_NEG, sine) : sine,
                      tape_emit(w, TAPE_SUB, cc, ss)};
}

static bool is_unit(const builder *w, uint32_t at) {
    return w->prog->code[at].node == EXPR_ONE || w->prog->code[at].node == EXPR_MINUS_ONE;
}

// a + b, a - b ..
static bool is_pair_of_angles(const builder *w, uint32_t argument) {
    const instruction *c = &w->prog->code[argument];
    const uint32_t *term = w->prog->operands + c->first;
    return c->kind == EXPR_SUM && c->count == 5 && w->prog->code[term[0]].node == EXPR_ZERO &&
           is_unit(w, term[1]) && is_unit(w, term[3]);
}

void tape_plan_circular(builder *w) {
    const program *g = w->prog;
    bool *sine = memory_zeros(bool, 3 * (size_t)g->length + 3), *cosine = sine + g->length + 1,
         *tangent = cosine + g->length + 1;
    for (uint32_t i = 0; i < g->length; i++) {
        bool *seen = g->code[i].kind == EXPR_SIN   ? sine
                     : g->code[i].kind == EXPR_COS ? cosine
                     : g->code[i].kind == EXPR_TAN ? tangent
                                                   : NULL;
        if (seen) seen[g->operands[g->code[i].first]] = true;
    }
    for (uint32_t i = 0; i < g->length; i++) {
        if (!sine[i] && !cosine[i]) continue;
        w->circle[i] = w->circle[i] || (sine[i] && cosine[i]) || tangent[i];
        if (!is_pair_of_angles(w, i)) continue;
        const uint32_t *term = g->operands + g->code[i].first, a = term[2], b = term[4];
        w->split[i] = (sine[a] || cosine[a]) && (sine[b] || cosine[b]);
        if (w->split[i]) w->circle[i] = w->circle[a] = w->circle[b] = true;
    }
    memory_free(sine);
}

static uint32_t make_circular(builder *w, const instruction *c) {
    const uint32_t argument = w->prog->operands[c->first];
    if (!w->circle[argument])
        return emit_unary(w,
                          c->kind == EXPR_SIN   ? TAPE_SIN
                          : c->kind == EXPR_COS ? TAPE_COS
                                                : TAPE_TAN,
                          w->of[argument]);
    const circular f = circular_of(w, argument);
    return c->kind == EXPR_SIN   ? f.sine
           : c->kind == EXPR_COS ? f.cosine
                                 : tape_emit(w, TAPE_DIV, f.sine, f.cosine);
}

// --- any instruction -----------------------------------------------------------------------------

static tape_operation function_operation(expr_kind kind) {
    switch (kind) {
    case EXPR_ASIN: return TAPE_ASIN;
    case EXPR_ACOS: return TAPE_ACOS;
    case EXPR_ATAN: return TAPE_ATAN;
    case EXPR_SINH: return TAPE_SINH;
    case EXPR_COSH: return TAPE_COSH;
    case EXPR_TANH: return TAPE_TANH;
    case EXPR_EXP: return TAPE_EXP;
    case EXPR_LOG: return TAPE_LOG;
    case EXPR_ABS: return TAPE_ABS;
    default: return TAPE_SIGN;
    }
}

static uint32_t input_register(const builder *w, uint32_t symbol_index) {
    const expr node = pool_symbol(w->p, symbol_index)->node;
    for (uint32_t k = 0; k < w->t->system_count; k++) {
        const matrix_system *s = &w->system[k];
        for (uint32_t j = 0; j < s->n * s->columns; j++)
            if (s->unknown[j] == node) return w->t->system[k].first + j;
    }
    uint32_t i = 0;
    while (w->t->input[i] != node) i++; // every other symbol is an input
    return TAPE_FIRST_LEAF + i;
}

uint32_t tape_make_step(builder *w, const instruction *c) {
    const uint32_t *operand = w->prog->operands + c->first;
    switch (c->kind) {
    case EXPR_NUMBER:
    case EXPR_PI: return tape_constant_register(w, c->node);
    case EXPR_SYMBOL: return input_register(w, c->payload);
    case EXPR_SUM: return make_sum(w, c, operand);
    case EXPR_PRODUCT: return scaled_product(w, c, EXPR_ONE);
    case EXPR_POWER: return tape_emit(w, TAPE_POW, w->of[operand[0]], w->of[operand[1]]);
    case EXPR_ATAN2: return tape_emit(w, TAPE_ATAN2, w->of[operand[0]], w->of[operand[1]]);
    case EXPR_SIN:
    case EXPR_COS:
    case EXPR_TAN: return make_circular(w, c);
    default: return emit_unary(w, function_operation(c->kind), w->of[operand[0]]);
    }
}
