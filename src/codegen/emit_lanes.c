// The integration of many runs in lanes as C.
#include "codegen/emit_lanes.h"

#include "base/decimal.h"
#include "codegen/lanes_sources.h"

#include <assert.h>
#include <string.h>

// --- numbers and lists ---------------------------------------------------------------------------

static void write_file(const char *name, text *out) {
    for (unsigned i = 0; i < lanes_source_file_count; i++) {
        if (strcmp(lanes_source_files[i].name, name) != 0) continue;
        text_append(out, lanes_source_files[i].text);
        text_char(out, '\n');
        return;
    }
    assert(false);
}

static void define(text *out, const char *name, uint32_t value) {
    text_format(out, "#define %s %u\n", name, value);
}

static void define_number(text *out, const char *name, double value) {
    text_format(out, "#define %s ", name);
    decimal_append(value, out);
    text_char(out, '\n');
}

static void write_numbers(text *out, uint32_t count, const double *value) {
    text_char(out, '{');
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_append(out, i % 4 ? ", " : ",\n    ");
        decimal_append(value[i], out);
    }
    if (!count) text_char(out, '0');
    text_char(out, '}');
}

static void write_indices(text *out, const char *name, uint32_t count, const uint32_t *value) {
    text_format(out, "static const int %s[] = {", name);
    for (uint32_t i = 0; i < count; i++) text_format(out, "%s%u", i ? ", " : "", value[i]);
    text_append(out, count ? "};\n" : "0};\n");
}

// Weights of the dense output at these parts of a step
static void write_weights(text *out, const char *name, const tableau *pair, uint32_t count,
                          const double *part) {
    text_format(out, "static const double %s[%u][STAGES] = {\n", name, count ? count : 1);
    for (uint32_t i = 0; i < count; i++) {
        double b[MOST_STAGES] = {0};
        if (!pair) {
            write_numbers(out, 1, &part[i]), text_append(out, ",\n");
            continue;
        }
        pair->weights(part[i], b);
        write_numbers(out, pair->stages, b);
        text_append(out, ",\n");
    }
    text_append(out, count ? "};\n" : "{0}};\n");
}

// --- the parts -----------------------------------------------------------------------------------

static uint32_t outputs_of(const tape *t) { return t ? t->output_count : 0; }

// As step_control_for() has it
static void write_control(const tableau *pair, text *out) {
    const double beta = 0.2 / pair->error_order, alpha = 1.0 / pair->error_order - 0.75 * beta;
    define(out, "LAST", pair->last);
    define_number(out, "ALPHA", alpha), define_number(out, "BETA", beta);
}

static void write_series_plan(const lanes_request *r, text *out) {
    define_number(out, "REACH", r->reach), define_number(out, "USUAL_REACH", r->usual_reach);
    define(out, "USUAL_ORDER", r->usual_order), define(out, "LOOKS_AHEAD", r->looks_ahead);
    define(out, "SHORTENS", r->looks_ahead && r->order > r->usual_order);
}

