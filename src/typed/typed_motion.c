// The motion from the typed statements: residuals of N_i = sum lambda dPhi/dq', and the
// accelerations that solve them.
#include "typed/typed_motion.h"

#include <arb_mat.h>

static bool system_init(typed_system *sys, const mechanics *s, state *x, bool at_rest) {
    const model *m = s->model;
    *sys = (typed_system){.system = s, .n = s->n, .acting = s->k + s->h};
    evaluator_init(&sys->ev, x);
    sys->ev.at_rest = at_rest;
    sys->ev.pushed = EXPR_NONE;
    sys->q = arena_array(&sys->ev.arena, uint32_t, 3 * sys->n);
    sys->qd = sys->q + sys->n;
    sys->qdd = sys->qd + sys->n;
    for (uint32_t i = 0; i < sys->n; i++) {
        sys->q[i] = expr_symbol_index(m->pool, s->q[i]);
        sys->qd[i] = symbol_of_order(m->pool, sys->q[i], 1);
        sys->qdd[i] = symbol_of_order(m->pool, sys->q[i], 2);
        if (sys->qd[i] == EXPR_NONE || sys->qdd[i] == EXPR_NONE)
            return evaluator_fail(&sys->ev, TYPED_NO_VALUE, (span){0},
                                  "the state knows no accelerations");
    }
    return typed_system_find_gravity(sys);
}

// --- derivatives of L ----------------------------------------------------------------------------

// D1 D2 L with the derivations of two levels
static bool second_derivative(typed_system *sys, const level *first, const level *second,
                              jet *out) {
    if (!typed_lagrangian(sys, second, out)) return false;
    *out = jet_coefficient(&sys->ev.jets, out, level_bit(second));
    *out = jet_coefficient(&sys->ev.jets, out, level_bit(first));
    return true;
}

// N_i = d/dt dL/dq'_i - dL/dq_i - Q_i
static bool residual_of(typed_system *sys, uint32_t i, arb_t out) {
    evaluator *ev = &sys->ev;
    const ball_mark mark = ball_stack_mark(&ev->work);
    const level *time = level_in_time(ev, &ev->ground, 1),
                *along = level_by(ev, &ev->ground, sys->q[i]);
    jet inertial, slope, force;
    if (!second_derivative(sys, time, level_by(ev, time, sys->qd[i]), &inertial)) return false;
    if (!typed_lagrangian(sys, along, &slope) || !typed_force(sys, i, &force)) return false;
    slope = jet_coefficient(&ev->jets, &slope, level_bit(along));
    arb_sub(out, inertial.part, slope.part, ev->jets.precision);
    arb_sub(out, out, force.part, ev->jets.precision);
    ball_stack_release(&ev->work, mark, 0, NULL);
    return true;
}

// --- a basis -----------------------------------------------------------------------------------

// A basis of the rows, by elimination with full pivoting on a copy: row[r], column[r] is the r-th
// pivot. False if there is no basis of as many rows as the system has constraints, or if what the
// elimination leaves is not 0 as far as the balls can tell.
static bool choose_basis(typed_system *sys, const arb_mat_t rows, uint32_t *row, uint32_t *column) {
    const slong precision = sys->ev.jets.precision;
    const uint32_t acting = sys->acting;
    arb_mat_t rest;
    arb_mat_init(rest, sys->constraint_count, sys->n);
    arb_mat_set(rest, rows);
    arb_t factor;
    arb_init(factor);
    bool good = true;
    for (uint32_t r = 0; r < acting && good; r++) {
        arf_srcptr best = NULL;
        for (uint32_t i = 0; i < sys->constraint_count; i++)
            for (uint32_t j = 0; j < sys->n; j++) {
                arf_srcptr here = arb_midref(arb_mat_entry(rest, i, j));
                if (best && arf_cmpabs(here, best) <= 0) continue;
                best = here, row[r] = i, column[r] = j;
            }
        good = best && arf_cmpabs_2exp_si(best, -precision / 3) > 0;
        for (uint32_t i = 0; i < sys->constraint_count && good; i++) {
            if (i == row[r]) continue;
            arb_div(factor, arb_mat_entry(rest, i, column[r]),
                    arb_mat_entry(rest, row[r], column[r]), precision);
            for (uint32_t j = 0; j < sys->n; j++)
                arb_submul(arb_mat_entry(rest, i, j), factor, arb_mat_entry(rest, row[r], j),
                           precision);
            arb_zero(arb_mat_entry(rest, i, column[r]));
        }
        // this row is in the basis: it is no pivot again
        for (uint32_t j = 0; j < sys->n && good; j++) arb_zero(arb_mat_entry(rest, row[r], j));
    }
    for (uint32_t i = 0; i < sys->constraint_count; i++)
        for (uint32_t j = 0; j < sys->n; j++)
            good = good && arb_contains_zero(arb_mat_entry(rest, i, j));
    arb_clear(factor);
    arb_mat_clear(rest);
    if (!good)
        evaluator_fail(&sys->ev, TYPED_NO_VALUE, (span){0},
                       "the typed constraints have another rank here than those of the system");
    return good;
}

