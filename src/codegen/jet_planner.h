// Registers and arithmetic of a plan in the making. jet_plan.c makes a plan with it, step by step
// of the tape, and finishes it into what jet_plan.h shows.
#ifndef HAMEL_CODEGEN_JET_PLANNER_H
#define HAMEL_CODEGEN_JET_PLANNER_H

#include "codegen/jet_plan.h"

enum { PLANNER_NONE = UINT32_MAX };

typedef struct {
    jet_plan *plan;
    const tape *t;
    uint32_t capacity;
    uint32_t *made_by; // by register: its operation + 1
    uint32_t *same_as; // by register: the one that holds its series
    uint32_t *table;   // products by their factors, open addressing: register + 1
    uint32_t *factor;  // by register, two: of a product
    uint32_t table_size, products;
} planner;

uint32_t planner_register(planner *w, bool is_fixed); // a new one
bool planner_is_fixed(const planner *w, uint32_t r);
bool planner_is_made(const planner *w, uint32_t r); // is there an operation that computes it?

jet_operation *planner_append(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b);
jet_operation *planner_append_first(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b,
                                    tape_operation first, uint32_t x, uint32_t y);
void planner_append_fixed(planner *w, tape_operation operation, uint32_t to, uint32_t a,
                          uint32_t b);

// The register of a * b: one that is there, or else `otherwise`, which is to be made.
uint32_t planner_product(planner *w, uint32_t a, uint32_t b, uint32_t otherwise);
void planner_make_product(planner *w, uint32_t to, uint32_t a, uint32_t b);

// a op b, by the kind that suits what is fixed; op is one of add, sub, mul, div, neg.
void planner_combine_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b);
uint32_t planner_combine(planner *w, tape_operation op, uint32_t a, uint32_t b);

#endif