static void write_sizes(const lanes_request *r, text *out) {
    const tableau *pair = r->pair;
    const uint32_t n = r->rate->state_count, extremes = outputs_of(r->extreme),
                   means = outputs_of(r->mean), finals = outputs_of(r->final);
    define(out, "GROUPS", r->groups);
    define(out, "HAMEL_WIDTH", r->width), define(out, "HAMEL_FUSED", r->fused);
    if (r->sleef) text_append(out, "#define HAMEL_SLEEF\n");
    define(out, "N", n), define(out, "ROW", pair ? (uint32_t)tableau_row(n) : n);
    define(out, "PARAMETERS", r->rate->input_count - n - 1);
    define(out, "TAYLOR", !pair), define(out, "ORDER", pair ? pair->order : r->order);
    define(out, "STAGES", pair ? pair->stages : r->order + 1);
    if (pair) write_control(pair, out);
    else write_series_plan(r, out);
    define(out, "EXTREMES", extremes), define(out, "MEANS", means), define(out, "FINALS", finals);
    define(out, "OUT", extremes + means + finals);
    define(out, "PANEL_LOOKS", r->along->looks), define(out, "PANEL_NODES", r->along->nodes);
    define(out, "PANELS_OF_RUN", r->along->panels), define(out, "PANEL_DEEPEST", r->along->deepest);
    define(out, "PANEL_SPLITS", r->along->splits);
    define(out, "PANEL_SPLITS_A_STEP", r->along->splits_a_step);
    define_number(out, "PANEL_NUDGE", r->along->nudge);
    define(out, "ENERGY", r->energy != NULL), define(out, "INPUTS", r->input_count);
    define(out, "ALWAYS_LOOKS", r->always_looks);
    define(out, "WATCHED", r->looks_inside);
    define(out, "HOST_LOOKS_INSIDE", r->looks_inside && pair && pair->stages > pair->last + 1);
    define(out, "COORDINATES", r->shift_count ? r->coordinate_count : 0);
    define(out, "SHIFTS", r->shift_count), define(out, "CHART", r->rows != NULL);
    define(out, "CHART_ROWS", r->k), define(out, "CHART_COLUMNS", r->n);
}

// Where one looks in a step
static void write_places(const lanes_request *r, text *out) {
    const lanes_along *a = r->along;
    double look[64];
    assert(a->looks < sizeof look / sizeof *look && a->nodes < sizeof look / sizeof *look);
    for (uint32_t i = 0; i <= a->looks; i++) look[i] = (double)i / a->looks;
    write_weights(out, "LOOK", r->pair, r->extreme ? a->looks + 1 : 0, look);
    write_weights(out, "MEAN", r->pair, r->mean ? a->nodes : 0, a->node);
    double away[64]; // the difference of the two rules
    for (uint32_t i = 0; i < a->nodes; i++) away[i] = a->fine[i] - a->coarse[i];
    const char *const name[] = {"NODE", "FINE", "AWAY", "ODD"};
    const double *const value[] = {a->node, a->fine, away, a->odd};
    for (int i = 0; i < 4; i++) {
        text_format(out, "static const double MEAN_%s[] = ", name[i]);
        write_numbers(out, a->nodes, value[i]);
        text_append(out, ";\n");
    }
}

static void write_tables(const lanes_request *r, text *out) {
    write_places(r, out);
    text_append(out, "static const int IS_MAX[] = {");
    for (uint32_t i = 0; i < outputs_of(r->extreme); i++) text_format(out, "%d, ", r->is_max[i]);
    text_append(out, "0};\n");
    write_indices(out, "INPUT", r->input_count, r->input);
    write_indices(out, "LEADER", r->shift_count, r->leader);
    write_indices(out, "DEPENDENT", r->rows ? r->k : 0, r->dependent);
    text_append(out, "static const double FAR[] = ");
    write_numbers(out, r->shift_count, r->far);
    text_append(out, ";\nstatic const double PERIOD[][2] = {");
    for (uint32_t i = 0; r->shift_count && i < r->coordinate_count; i++) {
        write_numbers(out, 2, r->period[i].part);
        text_append(out, ", ");
    }
    text_append(out, "{0}};\n\n");
}

// The functions of a tape, and how many places what is fixed in it takes
static void write_tape(const tape *t, const scalar_type *as, const char *name, const char *places,
                       text *out) {
    define(out, places, t ? emit_tape(t, as, name, out) : 0);
}

// --- the step ------------------------------------------------------------------------------------

typedef struct {
    const tableau *pair;
    uint32_t n;
    text *out;
} writer;

