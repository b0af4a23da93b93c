// Taylor coefficients of a solution as C in one function, for a plan of one part: coefficients 0,
// those of order k and of the order before are variables, which a compiler keeps near; what is left
// in memory are the factors of products in lanes (emit_jet_lanes.c). Of a tiny plan every order is
// a number for the compiler, so that its sums have no loops either.
#include "codegen/emit_jet_internal.h"

#include <stdio.h>

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// f7 is coefficient 0 of the register in place 7, x7 its coefficient k; l3 the coefficient k - 1 of
// a register that is asked for it; o0 and q0 what divides.

static void put_inverse(jet_writer *w, uint32_t i) {
    char inverse[48], ratio[48];
    snprintf(inverse, sizeof inverse, "const %s o%u", w->as->scalar, w->divisor[i]);
    snprintf(ratio, sizeof ratio, "const %s q%u", w->as->scalar, w->divisor[i]);
    jet_write_inverse(w, &w->plan->operation[i], i, inverse, ratio);
}

// Coefficients 0, and what order 1 needs of them
static void put_start(jet_writer *w, const jet_users *users) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    const char *s = w->as->scalar;
    for (uint32_t i = 0; i < n; i++)
        text_format(w->out, "    const %s f%u = out[%u] = z[%u];\n", s, i, i, i);
    text_format(w->out, "    const %s f%u = t;\n", s, n);
    for (uint32_t i = n; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->to <= n) continue; // t is given
        text_format(w->out, "    const %s f%u = ", s, w->slot[o->to]);
        jet_write_first(w, o), put(w, ";\n");
        if (jet_divides(o->kind)) put_inverse(w, i);
    }
    for (uint32_t r = 0; r < p->register_count; r++) {
        char name[32];
        if (p->is_fixed[r] || w->slot[r] == NO_SLOT) continue;
        snprintf(name, sizeof name, "f%u", w->slot[r]);
        if (w->behind[r]) text_format(w->out, "    %s l%u = %s;\n", s, w->behind[r] - 1, name);
        if (w->kept[r]) text_format(w->out, "    w->v[%u][0] = %s;\n", w->kept[r] - 1, name);
        jet_write_to_lanes(w, users, r, name, true);
    }
}

// Where a coefficient k goes, once it is there
static void put_away(jet_writer *w, const jet_users *users, uint32_t r, bool in_rows) {
    char name[32];
    snprintf(name, sizeof name, "x%u", w->slot[r]);
    if (w->kept[r]) text_format(w->out, "    w->v[%u][k] = %s;\n", w->kept[r] - 1, name);
    if (!in_rows) jet_write_to_lanes(w, users, r, name, false);
}

// The coefficients k of everything, k and over = 1/k being known
static void put_order(jet_writer *w, const jet_users *users) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    const bool in_rows = jet_puts_rows(w);
    jet_write_states(w);
    for (uint32_t i = 0; i < n; i++) put_away(w, users, i, in_rows);
    if (!in_rows) jet_write_empty_lanes(w);
    for (uint32_t i = n; i < p->count; i++) {
        if (p->operation[i].kind == JET_ONCE) continue;
        jet_write_coefficient(w, &p->operation[i], i);
        put_away(w, users, p->operation[i].to, in_rows);
    }
    if (in_rows) jet_write_rows(w);
    for (uint32_t r = 0; r < p->register_count; r++)
        if (w->behind[r]) text_format(w->out, "    l%u = x%u;\n", w->behind[r] - 1, w->slot[r]);
}

static void put_orders(jet_writer *w, const jet_users *users) {
    const uint32_t n = w->plan->t->state_count;
    const char *s = w->as->scalar;
    if (!w->unrolled) {
        text_format(w->out,
                    "    for (int k = 1; k < order; k++) {\n    const %s over = parts[k];\n    out "
                    "+= %u;\n",
                    s, n);
        jet_write_sums_of_order(w, "k"), put_order(w, users);
        put(w, "    }\n");
        return;
    }
    for (uint32_t k = 1; k < w->most; k++) {
        text_format(w->out,
                    "    if (order == %u) goto states;\n    out += %u;\n    {\n    const int k = "
                    "%u;\n    const %s over = parts[%u];\n    (void)k;\n",
                    k, n, k, s, k);
        char number[16];
        snprintf(number, sizeof number, "%u", k);
        jet_write_sums_of_order(w, number), put_order(w, users);
        put(w, "    }\n");
    }
    if (w->most > 1) put(w, "states:\n");
}

void jet_write_whole(jet_writer *w, const jet_users *users) {
    const char *s = w->as->scalar;
    const uint32_t n = w->plan->t->state_count;
    put(w, "#ifdef __GNUC__ // not every coefficient is asked for\n#pragma GCC diagnostic ignored "
           "\"-Wunused-variable\"\n#endif\n\n");
    text_format(w->out,
                "%s int %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s *out) {\n",
                w->as->qualifier, w->name, s, s, s, s, s);
    jet_write_reciprocals(w, "parts");
    text_format(w->out,
                "    (void)p, (void)c;\n    if (order < 1) {\n        for (int i = 0; i < %u; i++) "
                "out[i] = z[i];\n        return 0;\n    }\n    struct %s_work work, *w = &work;\n"
                "    (void)w;\n",
                n, w->name);
    put_start(w, users);
    put_orders(w, users);
    text_format(w->out,
                "    out += %u;\n    {\n    const int k = order;\n    const %s over = "
                "parts[order];\n    (void)k, (void)over;\n",
                n, s);
    jet_write_states(w), put(w, "    }\n    return 0;\n}\n");
}
