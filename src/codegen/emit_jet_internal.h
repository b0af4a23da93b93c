// What the files that write Taylor arithmetic as C share. Other rooms use emit.h.
#ifndef HAMEL_CODEGEN_EMIT_JET_INTERNAL_H
#define HAMEL_CODEGEN_EMIT_JET_INTERNAL_H

#include "codegen/emit.h"
#include "codegen/jet_plan.h"

enum { NO_SLOT = UINT32_MAX };

// A plan that is being written as C.
typedef struct {
    const jet_plan *plan;
    const scalar_type *as;
    const char *name;
    uint32_t most; // the highest order
    text *out;
    // what the series of the registers are called; NULL: by their places in v and c
    const char *const *row;
    // operations in loops over tables, which name what is fixed as they name a series
    bool in_loops;
    bool unrolled; // every coefficient of every order is a variable of its own,
    uint32_t k;    // .. and this is the order that is being written
    // of a register: in v if it is a series, in c if it is fixed and the orders need it
    uint32_t *slot;
    uint32_t *over;         // of a fixed register: where its reciprocal is in c, + 1
    uint32_t slots, places; // of v, of c
} jet_writer;

// Operations as C (emit_jet_operation.c), S being the scalar type.
void jet_write_first(jet_writer *w, const jet_operation *o); // coefficient 0 as an expression
// what the coefficients k of some operations need of the orders below k
void jet_write_sums(jet_writer *w, uint32_t from, uint32_t to);
// r_k = ..; behind the sums, o being operation i
void jet_write_coefficient(jet_writer *w, const jet_operation *o, uint32_t i);
// S NAME_power(const S *a, S e, const S *r, int k), where it is needed
void jet_write_power(jet_writer *w);
void jet_write_rate(jet_writer *w,
                    const jet_operation *o);          // coefficient k of a state as an expression
void jet_write_fixed_function(jet_writer *w);         // NAME_fixed()
void jet_write_reciprocals(jet_writer *w);            // over[k] = 1/k
const char *jet_inner_qualifier(const jet_writer *w); // of functions that nobody else calls

// The sum of an operation: sum_j first_j second_{k-j}; `first` is read one order behind
// where the operation is. The order of its terms is that of convolve() and convolve_self() in
// execute/jets_template.h: from the middle outwards.
bool jet_is_convolution(jet_kind kind);
bool jet_is_symmetric(jet_kind kind); // first = second: every product of two once
void jet_factors(const jet_operation *o, uint32_t *first, uint32_t *second);

// A small plan at one order, without loops (emit_jet_unrolled.c): v3_7 is coefficient 7 of the
// series in place 3.
void jet_write_local(jet_writer *w, uint32_t r, uint32_t k);
void jet_write_unrolled(jet_writer *w);
// How many products all orders have together
double jet_product_count(const jet_plan *plan, uint32_t order);

// The functions of a long plan: tables of registers, a loop for each burst of like operations
// (emit_jet_loops.c).
void jet_write_in_loops(jet_writer *w);

#endif
