// First and second derivatives of the start by its data.
#include "study/start_slopes.h"

#include "execute/elimination.h"
#include "execute/variation.h"
#include "model/mechanics.h"

#include <string.h>

enum { BITS = 192 };

// Subjects are all symbols whose changes matter. Along data a and b they change by `along`,
// `across` and in second order `both`: symbols that stand for numbers.
typedef struct {
    const simulation *sim;
    const model *m;
    pool *p;
    arena *arena;
    state x;
    uint32_t data;
    const datum *by;
    bool second;
    uint32_t subjects;
    expr *subject, *along, *across, *both;
    double *change; // of each subject: data, then pairs; change[which * subjects + subject]
} work;

// --- parameters ----------------------------------------------------------------------------------

static bool is_datum(uint32_t count, const datum *by, expr symbol) {
    for (uint32_t a = 0; a < count; a++)
        if (by[a].symbol == symbol) return true;
    return false;
}

followers start_slopes_followers(const model *m, uint32_t count, const datum *by) {
    arena *a = &m->ctx->arena;
    expr *symbol = arena_array(a, expr, m->parameters_count + 1),
         *meaning = arena_array(a, expr, m->parameters_count + 1);
    followers f = {.symbol = symbol, .meaning = meaning};
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        const parameter *q = &m->parameters[i];
        if (q->value == EXPR_NONE || expr_is_number(m->pool, q->value)) continue;
        if (is_datum(count, by, q->symbol)) continue;
        symbol[f.count] = q->symbol, meaning[f.count++] = q->value;
    }
    expr_resolve(m->pool, f.count, symbol, meaning);
    return f;
}

// --- derivatives of functions of the subjects ----------------------------------------------------

static void add_subject(work *w, expr symbol) { w->subject[w->subjects++] = symbol; }

static void list_subjects(work *w) {
    const model *m = w->m;
    const uint32_t most = m->parameters_count + 2 * m->coordinates_count + m->quasis_count + 1;
    w->subject = arena_array(w->arena, expr, 4 * most);
    w->along = w->subject + most, w->across = w->along + most, w->both = w->across + most;
    for (uint32_t i = 0; i < m->parameters_count; i++) add_subject(w, m->parameters[i].symbol);
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        add_subject(w, m->coordinates[i]);
        add_subject(w, expr_symbol_of_order(w->p, m->coordinates[i], 1));
    }
    for (uint32_t i = 0; i < m->quasis_count; i++) add_subject(w, m->quasis[i].symbol);
    for (uint32_t k = 0; k < w->subjects; k++) {
        w->along[k] = expr_symbol(w->p, "change", ROLE_LOCAL);
        w->across[k] = expr_symbol(w->p, "change", ROLE_LOCAL);
        w->both[k] = expr_symbol(w->p, "change", ROLE_LOCAL);
    }
    const uint32_t pairs = w->second ? variation_pairs(w->data) : 0;
    w->change = memory_zeros(double, (size_t)w->subjects *(w->data + pairs) + 1);
}

static uint32_t place_of(const work *w, expr symbol) {
    uint32_t k = 0;
    while (k < w->subjects && w->subject[k] != symbol) k++;
    return k;
}

static double *changes(const work *w, uint32_t which) {
    return w->change + (size_t)which * w->subjects;
}

static void set(work *w, expr symbol, double value) {
    arb_t v;
    arb_init(v);
    arb_set_d(v, value);
    state_set(&w->x, symbol, v);
    arb_clear(v);
}

static void run_at(work *w, const program *prog, uint32_t count, double *out) {
    arb_ptr value = _arb_vec_init(count + 1);
    program_run_arb(prog, w->x.value, w->x.precision, value);
    for (uint32_t i = 0; i < count; i++) out[i] = ball_middle(value + i);
    _arb_vec_clear(value, count + 1);
}

// df along each datum: out[a * count + i]
static void first_order(work *w, uint32_t count, const expr *f, double *out) {
    expr *g = memory_array(expr, count + 1);
    expr_pushforward(w->p, w->subjects, w->subject, w->along, count, f, g);
    state_reserve(&w->x);
    program *prog = program_create(w->p, count, g);
    for (uint32_t a = 0; a < w->data; a++) {
        for (uint32_t k = 0; k < w->subjects; k++) set(w, w->along[k], changes(w, a)[k]);
        run_at(w, prog, count, out + (size_t)a * count);
    }
    program_free(prog);
    memory_free(g);
}

