// From a system to that of its first and second derivatives.
#include "execute/variation.h"

#include "execute/linear_columns.h"

#include <string.h>

typedef struct {
    const simulation *of;
    const variation_request *asked;
    pool *p;
    arena *arena;
    uint32_t size, columns, pairs, total;
    expr *state, *rate; // of all
    expr *column;       // of all first columns: state, or 0 where it is 0 for ever
    // the linear system in numbers, where there is one, and that of the slopes of its unknowns
    matrix_system linear[3];
    uint32_t systems;
    expr *slope, *bend; // dx_c, column after column; second ones
} builder;

static void add_symbols(builder *w, uint32_t count, expr *out) {
    for (uint32_t i = 0; i < count; i++) out[i] = expr_symbol(w->p, "slope", ROLE_LOCAL);
}

static expr *copy_with_meanings(const builder *w, uint32_t count, const expr *e) {
    expr *out = arena_array(w->arena, expr, count + 1);
    memcpy(out, e, sizeof(expr) * count);
    expr_substitute(w->p, w->asked->follow_count, w->asked->follow, w->asked->meaning, count, out,
                    out);
    return out;
}

static const expr *column_of(const builder *w, uint32_t c) { return w->column + c * w->size; }
static const expr *pair_of(const builder *w, uint32_t a, uint32_t b) {
    return w->state + (size_t)(1 + w->columns + variation_pair(w->columns, a, b)) * w->size;
}

// What changes and how, for column c: z by Z_c, its parameter by 1, unknowns by their slopes
typedef struct {
    uint32_t count;
    expr *variable, *direction;
} directions;

static void direct(directions *d, expr variable, expr direction) {
    d->variable[d->count] = variable, d->direction[d->count++] = direction;
}

static directions directions_of(const builder *w, uint32_t c) {
    const uint32_t n = w->linear[0].n, most = 2 * (w->size + n) + 1;
    directions d = {.variable = arena_array(w->arena, expr, most),
                    .direction = arena_array(w->arena, expr, most)};
    for (uint32_t i = 0; i < w->size; i++) direct(&d, w->state[i], column_of(w, c)[i]);
    for (uint32_t i = 0; i < n; i++) direct(&d, w->linear[0].unknown[i], w->slope[c * n + i]);
    if (w->asked->by[c] != EXPR_NONE) direct(&d, w->asked->by[c], EXPR_ONE);
    return d;
}

// The same along column b for what was made along column a: Z_a changes by Z_ab
static directions directions_of_pair(const builder *w, uint32_t a, uint32_t b) {
    const uint32_t n = w->linear[0].n;
    directions d = directions_of(w, b);
    for (uint32_t i = 0; i < w->size; i++)
        if (column_of(w, a)[i] != EXPR_ZERO) direct(&d, column_of(w, a)[i], pair_of(w, a, b)[i]);
    for (uint32_t i = 0; i < n; i++)
        direct(&d, w->slope[a * n + i], w->bend[variation_pair(w->columns, a, b) * n + i]);
    return d;
}

static void push(const builder *w, const directions *d, uint32_t count, const expr *f, expr *out) {
    expr_pushforward(w->p, d->count, d->variable, d->direction, count, f, out);
}

// --- what stays 0 --------------------------------------------------------------------------------

// Component i of column c is 0 for ever where it begins so, f_i does not depend on the parameter,
// and only on components that are 0 for ever.
static void leave_out_zeros(builder *w, const expr *f) {
    const uint32_t n = w->size;
    bool *needs = memory_zeros(bool, (size_t)n *n + n), *own = needs + n * n;
    for (uint32_t i = 0; i < n; i++) expr_occurrences(w->p, 1, &f[i], n, w->state, needs + i * n);
    for (uint32_t c = 0; c < w->columns; c++) {
        const double *start = w->asked->start + (size_t)c * n;
        for (uint32_t i = 0; i < n; i++)
            own[i] = start[i] != 0 || (w->asked->by[c] != EXPR_NONE &&
                                       expr_depends_on(w->p, f[i], 1, &w->asked->by[c]));
        for (bool more = true; more;) {
            more = false;
            for (uint32_t i = 0; i < n; i++)
                for (uint32_t j = 0; j < n && !own[i]; j++)
                    if (own[j] && needs[i * n + j]) own[i] = more = true;
        }
        for (uint32_t i = 0; i < n; i++)
            if (!own[i]) w->column[c * n + i] = EXPR_ZERO;
    }
    memory_free(needs);
}

