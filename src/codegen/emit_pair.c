// One attempt of a step by a Runge-Kutta pair as C: the sums over the stages written out, with the
// numbers of the pair in them and the rates between.
#include "base/decimal.h"
#include "codegen/emit.h"

enum {
    SHORT = 150,       // steps of rates that are copied into each stage, not called
    MOST_WRITTEN = 16, // components whose sums are written one by one, not in a loop
};

uint32_t emit_pair_copies(const tape *rate, const tableau *pair) {
    return rate->step_count <= SHORT ? pair->last : 1;
}

typedef struct {
    const tableau *pair;
    uint32_t n;
    size_t row;
    bool fused; // a * b + c is rounded once
    text *out;
} writer;

// The component in a sum: its number, or i in a loop over all of them
typedef struct {
    bool looped;
    uint32_t number;
} component;

static void write_place(const writer *w, const char *array, size_t offset, component i) {
    if (!i.looped) text_format(w->out, "%s[%zu]", array, offset + i.number);
    else if (offset) text_format(w->out, "%s[%zu + i]", array, offset);
    else text_format(w->out, "%s[i]", array);
}

// w_0 k_0 + w_1 k_1 + .., in this order, without those that are 0; fused, fma(w_1, k_1, w_0 k_0) ..
static void write_sum(const writer *w, const double *weight, uint32_t count, component i) {
    text sum = {0};
    const writer term = {.row = w->row, .out = &sum};
    for (uint32_t j = 0; j < count; j++) {
        if (weight[j] == 0) continue;
        const bool first = !sum.length;
        char *before = text_release(&sum);
        if (w->fused && !first) text_append(&sum, "fma(");
        else if (!first) text_format(&sum, "%s + ", before);
        decimal_append(weight[j], &sum);
        text_append(&sum, w->fused && !first ? ", " : " * ");
        write_place(&term, "k", j * w->row, i);
        if (w->fused && !first) text_format(&sum, ", %s)", before);
        memory_free(before);
    }
    text_append(w->out, text_string(&sum));
    text_free(&sum);
}

// target = z + h sum_j weight_j k_j
static void write_argument(const writer *w, const char *target, const double *weight,
                           uint32_t count, component i) {
    text_append(w->out, "    ");
    if (i.looped) text_format(w->out, "for (int i = 0; i < %u; i++) ", w->n);
    write_place(w, target, 0, i);
    text_append(w->out, w->fused ? " = fma(h, " : " = h * (");
    write_sum(w, weight, count, i);
    text_append(w->out, w->fused ? ", " : ") + ");
    write_place(w, "z", 0, i);
    text_append(w->out, w->fused ? ");\n" : ";\n");
}

static void write_arguments(const writer *w, const char *target, const double *weight,
                            uint32_t count) {
    if (w->n > MOST_WRITTEN) write_argument(w, target, weight, count, (component){.looped = true});
    for (uint32_t i = 0; i < w->n && w->n <= MOST_WRITTEN; i++)
        write_argument(w, target, weight, count, (component){.number = i});
}

static void write_rate(const writer *w, double c, const char *argument, uint32_t stage) {
    text_append(w->out, "    hamel_stage_rate(t + ");
    decimal_append(c, w->out);
    text_format(w->out, " * h, %s, p, c, k + %zu);\n", argument, stage * w->row);
}

