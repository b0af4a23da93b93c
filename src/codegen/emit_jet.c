// Taylor coefficients of a solution as C: all registers at order k, then at order k + 1. Small
// plans have no loops at all, short ones are written out for an order k, long ones are loops.
#include "codegen/emit_jet_internal.h"

#include <stdlib.h>

enum {
    // products of all orders together, without a loop: a compiler takes 0.4 ms each, and of more
    // of them the loops are as fast
    MOST_PRODUCTS = 600,
    MOST_WRITTEN = 300,    // operations, each a line or two: a compiler takes 0.7 ms each
    PART = 120,            // operations in one function
    STACK_BYTES = 1 << 18, // beyond it the registers are on the heap
};

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

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
        if (!w->in_loops && o->kind == JET_QUOTIENT && !w->over[o->b]) w->over[o->b] = ++w->places;
    }
}

// --- functions -----------------------------------------------------------------------------------

// operations before it are the states
static uint32_t first_step(const jet_writer *w) { return w->plan->t->state_count; }

static void put_part(jet_writer *w, uint32_t part, uint32_t from, uint32_t to) {
    const char *scalar = w->as->scalar;
    text_format(w->out, "%s void %s_start%u(%s (*v)[%u], const %s *p, const %s *c) {\n",
                jet_inner_qualifier(w), w->name, part, scalar, w->most + 1, scalar, scalar);
    put(w, "    (void)v, (void)p, (void)c;\n");
    for (uint32_t i = from; i < to; i++) {
        const jet_operation *o = &w->plan->operation[i];
        if (o->to <= w->plan->t->state_count) continue; // t is given
        text_format(w->out, "    v[%u][0] = ", w->slot[o->to]);
        jet_write_first(w, o);
        put(w, ";\n");
    }
    text_format(
        w->out,
        "}\n\n%s void %s_order%u(%s (*v)[%u], const %s *p, const %s *c, %s over, int k) {\n",
        jet_inner_qualifier(w), w->name, part, scalar, w->most + 1, scalar, scalar, scalar);
    put(w, "    (void)p, (void)c, (void)over;\n");
    jet_write_sums(w, from, to);
    for (uint32_t i = from; i < to; i++) jet_write_coefficient(w, &w->plan->operation[i], i);
    put(w, "}\n\n");
}

static void put_main(jet_writer *w, uint32_t parts) {
    const jet_plan *p = w->plan;
    const char *scalar = w->as->scalar;
    const uint32_t n = p->t->state_count;
    const bool heap = (size_t)w->slots * (w->most + 1) * 16 > STACK_BYTES;
    text_format(w->out,
                "%s int %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s *out) {\n",
                w->as->qualifier, w->name, scalar, scalar, scalar, scalar, scalar);
    jet_write_reciprocals(w);
    if (heap) {
        text_format(w->out, "    %s (*v)[%u] = malloc(%u * sizeof *v);\n", scalar, w->most + 1,
                    w->slots);
        put(w, "    if (!v) return 1;\n");
    } else {
        text_format(w->out, "    %s v[%u][%u];\n", scalar, w->slots, w->most + 1);
    }
    text_format(w->out, "    for (int i = 0; i < %u; i++) v[i][0] = z[i];\n    v[%u][0] = t;\n", n,
                n);
    for (uint32_t i = 0; i < parts; i++)
        text_format(w->out, "    %s_start%u(v, p, c);\n", w->name, i);
    // Results are copied an order late: vector loads of what was just stored as scalars would wait.
    text_format(w->out, "    for (int k = 1; k <= order; k++, out += %u) {\n", n);
    for (uint32_t i = 0; i < n; i++) text_format(w->out, "        out[%u] = v[%u][k - 1];\n", i, i);
    for (uint32_t i = 0; i < n; i++) {
        const jet_operation *o = &p->operation[i];
        text_format(w->out, "        v[%u][k] = ", i);
        jet_write_rate(w, o);
        text_format(w->out, "; // %s\n", expr_symbol_name(p->t->pool, p->t->input[i]));
    }
    put(w, "        if (k == order) continue;\n");
    for (uint32_t i = 0; i < parts; i++)
        text_format(w->out, "        %s_order%u(v, p, c, over[k], k);\n", w->name, i);
    text_format(w->out, "    }\n    for (int i = 0; i < %u; i++) out[i] = v[i][order];\n", n);
    if (heap) put(w, "    free(v);\n");
    put(w, "    return 0;\n}\n");
}

static void write_out(jet_writer *w) {
    if ((size_t)w->slots * (w->most + 1) * 16 > STACK_BYTES) put(w, "#include <stdlib.h>\n\n");
    jet_write_fixed_function(w);
    jet_write_power(w);
    uint32_t parts = 0;
    for (uint32_t from = first_step(w); from < w->plan->count; from += PART, parts++)
        put_part(w, parts, from, from + PART < w->plan->count ? from + PART : w->plan->count);
    put_main(w, parts);
}

static bool has_power(const jet_plan *p) {
    for (uint32_t i = 0; i < p->count; i++)
        if (p->operation[i].kind == JET_POW) return true;
    return false;
}

// What is asked for, or the next that is possible
static emit_jet_way choose(const jet_plan *p, uint32_t order, emit_jet_way way) {
    if (way == EMIT_JET_SHORT)
        way = jet_product_count(p, order) <= MOST_PRODUCTS ? EMIT_JET_UNROLLED
              : p->count <= MOST_WRITTEN                   ? EMIT_JET_WRITTEN
                                                           : EMIT_JET_IN_LOOPS;
    if (p->system_count) return EMIT_JET_IN_LOOPS;
    return way == EMIT_JET_UNROLLED && has_power(p) ? EMIT_JET_WRITTEN : way;
}

uint32_t emit_jet(const tape *t, const scalar_type *as, const char *name, uint32_t most,
                  emit_jet_way way, text *out) {
    jet_plan *plan = jet_plan_create(t, true);
    jet_writer w = {.plan = plan, .as = as, .name = name, .most = most, .out = out};
    way = choose(plan, most, way);
    w.in_loops = way == EMIT_JET_IN_LOOPS;
    if (w.in_loops) jet_plan_gather(plan);
    assign(&w);
    if (way == EMIT_JET_IN_LOOPS) jet_write_in_loops(&w);
    else if (way == EMIT_JET_UNROLLED) jet_write_unrolled(&w);
    else write_out(&w);
    const uint32_t places = w.places ? w.places : 1;
    memory_free(w.slot);
    memory_free(w.over);
    jet_plan_free(plan);
    return places;
}
