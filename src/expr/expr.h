// Expressions: one pool of shared, hash-consed nodes.
//
// An `expr` is an index into the pool. Equal expressions (up to the local rules of build.h: like
// terms and powers collected, numbers folded, operands in canonical order) are the same index, so
// comparison is `==`. Operands always have smaller indices than the nodes that use them, which
// makes every traversal a plain loop and no traversal recursive.
//
// Builders never fail: when the node limit of the context is hit they return EXPR_ZERO and the
// context is marked exhausted; callers look at context_status() where a phase ends.
#ifndef HAMEL_EXPR_EXPR_H
#define HAMEL_EXPR_EXPR_H

#include "base/context.h"

#include <flint/fmpq.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t expr;
typedef struct pool pool;

// Made by pool_create, always at these indices
enum { EXPR_ZERO = 0, EXPR_ONE = 1, EXPR_MINUS_ONE = 2, EXPR_TWO = 3, EXPR_HALF = 4 };
#define EXPR_NONE UINT32_MAX

typedef enum {
#define KIND(id, name, arity) EXPR_##id,
#include "expr/kinds.def"
    EXPR_KIND_COUNT
} expr_kind;

const char *expr_kind_name(expr_kind kind);

// --- symbols -------------------------------------------------------------------------------------

typedef enum {
    ROLE_TIME,       // t
    ROLE_PARAMETER,  // constant in time
    ROLE_COORDINATE, // q, and its derivatives q', q'' ...
    ROLE_QUASI,      // a quasi-velocity eta, and eta' ...
    ROLE_GIVEN,      // a known or arbitrary function of time, and its derivatives
    ROLE_MULTIPLIER, // lambda of a constraint
    ROLE_MOMENTUM,   // p of a coordinate, and p'
    ROLE_VARIATION,  // delta(x), for claims
    ROLE_TRANSPOSE,  // delta(dx/dt) - d/dt delta(x), for claims
    ROLE_LOCAL,      // a scratch unknown or a bound name of a definition
} symbol_role;

typedef struct {
    const char *name; // without primes: "theta", "q[3]", "lambda[blade]"
    symbol_role role;
    uint32_t order; // number of primes
    uint32_t base;  // index of the symbol without primes
    uint32_t next;  // index of the time derivative, or EXPR_NONE while nobody asked for it
    expr node;
} symbol;

// --- pool ----------------------------------------------------------------------------------------

pool *pool_create(context *ctx); // freed by pool_destroy; owns FLINT numbers
void pool_destroy(pool *p);
context *pool_context(const pool *p);
uint32_t pool_size(const pool *p);

// a NEW symbol (names are resolved elsewhere)
expr expr_symbol(pool *p, const char *name, symbol_role role);
uint32_t pool_symbol_count(const pool *p);
const symbol *pool_symbol(const pool *p, uint32_t index);
const symbol *expr_as_symbol(const pool *p, expr e); // NULL if e is no symbol
uint32_t expr_symbol_index(const pool *p, expr e);   // e must be a symbol
// The name of a symbol, without primes and with them, as the user writes it: x, x', q[2]''.
const char *expr_symbol_name(const pool *p, expr e);
const char *expr_symbol_text(const pool *p, expr e);
expr expr_symbol_derivative(pool *p, expr e); // x -> x', made when first asked for
expr expr_symbol_of_order(pool *p, expr e, uint32_t order);

