// Every formalism that applies gives the same accelerations and multipliers, on every library
// model, at random admissible states.
#include "support/random_text.h"
#include "support/typed_agreement.h"

#include "base/embedded.h"
#include "derive/formalism.h"
#include "equations/evaluate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 40, BITS = 400 };

// Equal to DIGITS digits, relative to 1 or to the larger of the two.
static bool agree(arb_srcptr a, arb_srcptr b, uint32_t count) {
    bool ok = true;
    arb_t gap, scale;
    arb_init(gap), arb_init(scale);
    for (uint32_t i = 0; i < count && ok; i++) {
        arb_sub(gap, a + i, b + i, BITS);
        arb_abs(scale, a + i);
        arb_add_ui(scale, scale, 1, BITS);
        arb_div(gap, gap, scale, BITS);
        mag_t size;
        mag_init(size);
        arb_get_mag(size, gap);
        ok = arb_is_finite(gap) && mag_cmp_2exp_si(size, -(slong)(DIGITS * 3.33)) < 0;
        mag_clear(size);
    }
    arb_clear(gap), arb_clear(scale);
    return ok;
}

// Other mechanics that coincide with the classical motion wherever they apply.
static const char *const coinciding[] = {"a-model-b", "chaplygin-g", "routh-chaplygin", "gaponov"};

static bool should_agree(const formalism *f) {
    for (size_t i = 0; i < sizeof coinciding / sizeof *coinciding; i++)
        if (strcmp(f->id, coinciding[i]) == 0) return true;
    return !f->mechanics; // another mechanics need not
}

// The equations of all forms that should agree, derived once, for the states
// at which they are compared.
typedef struct {
    const mechanics *w;
    model *m;
    equations *eq[64];
    uint32_t count;
} forms;

static forms forms_derive(model *m, const mechanics *w) {
    forms all = {.m = m, .w = w};
    for (uint32_t i = 0; i < formalism_count(); i++) {
        const formalism *f = formalism_at(i);
        if (!should_agree(f) || formalism_refusal(f, w)) continue;
        assert_true(all.count < sizeof all.eq / sizeof *all.eq);
        all.eq[all.count++] = formalism_derive(f, w);
    }
    return all;
}

static void forms_free(forms *all) {
    for (uint32_t i = 0; i < all->count; i++) equations_free(all->eq[i]);
}

// Evaluate all forms at a state, each from the state as it was, and compare them with the first.
static bool forms_agree(const forms *all, uint64_t seed, uint32_t *compared) {
    const mechanics *w = all->w;
    evaluation first = {0};
    bool ok = true, have_first = false;
    for (uint32_t i = 0; i < all->count && ok; i++) {
        state s;
        if (!admissible_state(all->m, seed, BITS, &s)) { // nothing to compare there
            state_clear(&s);
            break;
        }
        evaluation e;
        expr missing;
        const evaluate_status status = equations_evaluate(all->eq[i], &s, &e, &missing);
        ok = status == EVALUATE_OK;
        if (ok && have_first) {
            ++*compared;
            ok = agree(first.acceleration, e.acceleration, w->n) &&
                 agree(first.multiplier, e.multiplier, w->k) &&
                 agree(first.eta_rate, e.eta_rate, w->m);
        }
        if (!ok)
            fprintf(stderr, "%s: %s\n", all->eq[i]->form,
                    status ? "cannot be evaluated" : "differs");
        if (ok && !have_first) first = e, have_first = true;
        else evaluation_clear(&e);
        state_clear(&s);
    }
    if (have_first) evaluation_clear(&first);
    return ok;
}

// Each of them is met somewhere in the library, beyond the forms of the classical motion.
static void count_coinciding(const mechanics *w, uint32_t *met) {
    for (size_t i = 0; i < sizeof coinciding / sizeof *coinciding; i++)
        met[i] += !formalism_refusal(formalism_find(coinciding[i]), w);
}

static bool has_values(const model *m) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].definition == EXPR_NONE) return false;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value == EXPR_NONE) return false;
    return m->initial_count > 0;
}

static void on_every_library_model_at_random_states(void **unused) {
    (void)unused;
    const uint32_t states = run_size(1, 3);
    uint32_t compared = 0, models = 0, met[sizeof coinciding / sizeof *coinciding] = {0};
    for (unsigned long i = 0; i < embedded_model_count; i++) {
        world w = world_open();
        model *m = world_library(&w, embedded_models[i].name);
        mechanics *system = mechanics_of(m);
        if (has_values(m)) {
            forms all = forms_derive(m, system);
            const uint32_t before = compared;
            count_coinciding(system, met);
            for (uint64_t seed = 0; seed < states; seed++) {
                const bool ok = forms_agree(&all, seed, &compared);
                if (!ok)
                    fprintf(stderr, "forms disagree: %s, state %d\n", embedded_models[i].name,
                            (int)seed);
                assert_true(ok);
            }
            if (compared == before)
                fprintf(stderr, "nothing to compare: %s\n", embedded_models[i].name);
            models += compared > before;
            forms_free(&all);
        }
        world_close(&w);
    }
    printf("%u comparisons on %u models\n", compared, models);
    assert_true(models >= 60);
    for (size_t i = 0; i < sizeof met / sizeof *met; i++) assert_true(met[i] > 0);
    // the library has not shrunk under our hands, and states were found
    assert_true(compared >= 1000 * states);
}

// A wrong sign in front of the reactions.
static void flip_reactions(const mechanics *w, equations *eq) {
    if (strcmp(eq->form, "multipliers") != 0) return;
    residual *r = arena_array(&w->model->ctx->arena, residual, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) {
        r[i] = eq->residual[i];
        const expr minus = expr_neg(w->pool, w->multiplier[0]);
        if (i < w->n) r[i].value = expr_replace(w->pool, r[i].value, 1, w->multiplier, &minus);
    }
    eq->residual = r;
}

// A dropped inertia term: the first equation of motion loses its part free of accelerations.
static void drop_term(const mechanics *w, equations *eq) {
    if (strcmp(eq->form, "maggi") != 0) return;
    residual *r = arena_array(&w->model->ctx->arena, residual, eq->unknown_count);
    expr *zero = arena_array(&w->model->ctx->arena, expr, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) r[i] = eq->residual[i];
    const expr rest = expr_replace(w->pool, r[0].value, eq->unknown_count, eq->unknown, zero);
    r[0].value = expr_sub(w->pool, r[0].value, rest);
    eq->residual = r;
}

static void a_wrong_sign_or_a_dropped_term_is_noticed(void **unused) {
    (void)unused;
    world w = world_open();
    model *m = world_library(&w, "sleigh");
    mechanics *system = mechanics_of(m);
    void (*const sabotage[])(const mechanics *, equations *) = {NULL, flip_reactions, drop_term};
    for (size_t way = 0; way < sizeof sabotage / sizeof *sabotage; way++) {
        forms all = forms_derive(m, system);
        uint32_t compared = 0;
        for (uint32_t i = 0; i < all.count && sabotage[way]; i++) sabotage[way](system, all.eq[i]);
        assert_int_equal(forms_agree(&all, 1, &compared), way == 0);
        assert_true(compared > 0);
        forms_free(&all);
    }
    world_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_every_library_model_at_random_states),
        cmocka_unit_test(a_wrong_sign_or_a_dropped_term_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
