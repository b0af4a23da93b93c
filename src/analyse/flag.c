// Flags, at a generic point and at the initial state.
#include "analyse/flag.h"

#include "normal/normal.h"

#include <arb_mat.h>

bool flag_same_growth(const flag *a, const flag *b) {
    bool same = a->levels == b->levels;
    for (uint32_t i = 0; i < a->levels && same; i++) same = a->rank[i] == b->rank[i];
    return same;
}

// --- at a generic point --------------------------------------------------------------------------

// By expressions, where the brackets have no values otherwise.
static flag flag_of_expressions(const directions *d, uint32_t generators, uint32_t full) {
    const uint32_t width = d->width;
    flag c = {.field = arena_array(&d->s->model->ctx->arena, expr, (MOST_FIELDS + 1) * width),
              .count = generators,
              .generators = generators};
    if (generators > MOST_FIELDS) return c;
    for (uint32_t i = 0; i < generators * width; i++) c.field[i] = d->field[i];
    const uint32_t nodes = pool_size(d->s->pool);
    uint32_t rank = points_generic_rank(d->at, c.count, width, c.field), first = 0;
    while (rank >= generators && c.levels < MOST_LEVELS && !c.complete) {
        c.rank[c.levels++] = rank;
        const uint32_t last = c.count;
        for (uint32_t s = 0; s < generators && rank < full; s++)
            for (uint32_t y = first; y < last && rank < full && c.count < MOST_FIELDS; y++) {
                if (pool_size(d->s->pool) - nodes > MOST_NEW_NODES) return c;
                if (y < generators && y <= s) continue; // [X, Y] = -[Y, X]
                directions_bracket(d, c.field + s * width, c.field + y * width,
                                   c.field + c.count * width);
                const uint32_t now = points_generic_rank(d->at, c.count + 1, width, c.field);
                if (now > rank) rank = now, c.count++;
            }
        c.complete = c.count == last;
        first = last;
    }
    return c;
}

// [X_s, Y] for every generator X_s and every Y from `first` to `last`; false if one is too long to
// be tried.
static bool add_brackets(bracket_values *values, uint32_t first, uint32_t last, uint32_t full,
                         bracket *made, flag *c) {
    for (uint32_t s = 0; s < c->generators; s++)
        for (uint32_t y = first; y < last && c->count < full; y++) {
            if (y < c->generators && y <= s) continue; // [X, Y] = -[Y, X]
            made[c->count] = (bracket){s, y};
            const bracket_trial found = bracket_values_try(values, made[c->count]);
            if (found == BRACKET_TOO_LONG) return false;
            c->count += found == BRACKET_ADDED;
        }
    return true;
}

flag flag_generic(const directions *d, uint32_t generators, uint32_t full) {
    bracket_values *values = bracket_values_create(d, generators);
    if (!values) return flag_of_expressions(d, generators, full);
    bracket *made = arena_array(&d->s->model->ctx->arena, bracket, MOST_FIELDS + 1);
    flag c = {.made = made, .count = generators, .generators = generators};
    uint32_t first = 0;
    bool tried = bracket_values_rank(values) == generators;
    while (tried && c.levels < MOST_LEVELS && !c.complete) {
        const uint32_t last = c.rank[c.levels++] = c.count; // each field is independent of the rest
        tried = add_brackets(values, first, last, full, made, &c);
        c.complete = tried && c.count == last;
        first = last;
    }
    bracket_values_free(values);
    return c;
}

bool flag_write_out(const directions *d, flag *f) {
    const uint32_t width = d->width, nodes = pool_size(d->s->pool);
    if (f->field || !f->made) return f->field != NULL;
    expr *field = arena_array(&d->s->model->ctx->arena, expr, (f->count + 1) * width);
    for (uint32_t i = 0; i < f->generators * width; i++) field[i] = d->field[i];
    for (uint32_t i = f->generators; i < f->count; i++) {
        if (pool_size(d->s->pool) - nodes > MOST_NEW_NODES) return false;
        directions_bracket(d, field + f->made[i].left * width, field + f->made[i].right * width,
                           field + i * width);
    }
    f->field = field;
    return true;
}

// X_0 = d/dt, and no direction depends on time
static bool drift_is_time(const directions *d) {
    const uint32_t width = d->width;
    const expr *drift = d->field + (d->fields - 1) * width;
    for (uint32_t i = 0; i + 1 < width; i++)
        if (drift[i] != EXPR_ZERO) return false;
    for (uint32_t i = 0; i < d->fields * width; i++)
        if (expr_depends_on_time(d->s->pool, d->field[i])) return false;
    return true;
}

