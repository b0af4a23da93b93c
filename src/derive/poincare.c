// Poincare-Chetaev: a moving frame X_s = sum_i C_is d/dq_i with X_0 = d/dt - sum_i (C z)_i d/dq_i,
// its Lie brackets [X_r, X_s] = sum_k C^k_rs X_k, and
//   d/dt dT~/d eta_s = sum_k (sum_r C^k_rs eta_r + C^k_0s) dT~/dv_k + X_s T~ + Q*_s.
// With constant structure functions this is Poincare's algebraic case of 1901.
#include "derive/poincare.h"

#include "derive/deliver.h"
#include "derive/formalism.h"
#include "derive/frame.h"
#include "derive/ingredient.h"
#include "derive/refusal.h"
#include "normal/normal.h"

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    const frame *f;
    expr *field;   // n + 1 fields of n components: X_1 .. X_n, X_0 last
    expr *field_q; // their derivatives: [(field*n + i)*n + j]
} brackets;

static expr component(const brackets *b, uint32_t field, uint32_t i) {
    return b->field[field * b->s->n + i];
}

// C^k_rs for all k: the bracket [X_r, X_s], resolved along the frame by Z. r = n stands for X_0.
static void structure(const brackets *b, uint32_t r, uint32_t s, expr *out) {
    const uint32_t n = b->s->n;
    expr *bracket = arena_array(b->arena, expr, n);
    for (uint32_t i = 0; i < n; i++) {
        if (r == n) bracket[i] = mechanics_explicit_rate(b->s, component(b, s, i)); // [d/dt, X_s]
        for (uint32_t j = 0; j < n; j++) { // X_r^j dX_s^i/dq_j - X_s^j dX_r^i/dq_j
            const expr forward =
                expr_mul(b->p, component(b, r, j), b->field_q[((size_t)s * n + i) * n + j]);
            const expr back =
                expr_mul(b->p, component(b, s, j), b->field_q[((size_t)r * n + i) * n + j]);
            bracket[i] = expr_add(b->p, bracket[i], expr_sub(b->p, forward, back));
        }
    }
    for (uint32_t k = 0; k < n; k++) // C^k_rs = sum_i Z_ki [X_r, X_s]_i
        out[k] = expr_dot(b->p, n, b->f->matrix + k * n, bracket);
}

static brackets brackets_of(const mechanics *s, const frame *f) {
    brackets b = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena, .f = f};
    const uint32_t n = s->n;
    b.field = arena_array(b.arena, expr, (n + 1) * n);
    b.field_q = arena_array(b.arena, expr, (size_t)(n + 1) * n * n);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) b.field[k * n + i] = f->inverse[i * n + k]; // X_k: C_ik
        // X_0, without its d/dt: -(C z)_i
        b.field[n * n + i] = expr_neg(b.p, expr_dot(b.p, n, f->inverse + i * n, f->offset));
    }
    expr_jacobian(b.p, (n + 1) * n, b.field, n, s->q, b.field_q);
    return b;
}

static bool is_constant(pool *p, expr e) {
    return expr_order(p, e) < 0 && !expr_depends_on_time(p, e);
}

// The components of [X_r, X_s] = sum_k C^k_rs X_k, given the C^k_rs; r = n stands for X_0.
static void show_bracket(const brackets *b, equations *eq, uint32_t r, uint32_t s, const expr *c) {
    const uint32_t n = b->s->n;
    for (uint32_t i = 0; i < n && ingredient_wanted(b->s) && r > s; i++) {
        expr *along = arena_array(b->arena, expr, n);
        for (uint32_t k = 0; k < n; k++) along[k] = component(b, k, i);
        const uint32_t first = r == n ? 0 : r + 1;
        ingredient_define(eq,
                          arena_format(b->arena, "[X%u,X%u].%s", first, s + 1,
                                       expr_symbol_text(b->p, b->s->q[i])),
                          arena_format(b->arena, "[X_{%u},X_{%u}]_{%s}", first, s + 1,
                                       ingredient_latex(b->s, b->s->q[i])),
                          expr_dot(b->p, n, c, along));
    }
}

