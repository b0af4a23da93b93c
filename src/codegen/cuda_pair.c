// A step of a Runge-Kutta pair for a thread of a GPU: sums over the stages written out so that all
// stays in registers, with the numbers of the pair in constant memory.
//
// Components that no rate depends on (positions on a plane, the turns of a wheel) need no arguments
// of stages: their sums go on from stage to stage, and their slopes need not be kept.
#include "codegen/cuda.h"

#include "base/decimal.h"

#include <math.h>

enum {
    MOST_STEPS = 1500,    // of rates that stand in each stage: a compiler is done in ten seconds
    MOST_COMPONENTS = 24, // whose sums are written out
    MOST_DEGREE = 8,
};

// Are the rates and the sums to stand in each stage? Else stages are a loop, whose numbers are in
// memory.
static bool is_written(const tape *rate) {
    return rate->step_count <= MOST_STEPS && rate->state_count <= MOST_COMPONENTS;
}

typedef struct {
    const tape *rate;
    const char *id;
    const tableau *pair;
    uint32_t n;
    bool *is_read; // by a rate
    text table;    // the numbers of the pair, in the order in which they are used
    uint32_t numbers;
    text *out;
} writer;

// --- numbers -------------------------------------------------------------------------------------

// A number of the pair, in constant memory: its place
static uint32_t number(writer *w, double value) {
    text_append(&w->table, w->numbers % 4 ? " R(" : "\n    R(");
    decimal_append(value, &w->table);
    text_append(&w->table, "),");
    return w->numbers++;
}

// Which states the rates depend on
static bool *find_read(const tape *t) {
    bool *is_read = memory_zeros(bool, t->state_count + 1);
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t j = 0; j < tape_operand_count(t, i); j++) {
            const uint32_t reg = tape_operand(t, i, j);
            if (reg < t->state_count) is_read[reg] = true;
        }
    for (uint32_t o = 0; o < t->output_count; o++)
        if (t->output[o] < t->state_count) is_read[t->output[o]] = true;
    return is_read;
}

// One row of a tableau as places of its numbers
typedef struct {
    uint32_t count, stage[MOST_STAGES], place[MOST_STAGES];
} weights_row;

static weights_row row_of(writer *w, const double *weight, uint32_t count) {
    weights_row r = {0};
    for (uint32_t j = 0; j < count; j++) {
        if (weight[j] == 0) continue;
        r.stage[r.count] = j;
        r.place[r.count++] = number(w, weight[j]);
    }
    return r;
}

// --- sums ----------------------------------------------------------------------------------------

// a_0 k_0 + a_1 k_1 + .. of component i, a term each, with one rounding
static void write_named_sum(const writer *w, const char *name, const weights_row *r, uint32_t i) {
    for (uint32_t j = 0; j < r->count; j++)
        text_format(w->out,
                    j ? "        %s = fma(hamel_%s_number[%u], k[%u][%u], %s);\n"
                      : "        real %s = hamel_%s_number[%u] * k[%u][%u];\n",
                    name, w->id, r->place[j], r->stage[j], i, name);
}

// target = z + h sum_j weight_j k_j for one component
static void write_argument(const writer *w, const char *target, const weights_row *r, uint32_t i) {
    text_append(w->out, "    {\n");
    write_named_sum(w, "sum", r, i);
    text_format(w->out, "        %s[%u] = fma(h, sum, z[%u]);\n    }\n", target, i, i);
}

// --- what goes on from stage to stage ------------------------------------------------------------

typedef struct {
    weights_row solution, error, weak;
} final_rows;

static void add_terms(const writer *w, const char *name, const weights_row *r, uint32_t stage,
                      uint32_t i) {
    for (uint32_t j = 0; j < r->count; j++) {
        if (r->stage[j] != stage) continue;
        if (!j)
            text_format(w->out, "    real %s%u = hamel_%s_number[%u] * k[%u][%u];\n", name, i,
                        w->id, r->place[j], stage, i);
        else
            text_format(w->out, "    %s%u = fma(hamel_%s_number[%u], k[%u][%u], %s%u);\n", name, i,
                        w->id, r->place[j], stage, i, name, i);
    }
}

// The terms of a stage in the sums of the components that no rate depends on
static void go_on(const writer *w, const final_rows *f, uint32_t stage) {
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->is_read[i]) continue;
        add_terms(w, "s", &f->solution, stage, i);
        add_terms(w, "e", &f->error, stage, i);
        if (w->pair->weak_error) add_terms(w, "f", &f->weak, stage, i);
    }
}

