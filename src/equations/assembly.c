// Kane's equations in body axes.
#include "equations/assembly.h"

#include "equations/chain.h"
#include "equations/gyrostat.h"
#include "equations/horner.h"
#include "equations/kinematics.h"
#include "equations/linear.h"
#include "equations/rows.h"
#include "expr/vanish.h"
#include "expr/program.h"
#include "normal/normal.h"

#include <string.h>

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    assembly_style style;
    const expr *pi, *pi_rate; // m symbols
    const expr *definition;   // m: pi in (q, q', t)
    expr *velocity;           // n: q' in (q, pi, t)
    kinematics solved;        // in the style that has it
    assembly *out;
} assembler;

static expr *new_array(const assembler *w, uint32_t count) {
    return arena_array(w->arena, expr, count);
}

// --- velocities ----------------------------------------------------------------------------------

static expr shortest(const assembler *w, expr e) {
    const normal_budget budget = normal_budget_default();
    return normal_simplify(w->p, e, &budget);
}

static expr turned(const assembler *w, expr e) {
    const normal_budget budget = normal_budget_default();
    return horner_take_out_angles(w->p, normal_expand(w->p, e, &budget));
}

// q' from pi = definition(q, q', t) and Phi(q, q', t) = 0, row by row where that is possible, else
// as they are known, or in normal form.
static bool solve_velocities(const assembler *w, const expr *pi, const expr *definition,
                             const expr *known, expr *velocity) {
    const mechanics *s = w->s;
    const normal_budget budget = normal_budget_default();
    expr *row = new_array(w, s->n), *unknown = new_array(w, s->n), *x = new_array(w, s->n);
    uint32_t *place = arena_array(w->arena, uint32_t, s->n), count = 0;
    for (uint32_t i = 0; i < s->k; i++, count++)
        row[count] = s->phi[i], place[count] = s->dependent[i];
    for (uint32_t i = 0; i < s->m; i++)
        if (pi[i] != s->qd[s->independent[i]])
            row[count] = expr_sub(w->p, definition[i], pi[i]), place[count++] = s->independent[i];
    for (uint32_t i = 0; i < count; i++) unknown[i] = s->qd[place[i]];
    for (uint32_t i = 0; i < count && w->style == ASSEMBLE_TURNED; i++) row[i] = turned(w, row[i]);
    memcpy(velocity, known ? known : s->qd, sizeof(expr) * s->n);
    if (!rows_solve(w->p, count, row, unknown, x) &&
        (known || !normal_solve(w->p, count, row, unknown, &budget, x)))
        return known != NULL;
    for (uint32_t i = 0; i < count; i++) velocity[place[i]] = x[i];
    return true;
}

static expr in_pi(const assembler *w, expr e) {
    if (w->style == ASSEMBLE_TURNED) e = turned(w, e);
    if (w->style == ASSEMBLE_SHORT) e = shortest(w, e);
    expr on_motion = expr_replace(w->p, e, w->s->n, w->s->qd, w->velocity);
    if (w->style >= ASSEMBLE_SHORTEST) on_motion = shortest(w, on_motion);
    if (on_motion != EXPR_ZERO && expr_all_vanish(w->p, 1, &on_motion)) return EXPR_ZERO;
    return w->style == ASSEMBLE_RECURSIVE ? e : on_motion;
}

static vec3 vector_in_pi(const assembler *w, vec3 f) {
    return vec3_make(in_pi(w, f.at[0]), in_pi(w, f.at[1]), in_pi(w, f.at[2]));
}

// d f/dt at pi' = 0; q' stand for what they are
static vec3 drift_of(const assembler *w, vec3 f) {
    expr *zero = new_array(w, w->s->m);
    vec3 rate = vec3_ddt(w->p, f);
    if (w->style == ASSEMBLE_RECURSIVE)
        expr_substitute(w->p, w->s->n, w->s->qdd, w->solved.bias, 3, rate.at, rate.at);
    else expr_substitute(w->p, w->s->m, w->pi_rate, zero, 3, rate.at, rate.at);
    return rate;
}

