// The layout of the runs, from what `sweep` and `samples` say.
#include "sweep/plan.h"

#include "base/list.h"
#include "base/names.h"
#include "base/sha256.h"
#include "expr/program.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t MOST_RUNS = 1000000000000000; // < 2^50: strata keep bits for places within

typedef struct { // one of the values of a run
    const char *name, *unit;
    bool is_parameter;
} plan_value;

struct sweep_plan {
    sweep_layout layout;
    plan_value *value;
    uint64_t number_count;
    uint64_t seed;
};

// --- Sobol's directions --------------------------------------------------------------------------

typedef struct {
    uint32_t polynomial;
    uint32_t first[12];
} sobol_dimension;

static const sobol_dimension sobol[] = {
#define SOBOL(polynomial, ...) {polynomial, {__VA_ARGS__}},
#include "sweep/sobol.def"
#undef SOBOL
};
enum { SOBOL_DIMENSIONS = sizeof sobol / sizeof *sobol };

// v_i = v_(i-s) + v_(i-s)/2^s + sum_k a_k v_(i-k) modulo 2, x^s + a_1 x^(s-1) + .. + 1 primitive
static void find_directions(const sobol_dimension *d, uint64_t *v) {
    uint32_t s = 0;
    while (d->polynomial >> (s + 1)) s++;
    for (uint32_t i = 0; i < SOBOL_BITS; i++) {
        if (!s || i < s) {
            v[i] = (uint64_t)(s ? d->first[i] : 1) << (SOBOL_BITS - 1 - i);
            continue;
        }
        v[i] = v[i - s] ^ (v[i - s] >> s);
        for (uint32_t k = 1; k < s; k++)
            if (d->polynomial >> (s - k) & 1) v[i] ^= v[i - k];
    }
}

// --- numbers -------------------------------------------------------------------------------------

typedef struct {
    model *m;
    context *ctx;
    sweep_parts parts;
    model fixed; // where nothing that is varied has a value
    sweep_plan *plan;
    sweep_axis *axes;
    double *numbers;
} work;

static bool is_parameter(const work *w, expr symbol) {
    return expr_as_symbol(w->m->pool, symbol)->role == ROLE_PARAMETER;
}

// What one part is given must not depend on what another one varies.
static void fix_parameters(work *w) {
    const uint32_t count = w->m->parameters_count;
    names varied = {0};
    for (uint32_t i = 0; i < w->parts.varied_count; i++)
        for (uint32_t k = 0; k < w->parts.varied[i].target_count; k++)
            names_put(&varied, expr_symbol_text(w->m->pool, w->parts.varied[i].target[k]), 0);
    parameter *fixed = arena_array(&w->ctx->arena, parameter, count);
    for (uint32_t i = 0; i < count; i++) {
        fixed[i] = w->m->parameters[i];
        if (names_get(&varied, expr_symbol_text(w->m->pool, fixed[i].symbol)))
            fixed[i].value = EXPR_NONE;
    }
    names_free(&varied);
    w->fixed = *w->m;
    w->fixed.parameters = fixed;
}

// A finite number; false: reported
static bool read_number(work *w, const varying *v, expr e, double *out) {
    *out = expr_is_number(w->m->pool, e) ? expr_value(w->m->pool, e, NULL)
                                         : model_constant(&w->fixed, e);
    if (isfinite(*out)) return true;
    const char *name = expr_symbol_text(w->m->pool, v->target[0]);
    if (isnan(*out) && isfinite(model_constant(w->m, e)))
        diag_error(w->ctx, v->at, "give values that are the same in every run",
                   "the values of `%s` depend on a parameter that is varied too", name);
    else diag_error(w->ctx, v->at, NULL, "the values of `%s` are no finite numbers", name);
    return false;
}

static bool read_list(work *w, const varying *v, sweep_axis *axis) {
    axis->kind = AXIS_LIST;
    axis->offset = w->plan->number_count;
    double *to = w->numbers + axis->offset;
    const uint64_t count = v->count * v->target_count;
    w->plan->number_count += count;
    if (v->kind == VARY_ROWS) {
        memcpy(to, v->rows, sizeof *to * count);
        return true;
    }
    bool good = true;
    for (uint64_t i = 0; i < count; i++) good &= read_number(w, v, v->list[i], &to[i]);
    return good;
}