flag flag_with_drift(const directions *d, const flag *without) {
    if (!drift_is_time(d) || without->count == MOST_FIELDS)
        return flag_generic(d, d->fields, d->width);
    flag c = *without;
    c.made = NULL; // the drift is no bracket
    if (without->field) {
        c.field = arena_array(&d->s->model->ctx->arena, expr, (c.count + 1) * d->width);
        for (uint32_t i = 0; i < c.count * d->width; i++) c.field[i] = without->field[i];
        for (uint32_t i = 0; i < d->width; i++)
            c.field[c.count * d->width + i] = d->field[(d->fields - 1) * d->width + i];
    }
    c.count++;
    for (uint32_t i = 0; i < c.levels; i++) c.rank[i]++;
    return c;
}

// --- at the initial state ------------------------------------------------------------------------

enum { FLAG_BITS = 192, MOST_BRACKETS = 160 };

// The initial state: enclosures of everything, and exact values where they are known.
typedef struct {
    const mechanics *s;
    state here;
    expr *from, *to; // symbols and their exact values
    uint32_t pairs;
    // The exact coordinates satisfy the holonomic constraints exactly, so that the completion did
    // not move them
    bool exact;
} place;

static bool complete_state(place *at) {
    model *m = (model *)at->s->model;
    dependent_constraint *idle =
        arena_array(&m->ctx->arena, dependent_constraint, m->constraints_count);
    uint32_t count = 0;
    state_init(&at->here, m, FLAG_BITS);
    const bool ok = !state_complete(
        &at->here, &(completion_request){.mode = COMPLETE_GENERIC, .zero_defaults = true}, idle,
        &count);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    return ok;
}

static void pair(place *at, expr symbol, expr value) {
    at->from[at->pairs] = symbol;
    at->to[at->pairs++] = value;
}

// Exact values in the order of state_complete(): `initial`, and 0 for what nobody gave.
static void pair_symbols(place *at) {
    const mechanics *s = at->s;
    const model *m = s->model;
    const uint32_t most = s->n + 1 + m->parameters_count;
    at->from = arena_array(&m->ctx->arena, expr, most);
    at->to = arena_array(&m->ctx->arena, expr, most);
    for (uint32_t i = 0; i < s->n; i++) pair(at, s->q[i], EXPR_ZERO);
    pair(at, m->time, m->simulate.from == EXPR_NONE ? EXPR_ZERO : m->simulate.from);
    for (uint32_t i = 0; i < m->initial_count; i++)
        for (uint32_t j = 0; j < at->pairs; j++)
            if (at->from[j] == m->initial[i].symbol) at->to[j] = m->initial[i].value;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE)
            pair(at, m->parameters[i].symbol, m->parameters[i].value);
    expr_resolve(s->pool, at->pairs, at->from, at->to); // a value may use parameters
}

static void exact_values(const place *at, uint32_t count, const expr *in, expr *out) {
    model_concrete(at->s->model, true, count, in, out);
    expr_substitute(at->s->pool, at->pairs, at->from, at->to, count, out, out);
}

static bool is_exact(const place *at) {
    const mechanics *s = at->s;
    const normal_budget budget = normal_budget_default();
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        expr here;
        if (c->order) continue;
        exact_values(at, 1, &c->phi, &here);
        if (normal_is_zero(s->pool, here, &budget) != NORMAL_YES) return false;
    }
    return true;
}

// Enclosures of the vectors at the state; zeros, of which nothing can be proved, if something has
// no value.
static void enclose(place *at, uint32_t rows, uint32_t width, const expr *vectors, arb_mat_t m) {
    expr *concrete = arena_array(&at->s->model->ctx->arena, expr, rows * width);
    model_concrete(at->s->model, true, rows * width, vectors, concrete);
    state_reserve(&at->here);
    program *prog = program_create(at->s->pool, rows * width, concrete);
    arb_ptr value = _arb_vec_init(rows * width);
    if (program_first_unknown(prog, at->here.known) == EXPR_NONE)
        program_run_arb(prog, at->here.value, FLAG_BITS, value);
    arb_mat_init(m, rows, width);
    for (uint32_t i = 0; i < rows * width; i++)
        arb_set(arb_mat_entry(m, i / width, i % width), value + i);
    _arb_vec_clear(value, rows * width);
    program_free(prog);
}

// The largest entry below and right of (k, k) that excludes 0; false if there is none.
static bool find_pivot(const arb_mat_t m, slong rows, slong k, slong *row, slong *column) {
    bool found = false;
    for (slong i = k; i < rows; i++)
        for (slong j = k; j < arb_mat_ncols(m); j++) {
            arb_srcptr x = arb_mat_entry(m, i, j);
            if (arb_contains_zero(x) || !arb_is_finite(x)) continue;
            if (found &&
                arf_cmpabs(arb_midref(x), arb_midref(arb_mat_entry(m, *row, *column))) <= 0)
                continue;
            *row = i, *column = j;
            found = true;
        }
    return found;
}

