// What an expression of the language means: a scalar, a vector or a rotation. elaborate.c gives
// every syntax tree such a value, and statements say which type they expect.
#ifndef HAMEL_PARSE_VALUE_H
#define HAMEL_PARSE_VALUE_H

#include "model/rotation.h"

typedef enum {
    VALUE_VOID, // something was wrong and has been reported: nothing more is said about it
    VALUE_SCALAR,
    VALUE_VECTOR,
    VALUE_ROTATION,
    VALUE_TENSOR, // inertia(B)
} value_type;

// The inertia of a body in space axes, v -> R I R^T v: entries Ix, Iy, Iz, Ixy, Ixz, Iyz of I
typedef struct {
    rotation orientation;
    expr entry[6];
} inertia_tensor;

typedef struct {
    value_type type;
    union {
        expr scalar;
        vec3 vector;
        rotation rotation;
        const inertia_tensor *tensor; // in the arena
    };
} value;

static inline value value_void(void) { return (value){.type = VALUE_VOID}; }
static inline value value_scalar(expr e) { return (value){.type = VALUE_SCALAR, .scalar = e}; }
static inline value value_vector(vec3 v) { return (value){.type = VALUE_VECTOR, .vector = v}; }
static inline value value_rotation(rotation r) {
    return (value){.type = VALUE_ROTATION, .rotation = r};
}

static inline value value_tensor(const inertia_tensor *t) {
    return (value){.type = VALUE_TENSOR, .tensor = t};
}

const char *value_noun(value_type type); // "a vector"

// Reports "expected a scalar, found a vector" unless v is of the type; false if it is not, or void.
bool value_expect(context *ctx, value v, value_type wanted, span at);
value value_ddt(context *ctx, pool *p, value v, span at);

// base^exponent and f(arguments), where real numbers have them; 0^(-1) and log(-1) are reported.
value value_power(context *ctx, pool *p, expr base, expr exponent, span at, span operator_at);
value value_function(context *ctx, pool *p, expr_kind kind, const expr *arguments, span at);

// A product under construction: scalars commute; rotations, an inertia and at most one vector keep
// their order, [rotations] [inertia] [rotations] [vector].
typedef struct {
    context *ctx;
    pool *pool;
    bool failed, has_rotation, has_vector, has_turned;
    const inertia_tensor *tensor; // NULL: none
    rotation rotation;            // those behind the inertia, or all of them
    rotation turned;              // those before it
    vec3 vector;
    expr *factors;
    uint32_t count, capacity;
} value_product;

void value_product_multiply(value_product *product, value factor, span at);
void value_product_divide(value_product *product, value divisor, span at, span operator_at);
value value_product_finish(value_product *product, span at); // and nothing is left of it

#endif
