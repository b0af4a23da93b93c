// Taylor coefficients of a solution as C: all registers at order k, then at order k + 1. Small
// plans have no loops at all, others are written out for an order k, long ones are loops.
#include "codegen/emit_jet_internal.h"

#include <stdlib.h>

enum {
    // vectors of products of a plan that is written without a loop over orders: the code of two is
    // faster alone, but leaves no room near the processor for the rest of a step
    MOST_VECTORS = 1,
    MOST_OPERATIONS = 60,
};

// --- places --------------------------------------------------------------------------------------

static bool uses_fixed(jet_kind kind) {
    return kind == JET_RAMP || kind == JET_SHIFT || kind == JET_LESS || kind == JET_FROM ||
           kind == JET_SCALE || kind == JET_OVER || kind == JET_POW;
}

// A place in c for a fixed register; what is written as a number or as p[i] needs none where it is
// written out.
static void keep(jet_writer *w, uint32_t r) {
    const tape *t = w->plan->t;
    const bool plain =
        !w->in_loops && (r == w->plan->one || r < t->input_count + t->constant_count);
    if (w->plan->is_fixed[r] && !plain && w->slot[r] == NO_SLOT) w->slot[r] = w->places++;
}

// Series in the order in which they are computed; fixed values and reciprocals that the orders
// need, in c.
static void assign(jet_writer *w) {
    const jet_plan *p = w->plan;
    w->slot = memory_array(uint32_t, p->register_count);
    w->over = memory_zeros(uint32_t, p->register_count);
    for (uint32_t r = 0; r < p->register_count; r++) w->slot[r] = NO_SLOT;
    for (uint32_t r = 0; r <= p->t->state_count; r++) w->slot[r] = w->slots++;
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        const uint32_t results =
            o->kind == JET_SOLVED ? tape_system_unknowns(p->system[o->a].of) : 1;
        for (uint32_t k = 0; k < results; k++)
            if (w->slot[o->to + k] == NO_SLOT) w->slot[o->to + k] = w->slots++;
        for (uint32_t k = 0; k < jet_operand_count(p, o) && o->kind == JET_SOLVED; k++)
            keep(w, jet_operand(p, o, k));
        if (o->kind == JET_SOLVED) continue;
        if (o->to <= p->t->state_count) keep(w, o->a); // rates that are fixed
        else if (!o->from_zero) keep(w, o->x), keep(w, o->y);
        if (w->in_loops || uses_fixed(o->kind)) keep(w, o->a), keep(w, o->b);
        if (jet_has_factor(o->kind)) keep(w, o->factor);
        if (!w->in_loops && o->kind == JET_QUOTIENT && !w->over[o->b]) w->over[o->b] = ++w->places;
    }
}

// --- the ways ------------------------------------------------------------------------------------

// What is asked for, or the next that is possible
static emit_jet_way choose(const jet_plan *p, emit_jet_way way) {
    if (way == EMIT_JET_SHORT)
        way = p->count <= MOST_OPERATIONS && jet_vector_count(p) <= MOST_VECTORS ? EMIT_JET_UNROLLED
              : p->t->step_count <= EMIT_JET_MOST_WRITTEN                        ? EMIT_JET_WRITTEN
                                                          : EMIT_JET_IN_LOOPS;
    return p->system_count ? EMIT_JET_IN_LOOPS : way;
}

uint32_t emit_jet(const tape *t, const scalar_type *as, const char *name, uint32_t most,
                  emit_jet_way way, text *out) {
    jet_plan *plan = jet_plan_create(t, true);
    jet_writer w = {.plan = plan, .as = as, .name = name, .most = most, .out = out};
    way = choose(plan, way);
    w.in_loops = way == EMIT_JET_IN_LOOPS, w.unrolled = way == EMIT_JET_UNROLLED;
    if (w.in_loops) jet_plan_gather(plan);
    assign(&w);
    if (w.in_loops) jet_write_in_loops(&w);
    else if (way == EMIT_JET_IN_ROWS) jet_write_in_rows(&w);
    else if (way == EMIT_JET_ABREAST) jet_write_abreast(&w);
    else jet_write_written(&w);
    const uint32_t places = w.places ? w.places : 1;
    memory_free(w.slot);
    memory_free(w.over);
    jet_plan_free(plan);
    return places;
}
