// Taylor coefficients of a solution as C whose length does not grow with the plan: a table of the
// registers of all operations, a function for each sort of operation that runs some rows of the
// table, and the list of the bursts.
//
// What is fixed is a row of v as a series is, with coefficient 0 only, behind the series.
#include "codegen/emit_jet_internal.h"

#include <stdlib.h>
#include <string.h>

static void put(writer *w, const char *words) { text_append(w->out, words); }

uint32_t jet_row(const writer *w, uint32_t r) {
    return w->plan->is_fixed[r] ? w->slots + w->slot[r] : w->slot[r];
}

// --- the table -----------------------------------------------------------------------------------

static void put_table(writer *w) {
    const jet_plan *p = w->plan;
    const char *index = w->slots + w->places <= UINT16_MAX ? "unsigned short" : "unsigned";
    text_format(w->out,
                "// r = a op b: rows of v; coefficient 0 is that of x op y\nstruct %s_step {\n    "
                "%s r, a, b, x, y;\n};\n\n",
                w->name, index);
    text_format(w->out, "static const struct %s_step %s_steps[] = {\n", w->name, w->name);
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->kind == JET_SOLVED) { // has a table of its own
            text_format(w->out, "%s{%u, 0, 0, 0, 0},%s", i % 4 ? " " : "    ", jet_row(w, o->to),
                        i % 4 == 3 || i + 1 == p->count ? "\n" : "");
            continue;
        }
        const bool first = !o->from_zero && o->to > p->t->state_count;
        text_format(w->out, "%s{%u, %u, %u, %u, %u},%s", i % 4 ? " " : "    ", jet_row(w, o->to),
                    jet_row(w, o->a), jet_row(w, o->b), first ? jet_row(w, o->x) : 0,
                    first ? jet_row(w, o->y) : 0, i % 4 == 3 || i + 1 == p->count ? "\n" : "");
    }
    put(w, "};\n\n");
}

// --- sorts of operations -------------------------------------------------------------------------

static const char *kind_name(jet_kind kind) {
    static const char *const names[] = {
#define X(id) #id,
        JET_KIND_NAMES(X)
#undef X
    };
    return names[kind];
}

// NAME_order_MUL_BEHIND: of coefficient k; NAME_start_sin: of coefficient 0
static void put_sort(writer *w, const jet_operation *o, bool start) {
    if (start)
        text_format(w->out, "%s_start_%s", w->name,
                    o->from_zero ? "zero" : tape_operation_name(o->first));
    else
        text_format(w->out, "%s_order_%s%s%s", w->name, kind_name(o->kind),
                    o->behind ? "_BEHIND" : "", o->from_zero ? "_FROM_ZERO" : "");
}

static bool is_alike(const jet_operation *x, const jet_operation *y, bool start) {
    if (start) return x->from_zero == y->from_zero && (x->from_zero || x->first == y->first);
    return x->kind == y->kind && x->behind == y->behind && x->from_zero == y->from_zero;
}

static bool has_start(const writer *w, const jet_operation *o) {
    return o->to > w->plan->t->state_count;
} // states and t are given

// The body of a loop over rows of the table: the operation with the registers 0, 1, 2 for
// r, a, b (or x, y at the start).
static text loop_body(const writer *w, const jet_operation *o, bool start) {
    static const char *const names[] = {"r", "a", "b"};
    jet_operation alone = {.kind = o->kind,
                           .to = 0,
                           .a = 1,
                           .b = 2,
                           .behind = o->behind,
                           .from_zero = o->from_zero,
                           .first = o->first,
                           .x = 1,
                           .y = 2};
    const jet_plan plan = {.t = w->plan->t, .count = 1, .operation = &alone};
    text body = {0};
    writer one = {.plan = &plan, .as = w->as, .name = w->name, .out = &body, .row = names};
    text_format(&body, "    %s *r = v + (long)s->r * width;\n", w->as->scalar);
    text_format(&body,
                "    const %s *a = v + (long)s->%s * width, *b = v + (long)s->%s * width;\n    "
                "(void)a, (void)b;\n",
                w->as->scalar, start ? "x" : "a", start ? "y" : "b");
    if (start) {
        put(&one, "    r[0] = "), jet_write_first(&one, &alone), put(&one, ";\n");
    } else {
        jet_write_sums(&one, 0, 1);
        jet_write_coefficient(&one, &alone, 0);
    }
    return body;
}

static void put_indented(writer *w, const char *lines) {
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
        text_format(w->out, "    %.*s\n", (int)(end - lines), lines);
}

static void put_sort_function(writer *w, const jet_operation *o, bool start) {
    const char *scalar = w->as->scalar;
    text body = loop_body(w, o, start);
    text_format(w->out, "%s HAMEL_NOT_INLINE void ", jet_inner_qualifier(w)), put_sort(w, o, start);
    text_format(w->out, "(%s *v, int width, const struct %s_step *s, int count", scalar, w->name);
    text_format(w->out, start ? ") {\n" : ", %s over, int k) {\n    (void)over;\n", scalar);
    text_format(w->out, "    for (const struct %s_step *end = s + count; s < end; s++) {\n",
                w->name);
    put_indented(w, text_string(&body));
    put(w, "    }\n}\n\n");
    text_free(&body);
}

