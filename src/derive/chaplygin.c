// Chaplygin's equations (T18 (26), M (10)), for constraints z'_nu = sum_i alpha_nu,i(q)
// q'_i with T and alpha free of the z:
//   d/dt dT*/dq'_i - dT*/dq_i
//   - sum_nu sum_j (dalpha_nu,i/dq_j - dalpha_nu,j/dq_i) q'_j (dT/dz'_nu)*
//   = F_i + sum_nu alpha_nu,i F_{z_nu}.
#include "derive/chaplygin.h"

#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/ingredient.h"
#include "derive/sample_pivots.h"
#include "normal/normal.h"

#include <assert.h>

// Which coordinates appear neither in the energy of velocities nor in any of the `count`
// expressions; the last one that does is named in *blocked.
static bool *ignorable(const mechanics *s, uint32_t count, const expr *known, uint32_t *blocked,
                       bool *in_kinetic) {
    // Where the potential depends on velocities L takes the place of T.
    const expr energy =
        expr_depends_on(s->pool, s->potential, s->n, s->qd) ? s->lagrangian : s->kinetic;
    bool *allowed = arena_array(&s->model->ctx->arena, bool, s->n),
         *kinetic = memory_zeros(bool, s->n), *used = memory_zeros(bool, s->n);
    normal_mark_dependence(s->pool, energy, s->n, s->q, kinetic);
    for (uint32_t j = 0; j < s->n; j++) used[j] = kinetic[j];
    for (uint32_t i = 0; i < count; i++)
        normal_mark_dependence(s->pool, known[i], s->n, s->q, used);
    *blocked = s->n;
    for (uint32_t j = 0; j < s->n; j++) {
        allowed[j] = !used[j];
        if (used[j]) *blocked = j, *in_kinetic = kinetic[j];
    }
    memory_free(kinetic), memory_free(used);
    return allowed;
}

static const char *too_few_left(const mechanics *s, uint32_t blocked, bool in_kinetic) {
    if (blocked == s->n) return "not of Chaplygin type, no velocities can be eliminated";
    return arena_format(&s->model->ctx->arena,
                        "not of Chaplygin type, %s %s and too few coordinates are left",
                        in_kinetic ? "T depends on" : "the constraints depend on",
                        expr_symbol_name(s->pool, s->q[blocked]));
}

const char *chaplygin_type(const mechanics *s, mechanics *out) {
    arena *a = &s->model->ctx->arena;
    if (!s->k) return "not of Chaplygin type, there are no constraints";
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        const char *fault = c->order == 0     ? "on positions"
                            : !c->linear      ? "not linear in the velocities"
                            : !c->homogeneous ? "not homogeneous in the velocities"
                            : c->rheonomic    ? "moving with time"
                                              : NULL;
        if (fault)
            return arena_format(a, "not of Chaplygin type, constraint `%s` is %s", c->name, fault);
    }
    bool in_kinetic = false;
    uint32_t blocked;
    const bool *allowed = ignorable(s, s->k * s->n, mechanics_slopes(s), &blocked, &in_kinetic);
    return sample_pivots_choose_dependent(s, allowed, out) ? NULL
                                                           : too_few_left(s, blocked, in_kinetic);
}

const char *chaplygin_type_generalised(const mechanics *s, mechanics *out) {
    if (!s->k) return "not of Chaplygin type, there are no constraints";
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (c->order == 0)
            return arena_format(&s->model->ctx->arena,
                                "not of Chaplygin type, constraint `%s` is on positions", c->name);
    }
    bool in_kinetic = false, as_stated = true;
    uint32_t blocked;
    const bool *allowed = ignorable(s, s->k, s->phi, &blocked, &in_kinetic);
    for (uint32_t i = 0; i < s->k; i++) as_stated = as_stated && allowed[s->dependent[i]];
    if (as_stated) *out = mechanics_without_quasi(s); // the model's own choice of x' will do
    return as_stated || sample_pivots_choose_dependent(s, allowed, out)
               ? NULL
               : too_few_left(s, blocked, in_kinetic);
}

manifold chaplygin_manifold(const mechanics *s) {
    manifold m = manifold_create(s);
    expr *force = arena_array(&s->model->ctx->arena, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++) force[i] = s->force[i];
    // E_x(L) has no equation of its own: its -dU/dx is a force
    for (uint32_t a = 0; a < s->k; a++) {
        const uint32_t x = s->dependent[a];
        force[x] = expr_sub(s->pool, force[x], expr_diff(s->pool, s->potential, s->q[x]));
    }
    m.kinetic = s->lagrangian, m.force = force;
    return m;
}

static const char *refusal(const mechanics *s) {
    mechanics chosen;
    return chaplygin_type(s, &chosen);
}