// --- what each mass and body adds ----------------------------------------------------------------

static void partial_of(const assembler *w, vec3 f, uint32_t s, vec3 *out) {
    static const expr one = EXPR_ONE;
    const mechanics *of = w->s;
    expr *direction = new_array(w, of->n);
    for (uint32_t i = 0; i < of->n && w->style == ASSEMBLE_RECURSIVE; i++)
        direction[i] = w->solved.slope[i * of->m + s];
    if (w->style == ASSEMBLE_RECURSIVE)
        expr_pushforward(w->p, of->n, of->qd, direction, 3, f.at, out->at);
    else expr_pushforward(w->p, 1, &w->pi[s], &one, 3, f.at, out->at);
}

// M_st += P_s . R_t, r_s -= P_s . a, with P_s = du/d pi_s and R_s = m P_s or I P_s
static void add_rows(assembler *w, const vec3 *partial, const vec3 *momentum, vec3 force) {
    const uint32_t m = w->s->m;
    for (uint32_t s = 0; s < m; s++) {
        for (uint32_t t = s; t < m; t++) {
            const expr sum =
                expr_add(w->p, w->out->matrix[s * m + t], vec3_dot(w->p, partial[s], momentum[t]));
            w->out->matrix[s * m + t] = w->out->matrix[t * m + s] = sum;
        }
        w->out->right[s] = expr_sub(w->p, w->out->right[s], vec3_dot(w->p, partial[s], force));
    }
}

static void add_mass(assembler *w, expr mass, vec3 u, vec3 acceleration) {
    vec3 *partial = arena_array(w->arena, vec3, w->s->m),
         *momentum = arena_array(w->arena, vec3, w->s->m);
    for (uint32_t s = 0; s < w->s->m; s++) {
        partial_of(w, u, s, &partial[s]);
        momentum[s] = vec3_scale(w->p, mass, partial[s]);
    }
    add_rows(w, partial, momentum, vec3_scale(w->p, mass, acceleration));
}

// moment: of the rotors about the centre
static void add_turning(assembler *w, const expr *inertia, vec3 omega, vec3 turning, vec3 moment) {
    vec3 *partial = arena_array(w->arena, vec3, w->s->m),
         *momentum = arena_array(w->arena, vec3, w->s->m);
    for (uint32_t s = 0; s < w->s->m; s++) {
        partial_of(w, omega, s, &partial[s]);
        momentum[s] = model_inertia_times(w->p, inertia, partial[s]);
    }
    moment = vec3_add(w->p, moment, model_inertia_times(w->p, inertia, omega));
    add_rows(w, partial, momentum,
             vec3_add(w->p, model_inertia_times(w->p, inertia, turning),
                      vec3_cross(w->p, omega, moment)));
}

// M_st += J ds/d pi_s ds/d pi_t, r_s -= J ds/d pi_s s'; its moment J s n is handed on
static vec3 add_rotor(assembler *w, const rotor *r) {
    const vec3 spin = vec3_make(in_pi(w, r->spin), EXPR_ZERO, EXPR_ZERO);
    add_mass(w, r->moment, spin, drift_of(w, spin));
    return vec3_scale(w->p, expr_mul(w->p, r->moment, spin.at[0]), r->axis);
}

static vec3 gravity_of(const assembler *w) {
    const model *m = w->s->model;
    return m->has_gravity && model_gravity_is_uniform(m)
               ? m->gravity
               : vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
}

// The velocity of a coordinate that is a component of the centre, turned back from body axes.
static void take_velocities(assembler *w, const gyrostat *g, vec3 u) {
    const mechanics *s = w->s;
    const vec3 v = rotation_apply(w->p, g->axes, u);
    for (uint32_t i = 0; i < s->k; i++)
        for (int c = 0; c < 3; c++)
            if (g->place.at[c] == s->q[s->dependent[i]])
                w->out->velocity[s->dependent[i]] = v.at[c];
}