static void write_rate(const writer *w, double c, const char *argument, uint32_t stage) {
    text_append(w->out, "    hamel_rates<NEAR>::hamel_rate(");
    if (c == 1) text_append(w->out, "t + h");
    else {
        text_append(w->out, "fma(R(");
        decimal_append(c, w->out);
        text_append(w->out, "), h, t)");
    }
    text_format(w->out, ", %s, p, c, k[%u]);\n", argument, stage);
}

static void write_error(const writer *w, const final_rows *f, uint32_t i) {
    const bool weak = w->pair->weak_error;
    text_append(w->out, "    {\n");
    if (w->is_read[i]) {
        write_named_sum(w, "e", &f->error, i);
        if (weak) write_named_sum(w, "f", &f->weak, i);
    } else {
        text_format(w->out, "        const real e = e%u;\n", i);
        if (weak) text_format(w->out, "        const real f = f%u;\n", i);
    }
    text_format(
        w->out,
        "        const float scale = HAMEL_FLOAT_OVER(by, 1 + hamel_most((float)fabs(z[%u]), "
        "(float)fabs(z1[%u]))), a = (float)e * scale;\n        strong = fmaf(a, a, "
        "strong);\n",
        i, i);
    if (weak)
        text_append(w->out, "        const float b = (float)f * scale;\n        weak = fmaf(b, b, "
                            "weak);\n");
    text_append(w->out, "    }\n");
}

// --- an attempt ----------------------------------------------------------------------------------

static const char ATTEMPT[] =
    "    // A step of the length h: its end z1, and the size of its error in units of what is\n"
    "    // allowed; the first slope is %s\n"
    "    template <bool NEAR>\n"
    "    HAMEL_DEVICE float attempt(real t, const real *z, const real *p, const real *c, real h,\n"
    "                               float allowed, real (*k)[hamel_n], real *z1) {\n"
    "    const float by = (float)h * allowed;\n"
    "    float strong = 0%s;\n";

static void write_end(const writer *w) {
    text_format(w->out, "    strong *= R(%.9g);\n", 1.0 / w->n);
    if (w->pair->weak_error)
        text_format(w->out,
                    "    weak *= R(%.9g);\n    return strong == 0 ? 0 : strong / sqrtf(strong + "
                    "0.01f * weak);\n    }\n",
                    1.0 / w->n);
    else
        text_append(w->out, is_written(w->rate)
                                ? "    return sqrtf(strong);\n    }\n"
                                : "    (void)weak;\n    return sqrtf(strong);\n    }\n");
}

static void write_stages(writer *w) {
    const tableau *pair = w->pair;
    final_rows f = {.solution = row_of(w, pair->b, pair->last),
                    .error = row_of(w, pair->error, pair->last + 1)};
    if (pair->weak_error) f.weak = row_of(w, pair->weak_error, pair->last + 1);
    text_append(w->out, "    real w[hamel_n];\n    HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) "
                        "w[i] = z[i];\n");
    if (!pair->error_needs_last)
        text_append(w->out, "    hamel_rates<NEAR>::hamel_rate(t, z, p, c, k[0]);\n");
    go_on(w, &f, 0);
    for (uint32_t s = 1; s < pair->last; s++) {
        const weights_row r = row_of(w, pair->a[s], s);
        for (uint32_t i = 0; i < w->n; i++)
            if (w->is_read[i]) write_argument(w, "w", &r, i);
        write_rate(w, pair->c[s], "w", s);
        go_on(w, &f, s);
    }
    for (uint32_t i = 0; i < w->n; i++)
        if (w->is_read[i]) write_argument(w, "z1", &f.solution, i);
        else text_format(w->out, "    z1[%u] = fma(h, s%u, z[%u]);\n", i, i, i);
    if (pair->error_needs_last) {
        write_rate(w, 1, "z1", pair->last);
        go_on(w, &f, pair->last);
    }
    for (uint32_t i = 0; i < w->n; i++) write_error(w, &f, i);
}

// --- the longest rates: loops over stages and components -----------------------------------------

