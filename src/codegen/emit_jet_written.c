// Taylor coefficients of a solution as C, operation by operation for an order k: what an operation
// needs of lower orders is its first coefficient, one order behind, and the sum of its products,
// which lanes have made for all of them (emit_jet_lanes.c). Whole series are kept of the operands
// of powers only. Plans of one part are one function (emit_jet_whole.c), longer ones several.
#include "codegen/emit_jet_internal.h"

#include <stdio.h>

enum {
    PART = 100,            // operations in one function
    STACK_BYTES = 1 << 18, // beyond it the coefficients are on the heap
};

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// --- what is kept --------------------------------------------------------------------------------

static uint32_t part_of(const jet_writer *w, uint32_t operation) {
    const uint32_t n = w->plan->t->state_count;
    return operation < n ? 0 : (operation - n) / PART;
}

static uint32_t part_count(const jet_writer *w) { return part_of(w, w->plan->count - 1) + 1; }

static void find_parts(jet_writer *w) {
    const jet_plan *p = w->plan;
    for (uint32_t i = 0; i < p->count; i++) w->part_of[p->operation[i].to] = part_of(w, i);
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        const uint32_t part = part_of(w, i);
        if (w->part_of[o->a] != part) w->shared[o->a] = true;
        if (w->part_of[o->b] != part) w->shared[o->b] = true;
    }
}

static void assign(jet_writer *w) {
    const jet_plan *p = w->plan;
    w->part_of = memory_zeros(uint32_t, p->register_count + 1);
    w->shared = memory_zeros(bool, p->register_count + 1);
    w->behind = memory_zeros(uint32_t, p->register_count + 1);
    w->kept = memory_zeros(uint32_t, p->register_count + 1);
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->behind && o->kind != JET_RAMP && !w->behind[o->a]) w->behind[o->a] = ++w->behinds;
        if (o->kind != JET_POW) continue;
        if (!w->kept[o->a]) w->kept[o->a] = ++w->rows;
        if (!w->kept[o->to]) w->kept[o->to] = ++w->rows;
    }
    w->divisor = memory_zeros(uint32_t, p->count + 1);
    for (uint32_t i = p->t->state_count; i < p->count; i++)
        if (jet_divides(p->operation[i].kind)) w->divisor[i] = w->divisors++;
    find_parts(w);
    jet_assign_lanes(w);
}

static void put_work(jet_writer *w) {
    const char *s = w->as->scalar;
    text_format(w->out, "struct %s_work {\n", w->name);
    jet_write_lane_room(w);
    if (w->whole && !w->rows) text_format(w->out, "    %s none[1];\n", s);
    if (!w->whole)
        text_format(
            w->out,
            "    // coefficients 0, coefficients k, those of the order before and of this one\n"
            "    %s first[%u], now[%u], last[2][%u];\n",
            s, w->slots, w->slots, w->behinds + 1);
    if (!w->whole && w->divisors)
        text_format(w->out, "    %s over[%u], ratio[%u];\n", s, w->divisors, w->divisors);
    if (w->rows) text_format(w->out, "    %s v[%u][%u];\n", s, w->rows, w->most + 1);
    put(w, "};\n\n");
}

// --- the start -----------------------------------------------------------------------------------

static void put_inverse(jet_writer *w, uint32_t i) {
    char inverse[32], ratio[32];
    snprintf(inverse, sizeof inverse, "w->over[%u]", w->divisor[i]);
    snprintf(ratio, sizeof ratio, "w->ratio[%u]", w->divisor[i]);
    jet_write_inverse(w, &w->plan->operation[i], i, inverse, ratio);
}

static void put_start(jet_writer *w, uint32_t part) {
    const jet_plan *p = w->plan;
    text_format(w->out, "%s void %s_start%u(struct %s_work *w, const %s *p, const %s *c) {\n",
                jet_inner_qualifier(w), w->name, part, w->name, w->as->scalar, w->as->scalar);
    put(w, "    (void)w, (void)p, (void)c;\n");
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        // t is given
        if (part_of(w, i) != part || o->to <= p->t->state_count) continue;
        text_format(w->out, "    w->first[%u] = ", w->slot[o->to]);
        jet_write_first(w, o);
        put(w, ";\n");
        if (jet_divides(o->kind)) put_inverse(w, i);
    }
    put(w, "}\n\n");
}

static void name_first(const jet_writer *w, uint32_t r, char *name, size_t size) {
    snprintf(name, size, "w->first[%u]", w->slot[r]);
}

// What the order 1 needs of the order 0 beside the first coefficients
static void put_begin(jet_writer *w, const jet_users *users) {
    char name[32];
    text_format(w->out, "%s void %s_begin(struct %s_work *w) {\n    (void)w;\n",
                jet_inner_qualifier(w), w->name, w->name);
    for (uint32_t r = 0; r < w->plan->register_count; r++) {
        if (w->plan->is_fixed[r] || w->slot[r] == NO_SLOT) continue;
        name_first(w, r, name, sizeof name);
        if (w->behind[r]) text_format(w->out, "    w->last[0][%u] = %s;\n", w->behind[r] - 1, name);
        if (w->kept[r]) text_format(w->out, "    w->v[%u][0] = %s;\n", w->kept[r] - 1, name);
        jet_write_to_lanes(w, users, r, name, true);
    }
    put(w, "}\n\n");
}

// --- order k -------------------------------------------------------------------------------------