// w, u, w', u' + w x u - g at pi' = 0, along the axes of the gyrostat
static bool follow(const assembler *w, const gyrostat *g, chain_motion *out) {
    const vec3 centre = vec3_add(w->p, g->place, rotation_apply(w->p, g->axes, g->offset));
    if (!chain_follow(w->s->model, g->axes, centre, gravity_of(w), out)) return false;
    expr_substitute(w->p, w->s->n, w->s->qdd, w->solved.bias, 3, out->turning.at, out->turning.at);
    expr_substitute(w->p, w->s->n, w->s->qdd, w->solved.bias, 3, out->acceleration.at,
                    out->acceleration.at);
    return true;
}

static bool add_gyrostat(assembler *w, const gyrostat *g) {
    chain_motion c;
    if (w->style == ASSEMBLE_RECURSIVE) {
        if (!follow(w, g, &c)) return false;
    } else {
        vec3 weight = rotation_apply_inverse(w->p, g->axes, gravity_of(w));
        for (int i = 0; i < 3; i++) weight.at[i] = shortest(w, weight.at[i]);
        const vec3 at_place =
            vector_in_pi(w, rotation_apply_inverse(w->p, g->axes, vec3_ddt(w->p, g->place)));
        c.spin = vector_in_pi(w, rotation_omega_body(w->p, g->axes));
        c.velocity = vec3_add(w->p, at_place, vec3_cross(w->p, c.spin, g->offset));
        c.turning = drift_of(w, c.spin);
        c.acceleration = vec3_sub(
            w->p, vec3_add(w->p, drift_of(w, c.velocity), vec3_cross(w->p, c.spin, c.velocity)),
            weight);
        if (w->style >= ASSEMBLE_SHORTEST) take_velocities(w, g, at_place);
    }
    vec3 moment = vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    add_mass(w, g->mass, c.velocity, c.acceleration);
    for (uint32_t i = 0; i < g->rotor_count; i++)
        moment = vec3_add(w->p, moment, add_rotor(w, &g->rotors[i]));
    add_turning(w, g->inertia, c.spin, c.turning, moment);
    return true;
}

// From frame to frame, all chains together: beyond, what they share is taken out of sums instead
enum { MOST_FRAMES = 60 };

static bool add_gyrostats(assembler *w) {
    gyrostat *list;
    const uint32_t count = gyrostat_collect(w->s->model, &list);
    uint32_t frames = 0;
    for (uint32_t i = 0; i < count; i++) frames += list[i].axes.count;
    if (w->style == ASSEMBLE_RECURSIVE && frames > MOST_FRAMES) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!add_gyrostat(w, &list[i])) return false;
    return true;
}

// r_s += sum_i (Q_i - dU/dq_i) dq'_i/d pi_s with the stated potential U
static void add_forces(assembler *w) {
    const mechanics *s = w->s;
    static const expr one = EXPR_ONE;
    expr *force = new_array(w, s->n), *column = new_array(w, s->n);
    expr_gradient(w->p, s->model->potential, s->n, s->q, force);
    for (uint32_t i = 0; i < s->n; i++) force[i] = expr_sub(w->p, s->force[i], force[i]);
    for (uint32_t k = 0; k < s->m; k++) {
        expr_pushforward(w->p, 1, &w->pi[k], &one, s->n, w->velocity, column);
        w->out->right[k] = expr_add(w->p, w->out->right[k], expr_dot(w->p, s->n, force, column));
    }
}

// --- pi ------------------------------------------------------------------------------------------

static bool is_of_masses(const mechanics *s) {
    const model *m = s->model;
    return m->lagrangian == EXPR_NONE && m->kinetic == EXPR_ZERO &&
           m->points_count + m->bodies_count &&
           !expr_depends_on(s->pool, m->potential, s->n, s->qd);
}

