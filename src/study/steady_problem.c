// The equations of steady motions.
//
// Unknowns: q, q', the speeds xi of the symmetries, eta, lambda. Rows:
//   q'_i - sum_a xi_a X_a,i(q) = 0                                 the motion of the group
//   eta_s - Psi_s(q, q') = 0                                       where they are stated
//   phi(q) = 0, Phi(q, q') = 0                                     the constraints
//   N_i(q, q', q'') - sum_nu lambda_nu dPhi_nu/dq'_i = 0           with q'' = sum_a xi_a A_a q'
// Some of the last rows follow from the others: sum_i N_i w_i = 0 for w = q' where energy is kept,
// and for the admissible w = sum_a zeta_a X_a(q) for which it is an identity. One row is left out
// for each independent w.
#include "study/steady_problem.h"

#include "derive/lagrange.h"
#include "expr/matrix.h"
#include "model/points.h"

// --- the rows ------------------------------------------------------------------------------------

const char *steady_refusal(const mechanics *s) {
    if (s->h) return "constraints of order 2 and higher are not treated here";
    if (expr_depends_on_time(s->pool, s->lagrangian)) return "the Lagrangian depends on time";
    for (uint32_t i = 0; i < s->n; i++)
        if (expr_depends_on_time(s->pool, s->force[i])) return "a force depends on time";
    for (uint32_t nu = 0; nu < s->k; nu++)
        if (expr_depends_on_time(s->pool, s->phi[nu])) return "a constraint depends on time";
    return NULL;
}

static void move_by_group(steady_problem *w) {
    const mechanics *s = w->s;
    const uint32_t n = s->n, g = w->group->count;
    w->speed = arena_array(w->arena, expr, g + 1);
    w->field = arena_array(w->arena, expr, n);
    w->pace = arena_array(w->arena, expr, n);
    for (uint32_t a = 0; a < g; a++)
        w->speed[a] = expr_symbol(w->p, arena_format(w->arena, "speed[%u]", a + 1), ROLE_LOCAL);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t a = 0; a < g; a++) {
            const symmetry *x = &w->group->at[a];
            w->field[i] = expr_add_product(w->p, w->field[i], w->speed[a], x->field[i]);
            w->pace[i] = expr_add_product(w->p, w->pace[i], w->speed[a],
                                          expr_dot(w->p, n, x->matrix + i * n, s->qd));
        }
}

static void add_rows(steady_problem *w) {
    const mechanics *s = w->s;
    w->row = arena_array(w->arena, expr, s->n + s->m + s->k);
    for (uint32_t i = 0; i < s->n; i++) w->row[w->rows++] = expr_sub(w->p, s->qd[i], w->field[i]);
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++)
        w->row[w->rows++] = expr_sub(w->p, s->eta[i], s->psi[i]);
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        w->row[w->rows++] = c->order == 0 ? c->phi : s->phi[nu];
    }
}

static void add_motion(steady_problem *w) {
    const mechanics *s = w->s;
    const uint32_t n = s->n;
    w->motion = arena_array(w->arena, expr, n);
    lagrange_defect(s, w->motion);
    expr_substitute(w->p, n, s->qdd, w->pace, n, w->motion, w->motion);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t nu = 0; nu < s->k; nu++)
            w->motion[i] = expr_sub_product(w->p, w->motion[i], s->multiplier[nu],
                                            mechanics_slopes(s)[nu * n + i]);
}

static void add_inertia(steady_problem *w) {
    const mechanics *s = w->s;
    const uint32_t n = s->n, size = n + s->k;
    expr *momentum = arena_array(w->arena, expr, n), *mass = arena_array(w->arena, expr, n * n);
    w->inertia = arena_array(w->arena, expr, size * size);
    expr_gradient(w->p, s->lagrangian, n, s->qd, momentum);
    expr_jacobian(w->p, n, momentum, n, s->qd, mass);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) w->inertia[i * size + j] = mass[i * n + j];
    for (uint32_t nu = 0; nu < s->k; nu++)
        for (uint32_t i = 0; i < n; i++)
            w->inertia[i * size + n + nu] = w->inertia[(n + nu) * size + i] =
                mechanics_slopes(s)[nu * n + i];
    for (uint32_t nu = 0; nu < s->k && s->forces_hold_multipliers; nu++)
        for (uint32_t i = 0; i < n; i++)
            w->inertia[i * size + n + nu] =
                expr_add(w->p, w->inertia[i * size + n + nu],
                         expr_diff(w->p, s->force[i], s->multiplier[nu]));
}