// --- the rates -----------------------------------------------------------------------------------

// Z_c' = A Z_c + df/dv_c with each entry of A = df/dz computed once for all columns
static void by_matrix(const builder *w, const expr *f, expr *out) {
    const uint32_t n = w->size;
    expr *a = memory_array(expr, (size_t)n * n + 1);
    expr_jacobian(w->p, n, f, n, w->state, a);
    for (uint32_t c = 0; c < w->columns; c++)
        for (uint32_t i = 0; i < n; i++) {
            const expr own =
                w->asked->by[c] == EXPR_NONE ? EXPR_ZERO : expr_diff(w->p, f[i], w->asked->by[c]);
            out[c * n + i] =
                expr_add(w->p, own, expr_dot(w->p, n, a + (size_t)i * n, column_of(w, c)));
        }
    memory_free(a);
}

static void by_columns(const builder *w, const expr *f, expr *out) {
    for (uint32_t c = 0; c < w->columns; c++) {
        const directions d = directions_of(w, c);
        push(w, &d, w->size, f, out + c * w->size);
    }
}

static tape *tape_of(const builder *w, uint32_t count, const expr *e) {
    return tape_create_with(w->p, w->total, w->state, w->of->m->time, w->of->parameter_count,
                            w->of->parameter, w->systems, w->linear, count, e);
}

static double work_of(const builder *w, const expr *rate) {
    tape *t = tape_of(w, w->total, rate);
    const double work = linear_columns_work_of_tape(t);
    tape_free(t);
    return work;
}

// Of the two equal ways the one that costs less
static void first_order(builder *w, const expr *f) {
    enum { LARGE = 20000 }; // operations, beyond which their number decides
    const uint32_t count = w->size * w->columns;
    expr *out = w->rate + w->size;
    by_columns(w, f, out);
    if (w->systems || !count) return;
    expr *other = memory_zeros(expr, w->total);
    memcpy(other, f, sizeof(expr) * w->size);
    by_matrix(w, f, other + w->size);
    const uint32_t one = program_operations(w->p, w->size + count, w->rate),
                   two = program_operations(w->p, w->size + count, other);
    const bool by_number = one > LARGE || two > LARGE;
    if (by_number ? two < one : work_of(w, other) < work_of(w, w->rate))
        memcpy(out, other + w->size, sizeof(expr) * count);
    memory_free(other);
}

static void second_order(builder *w, const expr *f) {
    expr *first = arena_array(w->arena, expr, w->size + 1);
    for (uint32_t a = 0; a < w->columns; a++) {
        const directions along = directions_of(w, a);
        push(w, &along, w->size, f, first);
        for (uint32_t b = a; b < w->columns; b++) {
            const directions d = directions_of_pair(w, a, b);
            push(w, &d, w->size, first, w->rate + (pair_of(w, a, b) - w->state));
        }
    }
}

// --- a linear system in numbers ------------------------------------------------------------------

// A x = r gives A dx = dr - dA x: the same matrix, a column for each Z
static void right_of_columns(const builder *w, const matrix_system *s, expr *right) {
    const uint32_t n = s->n;
    expr *of_row = arena_array(w->arena, expr, n + 1);
    for (uint32_t c = 0; c < w->columns; c++) {
        directions d = directions_of(w, c);
        push(w, &d, n, s->right, right + c * n);
        for (uint32_t i = 0; i < n; i++) {
            push(w, &d, n, s->matrix + i * n, of_row);
            right[c * n + i] =
                expr_sub(w->p, right[c * n + i], expr_dot(w->p, n, of_row, s->unknown));
        }
    }
}