static bool check_distribution(work *w, const varying *v, const sweep_axis *axis) {
    const char *name = expr_symbol_text(w->m->pool, v->target[0]);
    const bool uniform = v->kind == VARY_UNIFORM;
    const double a = axis->first, b = axis->second;
    if (uniform && isfinite(b - a) && a < b) return true;
    if (!uniform && b > 0) return true;
    if (uniform)
        diag_error(w->ctx, v->at, "write `uniform(SMALLEST, LARGEST)`",
                   isfinite(b - a) ? "there is nothing to draw `%s` from between %.17g and %.17g"
                                   : "`%s` is to be drawn from too long a range, %.17g to %.17g",
                   name, a, b);
    else
        diag_error(w->ctx, v->at, "write `normal(MEAN, DEVIATION)`",
                   "the standard deviation of `%s` must be positive", name);
    return false;
}

// from/scale and to/scale are the ends, exactly, in whole numbers that stay exact in sweep_grid();
// else the ends themselves
static void find_whole_ends(work *w, const varying *v, sweep_axis *axis) {
    enum { EXACT = 51 }; // bits of a product of which two can be added
    pool *p = w->m->pool;
    axis->from = axis->first, axis->to = axis->second, axis->scale = 1;
    if (!expr_is_number(p, v->first) || !expr_is_number(p, v->second)) return;
    const fmpq *a = expr_number_value(p, v->first), *b = expr_number_value(p, v->second);
    fmpz_t scale, from, to, most;
    fmpz_init(scale), fmpz_init(from), fmpz_init(to), fmpz_init(most);
    fmpz_lcm(scale, &a->den, &b->den);
    fmpz_divexact(from, scale, &a->den), fmpz_mul(from, from, &a->num);
    fmpz_divexact(to, scale, &b->den), fmpz_mul(to, to, &b->num);
    fmpz_abs(most, from);
    if (fmpz_cmpabs(to, most) > 0) fmpz_abs(most, to);
    if (fmpz_cmp(scale, most) > 0) fmpz_set(most, scale);
    if (fmpz_cmp_ui(most, (ulong)1 << EXACT) < 0 &&
        fmpz_get_ui(most) < ((ulong)1 << EXACT) / axis->count) {
        axis->from = fmpz_get_d(from), axis->to = fmpz_get_d(to);
        axis->scale = fmpz_get_d(scale);
    }
    fmpz_clear(scale), fmpz_clear(from), fmpz_clear(to), fmpz_clear(most);
}

static bool read_axis(work *w, const varying *v, sweep_axis *axis) {
    *axis = (sweep_axis){.target_count = v->target_count, .count = v->count};
    if (v->kind == VARY_LIST || v->kind == VARY_ROWS) return read_list(w, v, axis);
    if (!read_number(w, v, v->first, &axis->first) || !read_number(w, v, v->second, &axis->second))
        return false;
    if (v->kind == VARY_GRID) {
        axis->kind = AXIS_GRID;
        find_whole_ends(w, v, axis);
        if (axis->first != axis->second) return true;
        diag_error(w->ctx, v->at, NULL, "both ends of the grid of `%s` are %.17g",
                   expr_symbol_text(w->m->pool, v->target[0]), axis->first);
        return false;
    }
    axis->kind = v->kind == VARY_UNIFORM ? AXIS_UNIFORM : AXIS_NORMAL;
    axis->offset = w->plan->layout.drawn_count++;
    return check_distribution(w, v, axis);
}

// --- all axes ------------------------------------------------------------------------------------

static void name_values(work *w) {
    plan_value *to = w->plan->value;
    for (uint32_t i = 0; i < w->parts.varied_count; i++)
        for (uint32_t k = 0; k < w->parts.varied[i].target_count; k++) {
            const expr symbol = w->parts.varied[i].target[k];
            *to++ = (plan_value){.name = expr_symbol_text(w->m->pool, symbol),
                                 .unit = model_unit(w->m, symbol),
                                 .is_parameter = is_parameter(w, symbol)};
        }
}

static bool check_names(work *w) {
    names known = {0};
    bool good = true;
    for (uint32_t i = 0; i < w->plan->layout.value_count; i++)
        names_put(&known, w->plan->value[i].name, i);
    for (uint32_t i = 0; i < w->parts.collected_count; i++) {
        if (names_put(&known, w->parts.collected[i].name, i)) continue;
        diag_error(w->ctx, w->parts.collected[i].at, "collect it under another name",
                   "`%s` is varied: two columns would have its name", w->parts.collected[i].name);
        good = false;
    }
    names_free(&known);
    return good;
}

