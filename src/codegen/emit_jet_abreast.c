// Taylor coefficients of a solution as C for a vector of runs (emit_lanes.h): coefficients 0 and
// those of an order k, or of k and k + 1, are functions; the sums of products between them are
// those of lanes/series.c, which finds their factors in tables: series stand in rows, one behind
// the other.
#include "codegen/emit_jet_internal.h"

#include <stdio.h>
#include <string.h>

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
    }
}

// --- the order of products -----------------------------------------------------------------------

// A product of two series; each is twice its place in v, and one more where it is read one order
// behind
typedef struct {
    uint32_t operation, factor[2], of[2]; // of: the registers
} product;

typedef struct {
    uint32_t pairs; // of products of one factor, which comes first in both
    product *list;  // .. these first, then other products, then squares
} product_order;

static product product_of(const jet_writer *w, uint32_t i) {
    const jet_operation *o = &w->plan->operation[i];
    uint32_t a, b;
    jet_factors(o, &a, &b);
    return (product){i, {2 * (w->kept[a] - 1) + o->behind, 2 * (w->kept[b] - 1)}, {a, b}};
}

// Does the product have the factor? Then it comes first, which changes no bit of a sum.
static bool begin_with(product *a, uint32_t factor) {
    if (a->factor[0] == factor) return true;
    if (a->factor[1] != factor) return false;
    const uint32_t of = a->of[1];
    a->factor[1] = a->factor[0], a->factor[0] = factor;
    a->of[1] = a->of[0], a->of[0] = of;
    return true;
}

// The next product that has a factor in common with one, behind it in the list; then they are one
// pair
static bool find_partner(product *list, uint32_t i, uint32_t count) {
    for (uint32_t j = i + 1; j < count; j++)
        for (int which = 0; which < 2; which++) {
            const uint32_t common = list[i].factor[which];
            if (!begin_with(&list[j], common)) continue;
            begin_with(&list[i], common);
            const product partner = list[j];
            memmove(&list[i + 2], &list[i + 1], sizeof *list * (j - i - 1));
            list[i + 1] = partner;
            return true;
        }
    return false;
}

// Two products that share a factor read it once for both.
static product_order arrange(jet_writer *w) {
    const jet_plan *p = w->plan;
    product_order all = {0, memory_array(product, p->count + 1)};
    product *alone = memory_array(product, p->count + 1);
    for (uint32_t i = 0; i < p->count; i++)
        if (jet_is_convolution(p->operation[i].kind) && !jet_is_symmetric(p->operation[i].kind))
            all.list[w->products++] = product_of(w, i);
    uint32_t left = w->products, singles = 0;
    for (uint32_t i = 0; i < left;) {
        if (find_partner(all.list, i, left)) {
            i += 2, all.pairs++;
            continue;
        }
        alone[singles++] = all.list[i];
        memmove(&all.list[i], &all.list[i + 1], sizeof *all.list * (left - i - 1));
        left--;
    }
    memcpy(all.list + left, alone, sizeof *alone * singles);
    for (uint32_t i = 0; i < p->count; i++)
        if (jet_is_symmetric(p->operation[i].kind))
            all.list[w->products + w->squares++] = product_of(w, i);
    for (uint32_t i = 0; i < w->products + w->squares; i++) w->lane[all.list[i].operation] = i;
    memory_free(alone);
    return all;
}

// --- tables --------------------------------------------------------------------------------------

static void put_factors(jet_writer *w, const char *name, const product *list, uint32_t count) {
    text_format(w->out, "static const int %s[][2] = {", name);
    for (uint32_t i = 0; i < count; i++) {
        put(w, "{");
        for (int which = 0; which < 2; which++) {
            const uint32_t f = list[i].factor[which];
            text_format(w->out, "%s%u * SERIES_ROW%s", which ? ", " : "", f / 2,
                        f % 2 ? " - 1" : "");
        }
        put(w, "}, ");
    }
    put(w, "{0}};\n");
}

static void put_tables(jet_writer *w, const product_order *all) {
    const char *s = w->as->scalar;
    text_format(w->out,
                "enum { PAIRS = %u, PRODUCTS = %u, SQUARES = %u, SERIES_ROW = %u };\n"
                "enum { MIDDLE = 2 * PRODUCTS }; // in `later` those of squares are behind it\n",
                all->pairs, w->products, w->squares, w->most);
    put(w, "// Where the rows of factors begin; one that is read one order behind a number before. "
           "Products\n// of pairs have the first factor in common\n");
    put_factors(w, "PRODUCT", all->list, w->products);
    put_factors(w, "SQUARE", all->list + w->products, w->squares);
    text_format(w->out,
                "typedef struct {\n"
                "    %s f[%u], l[%u], o[%u], q[%u]; // coefficients 0, of the order before, what "
                "divides\n"
                "    %s s[PRODUCTS + SQUARES + 1], later[2 * PRODUCTS + SQUARES + 1]; // sums\n"
                "    %s seen; // a sum of products of coefficients, finite only where these are\n"
                "    %s v[%u * SERIES_ROW + 1]; // rows\n} series_work;\n\n",
                s, w->slots + 1, w->behinds + 1, w->divisors + 1, w->divisors + 1, s, s, s,
                w->rows);
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
        text_format(w->out, "    w->v[%u * SERIES_ROW + k] = %c%u;\n", w->kept[r] - 1,
                    jet_letter(w), w->slot[r]);
}

