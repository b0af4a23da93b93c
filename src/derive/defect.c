// The defect of Newton's and Lagrange's equations: N_i = d/dt(dL/dq'_i) -
// dL/dq_i - Q_i (MATH.md section 1).
#include "derive/defect.h"

#include <stdlib.h>
#include <string.h>

void lagrange_derivatives(const mechanics *system, expr f, expr *out) {
    pool *p = system->pool;
    const uint32_t n = system->n;
    expr *variable = memory_array(expr, 2 * n), *gradient = memory_array(expr, 2 * n);
    memcpy(variable, system->qd, sizeof(expr) * n);
    memcpy(variable + n, system->q, sizeof(expr) * n);
    expr_gradient(p, f, 2 * n, variable, gradient); // df/dq' and df/dq in one sweep
    for (uint32_t i = 0; i < n; i++)
        out[i] = expr_sub(p, expr_ddt(p, gradient[i]), gradient[n + i]);
    memory_free(variable);
    memory_free(gradient);
}

void lagrange_defect(const mechanics *system, expr *out) {
    pool *p = system->pool;
    const uint32_t n = system->n;
    lagrange_derivatives(system, system->lagrangian, out);
    for (uint32_t i = 0; i < n; i++) {
        const expr inertia = out[i];
        out[i] = expr_sub(p, inertia, system->force[i]);
    }
}
