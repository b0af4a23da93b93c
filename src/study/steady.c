// Steady motions: zeros of the equations of steady_problem.h near a guess, enclosed by Newton's
// method in balls, and the motions around them.
#include "model/constraint_newton.h"
#include "study/steady_problem.h"

#include <arb_mat.h>
#include <math.h>
#include <string.h>

// --- a motion ------------------------------------------------------------------------------------

typedef struct {
    steady_problem *w;
    steady_motion *out;
    uint32_t *left_out; // rows of motion, as many as independent identities
    uint32_t *identity; // which identity each of them goes with
    uint32_t left_outs;
    expr *function; // the rows that are solved
    uint32_t functions;
    uint8_t *fixed;
    newton_result result;
} search;

static bool gives(uint32_t count, const assignment *items, expr symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (items[i].symbol == symbol) return true;
    return false;
}

// How firmly a value stands: what was asked for, what the model states, the others; multipliers are
// always solved for. Values below `firmest` are all taken alike.
enum { SOLVED, OPEN, STATED, ASKED };

static void rank_unknowns(search *r, const completion_request *guess, uint8_t firmest) {
    const steady_problem *w = r->w;
    const model *m = w->s->model;
    for (uint32_t j = 0; j < w->unknowns; j++) {
        const expr x = w->unknown[j];
        const uint8_t rank = gives(guess->at_count, guess->at, x)     ? ASKED
                             : gives(m->initial_count, m->initial, x) ? STATED
                                                                      : OPEN;
        r->fixed[j] = j >= w->unknowns - w->s->k ? SOLVED : rank < firmest ? OPEN : rank;
    }
}

// The speeds that come nearest to the velocities: least squares, |q' - sum_a xi_a X_a|
static void guess_speeds(search *r) {
    const steady_problem *w = r->w;
    const uint32_t n = w->s->n, g = w->group->count;
    state *x = &r->out->x;
    arb_mat_t field, normal, turned, velocity, right, speed;
    arb_mat_init(field, n, g), arb_mat_init(turned, g, n), arb_mat_init(normal, g, g);
    arb_mat_init(velocity, n, 1), arb_mat_init(right, g, 1), arb_mat_init(speed, g, 1);
    for (uint32_t i = 0; i < n; i++)
        arb_set_d(arb_mat_entry(velocity, i, 0), state_doubles(x, 1, &w->s->qd[i])[0]);
    for (uint32_t a = 0; a < g; a++) {
        const double *v = state_doubles(x, n, w->group->at[a].field);
        for (uint32_t i = 0; i < n; i++) arb_set_d(arb_mat_entry(field, i, a), v[i]);
    }
    arb_mat_transpose(turned, field);
    arb_mat_mul(normal, turned, field, x->precision);
    arb_mat_mul(right, turned, velocity, x->precision);
    arb_t small;
    arb_init(small);
    arb_set_d(small, 1e-12); // symmetries that agree at this state share the motion
    for (uint32_t a = 0; a < g; a++)
        arb_add(arb_mat_entry(normal, a, a), arb_mat_entry(normal, a, a), small, x->precision);
    arb_clear(small);
    const bool solved = arb_mat_approx_solve(speed, normal, right, x->precision);
    for (uint32_t a = 0; a < g; a++) {
        if (solved) arb_get_mid_arb(arb_mat_entry(speed, a, 0), arb_mat_entry(speed, a, 0));
        else arb_zero(arb_mat_entry(speed, a, 0));
        state_set(x, w->speed[a], arb_mat_entry(speed, a, 0));
    }
    arb_mat_clear(field), arb_mat_clear(turned), arb_mat_clear(normal);
    arb_mat_clear(velocity), arb_mat_clear(right), arb_mat_clear(speed);
}

