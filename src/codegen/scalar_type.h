// The scalar type of generated C: double, long double, __float128 or a vector of doubles.
//
// Emitters are written once; the type, the form of its literals, the names of its library functions
// and what stands in front of each function are read from one of these descriptors.
#ifndef HAMEL_CODEGEN_SCALAR_TYPE_H
#define HAMEL_CODEGEN_SCALAR_TYPE_H

#include "base/text.h"
#include "expr/expr.h"

typedef struct {
    const char *id;        // "double"
    const char *scalar;    // "double", "long double", "__float128"
    const char *suffix;    // of literals: "", "L", "Q"
    const char *function;  // printf pattern of a library function: "%s", "%sl", "%sq"
    const char *include;   // "#include <math.h>"
    const char *library;   // what to link: "-lm"
    const char *qualifier; // in front of every function: "static", "__device__" ..
    int digits;            // that a literal needs
    int bits;              // of a significand: literals are rounded once, to this
    bool fused;            // sums of products in series and steps round a * b + c once
    // a function that finds sine and cosine at once, (x, *sine, *cosine); NULL: one by one
    const char *sine_and_cosine;
    // of a vector of doubles (emit_lanes.h): the function that makes one of a number, by which
    // literals are written; NULL: a scalar
    const char *broadcast;
    const char *literal;  // of float or double, as one chooses later: the same function
    const char *quotient; // a function (a, b) for a / b; NULL: a / b
} scalar_type;

extern const scalar_type scalar_type_double;

// A NUMBER or pi as a literal, correctly rounded; integers as 2.0.
void scalar_type_literal(const scalar_type *as, const pool *p, expr constant, text *out);
void scalar_type_one(const scalar_type *as, text *out); // 1.0
// What HAMEL_NOT_INLINE in front of a function means.
void scalar_type_not_inline(text *out);
// The name of a library function: sin, sinl, sinq.
void scalar_type_function(const scalar_type *as, const char *name, text *out);

#endif
