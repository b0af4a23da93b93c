// Velocities in terms of quasi-velocities, in closed form where there is one, by the
// implicit function theorem otherwise.
#include "derive/basis.h"

#include "expr/matrix.h"
#include "expr/program.h"
#include "normal/normal.h"

#include <math.h>
#include <string.h>

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    expr *velocity;
} builder;

static expr *array(const builder *b, uint32_t count) { return arena_array(b->arena, expr, count); }

expr basis_form(const mechanics *s, uint32_t rho) {
    return rho < s->m ? s->psi[rho] : s->phi[rho - s->m];
}

// --- closed forms --------------------------------------------------------------------------------

static bool is_free_of_velocities(const builder *b, uint32_t count, const expr *entry) {
    return !expr_any_depends_on(b->p, count, entry, b->s->n, b->s->qd);
}

// Is everything linear in the velocities?
static bool frame_is_free_of_velocities(const builder *b) {
    const mechanics *s = b->s;
    return is_free_of_velocities(b, s->k * s->n, mechanics_slopes(s)) &&
           (!s->has_quasi || is_free_of_velocities(b, s->m * s->n, s->psi_velocity));
}

// [dPsi/dq'; dPhi/dq'] x = r with dPsi/dq' the unit rows of the independent
// velocities: only a k x k system is left.
static bool solve_block(const builder *b, uint32_t count, const expr *r, expr *x) {
    const mechanics *s = b->s;
    const uint32_t k = s->k, m = s->m;
    expr *block = array(b, k * k), *rhs = array(b, k * count), *solution = array(b, k * count);
    expr *row = array(b, m), *column = array(b, m);
    for (uint32_t i = 0; i < k; i++) {
        for (uint32_t j = 0; j < k; j++)
            block[i * k + j] = mechanics_slopes(s)[i * s->n + s->dependent[j]];
        for (uint32_t j = 0; j < m; j++) row[j] = mechanics_slopes(s)[i * s->n + s->independent[j]];
        for (uint32_t c = 0; c < count; c++) {
            for (uint32_t j = 0; j < m; j++) column[j] = r[j * count + c];
            rhs[i * count + c] =
                expr_sub(b->p, r[(m + i) * count + c], expr_dot(b->p, m, row, column));
        }
    }
    const bool constant =
        matrix_solve(b->p, k, block, count, rhs, s->block.row, s->block.column, solution);
    for (uint32_t c = 0; c < count; c++) {
        for (uint32_t j = 0; j < m; j++) x[s->independent[j] * count + c] = r[j * count + c];
        for (uint32_t i = 0; i < k; i++) x[s->dependent[i] * count + c] = solution[i * count + c];
    }
    return constant;
}

// Solve [dPsi/dq'; dPhi/dq'] x = r by elimination for several right-hand sides. Returns
// whether all pivots are constants.
static bool solve_frame(const builder *b, uint32_t count, const expr *r, expr *x) {
    const mechanics *s = b->s;
    if (!s->has_quasi) return solve_block(b, count, r, x);
    expr *matrix = array(b, s->n * s->n);
    memcpy(matrix, s->psi_velocity, sizeof(expr) * s->m * s->n);
    memcpy(matrix + s->m * s->n, mechanics_slopes(s), sizeof(expr) * s->k * s->n);
    if (normal_solve_blocks(b->p, s->n, matrix, count, r, s->frame.row, s->frame.column, x))
        return false;
    return matrix_solve(b->p, s->n, matrix, count, r, s->frame.row, s->frame.column, x);
}

void basis_solve(const mechanics *s, uint32_t count, const expr *r, expr *x) {
    const builder b = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    solve_frame(&b, count, r, x);
}

// Elimination on [Z; A] q' = [eta - psi; -beta].
static bool eliminate(const builder *b, expr *velocity) {
    const mechanics *s = b->s;
    const uint32_t n = s->n;
    expr *form = array(b, n), *zero = array(b, n), *rhs = array(b, n);
    for (uint32_t i = 0; i < n; i++) form[i] = basis_form(s, i);
    expr_substitute(b->p, n, s->qd, zero, n, form, rhs); // psi and beta: the forms at q' = 0
    for (uint32_t i = 0; i < n; i++)
        rhs[i] = expr_sub(b->p, i < s->m ? s->eta[i] : EXPR_ZERO, rhs[i]);
    return solve_frame(b, 1, rhs, velocity);
}