// One row of motion is left out for each independent identity: where the identity is largest.
// `generic`: also for those that hold in general only.
static void choose_rows(search *r, bool generic) {
    const steady_problem *w = r->w;
    const uint32_t n = w->s->n, most = w->identities;
    r->identity = arena_array(w->arena, uint32_t, most + n);
    r->left_out = arena_array(w->arena, uint32_t, most + n);
    double *v = state_doubles(&r->out->x, most * n, w->identity);
    for (uint32_t i = 0; i < most * n; i++)
        if (!isfinite(v[i]) || (w->generic[i / n] && !generic))
            memset(v + i / n * n, 0, sizeof *v * n); // it says nothing here
    r->left_outs = pivots_choose(most, n, v, NULL, 1, r->identity, r->left_out);
    if (r->left_outs > w->independent) r->left_outs = w->independent;
    r->function = arena_array(w->arena, expr, w->rows + n);
    for (uint32_t i = 0; i < w->rows; i++) r->function[r->functions++] = w->row[i];
    for (uint32_t i = 0; i < n; i++) {
        bool kept = true;
        for (uint32_t j = 0; j < r->left_outs; j++) kept = kept && r->left_out[j] != i;
        if (kept) r->function[r->functions++] = w->motion[i];
    }
}

static void solve(search *r) {
    steady_problem *w = r->w;
    r->result.row = arena_array(w->arena, uint32_t, r->functions + 1);
    r->result.column = arena_array(w->arena, uint32_t, r->functions + 1);
    const newton_problem problem = {.functions = r->functions,
                                    .variables = w->unknowns,
                                    .function = r->function,
                                    .variable = w->unknown,
                                    .fixed = r->fixed};
    constraint_newton_solve(&r->out->x, &problem, &r->result);
}

// All rows vanish there, also those that were not solved.
static bool all_vanish(search *r) {
    const steady_problem *w = r->w;
    state *x = &r->out->x;
    const uint32_t count = w->rows + w->s->n;
    expr *e = arena_array(w->arena, expr, count);
    for (uint32_t i = 0; i < count; i++) e[i] = i < w->rows ? w->row[i] : w->motion[i - w->rows];
    program *prog = program_create(w->p, count, e);
    arb_ptr v = _arb_vec_init(count);
    program_run_arb(prog, x->value, x->precision, v);
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
    program_free(prog);
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
    const uint32_t n = w->s->n, count = r->left_outs;
    expr *block = arena_array(w->arena, expr, count * count + 1);
    bool generic = false;
    for (uint32_t i = 0; i < count; i++) {
        generic = generic || w->generic[r->identity[i]];
        for (uint32_t j = 0; j < count; j++)
            block[i * count + j] = w->identity[r->identity[i] * n + r->left_out[j]];
    }
    return (!count || is_regular(r, count, block)) &&
           (!generic || !w->block_size || is_regular(r, w->block_size, w->block));
}

// --- the motions around it -----------------------------------------------------------------------

// d(solved)/d(others) = -J_solved^-1 J_others, from the rows that were solved
static bool find_directions(search *r) {
    steady_problem *w = r->w;
    const mechanics *s = w->s;
    steady_motion *out = r->out;
    const uint32_t rank = r->result.rank, count = w->unknowns, open = count - rank;
    const uint32_t n = s->n, height = 2 * n + s->m;
    expr *slope = arena_array(w->arena, expr, r->functions * count + 1);
    expr_jacobian(w->p, r->functions, r->function, count, w->unknown, slope);
    program *prog = program_create(w->p, r->functions * count, slope);
    arb_ptr v = _arb_vec_init(r->functions * count);
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
    out->directions = open;
    out->direction = _arb_vec_init((slong)height * open + 1);
    for (uint32_t i = 0; i < height && good; i++) {
        // eta are unknowns of their own, or the independent q'
        const uint32_t j = i < 2 * n ? i : s->has_quasi ? i : n + s->independent[i - 2 * n];
        for (uint32_t k = 0; k < open; k++) {
            arb_ptr to = out->direction + (size_t)i * open + k;
            if (solved[j]) arb_set(to, arb_mat_entry(x, place[j], k));
            else if (place[j] == k) arb_one(to);
        }
    }
    arb_mat_clear(left), arb_mat_clear(right), arb_mat_clear(x);
    _arb_vec_clear(v, r->functions * count);
    program_free(prog);
    return good;
}

