// The implicit midpoint rule, z1 = z0 + h f((z0 + z1)/2, t + h/2): symmetric, so that a reversible
// system runs backwards through the same states, and it keeps quadratic invariants of z' = f. The
// middle m is found by Newton's method from m - z0 - h/2 f(m) = 0; then z1 = 2 m - z0.
#include "integrate/fixed_step.h"
#include "integrate/integrator.h"
#include "integrate/newton_solve.h"

typedef struct {
    field *f;
    double t, h;     // the middle, the step
    const double *z; // at its start
    double *middle, *work;
} midpoint_step;

static bool system_at(void *data, const double *m, double *residual, double *jacobian) {
    midpoint_step *s = data;
    const uint32_t n = s->f->size;
    if (!s->f->rate(s->f, s->t, m, residual) || !s->f->jacobian(s->f, s->t, m, jacobian))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        residual[i] = m[i] - s->z[i] - s->h / 2 * residual[i];
        for (uint32_t j = 0; j < n; j++)
            jacobian[i * n + j] = (i == j) - s->h / 2 * jacobian[i * n + j];
    }
    return true;
}

static run_status advance(fixed_method *method, double t, double h, const double *z,
                          const double *f, double *z1) {
    midpoint_step *s = method->data;
    const uint32_t n = s->f->size;
    s->t = t + h / 2, s->h = h, s->z = z;
    for (uint32_t i = 0; i < n; i++) s->middle[i] = z[i] + h / 2 * f[i];
    const dense_system equation = {n, system_at, s};
    const run_status status = newton_solve_dense(&equation, s->middle, s->work);
    for (uint32_t i = 0; i < n; i++) z1[i] = 2 * s->middle[i] - z[i];
    return status;
}

static run_status integrate(integration *in) {
    const uint32_t n = in->f->size;
    midpoint_step s = {.f = in->f, .middle = memory_array(double, n + newton_solve_work(n) + 1)};
    s.work = s.middle + n;
    fixed_method m = {advance, &s};
    const run_status status = fixed_step_run(in, 2, &m);
    memory_free(s.middle);
    return status;
}

const integrator integrator_midpoint = {
    .id = "midpoint",
    .name = "implicit midpoint rule",
    .paper = "Hairer, Lubich, Wanner 2006, II.1",
    .about = "reversible: qualitative pictures over long times",
    .order = 2,
    .fixed_step = true,
    .integrate = integrate,
};
