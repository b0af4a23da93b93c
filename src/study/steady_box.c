// All steady motions in a box: what is solved for and what is held, the motions found, their order.
#include "study/steady_box.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Two motions that are not enclosed count as one within this, relative to 1 + |value|
static const double SAME = 1e-5;

// --- what is solved for --------------------------------------------------------------------------

static const steady_range *range_of(uint32_t count, const steady_range *range, expr symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (range[i].symbol == symbol) return &range[i];
    return NULL;
}

static void set_to(state *x, expr symbol, double value) {
    arb_t v;
    arb_init(v);
    arb_set_d(v, value);
    state_set(x, symbol, v);
    arb_clear(v);
}

// What it costs to solve for an unknown: nothing for multipliers, speeds and quasi-velocities that
// nobody gave, then come other values that nobody gave, those with a range, those of `initial`.
static double price(const box_search *b, uint8_t standing, uint32_t j) {
    const mechanics *s = b->w->s;
    if (range_of(b->ranges, b->range, b->w->unknown[j])) return j < s->n ? 0.25 : 0.5;
    return standing > STANDS_OPEN ? standing : j >= 2 * s->n || !standing ? 0 : 0.1;
}

// As many unknowns as the rows determine, at a generic point of the box
static void choose_solved(box_search *b, uint8_t *standing) {
    const steady_problem *w = b->w;
    state x;
    state_copy(&b->out->x, b->out->x.precision, &x);
    state_reserve(&x);
    for (uint32_t r = 0; r < b->ranges; r++) {
        const double golden = fmod(0.6180339887498949 * (r + 1), 1);
        set_to(&x, b->range[r].symbol,
               b->range[r].low + (b->range[r].high - b->range[r].low) * golden);
    }
    for (uint32_t j = w->s->n; j < 2 * w->s->n; j++) // rest is no generic velocity
        if (standing[j] == STANDS_OPEN && arb_contains_zero(state_get(&x, w->unknown[j])))
            set_to(&x, w->unknown[j], 0.71 + 0.13 * (j % 5));
    steady_rows_guess_speeds(w, &x);
    for (uint32_t nu = 0; nu < w->s->k; nu++) set_to(&x, w->s->multiplier[nu], 0.83 + 0.17 * nu);
    const steady_rows rows = steady_rows_choose(w, &x, true);
    const uint32_t f = rows.functions, n = w->unknowns;
    expr *slope = arena_array(w->arena, expr, f * n + 1);
    expr_jacobian(w->p, f, rows.function, n, w->unknown, slope);
    state_reserve(&x);
    double *v = state_doubles(&x, f * n, slope), *cost = memory_array(double, (size_t)f *n + 1);
    uint32_t *row = memory_array(uint32_t, f + n), *column = memory_array(uint32_t, f + n);
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t i = 0; i < f; i++) {
            cost[i * n + j] = price(b, standing[j], j);
            if (!isfinite(v[i * n + j]) || standing[j] == STANDS_ASKED) v[i * n + j] = 0;
        }
        b->out->use[j] = UNKNOWN_HELD;
    }
    const uint32_t rank = pivots_choose(f, n, v, cost, 1e-6, row, column);
    for (uint32_t i = 0; i < rank; i++)
        b->out->use[column[i]] =
            range_of(b->ranges, b->range, w->unknown[column[i]]) ? UNKNOWN_RANGED : UNKNOWN_OTHER;
    memory_free(cost), memory_free(row), memory_free(column);
    state_clear(&x);
}

// Ranges of what is not solved for: the motions form a family, and its middle is looked at
static void hold_parameters(box_search *b, uint32_t ranges, const steady_range *range) {
    const steady_problem *w = b->w;
    steady_motions *out = b->out;
    steady_range *kept = arena_array(w->arena, steady_range, ranges + 1);
    expr *held = arena_array(w->arena, expr, ranges + 1);
    b->ranges = 0;
    for (uint32_t r = 0; r < ranges; r++) {
        bool solved = false;
        for (uint32_t j = 0; j < w->unknowns; j++)
            solved = solved || (w->unknown[j] == range[r].symbol && out->use[j] == UNKNOWN_RANGED);
        if (solved) kept[b->ranges++] = range[r];
        else {
            held[out->held_count++] = range[r].symbol;
            set_to(&b->out->x, range[r].symbol, range[r].low / 2 + range[r].high / 2);
        }
    }
    b->range = kept, out->held = held;
}

