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
    // of a register: in v if it is a series, in c if it is fixed and the orders need it
    uint32_t *slot;
    uint32_t *over;          // of a fixed register: where its reciprocal is in c, + 1
    uint32_t slots, places;  // of v, of c
    bool written;            // operation by operation for an order k, with sums in lanes:
    bool whole;              // .. in one function, with variables for coefficients,
    bool unrolled;           // .. and one order after the other, without a loop;
    bool abreast;            // .. for vectors of runs, with sums in lanes/series.c;
    bool second;             // .. the later of two orders in one function, of names of its own;
    uint32_t part;           // .. the function that is being written,
    uint32_t *part_of;       // .. by register: the function that makes it;
    bool *shared;            // .. and whether another one reads it
    uint32_t *behind, *kept; // .. by register: its place + 1 in last, in v
    uint32_t *lane;          // .. by operation: of its products, or of its squares,
    bool *joins;             // .. whether it is a square among the products,
    uint32_t *divisor;       // .. and its place among those that divide
    uint32_t products, squares, divisors, behinds, rows;
} jet_writer;

// Operations as C (emit_jet_operation.c), S being the scalar type.
void jet_write_first(jet_writer *w, const jet_operation *o); // coefficient 0 as an expression
// what the coefficient k of operation i needs of the orders below k
void jet_write_sum(jet_writer *w, uint32_t i);
// r_k = ..; behind the sums, o being operation i
void jet_write_coefficient(jet_writer *w, const jet_operation *o, uint32_t i);
// What divides in every order, found once: INVERSE = 1 / b_0; RATIO = -(r_0 * INVERSE);
bool jet_divides(jet_kind kind);
void jet_write_inverse(jet_writer *w, const jet_operation *o, uint32_t i, const char *inverse,
                       const char *ratio);
// S NAME_power(const S *a, S e, const S *r, int k), where it is needed
void jet_write_power(jet_writer *w);
void jet_write_rate(jet_writer *w,
                    const jet_operation *o);  // coefficient k of a state as an expression
void jet_write_fixed_function(jet_writer *w); // NAME_fixed()
void jet_write_reciprocals(jet_writer *w, const char *table); // table[k] = 1/k
const char *jet_inner_qualifier(const jet_writer *w);         // of functions that nobody else calls

// The sum of an operation: sum_j first_j second_{k-j}; `first` is read one order behind
// where the operation is. The order of its terms is that of convolve() and convolve_self() in
// execute/jets_template.h: from the middle outwards.
bool jet_has_factor(jet_kind kind);
bool jet_is_convolution(jet_kind kind);
bool jet_is_symmetric(jet_kind kind); // first = second: every product of two once
void jet_factors(const jet_operation *o, uint32_t *first, uint32_t *second);

// A plan operation by operation (emit_jet_written.c), ..
void jet_write_written(jet_writer *w);
void jet_write_states(jet_writer *w); // coefficients k of the states, over = 1/k being known
char jet_letter(const jet_writer *w); // that names of coefficients k begin with

// .. and the sums of its products in lanes (emit_jet_lanes.c). Who has a register as a factor: of
// register r operation[first[r]] .. operation[first[r + 1] - 1], each twice the operation, and one
// more where r is its second factor.
typedef struct {
    uint32_t *first, *operation;
} jet_users;
jet_users jet_users_find(const jet_plan *plan);
void jet_users_free(jet_users *users);
void jet_write_whole(jet_writer *w,
                     const jet_users *users); // a plan of one part (emit_jet_whole.c)
void jet_assign_lanes(jet_writer *w);
uint32_t jet_vector_count(const jet_plan *plan); // vectors that its products and squares fill
bool jet_has_own_lane(const jet_writer *w, uint32_t i);     // operation i is among the squares
void jet_write_lane_room(jet_writer *w);                    // members of NAME_work
void jet_write_lane_sums(jet_writer *w);                    // functions for some sums each
void jet_write_sums_of_order(jet_writer *w, const char *k); // their calls
// Coefficient k of a register, or at the start coefficient 0, for all sums that have it as a factor
void jet_write_to_lanes(jet_writer *w, const jet_users *users, uint32_t r, const char *value,
                        bool start);
// The same for all of them at once, where none is one order behind and one function knows all
bool jet_puts_rows(const jet_writer *w);
void jet_write_rows(jet_writer *w);
void jet_write_empty_lanes(jet_writer *w); // zeros at order k in lanes that nobody has

// A plan in loops over the terms of each sum, whose series are rows of a local array v: short code
// for one thread of many (emit_jet_rows.c)
void jet_write_in_rows(jet_writer *w);

// A plan for vectors of runs (emit_jet_abreast.c)
void jet_write_abreast(jet_writer *w);
void jet_write_argument(jet_writer *w, uint32_t r); // coefficient 0 of a register

// The functions of a long plan: tables of registers, a loop for each burst of like operations
// (emit_jet_loops.c).
void jet_write_in_loops(jet_writer *w);

#endif
