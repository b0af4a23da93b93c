// One attempt to find a steady motion, from a state to a zero of the equations, and attempts from
// states around it.
#include "study/steady_search.h"

#include <arb_mat.h>
#include <math.h>

// Numbers that are 0 but for rounding, at the working precision
static const double VANISHED = 1e-40;

// A symmetry leaves a state where it is if it moves it by no more: a motion that was found; a state
// where Newton's method was given up
static const double FIXED = 1e-16, NEARLY_FIXED = 1e-4;

void steady_search_solve(steady_search *r, bool here) {
    steady_problem *w = r->w;
    r->result.row = arena_array(w->arena, uint32_t, r->rows.functions + 1);
    r->result.column = arena_array(w->arena, uint32_t, r->rows.functions + 1);
    const newton_problem problem = {.functions = r->rows.functions,
                                    .variables = w->unknowns,
                                    .function = r->rows.function,
                                    .variable = w->unknown,
                                    .fixed = r->rank,
                                    .patient = r->persistent};
    if (here) constraint_newton_solve_here(&r->out->x, &problem, &r->result);
    else constraint_newton_solve(&r->out->x, &problem, &r->result);
}

// All rows vanish there, also those that were not solved.
bool steady_search_all_vanish(steady_search *r) {
    const steady_problem *w = r->w;
    state *x = &r->out->x;
    uint32_t count;
    arb_ptr v = steady_rows_values(w, x, &count);
    bool zero = true;
    arb_t near;
    arb_init(near);
    for (uint32_t i = 0; i < count; i++) {
        arb_set(near, v + i);
        arb_add_error_2exp_si(near, -x->precision / 2);
        zero = zero && arb_is_finite(near) && arb_contains_zero(near);
    }
    arb_clear(near);
    _arb_vec_clear(v, count);
    return zero;
}

// Is det of the matrix not 0 over the balls of the state?
bool steady_search_is_regular(steady_search *r, uint32_t size, const expr *matrix) {
    state *x = &r->out->x;
    program *prog = program_create(r->w->p, size * size, matrix);
    arb_ptr v = _arb_vec_init(size * size);
    program_run_arb(prog, x->value, x->precision, v);
    arb_mat_t a;
    arb_t det;
    arb_mat_init(a, size, size), arb_init(det);
    for (uint32_t i = 0; i < size * size; i++) arb_set(arb_mat_entry(a, i / size, i % size), v + i);
    arb_mat_det(det, a, x->precision);
    const bool regular = !arb_contains_zero(det);
    arb_mat_clear(a), arb_clear(det);
    _arb_vec_clear(v, size * size);
    program_free(prog);
    return regular;
}

// The rows that were not pivots
bool steady_search_rows_follow(const steady_search *r) {
    return r->result.rank == r->rows.functions ||
           steady_zeros_prove(r->w, &r->rows, &r->result, r->rank, &r->out->x) ||
           steady_follow_prove(r->w, &r->rows, &r->result, r->rank, &r->out->x);
}

void steady_search_remove_rounding(const steady_search *r, state *x) {
    for (uint32_t j = 0; j < r->w->unknowns; j++) {
        arb_ptr v = state_get(x, r->w->unknown[j]);
        arb_get_mid_arb(v, v);
        if (fabs(ball_middle(v)) < VANISHED) arb_zero(v);
    }
}

// Forces that fade away vanish to all digits far enough out, where there is no motion.
static bool has_run_away(const steady_search *r, const state *from) {
    static const double FAR = 1e9; // relative to where the search began
    for (uint32_t j = 0; j < r->w->unknowns; j++) {
        const double before = ball_middle(state_get((state *)from, r->w->unknown[j])),
                     now = ball_middle(state_get(&r->out->x, r->w->unknown[j]));
        if (fabs(now) > FAR * (1 + fabs(before))) return true;
    }
    return false;
}

// The motion that was found, with what was not solved for where it was
static void put_back(const steady_search *r, const state *from, state *to) {
    const steady_problem *w = r->w;
    bool *solved = memory_zeros(bool, w->unknowns);
    for (uint32_t i = 0; i < r->result.rank; i++) solved[r->result.column[i]] = true;
    state_clear(to);
    state_copy_midpoints(&r->out->x, from->precision, to);
    for (uint32_t j = 0; j < 2 * w->s->n; j++)
        if (!solved[j]) state_set(to, w->unknown[j], state_get((state *)from, w->unknown[j]));
    memory_free(solved);
}

