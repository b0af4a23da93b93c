// Values of expressions: scalars, vectors, rotations; powers and functions of scalars.
#include "parse/value.h"

const char *value_noun(value_type type) {
    static const char *const nouns[] = {"nothing", "a scalar", "a vector", "a rotation",
                                        "an inertia"};
    return nouns[type];
}

bool value_expect(context *ctx, value v, value_type wanted, span at) {
    if (v.type == wanted) return true;
    if (v.type != VALUE_VOID)
        diag_error(ctx, at, NULL, "expected %s, found %s", value_noun(wanted), value_noun(v.type));
    return false;
}

value value_ddt(context *ctx, pool *p, value v, span at) {
    if (v.type == VALUE_SCALAR) return value_scalar(expr_ddt(p, v.scalar));
    if (v.type == VALUE_VECTOR) return value_vector(vec3_ddt(p, v.vector));
    if (v.type == VALUE_ROTATION)
        diag_error(ctx, at, "`omega(B)` is the angular velocity of a body",
                   "a rotation has no time derivative here");
    if (v.type == VALUE_TENSOR)
        diag_error(ctx, at, "write `ddt(inertia(B)*v)` or `ddt(momentum(B, P))`",
                   "an inertia has no time derivative here");
    return value_void();
}

// --- powers and elementary functions, where real numbers have them -------------------------------

static value undefined(context *ctx, span at, const char *what) {
    if (!ctx->exhausted) diag_error(ctx, at, NULL, "%s", what);
    return value_void();
}

// Of a number; what is no number counts as positive.
static int sign_of(const pool *p, expr e) {
    return expr_is_number(p, e) ? fmpq_sgn(expr_number_value(p, e)) : 1;
}

value value_power(context *ctx, pool *p, expr base, expr exponent, span at, span operator_at) {
    if (base == EXPR_ZERO && sign_of(p, exponent) < 0)
        return undefined(ctx, operator_at, "division by zero");
    if (sign_of(p, base) < 0 && expr_is_number(p, exponent) &&
        !fmpz_is_one(fmpq_denref(expr_number_value(p, exponent))))
        return undefined(ctx, at, "a negative number has no real root");
    return value_scalar(expr_pow(p, base, exponent));
}

static bool beyond_one(const pool *p, expr e) {
    if (!expr_is_number(p, e)) return false;
    const fmpq *q = expr_number_value(p, e);
    return fmpz_cmpabs(fmpq_numref(q), fmpq_denref(q)) > 0;
}

value value_function(context *ctx, pool *p, expr_kind kind, const expr *arguments, span at) {
    const expr u = arguments[0];
    if (kind == EXPR_LOG && (u == EXPR_ZERO || sign_of(p, u) < 0))
        return undefined(ctx, at, "a logarithm needs a positive number");
    if ((kind == EXPR_ASIN || kind == EXPR_ACOS) && beyond_one(p, u))
        return undefined(ctx, at, "the argument must lie between -1 and 1");
    if (kind == EXPR_ATAN2 && u == EXPR_ZERO && arguments[1] == EXPR_ZERO)
        return undefined(ctx, at, "atan2(0, 0) has no value");
    return value_scalar(expr_function(p, kind, arguments));
}