static void derive(const mechanics *s, equations *eq) {
    pool *p = s->pool;
    arena *a = &s->model->ctx->arena;
    const normal_budget budget = normal_budget_default();
    const manifold m = manifold_create(s);
    const frame f = frame_create(s);
    const brackets b = brackets_of(s, &f);
    const uint32_t n = s->n;
    const expr kinetic = frame_express(s, &f, m.kinetic); // T~(q, v, t)
    expr *momentum = arena_array(a, expr, n), *position = arena_array(a, expr, n),
         *force = arena_array(a, expr, s->m);
    expr *value = arena_array(a, expr, s->m), *c = arena_array(a, expr, n);
    frame_gradients(s, &f, kinetic, momentum, position); // dT~/dv_k, dT~/dq_j
    manifold_force(&m, force);                           // Q*_s
    bool algebra = true;
    if (!ingredient_wanted(s)) ingredient_leave_out(eq, "[Xr,Xs]");
    for (uint32_t k = 0; k < s->m; k++) {
        value[k] = expr_sub(p, manifold_rate(&m, momentum[k]), force[k]); // d/dt dT~/d eta_s - Q*_s
        for (uint32_t j = 0; j < n; j++)                                  // - X_s T~
            value[k] = expr_sub_product(p, value[k], component(&b, k, j), position[j]);
        for (uint32_t r = 0; r <= n; r++) {
            if (r >= s->m && r < n) continue; // the constrained velocities are 0
            structure(&b, r, k, c);
            show_bracket(&b, eq, r, k, c);
            for (uint32_t t = 0; t < n; t++) { // - C^t_rs eta_r dT~/dv_t, - C^t_0s dT~/dv_t
                const expr rate = r == n ? c[t] : expr_mul(p, c[t], s->eta[r]);
                value[k] = expr_sub_product(p, value[k], rate, momentum[t]);
                const expr shown = c[t] == EXPR_ZERO || (r < k && r < n)
                                       ? EXPR_ZERO
                                       : normal_simplify(p, c[t], &budget);
                if (shown == EXPR_ZERO) continue;
                algebra = algebra && is_constant(p, shown);
                equations_define(
                    eq, arena_format(a, "C[%u;%u,%u]", t + 1, r == n ? 0 : r + 1, k + 1),
                    arena_format(a, "C^{%u}_{%u%u}", t + 1, r == n ? 0 : r + 1, k + 1), shown);
            }
        }
    }
    eq->remark = !algebra ? "the structure functions are not constant"
                 : poincare_structure(s) == STRUCTURE_VARIABLE
                     ? "the structure functions that enter the equations are constant, those of "
                       "the whole frame are not"
                     : "the structure functions are constant: the algebraic case of Poincare";
    deliver_projected(eq, &m, value);
}

structure_verdict poincare_structure(const mechanics *s) {
    if (!ingredient_wanted(s) || refusal_unless_linear_frame(s)) return STRUCTURE_UNKNOWN;
    const normal_budget budget = normal_budget_default();
    const frame f = frame_create(s);
    const brackets b = brackets_of(s, &f);
    expr *c = arena_array(b.arena, expr, s->n);
    structure_verdict verdict = STRUCTURE_ZERO;
    // also those of the constrained directions: a Lie algebra is closed
    for (uint32_t k = 0; k < s->n; k++)
        for (uint32_t r = k + 1; r <= s->n; r++) {
            structure(&b, r, k, c);
            for (uint32_t t = 0; t < s->n; t++) {
                const expr shown =
                    c[t] == EXPR_ZERO ? EXPR_ZERO : normal_simplify(b.p, c[t], &budget);
                if (!is_constant(b.p, shown)) return STRUCTURE_VARIABLE;
                if (shown != EXPR_ZERO) verdict = STRUCTURE_CONSTANT;
            }
        }
    return verdict;
}

const formalism formalism_poincare = {
    .id = "poincare",
    .name = "Poincare-Chetaev equations",
    .paper = "Poincare 1901, Chetaev 1927; M",
    .formula = "d/dt dT~/d eta_s = sum_k (sum_r C^k_rs eta_r + C^k_0s) dT~/d eta_k + X_s T~ + "
               "Q*_s, [X_r, X_s] = sum_k C^k_rs X_k",
    .latex = "\\tfrac{d}{dt} \\frac{\\partial \\tilde{T}}{\\partial \\eta_{s}} = \\sum_{k} "
             "\\left(\\sum_{r} C^{k}_{rs} \\eta_{r} + C^{k}_{0s}\\right) \\frac{\\partial "
             "\\tilde{T}}{\\partial \\eta_{k}} + X_{s} \\tilde{T} + Q^{*}_{s}, \\quad [X_{r}, "
             "X_{s}] = \\sum_{k} C^{k}_{rs} X_{k}",
    .history = "Poincare put a transitive group in the place of coordinates in two pages of 1901; "
               "Chetaev (1927) developed the equations, and dropped the demand that the structure "
               "coefficients be constant.",
    .use = "When the quasi-velocities belong to fields whose brackets matter: hamel computes the "
           "brackets and says whether the structure functions are constant, that is, whether there "
           "is a Lie algebra behind them.",
    .lists = "[Xr,Xs].q, the components of the brackets, and C[k;r,s] with [X_r, X_s] = sum_k "
             "C[k;r,s] X_k, for s <= m, s < r <= m (antisymmetric in r and s), and r = 0, the "
             "drift; brackets with the fields of the constrained directions do not enter the "
             "equations and are not listed",
    .applies = "linear-affine constraints and quasi-velocities",
    .refusal = refusal_unless_linear_frame,
    .derive = derive,
};