// An abstract function. Its partial derivatives are functions too, made when first asked for.
typedef struct {
    const char *name;
    uint32_t arity;
    // how often differentiated in each argument; all 0 for the function itself
    const uint32_t *orders;
    uint32_t base;       // index of the function itself
    uint32_t next;       // index of another derivative of it, or EXPR_NONE
    struct spline *data; // the data that it is given by (expr/spline.h); NULL: it is abstract
} function;
uint32_t pool_function(pool *p, const char *name, uint32_t arity); // a new one
const function *pool_function_at(const pool *p, uint32_t index);
uint32_t pool_function_partial(pool *p, uint32_t index, uint32_t argument);
uint32_t expr_function_index(const pool *p, expr e); // e must be APPLY
// A new function of one argument with data for values; the pool owns them from then on.
uint32_t pool_tabulate(pool *p, const char *name, struct spline *data);
uint32_t pool_spline_count(const pool *p);
struct spline *pool_spline_at(const pool *p, uint32_t index);
// The data of an application, and how often their function is differentiated; NULL: e is none
struct spline *expr_spline(const pool *p, expr e, uint32_t *order);
// Functions with data, of the time, as the polynomials that they are on one piece each, whose
// numbers are symbols (spline.piece)
void expr_in_pieces(pool *p, uint32_t count, const expr *in, expr *out);

// --- looking at nodes ----------------------------------------------------------------------------

expr_kind expr_kind_of(const pool *p, expr e);
uint32_t expr_operand_count(const pool *p, expr e);
expr expr_operand(const pool *p, expr e, uint32_t i);
const fmpq *expr_number_value(const pool *p, expr e); // e must be a NUMBER
bool expr_is_number(const pool *p, expr e);
// a NUMBER that is an integer of machine size
bool expr_is_integer(const pool *p, expr e, int64_t *value);
// e = c * rest with c a NUMBER: c = 1, rest = e unless e is a sum of one scaled
// term. A number gives (e, 1).
void expr_split_coefficient(const pool *p, expr e, expr *coefficient, expr *rest);

// --- building ------------------------------------------------------------------------------------

expr expr_number(pool *p, const fmpq_t value);
expr expr_int(pool *p, int64_t value);
expr expr_rational(pool *p, int64_t numerator, int64_t denominator);
expr expr_exact(pool *p, double value); // the rational number that a finite double is
expr expr_pi(pool *p);
expr expr_add(pool *p, expr a, expr b);
expr expr_sub(pool *p, expr a, expr b);
expr expr_neg(pool *p, expr a);
expr expr_mul(pool *p, expr a, expr b);
expr expr_div(pool *p, expr a, expr b);
expr expr_pow(pool *p, expr base, expr exponent);
expr expr_square(pool *p, expr a);
expr expr_sqrt(pool *p, expr a);
expr expr_sum(pool *p, uint32_t count, const expr *terms);
expr expr_product(pool *p, uint32_t count, const expr *factors);
expr expr_dot(pool *p, uint32_t count, const expr *a, const expr *b); // sum a_i b_i
// sum_i a_i M_ij: a row vector times column j of a matrix with so many columns, row-major
expr expr_dot_column(pool *p, uint32_t rows, const expr *a, const expr *matrix, uint32_t columns,
                     uint32_t j);
expr expr_add_product(pool *p, expr sum, expr a, expr b);           // sum + a b
expr expr_sub_product(pool *p, expr sum, expr a, expr b);           // sum - a b
expr expr_function(pool *p, expr_kind kind, const expr *arguments); // sin(x), atan2(y, x) ...
expr expr_apply(pool *p, uint32_t function, uint32_t count, const expr *arguments);
expr expr_min(pool *p, expr a, expr b);
expr expr_max(pool *p, expr a, expr b);

// --- calculus ------------------------------------------------------------------------------------

// Reverse accumulation. seeds[j] are the adjoints of outputs[j]; out[i] = sum_j seeds[j] * d
// outputs[j] / d variables[i], for all variables in one sweep over the shared DAG. Variables are
// symbols (each derivative x, x', x'' is its own symbol).
void expr_pullback(pool *p, uint32_t outputs, const expr *output, const expr *seed,
                   uint32_t variables, const expr *variable, expr *out);
void expr_gradient(pool *p, expr f, uint32_t variables, const expr *variable, expr *out);
expr expr_diff(pool *p, expr f, expr variable);
// The same, forwards: derivatives of the nodes below f are remembered, for many f that share parts.
expr expr_partial(pool *p, expr f, expr variable);
// jacobian[i * variables + j] = d f_i / d variable_j; one sweep a row.
void expr_jacobian(pool *p, uint32_t functions, const expr *f, uint32_t variables,
                   const expr *variable, expr *out);