// --- motions -------------------------------------------------------------------------------------

// `proved`: x is enclosed
static bool inside(const box_search *b, const state *x, bool proved) {
    bool in = true;
    arb_t range;
    arb_init(range);
    for (uint32_t r = 0; r < b->ranges; r++) {
        arf_t low, high;
        arf_init(low), arf_init(high);
        arf_set_d(low, b->range[r].low), arf_set_d(high, b->range[r].high);
        arb_set_interval_arf(range, low, high, 128);
        // a motion that is not enclosed is known to about half of the digits
        arb_srcptr v = state_get((state *)x, b->range[r].symbol);
        arb_t at;
        arb_init(at);
        arb_set(at, v);
        if (!proved) arb_add_error_2exp_si(at, -60);
        in = in && arb_overlaps(at, range);
        arb_clear(at);
        arf_clear(low), arf_clear(high);
    }
    arb_clear(range);
    return in;
}

// Are all unknowns that may differ the same?
static bool same(const box_search *b, const steady_motion *x, const state *y, double tolerance) {
    for (uint32_t j = 0; j < b->w->unknowns; j++) {
        if (b->out->use[j] == UNKNOWN_HELD) continue;
        const expr e = b->w->unknown[j];
        const double u = ball_middle(state_get((state *)&x->x, e)),
                     v = ball_middle(state_get((state *)y, e));
        if (!(fabs(u - v) <= tolerance * (1 + fabs(u)))) return false;
    }
    return true;
}

// Balls of two proved motions that do not overlap are two; else they are one
static bool is_known(const box_search *b, const state *x, const steady_motion *as) {
    for (uint32_t i = 0; i < b->out->count; i++) {
        const steady_motion *m = &b->out->motion[i];
        const double tolerance = as && as->proved && m->proved ? 1e-25 : as ? SAME : 1e-7;
        if (same(b, m, x, tolerance)) return true;
    }
    return false;
}

bool steady_box_add(box_search *b, const state *near) {
    if (is_known(b, near, NULL)) return false;
    steady_motion m;
    steady_motion_find_near(b->w, b->rank, near, &m);
    // Newton's method must have stayed with what it was given: held values as they were
    bool good = m.found && inside(b, &m.x, m.proved) && !is_known(b, &m.x, &m);
    for (uint32_t j = 0; j < b->w->unknowns && good; j++)
        if (b->out->use[j] == UNKNOWN_HELD)
            good = arb_overlaps(state_get(&m.x, b->w->unknown[j]),
                                state_get(&b->out->x, b->w->unknown[j]));
    if (!good) {
        // Newton's method went along a family, or nowhere
        if (inside(b, near, false) && !(m.found && same(b, &m, near, SAME))) b->out->loose++;
        steady_motion_clear(&m);
        return false;
    }
    steady_motions *out = b->out;
    steady_motion *list = memory_array(steady_motion, out->count + 1);
    if (out->count) memcpy(list, out->motion, sizeof *list * out->count);
    memory_free(out->motion);
    list[out->count++] = m;
    out->motion = list;
    return true;
}

// By the values of the ranged unknowns, then of all others
static int compare(const box_search *b, steady_motion *x, steady_motion *y) {
    for (uint32_t j = 0; j < b->ranges + b->w->unknowns; j++) {
        const expr e = j < b->ranges ? b->range[j].symbol : b->w->unknown[j - b->ranges];
        const arb_srcptr u = state_get(&x->x, e), v = state_get(&y->x, e);
        if (!arb_overlaps(u, v)) return arf_cmp(arb_midref(u), arb_midref(v));
    }
    return 0;
}

static void sort(const box_search *b) {
    steady_motion *m = b->out->motion;
    for (uint32_t i = 1; i < b->out->count; i++)
        for (uint32_t j = i; j && compare(b, &m[j - 1], &m[j]) > 0; j--) {
            const steady_motion swap = m[j];
            m[j] = m[j - 1], m[j - 1] = swap;
        }
}