static void add_unknowns(steady_problem *w) {
    const mechanics *s = w->s;
    w->unknown =
        arena_array(w->arena, expr, 2 * s->n + s->m + s->k + w->group->count + w->also_count);
    for (uint32_t i = 0; i < s->n; i++) w->unknown[w->unknowns++] = s->q[i];
    for (uint32_t i = 0; i < s->n; i++) w->unknown[w->unknowns++] = s->qd[i];
    for (uint32_t i = 0; i < s->m && s->has_quasi; i++) w->unknown[w->unknowns++] = s->eta[i];
    for (uint32_t a = 0; a < w->group->count; a++) w->unknown[w->unknowns++] = w->speed[a];
    for (uint32_t nu = 0; nu < s->k; nu++) w->unknown[w->unknowns++] = s->multiplier[nu];
    for (uint32_t i = 0; i < w->also_count; i++) w->unknown[w->unknowns++] = w->also[i];
}

// --- identities among them -----------------------------------------------------------------------

static bool all_homogeneous(const mechanics *s, bool linear) {
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const constraint *c = &s->model->constraints[s->constraint[nu]];
        if (c->order == 1 && (!c->homogeneous || (linear && !c->linear))) return false;
    }
    return true;
}

// sum_i w_i N_i where q' is the motion of the group with these speeds
static expr power(steady_problem *w, const expr *speed, const expr *along) {
    const mechanics *s = w->s;
    const uint32_t n = s->n, g = w->group->count;
    expr *defect = arena_array(w->arena, expr, n), *from = arena_array(w->arena, expr, 2 * n + g),
         *to = arena_array(w->arena, expr, 2 * n + g), *field = arena_array(w->arena, expr, n),
         *pace = arena_array(w->arena, expr, n);
    lagrange_defect(s, defect);
    expr_substitute(w->p, g, w->speed, speed, n, w->field, field);
    expr_substitute(w->p, g, w->speed, speed, n, w->pace, pace);
    expr_substitute(w->p, n, s->qd, field, n, pace, pace);
    for (uint32_t i = 0; i < n; i++) {
        from[i] = s->qd[i], to[i] = field[i];
        from[n + i] = s->qdd[i], to[n + i] = pace[i];
    }
    expr_substitute(w->p, 2 * n, from, to, n, defect, defect);
    return expr_replace(w->p, expr_dot(w->p, n, along, defect), n, s->qd, field);
}

// An identity for any speeds, or at least for those that the constraints admit where the block of
// their conditions is regular
static bool add_identity(steady_problem *w, points *at, const expr *admissible, const expr *along) {
    const bool any = points_vanish(at, power(w, w->speed, along)) == VANISHES_YES;
    if (!any && !(admissible && points_vanish(at, power(w, admissible, along)) == VANISHES_YES))
        return false;
    for (uint32_t i = 0; i < w->s->n; i++) w->identity[w->identities * w->s->n + i] = along[i];
    w->generic[w->identities++] = !any;
    return true;
}

// Speeds that the constraints admit: sum_a C_nu,a zeta_a = 0 with C_nu,a = sum_i dPhi_nu/dq'_i
// X_a,i. `kernel`: g x (g - rank), column b the speeds of the b-th motion. Returns the rank.
static uint32_t admissible_speeds(steady_problem *w, points *at, expr *kernel) {
    const mechanics *s = w->s;
    const uint32_t n = s->n, g = w->group->count, k = s->k;
    expr *c = arena_array(w->arena, expr, k * g + 1);
    for (uint32_t nu = 0; nu < k; nu++)
        for (uint32_t a = 0; a < g; a++)
            c[nu * g + a] = expr_dot(w->p, n, mechanics_slopes(s) + nu * n, w->group->at[a].field);
    uint32_t *row = arena_array(w->arena, uint32_t, k + g),
             *column = arena_array(w->arena, uint32_t, k + g),
             *order = arena_array(w->arena, uint32_t, g + 1);
    const uint32_t r = k ? points_generic_pivots(at, k, g, c, row, column) : 0, f = g - r;
    bool *solved = arena_array(w->arena, bool, g + 1);
    for (uint32_t j = 0; j < r; j++) solved[column[j]] = true, order[j] = j;
    expr *block = arena_array(w->arena, expr, r * r + 1),
         *right = arena_array(w->arena, expr, r * f + 1),
         *x = arena_array(w->arena, expr, r * f + 1);
    uint32_t b = 0;
    for (uint32_t a = 0; a < g; a++) {
        if (solved[a]) continue;
        for (uint32_t i = 0; i < r; i++) right[i * f + b] = expr_neg(w->p, c[row[i] * g + a]);
        kernel[a * f + b++] = EXPR_ONE;
    }
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t j = 0; j < r; j++) block[i * r + j] = c[row[i] * g + column[j]];
    w->block = block, w->block_size = r;
    if (r) matrix_solve(w->p, r, block, f, right, order, order, x);
    for (uint32_t j = 0; j < r; j++)
        for (b = 0; b < f; b++) kernel[column[j] * f + b] = x[j * f + b];
    return r;
}

