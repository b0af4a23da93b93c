// Steady motions: zeros of the equations of steady_problem.h near a guess, enclosed by Newton's
// method in balls, and the motions around them.
#include "model/constraint_newton.h"
#include "study/steady_problem.h"

#include <arb_mat.h>
#include <math.h>
#include <string.h>

// Numbers that are 0 but for rounding, at the working precision
static const double VANISHED = 1e-40;
// A symmetry leaves a state where it is if it moves it by no more: a motion that was found; a state
// where Newton's method was given up
static const double FIXED = 1e-16, NEARLY_FIXED = 1e-4;

// --- a motion ------------------------------------------------------------------------------------

typedef struct {
    steady_problem *w;
    steady_motion *out;
    steady_rows rows;
    const uint8_t *rank; // how firmly each unknown stands
    bool persistent;     // nothing was found without looking closer
    bool scattered;      // one of many starts
    newton_result result;
} search;

static void solve(search *r, bool here) {
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
static bool all_vanish(search *r) {
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
static bool is_regular(search *r, uint32_t size, const expr *matrix) {
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

// The rows that were left out follow from the others where the identities are independent there:
// det w_ij over the rows j left out is not 0.
static bool left_out_rows_follow(search *r) {
    const steady_problem *w = r->w;
    const uint32_t n = w->s->n, count = r->rows.left_outs;
    expr *block = arena_array(w->arena, expr, count * count + 1);
    bool generic = false;
    for (uint32_t i = 0; i < count; i++) {
        generic = generic || w->generic[r->rows.identity[i]];
        for (uint32_t j = 0; j < count; j++)
            block[i * count + j] = w->identity[r->rows.identity[i] * n + r->rows.left_out[j]];
    }
    return (!count || is_regular(r, count, block)) &&
           (!generic || !w->block_size || is_regular(r, w->block_size, w->block));
}

// Forces that fade away vanish to all digits far enough out, where there is no motion.
static bool has_run_away(const search *r, const state *from) {
    static const double FAR = 1e9; // relative to where the search began
    for (uint32_t j = 0; j < r->w->unknowns; j++) {
        const double before = ball_middle(state_get((state *)from, r->w->unknown[j])),
                     now = ball_middle(state_get(&r->out->x, r->w->unknown[j]));
        if (fabs(now) > FAR * (1 + fabs(before))) return true;
    }
    return false;
}

// --- the motions around it -----------------------------------------------------------------------

// d(solved)/d(others) = -J_solved^-1 J_others, from the rows that were solved
static bool find_directions(search *r) {
    steady_problem *w = r->w;
    const mechanics *s = w->s;
    steady_motion *out = r->out;
    const uint32_t rank = r->result.rank, count = w->unknowns, open = count - rank;
    const uint32_t n = s->n, height = 2 * n + s->m + w->also_count;
    expr *slope = arena_array(w->arena, expr, r->rows.functions * count + 1);
    expr_jacobian(w->p, r->rows.functions, r->rows.function, count, w->unknown, slope);
    program *prog = program_create(w->p, r->rows.functions * count, slope);
    arb_ptr v = _arb_vec_init(r->rows.functions * count);
    program_run_arb(prog, out->x.value, out->x.precision, v);
    uint32_t *place = arena_array(w->arena, uint32_t, count); // among solved, or among open
    bool *solved = arena_array(w->arena, bool, count);
    for (uint32_t i = 0; i < rank; i++)
        solved[r->result.column[i]] = true, place[r->result.column[i]] = i;
    for (uint32_t j = 0, next = 0; j < count; j++)
        if (!solved[j]) place[j] = next++;
    arb_mat_t left, right, x;
    arb_mat_init(left, rank, rank), arb_mat_init(right, rank, open), arb_mat_init(x, rank, open);
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t j = 0; j < count; j++) {
            arb_ptr entry = v + (size_t)r->result.row[i] * count + j;
            if (solved[j]) arb_set(arb_mat_entry(left, i, place[j]), entry);
            else arb_neg(arb_mat_entry(right, i, place[j]), entry);
        }
    const bool good = arb_mat_solve(x, left, right, out->x.precision);
    out->directions = open, out->height = height;
    out->solved = solved;
    out->direction = _arb_vec_init((slong)height * open + 1);
    for (uint32_t i = 0; i < height && good; i++) {
        // eta are unknowns of their own, or the independent q'
        const uint32_t j = i < 2 * n           ? i
                           : i >= 2 * n + s->m ? i + count - height
                           : s->has_quasi      ? i
                                               : n + s->independent[i - 2 * n];
        for (uint32_t k = 0; k < open; k++) {
            arb_ptr to = out->direction + (size_t)i * open + k;
            if (solved[j]) arb_set(to, arb_mat_entry(x, place[j], k));
            else if (place[j] == k) arb_one(to);
        }
    }
    arb_mat_clear(left), arb_mat_clear(right), arb_mat_clear(x);
    _arb_vec_clear(v, r->rows.functions * count);
    program_free(prog);
    return good;
}

// --- states that symmetries leave where they are -------------------------------------------------

static void append(search *r, uint32_t count, const expr *more) {
    expr *all = arena_array(r->w->arena, expr, r->rows.functions + count + 1);
    memcpy(all, r->rows.function, sizeof *all * r->rows.functions);
    memcpy(all + r->rows.functions, more, sizeof *all * count);
    r->rows.function = all, r->rows.functions += count;
}

static bool solve_with(search *r, bool generic, const steady_isotropy *h, bool with_fixed) {
    r->rows = steady_rows_choose(r->w, &r->out->x, generic);
    append(r, h->count, h->shortest);
    if (with_fixed) append(r, h->count * 2 * r->w->s->n, h->fixed);
    solve(r, false);
    return r->result.converged && all_vanish(r);
}

static bool all_rows_follow(const search *r);

// Speeds of the isotropy 0, as if these symmetries were not there: a free particle at rest is one
// of those that move on, not one of those that its own rotations carry. Only where it is proved.
static bool solve_without(search *r, bool generic, const steady_isotropy *h) {
    const search before = *r;
    state kept;
    state_copy(&r->out->x, r->out->x.precision, &kept);
    r->rows = steady_rows_choose(r->w, &r->out->x, generic);
    append(r, h->count, h->unit);
    solve(r, true);
    if (r->result.converged && r->result.verified && all_vanish(r) && all_rows_follow(r)) {
        state_clear(&kept);
        r->out->without = true;
        return true;
    }
    state_clear(&r->out->x);
    *r = before;
    r->out->x = kept;
    return false;
}

// With the equations of motion alone, from where the isotropy was found, so that the proof is of
// these
static bool solve_isotropic(search *r, bool generic, const steady_isotropy *h) {
    state start;
    state_copy(&r->out->x, r->out->x.precision, &start);
    const bool found = solve_with(r, generic, h, false);
    bool done = found && r->result.verified && r->result.rank == r->rows.functions;
    if (!done) {
        const search shortest = *r;
        state at = r->out->x;
        r->out->x = start;
        done = solve_without(r, generic, h);
        if (done) start = at;
        else start = r->out->x, *r = shortest, r->out->x = at;
    }
    state_clear(&start);
    return found || done;
}

// To the nearby state that they leave where it is: linear equations for q and q'
static void go_to_fixed(search *r, const steady_isotropy *h) {
    const steady_problem *w = r->w;
    const newton_problem problem = {.functions = h->count * 2 * w->s->n,
                                    .variables = 2 * w->s->n,
                                    .function = h->fixed,
                                    .variable = w->unknown,
                                    .fixed = r->rank};
    newton_result result = {.row = arena_array(w->arena, uint32_t, problem.functions + 1),
                            .column = arena_array(w->arena, uint32_t, problem.functions + 1)};
    constraint_newton_solve(&r->out->x, &problem, &result);
}

static void remove_rounding(const search *r, state *x) {
    for (uint32_t j = 0; j < r->w->unknowns; j++) {
        arb_ptr v = state_get(x, r->w->unknown[j]);
        arb_get_mid_arb(v, v);
        if (fabs(ball_middle(v)) < VANISHED) arb_zero(v);
    }
}

// First among the states that they leave where they are
static bool hold_fixed(search *r, bool generic, const steady_isotropy *h) {
    steady_motion *out = r->out;
    go_to_fixed(r, h);
    remove_rounding(r, &out->x);
    steady_rows_guess_speeds(r->w, &out->x);
    if (!solve_with(r, generic, h, true)) return false;
    remove_rounding(r, &out->x);
    if (solve_isotropic(r, generic, h)) return true;
    const bool found = solve_with(r, generic, h, true);
    r->result.multiple = true; // what is around it is not known from these rows
    return found;
}

// Where symmetries leave the state as it is. Their states are known to the digits of a double, so
// that the motion that was there before may be the better one to start from.
static void hold_isotropy(search *r, bool generic, double tolerance) {
    steady_motion *out = r->out;
    steady_isotropy h;
    if (!steady_isotropy_find(r->w, &out->x, tolerance, &h)) return;
    const search before = *r;
    const bool known = out->found;
    state kept, later;
    state_copy(&out->x, out->x.precision, &kept);
    bool found = hold_fixed(r, generic, &h);
    if (found && known && (r->result.multiple || out->without)) {
        const search after = *r;
        later = out->x;
        state_copy(&kept, kept.precision, &out->x);
        *r = before;
        if (solve_without(r, generic, &h)) state_clear(&later);
        else {
            state_clear(&out->x);
            *r = after, out->x = later;
        }
    }
    out->isotropy = found ? h.count : 0;
    out->found = known || found;
    if (found) state_clear(&kept);
    else {
        *r = before;
        state_clear(&out->x);
        out->x = kept;
    }
}

// The motion that was found, with what was not solved for where it was
static void put_back(const search *r, const state *from, state *to) {
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
static bool solve_again(search *r, bool generic, state *at) {
    const search before = *r;
    state kept = r->out->x;
    r->out->x = *at;
    r->rows = steady_rows_choose(r->w, &r->out->x, generic);
    solve(r, true);
    const bool good = r->result.converged && r->result.verified && all_vanish(r);
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
static void settle(search *r, const state *from, bool generic) {
    steady_motion *out = r->out;
    state at;
    state_copy_midpoints(&out->x, out->x.precision, &at);
    remove_rounding(r, &at);
    if (!solve_again(r, generic, &at)) return;
    state_copy(&out->x, out->x.precision, &at);
    put_back(r, from, &at);
    remove_rounding(r, &at);
    solve_again(r, generic, &at);
}

// The guess, `at_rest`: with no reactions and the speeds that fit best; then the rows solved, and
// looked at
static void attempt(search *r, const state *from, bool at_rest, bool generic) {
    steady_motion *out = r->out;
    if (out->x.model) state_clear(&out->x);
    state_copy(from, from->precision, &out->x);
    state_reserve(&out->x);
    if (at_rest) steady_rows_guess_speeds(r->w, &out->x);
    r->rows = steady_rows_choose(r->w, &out->x, generic);
    solve(r, r->scattered);
    out->found = r->result.converged && all_vanish(r) && !has_run_away(r, from);
    if (out->found && !r->result.multiple &&
        (!r->result.verified || r->result.rank < r->rows.functions))
        settle(r, from, generic);
    if (out->found) hold_isotropy(r, generic, FIXED);
    else if (r->persistent) hold_isotropy(r, generic, NEARLY_FIXED);
    if (out->found && r->persistent) // not at a pole of the coordinates
        out->found = is_regular(r, r->w->s->n + r->w->s->k, r->w->inertia);
}

// --- a family, or a multiple root ----------------------------------------------------------------

// Is there a steady motion where tangent k leads, a little further on? The rows that were solved
// are solved there for the same unknowns; then the others hold too, or not.
static bool goes_on(const search *r, uint32_t k) {
    static const double FURTHER = 1e-3;
    const steady_problem *w = r->w;
    const steady_motion *out = r->out;
    const uint32_t count = w->unknowns - w->s->k - w->group->count - w->also_count,
                   rank = r->result.rank;
    steady_motion probe = {.s = w->s};
    search near = {.w = r->w, .out = &probe};
    state_copy(&out->x, out->x.precision, &probe.x);
    arb_t step;
    arb_init(step);
    for (uint32_t j = 0; j < count; j++) {
        arb_ptr v = state_get(&probe.x, w->unknown[j]);
        arb_set_d(step, FURTHER);
        arb_addmul(v, step, out->tangent + (size_t)j * out->family + k, out->x.precision);
        arb_get_mid_arb(v, v);
    }
    arb_clear(step);
    expr *function = arena_array(w->arena, expr, rank + 1),
         *variable = arena_array(w->arena, expr, rank + 1);
    for (uint32_t i = 0; i < rank; i++) {
        function[i] = r->rows.function[r->result.row[i]];
        variable[i] = w->unknown[r->result.column[i]];
    }
    near.result.row = arena_array(w->arena, uint32_t, rank + 1);
    near.result.column = arena_array(w->arena, uint32_t, rank + 1);
    const newton_problem problem = {
        rank, rank, function, variable, arena_array(w->arena, uint8_t, rank + 1), false};
    constraint_newton_solve(&probe.x, &problem, &near.result);
    const bool found = near.result.converged && all_vanish(&near);
    state_clear(&probe.x);
    return found;
}

// Where rows are dependent at the motion the linear part alone does not tell a family from a
// multiple root, V = x^4 from V = 0: a motion further on does.
static void tell_family_from_multiple_root(search *r) {
    static const double ROUGHLY = 1e-8; // residuals that vanish to half of the digits, and a root
    steady_motion *out = r->out;
    if (out->singular || r->result.rank == r->rows.functions || !out->tangent) return;
    bool all = true;
    for (uint32_t k = 0; k < out->family && all; k++) all = goes_on(r, k);
    if (all) return;
    _arb_vec_clear(out->direction, (slong)out->height * out->directions + 1);
    _arb_vec_clear(out->tangent, (slong)out->height * out->family + 1);
    out->multiple = true, out->tangent = NULL, out->parameter = NULL, out->family = 0;
    steady_multiple_settle(r->w, out->rank, out->column, ROUGHLY, &out->x);
    steady_multiple_directions(r->w, out);
}

// The rows that were not pivots
static bool all_rows_follow(const search *r) {
    return r->result.rank == r->rows.functions ||
           steady_zeros_prove(r->w, &r->rows, &r->result, r->rank, &r->out->x) ||
           steady_follow_prove(r->w, &r->rows, &r->result, r->rank, &r->out->x);
}

static void finish(search *r) {
    steady_motion *out = r->out;
    out->speed = _arb_vec_init(out->speeds + 1);
    for (uint32_t a = 0; a < out->speeds; a++)
        arb_set(out->speed + a, state_get(&out->x, r->w->speed[a]));
    if (!out->found) return;
    out->function = r->rows.function, out->functions = r->rows.functions;
    out->rank = r->result.rank, out->row = r->result.row, out->column = r->result.column;
    out->left_out = r->rows.left_out, out->identity = r->rows.identity;
    out->left_outs = r->rows.left_outs;
    const uint32_t size = r->w->s->n + r->w->s->k;
    out->multiple = r->result.multiple;
    if (out->multiple) {
        steady_multiple_settle(r->w, out->rank, out->column, r->result.error, &out->x);
        steady_multiple_directions(r->w, out);
    }
    out->singular = !is_regular(r, size, r->w->inertia);
    out->proved = !out->singular && !out->multiple && r->result.verified && all_rows_follow(r) &&
                  left_out_rows_follow(r) && find_directions(r);
    if (!out->proved && !out->direction) find_directions(r);
    steady_family_find(r->w, r->rank, out);
    if (!out->proved && !out->multiple) tell_family_from_multiple_root(r);
}

// --- further off ---------------------------------------------------------------------------------

// Between -1 and 1, spread evenly: the fractional part of (start + 1) (golden ratio)^(place + 1)
static double spread(uint32_t start, uint32_t place) {
    const double golden = 0.6180339887498949, step = fmod(golden * (place + 1) + 0.137, 1);
    return 2 * fmod((start + 1) * step, 1) - 1;
}

// Coordinates and velocities that were not asked for, moved by up to `distance` times 1 + |value|
static void scatter(const search *r, uint32_t start, double distance, const state *from,
                    state *to) {
    state_copy(from, from->precision, to);
    for (uint32_t j = 0; j < 2 * r->w->s->n; j++) {
        arb_ptr v = state_get(to, r->w->unknown[j]);
        const double value = ball_middle(v);
        if (r->rank[j] < STANDS_ASKED)
            arb_set_d(v, value + distance * (1 + fabs(value)) * spread(start, j));
    }
}

static bool is_near(const search *r, const state *from) {
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
static void search_around(search *r, const state *from, const completion_request *guess,
                          uint8_t *rank) {
    enum { STARTS = 12 };
    steady_rows_rank_unknowns(r->w, guess, STANDS_ASKED, rank);
    for (uint32_t i = 0; i < STARTS && !r->out->found; i++) {
        state near;
        scatter(r, i, i < STARTS / 3 ? 0.25 : i < 2 * STARTS / 3 ? 1 : 4, from, &near);
        r->persistent = false, r->scattered = true;
        attempt(r, &near, true, true);
        if (r->out->found) { // what need not move goes back
            put_back(r, from, &near);
            attempt(r, &near, false, true);
        }
        state_clear(&near);
        r->out->found = r->out->found && !r->result.multiple && is_near(r, from) &&
                        is_regular(r, r->w->s->n + r->w->s->k, r->w->inertia);
    }
}

// Without identities that hold in general only there is one choice of rows: 1, else 0
static int least_generic(const steady_problem *w) {
    for (uint32_t i = 0; i < w->identities; i++)
        if (w->generic[i]) return 0;
    return 1;
}

void steady_motion_find(steady_problem *w, const completion_request *guess, const state *from,
                        steady_motion *out) {
    *out = (steady_motion){.s = w->s, .speeds = w->group->count};
    uint8_t *rank = arena_array(w->arena, uint8_t, w->unknowns);
    search r = {.w = w, .out = out, .rank = rank};
    for (int persistent = 0; persistent < 2; persistent++)
        for (int generic = 1; generic >= least_generic(w); generic--)
            for (uint8_t firmest = STANDS_STATED; firmest <= STANDS_ASKED + 1 && !out->found;
                 firmest++) {
                if (firmest > STANDS_ASKED && !guess->at_count) continue; // the same again
                steady_rows_rank_unknowns(w, guess, firmest, rank);
                r.persistent = persistent;
                attempt(&r, from, true, generic);
            }
    if (!out->found) search_around(&r, from, guess, rank);
    if (out->found)
        steady_rows_rank_unknowns(w, guess, STANDS_STATED, rank); // to name parameters by
    finish(&r);
}

void steady_motion_find_near(steady_problem *w, const uint8_t *rank, const state *from,
                             steady_motion *out) {
    *out = (steady_motion){.s = w->s, .speeds = w->group->count};
    search r = {.w = w, .out = out, .rank = rank};
    for (int persistent = 0; persistent < 2; persistent++)
        for (int generic = 1; generic >= least_generic(w) && !out->found; generic--) {
            r.persistent = persistent;
            attempt(&r, from, false, generic);
        }
    finish(&r);
}

void steady_motion_clear(steady_motion *m) {
    state_clear(&m->x);
    if (m->speed) _arb_vec_clear(m->speed, m->speeds + 1);
    if (m->direction) _arb_vec_clear(m->direction, (slong)m->height * m->directions + 1);
    if (m->tangent) _arb_vec_clear(m->tangent, (slong)m->height * m->family + 1);
}
