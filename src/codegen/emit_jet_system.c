// Taylor coefficients of the solution of a linear system as C: x_k = A_0^-1 (b_k - sum_{j=1..k} A_j
// x_{k-j}), A_0 factored at order 0.
#include "codegen/emit_jet_internal.h"

static void put(writer *w, const char *words) { text_append(w->out, words); }

static void put_operands(writer *w, uint32_t which) {
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
                    jet_row(w, s->operand[i]));
    put(w, "\n};\n\n");
}

// v has behind its rows: the factors of each system, a right-hand side, and
// the rows that were exchanged
static uint32_t room_of(const tape_system *s) { return tape_system_entries(s) + 2 * s->n; }

uint32_t jet_system_room(const writer *w, uint32_t which) {
    uint32_t room = 0;
    for (uint32_t i = 0; i < which; i++) room += room_of(w->plan->system[i].of);
    return room;
}

static void put_sum(writer *w, uint32_t which) {
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
        scalar, jet_row(w, w->plan->system[which].first), s->n);
    text_format(w->out, "                %s s = 0, h = 0;\n                int j = 1;\n", scalar);
    put(w,
        "                for (; j + 1 < k; j += 2) {\n                    s += a[j] * y[k - j];\n"
        "                    h += a[j + 1] * y[k - j - 1];\n                }\n                if "
        "(j < k) s += a[j] * y[k - j];\n"
        "                sum -= s + h + a[k] * y[0];\n            }\n");
}

void jet_write_system(writer *w, uint32_t which) {
    const jet_system *s = &w->plan->system[which];
    const uint32_t n = s->of->n, entries = tape_system_entries(s->of);
    const char *scalar = w->as->scalar, *kind = s->of->symmetric ? "symmetric" : "general",
               *row = s->of->symmetric ? "" : ", row";
    emit_solver(w->as, s->of->symmetric, w->out);
    put_operands(w, which);
    text_format(w->out, "%s HAMEL_NOT_INLINE void %s_solve%u(%s *v, int width, int k) {\n",
                jet_inner_qualifier(w), w->name, which, scalar);
    text_format(w->out, "    %s *factor = v + %ul * width + %u, *x = factor + %u;\n", scalar,
                w->slots + w->places, jet_system_room(w, which), entries);
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
    put_sum(w, which);
    text_format(w->out,
                "            x[i] = sum;\n        }\n        hamel_solve_%s(%u, factor%s, x);\n",
                kind, n, row);
    text_format(w->out,
                "        for (int i = 0; i < %u; i++) v[(%ul + c * %u + i) * width + k] = x[i];\n  "
                "  }\n}\n\n",
                n, jet_row(w, s->first), n);
}