// The same in normal form; false where that would grow too large.
static bool solve_in_normal_form(const builder *b, expr *velocity) {
    const mechanics *s = b->s;
    const normal_budget budget = normal_budget_default();
    expr *residual = array(b, s->n), *unknown = array(b, s->n), *solution = array(b, s->n);
    if (s->has_quasi) {
        for (uint32_t i = 0; i < s->n; i++)
            residual[i] = i < s->m ? expr_sub(b->p, s->psi[i], s->eta[i]) : s->phi[i - s->m];
        return normal_solve(b->p, s->n, residual, s->qd, &budget, velocity);
    }
    // Only the dependent velocities are unknown
    for (uint32_t i = 0; i < s->k; i++) unknown[i] = s->qd[s->dependent[i]];
    if (!normal_solve(b->p, s->k, s->phi, unknown, &budget, solution)) return false;
    memcpy(velocity, s->qd, sizeof(expr) * s->n);
    for (uint32_t i = 0; i < s->k; i++) velocity[s->dependent[i]] = solution[i];
    return true;
}

// Entries free of q': a linear system. Elimination keeps sharing but may divide by what can
// vanish; the normal form does not.
static void solve_linear(builder *b) {
    expr *eliminated = array(b, b->s->n);
    const bool safe = eliminate(b, eliminated);
    const bool normal = solve_in_normal_form(b, b->velocity);
    if (!normal || (safe && program_operations(b->p, b->s->n, eliminated) <
                                program_operations(b->p, b->s->n, b->velocity)))
        memcpy(b->velocity, eliminated, sizeof(expr) * b->s->n);
}

// A root of phi = c2 u^2 + c1 u + c0 in u, the one that is near the sampled state;
// EXPR_NONE if phi is of higher degree.
static expr quadratic_root(const builder *b, expr phi, expr u) {
    pool *p = b->p;
    const expr zero = EXPR_ZERO, d1 = expr_diff(p, phi, u), d2 = expr_diff(p, d1, u);
    const expr c2 = expr_mul(p, EXPR_HALF, d2), c1 = expr_replace(p, d1, 1, &u, &zero),
               c0 = expr_replace(p, phi, 1, &u, &zero);
    const normal_budget budget = normal_budget_default();
    if (expr_depends_on(p, d2, 1, &u)) return EXPR_NONE;
    if (d2 == EXPR_ZERO) return normal_simplify(p, expr_neg(p, expr_div(p, c0, c1)), &budget);
    const expr four_ac = expr_product(p, 3, (expr[]){expr_int(p, 4), c2, c0});
    const expr root =
        expr_sqrt(p, normal_simplify(p, expr_sub(p, expr_square(p, c1), four_ac), &budget));
    const double here = b->s->sample[expr_symbol_index(p, u)];
    expr best = EXPR_NONE;
    double nearest = INFINITY;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const expr numerator = expr_sub(p, sign > 0 ? root : expr_neg(p, root), c1);
        const expr candidate =
            normal_simplify(p, expr_div(p, numerator, expr_mul(p, EXPR_TWO, c2)), &budget);
        expr concrete;
        model_concrete(b->s->model, true, 1, &candidate, &concrete);
        const double gap = fabs(expr_value(p, concrete, b->s->sample) - here);
        if (gap < nearest) nearest = gap, best = candidate;
    }
    return best;
}

static bool is_linear_in(const builder *b, expr phi, expr u) {
    return expr_diff(b->p, expr_diff(b->p, phi, u), u) == EXPR_ZERO;
}

// A constraint and one of the open velocities it can be solved for: one that holds it alone,
// else one that holds it linearly.
static bool pick_pair(const builder *b, const expr *phi, uint32_t left, const expr *open,
                      uint32_t *which_phi, uint32_t *which_open) {
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < b->s->k; i++) {
            uint32_t found = 0, last = 0;
            for (uint32_t j = 0; j < left && phi[i] != EXPR_ZERO; j++) {
                if (!expr_depends_on(b->p, phi[i], 1, &open[j])) continue;
                found++;
                if (pass == 0 || is_linear_in(b, phi[i], open[j])) last = j + 1;
            }
            if (!last || (pass == 0 && found != 1)) continue;
            *which_phi = i, *which_open = last - 1;
            return true;
        }
    return false;
}