// --- the whole -----------------------------------------------------------------------------------

enum { MOST_SEARCHED = 5 }; // unknowns of a complete search

// Nothing is left to search: all that is not held stood linearly in the equations, and a motion
// that is proved is the only one; or an equation does not hold.
static void look_at_point(const box_search *b, const steady_reduced *r) {
    if (b->out->count == 1 || b->out->reason) return;
    b->out->reason = "no motion was found, and none is excluded";
    program *prog = program_create(b->w->p, r->rows, r->row);
    arb_ptr v = _arb_vec_init(r->rows + 1);
    program_run_arb(prog, b->out->x.value, b->out->x.precision, v);
    for (uint32_t i = 0; i < r->rows; i++)
        if (arb_is_finite(v + i) && !arb_contains_zero(v + i)) b->out->reason = NULL;
    _arb_vec_clear(v, r->rows + 1);
    program_free(prog);
}

static void prove(box_search *b) {
    const steady_problem *w = b->w;
    steady_motions *out = b->out;
    state over; // balls over the ranges
    state_copy(&b->out->x, 128, &over);
    for (uint32_t r = 0; r < b->ranges; r++) {
        arf_t low, high;
        arf_init(low), arf_init(high);
        arf_set_d(low, b->range[r].low), arf_set_d(high, b->range[r].high);
        arb_set_interval_arf(state_get(&over, b->range[r].symbol), low, high, 128);
        arf_clear(low), arf_clear(high);
    }
    const steady_reduced reduced = steady_reduce(w, out->use, &over);
    state_clear(&over);
    out->unknowns = reduced.unknowns, out->unknown = reduced.unknown;
    if (reduced.left != EXPR_NONE)
        out->reason =
            arena_format(w->arena, "%s has no range and does not stand linearly in the equations",
                         expr_symbol_text(w->p, reduced.left));
    if (reduced.unknowns > MOST_SEARCHED)
        out->reason =
            arena_format(w->arena, "%u unknowns are more than are searched completely (%d)",
                         reduced.unknowns, MOST_SEARCHED);
    else if (!reduced.unknowns) look_at_point(b, &reduced);
    else if (reduced.rows < reduced.unknowns)
        out->reason = "too few equations are left to search the box with";
    else steady_box_prove(b, &reduced);
    if (out->reason && out->loose && !out->count)
        out->reason = "there are motions that are not isolated, of a family or at a multiple root: "
                      "give more values with --at";
    for (uint32_t i = 0; i < out->count && !out->reason; i++)
        if (!out->motion[i].proved && !out->motion[i].exact)
            out->reason = "a motion in it is not proved to exist";
    out->complete = !out->reason;
}

void steady_box_search(steady_problem *w, const completion_request *guess, const state *from,
                       uint32_t ranges, const steady_range *range, steady_motions *out) {
    *out = (steady_motions){.problem = w, .use = arena_array(w->arena, unknown_use, w->unknowns)};
    box_search b = {.w = w, .guess = guess, .ranges = ranges, .range = range, .out = out};
    b.rank = arena_array(w->arena, uint8_t, w->unknowns);
    state_copy(from, from->precision, &out->x);
    state_reserve(&out->x);
    steady_rows_guess_speeds(w, &out->x);
    uint8_t *standing = arena_array(w->arena, uint8_t, w->unknowns);
    steady_rows_rank_unknowns(w, guess, STANDS_STATED, standing);
    choose_solved(&b, standing);
    hold_parameters(&b, ranges, range);
    for (uint32_t j = 0; j < w->unknowns; j++)
        b.rank[j] = out->use[j] == UNKNOWN_HELD ? STANDS_ASKED : STANDS_NOT;
    steady_starts_open(&b);
    steady_box_start(&b);
    prove(&b);
    steady_starts_close(&b);
    sort(&b);
}

void steady_motions_clear(steady_motions *m) {
    for (uint32_t i = 0; i < m->count; i++) steady_motion_clear(&m->motion[i]);
    memory_free(m->motion), memory_free(m->box);
    if (m->x.model) state_clear(&m->x);
}
