// Products of values: scalars with everything, rotations and an inertia with what follows them.
#include "model/mechanics.h"
#include "parse/value.h"

enum { MOST_ROTATIONS = 1000 };

// R_1 (S I S^T (R_2 v)), as far as each is there
static vec3 act(const value_product *product, vec3 v) {
    pool *p = product->pool;
    if (product->has_rotation) v = rotation_apply(p, product->rotation, v);
    if (product->tensor) {
        const rotation s = product->tensor->orientation;
        v = model_inertia_times(p, product->tensor->entry, rotation_apply_inverse(p, s, v));
        v = rotation_apply(p, s, v);
    }
    return product->has_turned ? rotation_apply(p, product->turned, v) : v;
}

static void multiply_scalar(value_product *product, expr e) {
    array_reserve(product->factors, product->count, product->capacity);
    product->factors[product->count++] = e;
}

void value_product_multiply(value_product *product, value factor, span at) {
    const bool was_failed = product->failed;
    switch (factor.type) {
    case VALUE_VOID: product->failed = true; break;
    case VALUE_SCALAR: multiply_scalar(product, factor.scalar); break;
    case VALUE_VECTOR:
        if (product->has_vector) {
            product->failed = true;
            if (!was_failed)
                diag_error(product->ctx, at, "write `dot(u, v)` or `cross(u, v)`",
                           "two vectors have no product `*`");
            break;
        }
        product->vector = act(product, factor.vector);
        product->has_vector = true;
        product->has_rotation = product->has_turned = false;
        product->tensor = NULL;
        break;
    case VALUE_TENSOR:
        if (product->has_vector || product->tensor) {
            product->failed = true;
            if (!was_failed)
                diag_error(product->ctx, at, "write `inertia(B)*v`",
                           "an inertia stands on the left of the vector it acts on");
            break;
        }
        product->tensor = factor.tensor;
        product->turned = product->rotation, product->has_turned = product->has_rotation;
        product->has_rotation = false;
        break;
    case VALUE_ROTATION:
        if (product->has_vector) {
            product->failed = true;
            if (!was_failed)
                diag_error(product->ctx, at, NULL,
                           "a rotation stands on the left of the vector it turns");
            break;
        }
        if (product->has_rotation &&
            product->rotation.count + factor.rotation.count > MOST_ROTATIONS) {
            context_exhaust(product->ctx, at, "factors of a rotation", MOST_ROTATIONS);
            product->failed = true;
            break;
        }
        product->rotation = product->has_rotation
                                ? rotation_times(product->pool, product->rotation, factor.rotation)
                                : factor.rotation;
        product->has_rotation = true;
        break;
    }
}

void value_product_divide(value_product *product, value divisor, span at, span operator_at) {
    if (!value_expect(product->ctx, divisor, VALUE_SCALAR, at)) {
        product->failed = true;
    } else if (divisor.scalar == EXPR_ZERO && !product->ctx->exhausted) {
        product->failed = true;
        diag_error(product->ctx, operator_at, NULL, "division by zero");
    } else {
        multiply_scalar(product, expr_pow(product->pool, divisor.scalar, EXPR_MINUS_ONE));
    }
}

value value_product_finish(value_product *product, span at) {
    const bool scaled_rotation = product->has_rotation && product->count;
    const expr scale = product->failed || scaled_rotation
                           ? EXPR_ONE
                           : expr_product(product->pool, product->count, product->factors);
    memory_free(product->factors);
    if (product->failed) return value_void();
    if (scaled_rotation) {
        diag_error(product->ctx, at, NULL, "a rotation cannot be multiplied by a scalar");
        return value_void();
    }
    if (product->tensor && (product->has_turned || product->has_rotation || product->count)) {
        diag_error(product->ctx, at, "write `inertia(B)*v`",
                   "an inertia is multiplied by a vector only");
        return value_void();
    }
    if (product->tensor) return value_tensor(product->tensor);
    if (product->has_rotation) return value_rotation(product->rotation);
    if (product->has_vector) return value_vector(vec3_scale(product->pool, scale, product->vector));
    return value_scalar(scale);
}