// --- residuals -----------------------------------------------------------------------------------

// N_i -= lambda_nu dPhi_nu/dq'_i with the multipliers of the state
static bool subtract_reactions(typed_system *sys, const arb_mat_t rows, arb_ptr out) {
    for (uint32_t nu = 0; nu < sys->constraint_count; nu++) {
        const ball_mark mark = ball_stack_mark(&sys->ev.work);
        const expr multiplier = sys->system->multiplier[nu];
        jet lambda;
        if (!symbol_jet(&sys->ev, expr_symbol_index(sys->system->pool, multiplier), 0,
                        &sys->ev.ground, sys->constraint[nu]->at, &lambda))
            return false;
        for (uint32_t i = 0; i < sys->n; i++)
            arb_submul(out + i, lambda.part, arb_mat_entry(rows, nu, i), sys->ev.jets.precision);
        ball_stack_release(&sys->ev.work, mark, 0, NULL);
    }
    return true;
}

// The part of N that is no combination of the rows: the multipliers are chosen so that it vanishes
// in the columns of the pivots.
static bool subtract_combination(typed_system *sys, const arb_mat_t rows, arb_ptr out) {
    const slong precision = sys->ev.jets.precision, acting = sys->acting;
    uint32_t *row = arena_array(&sys->ev.arena, uint32_t, acting + 1),
             *column = arena_array(&sys->ev.arena, uint32_t, acting + 1);
    if (!choose_basis(sys, rows, row, column)) return false;
    arb_mat_t block, multiplier;
    arb_mat_init(block, acting, acting);
    arb_mat_init(multiplier, acting, 1);
    for (slong r = 0; r < acting; r++) {
        arb_set(arb_mat_entry(multiplier, r, 0), out + column[r]);
        for (slong c = 0; c < acting; c++)
            arb_set(arb_mat_entry(block, r, c), arb_mat_entry(rows, row[c], column[r]));
    }
    const bool good = arb_mat_solve(multiplier, block, multiplier, precision);
    for (uint32_t i = 0; i < sys->n && good; i++)
        for (slong c = 0; c < acting; c++)
            arb_submul(out + i, arb_mat_entry(multiplier, c, 0), arb_mat_entry(rows, row[c], i),
                       precision);
    arb_mat_clear(block);
    arb_mat_clear(multiplier);
    return good || evaluator_fail(&sys->ev, TYPED_TOO_WIDE, (span){0},
                                  "the rows of the constraints are too near to dependent");
}

// One place for each constraint of the system. Where more were typed, a violated one takes the
// place of another, so that none goes unseen.
static bool constraint_residuals(typed_system *sys, arb_ptr out) {
    const uint32_t acting = sys->acting;
    arb_t form;
    arb_init(form);
    bool good = true;
    for (uint32_t nu = 0; nu < sys->constraint_count && good && acting; nu++) {
        good = typed_acceleration_form(sys, sys->constraint[nu], form);
        if (good && (nu < acting || !arb_contains_zero(form))) arb_set(out + nu % acting, form);
    }
    for (uint32_t nu = sys->constraint_count; nu < acting; nu++) arb_zero(out + nu);
    arb_clear(form);
    return good;
}