static bool read_axes(work *w) {
    uint64_t numbers = 0;
    uint32_t values = 0;
    for (uint32_t i = 0; i < w->parts.varied_count; i++) {
        const varying *v = &w->parts.varied[i];
        values += v->target_count;
        if (v->kind == VARY_LIST || v->kind == VARY_ROWS) numbers += v->count * v->target_count;
    }
    arena *a = &w->ctx->arena;
    sweep_layout *p = &w->plan->layout;
    w->axes = arena_array(a, sweep_axis, w->parts.varied_count);
    w->numbers = arena_array(a, double, numbers);
    w->plan->value = arena_array(a, plan_value, values);
    p->axis = w->axes, p->numbers = w->numbers, p->value_count = values;
    p->axis_count = w->parts.varied_count;
    bool good = true;
    for (uint32_t i = 0; i < p->axis_count; i++)
        good &= read_axis(w, &w->parts.varied[i], &w->axes[i]);
    return good;
}

// The last of the grids runs fastest, and at each of its places all samples
static bool count_runs(work *w) {
    sweep_layout *p = &w->plan->layout;
    p->runs = p->samples;
    for (uint32_t i = p->axis_count; i-- > 0;) {
        sweep_axis *axis = &w->axes[i];
        if (axis->kind == AXIS_UNIFORM || axis->kind == AXIS_NORMAL) continue;
        axis->stride = p->runs;
        if (axis->count <= MOST_RUNS / p->runs) {
            p->runs *= axis->count;
            continue;
        }
        diag_error(w->ctx, w->parts.varied[i].at, NULL,
                   "these are more than 10^15 runs: nobody would see their end");
        return false;
    }
    return true;
}

// --- what is drawn -------------------------------------------------------------------------------

static bool check_samples(work *w) {
    const sampling *s = &w->parts.samples;
    const uint32_t drawn = w->plan->layout.drawn_count;
    const varying *first = NULL;
    for (uint32_t i = 0; i < w->parts.varied_count && !first; i++)
        if (w->axes[i].kind == AXIS_UNIFORM || w->axes[i].kind == AXIS_NORMAL)
            first = &w->parts.varied[i];
    if (first && !s->count)
        diag_error(w->ctx, first->at, "write `samples 1000 seed 1`, or --samples 1000 --seed 1",
                   "how many values are to be drawn of `%s`?",
                   expr_symbol_text(w->m->pool, first->target[0]));
    else if (!first && s->count)
        diag_error(w->ctx, s->at, "write `sweep NAME in uniform(E, E)` or `normal(E, E)`",
                   "nothing is drawn that there could be samples of");
    else if (s->how == SAMPLER_SOBOL && drawn > SOBOL_DIMENSIONS)
        diag_error(w->ctx, s->at, "draw them by `latin` or `random`",
                   "Sobol's sequence is known for %d quantities, and %u are drawn",
                   SOBOL_DIMENSIONS, drawn);
    else return true;
    return false;
}

static void prepare_sobol(work *w) {
    sweep_layout *p = &w->plan->layout;
    uint64_t *direction = arena_array(&w->ctx->arena, uint64_t, p->drawn_count * SOBOL_BITS),
             *shift = arena_array(&w->ctx->arena, uint64_t, p->drawn_count);
    for (uint32_t i = 0; i < p->drawn_count; i++) {
        find_directions(&sobol[i], direction + (size_t)i * SOBOL_BITS);
        shift[i] = sweep_bits(p, 0, i, STREAM_SHIFT) >> (64 - SOBOL_BITS);
    }
    p->direction = direction, p->shift = shift;
}

static void prepare_latin(work *w) {
    enum { LEAST_HALF = 3, MOST_JITTER = 32, EXACT = 52 };
    sweep_layout *p = &w->plan->layout;
    uint32_t bits = 0;
    while (p->samples >> bits) bits++;
    p->half = (bits + 1) / 2 > LEAST_HALF ? (bits + 1) / 2 : LEAST_HALF;
    p->jitter_bits = EXACT - bits < MOST_JITTER ? EXACT - bits : MOST_JITTER;
    uint32_t *round = arena_array(&w->ctx->arena, uint32_t, p->drawn_count * PERMUTATION_ROUNDS);
    for (uint32_t i = 0; i < p->drawn_count * PERMUTATION_ROUNDS; i++)
        round[i] = (uint32_t)sweep_bits(p, i % PERMUTATION_ROUNDS, i / PERMUTATION_ROUNDS,
                                        STREAM_PERMUTATION);
    p->round = round;
}