// d2f along each pair of data
static void second_order(work *w, uint32_t count, const expr *f, double *out) {
    const uint32_t n = w->subjects;
    expr *g = memory_array(expr, count + 1), *variable = memory_array(expr, 4 * (size_t)n + 1),
         *direction = variable + 2 * n;
    memcpy(variable, w->subject, sizeof(expr) * n);
    memcpy(variable + n, w->along, sizeof(expr) * n);
    memcpy(direction, w->across, sizeof(expr) * n);
    memcpy(direction + n, w->both, sizeof(expr) * n);
    expr_pushforward(w->p, n, w->subject, w->along, count, f, g);
    expr_pushforward(w->p, 2 * n, variable, direction, count, g, g);
    state_reserve(&w->x);
    program *prog = program_create(w->p, count, g);
    for (uint32_t a = 0; a < w->data; a++)
        for (uint32_t b = a; b < w->data; b++) {
            const uint32_t pair = variation_pair(w->data, a, b);
            for (uint32_t k = 0; k < n; k++) {
                set(w, w->along[k], changes(w, a)[k]);
                set(w, w->across[k], changes(w, b)[k]);
                set(w, w->both[k], changes(w, w->data + pair)[k]);
            }
            run_at(w, prog, count, out + (size_t)pair * count);
        }
    program_free(prog);
    memory_free(g), memory_free(variable);
}

// --- the chain of what follows from what ---------------------------------------------------------

// A subject is the function f of those before it.
static void follow(work *w, expr symbol, expr f) {
    const uint32_t k = place_of(w, symbol), pairs = w->second ? variation_pairs(w->data) : 0;
    for (uint32_t a = 0; a < w->data + pairs; a++) changes(w, a)[k] = 0;
    if (expr_is_number(w->p, f)) return;
    expr concrete;
    model_concrete(w->m, false, 1, &f, &concrete);
    double *out = memory_array(double, w->data + pairs + 1);
    first_order(w, 1, &concrete, out);
    for (uint32_t a = 0; a < w->data; a++) changes(w, a)[k] = out[a];
    if (pairs) second_order(w, 1, &concrete, out);
    for (uint32_t a = 0; a < pairs; a++) changes(w, w->data + a)[k] = out[a];
    memory_free(out);
}

// Changes of the variables X that were solved for, from those of F where X stays: F_X dX = -dF
static void solve(work *w, uint32_t n, const double *matrix, const uint32_t *place, uint32_t rights,
                  const double *of, uint32_t first) {
    double *a = memory_array(double, (size_t)n *n + 1),
           *b = memory_array(double, (size_t)n *rights);
    memcpy(a, matrix, sizeof(double) * n * n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = 0; r < rights; r++) b[i * rights + r] = -of[r * n + i];
    elimination_solve(n, a, rights, b);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t r = 0; r < rights; r++) changes(w, first + r)[place[i]] = b[i * rights + r];
    memory_free(a), memory_free(b);
}

static void solve_stage(work *w, uint32_t order) {
    const state *x = &w->x;
    expr *f = arena_array(w->arena, expr, x->solved_count + 1),
         *variable = arena_array(w->arena, expr, x->solved_count + 1);
    uint32_t *place = arena_array(w->arena, uint32_t, x->solved_count + 1), n = 0;
    for (uint32_t i = 0; i < x->solved_count; i++)
        if (x->solved[i].order == order) {
            f[n] = x->solved[i].function, variable[n] = x->solved[i].variable;
            place[n] = place_of(w, variable[n]), n++;
        }
    if (!n || !w->data) return;
    expr *slope = arena_array(w->arena, expr, n * n);
    expr_jacobian(w->p, n, f, n, variable, slope);
    const double *matrix = state_doubles(&w->x, n * n, slope);
    const uint32_t pairs = w->second ? variation_pairs(w->data) : 0,
                   most = pairs > w->data ? pairs : w->data;
    double *out = memory_array(double, (size_t)n *most + 1);
    first_order(w, n, f, out);
    solve(w, n, matrix, place, w->data, out, 0);
    if (pairs) {
        second_order(w, n, f, out);
        solve(w, n, matrix, place, pairs, out, w->data);
    }
    memory_free(out);
}

static bool is_solved(const work *w, expr symbol) {
    for (uint32_t i = 0; i < w->x.solved_count; i++)
        if (w->x.solved[i].variable == symbol) return true;
    return false;
}

