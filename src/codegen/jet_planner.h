// A plan of Taylor arithmetic in the making: registers, the operations that make them, products
// that are found once, arithmetic with what is fixed. jet_plan.c makes functions of these.
#ifndef HAMEL_CODEGEN_JET_PLANNER_H
#define HAMEL_CODEGEN_JET_PLANNER_H

#include "codegen/jet_plan.h"

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

enum { NONE = UINT32_MAX }; // no register

uint32_t planner_register(planner *w, bool fixed); // a new one
static inline bool planner_is_fixed(const planner *w, uint32_t r) { return w->plan->is_fixed[r]; }
static inline bool planner_is_made(const planner *w, uint32_t r) { return w->made_by[r] != 0; }

jet_operation *planner_append(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b);
// The same with its coefficient 0, first(x, y)
jet_operation *planner_append_first(planner *w, jet_kind kind, uint32_t to, uint32_t a, uint32_t b,
                                    tape_operation first, uint32_t x, uint32_t y);
void planner_append_fixed(planner *w, tape_operation operation, uint32_t to, uint32_t a,
                          uint32_t b);

// The register of a product of series; `otherwise` where there is none yet, which is it from now on
uint32_t planner_find_product(planner *w, uint32_t a, uint32_t b, uint32_t otherwise);
void planner_make_product(planner *w, uint32_t to, uint32_t a, uint32_t b);

// a op b, of series and of what is fixed
void planner_combine_into(planner *w, uint32_t to, tape_operation op, uint32_t a, uint32_t b);
uint32_t planner_combine(planner *w, tape_operation op, uint32_t a, uint32_t b); // a new register

#endif
