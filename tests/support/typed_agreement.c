// Every form against the second evaluator: accelerations and multipliers of a
// model at random admissible states.
#include "support/typed_agreement.h"

#include "equations/evaluate.h"
#include "typed/typed.h"

#include <stdlib.h>
#include <string.h>

enum { BITS = 300, DIGITS = 20 };

bool form_is_classical(const formalism *f) {
    static const char *const coinciding[] = {"a-model-b", "chaplygin-g", "routh-chaplygin",
                                             "gaponov"};
    for (size_t i = 0; i < sizeof coinciding / sizeof *coinciding; i++)
        if (strcmp(f->id, coinciding[i]) == 0) return true;
    return !f->mechanics;
}

bool form_is_quick(const formalism *f) {
    return strcmp(f->id, "maggi") == 0 || strcmp(f->id, "multipliers") == 0;
}

bool admissible_state(model *m, uint64_t seed, slong precision, state *s) {
    dependent_constraint *idle = calloc(m->constraints_count + 1, sizeof *idle);
    uint32_t count = 0;
    state_init(s, m, precision);
    const hamel_status status = state_complete(
        s, &(completion_request){.mode = COMPLETE_GENERIC, .seed = seed}, idle, &count);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    free(idle);
    return status == HAMEL_OK;
}

static bool is_sharp(arb_srcptr a) {
    return arb_is_finite(a) && arb_rel_accuracy_bits(a) > DIGITS * 3;
}

// Both balls hold the true value, so they meet; a wide one says little. An exact 0 is sharp.
static void compare(arb_srcptr a, arb_srcptr b, uint32_t count, bool *meet, bool *sharp) {
    for (uint32_t i = 0; i < count; i++) {
        if (!arb_is_finite(b + i)) continue; // multipliers of constraints that were not typed
        *meet = *meet && (!arb_is_finite(a + i) || arb_overlaps(a + i, b + i));
        arb_t size;
        arb_init(size);
        arb_abs(size, a + i);
        arb_add_ui(size, size, 1, BITS);
        *sharp = *sharp && arb_is_finite(a + i) && is_sharp(size);
        arb_abs(size, b + i);
        arb_add_ui(size, size, 1, BITS);
        *sharp = *sharp && is_sharp(size);
        arb_clear(size);
    }
}

// A nonlinear constraint has several branches, and a form that eliminates velocities
// knows one: is the state on it?
static bool on_the_branch(const equations *eq, const mechanics *w, state *s) {
    bool nonlinear = false;
    for (uint32_t nu = 0; nu < w->k; nu++)
        nonlinear |= !w->model->constraints[w->constraint[nu]].linear;
    if (!nonlinear || !eq->explicit_velocities) return true;
    arb_ptr velocity = _arb_vec_init(w->n);
    equations_values(eq, s, w->n, eq->velocity, velocity);
    bool same = true;
    for (uint32_t i = 0; i < w->n; i++)
        same = same && arb_overlaps(velocity + i, state_get(s, w->qd[i]));
    _arb_vec_clear(velocity, w->n);
    return same;
}

static void compare_form(const formalism *f, const mechanics *w, state *s, arb_srcptr qdd,
                         arb_srcptr lambda, agreement *a) {
    equations *eq = formalism_derive(f, w);
    evaluation e;
    expr missing;
    const evaluate_status status = equations_evaluate(eq, s, &e, &missing);
    context *ctx = w->model->ctx;
    if (status != EVALUATE_OK) {
        a->why = arena_format(&ctx->arena, "%s cannot be evaluated", f->id);
        a->wide++;
        equations_free(eq);
        return;
    }
    bool meet = true, sharp = true;
    compare(e.acceleration, qdd, w->n, &meet, &sharp);
    compare(e.multiplier, lambda, eq->multiplier_count, &meet, &sharp);
    if (!meet && !on_the_branch(eq, w, s)) meet = true, sharp = false;
    a->compared += meet && sharp;
    a->wrong += !meet;
    a->wide += meet && !sharp;
    if (!meet || !sharp)
        a->why = arena_format(&ctx->arena, "%s %s", f->id, meet ? "is too wide" : "is wrong");
    evaluation_clear(&e);
    equations_free(eq);
}

void compare_with_typed(model *m, const mechanics *w, uint32_t states, uint64_t seed,
                        bool (*wanted)(const formalism *), agreement *a) {
    const uint32_t k = w->k + w->h;
    arb_ptr known = _arb_vec_init(w->n + k);
    for (uint32_t i = 0; i < states; i++) {
        state s;
        typed_finding found = {.status = TYPED_NO_VALUE, .reason = "no admissible state was found"};
        if (admissible_state(m, seed + i, BITS, &s))
            found = typed_accelerations(w, &s, known, known + w->n);
        if (found.status != TYPED_OK) a->why = found.reason;
        a->states += found.status == TYPED_OK;
        for (uint32_t j = 0; j < formalism_count() && found.status == TYPED_OK; j++) {
            const formalism *f = formalism_at(j);
            if (!(wanted ? wanted : form_is_classical)(f) || formalism_refusal(f, w)) continue;
            compare_form(f, w, &s, known, known + w->n, a);
        }
        state_clear(&s);
    }
    _arb_vec_clear(known, w->n + k);
}