// A lower bound for the rank of the first rows: elimination with pivots that exclude 0.
static uint32_t proved_rank(const arb_mat_t vectors, slong rows) {
    arb_mat_t m;
    arb_t factor;
    arb_init(factor);
    arb_mat_init(m, arb_mat_nrows(vectors), arb_mat_ncols(vectors));
    arb_mat_set(m, vectors);
    slong rank = 0, row = 0, column = 0;
    for (; find_pivot(m, rows, rank, &row, &column); rank++) {
        arb_mat_swap_rows(m, NULL, rank, row);
        for (slong i = 0; i < rows; i++)
            arb_swap(arb_mat_entry(m, i, rank), arb_mat_entry(m, i, column));
        for (slong i = rank + 1; i < rows; i++) {
            arb_div(factor, arb_mat_entry(m, i, rank), arb_mat_entry(m, rank, rank), FLAG_BITS);
            for (slong j = rank; j < arb_mat_ncols(m); j++)
                arb_submul(arb_mat_entry(m, i, j), factor, arb_mat_entry(m, rank, j), FLAG_BITS);
        }
    }
    arb_mat_clear(m);
    arb_clear(factor);
    return (uint32_t)rank;
}

// Are the brackets that count generically independent here too, on every level? Then the dimensions
// are the same.
static bool is_generic(place *at, uint32_t width, const flag *generic) {
    arb_mat_t m;
    enclose(at, generic->count, width, generic->field, m);
    bool same = true;
    for (uint32_t i = 0; i < generic->levels && same; i++)
        same = proved_rank(m, generic->rank[i]) == generic->rank[i];
    arb_mat_clear(m);
    return same;
}

// An upper bound: exact values of the vectors, ranked in F_p where numbers like sin(1) are free;
// else the generic rank.
static uint32_t bounded_rank(const place *at, points *points_of_model, uint32_t rows,
                             uint32_t width, const expr *vectors, uint32_t generic) {
    if (!at->exact) return generic;
    expr *here = arena_array(&at->s->model->ctx->arena, expr, rows * width);
    exact_values(at, rows * width, vectors, here);
    const uint32_t rank = points_largest_rank(points_of_model, rows, width, here);
    return rank && rank < generic ? rank : generic;
}

// [X_s, Y] for every generator X_s and every Y of the last level, without those that vanish
// identically.
static uint32_t add_level(const directions *d, uint32_t generators, uint32_t first, uint32_t last,
                          expr *field) {
    const uint32_t width = d->width, nodes = pool_size(d->s->pool);
    uint32_t count = last;
    for (uint32_t s = 0; s < generators; s++)
        for (uint32_t y = first; y < last; y++) {
            if (count == MOST_BRACKETS || pool_size(d->s->pool) - nodes > MOST_NEW_NODES)
                return MOST_BRACKETS + 1;
            if (y < generators && y <= s) continue; // [X, Y] = -[Y, X]
            directions_bracket(d, field + s * width, field + y * width, field + count * width);
            if (points_generic_rank(d->at, 1, width, field + count * width)) count++;
        }
    return count;
}

static void climb(const directions *d, uint32_t generators, const flag *generic, place *at,
                  flag *f) {
    const uint32_t width = d->width, goal = generic->rank[generic->levels - 1];
    uint32_t first = 0;
    while (f->levels < MOST_LEVELS && !f->complete) {
        const uint32_t here = f->levels < generic->levels ? generic->rank[f->levels] : goal;
        arb_mat_t m;
        enclose(at, f->count, width, f->field, m);
        const uint32_t low = proved_rank(m, f->count);
        arb_mat_clear(m);
        const uint32_t high =
            low == here ? low : bounded_rank(at, d->at, f->count, width, f->field, here);
        if (low != high) return;
        f->rank[f->levels++] = low;
        f->complete = low == goal;
        if (f->complete) return;
        const uint32_t last = f->count, count = add_level(d, generators, first, last, f->field);
        if (count > MOST_BRACKETS) return;
        // closed: nothing more can appear, and levels that added nothing do not count
        f->complete = count == last;
        while (f->complete && f->levels > 1 && f->rank[f->levels - 1] == f->rank[f->levels - 2])
            f->levels--;
        f->count = count, first = last;
    }
}

flag flag_at_initial_state(const directions *d, uint32_t generators, const flag *generic) {
    flag f = {.field = arena_array(&d->s->model->ctx->arena, expr, (MOST_BRACKETS + 1) * d->width),
              .count = generators,
              .generators = generators};
    if (!generic->complete || !generic->field || generators > MOST_BRACKETS) return f;
    for (uint32_t i = 0; i < generators * d->width; i++) f.field[i] = d->field[i];
    place at = {.s = d->s};
    const bool known = complete_state(&at);
    if (known && is_generic(&at, d->width, generic)) {
        f = *generic;
    } else if (known) {
        pair_symbols(&at);
        at.exact = is_exact(&at);
        climb(d, generators, generic, &at, &f);
    }
    state_clear(&at.here);
    return f;
}
