// Values of expressions: scalars, vectors, rotations, and how they add up and multiply.
#include "parse/value.h"

#include <stdlib.h>

enum { MOST_ROTATIONS = 1000 };

const char *value_noun(value_type type) {
    static const char *const nouns[] = {"nothing", "a scalar", "a vector", "a rotation"};
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
    return value_void();
}

// --- sums ----------------------------------------------------------------------------------------

static void sum_reserve(value_sum *s) {
    if (s->count < s->capacity) return;
    s->capacity = s->capacity ? 2 * s->capacity : 8;
    const int columns = s->type == VALUE_VECTOR ? 3 : 1;
    for (int i = 0; i < columns; i++) memory_grow(s->terms[i], s->capacity);
}

void value_sum_add(value_sum *s, value term, bool minus, span at) {
    if (term.type == VALUE_ROTATION) {
        if (!s->failed)
            diag_error(s->ctx, at, "rotations are multiplied: `R*S`", "a rotation cannot be added");
        term = value_void();
    }
    if (s->type == VALUE_VOID) s->type = term.type;
    if (!value_expect(s->ctx, term, s->type, at) || term.type == VALUE_VOID) {
        s->failed = true;
        return;
    }
    if (s->failed) return;
    sum_reserve(s);
    const expr *parts = term.type == VALUE_VECTOR ? term.vector.at : &term.scalar;
    for (int i = 0; i < (term.type == VALUE_VECTOR ? 3 : 1); i++)
        s->terms[i][s->count] = minus ? expr_neg(s->pool, parts[i]) : parts[i];
    s->count++;
}

value value_sum_finish(value_sum *s) {
    value v = value_scalar(EXPR_ZERO);
    if (s->failed) v = value_void();
    else if (s->type == VALUE_SCALAR) v = value_scalar(expr_sum(s->pool, s->count, s->terms[0]));
    else if (s->type == VALUE_VECTOR)
        v = value_vector(vec3_make(expr_sum(s->pool, s->count, s->terms[0]),
                                   expr_sum(s->pool, s->count, s->terms[1]),
                                   expr_sum(s->pool, s->count, s->terms[2])));
    for (int i = 0; i < 3; i++) memory_free(s->terms[i]);
    return v;
}

// --- products ------------------------------------------------------------------------------------

static void multiply_scalar(value_product *s, expr e) {
    array_reserve(s->factors, s->count, s->capacity);
    s->factors[s->count++] = e;
}

void value_product_multiply(value_product *s, value factor, span at) {
    const bool was_failed = s->failed;
    switch (factor.type) {
    case VALUE_VOID: s->failed = true; break;
    case VALUE_SCALAR: multiply_scalar(s, factor.scalar); break;
    case VALUE_VECTOR:
        if (s->has_vector) {
            s->failed = true;
            if (!was_failed)
                diag_error(s->ctx, at, "write `dot(u, v)` or `cross(u, v)`",
                           "two vectors have no product `*`");
            break;
        }
        s->vector =
            s->has_rotation ? rotation_apply(s->pool, s->rotation, factor.vector) : factor.vector;
        s->has_vector = true;
        s->has_rotation = false;
        break;
    case VALUE_ROTATION:
        if (s->has_vector) {
            s->failed = true;
            if (!was_failed)
                diag_error(s->ctx, at, NULL,
                           "a rotation stands on the left of the vector it turns");
            break;
        }
        if (s->has_rotation && s->rotation.count + factor.rotation.count > MOST_ROTATIONS) {
            context_exhaust(s->ctx, at, "factors of a rotation", MOST_ROTATIONS);
            s->failed = true;
            break;
        }
        s->rotation = s->has_rotation ? rotation_times(s->pool, s->rotation, factor.rotation)
                                      : factor.rotation;
        s->has_rotation = true;
        break;
    }
}

void value_product_divide(value_product *s, value divisor, span at, span operator_at) {
    if (!value_expect(s->ctx, divisor, VALUE_SCALAR, at)) {
        s->failed = true;
    } else if (divisor.scalar == EXPR_ZERO && !s->ctx->exhausted) {
        s->failed = true;
        diag_error(s->ctx, operator_at, NULL, "division by zero");
    } else {
        multiply_scalar(s, expr_pow(s->pool, divisor.scalar, EXPR_MINUS_ONE));
    }
}

value value_product_finish(value_product *s, span at) {
    const bool scaled_rotation = s->has_rotation && s->count;
    const expr scale =
        s->failed || scaled_rotation ? EXPR_ONE : expr_product(s->pool, s->count, s->factors);
    memory_free(s->factors);
    if (s->failed) return value_void();
    if (scaled_rotation) {
        diag_error(s->ctx, at, NULL, "a rotation cannot be multiplied by a scalar");
        return value_void();
    }
    if (s->has_rotation) return value_rotation(s->rotation);
    if (s->has_vector) return value_vector(vec3_scale(s->pool, scale, s->vector));
    return value_scalar(scale);
}
