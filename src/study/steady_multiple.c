// Steady motions that are multiple roots of their equations: the slopes are singular there, so that
// Newton's method comes near to a few digits only, and no test of Krawczyk's kind succeeds.
//
// Fractions with small denominators near the numbers that were found are tried: if all rows vanish
// there in balls of the working precision these are the numbers. Else each unknown that was solved
// for becomes a ball of the size of the last steps, so that no digit is shown that is not right.
#include "study/steady_problem.h"

#include <math.h>

enum { LARGEST_DENOMINATOR = 360, GUARD = 64 };

static void round_to_fraction(arb_t v, double error, slong bits) {
    const double near = ball_middle(v),
                 most = fmin(fmax(GUARD * error, 1e-15), 1e-6) * fmax(1, fabs(near));
    for (int denominator = 1; denominator <= LARGEST_DENOMINATOR; denominator++) {
        const double numerator = round(near * denominator);
        if (fabs(numerator) > 1e9 || fabs(near - numerator / denominator) > most) continue;
        arb_set_d(v, numerator);
        arb_div_ui(v, v, (ulong)denominator, bits);
        return;
    }
}

// Every row contains 0, and its ball is not wide
static bool all_hold(const steady_problem *w, state *x) {
    uint32_t count;
    arb_ptr v = steady_rows_values(w, x, &count);
    bool hold = true;
    for (uint32_t i = 0; i < count; i++)
        hold = hold && arb_contains_zero(v + i) && mag_cmp_2exp_si(arb_radref(v + i), -64) < 0;
    _arb_vec_clear(v, count);
    return hold;
}

void steady_multiple_settle(const steady_problem *w, uint32_t count, const uint32_t *solved,
                            double error, state *x) {
    state rounded;
    state_copy(x, x->precision, &rounded);
    for (uint32_t j = 0; j < w->unknowns; j++)
        round_to_fraction(state_get(&rounded, w->unknown[j]), error, x->precision);
    if (all_hold(w, &rounded)) {
        state_clear(x);
        *x = rounded;
        return;
    }
    state_clear(&rounded);
    arf_t radius;
    arf_init(radius);
    arf_set_d(radius, GUARD * error);
    for (uint32_t i = 0; i < count; i++)
        arb_add_error_arf(state_get(x, w->unknown[solved[i]]), radius);
    arf_clear(radius);
}

// Around such a motion only the moved copies are known: d(q, q', eta) = (X_a, A_a q', ..).
void steady_multiple_directions(const steady_problem *w, steady_motion *m) {
    const mechanics *s = w->s;
    const uint32_t n = s->n, g = w->group->count, height = 2 * n + s->m + w->also_count;
    expr *e = arena_array(w->arena, expr, (2 * n + s->m) * g + 1);
    expr *variable = arena_array(w->arena, expr, 2 * n);
    for (uint32_t i = 0; i < n; i++) variable[i] = s->q[i], variable[n + i] = s->qd[i];
    for (uint32_t a = 0; a < g; a++) {
        expr *moved = e + (size_t)a * (2 * n + s->m);
        for (uint32_t i = 0; i < n; i++) {
            moved[i] = w->group->at[a].field[i];
            moved[n + i] = expr_dot(w->p, n, w->group->at[a].matrix + i * n, s->qd);
        }
        expr_pushforward(w->p, 2 * n, variable, moved, s->m, s->psi, moved + 2 * n);
    }
    const uint32_t count = (2 * n + s->m) * g;
    m->height = height, m->directions = g;
    m->direction = _arb_vec_init((slong)height * g + 1);
    m->solved = arena_array(w->arena, bool, w->unknowns);
    program *prog = program_create(w->p, count, e);
    arb_ptr v = _arb_vec_init(count + 1);
    state_reserve(&m->x);
    program_run_arb(prog, m->x.value, m->x.precision, v);
    for (uint32_t a = 0; a < g; a++)
        for (uint32_t i = 0; i < 2 * n + s->m; i++)
            arb_set(m->direction + (size_t)i * g + a, v + (size_t)a * (2 * n + s->m) + i);
    _arb_vec_clear(v, count + 1);
    program_free(prog);
}