static void prepare_draws(work *w) {
    static const uint32_t ways[] = {
        [SAMPLER_RANDOM] = DRAW_RANDOM, [SAMPLER_SOBOL] = DRAW_SOBOL, [SAMPLER_LATIN] = DRAW_LATIN};
    sweep_layout *p = &w->plan->layout;
    const uint64_t seed = w->parts.samples.seed;
    w->plan->seed = seed;
    p->key[0] = (uint32_t)seed, p->key[1] = (uint32_t)(seed >> 32);
    p->how = ways[w->parts.samples.how];
    p->samples = p->drawn_count ? w->parts.samples.count : 1;
    if (p->how == DRAW_SOBOL) prepare_sobol(w);
    if (p->how == DRAW_LATIN) prepare_latin(w);
}

sweep_plan *sweep_plan_create(model *m, const sweep_texts *given, const collected **collected,
                              uint32_t *collected_count) {
    work w = {.m = m, .ctx = m->ctx};
    *collected = NULL, *collected_count = 0;
    if (parse_sweep(m, given, &w.parts)) return NULL;
    if (!w.parts.varied_count) {
        diag_error(m->ctx, (span){0},
                   "write `sweep NAME = 1 .. 2 count 10` in the model, or --vary \"NAME = 1 .. 2 "
                   "count 10\"",
                   "nothing is varied");
        return NULL;
    }
    w.plan = arena_new(&m->ctx->arena, sweep_plan);
    *w.plan = (sweep_plan){0};
    fix_parameters(&w);
    if (!read_axes(&w) || !check_samples(&w)) return NULL;
    name_values(&w);
    prepare_draws(&w);
    if (!check_names(&w) || !count_runs(&w) || context_status(m->ctx)) return NULL;
    *collected = w.parts.collected, *collected_count = w.parts.collected_count;
    return w.plan;
}

// --- what is asked -------------------------------------------------------------------------------

uint64_t sweep_plan_runs(const sweep_plan *plan) { return plan->layout.runs; }
uint32_t sweep_plan_values(const sweep_plan *plan) { return plan->layout.value_count; }
const char *sweep_plan_name(const sweep_plan *plan, uint32_t value) {
    return plan->value[value].name;
}
const char *sweep_plan_unit(const sweep_plan *plan, uint32_t value) {
    return plan->value[value].unit;
}
bool sweep_plan_is_parameter(const sweep_plan *plan, uint32_t value) {
    return plan->value[value].is_parameter;
}
const sweep_layout *sweep_plan_layout(const sweep_plan *plan) { return &plan->layout; }

void sweep_plan_find(const sweep_plan *plan, uint64_t run, double *values) {
    sweep_values(&plan->layout, run, values);
}

static void write_list(const sweep_plan *plan, const sweep_axis *axis, text *out) {
    enum { SHOWN = 16 };
    const uint64_t count = axis->count * axis->target_count;
    const double *number = plan->layout.numbers + axis->offset;
    if (count <= SHOWN) {
        text_append(out, " in {");
        for (uint64_t i = 0; i < count; i++) text_format(out, i ? ", %.17g" : "%.17g", number[i]);
        text_append(out, "}");
        return;
    }
    sha256 h;
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256_begin(&h);
    sha256_add(&h, number, sizeof *number * count);
    sha256_end(&h, digest);
    sha256_hex(digest, hex);
    text_format(out, " in %" PRIu64 " rows, SHA-256 %s", axis->count, hex);
}

void sweep_plan_words(const sweep_plan *plan, text *out) {
    static const char *const ways[] = {
        [DRAW_RANDOM] = "random", [DRAW_SOBOL] = "sobol", [DRAW_LATIN] = "latin"};
    const sweep_layout *p = &plan->layout;
    const plan_value *value = plan->value;
    for (uint32_t i = 0; i < p->axis_count; value += p->axis[i++].target_count) {
        const sweep_axis *axis = &p->axis[i];
        text_append(out, "sweep ");
        for (uint32_t k = 0; k < axis->target_count; k++)
            text_format(out, k ? ", %s" : "%s", value[k].name);
        if (axis->kind == AXIS_GRID)
            text_format(out, " = %.17g .. %.17g count %" PRIu64, axis->first, axis->second,
                        axis->count);
        else if (axis->kind == AXIS_LIST) write_list(plan, axis, out);
        else
            text_format(out, " in %s(%.17g, %.17g)",
                        axis->kind == AXIS_UNIFORM ? "uniform" : "normal", axis->first,
                        axis->second);
        text_char(out, '\n');
    }
    if (p->drawn_count)
        text_format(out, "samples %" PRIu64 " %s seed %" PRIu64 "\n", p->samples, ways[p->how],
                    plan->seed);
}
