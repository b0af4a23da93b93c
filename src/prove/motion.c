// The motion as the text says it, at the states that statements are looked at: do the accelerations
// and multipliers of the reference satisfy it, and do the constraints that were set aside hold?
#include "prove/court.h"

enum { MOTION_LOOKS = 4 };

static bool certainly_not_zero(arb_srcptr x) { return arb_is_finite(x) && !arb_contains_zero(x); }

// Constraints that were set aside must follow from the others: at every state that is looked at, or
// for the stated values of the parameters only.
static void look_at_idle_constraints(court *c, const equations *eq, uint32_t number) {
    arena *a = &c->m->ctx->arena;
    solved_sample *s = sample_solved(&c->room, eq, number);
    arb_t phi;
    arb_init(phi);
    for (uint32_t i = 0; s && i < c->m->constraints_count; i++) {
        const constraint *k = &c->m->constraints[i];
        if (k->status == CONSTRAINT_ACTIVE || k->order > 2) continue;
        if (typed_constraint(k, &s->at, phi).status != TYPED_OK || !certainly_not_zero(phi))
            continue;
        if (number >= STATED_SAMPLES) c->special = k->name;
        else
            c->broken = arena_format(a,
                                     "internal error: the constraint `%s` (%s) was set aside and "
                                     "does not follow from the others",
                                     k->name, typed_place(c->m, k->at));
    }
    arb_clear(phi);
}

static void look_at_one(court *c, const equations *eq, uint32_t number) {
    const mechanics *w = c->system;
    const uint32_t count = w->n + w->k + w->h;
    solved_sample *s = sample_solved(&c->room, eq, number);
    if (!s) return;
    arb_ptr residual = _arb_vec_init(count);
    const typed_finding f = typed_motion(w, &s->at, residual);
    for (uint32_t i = 0; i < count && f.status == TYPED_OK && !c->broken; i++) {
        if (!certainly_not_zero(residual + i)) continue;
        char *size = arb_get_str(residual + i, 10, 0);
        c->broken =
            arena_format(&c->m->ctx->arena,
                         "internal error: the equations of %s do not satisfy the model as it was "
                         "typed (row %u of the motion: %s at sample %u, seed %llu)",
                         eq->form, i + 1, size, number, (unsigned long long)c->request->seed);
        flint_free(size);
    }
    _arb_vec_clear(residual, count);
}

void look_at_motion(court *c) {
    const equations *eq = c->has_branches ? c->plain : c->reference;
    bool idle = false;
    for (uint32_t i = 0; i < c->m->constraints_count; i++) {
        idle |= c->m->constraints[i].status != CONSTRAINT_ACTIVE;
        if (c->m->constraints[i].special) c->special = c->m->constraints[i].name;
    }
    // the varied ones first: a constraint that is idle for some values only makes them useless
    for (uint32_t i = 0; idle && i < 2; i++) look_at_idle_constraints(c, eq, STATED_SAMPLES + i);
    for (uint32_t i = 0; i < MOTION_LOOKS && !c->broken; i++) {
        const uint32_t number = i < 2    ? (i ? NEAR_SAMPLES : 1)
                                : i == 2 ? NEAR_SAMPLES + 1
                                         : STATED_SAMPLES;
        if (idle && number < STATED_SAMPLES) look_at_idle_constraints(c, eq, number);
        if (!c->special || number < STATED_SAMPLES) look_at_one(c, eq, number);
    }
}