// Newton's method from where it is; what was before comes back where that proves nothing
static bool solve_again(steady_search *r, bool generic, state *at) {
    const steady_search before = *r;
    state kept = r->out->x;
    r->out->x = *at;
    r->rows = steady_rows_choose(r->w, &r->out->x, generic);
    steady_search_solve(r, true);
    const bool good = r->result.converged && r->result.verified && steady_search_all_vanish(r);
    if (good) state_clear(&kept);
    else {
        state_clear(&r->out->x);
        *r = before;
        r->out->x = kept;
    }
    return good;
}

// What is 0 but for rounding makes a pivot of noise: with zeros instead rows that are dependent at
// the motion are seen to be so. What need not be solved for there goes back to where it was.
static void settle(steady_search *r, const state *from, bool generic) {
    steady_motion *out = r->out;
    state at;
    state_copy_midpoints(&out->x, out->x.precision, &at);
    steady_search_remove_rounding(r, &at);
    if (!solve_again(r, generic, &at)) return;
    state_copy(&out->x, out->x.precision, &at);
    put_back(r, from, &at);
    steady_search_remove_rounding(r, &at);
    solve_again(r, generic, &at);
}

// The guess, `at_rest`: with no reactions and the speeds that fit best; then the rows solved, and
// looked at
void steady_search_attempt(steady_search *r, const state *from, bool at_rest, bool generic) {
    steady_motion *out = r->out;
    if (out->x.model) state_clear(&out->x);
    state_copy(from, from->precision, &out->x);
    state_reserve(&out->x);
    if (at_rest) steady_rows_guess_speeds(r->w, &out->x);
    r->rows = steady_rows_choose(r->w, &out->x, generic);
    steady_search_solve(r, r->scattered);
    out->found = r->result.converged && steady_search_all_vanish(r) && !has_run_away(r, from);
    if (out->found && !r->result.multiple &&
        (!r->result.verified || r->result.rank < r->rows.functions))
        settle(r, from, generic);
    if (out->found) steady_search_hold_isotropy(r, generic, FIXED);
    else if (r->persistent) steady_search_hold_isotropy(r, generic, NEARLY_FIXED);
    if (out->found && r->persistent) // not at a pole of the coordinates
        out->found = steady_search_is_regular(r, r->w->s->n + r->w->s->k, r->w->inertia);
}

// --- further off ---------------------------------------------------------------------------------

// Between -1 and 1, spread evenly: the fractional part of (start + 1) (golden ratio)^(place + 1)
static double spread(uint32_t start, uint32_t place) {
    const double golden = 0.6180339887498949, step = fmod(golden * (place + 1) + 0.137, 1);
    return 2 * fmod((start + 1) * step, 1) - 1;
}

// Coordinates and velocities that were not asked for, moved by up to `distance` times 1 + |value|
static void scatter(const steady_search *r, uint32_t start, double distance, const state *from,
                    state *to) {
    state_copy(from, from->precision, to);
    for (uint32_t j = 0; j < 2 * r->w->s->n; j++) {
        arb_ptr v = state_get(to, r->w->unknown[j]);
        const double value = ball_middle(v);
        if (r->rank[j] < STANDS_ASKED)
            arb_set_d(v, value + distance * (1 + fabs(value)) * spread(start, j));
    }
}

static bool is_near(const steady_search *r, const state *from) {
    static const double MOST = 10; // times 1 + |value|
    for (uint32_t j = 0; j < r->w->s->n; j++) {
        const double before = ball_middle(state_get((state *)from, r->w->unknown[j])),
                     now = ball_middle(state_get(&r->out->x, r->w->unknown[j]));
        if (fabs(now - before) > MOST * (1 + fabs(before))) return false;
    }
    return true;
}

// Where nothing is found from the state itself: from states around it, the nearest first. Poles of
// the coordinates attract Newton's method and do not count.
void steady_search_around(steady_search *r, const state *from, const completion_request *guess,
                          uint8_t *rank) {
    enum { STARTS = 12 };
    steady_rows_rank_unknowns(r->w, guess, STANDS_ASKED, rank);
    for (uint32_t i = 0; i < STARTS && !r->out->found; i++) {
        state near;
        scatter(r, i, i < STARTS / 3 ? 0.25 : i < 2 * STARTS / 3 ? 1 : 4, from, &near);
        r->persistent = false, r->scattered = true;
        steady_search_attempt(r, &near, true, true);
        if (r->out->found) { // what need not move goes back
            put_back(r, from, &near);
            steady_search_attempt(r, &near, false, true);
        }
        state_clear(&near);
        r->out->found = r->out->found && !r->result.multiple && is_near(r, from) &&
                        steady_search_is_regular(r, r->w->s->n + r->w->s->k, r->w->inertia);
    }
}
