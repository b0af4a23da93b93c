// Discrete Lagrange-d'Alembert (Cortes and Martinez, Nonlinearity 14, 2001): positions
// q_0, q_1, .. at equal times with
//   D1 L_d(q_k, q_k+1) + D2 L_d(q_k-1, q_k) + forces = - sum_nu lambda_nu a_nu(q_k),
//   L_d(q0, q1) = h L((q0 + q1)/2, (q1 - q0)/h, t + h/2),
//   Phi((q_k + q_k+1)/2, (q_k+1 - q_k)/h, t_k + h/2) = 0,      a_nu = dPhi_nu/dq';
// a geometric constraint holds at the nodes as it stands: g(q_k+1, t_k+1) = 0. With P = dL/dq', S =
// dL/dq + Q in the middle, the discrete Legendre transforms are p- = P - h/2 S at the start of a
// step and p+ = P + h/2 S at its end, and the equation at a node reads p- = p+ + sum lambda a. The
// velocity shown at a node is that whose momentum lies between: dL/dq'(q_k, v) = p+ + sum mu a with
// Phi(q_k, v) = 0. The part of the reaction behind it belongs to the next step, so the positions
// are those of the two-step equation, and (q, v) is carried by a reversible map of order 2.
#include "derive/formalism.h"
#include "integrate/fixed_step.h"
#include "integrate/integrator.h"
#include "execute/own_functions.h"
#include "integrate/newton_solve.h"

#include <string.h>

typedef struct {
    const mechanics *s;
    uint32_t n, k;
    bool *geometric, some_geometric; // k
    own_functions mechanics, state;  // of (q, v, t)
    // What `mechanics` gives at (q, v, t), one after the other: P (n), S (n), Phi (k), g (k; 0
    // where the constraint is not geometric), and the derivatives of (P, S, Phi) by (q, v), 2n + k
    // rows of 2n. In the middle of the step, and at a node.
    double *middle, *node;
    double t, h;            // of the step
    double *q, *v, *p;      // at its start, p = dL/dq'
    double *row;            // k x n: a_nu at its start
    double *end, *momentum; // q1; p+
    double *argument;       // (q, v) for `mechanics`
    double *x, *work;       // of Newton's method
} dla_run;

static const double *derivatives(const dla_run *d, const double *at) {
    return at + 2 * (d->n + d->k);
}
// d/dq_j and d/dv_j of entry i of (P, S, Phi)
static double by_q(const dla_run *d, const double *at, uint32_t i, uint32_t j) {
    return derivatives(d, at)[i * 2 * d->n + j];
}
static double by_v(const dla_run *d, const double *at, uint32_t i, uint32_t j) {
    return derivatives(d, at)[i * 2 * d->n + d->n + j];
}

static double by_w(const dla_run *d, uint32_t i, uint32_t j) {
    return d->h / 2 * by_q(d, d->middle, i, j) + by_v(d, d->middle, i, j);
}

static bool evaluate(dla_run *d, double t, const double *q, const double *v, double *out) {
    memcpy(d->argument, q, sizeof(double) * d->n);
    memcpy(d->argument + d->n, v, sizeof(double) * d->n);
    return machine_run(&d->mechanics.at, t, d->argument, out);
}

// --- one step ------------------------------------------------------------------------------------

// x = (w, lambda) with w = (q1 - q)/h: P - h/2 S - p - sum lambda a = 0, Phi = 0 in the middle q +
// h/2 w; g = 0 at q1. Here d/dw = h/2 d/dq + d/dv.
static bool step_at(void *data, const double *x, double *residual, double *jacobian) {
    dla_run *d = data;
    const uint32_t n = d->n, k = d->k, size = n + k;
    const double h = d->h;
    double *q = d->end;
    for (uint32_t i = 0; i < n; i++) q[i] = d->q[i] + h / 2 * x[i];
    if (!evaluate(d, d->t + h / 2, q, x, d->middle)) return false;
    for (uint32_t i = 0; i < n; i++) q[i] = d->q[i] + h * x[i];
    if (d->some_geometric && !evaluate(d, d->t + h, q, x, d->node)) return false;
    memset(jacobian, 0, sizeof(double) * size * size);
    for (uint32_t i = 0; i < n; i++) {
        residual[i] = d->middle[i] - h / 2 * d->middle[n + i] - d->p[i];
        for (uint32_t j = 0; j < n; j++)
            jacobian[i * size + j] = by_w(d, i, j) - h / 2 * by_w(d, n + i, j);
        for (uint32_t nu = 0; nu < k; nu++) {
            residual[i] -= x[n + nu] * d->row[nu * n + i];
            jacobian[i * size + n + nu] = -d->row[nu * n + i];
        }
    }
    for (uint32_t nu = 0; nu < k; nu++) {
        residual[n + nu] = d->geometric[nu] ? d->node[2 * n + k + nu] / h : d->middle[2 * n + nu];
        for (uint32_t j = 0; j < n; j++) // dg/dq = dPhi/dq' where Phi = dg/dt
            jacobian[(n + nu) * size + j] =
                d->geometric[nu] ? by_v(d, d->node, 2 * n + nu, j) : by_w(d, 2 * n + nu, j);
    }
    return true;
}