static void put_head(jet_writer *w, const char *what, const char *more) {
    const char *s = w->as->scalar;
    text_format(w->out,
                "static void %s_%s(series_work *w, const %s *p, const %s *c, %s over, %sint k, "
                "%s *out) {\n    (void)p, (void)c, (void)over, (void)k, (void)w;\n",
                w->name, what, s, s, s, more, s);
}

// The factor of a product at order 1, and at the order before this one
static void put_first_end(jet_writer *w, const product *a, int which) {
    const uint32_t f = a->factor[which];
    if (f % 2) text_format(w->out, "w->f[%u]", w->slot[a->of[which]]);
    else text_format(w->out, "w->v[%u * SERIES_ROW + 1]", f / 2);
}
static void put_last_end(jet_writer *w, const product *a, int which) {
    const uint32_t r = a->of[which];
    if (a->factor[which] % 2) text_format(w->out, "w->l[%u]", w->behind[r] - 1);
    else text_format(w->out, "x%u", w->slot[r]);
}

// The sum of a product at an odd order, k + 1: a_1 b_k + a_k b_1 to what was found with that of k
static void put_odd_sum(jet_writer *w, const product_order *all, uint32_t i) {
    const product *a = &all->list[i];
    const char *s = w->as->scalar;
    text_format(w->out, "    const %s s%u = ", s, i);
    if (i >= w->products) text_format(w->out, "%s(2) * ", w->as->broadcast);
    for (int which = 0; which < (i < w->products ? 2 : 1); which++) {
        text_format(w->out, "%s%s_fma(", which ? " + " : "", s);
        put_first_end(w, a, which), put(w, ", "), put_last_end(w, a, 1 - which);
        if (i < w->products) text_format(w->out, ", w->later[%u])", 2 * i + which);
        else text_format(w->out, ", w->later[MIDDLE + %u])", i - w->products);
    }
    put(w, ";\n");
}

// out[i] = coefficient k of z_i, and all that follows from it at this order
static void put_coefficients(jet_writer *w, const product_order *all) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    jet_write_states(w);
    for (uint32_t i = 0; i < n; i++) put_away(w, i);
    for (uint32_t i = n; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->kind == JET_ONCE) continue;
        if (w->second && jet_is_convolution(o->kind)) put_odd_sum(w, all, w->lane[i]);
        jet_write_coefficient(w, o, i);
        put_away(w, o->to);
    }
}

static void put_behind(jet_writer *w) {
    for (uint32_t r = 0; r < w->plan->register_count; r++)
        if (w->behind[r])
            text_format(w->out, "    w->l[%u] = %c%u;\n", w->behind[r] - 1, jet_letter(w),
                        w->slot[r]);
}

static void put_order(jet_writer *w, const product_order *all) {
    put_head(w, "order", "");
    put_coefficients(w, all), put_behind(w);
    put(w, "}\n\n");
}

// Where one of the states' coefficients is infinite or none, so is the sum
static void put_seen(jet_writer *w) {
    const char *s = w->as->scalar;
    text_format(w->out, "    %s seen = w->seen;\n", s);
    for (uint32_t i = 0; i < w->plan->t->state_count; i++)
        text_format(w->out, "    seen = %s_fma(x%u, y%u, seen);\n", s, i, i);
    put(w, "    w->seen = seen;\n");
}

// Two orders, k being even: what the second needs of the first is there already
static void put_two_orders(jet_writer *w, const product_order *all) {
    char next[32];
    snprintf(next, sizeof next, "%s over_next, ", w->as->scalar);
    put_head(w, "two_orders", next);
    put_coefficients(w, all);
    text_format(w->out, "    over = over_next, k++, out += %u;\n", w->plan->t->state_count);
    w->second = true;
    put_coefficients(w, all), put_behind(w), put_seen(w);
    w->second = false;
    put(w, "}\n\n");
}

void jet_write_abreast(jet_writer *w) {
    w->written = w->abreast = true;
    assign(w);
    jet_write_fixed_function(w);
    jet_write_power(w);
    product_order all = arrange(w);
    put_tables(w, &all);
    put_start(w);
    put_order(w, &all), put_two_orders(w, &all);
    put_head(w, "last", ""), jet_write_states(w), put(w, "}\n\n");
    memory_free(all.list);
    memory_free(w->lane), memory_free(w->divisor), memory_free(w->behind), memory_free(w->kept);
}
