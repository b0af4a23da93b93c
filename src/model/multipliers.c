// Multipliers that statements name, of constraints that have none, or not the one that was meant.
#include "model/mechanics.h"

// One use: `what` names the statement.
static void look_at_use(const model *m, const constraint *c, span at, const char *what) {
    const char *lambda = expr_symbol_name(m->pool, c->multiplier);
    if (c->status == CONSTRAINT_COMBINED)
        diag_warning(m->ctx, at,
                     "`check` shows the combinations that are kept: those have multipliers",
                     "%s speaks of %s, which is not determined: others depend on constraint `%s`",
                     what, lambda, c->name);
    else if (c->status != CONSTRAINT_ACTIVE)
        diag_warning(m->ctx, at, "speak of the multipliers of those it follows from",
                     "%s speaks of %s, and constraint `%s`, which says nothing of its own, has no "
                     "multiplier",
                     what, lambda, c->name);
    else if (c->stated != EXPR_NONE)
        diag_warning(m->ctx, at, NULL, "%s speaks of %s: it belongs to `%s = 0`, %s", what, lambda,
                     m->words ? m->words(m, c->phi) : "a factor", c->note);
}

void model_warn_of_lost_multipliers(const model *m) {
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        const constraint *c = &m->constraints[i];
        if (c->status == CONSTRAINT_ACTIVE && c->stated == EXPR_NONE) continue;
        const expr symbol[2] = {c->multiplier, expr_symbol_derivative(m->pool, c->multiplier)};
        for (uint32_t j = 0; j < m->claims_count; j++) {
            const claim *k = &m->claims[j];
            if (k->kind != CLAIM_EQUATION) continue;
            if (expr_depends_on(m->pool, k->left, 2, symbol) ||
                expr_depends_on(m->pool, k->right, 2, symbol))
                look_at_use(m, c, k->at, arena_format(&m->ctx->arena, "claim `%s`", k->name));
        }
        for (uint32_t j = 0; j < m->initial_count; j++)
            if (m->initial[j].symbol == c->multiplier)
                look_at_use(m, c, m->initial[j].at, "`initial`");
    }
}