bool assembly_is_possible(const equations *eq) {
    const mechanics *s = eq->system;
    return eq->explicit_velocities && !eq->auxiliaries_count && !s->h && s->m &&
           eq->unknown_count == s->m && is_of_masses(s);
}

// The rank of dw/d eta at the state under study, and the velocities of its pivots.
static uint32_t rank_of_turning(const equations *eq, vec3 omega, uint32_t *row, uint32_t *column) {
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    expr *jacobian = arena_array(a, expr, 3 * s->m);
    expr_substitute(s->pool, s->n, s->qd, eq->velocity, 3, omega.at, omega.at);
    expr_jacobian(s->pool, 3, omega.at, s->m, s->eta, jacobian);
    model_concrete(s->model, true, 3 * s->m, jacobian, jacobian);
    double *value = arena_array(a, double, 3 * s->m);
    program *g = program_create(s->pool, 3 * s->m, jacobian);
    program_run_double(g, s->sample, value);
    program_free(g);
    return pivots_choose(3, s->m, value, NULL, INDEPENDENCE_THRESHOLD, row, column);
}

// The first body that turns freely lends its angular velocity to pi, in the place of three
// independent velocities. False if there is none.
static bool take_spin(const assembler *w, const equations *eq, expr *pi, expr *definition) {
    const mechanics *s = w->s;
    for (uint32_t i = 0; i < s->model->bodies_count && s->m >= 3; i++) {
        uint32_t row[3], column[3];
        const vec3 omega = rotation_omega_body(w->p, s->model->bodies[i].orientation);
        if (rank_of_turning(eq, omega, row, column) < 3) continue;
        for (int c = 0; c < 3; c++)
            pi[column[c]] = expr_symbol(w->p, "w", ROLE_QUASI),
            definition[column[c]] = omega.at[row[c]];
        return true;
    }
    return false;
}

static bool choose_pi(assembler *w, const equations *eq) {
    const mechanics *s = w->s;
    expr *pi = new_array(w, s->m), *rate = new_array(w, s->m), *definition = new_array(w, s->m);
    memcpy(pi, s->eta, sizeof(expr) * s->m);
    memcpy(definition, s->psi, sizeof(expr) * s->m);
    w->out->own_rates = w->style == ASSEMBLE_SPINNING;
    if (w->out->own_rates && !take_spin(w, eq, pi, definition)) return false;
    for (uint32_t i = 0; i < s->m; i++) rate[i] = expr_symbol_derivative(w->p, pi[i]);
    w->pi = pi, w->pi_rate = rate, w->definition = definition;
    return true;
}

// d eta/d pi, and d eta/dt at pi' = 0
static void find_rates(assembler *w) {
    const mechanics *s = w->s;
    expr *eta = new_array(w, s->m), *zero = new_array(w, s->m);
    expr_substitute(w->p, s->n, s->qd, w->velocity, s->m, s->psi, eta);
    expr_jacobian(w->p, s->m, eta, s->m, w->pi, w->out->slope);
    for (uint32_t i = 0; i < s->m; i++) {
        const expr rate = expr_replace(w->p, expr_ddt(w->p, eta[i]), s->m, w->pi_rate, zero);
        w->out->drift[i] = shortest(w, expr_replace(w->p, rate, s->m, w->pi, w->definition));
    }
}

const expr *assembly_rates(const equations *eq, const assembly *a, const expr *pi_rate) {
    pool *p = eq->system->pool;
    const uint32_t m = eq->system->m;
    if (!a->own_rates) return pi_rate;
    expr *x = arena_array(&eq->system->model->ctx->arena, expr, m);
    for (uint32_t i = 0; i < m; i++)
        x[i] = expr_add(p, expr_dot(p, m, a->slope + i * m, pi_rate), a->drift[i]);
    return x;
}

