// Taylor coefficients of a solution as C without a loop: every coefficient up to a given order is a
// variable of its own, so that a compiler keeps them in registers and a processor finds in the sums
// of one order work to do while it waits for the next.
#include "codegen/emit_jet_internal.h"

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

double jet_product_count(const jet_plan *p, uint32_t order) {
    double count = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_kind kind = p->operation[i].kind;
        if (jet_is_convolution(kind))
            count += (jet_is_symmetric(kind) ? 0.25 : 0.5) * order * order;
        else count += order;
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

static void put_symmetric_terms(jet_writer *w, uint32_t which) {
    uint32_t j = (w->k - 1) / 2 + 1; // one more than the place
    for (; j > 2; j -= 2) put_term(w, which, 's', j - 1), put_term(w, which, 'h', j - 2);
    if (j == 2) put_term(w, which, 's', 1);
}

static void put_sum(jet_writer *w, uint32_t which) {
    const jet_operation *o = &w->plan->operation[which];
    uint32_t a, b;
    jet_factors(o, &a, &b);
    text_format(w->out, "    %s s%u_%u = ", w->as->scalar, which, w->k);
    if (w->k % 2 || jet_is_symmetric(o->kind)) {
        put(w, "0");
    } else {
        jet_write_local(w, a, w->k / 2 - o->behind), put(w, " * ");
        jet_write_local(w, b, w->k / 2);
    }
    text_format(w->out, ", h%u_%u = 0;\n", which, w->k);
    if (jet_is_symmetric(o->kind)) {
        put_symmetric_terms(w, which);
        return;
    }
    for (uint32_t j = (w->k - 1) / 2; j > 0; j--)
        put_term(w, which, 's', j), put_term(w, which, 'h', w->k - j);
}

// --- orders --------------------------------------------------------------------------------------

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
            if (jet_is_convolution(p->operation[i].kind)) put_sum(w, i);
            jet_write_coefficient(w, &p->operation[i], i);
        }
    }
    put(w, "    return 0;\n}\n");
}
