// The defect of Newton's and Lagrange's equations: N_i = d/dt dL/dq'_i - dL/dq_i - Q_i.
#include "derive/defect.h"

#include <string.h>

void lagrange_derivatives(const mechanics *s, expr f, expr *out) {
    const uint32_t n = s->n;
    expr *variable = memory_array(expr, 2 * n), *gradient = memory_array(expr, 2 * n);
    memcpy(variable, s->qd, sizeof(expr) * n);
    memcpy(variable + n, s->q, sizeof(expr) * n);
    expr_gradient(s->pool, f, 2 * n, variable, gradient); // df/dq' and df/dq in one sweep
    for (uint32_t i = 0; i < n; i++)                      // E_i(f) = d/dt df/dq'_i - df/dq_i
        out[i] = expr_sub(s->pool, expr_ddt(s->pool, gradient[i]), gradient[n + i]);
    memory_free(variable);
    memory_free(gradient);
}

void lagrange_defect(const mechanics *s, expr *out) {
    lagrange_derivatives(s, s->lagrangian, out);
    for (uint32_t i = 0; i < s->n; i++) // N_i = E_i(L) - Q_i
        out[i] = expr_sub(s->pool, out[i], s->force[i]);
}

expr explicit_rate(const mechanics *s, expr f) {
    return expr_at_zero(s->pool, expr_ddt(s->pool, f), s->n, s->qd);
}
