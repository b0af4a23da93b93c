// Scalar types of generated code, and how their constants are written.
#include "codegen/target.h"

#include <arb.h>
#include <string.h>

const target target_double = {"double", "double", "", "%s", "#include <math.h>", "-lm", "static", 17};
const target target_long = {"long", "long double", "L", "%sl", "#include <math.h>", "-lm", "static", 21};
const target target_quad = {"quad", "__float128", "Q", "%sq", "#include <quadmath.h>", "-lquadmath -lm", "static", 36};

void target_literal(const target *as, const pool *p, expr constant, text *out) {
    int64_t whole;
    if (expr_is_integer(p, constant, &whole) && whole > -1000000 && whole < 1000000) {
        text_format(out, "%lld.0%s", (long long)whole, as->suffix);
        return;
    }
    arb_t v;
    arb_init(v);
    if (expr_is_number(p, constant)) arb_set_fmpq(v, expr_number_value(p, constant), 256);
    else arb_const_pi(v, 256);
    char *digits = arb_get_str(v, as->digits, ARB_STR_NO_RADIUS);
    const size_t mantissa = strcspn(digits, "e");
    size_t shown = mantissa;
    while (shown > 1 && digits[shown - 1] == '0' && memchr(digits, '.', shown - 1)) shown--; // 0.5, not 0.50000000000000000
    text_append_n(out, digits, shown);
    if (!memchr(digits, '.', shown)) text_append(out, ".0");
    else if (digits[shown - 1] == '.') text_char(out, '0');
    text_append(out, digits + mantissa);
    text_append(out, as->suffix);
    flint_free(digits);
    arb_clear(v);
}

void target_function(const target *as, const char *name, text *out) {
    for (const char *c = as->function; *c; c++) {
        if (c[0] == '%' && c[1] == 's') text_append(out, name), c++;
        else text_char(out, *c);
    }
}