// Where a coefficient k goes, once it is there
static void put_away(jet_writer *w, const jet_users *users, uint32_t r) {
    char name[32];
    snprintf(name, sizeof name, "x%u", w->slot[r]);
    if (w->behind[r]) text_format(w->out, "    next[%u] = %s;\n", w->behind[r] - 1, name);
    if (w->kept[r]) text_format(w->out, "    w->v[%u][k] = %s;\n", w->kept[r] - 1, name);
    if (w->shared[r]) text_format(w->out, "    w->now[%u] = %s;\n", w->slot[r], name);
    jet_write_to_lanes(w, users, r, name, false);
}

void jet_write_states(jet_writer *w) {
    const jet_plan *p = w->plan;
    for (uint32_t i = 0; i < p->t->state_count; i++) {
        text_format(w->out, "    const %s %c%u = ", w->as->scalar, jet_letter(w), i);
        jet_write_rate(w, &p->operation[i]);
        text_format(w->out, "; // %s\n    out[%u] = %c%u;\n",
                    expr_symbol_name(p->t->pool, p->t->input[i]), i, jet_letter(w), i);
    }
}

static void put_head(jet_writer *w, const char *what) {
    const char *s = w->as->scalar;
    text_format(w->out,
                "%s void %s_%s(struct %s_work *w, const %s *p, const %s *c, %s over, int k, %s "
                "*out) {\n    const %s *last = w->last[(k - 1) %% 2];\n",
                jet_inner_qualifier(w), w->name, what, w->name, s, s, s, s, s);
    put(w, "    (void)p, (void)c, (void)over, (void)out, (void)last;\n");
}

static void put_order(jet_writer *w, const jet_users *users, uint32_t part) {
    const jet_plan *p = w->plan;
    char what[24];
    snprintf(what, sizeof what, "order%u", part);
    w->part = part;
    put_head(w, what);
    text_format(w->out, "    %s *next = w->last[k %% 2];\n    (void)next;\n", w->as->scalar);
    if (!part) {
        jet_write_states(w);
        for (uint32_t i = 0; i < p->t->state_count; i++) put_away(w, users, i);
        jet_write_empty_lanes(w);
    }
    for (uint32_t i = p->t->state_count; i < p->count; i++) {
        if (part_of(w, i) != part || p->operation[i].kind == JET_ONCE) continue;
        jet_write_coefficient(w, &p->operation[i], i);
        put_away(w, users, p->operation[i].to);
    }
    put(w, "}\n\n");
}

// --- all of it -----------------------------------------------------------------------------------

static bool is_large(const jet_writer *w) {
    const size_t products = 2 * w->products + w->squares + 16;
    return (products + w->rows + 4) * (w->most + 1) * 16 + w->slots * (size_t)48 > STACK_BYTES;
}

static void put_main(jet_writer *w) {
    const uint32_t n = w->plan->t->state_count;
    const char *s = w->as->scalar;
    text_format(w->out,
                "%s int %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s *out) {\n",
                w->as->qualifier, w->name, s, s, s, s, s);
    jet_write_reciprocals(w, "over");
    text_format(w->out,
                "    if (order < 1) {\n        for (int i = 0; i < %u; i++) out[i] = z[i];\n"
                "        return 0;\n    }\n",
                n);
    if (is_large(w))
        text_format(w->out,
                    "    struct %s_work *w = aligned_alloc(64, (sizeof *w + 63) / 64 * 64);\n    "
                    "if (!w) return 1;\n",
                    w->name);
    else text_format(w->out, "    struct %s_work work, *w = &work;\n", w->name);
    text_format(w->out,
                "    for (int i = 0; i < %u; i++) w->first[i] = out[i] = z[i];\n    w->first[%u] = "
                "t;\n",
                n, n);
    for (uint32_t i = 0; i < part_count(w); i++)
        text_format(w->out, "    %s_start%u(w, p, c);\n", w->name, i);
    text_format(w->out, "    %s_begin(w);\n", w->name);
    text_format(w->out, "    for (int k = 1; k < order; k++) {\n        out += %u;\n", n);
    jet_write_sums_of_order(w, "k");
    for (uint32_t i = 0; i < part_count(w); i++)
        text_format(w->out, "        %s_order%u(w, p, c, over[k], k, out);\n", w->name, i);
    put(w, "    }\n");
    text_format(w->out, "    %s_states(w, p, c, over[order], order, out + %u);\n", w->name, n);
    if (is_large(w)) put(w, "    free(w);\n");
    put(w, "    return 0;\n}\n");
}

static void put_parts(jet_writer *w, const jet_users *users) {
    put(w, "#if defined __GNUC__ && !defined __clang__ // as fast, and compiled in less time\n"
           "#pragma GCC optimize (\"O1\")\n#endif\n\n");
    for (uint32_t i = 0; i < part_count(w); i++) put_start(w, i);
    put_begin(w, users);
    for (uint32_t i = 0; i < part_count(w); i++) put_order(w, users, i);
    w->part = 0;
    put_head(w, "states"), put(w, "    (void)k;\n"), jet_write_states(w), put(w, "}\n\n");
    put_main(w);
}

void jet_write_written(jet_writer *w) {
    w->written = true;
    assign(w);
    w->whole = part_count(w) == 1 && !is_large(w), w->unrolled = w->unrolled && w->whole;
    jet_users users = jet_users_find(w->plan);
    if (is_large(w)) put(w, "#include <stdlib.h>\n\n");
    jet_write_fixed_function(w);
    jet_write_power(w);
    scalar_type_not_inline(w->out);
    put_work(w);
    jet_write_lane_sums(w);
    if (w->whole) jet_write_whole(w, &users);
    else put_parts(w, &users);
    jet_users_free(&users);
    memory_free(w->lane), memory_free(w->joins), memory_free(w->divisor), memory_free(w->part_of),
        memory_free(w->shared), memory_free(w->behind), memory_free(w->kept);
}