static void put_sort_functions(writer *w, bool start) {
    const jet_plan *p = w->plan;
    const jet_operation **written =
        memory_array(const jet_operation *, p->burst_count + p->t->state_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->burst_count + p->t->state_count; i++) {
        const jet_operation *o =
            &p->operation[i < p->t->state_count ? i : p->burst[i - p->t->state_count].first];
        bool is_there = (start && !has_start(w, o)) || o->kind == JET_SOLVED;
        for (uint32_t k = 0; k < count && !is_there; k++) is_there = is_alike(o, written[k], start);
        if (is_there) continue;
        written[count++] = o;
        put_sort_function(w, o, start);
    }
    memory_free(written);
}

// --- bursts --------------------------------------------------------------------------------------

static void put_call(writer *w, uint32_t first, uint32_t count, bool start) {
    for (uint32_t i = first; i < first + count && w->plan->operation[i].kind == JET_SOLVED; i++)
        text_format(w->out, "    %s_solve%u(v, width, %s);\n", w->name, w->plan->operation[i].a,
                    start ? "0" : "k");
    if (w->plan->operation[first].kind == JET_SOLVED) return;
    put(w, "    "), put_sort(w, &w->plan->operation[first], start);
    text_format(w->out, "(v, width, %s_steps + %u, %u%s);\n", w->name, first, count,
                start ? "" : ", over, k");
}

static void put_bursts(writer *w, bool start) {
    const jet_plan *p = w->plan;
    text_format(w->out, "%s void %s_%s(%s *v, int width", jet_inner_qualifier(w), w->name,
                start ? "start" : "order", w->as->scalar);
    text_format(w->out, start ? ") {\n" : ", %s over, int k) {\n", w->as->scalar);
    for (uint32_t i = 0; i < p->burst_count; i++)
        if (!start || has_start(w, &p->operation[p->burst[i].first]))
            put_call(w, p->burst[i].first, p->burst[i].count, start);
    put(w, "}\n\n");
}

// Coefficient k of the states: neighbours of one sort in one call
static void put_states(writer *w) {
    const jet_plan *p = w->plan;
    const uint32_t n = p->t->state_count;
    text_format(w->out, "%s void %s_states(%s *v, int width, %s over, int k) {\n",
                jet_inner_qualifier(w), w->name, w->as->scalar, w->as->scalar);
    for (uint32_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && is_alike(&p->operation[i], &p->operation[end], false);) end++;
        put_call(w, i, end - i, false);
    }
    put(w, "}\n\n");
}

static void put_main(writer *w) {
    const char *s = w->as->scalar;
    const uint32_t n = w->plan->t->state_count;
    text_format(w->out,
                "%s void %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s *out) {\n",
                w->as->qualifier, w->name, s, s, s, s, s);
    jet_write_reciprocals(w);
    put(w, "    (void)p, (void)c;\n    const int width = order + 1;\n");
    text_format(w->out, "    %s *v = malloc((%u * (size_t)width + %u) * sizeof *v);\n", s,
                w->slots + w->places, jet_system_room(w, w->plan->system_count));
    text_format(w->out,
                "    if (!v) {\n        for (int i = 0; i < width * %u; i++) out[i] = NAN;\n       "
                " return;\n    }\n",
                n);
    text_format(
        w->out,
        "    for (int i = 0; i < %u; i++) v[(long)i * width] = z[i];\n    v[%ul * width] = t;\n", n,
        n);
    if (w->places)
        text_format(w->out, "    for (int i = 0; i < %u; i++) v[(%ul + i) * width] = c[i];\n",
                    w->places, w->slots);
    text_format(w->out,
                "    %s_start(v, width);\n    for (int k = 1; k <= order; k++) {\n        "
                "%s_states(v, width, over[k], k);\n",
                w->name, w->name);
    text_format(w->out, "        if (k < order) %s_order(v, width, over[k], k);\n    }\n", w->name);
    text_format(w->out,
                "    for (int k = 0; k <= order; k++)\n        for (int i = 0; i < %u; i++) *out++ "
                "= v[(long)i * width + k];\n",
                n);
    put(w, "    free(v);\n}\n");
}

void jet_write_in_loops(writer *w) {
    put(w, "#include <math.h>\n#include <stdlib.h>\n\n");
    jet_write_fixed_function(w);
    jet_write_power(w);
    scalar_type_not_inline(w->out);
    put_table(w);
    put_sort_functions(w, true);
    put_sort_functions(w, false);
    for (uint32_t i = 0; i < w->plan->system_count; i++) jet_write_system(w, i);
    put_bursts(w, true);
    put_bursts(w, false);
    put_states(w);
    put_main(w);
}
