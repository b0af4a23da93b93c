// Steady motions: zeros of the equations of steady_problem.h near a guess, enclosed by Newton's
// method in balls, and the motions around them.
#include "model/constraint_newton.h"
#include "study/steady_search.h"

#include <arb_mat.h>
#include <math.h>
#include <string.h>

// The rows that were left out follow from the others where the identities are independent there:
// det w_ij over the rows j left out is not 0.
static bool left_out_rows_follow(steady_search *r) {
    const steady_problem *w = r->w;
    const uint32_t n = w->s->n, count = r->rows.left_outs;
    expr *block = arena_array(w->arena, expr, count * count + 1);
    bool generic = false;
    for (uint32_t i = 0; i < count; i++) {
        generic = generic || w->generic[r->rows.identity[i]];
        for (uint32_t j = 0; j < count; j++)
            block[i * count + j] = w->identity[r->rows.identity[i] * n + r->rows.left_out[j]];
    }
    return (!count || steady_search_is_regular(r, count, block)) &&
           (!generic || !w->block_size || steady_search_is_regular(r, w->block_size, w->block));
}

// --- the motions around it -----------------------------------------------------------------------

// d(solved)/d(others) = -J_solved^-1 J_others, from the rows that were solved
static bool find_directions(steady_search *r) {
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

// --- places without slopes -----------------------------------------------------------------------

// Does a function in the rows jump or bend near the state, within half of the digits? Krawczyk's
// test looked at less than that.
static bool is_at_kink(const steady_search *r) {
    const steady_problem *w = r->w;
    uint32_t count, rows = w->rows;
    expr *row = arena_array(w->arena, expr, rows + w->s->n);
    for (uint32_t i = 0; i < rows; i++) row[i] = w->row[i];
    for (uint32_t i = 0; i < w->s->n; i++) row[rows + i] = w->motion[i];
    expr *at = expr_breaks(w->p, rows + w->s->n, row, &count);
    bool found = false;
    if (count) {
        state x;
        state_copy(&r->out->x, r->out->x.precision, &x);
        state_reserve(&x);
        for (uint32_t j = 0; j < w->unknowns; j++)
            arb_add_error_2exp_si(state_get(&x, w->unknown[j]), -x.precision / 2);
        program *prog = program_create(w->p, count, at);
        found = !state_avoids_zeros(&x, prog);
        program_free(prog);
        state_clear(&x);
    }
    memory_free(at);
    return found;
}

// --- a family, or a multiple root ----------------------------------------------------------------

// Is there a steady motion where tangent k leads, a little further on? The rows that were solved
// are solved there for the same unknowns; then the others hold too, or not.
static bool goes_on(const steady_search *r, uint32_t k) {
    static const double FURTHER = 1e-3;
    const steady_problem *w = r->w;
    const steady_motion *out = r->out;
    const uint32_t count = w->unknowns - w->s->k - w->group->count - w->also_count,
                   rank = r->result.rank;
    steady_motion probe = {.s = w->s};
    steady_search near = {.w = r->w, .out = &probe};
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
    const bool found = near.result.converged && steady_search_all_vanish(&near);
    state_clear(&probe.x);
    return found;
}

// Where rows are dependent at the motion the linear part alone does not tell a family from a
// multiple root, V = x^4 from V = 0: a motion further on does.
static void tell_family_from_multiple_root(steady_search *r) {
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

static void finish(steady_search *r) {
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
    out->singular = !steady_search_is_regular(r, size, r->w->inertia);
    out->kink = is_at_kink(r);
    out->proved = !out->kink && !out->singular && !out->multiple && r->result.verified &&
                  steady_search_rows_follow(r) && left_out_rows_follow(r) && find_directions(r);
    if (!out->proved && !out->direction) find_directions(r);
    steady_family_find(r->w, r->rank, out);
    if (!out->proved && !out->multiple) tell_family_from_multiple_root(r);
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
    steady_search r = {.w = w, .out = out, .rank = rank};
    for (int persistent = 0; persistent < 2; persistent++)
        for (int generic = 1; generic >= least_generic(w); generic--)
            for (uint8_t firmest = STANDS_STATED; firmest <= STANDS_ASKED + 1 && !out->found;
                 firmest++) {
                if (firmest > STANDS_ASKED && !guess->at_count) continue; // the same again
                steady_rows_rank_unknowns(w, guess, firmest, rank);
                r.persistent = persistent;
                steady_search_attempt(&r, from, true, generic);
            }
    if (!out->found) steady_search_around(&r, from, guess, rank);
    if (out->found)
        steady_rows_rank_unknowns(w, guess, STANDS_STATED, rank); // to name parameters by
    finish(&r);
}

void steady_motion_find_near(steady_problem *w, const uint8_t *rank, const state *from,
                             steady_motion *out) {
    *out = (steady_motion){.s = w->s, .speeds = w->group->count};
    steady_search r = {.w = w, .out = out, .rank = rank};
    // from there, then, if nothing is found, also from other values of what is solved for
    for (int elsewhere = 0; elsewhere < 2; elsewhere++)
        for (int persistent = 0; persistent < 2; persistent++)
            for (int generic = 1; generic >= least_generic(w) && !out->found; generic--) {
                r.persistent = persistent, r.scattered = !elsewhere;
                steady_search_attempt(&r, from, false, generic);
            }
    finish(&r);
}

void steady_motion_clear(steady_motion *m) {
    state_clear(&m->x);
    if (m->speed) _arb_vec_clear(m->speed, m->speeds + 1);
    if (m->direction) _arb_vec_clear(m->direction, (slong)m->height * m->directions + 1);
    if (m->tangent) _arb_vec_clear(m->tangent, (slong)m->height * m->family + 1);
}