// w = d/dq_i for a coordinate that no symmetry and no constraint moves
static void look_at_coordinates(steady_problem *w, points *at, const expr *speed) {
    const mechanics *s = w->s;
    expr *along = arena_array(w->arena, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        bool untouched = w->field[i] == EXPR_ZERO;
        for (uint32_t nu = 0; nu < s->k; nu++)
            untouched = untouched && mechanics_slopes(s)[nu * s->n + i] == EXPR_ZERO;
        along[i] = EXPR_ONE;
        if (untouched) add_identity(w, at, speed, along);
        along[i] = EXPR_ZERO;
    }
}

// w = the admissible motions of the group one by one; false if one of them gives no identity, or if
// there are none.
static bool look_at_group(steady_problem *w, points *at) {
    const mechanics *s = w->s;
    const uint32_t n = s->n, g = w->group->count;
    if (!all_homogeneous(s, true)) return false;
    expr *kernel = arena_array(w->arena, expr, g * g + 1);
    const uint32_t f = g - admissible_speeds(w, at, kernel);
    expr *speed = arena_array(w->arena, expr, g), *free_speed = arena_array(w->arena, expr, f + 1),
         *along = arena_array(w->arena, expr, n);
    for (uint32_t b = 0; b < f; b++) free_speed[b] = expr_symbol(w->p, "free", ROLE_LOCAL);
    for (uint32_t a = 0; a < g; a++) speed[a] = expr_dot(w->p, f, kernel + a * f, free_speed);
    for (uint32_t b = 0; b < f; b++) {
        for (uint32_t i = 0; i < n; i++) {
            along[i] = EXPR_ZERO;
            for (uint32_t a = 0; a < g; a++)
                along[i] =
                    expr_add_product(w->p, along[i], kernel[a * f + b], w->group->at[a].field[i]);
        }
        add_identity(w, at, speed, along);
    }
    const bool all = f && w->identities == f;
    look_at_coordinates(w, at, f ? speed : NULL);
    return all;
}

// w = q': where energy is kept along every motion of the group
static void look_at_energy(steady_problem *w, points *at) {
    if (!all_homogeneous(w->s, false)) return;
    add_identity(w, at, NULL, w->field);
}

bool steady_problem_holds(const steady_problem *w, expr symbol) {
    return expr_any_depends_on(w->p, w->rows, w->row, 1, &symbol) ||
           expr_any_depends_on(w->p, w->s->n, w->motion, 1, &symbol);
}

steady_problem *steady_problem_create(const mechanics *s, const symmetries *group, uint32_t count,
                                      const expr *also) {
    steady_problem *w = arena_new(&s->model->ctx->arena, steady_problem);
    *w = (steady_problem){.s = s,
                          .group = group,
                          .p = s->pool,
                          .arena = &s->model->ctx->arena,
                          .also = also,
                          .also_count = count};
    w->identity = arena_array(w->arena, expr, (group->count + s->n + 1) * s->n);
    w->generic = arena_array(w->arena, bool, group->count + s->n + 1);
    move_by_group(w);
    add_rows(w);
    add_motion(w);
    add_inertia(w);
    add_unknowns(w);
    points at = points_of(s);
    if (!group->count) return w;
    const bool all = look_at_group(w, &at);
    const uint32_t motions = w->identities;
    look_at_energy(w, &at); // a combination of the others, if these are all
    w->independent = all ? motions : w->identities;
    return w;
}