static const char LOOPS[] =
    "    real w[hamel_n];\n"
    "    HAMEL_ROLLED for (int s = 0; s <= last; s++) {\n"
    "        if (s == last && !needs_last) break;\n"
    "        if (s == 0 && needs_last) continue;\n"
    "        for (int i = 0; i < hamel_n; i++) {\n"
    "            real sum = 0;\n"
    "            for (int j = 0; j < s; j++) sum = fma(hamel_@_a[s][j], k[j][i], sum);\n"
    "            w[i] = fma(h, sum, z[i]);\n"
    "        }\n"
    "        hamel_far_rate(fma(hamel_@_c[s], h, t), w, p, c, k[s]);\n"
    "    }\n"
    "    for (int i = 0; i < hamel_n; i++) {\n"
    "        real sum = 0, e = 0, f = 0;\n"
    "        for (int j = 0; j < last; j++) sum = fma(hamel_@_a[last][j], k[j][i], sum);\n"
    "        z1[i] = fma(h, sum, z[i]);\n"
    "        for (int j = 0; j < last + needs_last; j++) {\n"
    "            e = fma(hamel_@_error[0][j], k[j][i], e);\n"
    "            f = fma(hamel_@_error[1][j], k[j][i], f);\n"
    "        }\n"
    "        const float scale = HAMEL_FLOAT_OVER(by, 1 + hamel_most((float)fabs(z[i]), "
    "(float)fabs(z1[i])));\n"
    "        strong = fmaf((float)e * scale, (float)e * scale, strong);\n"
    "        weak = fmaf((float)f * scale, (float)f * scale, weak);\n"
    "    }\n";

// @ is the name of the pair
static void write_pattern(const writer *w, const char *pattern) {
    for (; *pattern; pattern++)
        if (*pattern == '@') text_append(w->out, w->id);
        else text_char(w->out, *pattern);
}

static void write_matrix(const writer *w, const char *name, uint32_t rows, const double *const *row,
                         uint32_t columns) {
    text_format(w->out, "HAMEL_TABLE real hamel_%s_%s[%u][%u] = {\n", w->id, name, rows, columns);
    for (uint32_t s = 0; s < rows; s++) {
        text_append(w->out, "    {");
        for (uint32_t j = 0; j < columns; j++) {
            text_append(w->out, j ? ", R(" : "R(");
            decimal_append(row[s] ? row[s][j] : 0, w->out);
            text_append(w->out, ")");
        }
        text_append(w->out, "},\n");
    }
    text_append(w->out, "};\n");
}

static void write_tables(const writer *w) {
    const tableau *pair = w->pair;
    const double *row[MOST_STAGES], *error[2] = {pair->error, pair->weak_error};
    // those tables have as many numbers as their method has stages
    double padded[MOST_STAGES][MOST_STAGES] = {{0}};
    for (uint32_t s = 0; s < pair->stages; s++) {
        for (uint32_t j = 0; j < s; j++)
            padded[s][j] = s == pair->last ? (j < pair->last ? pair->b[j] : 0) : pair->a[s][j];
        row[s] = padded[s];
    }
    write_matrix(w, "a", pair->stages, row, pair->stages);
    write_matrix(w, "error", 2, error, pair->last + (pair->error_needs_last ? 1 : 0));
    text_format(w->out, "HAMEL_TABLE real hamel_%s_c[%u] = {", w->id, pair->stages);
    for (uint32_t s = 0; s < pair->stages; s++) {
        text_append(w->out, s ? ", R(" : "R(");
        decimal_append(pair->c[s], w->out);
        text_append(w->out, ")");
    }
    text_append(w->out, "};\n");
}

// --- the polynomials of a step -------------------------------------------------------------------

// b_i(x) = sum_d beta[d][i] x^d from its values: Newton's divided differences at places that lie
// close to the ends, multiplied out
static void find_powers(const tableau *pair, uint32_t degree,
                        double beta[MOST_DEGREE + 1][MOST_STAGES]) {
    double b[MOST_DEGREE + 1][MOST_STAGES];
    long double x[MOST_DEGREE + 1];
    for (uint32_t d = 0; d <= degree; d++) {
        x[d] = (1 - cos(3.14159265358979 * d / degree)) / 2;
        pair->weights((double)(x[d] = (double)x[d]), b[d]);
    }
    for (uint32_t i = 0; i < pair->stages; i++) {
        long double difference[MOST_DEGREE + 1], power[MOST_DEGREE + 2] = {0};
        for (uint32_t d = 0; d <= degree; d++) difference[d] = b[d][i];
        for (uint32_t k = 1; k <= degree; k++)
            for (uint32_t d = degree; d >= k; d--)
                difference[d] = (difference[d] - difference[d - 1]) / (x[d] - x[d - k]);
        for (uint32_t d = degree + 1; d-- > 0;) { // Horner: power <- power (x - x_d) + difference
            for (uint32_t k = degree + 1; k > 0; k--) power[k] = power[k - 1] - x[d] * power[k];
            power[0] = difference[d] - x[d] * power[0];
        }
        for (uint32_t d = 0; d <= degree; d++) beta[d][i] = (double)power[d];
    }
}

