// Numbers as written become exact rationals: 0.1 is 1/10.
#include "parse/parser.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 10000 }; // of a number as written, and the size of its decimal exponent

// The exponent after e or E, kept within +-(MOST_DIGITS + 1).
static long read_exponent(const char *text, const char *end) {
    const bool negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    long exponent = 0;
    for (; text < end && exponent <= MOST_DIGITS; text++) exponent = 10 * exponent + (*text - '0');
    if (exponent > MOST_DIGITS) exponent = MOST_DIGITS + 1;
    return negative ? -exponent : exponent;
}

// value = digits * 10^exponent
static expr make_decimal(pool *p, const char *digits, long exponent) {
    fmpq_t value;
    fmpz_t power;
    fmpq_init(value);
    fmpz_init_set_ui(power, 10);
    fmpz_pow_ui(power, power, (ulong)labs(exponent));
    fmpz_set_str(fmpq_numref(value), digits, 10);
    if (exponent >= 0) fmpq_mul_fmpz(value, value, power);
    else fmpq_div_fmpz(value, value, power);
    const expr e = expr_number(p, value);
    fmpz_clear(power);
    fmpq_clear(value);
    return e;
}

expr parse_number(parser *ps, const token *t) {
    const char *text = ps->lexer.text->bytes + t->at.offset, *end = text + t->at.length;
    const char *mantissa_end = text;
    while (mantissa_end < end && *mantissa_end != 'e' && *mantissa_end != 'E') mantissa_end++;
    const long exponent = mantissa_end < end ? read_exponent(mantissa_end + 1, end) : 0;
    if (mantissa_end - text > MOST_DIGITS || labs(exponent) > MOST_DIGITS) {
        context_exhaust(ps->ctx, t->at, "decimal digits of a number", MOST_DIGITS);
        ps->failed = true;
        return EXPR_ZERO;
    }
    char digits[MOST_DIGITS + 1];
    size_t count = 0;
    long decimals = 0;
    bool after_point = false;
    for (const char *c = text; c < mantissa_end; c++) {
        if (*c == '.') after_point = true;
        else {
            digits[count++] = *c;
            decimals += after_point;
        }
    }
    digits[count] = '\0';
    return make_decimal(ps->shared->pool, digits, exponent - decimals);
}
