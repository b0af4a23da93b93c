// Taylor arithmetic over a tape: every step as an operation on power series in s, t = t0 + s, in an
// order in which coefficient k of all registers can be computed from the coefficients below k. What
// the jets of the interpreter follow, and what emit_jet writes out.
//
// A function r = F(a) with r' = G(a, r) a' becomes D r = G * D a with Euler's derivative D = s
// d/ds, which only multiplies coefficient k by k (Griewank and Walther, Evaluating Derivatives,
// 13.2). For a state z_i with the rate f_i, D z_i = s f_i needs no register of its own: f_i is read
// one order behind. The states are the results of the first operations.
#ifndef HAMEL_CODEGEN_JET_PLAN_H
#define HAMEL_CODEGEN_JET_PLAN_H

#include "codegen/tape.h"

// Coefficient k of the result r; c is a fixed operand, of which there is coefficient 0 only.
// clang-format off
#define JET_KIND_NAMES(X)                                                                          \
    X(INTEGRAL)        /* r_k = a_k / k, or a_{k-1} / k if `behind` */                             \
    X(MINUS_INTEGRAL)  /* -a_k / k, or -a_{k-1} / k */                                             \
    X(RAMP)            /* r_1 = c = a, nothing beyond: t, and states with a fixed rate */          \
    X(EULER)           /* r_k = k a_k */                                                           \
    X(ADD)             /* a_k + b_k */                                                             \
    X(SUB)             /* a_k - b_k */                                                             \
    X(NEG)             /* -a_k */                                                                  \
    X(SHIFT)           /* a_k, with c = b added to coefficient 0 */                                \
    X(LESS)            /* a_k, with c = b subtracted from coefficient 0 */                         \
    X(FROM)            /* -b_k, with c = a added to coefficient 0 */                               \
    X(SCALE)           /* a_k * c, or a_{k-1} * c if `behind` */                                   \
    X(SCALE_ADD)       /* a_k * c + b_k, c being `factor` */                                       \
    X(SCALE_SUB)       /* a_k * c - b_k */                                                         \
    X(QUOTIENT)        /* a_k / c */                                                               \
    X(MUL)             /* sum_{j=0..k} a_j b_{k-j}, or sum_{j=1..k} a_{j-1} b_{k-j} if `behind` */ \
    X(SQUARE)          /* the same with b = a, in half the work */                                 \
    X(DIV)             /* (a_k - sum_{j=1..k} b_j r_{k-j}) / b_0 */                                \
    X(OVER)            /* the same with a = c */                                                   \
    X(SQRT)            /* (a_k - sum_{j=1..k-1} r_j r_{k-j}) / (2 r_0) */                          \
    X(POW)             /* a^c: sum_{j=0..k-1} (c (k - j) - j) a_{k-j} r_j / (k a_0) */             \
    X(ABS)             /* sign(a_0) a_k */                                                         \
    X(SIGN)            /* 0 beyond coefficient 0 */

typedef enum {
#define X(id) JET_##id,
    JET_KIND_NAMES(X)
#undef X
    JET_ONCE,   // there is coefficient 0 only, which others need
    JET_SOLVED, // x = A^-1 b, all of a linear system: x_k = A_0^-1 (b_k - sum_{j=1..k} A_j x_{k-j})
    JET_KINDS
} jet_kind;
// clang-format on

typedef struct {
    jet_kind kind;
    uint32_t to, a, b; // SOLVED: the first unknown, the system (b == a); ONCE: all the same
    uint32_t factor;   // of SCALE_ADD and SCALE_SUB
    bool behind;
    bool from_zero;       // coefficient 0 is 0: what Euler's derivative is a factor of
    tape_operation first; // else it is first(x, y) of the coefficients 0, as on the tape
    uint32_t x, y;
} jet_operation;

// A linear system of the tape by the registers that hold its operands.
typedef struct {
    const tape_system *of;
    uint32_t first; // of its unknowns, which stand side by side
    uint32_t *operand;
} jet_system;

// Operations of one kind, one after the other: alike but for their registers.
typedef struct {
    uint32_t first, count;
} jet_burst;

// A register that does not change along the solution: computed once for all.
typedef struct {
    tape_operation operation;
    uint32_t to, a, b;
} jet_fixed;

typedef struct {
    const tape *t;
    // the outputs are the rates of the states; else the states are a given curve
    bool is_solution;
    uint32_t register_count; // those of the tape first, then those made here
    uint32_t one;            // the register of the number 1
    bool *is_fixed;          // by register; states and t are not
    uint32_t fixed_count, fixed_capacity;
    jet_fixed *fixed;
    uint32_t count, capacity;
    jet_operation *operation;
    uint32_t system_count;
    jet_system *system;
    uint32_t *output; // where the outputs of the tape are
    uint32_t burst_count, burst_capacity;
    jet_burst *burst; // of all operations behind the states; none before jet_plan_gather()
} jet_plan;

jet_plan *jet_plan_create(const tape *t, bool is_solution);
void jet_plan_free(jet_plan *plan);

// The last step of making one (jet_finish.c): every operand by the register that holds it, what is
// there later second in products, and operations that nothing needs left out. By register: its
// operation + 1, the register with the same series.
void jet_plan_finish(jet_plan *plan, const uint32_t *made_by, const uint32_t *same_as);

// Puts the operations behind the states in another order with the same results: like ones together,
// so that they can be run in loops.
void jet_plan_gather(jet_plan *plan);

// What an operation needs at order k, or at order 0 in the end: registers.
uint32_t jet_operand_count(const jet_plan *plan, const jet_operation *o);
uint32_t jet_operand(const jet_plan *plan, const jet_operation *o, uint32_t which);

// Why Taylor series do not serve for the outputs of the tape: NULL if they do, else the function
// with a kink.
const char *jet_kink(const tape *t);

#endif
