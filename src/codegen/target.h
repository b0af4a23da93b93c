// What generated code is written for: the emitters are written once, scalar type,
// literals and qualifiers are parameters.
#ifndef HAMEL_CODEGEN_TARGET_H
#define HAMEL_CODEGEN_TARGET_H

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
} target;

extern const target target_double, target_long, target_quad;

// A NUMBER or pi as a literal, correctly rounded; integers as 2.0, a simple fraction of
// small integers as it stands: (1.0/3.0) is left to the compiler only where that is
// exact rounding of the same value.
void target_literal(const target *as, const pool *p, expr constant, text *out);
// What HAMEL_NOT_INLINE in front of a function means.
void target_not_inline(text *out);
// The name of a library function: sin, sinl, sinq.
void target_function(const target *as, const char *name, text *out);

#endif