// A value at the start is the expression that was given for it, and what a datum adds to that: the
// derivative by a parameter in it is the same whether the value itself is a datum or not.
static void assign(work *w, uint32_t count, const assignment *list) {
    for (uint32_t i = 0; i < count; i++) {
        const expr symbol = list[i].symbol;
        const uint32_t k = place_of(w, symbol);
        if (k == w->subjects || is_solved(w, symbol)) continue; // t, lambda
        follow(w, symbol, list[i].value);
        for (uint32_t a = 0; a < w->data; a++)
            if (w->by[a].symbol == symbol) changes(w, a)[k] += 1;
    }
}

static bool is_assigned(const work *w, const completion_request *where, expr symbol) {
    for (uint32_t i = 0; i < w->m->initial_count; i++)
        if (w->m->initial[i].symbol == symbol) return true;
    for (uint32_t i = 0; i < where->at_count; i++)
        if (where->at[i].symbol == symbol) return true;
    return false;
}

bool start_slopes_data(const simulation *sim, const completion_request *where, uint32_t *count,
                       const datum **out) {
    const model *m = sim->m;
    work w = {.sim = sim, .m = m, .p = m->pool, .arena = &m->ctx->arena};
    const bool found = state_find(&w.x, m, model_bits(m, BITS), where);
    if (found) list_subjects(&w);
    datum *list = arena_array(w.arena, datum, w.subjects + 1);
    *count = 0, *out = list;
    for (uint32_t i = 0; i < m->parameters_count && found; i++)
        if (m->parameters[i].value != EXPR_NONE && expr_is_number(w.p, m->parameters[i].value))
            list[(*count)++] = (datum){m->parameters[i].symbol, false};
    for (uint32_t k = m->parameters_count; k < w.subjects; k++) {
        const bool is_quasi = expr_as_symbol(w.p, w.subject[k])->role == ROLE_QUASI;
        if (is_quasi ? is_assigned(&w, where, w.subject[k]) : !is_solved(&w, w.subject[k]))
            list[(*count)++] = (datum){w.subject[k], true};
    }
    memory_free(w.change);
    state_clear(&w.x);
    return found;
}

// A value at the start is a datum where nothing else determines it.
static hamel_status check(const work *w, const completion_request *where) {
    for (uint32_t a = 0; a < w->data; a++) {
        const expr symbol = w->by[a].symbol;
        const bool is_quasi =
            expr_as_symbol(w->p, symbol)->role == ROLE_QUASI && !is_assigned(w, where, symbol);
        if (!w->by[a].is_start || (!is_solved(w, symbol) && !is_quasi)) continue;
        diag_error(w->m->ctx, (span){0},
                   "ask for derivatives by what it follows from, or give it in `initial` or --at",
                   "`%s` at the start follows from other values", expr_symbol_text(w->p, symbol));
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

static void find(work *w, const completion_request *where, double *out) {
    const model *m = w->m;
    const ode *o = w->sim->o;
    for (uint32_t a = 0; a < w->data; a++) changes(w, a)[place_of(w, w->by[a].symbol)] = 1;
    const followers f = start_slopes_followers(m, w->data, w->by);
    for (uint32_t i = 0; i < f.count; i++) follow(w, f.symbol[i], f.meaning[i]);
    for (uint32_t i = 0; i < m->guesses_count; i++)
        if (!is_assigned(w, where, m->guesses[i].symbol)) assign(w, 1, &m->guesses[i]);
    assign(w, m->initial_count, m->initial);
    assign(w, where->at_count, where->at);
    solve_stage(w, 0);
    solve_stage(w, 1);
    for (uint32_t i = 0; i < m->quasis_count; i++)
        follow(w, m->quasis[i].symbol, m->quasis[i].definition);
    expr *start = arena_array(w->arena, expr, o->size);
    model_concrete(m, false, o->size, o->start, start);
    first_order(w, o->size, start, out);
    if (w->second) second_order(w, o->size, start, out + (size_t)w->data * o->size);
}

hamel_status start_slopes(const simulation *sim, const completion_request *where, uint32_t count,
                          const datum *by, bool second, double *out) {
    const model *m = sim->m;
    work w = {.sim = sim,
              .m = m,
              .p = m->pool,
              .arena = &m->ctx->arena,
              .data = count,
              .by = by,
              .second = second};
    hamel_status status = state_find(&w.x, m, model_bits(m, BITS), where) ? HAMEL_OK : HAMEL_MODEL;
    if (!status) status = check(&w, where);
    if (!status) {
        list_subjects(&w);
        find(&w, where, out);
        memory_free(w.change);
    }
    state_clear(&w.x);
    return status;
}