// curl = dalpha_nu,i/dq_j - dalpha_nu,j/dq_i
static void list_curl(equations *eq, const mechanics *s, uint32_t nu, uint32_t i, uint32_t j,
                      expr curl) {
    arena *a = &s->model->ctx->arena;
    equations_define(eq, arena_format(a, "curl[%u;%u,%u]", nu + 1, i + 1, j + 1),
                     arena_format(a,
                                  "\\frac{\\partial \\alpha_{%u,%u}}{\\partial %s} - "
                                  "\\frac{\\partial \\alpha_{%u,%u}}{\\partial %s}",
                                  nu + 1, i + 1, ingredient_base_latex(s, s->q[s->independent[j]]),
                                  nu + 1, j + 1, ingredient_base_latex(s, s->q[s->independent[i]])),
                     curl);
}

static void derive(const mechanics *given, equations *eq) {
    mechanics s = *given; // with other dependent velocities, where it must
    const char *refused = chaplygin_type(given, &s);
    assert(!refused);
    pool *p = s.pool;
    arena *a = &s.model->ctx->arena;
    const manifold m = manifold_create(&s);
    expr *star = arena_array(a, expr, s.m), *position = arena_array(a, expr, s.n),
         *momentum = arena_array(a, expr, s.n);
    expr *force = arena_array(a, expr, s.m), *value = arena_array(a, expr, s.m),
         *alpha_q = arena_array(a, expr, s.m * s.n);
    ingredient_define_alpha(eq, &m);
    manifold_eta_gradient(&m, m.kinetic, star);       // dT*/dq'_i
    manifold_q_gradient(&m, m.kinetic, position);     // dT*/dq_i
    expr_gradient(p, m.kinetic, s.n, s.qd, momentum); // dT/dq'_i
    manifold_force(&m, force);                        // F_i + sum_nu alpha_nu,i F_{z_nu}
    for (uint32_t i = 0; i < s.m; i++)                // d/dt dT*/dq'_i - dT*/dq_i - F*_i
        value[i] = expr_sub(p, expr_sub(p, manifold_rate(&m, star[i]), position[s.independent[i]]),
                            force[i]);
    for (uint32_t nu = 0; nu < s.k; nu++) {
        const expr p_star = manifold_star(&m, momentum[s.dependent[nu]]); // (dT/dz'_nu)*
        for (uint32_t i = 0; i < s.m; i++)                                // dalpha_nu,i/dq_j
            expr_gradient(p, manifold_basis(&m, s.dependent[nu], i), s.n, s.q, alpha_q + i * s.n);
        for (uint32_t i = 0; i < s.m; i++)
            for (uint32_t j = 0; j < s.m; j++) { // - (dalpha_nu,i/dq_j - dalpha_nu,j/dq_i) q'_j p*
                const expr curl = expr_sub(p, alpha_q[i * s.n + s.independent[j]],
                                           alpha_q[j * s.n + s.independent[i]]);
                value[i] = expr_sub_product(p, value[i], expr_mul(p, curl, s.eta[j]), p_star);
                if (j > i && curl != EXPR_ZERO) list_curl(eq, &s, nu, i, j, curl);
            }
    }
    equations_define(eq, "T*", "T^*", manifold_star(&m, m.kinetic));
    deliver_projected(eq, &m, value);
}

const formalism formalism_chaplygin = {
    .id = "chaplygin",
    .name = "Chaplygin's equations",
    .paper = "Chaplygin 1897; T18 (26), M (10)",
    .formula = "d/dt dT*/dq'_i - dT*/dq_i - sum_nu sum_j (dalpha_nu,i/dq_j - dalpha_nu,j/dq_i) "
               "q'_j (dT/dq'_{m+nu})* = F*_i",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial T^{*}}{\\partial \\dot{q}_{i}} - \\frac{\\partial "
             "T^{*}}{\\partial q_{i}} - \\sum_{\\nu} \\sum_{j} \\left(\\frac{\\partial "
             "\\alpha_{\\nu,i}}{\\partial q_{j}} - \\frac{\\partial \\alpha_{\\nu,j}}{\\partial "
             "q_{i}}\\right) \\dot{q}_{j} \\left(\\frac{\\partial T}{\\partial "
             "\\dot{q}_{m+\\nu}}\\right)^{*} = F^{*}_{i}",
    .history = "Chaplygin told in 1895, and printed in 1897, how Lindelof had gone wrong with the "
               "rolling body of revolution: the reduced Lagrangian alone is not enough, and here "
               "is the missing term.",
    .use = "When the dependent coordinates appear neither in T nor in the constraints: sleighs, "
           "discs and balls on a plane. The equations then close in fewer coordinates and the rest "
           "is a quadrature.",
    .lists = "alpha[nu], dalpha[nu]/dq'_i, T*, curl[nu;i,j] = dalpha_nu,i/dq_j - dalpha_nu,j/dq_i "
             "for i < j",
    .applies = "Chaplygin type: linear homogeneous stationary constraints, dependent coordinates "
               "absent from T and from them",
    .refusal = refusal,
    .derive = derive,
};
