// Normal forms: expressions as quotients of polynomials, and the shortest
// readable way to write them.
//
// Symbols, sin and cos of base angles, roots and opaque functions become generators of a polynomial
// ring over Q with the relations sin^2 + cos^2 = 1, cosh^2 - sinh^2 = 1, root^q = radicand.
// Everything rational in them can then be brought to one fraction, compared with zero, solved for,
// factored, and written back in several ways of which the shortest is taken. All of it works under
// a budget: large expressions come back untouched, and quickly.
#ifndef HAMEL_NORMAL_NORMAL_H
#define HAMEL_NORMAL_NORMAL_H

#include "expr/expr.h"

// Results of normal_simplify that several calls share: those whose budget names it. For expressions
// of one pool, and budgets that are otherwise equal.
typedef struct normal_memory normal_memory;
normal_memory *normal_memory_create(void);
void normal_memory_free(normal_memory *m); // NULL is nothing

typedef struct {
    uint32_t terms;      // most terms any polynomial may reach
    uint32_t generators; // most generators of one ring
    // normal_solve gives up when a solution has this expr_weight() or more; 0: whatever its length
    uint32_t longest;
    // normal_solve: any form of the solution will do, no search for the shortest
    bool plain;
    normal_memory *memory; // or NULL
} normal_budget;
normal_budget normal_budget_default(void); // without limit of length, without memory

typedef enum { NORMAL_NO, NORMAL_YES, NORMAL_UNKNOWN } normal_truth;

// The shortest of a few equal forms of e (expanded, factored, collected in velocities; sin^2 or
// cos^2 eliminated; sums of angles kept, expanded or contracted), by the measure expr_weight(); e
// itself when the budget is exceeded or nothing is shorter.
expr normal_simplify(pool *p, expr e, const normal_budget *b);

// e as a sum of products over one denominator, with sin and cos of sums of angles by those of their
// parts; e itself when the budget is exceeded.
expr normal_expand(pool *p, expr e, const normal_budget *b);

// e as a product of irreducible factors; e itself when the budget is exceeded. sin and cos
// are by those of the angles that `beside` needs, too (EXPR_NONE: nothing), so that 1 -
// cos(x) is 2*sin(x/2)^2 beside sin(x/2).
expr normal_factored(pool *p, expr e, expr beside, const normal_budget *b);

// Is e identically zero? YES is a proof. NO is a proof too: it is given only when the
// generators are known to be algebraically independent up to the relations used. UNKNOWN
// otherwise, and when the budget is hit.
normal_truth normal_is_zero(pool *p, expr e, const normal_budget *b);

// Does f depend on the symbol x? Not if x cancels.
bool normal_depends_on(pool *p, expr f, expr x);
// Marks those of the symbols that f depends on; those that are marked are not looked at again.
void normal_mark_dependence(pool *p, expr f, uint32_t count, const expr *x, bool *depends);

// Solve residual[i] = 0, affine in unknown[j], n by n, exactly. False when singular, not affine,
// too long or over budget. out[j] is in shortest form.
bool normal_solve(pool *p, uint32_t n, const expr *residual, const expr *unknown,
                  const normal_budget *b, expr *out);

// A X = R as matrix_solve() has it, block by block, each inverted in normal form: only determinants
// of blocks are divided by. False where that does not help (all blocks are single entries, or one
// is everything) or would take too long; X is then not to be used.
bool normal_solve_blocks(pool *p, uint32_t n, const expr *a, uint32_t rights, const expr *r,
                         const uint32_t *row, const uint32_t *column, expr *x);

// The irreducible factors of the numerator of e (numbers are none), sines and cosines among them
// taken by half their angles, where factors are unique; a factor may hold sin(a/2). Returns how
// many; 0 when the budget is exceeded.
typedef struct {
    expr base;
    uint64_t power;
} normal_factor;
enum { NORMAL_MOST_FACTORS = 16 };
uint32_t normal_factors(pool *p, expr e, const normal_budget *b, normal_factor *out);

// e_i = common*out_i/denominator, where the out_i have no denominators and no factor in common;
// false when the budget is exceeded or all e_i are zero.
bool normal_primitive(pool *p, uint32_t count, const expr *e, const normal_budget *b, expr *out,
                      expr *common);

// About the number of printed symbols of e written out as a tree, saturating at
// UINT32_MAX; linear in the size of the DAG.
uint32_t expr_weight(pool *p, expr e);
// Is it larger than this? Goes through no more of e than that takes.
bool expr_is_heavier(pool *p, expr e, uint32_t limit);

#endif
