// Judging random claims: how often each verdict came, and whether a refutation can
// be checked from what it says.
#ifndef HAMEL_TESTS_VERDICTS_JUDGE_H
#define HAMEL_TESTS_VERDICTS_JUDGE_H

#include "support/random_text.h"
#include "support/support.h"

#include "identity/t_verdicts_generator.h"

#include "derive/formalism.h"
#include "equations/evaluate.h"
#include "prove/prove.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CLAIMS_PER_SYSTEM = 10, BITS = 300 };
// the issue: a witness satisfies the constraints to 30 digits
static const double CONSTRAINT_DIGITS = 1e-30;
// relative: the witness has 40 digits, the residual 20, and is computed in another way
static const double RESIDUAL_TOLERANCE = 1e-12;
static const double MOST_UNDECIDED = 0.02;

typedef struct {
    uint32_t truths[3], misses[3]; // by verdict_kind
    uint32_t bad_witnesses;
} tally;

static const char *witness_value(const verdict *v, const char *name) {
    for (uint32_t i = 0; i < v->witness_count; i++)
        if (strcmp(v->witness[i].name, name) == 0) return v->witness[i].value;
    return NULL;
}

static bool set_from(state *s, const verdict *v, expr symbol, const char *name) {
    const char *value = witness_value(v, name);
    arb_t number;
    arb_init(number);
    const bool ok = value && arb_set_str(number, value, BITS) == 0;
    arf_t mid;
    arf_init(mid);
    arf_set(mid, arb_midref(number));
    arb_set_arf(number, mid); // the decimals as they stand
    if (ok) state_set(s, symbol, number);
    arf_clear(mid);
    arb_clear(number);
    return ok;
}

// The state that the verdict names, from its decimals alone.
static bool witness_state(model *m, const verdict *v, state *s) {
    bool ok = true;
    state_init(s, m, BITS);
    s->generic = true;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        ok = ok && set_from(s, v, m->parameters[i].symbol,
                            expr_as_symbol(m->pool, m->parameters[i].symbol)->name);
    ok = ok && set_from(s, v, m->time, "t");
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        char name[64];
        const char *plain = expr_as_symbol(m->pool, m->coordinates[i])->name;
        snprintf(name, sizeof name, "%s'", plain);
        ok = ok && set_from(s, v, m->coordinates[i], plain);
        ok = ok && set_from(s, v, expr_symbol_of_order(m->pool, m->coordinates[i], 1), name);
    }
    return ok;
}

static double size_of(arb_srcptr x) { return fabs(ball_middle(x)) + mag_get_d(arb_radref(x)); }

// Does the state lie on the constraints, does the stated enclosure exclude 0, and is the residual
// there what was said, by the equations with multipliers?
static bool refutation_holds(model *m, const mechanics *w, const verdict *v, const claim *c) {
    state s;
    evaluation e = {0};
    expr missing;
    arb_t stated, found;
    arb_init(stated), arb_init(found);
    bool ok = v->residual && arb_set_str(stated, v->residual, BITS) == 0 && arb_is_finite(stated) &&
              !arb_contains_zero(stated);
    ok = witness_state(m, v, &s) && ok;
    equations *eq = formalism_derive(formalism_find("multipliers"), w);
    ok = ok && equations_evaluate(eq, &s, &e, &missing) == EVALUATE_OK;
    for (uint32_t i = 0; i < w->k && ok; i++) ok = size_of(e.residual + i) < CONSTRAINT_DIGITS;
    if (ok) {
        const expr gap = expr_sub(m->pool, c->left, c->right);
        equations_values(eq, &s, 1, &gap, found);
        const double size = size_of(stated);
        arb_sub(found, found, stated, BITS);
        ok = size_of(found) < RESIDUAL_TOLERANCE * size;
    }
    equations_free(eq);
    evaluation_clear(&e);
    state_clear(&s);
    arb_clear(stated), arb_clear(found);
    return ok;
}

static void complain(const char *what, const verdict *v, const text *source) {
    fprintf(stderr, "%s: %s (%s)\n%s\n", v->name, what, v->remark ? v->remark : v->method,
            text_string(source));
}

static void count_verdict(tally *t, model *m, const mechanics *w, const verdict *v,
                          const text *source) {
    static const char *const verdicts[] = {"proved", "refuted", "undecided"};
    const bool truth = v->name[0] == 't';
    ++(truth ? t->truths : t->misses)[v->verdict];
    if (truth ? v->verdict != VERDICT_PROVED : v->verdict != VERDICT_REFUTED)
        complain(verdicts[v->verdict], v, source);
    const claim *c = NULL;
    for (uint32_t i = 0; i < m->claims_count; i++)
        if (strcmp(m->claims[i].name, v->name) == 0) c = &m->claims[i];
    if (v->verdict != VERDICT_REFUTED || (c && refutation_holds(m, w, v, c))) return;
    t->bad_witnesses++;
    complain("the witness does not show it", v, source);
}

// Five truths and five near misses about the system of this seed.
static void judge_system(uint64_t seed, tally *t) {
    random_system s = system_make(seed);
    text source = {0};
    say_system(&s, &source);
    for (int i = 0; i < CLAIMS_PER_SYSTEM; i++) {
        char name[16];
        const bool truth = i % 2 == 0;
        snprintf(name, sizeof name, "%c%d", truth ? 't' : 'f', i);
        say_claim(&s, name, truth ? INTACT : (mutation)(1 + pick(&s, MUTATIONS - 1)), &source);
    }
    world w = world_open();
    model *m = world_model(&w, text_string(&source));
    mechanics *system;
    const hamel_status status = mechanics_create(m, NULL, &system);
    if (status) fprintf(stderr, "%s\n", text_string(&source));
    assert_int_equal(status, HAMEL_OK);
    judgement j = {0};
    const formalism *forms[] = {formalism_find("multipliers")};
    assert_int_equal(prove_model(m, system, &(prove_request){.form_count = 1, .form = forms}, &j),
                     HAMEL_OK);
    for (uint32_t i = 0; i < j.verdicts_count; i++)
        if (strcmp(j.verdicts[i].kind, "claim") == 0)
            count_verdict(t, m, system, &j.verdicts[i], &source);
    judgement_free(&j);
    world_close(&w);
    text_free(&source);
}

static void judge_systems(uint64_t first, uint32_t most_systems) {
    tally t = {0};
    uint32_t count = 0;
    for (; count < most_systems && run_has_time(); count++) judge_system(first + count, &t);
    printf("truths: %u proved, %u refuted, %u undecided; near misses: %u proved, %u refuted, %u "
           "undecided; %u bad witnesses\n",
           t.truths[0], t.truths[1], t.truths[2], t.misses[0], t.misses[1], t.misses[2],
           t.bad_witnesses);
    const double most = MOST_UNDECIDED * count * CLAIMS_PER_SYSTEM / 2;
    assert_int_equal(t.truths[VERDICT_REFUTED], 0);
    assert_int_equal(t.misses[VERDICT_PROVED], 0);
    assert_int_equal(t.bad_witnesses, 0);
    assert_true(t.truths[VERDICT_UNDECIDED] <= most);
    assert_true(t.misses[VERDICT_UNDECIDED] <= most);
    assert_int_equal(t.truths[0] + t.truths[2], count * CLAIMS_PER_SYSTEM / 2);
    assert_int_equal(t.misses[1] + t.misses[2], count * CLAIMS_PER_SYSTEM / 2);
}

#endif
