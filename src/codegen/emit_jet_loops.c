// Taylor coefficients of a solution as C whose length does not grow with the plan: a table of the
// registers of all operations, a function for each sort of operation that runs some rows of the
// table, and the list of the bursts.
//
// What is fixed is a row of v as a series is, with coefficient 0 only, behind the series.
#include "codegen/emit_jet_internal.h"

#include <stdlib.h>
#include <string.h>

static void put(jet_writer *w, const char *words) { text_append(w->out, words); }

// Of v: a series, or behind them what is fixed.
static uint32_t row_of(const jet_writer *w, uint32_t r) {
    return w->plan->is_fixed[r] ? w->slots + w->slot[r] : w->slot[r];
}

// --- the table -----------------------------------------------------------------------------------

static void put_table(jet_writer *w) {
    const jet_plan *p = w->plan;
    const char *index = w->slots + w->places <= UINT16_MAX ? "unsigned short" : "unsigned";
    text_format(
        w->out,
        "// r = a op b, c being a factor: rows of v; coefficient 0 is that of x op y\nstruct "
        "%s_step {\n    %s r, a, b, c, x, y;\n};\n\n",
        w->name, index);
    text_format(w->out, "static const struct %s_step %s_steps[] = {\n", w->name, w->name);
    for (uint32_t i = 0; i < p->count; i++) {
        const jet_operation *o = &p->operation[i];
        if (o->kind == JET_SOLVED) { // has a table of its own
            text_format(w->out, "%s{%u, 0, 0, 0, 0, 0},%s", i % 4 ? " " : "    ", row_of(w, o->to),
                        i % 4 == 3 || i + 1 == p->count ? "\n" : "");
            continue;
        }
        const bool first = !o->from_zero && o->to > p->t->state_count;
        text_format(w->out, "%s{%u, %u, %u, %u, %u, %u},%s", i % 4 ? " " : "    ", row_of(w, o->to),
                    row_of(w, o->a), row_of(w, o->b),
                    jet_has_factor(o->kind) ? row_of(w, o->factor) : 0, first ? row_of(w, o->x) : 0,
                    first ? row_of(w, o->y) : 0, i % 4 == 3 || i + 1 == p->count ? "\n" : "");
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
static void put_sort(jet_writer *w, const jet_operation *o, bool start) {
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

static bool has_start(const jet_writer *w, const jet_operation *o) {
    return o->to > w->plan->t->state_count;
} // states and t are given

// The body of a loop over rows of the table: the operation with the registers 0, 1, 2, 3 for r, a,
// b, c (or x, y at the start).
static text loop_body(const jet_writer *w, const jet_operation *o, bool start) {
    static const char *const names[] = {"r", "a", "b", "c"};
    jet_operation alone = {.kind = o->kind,
                           .to = 0,
                           .a = 1,
                           .b = 2,
                           .factor = 3,
                           .behind = o->behind,
                           .from_zero = o->from_zero,
                           .first = o->first,
                           .x = 1,
                           .y = 2};
    const jet_plan plan = {.t = w->plan->t, .count = 1, .operation = &alone};
    text body = {0};
    jet_writer one = {.plan = &plan, .as = w->as, .name = w->name, .out = &body, .row = names};
    text_format(&body, "    %s *r = v + (long)s->r * width;\n", w->as->scalar);
    text_format(&body,
                "    const %s *a = v + (long)s->%s * width, *b = v + (long)s->%s * width;\n    "
                "(void)a, (void)b;\n",
                w->as->scalar, start ? "x" : "a", start ? "y" : "b");
    if (jet_has_factor(o->kind) && !start)
        text_format(&body, "    const %s *c = v + (long)s->c * width;\n", w->as->scalar);
    if (start) {
        put(&one, "    r[0] = "), jet_write_first(&one, &alone), put(&one, ";\n");
    } else {
        jet_write_sum(&one, 0);
        jet_write_coefficient(&one, &alone, 0);
    }
    return body;
}

static void put_indented(jet_writer *w, const char *lines) {
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
        text_format(w->out, "    %.*s\n", (int)(end - lines), lines);
}

static void put_sort_function(jet_writer *w, const jet_operation *o, bool start) {
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

static void put_sort_functions(jet_writer *w, bool start) {
    const jet_plan *p = w->plan;
    const jet_operation **written =
        memory_array(const jet_operation *, p->burst_count + p->t->state_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->burst_count + p->t->state_count; i++) {
        const jet_operation *o =
            &p->operation[i < p->t->state_count ? i : p->burst[i - p->t->state_count].first];
        bool is_there = (start ? !has_start(w, o) : o->kind == JET_ONCE) || o->kind == JET_SOLVED;
        for (uint32_t k = 0; k < count && !is_there; k++) is_there = is_alike(o, written[k], start);
        if (is_there) continue;
        written[count++] = o;
        put_sort_function(w, o, start);
    }
    memory_free(written);
}

// --- linear systems ------------------------------------------------------------------------------

// Taylor coefficients of the solution of a linear system:
//   x_k = A_0^-1 (b_k - sum_{j=1..k} A_j x_{k-j}), A_0 factored at order 0.

static void put_system_operands(jet_writer *w, uint32_t which) {
    const jet_system *s = &w->plan->system[which];
    const uint32_t count = tape_system_operands(s->of);
    text_format(w->out, "// rows of v: A row by row%s, then b; those from %u on do not change\n",
                s->of->symmetric ? " up to the diagonal" : "", w->slots);
    text_format(w->out, "static const int %s_system%u[] = {", w->name, which);
    for (uint32_t i = 0; i < count; i++)
        text_format(w->out, "%s%u",
                    !i       ? "\n    "
                    : i % 16 ? ", "
                             : ",\n    ",
                    row_of(w, s->operand[i]));
    put(w, "\n};\n\n");
}

// v has behind its rows: the factors of each system, a right-hand side, and the rows that were
// exchanged
static uint32_t room_of(const tape_system *s) { return tape_system_entries(s) + 2 * s->n; }

// Scalars that the systems before this one have behind the rows of v
static uint32_t system_room(const jet_writer *w, uint32_t which) {
    uint32_t room = 0;
    for (uint32_t i = 0; i < which; i++) room += room_of(w->plan->system[i].of);
    return room;
}

static void put_system_sum(jet_writer *w, uint32_t which) {
    const tape_system *s = w->plan->system[which].of;
    const char *scalar = w->as->scalar;
    text_format(w->out, "            %s sum = k && b >= %u ? 0 : v[(long)b * width + k];\n", scalar,
                w->slots);
    text_format(w->out, "            for (int l = 0; l < %u && k; l++) {\n", s->n);
    if (s->symmetric)
        text_format(w->out,
                    "                const int e = %s_system%u[l <= i ? i * (i + 1) / 2 + l : l * "
                    "(l + 1) / 2 + i];\n",
                    w->name, which);
    else
        text_format(w->out, "                const int e = %s_system%u[i * %u + l];\n", w->name,
                    which, s->n);
    text_format(w->out, "                if (e >= %u) continue;\n", w->slots);
    text_format(
        w->out,
        "                const %s *a = v + (long)e * width, *y = v + (%ul + c * %u + l) * width;\n",
        scalar, row_of(w, w->plan->system[which].first), s->n);
    text_format(w->out,
                "                %s s = 0, h = 0;\n"
                "                for (int j = (k - 1) / 2; j > 0; j--) {\n",
                scalar);
    put(w, w->as->fused ? "                    s = fma(a[j], y[k - j], s);\n"
                          "                    h = fma(a[k - j], y[j], h);\n                }\n"
                          "                sum -= fma(a[k], y[0], k % 2 ? s + h : fma(a[k / 2], "
                          "y[k / 2], s + h));\n            }\n"
                        : "                    s += a[j] * y[k - j];\n"
                          "                    h += a[k - j] * y[j];\n                }\n"
                          "                sum -= a[k] * y[0] + (k % 2 ? s + h : a[k / 2] * y[k / "
                          "2] + (s + h));\n            }\n");
}

// NAME_solve<which>(v, width, k): coefficient k of the unknowns of a system
static void put_system(jet_writer *w, uint32_t which) {
    const jet_system *s = &w->plan->system[which];
    const uint32_t n = s->of->n, entries = tape_system_entries(s->of);
    const char *scalar = w->as->scalar, *kind = s->of->symmetric ? "symmetric" : "general",
               *row = s->of->symmetric ? "" : ", row";
    emit_solver(w->as, s->of->symmetric, w->out);
    put_system_operands(w, which);
    text_format(w->out, "%s HAMEL_NOT_INLINE void %s_solve%u(%s *v, int width, int k) {\n",
                jet_inner_qualifier(w), w->name, which, scalar);
    text_format(w->out, "    %s *factor = v + %ul * width + %u, *x = factor + %u;\n", scalar,
                w->slots + w->places, system_room(w, which), entries);
    if (!s->of->symmetric) text_format(w->out, "    int *row = (int *)(x + %u);\n", n);
    text_format(
        w->out,
        "    for (int i = 0; i < %u && k == 0; i++) factor[i] = v[(long)%s_system%u[i] * width];\n",
        entries, w->name, which);
    text_format(w->out, "    if (k == 0) hamel_factor_%s(%u, factor%s);\n", kind, n, row);
    text_format(w->out,
                "    for (int c = 0; c < %u; c++) {\n        for (int i = 0; i < %u; i++) {\n",
                s->of->columns, n);
    text_format(w->out, "            const int b = %s_system%u[%u + c * %u + i];\n", w->name, which,
                entries, n);
    put_system_sum(w, which);
    text_format(w->out,
                "            x[i] = sum;\n        }\n        hamel_solve_%s(%u, factor%s, x);\n",
                kind, n, row);
    text_format(w->out,
                "        for (int i = 0; i < %u; i++) v[(%ul + c * %u + i) * width + k] = x[i];\n  "
                "  }\n}\n\n",
                n, row_of(w, s->first), n);
}

// --- bursts --------------------------------------------------------------------------------------

static void put_call(jet_writer *w, uint32_t first, uint32_t count, bool start) {
    for (uint32_t i = first; i < first + count && w->plan->operation[i].kind == JET_SOLVED; i++)
        text_format(w->out, "    %s_solve%u(v, width, %s);\n", w->name, w->plan->operation[i].a,
                    start ? "0" : "k");
    if (w->plan->operation[first].kind == JET_SOLVED) return;
    put(w, "    "), put_sort(w, &w->plan->operation[first], start);
    text_format(w->out, "(v, width, %s_steps + %u, %u%s);\n", w->name, first, count,
                start ? "" : ", over, k");
}

static void put_bursts(jet_writer *w, bool start) {
    const jet_plan *p = w->plan;
    text_format(w->out, "%s void %s_%s(%s *v, int width", jet_inner_qualifier(w), w->name,
                start ? "start" : "order", w->as->scalar);
    text_format(w->out, start ? ") {\n" : ", %s over, int k) {\n", w->as->scalar);
    for (uint32_t i = 0; i < p->burst_count; i++)
        if (start ? has_start(w, &p->operation[p->burst[i].first])
                  : p->operation[p->burst[i].first].kind != JET_ONCE)
            put_call(w, p->burst[i].first, p->burst[i].count, start);
    put(w, "}\n\n");
}

// Coefficient k of the states: neighbours of one sort in one call
static void put_states(jet_writer *w) {
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

static void put_main(jet_writer *w) {
    const char *s = w->as->scalar;
    const uint32_t n = w->plan->t->state_count;
    text_format(w->out,
                "%s int %s(%s t, const %s *z, const %s *p, const %s *c, int order, %s *out) {\n",
                w->as->qualifier, w->name, s, s, s, s, s);
    jet_write_reciprocals(w, "over");
    put(w, "    (void)p, (void)c;\n    const int width = order + 1;\n");
    text_format(w->out, "    %s *v = malloc((%u * (size_t)width + %u) * sizeof *v);\n", s,
                w->slots + w->places, system_room(w, w->plan->system_count));
    put(w, "    if (!v) return 1;\n");
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
    put(w, "    free(v);\n    return 0;\n}\n");
}

void jet_write_in_loops(jet_writer *w) {
    put(w, "#include <stdlib.h>\n\n");
    jet_write_fixed_function(w);
    jet_write_power(w);
    scalar_type_not_inline(w->out);
    put_table(w);
    put_sort_functions(w, true);
    put_sort_functions(w, false);
    for (uint32_t i = 0; i < w->plan->system_count; i++) put_system(w, i);
    put_bursts(w, true);
    put_bursts(w, false);
    put_states(w);
    put_main(w);
}