typed_finding typed_motion(const mechanics *s, state *x, arb_ptr residual) {
    typed_system sys;
    arb_mat_t rows, along;
    bool good = system_init(&sys, s, x, false);
    if (good) typed_gather_constraints(&sys);
    arb_mat_init(rows, (slong)sys.constraint_count, (slong)sys.n);
    arb_mat_init(along, (slong)sys.constraint_count, (slong)sys.n);
    for (uint32_t i = 0; i < sys.n && good; i++) good = residual_of(&sys, i, residual + i);
    good = good && typed_fill_rows(&sys, rows) && typed_fill_directions(&sys, rows, along);
    if (good)
        good = (sys.as_stated ? subtract_reactions : subtract_combination)(&sys, along, residual);
    if (good) constraint_residuals(&sys, residual + sys.n);
    arb_mat_clear(rows), arb_mat_clear(along);
    evaluator_free(&sys.ev);
    return sys.ev.finding;
}

// --- accelerations -------------------------------------------------------------------------------

static bool fill_masses(typed_system *sys, arb_mat_t matrix, arb_mat_t right) {
    evaluator *ev = &sys->ev;
    for (uint32_t i = 0; i < sys->n; i++) {
        if (!residual_of(sys, i, arb_mat_entry(right, i, 0))) return false;
        for (uint32_t j = 0; j <= i; j++) {
            const ball_mark mark = ball_stack_mark(&ev->work);
            const level *outer = level_by(ev, &ev->ground, sys->qd[j]);
            jet mass;
            if (!second_derivative(sys, outer, level_by(ev, outer, sys->qd[i]), &mass))
                return false;
            arb_set(arb_mat_entry(matrix, i, j), mass.part);
            arb_set(arb_mat_entry(matrix, j, i), mass.part);
            ball_stack_release(&ev->work, mark, 0, NULL);
        }
    }
    return true;
}

// Forces that hold multipliers, affine in them: matrix_i,n+r -= Q_i(lambda_r = 1) - Q_i(0)
static bool subtract_forces_of(typed_system *sys, uint32_t r, arb_mat_t matrix) {
    evaluator *ev = &sys->ev;
    if (!sys->as_stated)
        return evaluator_fail(ev, TYPED_NO_VALUE, (span){0},
                              "a force holds multipliers of constraints that act in another form "
                              "than typed");
    for (uint32_t i = 0; i < sys->n; i++) {
        const ball_mark mark = ball_stack_mark(&ev->work);
        arb_ptr entry = arb_mat_entry(matrix, i, sys->n + r);
        jet with, without;
        ev->pushed = EXPR_NONE;
        if (!typed_force(sys, i, &without)) return false;
        ev->pushed = expr_symbol_index(ev->model->pool, sys->system->multiplier[r]);
        if (!typed_force(sys, i, &with)) return false;
        arb_add(entry, entry, without.part, ev->jets.precision);
        arb_sub(entry, entry, with.part, ev->jets.precision);
        ball_stack_release(&ev->work, mark, 0, NULL);
    }
    ev->pushed = EXPR_NONE;
    return true;
}

// [M -B^T - C^T; A 0] (q'', lambda) = -(N, Phi..) with N and Phi.. at q'' = 0 and lambda = 0, both
// affine in q''. A: the rows of a basis; B: `along`; C: what forces hold of the multipliers.
static bool fill(typed_system *sys, const arb_mat_t rows, const arb_mat_t along,
                 const uint32_t *row, arb_mat_t matrix, arb_mat_t right) {
    const uint32_t acting = sys->acting;
    if (!fill_masses(sys, matrix, right)) return false;
    for (uint32_t r = 0; r < acting; r++) {
        const constraint *c = sys->constraint[row[r]];
        if (c->order > 2)
            return evaluator_fail(&sys->ev, TYPED_NO_VALUE, c->at,
                                  "constraints of order 3 leave q'' to the state");
        if (!typed_acceleration_form(sys, c, arb_mat_entry(right, sys->n + r, 0))) return false;
        for (uint32_t i = 0; i < sys->n; i++) {
            arb_set(arb_mat_entry(matrix, sys->n + r, i), arb_mat_entry(rows, row[r], i));
            arb_neg(arb_mat_entry(matrix, i, sys->n + r), arb_mat_entry(along, row[r], i));
        }
        if (sys->system->forces_hold_multipliers && !subtract_forces_of(sys, r, matrix))
            return false;
    }
    arb_mat_neg(right, right);
    return true;
}

