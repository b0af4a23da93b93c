// The core of variational equations: z' = f, and the entries of df/dz and df/dv along it.
#include "execute/linear_columns.h"

#include "codegen/jet_plan.h"

#include <string.h>

typedef struct {
    const simulation *of;
    pool *p;
    arena *arena;
    linear_columns *out;
    uint32_t count, capacity;
    expr *rate; // of the core: f, then entries
} builder;

// The number of the core whose rate is e; equal entries are one
static uint32_t source_of(builder *w, expr e) {
    for (uint32_t i = w->out->size; i < w->count; i++)
        if (w->rate[i] == e) return i;
    array_reserve(w->rate, w->count, w->capacity);
    w->rate[w->count] = e;
    return w->count++;
}

static bool stays(const builder *w, expr e) {
    const ode *o = w->of->o;
    return !expr_depends_on(w->p, e, o->size, o->state) &&
           !expr_depends_on(w->p, e, 1, &w->of->m->time);
}

static linear_entry entry_of(builder *w, uint32_t row, uint32_t of, expr e) {
    return (linear_entry){.row = row, .of = of, .source = source_of(w, e), .fixed = stays(w, e)};
}

// --- entries -------------------------------------------------------------------------------------

static bool is_ever_there(const linear_columns *w, const expr *column, uint32_t l) {
    bool found = false;
    for (uint32_t c = 0; c < w->columns; c++) found = found || column[c * w->size + l] != EXPR_ZERO;
    return found;
}

static void add_matrix(builder *w, const expr *f, const expr *column) {
    linear_columns *out = w->out;
    const uint32_t n = out->size;
    expr *a = memory_array(expr, (size_t)n * n + 1);
    expr_jacobian(w->p, n, f, n, w->of->o->state, a);
    out->entry = arena_array(w->arena, linear_entry, n * n + 1);
    for (uint32_t l = 0; l < n; l++)
        for (uint32_t i = 0; i < n && is_ever_there(out, column, l); i++)
            if (a[i * n + l] != EXPR_ZERO)
                out->entry[out->entries++] = entry_of(w, i, l, a[i * n + l]);
    memory_free(a);
}

static void add_own(builder *w, const expr *f, const expr *by) {
    linear_columns *out = w->out;
    out->own = arena_array(w->arena, linear_entry, (size_t)out->size * out->columns + 1);
    for (uint32_t c = 0; c < out->columns; c++)
        for (uint32_t i = 0; i < out->size && by[c] != EXPR_NONE; i++) {
            const expr e = expr_diff(w->p, f[i], by[c]);
            if (e != EXPR_ZERO) out->own[out->owns++] = entry_of(w, i, c, e);
        }
}

// A column moves where it has a part of its own, or a component that A acts on.
static void find_moving(builder *w, const expr *column) {
    linear_columns *out = w->out;
    out->moves = arena_array(w->arena, bool, out->columns + 1);
    for (uint32_t k = 0; k < out->owns; k++) out->moves[out->own[k].of] = true;
    for (uint32_t c = 0; c < out->columns; c++)
        for (uint32_t k = 0; k < out->entries && !out->moves[c]; k++)
            out->moves[c] = column[c * out->size + out->entry[k].of] != EXPR_ZERO;
}

// --- the core ------------------------------------------------------------------------------------

static simulation *make_core(builder *w) {
    const simulation *of = w->of;
    const uint32_t n = w->out->size;
    expr *state = arena_array(w->arena, expr, w->count + 1),
         *rate = arena_array(w->arena, expr, w->count + 1);
    memcpy(state, of->o->state, sizeof(expr) * n), memcpy(rate, w->rate, sizeof(expr) * w->count);
    for (uint32_t i = n; i < w->count; i++) state[i] = expr_symbol(w->p, "entry", ROLE_LOCAL);
    ode *o = arena_new(w->arena, ode);
    *o = (ode){.eq = of->o->eq, .size = w->count, .state = state, .rate = rate};
    simulation *sim = arena_new(w->arena, simulation);
    *sim = (simulation){.m = of->m,
                        .eq = of->eq,
                        .o = o,
                        .parameter_count = of->parameter_count,
                        .parameter = of->parameter,
                        .parameter_value = of->parameter_value,
                        .stated_count = of->stated_count,
                        .t0 = of->t0,
                        .exact = of->exact,
                        .leading = of};
    sim->z0 = arena_array(w->arena, double, w->count + 1);
    memcpy(sim->z0, of->z0, sizeof(double) * n);
    sim->rate = tape_create(w->p, w->count, state, of->m->time, of->parameter_count, of->parameter,
                            w->count, rate);
    sim->columns = tape_create(w->p, w->count, state, of->m->time, of->parameter_count,
                               of->parameter, 0, rate);
    return sim;
}

linear_columns *linear_columns_create(const simulation *of, const expr *f, uint32_t columns,
                                      const expr *column, const expr *by) {
    arena *a = &of->m->ctx->arena;
    const uint32_t n = of->o->size;
    linear_columns *out = arena_new(a, linear_columns);
    *out = (linear_columns){.size = n, .columns = columns};
    builder w = {.of = of, .p = of->m->pool, .arena = a, .out = out, .count = n, .capacity = n};
    w.rate = memory_array(expr, n + 1);
    memcpy(w.rate, f, sizeof(expr) * n);
    add_matrix(&w, f, column);
    add_own(&w, f, by);
    find_moving(&w, column);
    out->core = make_core(&w);
    memory_free(w.rate);
    return out;
}

void linear_columns_free(linear_columns *w) {
    if (w) simulation_free(w->core);
}

// --- what it costs -------------------------------------------------------------------------------

// Products, each a sum of as many terms as the order, and a little for all else
double linear_columns_work_of_tape(const tape *t) {
    static const double OTHER = 0.1;
    jet_plan *plan = jet_plan_create(t, true);
    double products = 0;
    for (uint32_t i = 0; i < plan->count; i++) switch (plan->operation[i].kind) {
        case JET_MUL:
        case JET_DIV:
        case JET_OVER:
        case JET_POW: products += 1; break;
        case JET_SQUARE:
        case JET_SQRT: products += 0.5; break;
        default: break;
        }
    const double cost = products + OTHER * plan->count;
    jet_plan_free(plan);
    return cost;
}

double linear_columns_work(const linear_columns *w) {
    static const double IN_LANES = 0.25; // of a product: four columns at once
    double moving = 0, varying = 0;
    for (uint32_t c = 0; c < w->columns; c++) moving += w->moves[c];
    for (uint32_t k = 0; k < w->entries; k++) varying += !w->entry[k].fixed;
    return linear_columns_work_of_tape(w->core->rate) + IN_LANES * moving * varying;
}