bool assembly_create(const equations *eq, const expr *velocity, assembly_style style,
                     assembly *out) {
    const mechanics *s = eq->system;
    assembler w = {
        .s = s, .p = s->pool, .arena = &s->model->ctx->arena, .style = style, .out = out};
    const uint32_t m = s->m, count = 2 * (m * m + m);
    expr *in_eta = new_array(&w, s->n);
    out->matrix = new_array(&w, count), out->right = out->matrix + m * m,
    out->slope = out->right + m, out->drift = out->slope + m * m;
    w.velocity = new_array(&w, s->n), out->velocity = new_array(&w, s->n);
    if (!choose_pi(&w, eq)) return false;
    if (style == ASSEMBLE_RECURSIVE && !kinematics_create(s, &w.solved)) return false;
    if (style == ASSEMBLE_RECURSIVE) memcpy(in_eta, w.solved.velocity, sizeof(expr) * s->n);
    else solve_velocities(&w, s->eta, s->psi, velocity, in_eta);
    memcpy(w.velocity, in_eta, sizeof(expr) * s->n);
    if (out->own_rates && !solve_velocities(&w, w.pi, w.definition, NULL, w.velocity)) return false;
    memcpy(out->velocity, in_eta, sizeof(expr) * s->n);
    if (!add_gyrostats(&w)) return false;
    add_forces(&w);
    if (out->own_rates) find_rates(&w);
    expr_substitute(w.p, m, w.pi, w.definition, count, out->matrix, out->matrix);
    expr_substitute(w.p, m, w.pi, w.definition, s->n, out->velocity, out->velocity);
    expr_substitute(w.p, s->n, s->qd, in_eta, s->n, out->velocity, out->velocity);
    expr_substitute(w.p, s->n, s->qd, out->velocity, m * m + m, out->matrix, out->matrix);
    linear_without_ignorable(eq, m * m + m, out->matrix);
    for (uint32_t i = 0; i < s->n; i++) linear_without_ignorable(eq, 1, &out->velocity[i]);
    return true;
}

bool assembly_create_free(const mechanics *s, assembly *out) {
    mechanics unbound = *s;
    assembler w = {.s = &unbound,
                   .p = s->pool,
                   .arena = &s->model->ctx->arena,
                   .style = ASSEMBLE_RECURSIVE,
                   .out = out};
    uint32_t *all = arena_array(w.arena, uint32_t, s->n);
    for (uint32_t i = 0; i < s->n; i++) all[i] = i;
    unbound.k = unbound.h = 0, unbound.m = s->n, unbound.has_quasi = false;
    unbound.eta = unbound.psi = s->qd, unbound.independent = all;
    out->matrix = new_array(&w, s->n * s->n + s->n), out->right = out->matrix + s->n * s->n;
    if (!is_of_masses(s) || !kinematics_create(&unbound, &w.solved)) return false;
    w.pi = s->qd, w.velocity = w.solved.velocity;
    if (!add_gyrostats(&w)) return false;
    add_forces(&w);
    return true;
}

bool assembly_create_same(const equations *eq, const expr *matrix, const expr *rest,
                          assembly_style style, assembly *out) {
    const mechanics *s = eq->system;
    const uint32_t m = s->m, count = m * m + m + s->n;
    if (!assembly_is_possible(eq) || !assembly_create(eq, linear_velocities(eq), style, out) ||
        out->own_rates)
        return false;
    expr *defect = arena_array(&s->model->ctx->arena, expr, count);
    for (uint32_t i = 0; i < m * m; i++) defect[i] = expr_sub(s->pool, matrix[i], out->matrix[i]);
    for (uint32_t i = 0; i < m; i++) defect[m * m + i] = expr_add(s->pool, rest[i], out->right[i]);
    for (uint32_t i = 0; i < s->n; i++)
        defect[m * m + m + i] = expr_sub(s->pool, eq->velocity[i], out->velocity[i]);
    expr_substitute(s->pool, s->n, s->qd, eq->velocity, count, defect, defect);
    return expr_all_vanish(s->pool, count, defect);
}