// w_0 k_0 + w_1 k_1 + .., in this order, without those that are 0
static void write_sum(const writer *w, const double *weight, uint32_t count, const char *i) {
    uint32_t terms = 0, left = 0;
    for (uint32_t j = 0; j < count; j++) terms += weight[j] != 0;
    for (uint32_t j = count; j-- > 0;) { // fma(w_2, k_2, fma(w_1, k_1, w_0 k_0))
        if (weight[j] == 0) continue;
        const bool first = ++left == terms;
        text_append(w->out, first ? "lanes_all(" : "lanes_fma(lanes_all(");
        decimal_append(weight[j], w->out);
        text_format(w->out, first ? ") * k[%u + %s]" : "), k[%u + %s], ", j * w->n, i);
    }
    for (uint32_t j = 1; j < terms; j++) text_char(w->out, ')');
    if (!terms) text_append(w->out, "lanes_all(0)");
}

// target_i = z_i + h sum_j weight_j k_ij
static void write_argument(const writer *w, const char *target, const double *weight,
                           uint32_t count) {
    enum { MOST_WRITTEN = 16 };
    const bool looped = w->n > MOST_WRITTEN;
    for (uint32_t i = 0; i < (looped ? 1 : w->n); i++) {
        char place[16] = "i";
        if (!looped) snprintf(place, sizeof place, "%u", i);
        text_format(w->out, "    %s%s[%s] = lanes_fma(h, ",
                    looped ? "for (int i = 0; i < N; i++) " : "", target, place);
        write_sum(w, weight, count, place);
        text_format(w->out, ", z[%s]);\n", place);
    }
}

static void write_rate(const writer *w, double c, const char *argument, uint32_t stage) {
    text_append(w->out, "    hamel_rate(t + lanes_all(");
    decimal_append(c, w->out);
    text_format(w->out, ") * h, %s, p, c, k + %u);\n", argument, stage * w->n);
}

static const char EACH_GROUP[] = "    for (state *w = all; w < all + GROUPS; w++) {\n";

static const char NAMES[] = "    const lanes *z = w->z, *p = w->p, *c = w->c, t = w->t;\n"
                            "    lanes *k = w->k, *z1 = w->z1, x[N + 1];\n"
                            "    (void)z1, (void)x, (void)p, (void)c, (void)t, (void)k, (void)z;\n";

// The squares of the errors in units of what is allowed (emit_pair.c has the same)
static void write_error(const writer *w) {
    const tableau *pair = w->pair;
    text_append(w->out,
                "    lanes strong = lanes_all(0), weak = lanes_all(0), nothing = lanes_all(0);\n"
                "    for (int i = 0; i < N; i++) {\n"
                "        const lanes scale = h / (tolerance * (lanes_all(1) + "
                "larger(lanes_fabs(z[i]), lanes_fabs(z1[i]))));\n"
                "        const lanes e = scale * (");
    write_sum(w, pair->error, pair->last + 1, "i");
    text_append(w->out, ");\n        strong = lanes_fma(e, e, strong);\n");
    if (pair->weak_error) {
        text_append(w->out, "        const lanes e2 = scale * (");
        write_sum(w, pair->weak_error, pair->last + 1, "i");
        text_append(w->out, ");\n        weak = lanes_fma(e2, e2, weak);\n");
    }
    for (uint32_t j = 1; j < pair->last; j++)
        if (pair->error[j] == 0)
            text_format(w->out, "        nothing += lanes_all(0) * k[%u + i];\n", j * w->n);
    text_append(w->out, "    }\n    strong /= lanes_all(N);\n");
    text_append(w->out, !pair->weak_error
                            ? "    lanes size = lanes_sqrt(strong);\n"
                            : "    weak /= lanes_all(N);\n"
                              "    lanes size = select(equal(strong, lanes_all(0)), lanes_all(0), "
                              "strong / lanes_sqrt(strong + lanes_all(0.01) * weak));\n");
    text_append(w->out, "    size += nothing;\n");
}