// A d2x = what is left of d(dr - dA x - A dx) without it
static void right_of_pairs(const builder *w, const matrix_system *s, const expr *first,
                           expr *right) {
    const uint32_t n = s->n;
    expr *row = arena_array(w->arena, expr, n + 1);
    for (uint32_t a = 0; a < w->columns; a++)
        for (uint32_t b = a; b < w->columns; b++) {
            const uint32_t at = variation_pair(w->columns, a, b);
            directions d = directions_of_pair(w, a, b);
            push(w, &d, n, first + a * n, right + at * n);
            d = directions_of(w, b);
            for (uint32_t i = 0; i < n; i++) {
                push(w, &d, n, s->matrix + i * n, row);
                right[at * n + i] =
                    expr_sub(w->p, right[at * n + i], expr_dot(w->p, n, row, w->slope + a * n));
            }
        }
}

static void take_system(builder *w) {
    const matrix_system *s = &w->of->o->system;
    if (!s->n || !w->columns) return;
    const uint32_t n = s->n, pairs = w->pairs;
    w->linear[0] = *s;
    w->linear[0].matrix = copy_with_meanings(w, n * n, s->matrix);
    w->linear[0].right = copy_with_meanings(w, n, s->right);
    w->slope = arena_array(w->arena, expr, n * w->columns);
    w->bend = arena_array(w->arena, expr, n * pairs + 1);
    add_symbols(w, n * w->columns, w->slope), add_symbols(w, n * pairs, w->bend);
    expr *right = arena_array(w->arena, expr, n * w->columns);
    right_of_columns(w, &w->linear[0], right);
    w->linear[1] = w->linear[0];
    w->linear[1].columns = w->columns, w->linear[1].right = right, w->linear[1].unknown = w->slope;
    w->systems = 2;
    if (!pairs) return;
    expr *more = arena_array(w->arena, expr, n * pairs);
    right_of_pairs(w, &w->linear[0], right, more);
    w->linear[2] = w->linear[0];
    w->linear[2].columns = pairs, w->linear[2].right = more, w->linear[2].unknown = w->bend;
    w->systems = 3;
}

// --- the system ----------------------------------------------------------------------------------

// q', dq' of each column, and second ones
static tape *velocities(const builder *w) {
    const mechanics *s = w->of->eq->system;
    const uint32_t sets = 1 + w->columns + w->pairs;
    expr *out = arena_array(w->arena, expr, (size_t)s->n * sets + 1),
         *next = out + (size_t)s->n * (1 + w->columns);
    ode_open_expressions(w->of->o, s->n, s->qd, out);
    memcpy(out, copy_with_meanings(w, s->n, out), sizeof(expr) * s->n);
    for (uint32_t c = 0; c < w->columns; c++) {
        const directions d = directions_of(w, c);
        push(w, &d, s->n, out, out + (1 + c) * s->n);
    }
    for (uint32_t a = 0; a < w->columns && w->pairs; a++)
        for (uint32_t b = a; b < w->columns; b++, next += s->n) {
            const directions d = directions_of_pair(w, a, b);
            push(w, &d, s->n, out + (1 + a) * s->n, next);
        }
    return tape_of(w, s->n * sets, out);
}

static builder builder_of(const simulation *of, const variation_request *asked) {
    return (builder){.of = of,
                     .asked = asked,
                     .p = of->m->pool,
                     .arena = &of->m->ctx->arena,
                     .size = of->o->size,
                     .columns = asked->columns,
                     .pairs = asked->second ? variation_pairs(asked->columns) : 0};
}