// x = (v, mu): dL/dq'(q1, v) - p+ - sum mu a(q1) = 0, Phi(q1, v) = 0
static bool node_at(void *data, const double *x, double *residual, double *jacobian) {
    dla_run *d = data;
    const uint32_t n = d->n, k = d->k, size = n + k;
    if (!evaluate(d, d->t + d->h, d->end, x, d->node)) return false;
    memset(jacobian, 0, sizeof(double) * size * size);
    for (uint32_t i = 0; i < n; i++) {
        residual[i] = d->node[i] - d->momentum[i];
        for (uint32_t j = 0; j < n; j++) jacobian[i * size + j] = by_v(d, d->node, i, j);
        for (uint32_t nu = 0; nu < k; nu++) {
            const double a = by_v(d, d->node, 2 * n + nu, i);
            residual[i] -= x[n + nu] * a;
            jacobian[i * size + n + nu] = -a;
            jacobian[(n + nu) * size + i] = a;
        }
    }
    for (uint32_t nu = 0; nu < k; nu++) residual[n + nu] = d->node[2 * n + nu];
    return true;
}

// p and a at the node (q, v, t), where the next step begins.
static bool arrive(dla_run *d, double t) {
    if (!evaluate(d, t, d->q, d->v, d->node)) return false;
    memcpy(d->p, d->node, sizeof(double) * d->n);
    for (uint32_t nu = 0; nu < d->k; nu++)
        for (uint32_t i = 0; i < d->n; i++)
            d->row[nu * d->n + i] = by_v(d, d->node, 2 * d->n + nu, i);
    return true;
}

static run_status advance(fixed_method *method, double t, double h, const double *z,
                          const double *f, double *z1) {
    (void)z, (void)f;
    dla_run *d = method->data;
    const uint32_t n = d->n, k = d->k;
    d->t = t, d->h = h;
    const dense_system step = {n + k, step_at, d}, node = {n + k, node_at, d};
    for (uint32_t i = 0; i < n + k; i++) d->x[i] = i < n ? d->v[i] : 0;
    run_status status = newton_solve_dense(&step, d->x, d->work);
    if (status) return status;
    for (uint32_t i = 0; i < n; i++) {
        d->end[i] = d->q[i] + h * d->x[i];
        d->momentum[i] = d->middle[i] + h / 2 * d->middle[n + i];
    }
    for (uint32_t nu = 0; nu < k; nu++) d->x[n + nu] = 0;
    status = newton_solve_dense(&node, d->x, d->work); // from v = w
    if (status) return status;
    memcpy(d->v, d->x, sizeof(double) * n);
    memcpy(d->q, d->end, sizeof(double) * n);
    if (!arrive(d, t + h)) return RUN_NOT_FINITE;
    memcpy(d->argument, d->q, sizeof(double) * n);
    memcpy(d->argument + n, d->v, sizeof(double) * n);
    return machine_run(&d->state.at, t + h, d->argument, z1) ? RUN_DONE : RUN_NOT_FINITE;
}

// --- the run -------------------------------------------------------------------------------------

