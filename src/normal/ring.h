// The ring an expression lives in: Q[generators] modulo relations, and its field of
// fractions. Inside of the normal room.
#ifndef HAMEL_NORMAL_RING_H
#define HAMEL_NORMAL_RING_H

#include "base/list.h"
#include "normal/normal.h"

#include <calcium/fmpz_mpoly_q.h>

typedef fmpz_mpoly_q_struct fraction; // numerator/denominator, coprime

// How sin(x + y) is represented: by a pair of generators of its own; through the addition theorems
// by those of other arguments where it depends linearly on them (two choices of independent
// arguments); or by those of x and y.
typedef enum { ANGLES_KEPT, ANGLES_BASIS, ANGLES_OTHER_BASIS, ANGLES_EXPANDED } angle_mode;

typedef enum { FAMILY_CIRCULAR, FAMILY_HYPERBOLIC, FAMILY_EXPONENTIAL } family;

// Arguments of sin, sinh, exp are integer combinations of base angles term/divisor.
typedef struct {
    family family;
    expr term;
    fmpz_t divisor; // least common multiple of the denominators met
    slong first;    // generator of sin (sinh, exp); the generator after it is cos (cosh)
} base_angle;

// An argument as a combination of base angles: sum coefficient*term.
typedef struct {
    family family;
    expr whole;
    expr *terms;
    fmpq *coefficients;
    uint32_t count;
} argument;

typedef struct {
    expr base; // the generator stands for base^(1/root)
    ulong root;
    uint32_t weight; // of base^(1/root) in a monomial, at least
    // a velocity, acceleration, quasi-velocity, multiplier: equations are collected in these
    bool moving;
    bool fastest; // an acceleration or a multiplier
    bool parameter;
} generator;

// variable^degree = top/bottom. For pairs of a family: s^2 = 1 - c^2 or c^2 = 1 - s^2,
// whichever is being eliminated.
typedef struct {
    slong variable, partner; // partner is -1 for roots
    family family;
    ulong degree;
    fmpz_mpoly_t top, bottom;
} relation;

typedef struct { // a polynomial that was factored, and what came out
    fmpz_mpoly_t polynomial;
    expr factored;
} factored_polynomial;

typedef struct {
    pool *p;
    normal_budget budget;
    angle_mode mode;
    fmpz_mpoly_ctx_t ctx;
    LIST(generator, generators);
    LIST(argument, arguments);
    LIST(base_angle, angles);
    LIST(relation, relations); // an entry's top and bottom hold variables of earlier entries only
    expr *nodes;               // everything below the roots, in index order
    uint32_t node_count;
    bool *needed;                  // nodes that have a value
    slong *generator_of, *root_of; // by node position: its generator, that of its root; -1 if none
    fraction *values;
    // factor.c remembers: denominators and coefficients come back again and again
    LIST(factored_polynomial, factored);
    bool started;   // ctx exists
    bool over;      // the budget was exceeded, or something was divided by zero: values are void
    bool dependent; // the arguments are linearly dependent, so that ANGLES_KEPT misses relations
    bool sound;     // the generators are known to be independent up to the relations
    double work;
} ring;

// Has it so many nodes that an expression is not even tried?
static inline bool ring_is_too_large(uint32_t nodes, const normal_budget *b) {
    enum { NODES_PER_TERM = 24 };
    return nodes > (uint64_t)NODES_PER_TERM * b->terms;
}

// Make the ring of some expressions and their values in it. False (and nothing
// to clear) when over budget.
bool ring_create(ring *R, pool *p, uint32_t roots, const expr *root, angle_mode mode,
                 const normal_budget *b);
void ring_clear(ring *R);
const fraction *ring_value(const ring *R, expr e);

// angles.c: note an argument met; when all are known, choose the base angles. Then sine and cosine
// (sinh and cosh) of an argument, its exponential.
void angles_note(ring *R, family f, expr whole);
void angles_choose(ring *R);
void angles_clear(ring *R);
void angles_sine_cosine(ring *R, family f, expr whole, fmpz_mpoly_t sine, fmpz_mpoly_t cosine);
void angles_exponential(ring *R, expr whole, fraction *out);

// fraction.c: arithmetic under the budget. After a failure R->over is set and results are void.
bool ring_charge(ring *R, double terms);
void fraction_add(ring *R, fraction *r, const fraction *a, const fraction *b);
void fraction_multiply(ring *R, fraction *r, const fraction *a, const fraction *b);
void fraction_divide(ring *R, fraction *r, const fraction *a, const fraction *b);
void fraction_power(ring *R, fraction *r, const fraction *a, slong exponent);
// f -> f' with f = f'/scale; true if anything changed
bool ring_reduce(ring *R, fmpz_mpoly_t f, fmpz_mpoly_t scale);
void relation_flip(ring *R, relation *r); // eliminate the partner instead
// no root and no eliminated sine in the denominator
void fraction_rationalise(ring *R, fraction *f);
// per pair, eliminate the one that leaves fewer terms; notes what was flipped
void fraction_orient(ring *R, fraction *f, bool *flipped);
void ring_flip_back(ring *R, const bool *flipped);
void ring_contract_squares(ring *R, fmpz_mpoly_t f); // k*M - k*M*cos^2 -> k*M*sin^2

// rebuild.c, factor.c: back to expressions.
expr rebuild_integer(pool *p, const fmpz_t n);
expr rebuild_monomial(ring *R, const ulong *exponents);
expr rebuild_expanded(ring *R, const fmpz_mpoly_t f);
expr factor_rebuild(ring *R, const fmpz_mpoly_t f);
uint32_t rebuild_weight(const ring *R, const fmpz_mpoly_t f); // of rebuild_expanded(f), at least

// collect.c: sums over monomials in the moving generators, the fastest of
// them only, or the parameters.
typedef enum { COLLECT_MOVING, COLLECT_FASTEST, COLLECT_PARAMETERS } collect_choice;
uint32_t collect_group_count(ring *R, const fmpz_mpoly_t f, collect_choice choice);
bool collect_is_energy(ring *R, const fraction *f); // a polynomial, quadratic in the velocities
// EXPR_NONE if it is clear that the weight would be `limit` or more, even when divided by a number.
expr collect_rebuild(ring *R, const fmpz_mpoly_t f, collect_choice choice, uint32_t limit);
expr collect_rebuild_split(ring *R, const fraction *f, collect_choice choice,
                           uint32_t limit); // each coefficient a fraction in lowest terms

// simplify.c: the shortest of the forms offered so far; of those of a value of the ring.
typedef struct {
    expr best;
    uint32_t weight;
    bool tangents; // look for sin/cos in candidates
    bool mixed;    // the best is a whole part and a fraction
} contest;
void contest_consider(pool *p, contest *c, expr candidate);
void contest_consider_value(ring *R, contest *c, const fraction *f);

// contract.c: cos(a)*cos(b) + sin(a)*sin(b) -> cos(a - b) and its like; EXPR_NONE if
// there is nothing of the kind.
expr contract_angle_sums(ring *R, const fraction *f);

// polish.c: shortenings that polynomials do not see.
expr polish_tangents(pool *p, expr e); // sin(u)/cos(u) -> tan(u)
// m*r*(..)^2 + m*s -> m*(r*(..)^2 + s), in a sum or a factor of a product
expr polish_common_factors(pool *p, expr e);

// weight.c: is expr_weight(e) < limit? Then *weight is it; else any number from the limit on. Stops
// as soon as it knows.
bool weight_is_below(pool *p, expr e, uint32_t limit, uint32_t *weight);

#endif
