// A program: the nodes below some outputs in evaluation order, to be run many times and over
// several kinds of numbers. Make one for the outputs, count it or run it as often as needed
// (program_run_double, program_run_arb, program_run_modular), free it.
#ifndef HAMEL_EXPR_PROGRAM_H
#define HAMEL_EXPR_PROGRAM_H

#include "base/random.h"
#include "expr/ball.h"
#include "expr/expr.h"

typedef struct {
    expr_kind kind;
    uint32_t payload; // SYMBOL: symbol index; APPLY: function index
    uint32_t first, count;
    expr node; // EXPR_NONE for a sum or product that program_share() made
} instruction;

typedef struct {
    const pool *pool;
    instruction *code; // in topological order
    uint32_t length;
    uint32_t *operands; // positions of operands in `code`
    uint32_t *outputs;  // positions of the outputs
    uint32_t output_count;
} program;

program *program_create(pool *p, uint32_t outputs, const expr *output);
void program_free(program *prog);

// Operation counts after sharing: what a straight-line code for the outputs would execute.
typedef struct {
    uint32_t additions, multiplications, divisions, powers, functions;
} operation_counts;
operation_counts program_count(const program *prog);
uint32_t operation_counts_total(operation_counts c);
// of a program for these expressions, nothing shared beyond the pool
uint32_t program_operations(pool *p, uint32_t count, const expr *e);

// An abstract function, or a symbol that `known` does not mark, that the program needs;
// EXPR_NONE if it can be evaluated.
expr program_first_unknown(const program *prog, const bool *known_symbol);

// Values are indexed by symbol index. Outside a function's domain the result is NaN
// (double) or an indeterminate ball (arb).
void program_run_double(const program *prog, const double *symbols, double *out);
void program_run_arb(const program *prog, arb_srcptr symbols, slong precision, arb_ptr out);

// --- modular values ------------------------------------------------------------------------------
// Values in F_p at a random point: symbols get the given residues; sin and cos of an angle come
// from a random point of the unit circle for each independent part of the argument, so that every
// addition theorem holds; exp and the hyperbolic functions likewise from a random base; every other
// function (log, atan, abstract ones) is a random function of its arguments' values.
//
// The primes are p = 3 mod 4, where -1 is no square, and "positive" means: a nonzero square. So
// sign(u) is the Legendre symbol of u, abs(u) = sign(u)*u, and of the two roots of a positive
// number one is positive: the one that is taken. Then sign(x*y) = sign(x)*sign(y), sqrt(x^2) =
// abs(x), sqrt(x)*sqrt(y) = sqrt(x*y), exp(x) > 0 and the domain of square roots are as they are in
// the real numbers. What is missing is order: a sum of positive numbers need not be positive.
typedef enum {
    MODULAR_OK,
    // a division by 0, something outside its domain, a number that vanishes modulo p: try another
    MODULAR_RETRY,
    MODULAR_UNSUPPORTED, // something with no image in F_p
} modular_status;
// How the angles of some expressions are taken apart.
typedef struct {
    // whole multiples of atom/denominator; the same for all programs run at the point
    mp_limb_t denominator;
    // multiples of pi are multiples of pi/turn: a primitive root of unity; 0: of pi only
    mp_limb_t turn;
} modular_angles;
typedef struct {
    mp_limb_t prime;
    uint64_t seed; // the random functions and circle points are functions of it
    modular_angles angles;
} modular_point;
// for every expression of the pool; all 0 if too large
modular_angles modular_angles_of(const pool *p);
// a prime that suits them, in (2^61, 2^62)
modular_point modular_point_random(modular_angles angles, uint64_t *state);
// A multiple of a base angle above 2^MOST_MULTIPLE_BITS is an angle of its own: what it has to do
// with the base is not seen, but its degree stays small.
enum { MOST_MULTIPLE_BITS = 36 };
// The program must be as program_create() made it: the split of angles looks at sums of the pool.
modular_status program_run_modular(const program *prog, const modular_point *at,
                                   const mp_limb_t *symbols, mp_limb_t *out);
// The outputs with all of these symbols (by index) 0, then with one after the other 1 and the rest
// 0, one row of outputs after the other: what does not hold the symbol is computed once.
modular_status program_probe_modular(const program *prog, const modular_point *at,
                                     mp_limb_t *symbols, uint32_t count, const uint32_t *symbol,
                                     mp_limb_t *out);

// --- one-off evaluation --------------------------------------------------------------------------
double expr_value(pool *p, expr e, const double *symbols); // by symbol index; NULL: a constant

#endif
