// Sums: terms in human order, a common coefficient in front, minus signs between.
#include "print/expression_internal.h"

#include <string.h>

typedef struct {
    term_item *items;
    uint32_t count;
    factor *factors;
    fmpq *primitive; // coefficients over the common one
    fmpq_t common;
} sum_layout;

static size_t digits(const fmpz_t n) { return fmpz_sizeinbase(n, 10); }

// Letters that a coefficient adds to a term: 3*x, x/2, 3*x/2.
static size_t cost(const fmpq *c) {
    const size_t above = fmpz_is_pm1(fmpq_numref(c)) ? 0 : digits(fmpq_numref(c)) + 1;
    return above + (fmpz_is_one(fmpq_denref(c)) ? 0 : digits(fmpq_denref(c)) + 1);
}

// Is p*(...)/q shorter than the terms one by one?
static bool common_is_shorter(const sum_layout *s) {
    size_t apart = 0, together = cost(s->common) + strlen("()");
    fmpq_t primitive;
    fmpq_init(primitive);
    for (uint32_t i = 0; i < s->count; i++) {
        fmpq_div(primitive, s->items[i].coefficient, s->common);
        apart += cost(s->items[i].coefficient);
        together += cost(primitive);
    }
    fmpq_clear(primitive);
    return together < apart;
}

// The rational g > 0 with coefficients/g coprime integers, when it is to be written in front: all
// share one denominator, or it is shorter that way and no equation of motion, whose accelerations
// are to be seen with their coefficients.
static void find_common(sum_layout *s, const printer *pr) {
    fmpq_set_si(s->common, s->count < 2, 1);
    if (s->count < 2) return;
    bool negative = true, shared = true, fast = false;
    for (uint32_t i = 0; i < s->count; i++) {
        const fmpq *c = s->items[i].coefficient;
        fmpq_gcd(s->common, s->common, c);
        negative = negative && fmpq_sgn(c) < 0;
        shared = shared && fmpz_equal(fmpq_denref(c), fmpq_denref(s->items[0].coefficient));
        const expr term = s->items[i].term;
        fast = fast || (term != EXPR_ONE && printer_facts(pr, term)->level > 1);
    }
    if (!shared && (fast || !common_is_shorter(s))) fmpq_one(s->common);
    if (negative && !fmpq_is_one(s->common)) fmpq_neg(s->common, s->common);
}

static sum_layout lay_out(printer *pr, expr e, bool negated) {
    const pool *p = pr->p;
    const uint32_t n = expr_operand_count(p, e);
    sum_layout s = {.items = memory_array(term_item, n / 2 + 1)};
    uint32_t room = 1;
    for (uint32_t i = 2; i < n; i += 2) room += expr_operand_count(p, expr_operand(p, e, i)) + 1;
    s.factors = memory_array(factor, room);
    factor *next = s.factors;
    for (uint32_t i = 0; i < n; i += i ? 2 : 1) {
        if (i == 0 && expr_operand(p, e, 0) == EXPR_ZERO) continue;
        const expr term = i == 0 ? EXPR_ONE : expr_operand(p, e, i + 1);
        const uint32_t count = i == 0 ? 0 : print_order_factors(pr, term, next);
        s.items[s.count++] =
            (term_item){expr_number_value(p, expr_operand(p, e, i)), term, next, count, pr, false};
        next += count;
    }
    fmpq_init(s.common);
    find_common(&s, pr);
    s.primitive = memory_array(fmpq, s.count);
    for (uint32_t i = 0; i < s.count; i++) {
        fmpq_init(&s.primitive[i]);
        fmpq_div(&s.primitive[i], s.items[i].coefficient, s.common);
        if (negated) fmpq_neg(&s.primitive[i], &s.primitive[i]);
        s.items[i].coefficient = &s.primitive[i];
    }
    print_order_terms(s.items, s.count);
    return s;
}

static void layout_free(sum_layout *s) {
    for (uint32_t i = 0; i < s->count; i++) fmpq_clear(&s->primitive[i]);
    fmpq_clear(s->common);
    memory_free(s->primitive);
    memory_free(s->items);
    memory_free(s->factors);
}

static void print_terms(printer *pr, const sum_layout *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        const bool minus = print_shows_minus(pr, s->items[i].coefficient, s->items[i].term);
        if (i) text_append(pr->out, minus ? " - " : " + ");
        else if (minus) text_char(pr->out, '-');
        print_scaled(pr, s->items[i].coefficient, s->items[i].term);
    }
}

static void print_integer(printer *pr, const fmpz_t n) {
    char *digits = fmpz_get_str(NULL, 10, n);
    text_append(pr->out, digits);
    flint_free(digits);
}

// p*(...)/q
static void print_with_common(printer *pr, const sum_layout *s) {
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, s->common);
    const bool fraction = !fmpz_is_one(fmpq_denref(size)), whole = fmpz_is_one(fmpq_numref(size));
    if (fmpq_sgn(s->common) < 0) text_char(pr->out, '-');
    if (fraction && pr->style == STYLE_LATEX) text_append(pr->out, "\\frac{");
    if (!whole) print_integer(pr, fmpq_numref(size)), print_times(pr);
    const bool bare = fraction && whole && pr->style == STYLE_LATEX;
    if (!bare) print_open(pr);
    print_terms(pr, s);
    if (!bare) print_close(pr);
    if (fraction) {
        text_append(pr->out, pr->style == STYLE_LATEX ? "}{" : "/");
        print_integer(pr, fmpq_denref(size));
        if (pr->style == STYLE_LATEX) text_char(pr->out, '}');
    }
    fmpq_clear(size);
}

void print_sum(printer *pr, expr e, place where, bool negated) {
    sum_layout s = lay_out(pr, e, negated);
    const bool common = !fmpq_is_one(s.common), product = common || s.count == 1;
    const bool minus = common ? fmpq_sgn(s.common) < 0
                              : print_shows_minus(pr, s.items[0].coefficient, s.items[0].term);
    const bool brackets = where == PLACE_BASE ||
                          (where == PLACE_FACTOR && pr->style != STYLE_LATEX) ||
                          (where != PLACE_OPEN && (minus || !product));
    if (brackets) print_open(pr);
    if (common) print_with_common(pr, &s);
    else print_terms(pr, &s);
    if (brackets) print_close(pr);
    layout_free(&s);
}
