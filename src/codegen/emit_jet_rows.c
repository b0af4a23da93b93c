// Taylor coefficients of a solution as C for a thread of a GPU: the series of all registers in one
// local array, and a loop for each sum. Memory is what such a thread has least of; the code has no
// copies of anything.
#include "codegen/emit_jet_internal.h"

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// Coefficients 0
static void put_start(jet_writer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    text_format(w->out,
                "    for (int i = 0; i < %u; i++) v[i][0] = out[0][i] = z[i];\n    v[%u][0] = t;\n",
                n, n);
    for (uint32_t i = n; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->to <= n) continue; // t is given
        text_format(w->out, "    v[%u][0] = ", w->slot[o->to]);
        jet_write_first(w, o), put(w, ";\n");
    }
}

static void put_order(jet_writer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    for (uint32_t i = 0; i < n; i++) {
        text_format(w->out, "    v[%u][k] = ", i);
        jet_write_rate(w, &p->operation[i]);
        text_format(w->out, "; // %s\n    out[k][%u] = v[%u][k];\n",
                    expr_symbol_name(p->t->pool, p->t->input[i]), i, i);
    }
    put(w, "    if (k == order) break;\n");
    for (uint32_t i = n; i < p->count; i++) {
        if (p->operation[i].kind == JET_ONCE) continue;
        jet_write_sum(w, i);
        jet_write_coefficient(w, &p->operation[i], i);
    }
}

void jet_write_in_rows(jet_writer *w) {
    const char *s = w->as->scalar;
    jet_write_fixed_function(w);
    jet_write_power(w);
    text_format(w->out,
                "HAMEL_LONG void %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s "
                "(*out)[%u]) {\n    %s v[%u][%u];\n    (void)p, (void)c;\n",
                w->name, s, s, s, s, s, w->plan->t->state_count, s, w->slots, w->most + 1);
    put_start(w);
    text_format(w->out,
                "    HAMEL_ROLLED for (int k = 1; k <= order; k++) {\n    const %s over = "
                "hamel_over(R(1), R(k));\n",
                s);
    put_order(w);
    put(w, "    }\n}\n\n");
}
