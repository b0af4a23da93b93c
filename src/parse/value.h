// What an expression of the language means: a scalar, a vector or a rotation; and long sums and
// products of such. elaborate.c gives every syntax tree such a value, and statements say which type
// they expect.
#ifndef HAMEL_PARSE_VALUE_H
#define HAMEL_PARSE_VALUE_H

#include "model/rotation.h"

typedef enum {
    VALUE_VOID, // something was wrong and has been reported: nothing more is said about it
    VALUE_SCALAR,
    VALUE_VECTOR,
    VALUE_ROTATION,
} value_type;

typedef struct {
    value_type type;
    union {
        expr scalar;
        vec3 vector;
        rotation rotation;
    };
} value;

static inline value value_void(void) { return (value){.type = VALUE_VOID}; }
static inline value value_scalar(expr e) { return (value){.type = VALUE_SCALAR, .scalar = e}; }
static inline value value_vector(vec3 v) { return (value){.type = VALUE_VECTOR, .vector = v}; }
static inline value value_rotation(rotation r) {
    return (value){.type = VALUE_ROTATION, .rotation = r};
}

const char *value_noun(value_type type); // "a vector"

// Reports "expected a scalar, found a vector" unless v is of the type;
// false if it is not (or void).
bool value_expect(context *ctx, value v, value_type wanted, span at);
value value_ddt(context *ctx, pool *p, value v, span at);

// A sum under construction: terms are gathered and added in one go, so
// that a long sum costs n log n.
typedef struct {
    context *ctx;
    pool *pool;
    value_type type; // of the first term; VOID before it
    bool failed;
    expr *terms[3]; // one column for scalars, three for vectors
    uint32_t count, capacity;
} value_sum;

void value_sum_add(value_sum *s, value term, bool minus, span at);
value value_sum_finish(value_sum *s); // 0 if there was no term

// A product under construction: scalars commute, rotations and at most one vector keep their order.
typedef struct {
    context *ctx;
    pool *pool;
    bool failed, has_rotation, has_vector;
    rotation rotation;
    vec3 vector;
    expr *factors;
    uint32_t count, capacity;
} value_product;

void value_product_multiply(value_product *s, value factor, span at);
void value_product_divide(value_product *s, value divisor, span at, span operator_at);
value value_product_finish(value_product *s, span at); // 1 if there was no factor

#endif
