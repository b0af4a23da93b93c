// The named ingredients of the formalisms.
#include "derive/ingredient.h"

#include "base/latex_name.h"
#include "normal/normal.h"

bool ingredient_wanted(const mechanics *s) {
    return s->list_everything || s->n <= INGREDIENT_COORDINATES;
}

void ingredient_leave_out(equations *eq, const char *names) {
    equations_leave_out(eq, names,
                        arena_format(&eq->system->model->ctx->arena,
                                     "more than %d coordinates; derive --full lists them",
                                     INGREDIENT_COORDINATES));
}

void ingredient_define(equations *eq, const char *name, const char *latex, expr value) {
    pool *p = eq->system->pool;
    const normal_budget budget = normal_budget_default();
    const uint32_t weight = expr_weight(p, value);
    if (weight > INGREDIENT_WEIGHT && weight <= INGREDIENT_EFFORT)
        value = normal_simplify(p, value, &budget);
    const bool fits = eq->system->list_everything || expr_weight(p, value) <= INGREDIENT_WEIGHT;
    if (value != EXPR_ZERO && fits) equations_define(eq, name, latex, value);
    else equations_define_silently(eq, name, value);
    if (!fits) equations_leave_out(eq, name, "too long to list; derive --full lists them");
}

expr ingredient_simplify(const mechanics *s, expr e) {
    const normal_budget budget = normal_budget_default();
    return expr_weight(s->pool, e) <= INGREDIENT_EFFORT ? normal_simplify(s->pool, e, &budget) : e;
}

void ingredient_remark(equations *eq, const char *words) {
    eq->remark = eq->remark
                     ? arena_format(&eq->system->model->ctx->arena, "%s; %s", eq->remark, words)
                     : words;
}

// --- names ---------------------------------------------------------------------------------------

static const char *in_latex(const mechanics *s, const char *name, uint32_t primes) {
    text t = {0};
    latex_name(name, primes, &t);
    const char *copy = arena_copy(&s->model->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    return copy;
}

const char *ingredient_latex(const mechanics *s, expr e) {
    const symbol *what = pool_symbol(s->pool, expr_symbol_index(s->pool, e));
    return in_latex(s, what->name, what->order);
}

const char *ingredient_base_latex(const mechanics *s, expr e) {
    return in_latex(s, expr_symbol_name(s->pool, e), 0);
}
const char *ingredient_name_latex(const mechanics *s, const char *name) {
    return in_latex(s, name, 0);
}

// --- the explicit constraints --------------------------------------------------------------------

void ingredient_define_alpha(equations *eq, const manifold *m) {
    const mechanics *s = m->system;
    arena *a = &s->model->ctx->arena;
    if (s->k && !ingredient_wanted(s)) ingredient_leave_out(eq, "alpha, dalpha/dq'");
    if (!ingredient_wanted(s)) return;
    if (s->k && !m->v.explicit_velocities)
        equations_leave_out(eq, "alpha",
                            "the dependent velocities have no closed form, and stay symbols");
    for (uint32_t nu = 0; nu < s->k; nu++) {
        const uint32_t row = s->dependent[nu];
        if (m->v.explicit_velocities)
            ingredient_define(eq, arena_format(a, "alpha[%u]", nu + 1),
                              arena_format(a, "\\alpha_{%u}", nu + 1), m->v.velocity[row]);
        for (uint32_t i = 0; i < s->m; i++)
            ingredient_define(
                eq, arena_format(a, "dalpha[%u]/d%s", nu + 1, expr_symbol_text(s->pool, s->eta[i])),
                arena_format(a, "\\frac{\\partial \\alpha_{%u}}{\\partial %s}", nu + 1,
                             ingredient_latex(s, s->eta[i])),
                manifold_basis(m, row, i));
    }
}