// Where the same numbers cost less from the entries of df/dz and df/dv
static void take_apart(const builder *w, const expr *f, simulation *sim) {
    linear_columns *apart = linear_columns_create(w->of, f, w->columns, w->column, w->asked->by);
    if (linear_columns_work(apart) < linear_columns_work_of_tape(sim->rate)) sim->linear = apart;
    else linear_columns_free(apart);
}

simulation *variation_create(const simulation *of, const variation_request *asked) {
    const ode *o = of->o;
    builder w = builder_of(of, asked);
    w.total = w.size * (1 + w.columns + w.pairs);
    w.state = arena_array(w.arena, expr, w.total), w.rate = arena_array(w.arena, expr, w.total);
    memcpy(w.state, o->state, sizeof(expr) * w.size);
    add_symbols(&w, w.total - w.size, w.state + w.size);
    w.column = arena_array(w.arena, expr, w.size * w.columns + 1);
    memcpy(w.column, w.state + w.size, sizeof(expr) * w.size * w.columns);
    if (asked->start && !asked->second)
        leave_out_zeros(&w, copy_with_meanings(&w, w.size, o->rate));
    take_system(&w);
    const expr *f = copy_with_meanings(&w, w.size, w.systems ? o->open_rate : o->rate);
    memcpy(w.rate, f, sizeof(expr) * w.size);
    first_order(&w, f);
    if (asked->second) second_order(&w, f);
    ode *all = arena_new(w.arena, ode);
    *all = (ode){.eq = o->eq, .size = w.total, .state = w.state, .rate = w.rate};
    simulation *sim = arena_new(w.arena, simulation);
    *sim = (simulation){.m = of->m,
                        .eq = of->eq,
                        .o = all,
                        .parameter_count = of->parameter_count,
                        .parameter = of->parameter,
                        .parameter_value = of->parameter_value,
                        .stated_count = of->stated_count,
                        .t0 = of->t0,
                        .rank_changes = of->rank_changes,
                        .leading = of};
    sim->z0 = arena_array(w.arena, double, w.total);
    memcpy(sim->z0, of->z0, sizeof(double) * w.size);
    sim->exact = of->exact;
    sim->rate = tape_of(&w, w.total, w.rate);
    sim->columns = velocities(&w);
    if (!w.systems && !asked->second) take_apart(&w, f, sim);
    return sim;
}

// --- functions along the motion ------------------------------------------------------------------

tape *variation_tape(const simulation *of, const simulation *all, const variation_request *asked,
                     uint32_t count, const expr *g) {
    const ode *o = of->o;
    builder w = builder_of(of, asked);
    w.total = all->o->size;
    w.state = (expr *)all->o->state, w.column = w.state + o->size;
    const uint32_t sets = 2 + w.columns + w.pairs;
    expr *out = arena_array(w.arena, expr, (size_t)count * sets + 1), *next = out + 2 * count;
    memcpy(out, copy_with_meanings(&w, count, g), sizeof(expr) * count);
    directions along = {.variable = arena_array(w.arena, expr, w.size + 1),
                        .direction = arena_array(w.arena, expr, w.size + 1)};
    const expr *f = copy_with_meanings(&w, w.size, o->rate);
    for (uint32_t i = 0; i < w.size; i++) direct(&along, w.state[i], f[i]);
    direct(&along, of->m->time, EXPR_ONE);
    push(&w, &along, count, out, out + count);
    for (uint32_t c = 0; c < w.columns; c++, next += count) {
        const directions d = directions_of(&w, c);
        push(&w, &d, count, out, next);
    }
    for (uint32_t a = 0; a < w.columns && w.pairs; a++)
        for (uint32_t b = a; b < w.columns; b++, next += count) {
            const directions d = directions_of_pair(&w, a, b);
            push(&w, &d, count, out + (2 + a) * count, next);
        }
    return tape_of(&w, count * sets, out);
}
