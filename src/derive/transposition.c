// What the A-model shows: W, E(L), A, G and their determinants.
#include "derive/transposition.h"

#include "derive/determinant.h"
#include "derive/ingredient.h"
#include "expr/vanish.h"

// `tidy`: in shortest form already
static void define(equations *eq, const char *name, const char *latex, expr value, bool tidy) {
    pool *p = eq->system->pool;
    if (ingredient_wanted(eq->system)) {
        ingredient_define(eq, name, latex, tidy ? value : ingredient_simplify(eq->system, value));
        return;
    }
    // nobody reads it: only whether it is 0 matters
    if (value != EXPR_ZERO && !expr_differs_from_zero(p, value) && expr_all_vanish(p, 1, &value))
        value = EXPR_ZERO;
    equations_define_silently(eq, name, value);
    if (value != EXPR_ZERO) ingredient_leave_out(eq, name);
}

static void define_matrix(equations *eq, const char *letter, const expr *entry, bool transposed,
                          bool tidy) {
    arena *a = &eq->system->model->ctx->arena;
    const uint32_t n = eq->system->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            define(eq, arena_format(a, "%s[%u,%u]", letter, i + 1, j + 1),
                   arena_format(a, "%s_{%u%u}", letter, i + 1, j + 1),
                   entry[transposed ? j * n + i : i * n + j], tidy);
}

static void define_determinant(equations *eq, const char *name, const char *latex,
                               const expr *entry) {
    const expr value = determinant(eq->system->pool, eq->system->n, entry);
    if (value != EXPR_NONE) define(eq, name, latex, value, false);
    else equations_leave_out(eq, name, "determinants are expanded up to 10 coordinates");
}

void transposition_define(equations *eq, const expr *row, const expr *w, const expr *e,
                          const expr *transposition, bool tidy) {
    arena *a = &eq->system->model->ctx->arena;
    eq->transposition = transposition;
    for (uint32_t i = 0; i < eq->system->n; i++)
        equations_define_silently(eq, arena_format(a, "L[%u]", i + 1), row[i]);
    define_matrix(eq, "W", w, false, false);
    define_determinant(eq, "det W", "\\det W", w);
    define_matrix(eq, "E", e, false, false);
    define_matrix(eq, "A", transposition, true, tidy);
}

// d alpha_a/dx_k for a dependent k; d alpha_a/dy_k - d/dt(d alpha_a/dy'_k) for an independent one.
const expr *transposition_explicit(const manifold *m) {
    const mechanics *s = m->system;
    const uint32_t n = s->n;
    expr *e = arena_array(&s->model->ctx->arena, expr, n * n);
    // dV_i/dq_j; the rows of the dependent velocities are dalpha/dq
    expr *alpha_q = arena_array(&s->model->ctx->arena, expr, n * n);
    manifold_velocity_jacobian(m, alpha_q);
    for (uint32_t i = 0; i < n * n; i++) e[i] = EXPR_ZERO;
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const uint32_t row = s->dependent[nu];
        for (uint32_t j = 0; j < n; j++) e[row * n + j] = alpha_q[row * n + j];
        for (uint32_t i = 0; i < s->m; i++) {
            expr *entry = &e[row * n + s->independent[i]];
            *entry = expr_sub(s->pool, *entry, manifold_rate(m, manifold_basis(m, row, i)));
        }
    }
    return e;
}

void transposition_define_inertia(equations *eq) {
    const mechanics *s = eq->system;
    expr *value = arena_array(&s->model->ctx->arena, expr, s->n),
         *g = arena_array(&s->model->ctx->arena, expr, s->n * s->n);
    for (uint32_t i = 0; i < s->n; i++) value[i] = eq->residual[i].value;
    expr_jacobian(s->pool, s->n, value, s->n, s->qdd, g);
    define_matrix(eq, "G", g, true, false);
    define_determinant(eq, "det G", "\\det G", g);
}