// Forward accumulation: out[i] = sum_j d f_i / d variable_j * direction[j], for all f in one sweep.
void expr_pushforward(pool *p, uint32_t variables, const expr *variable, const expr *direction,
                      uint32_t functions, const expr *f, expr *out);

// Total time derivative: q -> q', q' -> q'', given f -> f', t -> 1, parameters
// -> 0. Memoised over the pool.
expr expr_ddt(pool *p, expr f);

// Simultaneous substitution of symbols (or of any nodes) by expressions, in several roots at once.
void expr_substitute(pool *p, uint32_t count, const expr *from, const expr *to, uint32_t roots,
                     const expr *in, expr *out);
expr expr_replace(pool *p, expr root, uint32_t count, const expr *from, const expr *to);
// The same with 0 for each of the symbols: f at rest, without q'', ...
expr expr_at_zero(pool *p, expr root, uint32_t count, const expr *symbols);
// Definitions to[i] of from[i] that use one another: each becomes one that uses none. None may lead
// back to itself.
void expr_resolve(pool *p, uint32_t count, const expr *from, expr *to);

// The node e over other operands; e itself where they are its own.
expr expr_with_operands(pool *p, expr e, const expr *operand);
// e from the inside out: `build` makes what takes the place of each node, leaves too, given what
// took the place of its operands; expr_with_operands() keeps the node. `operand` may be changed.
typedef expr node_builder(pool *p, expr node, expr *operand, void *data);
expr expr_rebuild(pool *p, expr e, node_builder *build, void *data);
void expr_rebuild_all(pool *p, uint32_t roots, expr *e, node_builder *build, void *data);

// --- traversal -----------------------------------------------------------------------------------

// All nodes below the roots, in index order (so operands come before users), in a
// heap array the caller frees.
expr *expr_reachable(pool *p, uint32_t roots, const expr *root, uint32_t *count);
// The bases of all powers with negative exponents below the roots, in a
// heap array the caller frees.
expr *expr_denominators(pool *p, uint32_t roots, const expr *root, uint32_t *count);
// What is 0 where a function below the roots jumps or bends: the arguments of abs and sign, and
// x + sqrt(x^2 + y^2) for atan2(y, x). Derivatives do not see such places. A heap array, too.
expr *expr_breaks(pool *p, uint32_t roots, const expr *root, uint32_t *count);
// What has to stay where everything below the roots is said to stay because derivatives are 0: the
// arguments of functions by which something else than a constant may have no derivative, as
// sign(x), x/sqrt(x^2), atan(x) + atan(1/x). Where these arguments stay, the roots are quotients of
// analytic functions, and stay where their derivatives are 0. A heap array, too.
expr *expr_branches(pool *p, uint32_t roots, const expr *root, uint32_t *count);
bool expr_depends_on(pool *p, expr root, uint32_t count, const expr *symbols);
bool expr_any_depends_on(pool *p, uint32_t roots, const expr *root, uint32_t count,
                         const expr *symbols);
// occurs[i]: does the i-th symbol stand below one of the roots? In one traversal.
void expr_occurrences(pool *p, uint32_t roots, const expr *root, uint32_t count,
                      const expr *symbols, bool *occurs);
// Highest derivative order of a coordinate in e: 0 for q, 1 for q' ...; -1 if e holds none.
int expr_order(pool *p, expr e);
bool expr_depends_on_time(pool *p, expr e); // explicit t or a `given`
// A bound, from the structure, for the degree of e as a polynomial in the symbols, the i-th
// counted weight[i] times (weight NULL: once each); EXPR_NOT_POLYNOMIAL if one stands in a
// function, a root or a denominator.
enum { EXPR_NOT_POLYNOMIAL = 1000 };
uint32_t expr_degree(pool *p, expr e, uint32_t count, const expr *symbols, const uint32_t *weight);

// A total order for printing that does not depend on the history of the pool: by
// structure and declaration order.
int expr_compare(const pool *p, expr a, expr b);

#endif
