// The sine or cosine in most terms first (Horner's scheme for several variables).
#include "equations/horner.h"

typedef struct {
    expr factor;
    uint32_t terms;
} tally;

typedef struct {
    tally *list;
    uint32_t count, capacity;
} tallies;

static bool is_circular(const pool *p, expr e) {
    return expr_kind_of(p, e) == EXPR_SIN || expr_kind_of(p, e) == EXPR_COS;
}

static void note(tallies *w, expr factor) {
    uint32_t i = 0;
    while (i < w->count && w->list[i].factor != factor) i++;
    if (i == w->count) {
        array_reserve(w->list, w->count, w->capacity);
        w->list[w->count++] = (tally){factor, 0};
    }
    w->list[i].terms++;
}

static bool is_whole_power(const pool *p, expr exponent) {
    int64_t n;
    return expr_is_integer(p, exponent, &n) && n > 0;
}

static void note_factors(const pool *p, expr term, tallies *w) {
    if (is_circular(p, term)) note(w, term);
    for (uint32_t i = 0; expr_kind_of(p, term) == EXPR_PRODUCT && i < expr_operand_count(p, term);
         i += 2)
        if (is_circular(p, expr_operand(p, term, i)) &&
            is_whole_power(p, expr_operand(p, term, i + 1)))
            note(w, expr_operand(p, term, i));
}

static bool holds(const pool *p, expr term, expr factor) {
    if (term == factor) return true;
    for (uint32_t i = 0; expr_kind_of(p, term) == EXPR_PRODUCT && i < expr_operand_count(p, term);
         i += 2)
        if (expr_operand(p, term, i) == factor)
            return is_whole_power(p, expr_operand(p, term, i + 1));
    return false;
}

// The factor of most terms, of several the one met first; EXPR_NONE if none is in two.
static expr commonest(const pool *p, expr sum) {
    tallies w = {0};
    for (uint32_t i = 2; i < expr_operand_count(p, sum); i += 2)
        note_factors(p, expr_operand(p, sum, i), &w);
    tally best = {EXPR_NONE, 1};
    for (uint32_t i = 0; i < w.count; i++)
        if (w.list[i].terms > best.terms) best = w.list[i];
    memory_free(w.list);
    return best.factor;
}

expr horner_take_out_angles(pool *p, expr sum) {
    if (expr_kind_of(p, sum) != EXPR_SUM) return sum;
    const expr factor = commonest(p, sum);
    if (factor == EXPR_NONE) return sum;
    expr inside = EXPR_ZERO, outside = expr_operand(p, sum, 0);
    for (uint32_t i = 2; i < expr_operand_count(p, sum); i += 2) {
        const expr term = expr_mul(p, expr_operand(p, sum, i - 1), expr_operand(p, sum, i));
        if (holds(p, expr_operand(p, sum, i), factor))
            inside = expr_add(p, inside, expr_div(p, term, factor));
        else outside = expr_add(p, outside, term);
    }
    return expr_add(p, expr_mul(p, factor, horner_take_out_angles(p, inside)),
                    horner_take_out_angles(p, outside));
}
