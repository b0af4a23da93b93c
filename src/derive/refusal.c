// Hypotheses that several formalisms share.
#include "derive/refusal.h"

const char *refusal_never(const mechanics *s) {
    (void)s;
    return NULL;
}

const char *refusal_unless_constraints(const mechanics *s) {
    return s->k ? NULL : "there are no constraints";
}

const char *refusal_unless_linear_constraints(const mechanics *s) {
    for (uint32_t i = 0; i < s->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (!c->linear)
            return arena_format(&s->model->ctx->arena,
                                "constraint `%s` is not linear in the velocities", c->name);
    }
    return NULL;
}

const char *refusal_unless_linear_frame(const mechanics *s) {
    const char *reason = refusal_unless_linear_constraints(s);
    for (uint32_t i = 0; i < s->m && s->has_quasi && !reason; i++)
        if (expr_any_depends_on(s->pool, s->n, s->psi_velocity + i * s->n, s->n, s->qd))
            reason = arena_format(&s->model->ctx->arena,
                                  "the quasi-velocity `%s` is not linear in the velocities",
                                  s->model->quasis[i].name);
    return reason;
}

const char *refusal_unless_points_or_bodies(const mechanics *s) {
    if (s->model->lagrangian != EXPR_NONE)
        return "a Lagrangian was stated; this form needs points or bodies";
    if (s->model->kinetic != EXPR_ZERO)
        return "a kinetic energy was stated; this form needs all of it from points and bodies";
    if (!s->model->points_count && !s->model->bodies_count) return "there are no points or bodies";
    return NULL;
}

const char *refusal_unless_points(const mechanics *s) {
    if (s->model->bodies_count) return "there are rigid bodies; this form is written for points";
    return refusal_unless_points_or_bodies(s);
}