// Nonlinear constraints, one dependent velocity at a time, each to degree 2
// at most. False if that fails.
static bool solve_one_by_one(builder *b) {
    const mechanics *s = b->s;
    if (s->has_quasi) return false;
    expr *phi = array(b, s->k), *open = array(b, s->k);
    memcpy(phi, s->phi, sizeof(expr) * s->k);
    memcpy(b->velocity, s->qd, sizeof(expr) * s->n);
    for (uint32_t i = 0; i < s->k; i++) open[i] = s->qd[s->dependent[i]];
    for (uint32_t left = s->k; left; left--) {
        uint32_t i, which;
        if (!pick_pair(b, phi, left, open, &i, &which)) return false;
        const expr u = open[which], root = quadratic_root(b, phi[i], u);
        if (root == EXPR_NONE) return false;
        for (uint32_t j = 0; j < s->n; j++) {
            if (s->qd[j] == u) b->velocity[j] = root;
            else b->velocity[j] = expr_replace(b->p, b->velocity[j], 1, &u, &root);
        }
        expr_substitute(b->p, 1, &u, &root, s->k, phi, phi);
        phi[i] = EXPR_ZERO;
        open[which] = open[left - 1];
    }
    return true;
}

// --- the implicit case ---------------------------------------------------------------------------

static void implicit_basis(const builder *b, velocity_basis *v) {
    const mechanics *s = b->s;
    const uint32_t n = s->n, m = s->m, width = m + 1;
    expr *r = array(b, n * width), *x = array(b, n * width);
    // [dPsi/dq'; dPhi/dq'] (B, q'') = (e_1 .. e_m, (eta', 0) - d/dt (Psi, Phi) at q'' = 0)
    for (uint32_t i = 0; i < n; i++) {
        if (i < m) r[i * width + i] = EXPR_ONE;
        const expr rate = expr_at_zero(b->p, expr_ddt(b->p, basis_form(s, i)), n, s->qdd);
        r[i * width + m] = expr_sub(b->p, i < m ? v->eta_rate[i] : EXPR_ZERO, rate);
    }
    solve_frame(b, width, r, x);
    expr *column = array(b, n * m), *acceleration = array(b, n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < m; j++) column[i * m + j] = x[i * width + j];
        acceleration[i] = x[i * width + m];
    }
    v->column = column, v->acceleration = acceleration, v->velocity = s->qd;
}

static void explicit_basis(const builder *b, velocity_basis *v) {
    const mechanics *s = b->s;
    const uint32_t n = s->n, m = s->m;
    expr *column = array(b, n * m), *acceleration = array(b, n), *derivative = array(b, n);
    for (uint32_t j = 0; j < m; j++) { // B = dV/d eta, one forward sweep a column
        const expr one = EXPR_ONE;
        expr_pushforward(b->p, 1, &s->eta[j], &one, n, b->velocity, derivative);
        for (uint32_t i = 0; i < n; i++) column[i * m + j] = derivative[i];
    }
    // q'' = dV/dt. V holds q and eta; the q' that d/dt brings in are V again.
    for (uint32_t i = 0; i < n; i++) acceleration[i] = expr_ddt(b->p, b->velocity[i]);
    expr_substitute(b->p, n, s->qd, b->velocity, n, acceleration, acceleration);
    v->column = column, v->acceleration = acceleration, v->velocity = b->velocity;
}

velocity_basis basis_create(const mechanics *s) {
    builder b = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena};
    b.velocity = array(&b, s->n);
    velocity_basis v = {0};
    expr *rate = array(&b, s->m);
    for (uint32_t i = 0; i < s->m; i++) rate[i] = expr_symbol_derivative(s->pool, s->eta[i]);
    v.eta_rate = rate;
    if (s->chain && !s->has_quasi) {
        memcpy(b.velocity, s->qd, sizeof(expr) * s->n);
        for (uint32_t i = 0; i < s->k; i++) b.velocity[s->dependent[i]] = s->chain[i];
        v.explicit_velocities = true;
    } else if (frame_is_free_of_velocities(&b)) {
        solve_linear(&b);
        v.explicit_velocities = true;
    } else {
        v.explicit_velocities = solve_one_by_one(&b);
    }
    if (v.explicit_velocities) explicit_basis(&b, &v);
    else implicit_basis(&b, &v);
    return v;
}

bool basis_is_unique(const mechanics *s) {
    expr *unknown = arena_array(&s->model->ctx->arena, expr, s->n);
    const uint32_t count = s->has_quasi ? s->n : s->k;
    for (uint32_t i = 0; i < count; i++) unknown[i] = s->qd[s->has_quasi ? i : s->dependent[i]];
    bool affine = true;
    for (uint32_t i = 0; i < s->k && affine; i++)
        affine = expr_degree(s->pool, s->phi[i], count, unknown, NULL) <= 1;
    for (uint32_t i = 0; i < s->m && s->has_quasi && affine; i++)
        affine = expr_degree(s->pool, s->psi[i], count, unknown, NULL) <= 1;
    return affine;
}
