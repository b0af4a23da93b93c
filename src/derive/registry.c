// The list of formalisms.
#include "derive/formalism.h"

#include "base/names.h"
#include "derive/reactive.h"
#include "normal/normal.h"

#include <assert.h>
#include <string.h>

#define FORMALISM(id) extern const formalism formalism_##id;
#include "derive/formalisms.def"
#undef FORMALISM

static const formalism *const formalisms[] = {
#define FORMALISM(id) &formalism_##id,
#include "derive/formalisms.def"
#undef FORMALISM
};

enum { COUNT = sizeof formalisms / sizeof *formalisms, HIGHEST_ORDER = 3 };

uint32_t formalism_count(void) { return COUNT; }
const formalism *formalism_at(uint32_t index) { return formalisms[index]; }

const formalism *formalism_find(const char *id) {
    for (uint32_t i = 0; i < COUNT; i++)
        if (strcmp(formalisms[i]->id, id) == 0) return formalisms[i];
    return NULL;
}

const char *formalism_nearest(const char *id) {
    const char *best = NULL;
    unsigned least = (unsigned)strlen(id) / 3 + 2;
    for (uint32_t i = 0; i < COUNT; i++) {
        const unsigned d = names_distance(id, formalisms[i]->id, least);
        if (d < least) least = d, best = formalisms[i]->id;
    }
    return best;
}

// Is row nu, dPhi/dq^(p), of degree 1 at most in q''? Then lambda times it is affine in
// the unknowns, once lambda is known.
static bool is_affine_in_accelerations(const mechanics *s, uint32_t nu) {
    const normal_budget budget = normal_budget_default();
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++) {
            const expr first = expr_diff(s->pool, mechanics_slopes(s)[nu * s->n + i], s->qdd[j]);
            for (uint32_t l = 0; l <= j; l++) {
                const expr second = expr_diff(s->pool, first, s->qdd[l]);
                if (second != EXPR_ZERO && normal_is_zero(s->pool, second, &budget) != NORMAL_YES)
                    return false;
            }
        }
    return true;
}

// Why a form cannot treat constraint nu, which is of order 2 or higher (docs/mathematics.md,
// section 2.6); NULL if it can.
static const char *higher_order_refusal(const formalism *f, const mechanics *s, uint32_t nu) {
    const constraint *c = &s->model->constraints[s->constraint[nu]];
    const int highest = f->highest_order ? (int)f->highest_order : 1;
    arena *a = &s->model->ctx->arena;
    if (c->order > HIGHEST_ORDER)
        return arena_format(a, "constraint `%s` is of order %d; no form treats more than order %d",
                            c->name, c->order, HIGHEST_ORDER);
    if (c->order > highest && highest == 1)
        return arena_format(a,
                            "constraint `%s` is of order %d; this form treats constraints on "
                            "positions and velocities",
                            c->name, c->order);
    if (c->order > highest)
        return arena_format(
            a, "constraint `%s` is of order %d; this form treats constraints up to order %d",
            c->name, c->order, highest);
    if (!c->linear && c->order < HIGHEST_ORDER)
        return arena_format(a,
                            "constraint `%s` is not linear in its highest derivative; its time "
                            "derivative, ddt(..) = 0, is, as a constraint of order %d",
                            c->name, c->order + 1);
    if (!c->linear)
        return arena_format(a, "constraint `%s` is not linear in its highest derivative", c->name);
    if (!is_affine_in_accelerations(s, nu))
        return arena_format(a, "the reaction of constraint `%s` is not linear in the accelerations",
                            c->name);
    return NULL;
}

const char *formalism_refusal(const formalism *f, const mechanics *s) {
    for (uint32_t nu = s->k; nu < s->k + s->h; nu++) {
        const char *reason = higher_order_refusal(f, s, nu);
        if (reason) return reason;
    }
    if (f->mechanics && !s->m && s->k)
        return "the constraints prescribe the motion: no mechanics has anything to say";
    const char *reason = reactive_refusal(f, s);
    return reason ? reason : f->refusal(s);
}

const formalism *formalism_default(const mechanics *s) {
    const formalism *maggi = formalism_find("maggi");
    assert(maggi);
    return formalism_refusal(maggi, s) ? formalism_find("multipliers") : maggi;
}

equations *formalism_derive(const formalism *f, const mechanics *s) {
    equations *eq = equations_create(s, f->id);
    f->derive(s, eq);
    reactive_join(eq);
    return eq;
}
