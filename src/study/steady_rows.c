// Where the search for a steady motion begins: how firmly each value stands, speeds that fit the
// velocities, and the rows that are solved.
#include "study/steady_problem.h"

#include <arb_mat.h>
#include <math.h>
#include <string.h>

static const double VANISHED = 1e-40; // an identity of this size says nothing

static bool gives(uint32_t count, const assignment *items, expr symbol) {
    for (uint32_t i = 0; i < count; i++)
        if (items[i].symbol == symbol) return true;
    return false;
}

void steady_rows_rank_unknowns(const steady_problem *w, const completion_request *guess,
                               uint8_t firmest, uint8_t *out) {
    const model *m = w->s->model;
    const uint32_t given = w->unknowns - w->s->k - w->also_count;
    for (uint32_t j = 0; j < w->unknowns; j++) {
        const expr x = w->unknown[j];
        const uint8_t rank = gives(guess->at_count, guess->at, x)     ? STANDS_ASKED
                             : gives(m->initial_count, m->initial, x) ? STANDS_STATED
                                                                      : STANDS_OPEN;
        out[j] = j >= given ? STANDS_NOT : rank < firmest ? STANDS_OPEN : rank;
    }
}

// Least squares, |q' - sum_a xi_a X_a|
void steady_rows_guess_speeds(const steady_problem *w, state *x) {
    const uint32_t n = w->s->n, g = w->group->count;
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
    // symmetries that agree at this state share the motion; one that does not move it has no speed
    static const double SMALL = 1e-12, NOTHING = 1e-300;
    arb_t more;
    arb_init(more);
    for (uint32_t a = 0; a < g; a++) {
        arb_ptr square = arb_mat_entry(normal, a, a);
        arb_set_d(more, ball_middle(square) > NOTHING ? SMALL * ball_middle(square) : 1);
        arb_add(square, square, more, x->precision);
    }
    arb_clear(more);
    const bool solved = arb_mat_approx_solve(speed, normal, right, x->precision);
    for (uint32_t a = 0; a < g; a++) {
        if (solved) arb_get_mid_arb(arb_mat_entry(speed, a, 0), arb_mat_entry(speed, a, 0));
        else arb_zero(arb_mat_entry(speed, a, 0));
        state_set(x, w->speed[a], arb_mat_entry(speed, a, 0));
    }
    arb_mat_clear(field), arb_mat_clear(turned), arb_mat_clear(normal);
    arb_mat_clear(velocity), arb_mat_clear(right), arb_mat_clear(speed);
    arb_t zero;
    arb_init(zero);
    for (uint32_t nu = 0; nu < w->s->k; nu++) state_set(x, w->s->multiplier[nu], zero);
    arb_clear(zero);
}

// One row of motion is left out for each independent identity: where the identity is largest.
steady_rows steady_rows_choose(const steady_problem *w, state *x, bool generic) {
    const uint32_t n = w->s->n, most = w->identities;
    steady_rows r = {.identity = arena_array(w->arena, uint32_t, most + n),
                     .left_out = arena_array(w->arena, uint32_t, most + n)};
    double *v = state_doubles(x, most * n, w->identity);
    for (uint32_t i = 0; i < most * n; i++) {
        if (fabs(v[i]) < VANISHED) v[i] = 0;
        if (!isfinite(v[i]) || (w->generic[i / n] && !generic))
            memset(v + i / n * n, 0, sizeof *v * n); // it says nothing here
    }
    r.left_outs = pivots_choose(most, n, v, NULL, 1, r.identity, r.left_out);
    if (r.left_outs > w->independent) r.left_outs = w->independent;
    r.function = arena_array(w->arena, expr, w->rows + n);
    for (uint32_t i = 0; i < w->rows; i++) r.function[r.functions++] = w->row[i];
    for (uint32_t i = 0; i < n; i++) {
        bool kept = true;
        for (uint32_t j = 0; j < r.left_outs; j++) kept = kept && r.left_out[j] != i;
        if (kept) r.function[r.functions++] = w->motion[i];
    }
    return r;
}

arb_ptr steady_rows_values(const steady_problem *w, const state *x, uint32_t *count) {
    *count = w->rows + w->s->n;
    expr *row = arena_array(w->arena, expr, *count);
    for (uint32_t i = 0; i < *count; i++) row[i] = i < w->rows ? w->row[i] : w->motion[i - w->rows];
    arb_ptr v = _arb_vec_init(*count);
    program *prog = program_create(w->p, *count, row);
    program_run_arb(prog, x->value, x->precision, v);
    program_free(prog);
    return v;
}
