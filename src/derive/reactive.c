// Equations of motion whose forces hold multipliers.
#include "derive/reactive.h"

#include "equations/evaluate.h"

#include <string.h>

const char *reactive_refusal(const formalism *f, const mechanics *s) {
    if (!s->forces_hold_multipliers) return NULL;
    if (f->mechanics && s->servo)
        return "a servo constraint states its reaction, and in another mechanics there is none";
    if (f->mechanics)
        return "a force holds multipliers, the reactions of the classical motion: in another "
               "mechanics they are something else";
    for (uint32_t nu = s->k; nu < s->k + s->h; nu++)
        if (mechanics_order(s, nu) > 2)
            return "a force or servo constraint uses multipliers as reactions, and with a "
                   "constraint of order 3 they are state";
    return NULL;
}

// The recovery N_i - R_i = 0 as a function of the form's own unknowns and state
static expr in_terms_of(const equations *eq, expr e) {
    const mechanics *s = eq->system;
    e = expr_replace(s->pool, e, s->n, s->qdd, eq->acceleration);
    return eq->explicit_velocities ? expr_replace(s->pool, e, s->n, s->qd, eq->velocity) : e;
}

void reactive_join(equations *eq) {
    const mechanics *s = eq->system;
    arena *a = &s->model->ctx->arena;
    const bool prescribed = !s->m && !s->h; // then multipliers are all there is to find
    if (!s->forces_hold_multipliers && !prescribed) return;
    eq->symmetric = false; // the columns of lambda hold c as well
    if (!eq->recovery) return;
    const uint32_t own = eq->unknown_count, k = eq->multiplier_count;
    expr *unknown = arena_array(a, expr, own + k);
    residual *r = arena_array(a, residual, own + k);
    memcpy(unknown, eq->unknown, sizeof(expr) * own);
    memcpy(r, eq->residual, sizeof(residual) * own);
    for (uint32_t nu = 0; nu < k; nu++) {
        unknown[own + nu] = eq->multiplier[nu];
        r[own + nu] = (residual){in_terms_of(eq, eq->recovery[nu]), RESIDUAL_MOTION, own + nu};
    }
    eq->unknown = unknown, eq->residual = r, eq->unknown_count = own + k;
    eq->recovery = NULL;
}

mechanics reactive_without(const mechanics *s) {
    mechanics out = *s;
    expr *force = arena_array(&s->model->ctx->arena, expr, s->n);
    for (uint32_t i = 0; i < s->n; i++)
        force[i] = expr_at_zero(s->pool, s->force[i], s->k + s->h, s->multiplier);
    out.force = force;
    out.forces_hold_multipliers = false;
    return out;
}

static const char *words_for(const mechanics *s, state *x) {
    enum { MOST_NAMED = 8 };
    arena *a = &s->model->ctx->arena;
    text t = {0};
    text_format(&t, " at t = %.6g", ball_middle(state_get(x, s->model->time)));
    const uint32_t shown = s->n < MOST_NAMED ? s->n : MOST_NAMED;
    for (uint32_t i = 0; i < 2 * shown; i++) {
        const expr symbol = i < shown ? s->q[i] : s->qd[i - shown];
        text_format(&t, ", %s = %.6g", expr_symbol_text(s->pool, symbol),
                    ball_middle(state_get(x, symbol)));
    }
    if (shown < s->n) text_append(&t, ", ..");
    const char *words = arena_copy(a, text_string(&t), t.length);
    text_free(&t);
    return words;
}

reactive_trouble reactive_words(const mechanics *s, const char *where) {
    if (s->servo) return servo_degree_explain(s, where);
    return (reactive_trouble){
        arena_format(&s->model->ctx->arena,
                     "the forces that hold multipliers make the equations singular%s: no motion or "
                     "several (Painleve's paradox)",
                     where),
        "masses and constraints alone are regular there: less friction, or an impact, decides what "
        "happens"};
}

reactive_trouble reactive_diagnose(const mechanics *s, state *x) {
    if (!s->forces_hold_multipliers) return (reactive_trouble){0};
    const mechanics without = reactive_without(s);
    equations *eq = formalism_derive(formalism_find("multipliers"), &without);
    const bool regular = equations_are_regular(eq, x);
    equations_free(eq);
    return regular ? reactive_words(s, words_for(s, x)) : (reactive_trouble){0};
}