// The sizes of the errors of steps of the lengths w->h; not finite where a stage is not
static void write_attempt(const writer *w) {
    const tableau *pair = w->pair;
    text_append(w->out, "static void hamel_attempt(state *all, lanes tolerance) {\n");
    for (uint32_t s = 1; s < pair->last; s++) {
        text_format(w->out, "%s    const lanes h = w->h;\n%s", EACH_GROUP, NAMES);
        write_argument(w, "x", pair->a[s], s);
        write_rate(w, pair->c[s], "x", s);
        text_append(w->out, "    }\n");
    }
    text_format(w->out, "%s    const lanes h = w->h;\n%s", EACH_GROUP, NAMES);
    write_argument(w, "z1", pair->b, pair->last);
    write_rate(w, 1, "z1", pair->last);
    text_format(w->out, "    }\n%s    const lanes h = w->h;\n%s", EACH_GROUP, NAMES);
    write_error(w);
    if (!pair->error_needs_last)
        text_format(w->out,
                    "    lanes end = lanes_all(0);\n"
                    "    for (int i = 0; i < N; i++) end += lanes_all(0) * k[%u + i];\n"
                    "    size = select(both(at_most(size, lanes_all(1)), without(mask_of(EVERY), "
                    "equal(end, lanes_all(0)))), lanes_all(HUGE_VAL), size);\n",
                    pair->last * w->n);
    text_append(w->out, "    w->size = size;\n    }\n}\n\n");
}

// Stages behind the last, for dense output
static void write_more_stages(const writer *w) {
    const tableau *pair = w->pair;
    text_format(w->out, "static void more_stages(state *w, lanes h) {\n%s", NAMES);
    text_append(w->out, "    (void)h;\n");
    for (uint32_t s = pair->last + 1; s < pair->stages; s++) {
        text_append(w->out,
                    "    for (int i = 0; i < N; i++) {\n        lanes sum = lanes_all(0);\n");
        for (uint32_t j = 0; j < s; j++) {
            if (pair->a[s][j] == 0) continue;
            text_append(w->out, "        sum += lanes_all(");
            decimal_append(pair->a[s][j], w->out);
            text_format(w->out, ") * k[%u + i];\n", j * w->n);
        }
        text_append(w->out, "        x[i] = z[i] + h * sum;\n    }\n");
        write_rate(w, pair->c[s], "x", s);
    }
    text_append(w->out, "}\n\n");
}

// What steps are made of: rates, or the series of the solution
static void write_motion(const lanes_request *r, const scalar_type *as, text *out) {
    if (!r->pair) {
        define(out, "PLACES",
               emit_jet(r->rate, as, "hamel_series", r->order, EMIT_JET_ABREAST, out));
        return;
    }
    scalar_type copied = *as;
    copied.qualifier = emit_pair_copies(r->rate, r->pair) > 1
                           ? "static inline __attribute__((always_inline))"
                           : "static";
    write_tape(r->rate, &copied, "hamel_rate", "PLACES", out);
}

static void write_method(const lanes_request *r, text *out) {
    const writer w = {r->pair, r->rate->state_count, out};
    if (r->pair) write_attempt(&w), write_more_stages(&w);
    else write_file("series.c", out), write_file("taylor.c", out);
}

void emit_lanes(const lanes_request *r, text *out) {
    scalar_type as = scalar_type_double;
    as.scalar = "lanes", as.function = "lanes_%s", as.broadcast = "lanes_all";
    as.fused = r->fused, as.sine_and_cosine = "lanes_both";
    write_sizes(r, out);
    write_file("words.h", out), write_file("job.h", out);
    write_motion(r, &as, out);
    write_tape(r->extreme, &as, "hamel_extreme", "EXTREME_PLACES", out);
    write_tape(r->slope, &as, "hamel_slope", "SLOPE_PLACES", out);
    write_tape(r->mean, &as, "hamel_mean", "MEAN_PLACES", out);
    write_tape(r->final, &as, "hamel_final", "FINAL_PLACES", out);
    write_tape(r->energy, &as, "hamel_energy", "ENERGY_PLACES", out);
    write_tape(r->rows, &as, "hamel_rows", "ROWS_PLACES", out);
    write_tables(r, out);
    write_file("state.c", out);
    write_method(r, out);
    write_file("collect.c", out);
    if (r->rows) write_file("chart.c", out);
    write_file("loop.c", out);
}
