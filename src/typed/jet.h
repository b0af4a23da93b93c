// Numbers with nested infinitesimals: what automatic differentiation computes with.
//
// A jet is a polynomial in eps_0 .. eps_(k-1) with eps_i^2 = 0: one ball for each product
// eps_S, S a set of levels. The coefficient of eps_i in f(.., x + eps_i, ..) is df/dx, that
// of eps_i*eps_j a mixed second derivative, and so on: each level is one derivative that is
// being taken, and levels never mix.
#ifndef HAMEL_TYPED_JET_H
#define HAMEL_TYPED_JET_H

#include "typed/typed.h"

enum { MOST_LEVELS = 10 };

typedef struct {
    // mask + 1 balls: at index S the coefficient of eps_S, S a subset of `mask`; the others unused
    arb_ptr part;
    uint32_t mask; // the levels this depends on; 0 for a plain number
    bool exact;    // the rational number numerator/denominator (and mask = 0)
    int64_t numerator, denominator;
} jet;

// --- room for the balls --------------------------------------------------------------------------

// A stack of balls: what an evaluation needs is taken from the top and given back all at once.
typedef struct {
    struct ball_block *blocks; // chained; `current` has room
    struct ball_block *current;
    uint32_t used; // of the current block
} ball_stack;
typedef struct {
    struct ball_block *block;
    uint32_t used;
} ball_mark;

void ball_stack_init(ball_stack *b);
void ball_stack_free(ball_stack *b);
arb_ptr ball_stack_take(ball_stack *b, uint32_t count); // their values are arbitrary
static inline ball_mark ball_stack_mark(const ball_stack *b) {
    return (ball_mark){b->current, b->used};
}
// Give back all that was taken since the mark, but keep `count` jets, which may lie there.
void ball_stack_release(ball_stack *b, ball_mark mark, uint32_t count, jet *kept);
void ball_stack_copy(ball_stack *to, uint32_t count, const jet *from, jet *copy);

// --- arithmetic ----------------------------------------------------------------------------------

typedef struct { // how jets are computed
    ball_stack *balls;
    slong precision;
} jet_context;

jet jet_rational(const jet_context *c, int64_t numerator, int64_t denominator);
jet jet_fmpq(const jet_context *c, const fmpq *value);
jet jet_ball(const jet_context *c, arb_srcptr value); // a plain number
jet jet_add(const jet_context *c, const jet *a, const jet *b);
jet jet_sub(const jet_context *c, const jet *a, const jet *b);
jet jet_neg(const jet_context *c, const jet *a);
jet jet_mul(const jet_context *c, const jet *a, const jet *b);
// f(u) = sum_j coefficient[j] * (u - u0)^j for the Taylor coefficients of f at u0,
// as many as u has levels, and one
jet jet_compose(const jet_context *c, const jet *u, arb_srcptr coefficient);
// The coefficient of eps, the highest level of all: a view.
jet jet_coefficient(const jet_context *c, const jet *a, uint32_t bit);
// The part without eps: a view.
static inline jet jet_ground(jet a, uint32_t bit) {
    a.mask &= ~bit;
    return a;
}
// The number of levels in it.
static inline uint32_t jet_order(const jet *a) { return (uint32_t)__builtin_popcount(a->mask); }
// Is the part without infinitesimals exactly 0?
static inline bool jet_is_zero(const jet *a) {
    return a->exact ? a->numerator == 0 : arb_is_zero(a->part);
}

jet jet_dot(const jet_context *c, const jet a[3], const jet b[3]);
void jet_cross(const jet_context *c, const jet a[3], const jet b[3], jet out[3]);
void jet_matrix_times_vector(const jet_context *c, const jet a[9], const jet v[3], jet out[3]);
void jet_matrix_times_matrix(const jet_context *c, const jet a[9], const jet b[9], jet out[9]);

// --- functions, and where they have no value -----------------------------------------------------

// On failure *why says so and the jet is empty; the caller sets why->at.
jet jet_inverse(const jet_context *c, const jet *u, typed_finding *why);
jet jet_power(const jet_context *c, const jet *base, const jet *exponent, typed_finding *why);
jet jet_sqrt(const jet_context *c, const jet *u, typed_finding *why);
// of one argument
jet jet_function(const jet_context *c, expr_kind kind, const jet *u, typed_finding *why);
jet jet_atan2(const jet_context *c, const jet *y, const jet *x, typed_finding *why);
jet jet_extremum(const jet_context *c, const jet *a, const jet *b, bool largest,
                 typed_finding *why);

#endif