static uint32_t rank_of(uint32_t rows, uint32_t columns, const double *v) {
    uint32_t *index = memory_array(uint32_t, 2 * (rows + columns) + 1);
    const uint32_t rank = pivots_choose(rows, columns, v, NULL, 1, index, index + rows + columns);
    memory_free(index);
    return rank;
}

// The motions around it, less those that are only moved: X_a(q), A_a q'
static uint32_t family_dimension(search *r) {
    steady_problem *w = r->w;
    const steady_motion *m = r->out;
    const uint32_t n = w->s->n, g = w->group->count, open = m->directions;
    double *around = memory_zeros(double, 2 * n * open + 1),
           *moved = memory_zeros(double, 2 * n * g + 1);
    for (uint32_t i = 0; i < 2 * n; i++)
        for (uint32_t k = 0; k < open; k++)
            around[k * 2 * n + i] =
                arf_get_d(arb_midref(m->direction + (size_t)i * open + k), ARF_RND_NEAR);
    expr *e = arena_array(w->arena, expr, 2 * n);
    for (uint32_t a = 0; a < g; a++) {
        for (uint32_t i = 0; i < n; i++) {
            e[i] = w->group->at[a].field[i];
            e[n + i] = expr_dot(w->p, n, w->group->at[a].matrix + i * n, w->s->qd);
        }
        const double *v = state_doubles(&r->out->x, 2 * n, e);
        for (uint32_t i = 0; i < 2 * n; i++) moved[a * 2 * n + i] = v[i];
    }
    const uint32_t all = rank_of(open, 2 * n, around), copies = rank_of(g, 2 * n, moved);
    memory_free(around), memory_free(moved);
    return all > copies ? all - copies : 0;
}

// The guess, with no reactions and the speeds that fit best
static void begin(search *r, const state *from) {
    state *x = &r->out->x;
    state_copy(from, from->precision, x);
    state_reserve(x);
    arb_t zero;
    arb_init(zero);
    for (uint32_t nu = 0; nu < r->w->s->k; nu++) state_set(x, r->w->s->multiplier[nu], zero);
    arb_clear(zero);
    guess_speeds(r);
    r->functions = 0;
}

void steady_motion_find(steady_problem *w, const completion_request *guess, const state *from,
                        steady_motion *out) {
    *out = (steady_motion){.s = w->s, .speeds = w->group->count};
    search r = {.w = w, .out = out, .fixed = arena_array(w->arena, uint8_t, w->unknowns)};
    for (int generic = 1; generic >= 0 && !out->found; generic--)
        for (uint8_t firmest = STATED; firmest <= ASKED + 1 && !out->found; firmest++) {
            if (out->x.model) state_clear(&out->x);
            begin(&r, from);
            rank_unknowns(&r, guess, firmest);
            choose_rows(&r, generic);
            solve(&r);
            out->found = r.result.converged && all_vanish(&r);
        }
    out->speed = _arb_vec_init(out->speeds + 1);
    for (uint32_t a = 0; a < out->speeds; a++)
        arb_set(out->speed + a, state_get(&out->x, w->speed[a]));
    if (!out->found) return;
    out->proved = r.result.verified && r.result.rank == r.functions && left_out_rows_follow(&r) &&
                  find_directions(&r);
    if (!out->proved && !out->direction) find_directions(&r);
    out->family = family_dimension(&r);
}

void steady_motion_clear(steady_motion *m) {
    state_clear(&m->x);
    if (m->speed) _arb_vec_clear(m->speed, m->speeds + 1);
    if (m->direction) {
        const mechanics *s = m->s;
        _arb_vec_clear(m->direction, (slong)(2 * s->n + s->m) * m->directions + 1);
    }
}