// The squares of the errors in units of what is allowed; not a number where a stage is none that
// has no part in the error.
static void write_error(const writer *w, component i) {
    const tableau *pair = w->pair;
    text_append(w->out, i.looped ? "    for (int i = 0; i < " : "    {\n");
    if (i.looped) text_format(w->out, "%u; i++) {\n", w->n);
    text_append(w->out, "        const double from = fabs(");
    write_place(w, "z", 0, i);
    text_append(w->out, "), to = fabs(");
    write_place(w, "z1", 0, i);
    text_append(w->out, "), scale = h / (tolerance * (1 + (to > from ? to : from)));\n"
                        "        const double e = scale * (");
    write_sum(w, pair->error, pair->last + 1, i);
    text_append(w->out, w->fused ? ");\n        strong = fma(e, e, strong);\n"
                                 : ");\n        strong += e * e;\n");
    if (pair->weak_error) {
        text_append(w->out, "        const double e2 = scale * (");
        write_sum(w, pair->weak_error, pair->last + 1, i);
        text_append(w->out, w->fused ? ");\n        weak = fma(e2, e2, weak);\n"
                                     : ");\n        weak += e2 * e2;\n");
    }
    for (uint32_t j = 1; j < pair->last; j++) {
        if (pair->error[j] != 0) continue;
        text_append(w->out, "        nothing += 0 * ");
        write_place(w, "k", j * w->row, i);
        text_append(w->out, ";\n");
    }
    text_append(w->out, "    }\n");
}

static void write_errors(const writer *w) {
    text_append(w->out, "    double strong = 0, weak = 0, nothing = 0;\n");
    if (w->n > MOST_WRITTEN) write_error(w, (component){.looped = true});
    for (uint32_t i = 0; i < w->n && w->n <= MOST_WRITTEN; i++)
        write_error(w, (component){.number = i});
    text_format(w->out, "    strong /= %u, weak /= %u;\n", w->n, w->n);
    text_append(w->out,
                w->pair->weak_error
                    ? "    double size = strong == 0 ? 0 : strong / sqrt(strong + 0.01 * weak);\n"
                    : "    double size = sqrt(strong);\n");
    text_append(w->out, "    size += nothing;\n");
}

static void write_attempt(const writer *w, const char *name) {
    const tableau *pair = w->pair;
    text_format(w->out,
                "double %s(double t, const double *restrict z, const double *p, const double *c, "
                "double h, double tolerance, double *restrict k, double *restrict work, "
                "double *restrict z1) {\n    double w[%u];\n",
                name, w->n);
    for (uint32_t s = 1; s < pair->last; s++) {
        write_arguments(w, "w", pair->a[s], s);
        write_rate(w, pair->c[s], "w", s);
    }
    text_format(w->out, "    for (int i = 0; i < %u; i++) work[i] = w[i];\n", w->n);
    write_arguments(w, "z1", pair->b, pair->last);
    if (pair->error_needs_last) write_rate(w, 1, "z1", pair->last);
    write_errors(w);
    if (!pair->error_needs_last) {
        text_append(w->out, "    if (!(size <= 1)) return size;\n");
        write_rate(w, 1, "z1", pair->last);
        text_format(w->out,
                    "    for (int i = 0; i < %u; i++) nothing += 0 * k[%zu + i];\n"
                    "    if (nothing != 0) return HUGE_VAL;\n",
                    w->n, pair->last * w->row);
    }
    text_append(w->out, "    return size;\n}\n\n");
}

uint32_t emit_pair(const tape *rate, const scalar_type *as, const char *name, const tableau *pair,
                   text *out) {
    scalar_type inside = *as;
    inside.qualifier = emit_pair_copies(rate, pair) > 1 ? "HAMEL_COPIED" : "static";
    text_append(out,
                "#ifdef __GNUC__\n#define HAMEL_COPIED static inline "
                "__attribute__((always_inline))\n#else\n#define HAMEL_COPIED static\n#endif\n\n");
    const uint32_t places = emit_tape(rate, &inside, "hamel_stage_rate", out);
    text_format(out,
                "void %s_fixed(const double *p, double *c) {\n"
                "    hamel_stage_rate_fixed(p, c);\n}\n\n",
                name);
    write_attempt(&(writer){.pair = pair,
                            .n = rate->state_count,
                            .row = tableau_row(rate->state_count),
                            .fused = as->fused,
                            .out = out},
                  name);
    return places;
}
