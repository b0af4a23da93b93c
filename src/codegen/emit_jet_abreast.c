// Taylor coefficients of a solution as C for a vector of runs (emit_lanes.h): coefficients 0 and
// those of an order k are functions, the sums of products between them are those of
// lanes/series.c, which finds their factors in tables: series stand in rows, one behind the other.
#include "codegen/emit_jet_internal.h"

#include <stdio.h>

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// --- places --------------------------------------------------------------------------------------

static void keep(jet_writer *w, uint32_t r) {
    if (!w->kept[r]) w->kept[r] = ++w->rows;
}

static void assign(jet_writer *w) {
    const jet_plan *p = w->plan;
    w->behind = memory_zeros(uint32_t, p->register_count + 1);
    w->kept = memory_zeros(uint32_t, p->register_count + 1);
    w->lane = memory_zeros(uint32_t, p->count + 1);
    w->divisor = memory_zeros(uint32_t, p->count + 1);
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        uint32_t a, b;
        if (o->behind && o->kind != JET_RAMP && !w->behind[o->a]) w->behind[o->a] = ++w->behinds;
        if (o->kind == JET_POW) keep(w, o->a), keep(w, o->to);
        if (jet_divides(o->kind)) w->divisor[i] = w->divisors++;
        if (!jet_is_convolution(o->kind)) continue;
        jet_factors(o, &a, &b), keep(w, a), keep(w, b);
        if (!jet_is_symmetric(o->kind)) w->lane[i] = w->products++;
    }
    for (uint32_t i = 0; i < p->count; i++) // squares behind all products
        if (jet_is_symmetric(p->operation[i].kind)) w->lane[i] = w->products + w->squares++;
}

// --- tables --------------------------------------------------------------------------------------

static void put_factors(jet_writer *w, bool square) {
    const jet_plan *p = w->plan;
    text_format(w->out, "static const int %s[][2] = {", square ? "SQUARE" : "PRODUCT");
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        uint32_t a, b;
        if (!jet_is_convolution(o->kind) || jet_is_symmetric(o->kind) != square) continue;
        jet_factors(o, &a, &b);
        text_format(w->out, "{%u * SERIES_ROW%s, %u * SERIES_ROW}, ", w->kept[a] - 1,
                    o->behind ? " - 1" : "", w->kept[b] - 1);
    }
    put(w, "{0}};\n");
}

static void put_tables(jet_writer *w) {
    const char *s = w->as->scalar;
    text_format(w->out, "enum { PRODUCTS = %u, SQUARES = %u, SERIES_ROW = %u };\n", w->products,
                w->squares, w->most);
    put(w,
        "// Where the rows of factors begin; one that is read one order behind a number before\n");
    put_factors(w, false), put_factors(w, true);
    text_format(w->out,
                "typedef struct {\n"
                "    %s f[%u], l[%u], o[%u], q[%u]; // coefficients 0, of the order before, what "
                "divides\n"
                "    %s s[PRODUCTS + SQUARES + 1], later[2 * PRODUCTS + SQUARES + 1]; // sums\n"
                "    %s v[%u * SERIES_ROW + 1]; // rows\n} series_work;\n\n",
                s, w->slots + 1, w->behinds + 1, w->divisors + 1, w->divisors + 1, s, s, w->rows);
}

// --- the start -----------------------------------------------------------------------------------

static void put_inverse(jet_writer *w, uint32_t i) {
    char inverse[48], ratio[48];
    snprintf(inverse, sizeof inverse, "w->o[%u]", w->divisor[i]);
    snprintf(ratio, sizeof ratio, "w->q[%u]", w->divisor[i]);
    jet_write_inverse(w, &w->plan->operation[i], i, inverse, ratio);
}

// Sine and cosine of the same stand side by side; the second of them is there already.
static bool is_pair(const jet_operation *o) {
    return !o[0].from_zero && !o[1].from_zero && o[0].first == TAPE_SIN && o[1].first == TAPE_COS &&
           o[0].x == o[1].x;
}

static void put_first(jet_writer *w, uint32_t i, bool paired) {
    const jet_operation *o = &w->plan->operation[i];
    if (paired) {
        text_format(w->out, "    %s(", w->as->sine_and_cosine), jet_write_argument(w, o->x);
        text_format(w->out, ", &w->f[%u], &w->f[%u]);\n", w->slot[o[0].to], w->slot[o[1].to]);
        return;
    }
    text_format(w->out, "    w->f[%u] = ", w->slot[o->to]);
    jet_write_first(w, o), put(w, ";\n");
    if (jet_divides(o->kind)) put_inverse(w, i);
}

static void put_start(jet_writer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    const char *s = w->as->scalar;
    text_format(w->out,
                "static void %s_start(series_work *w, %s t, const %s *z, const %s *p, const %s *c, "
                "%s *out) {\n    (void)p, (void)c;\n    for (int i = 0; i < %u; i++) w->f[i] = "
                "out[i] = z[i];\n    w->f[%u] = t;\n",
                w->name, s, s, s, s, s, n, n);
    for (uint32_t i = n; i < p->count; i++) {
        if (p->operation[i].to <= n) continue; // t is given
        const bool paired = i + 1 < p->count && is_pair(&p->operation[i]);
        put_first(w, i, paired);
        i += paired;
    }
    for (uint32_t r = 0; r < p->register_count; r++) {
        if (p->is_fixed[r] || w->slot[r] == NO_SLOT) continue;
        if (w->behind[r])
            text_format(w->out, "    w->l[%u] = w->f[%u];\n", w->behind[r] - 1, w->slot[r]);
        if (w->kept[r])
            text_format(w->out, "    w->v[%u * SERIES_ROW] = w->f[%u];\n", w->kept[r] - 1,
                        w->slot[r]);
    }
    put(w, "}\n\n");
}

// --- order k -------------------------------------------------------------------------------------

static void put_away(jet_writer *w, uint32_t r) {
    if (w->kept[r])
        text_format(w->out, "    w->v[%u * SERIES_ROW + k] = x%u;\n", w->kept[r] - 1, w->slot[r]);
}

static void put_head(jet_writer *w, const char *what) {
    const char *s = w->as->scalar;
    text_format(w->out,
                "static void %s_%s(series_work *w, const %s *p, const %s *c, %s over, int k, "
                "%s *out) {\n    (void)p, (void)c, (void)over, (void)k, (void)w;\n",
                w->name, what, s, s, s, s);
}

// out[i] = coefficient k of z_i, and all that follows from it at this order
static void put_order(jet_writer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    put_head(w, "order");
    jet_write_states(w);
    for (uint32_t i = 0; i < n; i++) put_away(w, i);
    for (uint32_t i = n; i < p->count; i++) {
        if (p->operation[i].kind == JET_ONCE) continue;
        jet_write_coefficient(w, &p->operation[i], i);
        put_away(w, p->operation[i].to);
    }
    for (uint32_t r = 0; r < p->register_count; r++)
        if (w->behind[r])
            text_format(w->out, "    w->l[%u] = x%u;\n", w->behind[r] - 1, w->slot[r]);
    put(w, "}\n\n");
}

void jet_write_abreast(jet_writer *w) {
    w->written = w->abreast = true;
    assign(w);
    jet_write_fixed_function(w);
    jet_write_power(w);
    put_tables(w);
    put_start(w);
    put_order(w);
    put_head(w, "last"), jet_write_states(w), put(w, "}\n\n");
    memory_free(w->lane), memory_free(w->divisor), memory_free(w->behind), memory_free(w->kept);
}
