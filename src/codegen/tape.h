// Three-address code: expressions as a list of steps, each one operation on earlier registers. What
// the interpreter runs, the emitters write out and the jets follow.
//
// Registers: first the inputs, then the constants, then one a step. Equal steps are made once. Sums
// are added pairwise, so that a processor can overlap them; powers with small exponents become
// products, x^(n/2) a root; fixed factors of a product are one factor; sin and cos of one argument
// stand side by side, tan is their quotient where one of them is needed, and those of a sum of two
// angles follow from the addition theorems where those of the two are needed.
#ifndef HAMEL_CODEGEN_TAPE_H
#define HAMEL_CODEGEN_TAPE_H

#include "expr/expansion.h"
#include "expr/matrix.h"
#include "expr/program.h"

// TAPE(enumerator, name): a op b, or op a
// clang-format off
#define TAPE_OPERATIONS(X)                                                                         \
    X(ADD, "add") X(SUB, "sub") X(MUL, "mul") X(DIV, "div") X(NEG, "neg") X(SQRT, "sqrt")          \
    X(POW, "pow") /* a^b */                                                                        \
    X(SIN, "sin") X(COS, "cos") X(TAN, "tan") X(ASIN, "asin") X(ACOS, "acos") X(ATAN, "atan")      \
    X(ATAN2, "atan2") X(SINH, "sinh") X(COSH, "cosh") X(TANH, "tanh") X(EXP, "exp")                \
    X(LOG, "log") X(ABS, "abs") X(SIGN, "sign")                                                    \
    X(SOLVED, "solved") /* entry b of the solution of system a */

typedef enum {
#define X(id, name) TAPE_##id,
    TAPE_OPERATIONS(X)
#undef X
    TAPE_KINDS
} tape_operation;
// clang-format on

// What a step depends on: it can be computed once for all, once for each time, or only at a state.
typedef enum { TAPE_FIXED, TAPE_TIMED, TAPE_STATE } tape_level;

// A linear system A X = R that is solved in numbers: LDL^T without pivoting where A is symmetric
// and definite, else LU with partial pivoting. Its solution is the steps first, first + 1 ..,
// column after column. Never fixed.
typedef struct {
    uint32_t n, columns;
    bool symmetric;
    uint32_t first;
    // registers: A row by row (where symmetric up to the diagonal), then R column by column
    uint32_t *operand;
} tape_system;

typedef struct {
    tape_operation operation;
    uint32_t a, b; // registers; b == a for operations with one operand
    tape_level level;
} tape_step;

typedef struct tape {
    const pool *pool;
    uint32_t input_count;
    const expr *input;    // symbols, in the order of the registers
    uint32_t state_count; // the first of the inputs are z; then t; then parameters
    uint32_t constant_count;
    expr *constant; // NUMBER nodes or pi
    uint32_t step_count, step_capacity;
    tape_step *step;
    uint32_t system_count;
    tape_system *system; // each may need those before it
    uint32_t output_count;
    uint32_t *output; // registers
} tape;

// Inputs: `state_count` symbols of z, t, parameters. Every symbol in the outputs must be among
// them, and no abstract function may occur.
tape *tape_create(pool *p, uint32_t state_count, const expr *state, expr time,
                  uint32_t parameter_count, const expr *parameter, uint32_t outputs,
                  const expr *output);
// The same where outputs, and the systems behind it, may hold unknowns of a system. Systems that
// nothing needs are left out.
tape *tape_create_with(pool *p, uint32_t state_count, const expr *state, expr time,
                       uint32_t parameter_count, const expr *parameter, uint32_t systems,
                       const matrix_system *system, uint32_t outputs, const expr *output);
// As tape_create(), without a look for common parts: that takes longer than it saves where code is
// long and seldom run.
tape *tape_create_as_written(pool *p, uint32_t state_count, const expr *state, expr time,
                             uint32_t parameter_count, const expr *parameter, uint32_t outputs,
                             const expr *output);
// The part of a tape that computes these of its registers, which are its outputs; NULL where they
// need the solution of a system.
tape *tape_part(const tape *t, uint32_t count, const uint32_t *reg);
void tape_free(tape *t);

const char *tape_operation_name(tape_operation operation);
bool tape_is_unary(tape_operation operation);
// The registers that a step names; the solution of a system names them with its first entry.
uint32_t tape_operand_count(const tape *t, uint32_t step);
uint32_t tape_operand(const tape *t, uint32_t step, uint32_t which);
uint32_t tape_system_entries(const tape_system *s);  // of A, as operands
uint32_t tape_system_operands(const tape_system *s); // of A and R
uint32_t tape_system_unknowns(const tape_system *s);
uint32_t tape_register_count(const tape *t);
// The value of a constant register.
expansion tape_constant(const tape *t, uint32_t index);

#endif
