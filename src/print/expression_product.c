// Products: one quotient, with negative powers and the denominator of the coefficient below the
// bar.
#include "print/expression_internal.h"

// Can -1 go into this factor?  -(a - b) = (b - a): a sum of both signs, to an odd power, short
// enough to be read back as it is stored.
static bool takes_sign(const printer *pr, const factor *f) {
    enum { TERMS = 16 }; // up to here the builders choose the sign of a sum under a power
    const fmpq *e = f->exponent;
    const uint32_t n = expr_operand_count(pr->p, f->base);
    if (expr_kind_of(pr->p, f->base) != EXPR_SUM || printer_name_of(pr, f->base)) return false;
    if (!fmpz_is_one(fmpq_denref(e)) || fmpz_is_even(fmpq_numref(e)) || n > 2 * TERMS + 1)
        return false;
    bool plus = false, minus = false;
    for (uint32_t i = 0; i < n; i += i ? 2 : 1) {
        const int sign = fmpq_sgn(expr_number_value(pr->p, expr_operand(pr->p, f->base, i)));
        plus = plus || sign > 0;
        minus = minus || sign < 0;
    }
    return plus && minus;
}

bool print_shows_minus(const printer *pr, const fmpq *coefficient, expr term) {
    if (fmpq_sgn(coefficient) >= 0) return false;
    if (expr_kind_of(pr->p, term) != EXPR_PRODUCT || printer_name_of(pr, term)) return true;
    for (uint32_t i = 0; i < expr_operand_count(pr->p, term); i += 2) {
        const factor f = {expr_operand(pr->p, term, i),
                          expr_number_value(pr->p, expr_operand(pr->p, term, i + 1))};
        if (takes_sign(pr, &f)) return false;
    }
    return true;
}

// b^e for e > 0: x, x^2, sqrt(x), x^(3/2); b negated on request.
static void print_factor(printer *pr, const factor *f, bool negated) {
    const bool named = printer_name_of(pr, f->base) != NULL;
    const fmpq *e = f->exponent;
    if (fmpq_is_one(e)) {
        if (negated) print_sum(pr, f->base, PLACE_FACTOR, true);
        else print_node(pr, f->base, PLACE_FACTOR);
    } else if (fmpz_is_one(fmpq_numref(e)) && fmpz_equal_ui(fmpq_denref(e), 2)) {
        text_append(pr->out, pr->style == STYLE_LATEX ? "\\sqrt{" : "sqrt(");
        print_node(pr, f->base, PLACE_OPEN);
        text_char(pr->out, pr->style == STYLE_LATEX ? '}' : ')');
    } else if (!named && print_call_takes_exponent(pr, f->base)) {
        print_call(pr, f->base, e);
    } else {
        if (negated) print_sum(pr, f->base, PLACE_BASE, true);
        else print_node(pr, f->base, PLACE_BASE);
        print_exponent(pr, e);
    }
}

typedef struct {
    factor *above, *below;
    uint32_t above_count, below_count;
    fmpq *exponents;       // of the factors below, made positive
    const factor *negated; // the factor that takes a minus in, if any
} quotient;

static quotient split(printer *pr, expr term, bool negative) {
    const uint32_t room = expr_operand_count(pr->p, term) / 2 + 1;
    quotient q = {.above = memory_array(factor, (size_t)room * 2),
                  .exponents = memory_array(fmpq, room)};
    q.below = q.above + room;
    const uint32_t n = term == EXPR_ONE ? 0 : print_order_factors(pr, term, q.above);
    negative = negative && !print_shows_minus(pr, &(fmpq){-1, 1}, term); // a factor takes it
    for (uint32_t i = 0; i < n; i++) {
        const factor f = q.above[i];
        const bool takes = negative && !q.negated && takes_sign(pr, &f);
        if (fmpq_sgn(f.exponent) > 0) {
            if (takes) q.negated = &q.above[q.above_count];
            q.above[q.above_count++] = f;
            continue;
        }
        if (takes) q.negated = &q.below[q.below_count];
        fmpq *positive = &q.exponents[q.below_count];
        fmpq_init(positive);
        fmpq_neg(positive, f.exponent);
        q.below[q.below_count++] = (factor){f.base, positive};
    }
    return q;
}

static void quotient_free(quotient *q) {
    for (uint32_t i = 0; i < q->below_count; i++) fmpq_clear(&q->exponents[i]);
    memory_free(q->exponents);
    memory_free(q->above);
}

// number*f1*f2...; the number is left out when it is 1 and something else is there. Alone between
// braces a factor needs no brackets.
static void print_list(printer *pr, const quotient *q, const fmpz_t number, const factor *factors,
                       uint32_t count, place alone) {
    const bool show = !count || !fmpz_is_pm1(number);
    if (show) {
        char *digits = fmpz_get_str(NULL, 10, number);
        text_append(pr->out, *digits == '-' ? digits + 1 : digits);
        flint_free(digits);
    }
    if (!show && count == 1 && fmpq_is_one(factors[0].exponent)) {
        if (q->negated == factors) print_sum(pr, factors[0].base, alone, true);
        else print_node(pr, factors[0].base, alone);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bool digit =
            pr->style == STYLE_LATEX && (i || show) && expr_is_number(pr->p, factors[i].base);
        if (digit) text_append(pr->out, " \\cdot ");
        else if (i || show) print_times(pr);
        print_factor(pr, &factors[i], q->negated == &factors[i]);
    }
}

void print_scaled(printer *pr, const fmpq *coefficient, expr term) {
    quotient q = split(pr, term, fmpq_sgn(coefficient) < 0);
    const bool below_number = !fmpz_is_one(fmpq_denref(coefficient));
    const bool bar = below_number || q.below_count, latex = pr->style == STYLE_LATEX;
    if (bar && latex) text_append(pr->out, "\\frac{");
    print_list(pr, &q, fmpq_numref(coefficient), q.above, q.above_count,
               !bar    ? PLACE_TERM
               : latex ? PLACE_OPEN
                       : PLACE_FACTOR);
    if (bar) {
        const bool several = q.below_count + below_number > 1;
        text_append(pr->out, latex ? "}{" : several ? "/(" : "/");
        print_list(pr, &q, fmpq_denref(coefficient), q.below, q.below_count,
                   latex ? PLACE_OPEN : PLACE_FACTOR);
        if (several || latex) text_char(pr->out, latex ? '}' : ')');
    }
    quotient_free(&q);
}