static bool make_functions(dla_run *d, const simulation *sim) {
    const mechanics *s = d->s;
    pool *p = sim->m->pool;
    const uint32_t n = d->n, k = d->k, rows = 2 * n + k, outputs = 2 * (n + k) + rows * 2 * n;
    expr *symbol = memory_array(expr, 2 * n + outputs), *out = symbol + 2 * n;
    memcpy(symbol, s->q, sizeof(expr) * n);
    memcpy(symbol + n, s->qd, sizeof(expr) * n);
    expr_gradient(p, s->lagrangian, n, s->qd, out);
    expr_gradient(p, s->lagrangian, n, s->q, out + n);
    for (uint32_t i = 0; i < n; i++) out[n + i] = expr_add(p, out[n + i], s->force[i]);
    for (uint32_t nu = 0; nu < k; nu++) {
        out[2 * n + nu] = s->phi[nu];
        out[2 * n + k + nu] =
            d->geometric[nu] ? sim->m->constraints[s->constraint[nu]].phi : EXPR_ZERO;
    }
    expr_jacobian(p, rows, out, 2 * n, symbol, out + 2 * (n + k));
    const bool made =
        own_functions_init(&d->mechanics, sim, 2 * n, symbol, outputs, out) &&
        own_functions_init(&d->state, sim, 2 * n, symbol, sim->o->size, sim->o->start);
    memory_free(symbol);
    return made;
}

// (q, v) of the state z.
static bool read_state(dla_run *d, integration *in) {
    const simulation *sim = in->f->sim;
    double *value = memory_array(double, sim->column_count);
    const bool finite = in->f->columns(in->f, in->t, in->z, value);
    uint32_t positions = 0, velocities = 0;
    for (uint32_t i = 0; i < sim->column_count && finite; i++) {
        if (sim->column[i].kind == COLUMN_COORDINATE) d->q[positions++] = value[i];
        if (sim->column[i].kind == COLUMN_VELOCITY) d->v[velocities++] = value[i];
    }
    memory_free(value);
    return finite;
}

static run_status integrate(integration *in) {
    const simulation *sim = in->f->sim;
    const uint32_t n = sim->eq->system->n, k = sim->eq->system->k,
                   outputs = 2 * (n + k) + (2 * n + k) * 2 * n;
    dla_run d = {.s = sim->eq->system, .n = n, .k = k, .geometric = memory_zeros(bool, k + 1)};
    for (uint32_t nu = 0; nu < k; nu++) {
        d.geometric[nu] = sim->m->constraints[d.s->constraint[nu]].order == 0;
        d.some_geometric = d.some_geometric || d.geometric[nu];
    }
    d.middle =
        memory_array(double, 2 * outputs + 7 * n + k * n + (n + k) + newton_solve_work(n + k) + 1);
    d.node = d.middle + outputs, d.q = d.node + outputs, d.v = d.q + n, d.p = d.v + n,
    d.end = d.p + n, d.momentum = d.end + n;
    d.argument = d.momentum + n, d.row = d.argument + 2 * n, d.x = d.row + k * n,
    d.work = d.x + n + k;
    run_status status = RUN_DONE;
    if (!make_functions(&d, sim)) {
        in->failure = "something in the Lagrangian, the forces or the constraints has no value";
        status = RUN_FAILED;
    } else if (!read_state(&d, in) || !arrive(&d, in->t)) {
        status = RUN_NOT_FINITE;
    }
    fixed_method m = {advance, &d};
    if (!status) status = fixed_step_run(in, 2, &m);
    own_functions_clear(&d.mechanics), own_functions_clear(&d.state);
    memory_free(d.middle);
    memory_free(d.geometric);
    return status;
}

static const char *refusal(const integration *in) {
    const simulation *sim = in->f->sim;
    const mechanics *s = sim->eq->system;
    const formalism *form = formalism_find(sim->eq->form);
    if (form && form->mechanics)
        return "it discretises the classical motion, and the form is of another mechanics";
    if (s->forces_hold_multipliers)
        return "a force or servo constraint uses multipliers, and those of a discrete step are "
               "impulses";
    if (s->h)
        return "there is a constraint of order 2 or higher; it treats constraints on positions and "
               "velocities";
    for (uint32_t nu = 0; nu < s->k; nu++)
        if (!sim->m->constraints[s->constraint[nu]].linear)
            return "a constraint is not linear in the velocities";
    return NULL;
}

const integrator integrator_dla = {
    .id = "dla",
    .name = "discrete Lagrange-d'Alembert",
    .paper = "Cortes and Martinez 2001",
    .about = "the same with linear constraints, from a discrete principle",
    .order = 2,
    .fixed_step = true,
    .refusal = refusal,
    .integrate = integrate,
};