static const char CURVE[] =
    "    // z + h sum_i b_i(x) k_i by powers of x; the last slope is there, those behind it are "
    "made\n"
    "    HAMEL_DEVICE void curve(real t, const real *z, const real *p, const real *c, real h,\n"
    "                            const real (*slopes)[hamel_n], real (*q)[hamel_n]) {\n"
    "        real k[stages][hamel_n], w[hamel_n];\n"
    "        HAMEL_UNROLL for (int s = 0; s <= last; s++)\n"
    "            HAMEL_UNROLL for (int i = 0; i < hamel_n; i++) k[s][i] = slopes[s][i];\n"
    "        HAMEL_ROLLED for (int s = last + 1; s < stages; s++) {\n"
    "            for (int i = 0; i < hamel_n; i++) {\n"
    "                real sum = 0;\n"
    "                for (int j = 0; j < s; j++) sum = fma(hamel_@_a[s][j], k[j][i], sum);\n"
    "                w[i] = fma(h, sum, z[i]);\n"
    "            }\n"
    "            hamel_far_rate(fma(hamel_@_c[s], h, t), w, p, c, k[s]);\n"
    "        }\n"
    "        for (int i = 0; i < hamel_n; i++) q[0][i] = z[i];\n"
    "        HAMEL_ROLLED for (int d = 1; d <= degree; d++)\n"
    "            for (int i = 0; i < hamel_n; i++) {\n"
    "                real sum = 0;\n"
    "                for (int j = 0; j < stages; j++) sum = fma(hamel_@_dense[d][j], k[j][i], "
    "sum);\n"
    "                q[d][i] = h * sum;\n"
    "            }\n"
    "    }\n";

static uint32_t degree_of(const tableau *pair) { return pair->dense_order; }

static void write_dense(const writer *w) {
    const uint32_t degree = degree_of(w->pair);
    double beta[MOST_DEGREE + 1][MOST_STAGES];
    const double *row[MOST_DEGREE + 1];
    find_powers(w->pair, degree, beta);
    for (uint32_t d = 0; d <= degree; d++) row[d] = beta[d];
    write_matrix(w, "dense", degree + 1, row, w->pair->stages);
}

// --- all of it -----------------------------------------------------------------------------------

void cuda_pair(const tape *rate, const char *id, const tableau *pair, text *out) {
    text body = {0};
    writer w = {.rate = rate,
                .id = id,
                .pair = pair,
                .n = rate->state_count,
                .is_read = find_read(rate),
                .out = &body};
    text_format(&body, ATTEMPT, pair->error_needs_last ? "that of the step before" : "found here",
                pair->weak_error || !is_written(rate) ? ", weak = 0" : "");
    if (is_written(rate)) write_stages(&w);
    else write_pattern(&w, LOOPS);
    write_end(&w);
    w.out = out;
    write_tables(&w), write_dense(&w);
    if (w.numbers)
        text_format(out, "HAMEL_TABLE real hamel_%s_number[%u] = {%s\n};\n", id, w.numbers,
                    text_string(&w.table));
    text_format(out,
                "\nstruct hamel_%s {\n    enum { order = %u, error_order = %u, last = %u, stages = "
                "%u, degree = %u, needs_last = %d };\n"
                "    enum { threads = HAMEL_THREADS, blocks = HAMEL_BLOCKS_%s };\n",
                id, pair->order, pair->error_order, pair->last, pair->stages, degree_of(pair),
                pair->error_needs_last, id);
    text_append(out, text_string(&body));
    write_pattern(&w, CURVE);
    text_append(out, "};\n\n");
    memory_free(w.is_read);
    text_free(&w.table), text_free(&body);
}
