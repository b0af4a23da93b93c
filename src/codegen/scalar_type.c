// Scalar types of generated code, and how their constants are written.
#include "codegen/scalar_type.h"

#include <arb.h>
#include <string.h>

const scalar_type scalar_type_double = {.id = "double",
                                        .scalar = "double",
                                        .suffix = "",
                                        .function = "%s",
                                        .include = "#include <math.h>",
                                        .library = "-lm",
                                        .qualifier = "static",
                                        .digits = 17,
                                        .bits = 53};

static void round_to(arb_t v, int bits) {
    arf_set_round(arb_midref(v), arb_midref(v), bits, ARF_RND_NEAR);
    mag_zero(arb_radref(v));
}

// Digits from which a compiler makes the nearest number of the scalar type: those of the value,
// unless rounding twice misses it; then those of that number.
static char *nearest_digits(const scalar_type *as, const arb_t value) {
    char *digits = arb_get_str(value, as->digits, ARB_STR_NO_RADIUS);
    arb_t nearest, read;
    arb_init(nearest), arb_init(read);
    arb_set(nearest, value), round_to(nearest, as->bits);
    arb_set_str(read, digits, 256), round_to(read, as->bits);
    if (!arf_equal(arb_midref(nearest), arb_midref(read))) {
        flint_free(digits);
        digits = arb_get_str(nearest, as->digits, ARB_STR_NO_RADIUS);
    }
    arb_clear(nearest), arb_clear(read);
    return digits;
}

void scalar_type_literal(const scalar_type *as, const pool *p, expr constant, text *out) {
    int64_t whole;
    const char *by = as->broadcast ? as->broadcast : as->literal;
    if (by) {
        scalar_type one = *as;
        one.broadcast = one.literal = NULL;
        text_format(out, "%s(", by);
        scalar_type_literal(&one, p, constant, out);
        text_char(out, ')');
        return;
    }
    if (expr_is_integer(p, constant, &whole) && whole > -1000000 && whole < 1000000) {
        text_format(out, "%lld.0%s", (long long)whole, as->suffix);
        return;
    }
    arb_t v;
    arb_init(v);
    if (expr_is_number(p, constant)) arb_set_fmpq(v, expr_number_value(p, constant), 256);
    else arb_const_pi(v, 256);
    char *digits = nearest_digits(as, v);
    const size_t mantissa = strcspn(digits, "e");
    size_t shown = mantissa;
    // 0.5, not 0.50000000000000000
    while (shown > 1 && digits[shown - 1] == '0' && memchr(digits, '.', shown - 1)) shown--;
    text_append_n(out, digits, shown);
    if (!memchr(digits, '.', shown)) text_append(out, ".0");
    else if (digits[shown - 1] == '.') text_char(out, '0');
    text_append(out, digits + mantissa);
    text_append(out, as->suffix);
    flint_free(digits);
    arb_clear(v);
}

void scalar_type_one(const scalar_type *as, text *out) {
    const char *by = as->broadcast ? as->broadcast : as->literal;
    text_format(out, by ? "%s(1.0%s)" : "%s1.0%s", by ? by : "", as->suffix);
}

void scalar_type_function(const scalar_type *as, const char *name, text *out) {
    for (const char *c = as->function; *c; c++) {
        if (c[0] == '%' && c[1] == 's') text_append(out, name), c++;
        else text_char(out, *c);
    }
}

void scalar_type_not_inline(text *out) {
    text_append(out,
                "#ifndef HAMEL_NOT_INLINE // parts stay parts: compilers take more than linear "
                "time in the length of a function\n"
                "#ifdef __GNUC__\n#define HAMEL_NOT_INLINE "
                "__attribute__((noinline))\n#else\n#define HAMEL_NOT_INLINE\n#endif\n#endif\n\n");
}
