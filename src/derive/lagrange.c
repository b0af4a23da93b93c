// Lagrange's derivative E_i(f) and the defect N_i = E_i(L) - Q_i, which most forms start from, and
// Lagrange's equations of the second kind: N_i = 0, for systems without constraints.
#include "derive/lagrange.h"

#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/routh.h"

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

// --- the formalism -------------------------------------------------------------------------------

static const char *refusal(const mechanics *s) {
    if (!s->k) return NULL;
    return arena_format(&s->model->ctx->arena,
                        "there %s %u constraint%s; Lagrange's second kind needs free coordinates",
                        s->k == 1 ? "is" : "are", s->k, s->k == 1 ? "" : "s");
}

static void derive(const mechanics *s, equations *eq) {
    expr *defect = arena_array(&s->model->ctx->arena, expr, s->n);
    lagrange_defect(s, defect); // N_i = d/dt dL/dq'_i - dL/dq_i - Q_i
    routh_define(s, eq, true);
    deliver_accelerations(eq, defect);
    eq->symmetric = true;
}

const formalism formalism_lagrange = {
    .id = "lagrange",
    .name = "Lagrange's equations, second kind",
    .paper = "Lagrange 1788; RS 1.2",
    .formula = "d/dt dL/dq'_i - dL/dq_i = Q_i",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial L}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
             "L}{\\partial q_{i}} = Q_{i}",
    .history = "Lagrange's Mecanique analytique of 1788 replaced forces and free bodies by one "
               "function of coordinates that are free. Every form listed after it asks what "
               "becomes of these equations when velocities are not free.",
    .use = "For systems without constraints, or whose coordinates were chosen so that none is "
           "left. With a nonholonomic constraint it is wrong to put the constraint into L first: "
           "Lindelof's error of 1895, which Chaplygin corrected.",
    .lists = "where coordinates are cyclic: p[c] = dL/dq'_c of each, Routh's function R = L - "
             "sum_c p_c q'_c with q'_c eliminated, Routh[q] = d/dt dR/dq' - dR/dq - Q, and q'_c",
    .applies = "no constraints",
    .refusal = refusal,
    .derive = derive,
};
