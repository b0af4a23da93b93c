// The ring an expression lives in: Q[generators] modulo relations, and its field of
// fractions. Inside of the normal room.
#ifndef HAMEL_NORMAL_RING_H
#define HAMEL_NORMAL_RING_H

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
    generator *generators;
    uint32_t generator_count, generator_capacity;
    argument *arguments;
    uint32_t argument_count, argument_capacity;
    base_angle *angles;
    uint32_t angle_count, angle_capacity;
    relation *relations; // an entry's top and bottom hold variables of earlier entries only
    uint32_t relation_count, relation_capacity;
    expr *nodes; // everything below the roots, in index order
    uint32_t node_count;
    bool *needed;                  // nodes that have a value
    slong *generator_of, *root_of; // by node position: its generator, that of its root; -1 if none
    fraction *values;
    // factor.c remembers: denominators and coefficients come back again and again
    factored_polynomial *factored;
    uint32_t factored_count, factored_capacity;
    bool started;   // ctx exists
    bool over;      // the budget was exceeded, or something was divided by zero: values are void
    bool dependent; // the arguments are linearly dependent, so that ANGLES_KEPT misses relations
    bool sound;     // the generators are known to be independent up to the relations
    double work;
} ring;

uint64_t ring_node_limit(const normal_budget *b); // expressions with more nodes are not tried

// Make the ring of some expressions and their values in it. False (and nothing
// to clear) when over budget.
bool ring_create(ring *R, pool *p, uint32_t roots, const expr *root, angle_mode mode,
                 const normal_budget *b);
void ring_clear(ring *R);
const fraction *ring_value(const ring *R, expr e);

// arguments.c: note an argument met; when all are known, choose the base angles.
void arguments_note(ring *R, family f, expr whole);
void arguments_choose_angles(ring *R);
void arguments_clear(ring *R);
const argument *arguments_find(const ring *R, family f, expr whole);
base_angle *arguments_find_angle(const ring *R, family f, expr term);

// angles.c: sine and cosine (sinh and cosh) of an argument, its exponential.
void angles_sine_cosine(ring *R, family f, expr whole, fmpz_mpoly_t sine, fmpz_mpoly_t cosine);
void angles_exponential(ring *R, expr whole, fraction *out);

// convert.c: values of all needed nodes.
void ring_convert(ring *R);

// fraction.c: arithmetic under the budget. After a failure R->over is set and results are void.
bool ring_charge(ring *R, double terms);
void fraction_add(ring *R, fraction *r, const fraction *a, const fraction *b);
void fraction_multiply(ring *R, fraction *r, const fraction *a, const fraction *b);
void fraction_divide(ring *R, fraction *r, const fraction *a, const fraction *b);
void fraction_power(ring *R, fraction *r, const fraction *a, slong exponent);
void fraction_settle(ring *R, fraction *f); // modulo the relations, in lowest terms

// relations.c
// f -> f' with f = f'/scale; true if anything changed
bool relations_reduce(ring *R, fmpz_mpoly_t f, fmpz_mpoly_t scale);
void relation_flip(ring *R, relation *r); // eliminate the partner instead
// no root and no eliminated sine in the denominator
void fraction_rationalise(ring *R, fraction *f);
// per pair, eliminate the one that leaves fewer terms; notes what was flipped
void fraction_orient(ring *R, fraction *f, bool *flipped);
void ring_flip_back(ring *R, const bool *flipped);
void relations_contract_squares(ring *R, fmpz_mpoly_t f); // k*M - k*M*cos^2 -> k*M*sin^2

// rebuild.c, factor.c: back to expressions.
expr rebuild_integer(pool *p, const fmpz_t n);
expr rebuild_monomial(ring *R, const ulong *exponents);
expr rebuild_expanded(ring *R, const fmpz_mpoly_t f);
expr factor_rebuild(ring *R, const fmpz_mpoly_t f);
uint32_t rebuild_weight(const ring *R, const fmpz_mpoly_t f); // of rebuild_expanded(f), at least

// regroup.c: other forms of an irreducible polynomial; EXPR_NONE if there is none.
// x^2 + y^2 - l*r -> r*(r - l), r = sqrt(x^2 + y^2)
expr regroup_by_root(ring *R, const fmpz_mpoly_t f);
expr regroup_by_sums(ring *R, const fmpz_mpoly_t f);   // x^2 - 2*x*y + y^2 + z -> (x - y)^2 + z
expr regroup_by_shifts(ring *R, const fmpz_mpoly_t f); // x^2 - 200*x + 10001 -> (x - 100)^2 + 1

// collect.c: sums over monomials in the moving generators, the fastest of
// them only, or the parameters.
typedef enum { COLLECT_MOVING, COLLECT_FASTEST, COLLECT_PARAMETERS } collect_choice;
uint32_t collect_group_count(ring *R, const fmpz_mpoly_t f, collect_choice choice);
bool collect_is_energy(ring *R, const fraction *f); // a polynomial, quadratic in the velocities
// EXPR_NONE if it is clear that the weight would be `limit` or more, even when divided by a number.
expr collect_rebuild(ring *R, const fmpz_mpoly_t f, collect_choice choice, uint32_t limit);
expr collect_rebuild_split(ring *R, const fraction *f, collect_choice choice,
                           uint32_t limit); // each coefficient a fraction in lowest terms

// contest.c: the shortest of the forms offered so far.
typedef struct {
    expr best;
    uint32_t weight;
    bool tangents; // look for sin/cos in candidates
    bool mixed;    // the best is a whole part and a fraction
} contest;
void contest_consider(pool *p, contest *c, expr candidate);
void contest_consider_forms(ring *R, contest *c, const fraction *f);
expr contest_shorter(pool *p, expr a, expr b);

// contract.c: cos(a)*cos(b) + sin(a)*sin(b) -> cos(a - b) and its like; EXPR_NONE if
// there is nothing of the kind.
expr contract_angle_sums(ring *R, const fraction *f);

// simplify.c: the shortest expression for a value of the ring.
void contest_consider_value(ring *R, contest *c, const fraction *f);

#endif
