// Taylor coefficients of a solution as C without a loop: every coefficient up to a given order is a
// variable of its own, so that a compiler keeps them in registers and a processor finds in the sums
// of one order work to do while it waits for the next.
#include "codegen/emit_jet_internal.h"

#include <stdio.h>

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

double jet_product_count(const jet_plan *p, uint32_t order) {
    double count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_kind kind = p->operation[i].kind;
        if (jet_is_convolution(kind))
            count += (jet_is_symmetric(kind) ? 0.25 : 0.5) * order * order;
        else if (kind != JET_ONCE) count += order;
    }
    return count;
}

// --- the sum of an operation ---------------------------------------------------------------------

// s7_3 = fma(v1_1, v2_2, s7_3);
static void put_term(jet_writer *w, uint32_t which, char sum, uint32_t j) {
    const jet_operation *o = &w->plan->operation[which];
    const bool fused = w->as->fused;
    uint32_t a, b;
    jet_factors(o, &a, &b);
    text_format(w->out, "    %c%u_%u ", sum, which, w->k);
    if (fused) put(w, "= "), scalar_type_function(w->as, "fma", w->out), put(w, "(");
    else put(w, "+= ");
    jet_write_local(w, a, o->behind ? j - 1 : j), put(w, fused ? ", " : " * ");
    jet_write_local(w, b, w->k - j);
    if (fused) text_format(w->out, ", %c%u_%u)", sum, which, w->k);
    put(w, ";\n");
}

static void put_sum(jet_writer *w, uint32_t which) {
    const bool square = jet_is_symmetric(w->plan->operation[which].kind);
    text_format(w->out, "    %s s%u_%u = 0", w->as->scalar, which, w->k);
    if (!square) text_format(w->out, ", h%u_%u = 0", which, w->k);
    put(w, ";\n");
    for (uint32_t j = (w->k - 1) / 2; j > 0; j--) {
        put_term(w, which, 's', j);
        if (!square) put_term(w, which, 'h', w->k - j);
    }
}

// --- orders --------------------------------------------------------------------------------------

// const double o7 = 1 / v3_0; const double q7 = -(v7_0 * o7);
static void put_inverse(jet_writer *w, uint32_t i) {
    char inverse[48], ratio[48];
    snprintf(inverse, sizeof inverse, "const %s o%u", w->as->scalar, i);
    snprintf(ratio, sizeof ratio, "const %s q%u", w->as->scalar, i);
    jet_write_inverse(w, &w->plan->operation[i], i, inverse, ratio);
}

static void put_start(jet_writer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    w->k = 0;
    for (uint32_t i = 0; i <= n; i++) {
        text_format(w->out, "    const %s v%u_0 = ", w->as->scalar, i);
        if (i < n) text_format(w->out, "z[%u];\n", i);
        else put(w, "t;\n");
    }
    for (uint32_t i = n; i < p->count; i++) {
        if (p->operation[i].to <= n) continue; // t is given
        text_format(w->out, "    const %s ", w->as->scalar);
        jet_write_local(w, p->operation[i].to, 0), put(w, " = ");
        jet_write_first(w, &p->operation[i]), put(w, ";\n");
        if (jet_divides(p->operation[i].kind)) put_inverse(w, i);
    }
}

static void put_states(jet_writer *w) {
    const uint32_t n = w->plan->t->state_count;
    text_format(w->out, "\n    if (order < %u) return 0;\n", w->k);
    for (uint32_t i = 0; i < n; i++) {
        text_format(w->out, "    const %s v%u_%u = out[%u] = ", w->as->scalar, i, w->k,
                    w->k * n + i);
        jet_write_rate(w, &w->plan->operation[i]), put(w, ";\n");
    }
}

void jet_write_unrolled(jet_writer *w) {
    const jet_plan *p = w->plan;
    const char *s = w->as->scalar;
    const uint32_t n = p->t->state_count;
    w->unrolled = true;
    put(w, "#ifdef __GNUC__ // the last orders need not all\n#pragma GCC diagnostic ignored "
           "\"-Wunused-variable\"\n#endif\n\n");
    jet_write_fixed_function(w);
    text_format(w->out,
                "%s int %s(%s t, const %s *z, const %s *restrict p, const %s *restrict c, int "
                "order, %s *restrict out) {\n",
                w->as->qualifier, w->name, s, s, s, s, s);
    jet_write_reciprocals(w);
    put(w, "    (void)p, (void)c;\n");
    put_start(w);
    for (uint32_t i = 0; i < n; i++) text_format(w->out, "    out[%u] = v%u_0;\n", i, i);
    for (w->k = 1; w->k <= w->most; w->k++) {
        put_states(w);
        if (w->k == w->most) break;
        for (uint32_t i = n; i < p->count; i++) {
            if (p->operation[i].kind == JET_ONCE) continue;
            if (jet_is_convolution(p->operation[i].kind)) put_sum(w, i);
            jet_write_coefficient(w, &p->operation[i], i);
        }
    }
    put(w, "    return 0;\n}\n");
}