static bool solve(typed_system *sys, arb_ptr qdd, arb_ptr lambda) {
    const uint32_t acting = sys->acting;
    const slong size = (slong)(sys->n + acting);
    uint32_t *row = arena_array(&sys->ev.arena, uint32_t, acting + 1),
             *column = arena_array(&sys->ev.arena, uint32_t, acting + 1);
    arb_mat_t rows, along, matrix, right;
    arb_mat_init(rows, (slong)sys->constraint_count, (slong)sys->n);
    arb_mat_init(along, (slong)sys->constraint_count, (slong)sys->n);
    arb_mat_init(matrix, size, size);
    arb_mat_init(right, size, 1);
    for (uint32_t r = 0; r < acting; r++) row[r] = r;
    bool good =
        typed_fill_rows(sys, rows) && (sys->as_stated || choose_basis(sys, rows, row, column)) &&
        typed_fill_directions(sys, rows, along) && fill(sys, rows, along, row, matrix, right);
    if (good && !arb_mat_solve(right, matrix, right, sys->ev.jets.precision))
        good = evaluator_fail(&sys->ev, TYPED_TOO_WIDE, (span){0},
                              "the equations of motion are singular here, or nearly so");
    for (uint32_t i = 0; i < sys->n && good; i++) arb_set(qdd + i, arb_mat_entry(right, i, 0));
    for (uint32_t r = 0; r < acting && good; r++) {
        if (sys->as_stated) arb_set(lambda + r, arb_mat_entry(right, sys->n + r, 0));
        // these multipliers belong to other constraints than those of the system
        else arb_indeterminate(lambda + r);
    }
    arb_mat_clear(rows);
    arb_mat_clear(along);
    arb_mat_clear(matrix);
    arb_mat_clear(right);
    return good;
}

// The residuals at the solution: a constraint of order 2 need not be affine in q'', and constraints
// that depend on one another need not agree.
static bool solves(const mechanics *s, state *x, arb_srcptr qdd, arb_srcptr lambda,
                   typed_finding *finding) {
    const uint32_t n = s->n, acting = s->k + s->h;
    state there;
    state_init(&there, s->model, x->precision);
    for (uint32_t i = 0; i < x->capacity && i < there.capacity; i++) {
        if (!x->known[i]) continue;
        arb_set(there.value + i, x->value + i);
        there.known[i] = true;
    }
    for (uint32_t i = 0; i < n; i++) state_set(&there, s->qdd[i], qdd + i);
    for (uint32_t nu = 0; nu < acting; nu++) state_set(&there, s->multiplier[nu], lambda + nu);
    arb_ptr residual = _arb_vec_init(n + acting);
    *finding = typed_motion(s, &there, residual);
    bool zero = finding->status == TYPED_OK;
    for (uint32_t i = 0; i < n + acting; i++) zero = zero && arb_contains_zero(residual + i);
    _arb_vec_clear(residual, n + acting);
    state_clear(&there);
    return zero;
}

typed_finding typed_accelerations(const mechanics *s, state *x, arb_ptr qdd, arb_ptr lambda) {
    typed_system sys;
    if (system_init(&sys, s, x, true)) {
        typed_gather_constraints(&sys);
        solve(&sys, qdd, lambda);
    }
    typed_finding finding = sys.ev.finding;
    const bool doubtful = s->h || !sys.as_stated;
    evaluator_free(&sys.ev);
    if (finding.status == TYPED_OK && doubtful && !solves(s, x, qdd, lambda, &finding) &&
        finding.status == TYPED_OK)
        finding =
            (typed_finding){TYPED_NO_VALUE,
                            {0},
                            "the constraints as they were typed have no solution affine in q''"};
    return finding;
}
