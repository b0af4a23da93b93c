// The first-order form z' = f(z, t), as three-address code over doubles, is what the equations say
// in ball arithmetic: on library models (one in sixteen; all in make test-long), by every form.
#include "support/random_text.h"
#include "support/support.h"

#include "base/embedded.h"
#include "derive/formalism.h"
#include "equations/evaluate.h"
#include "execute/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A double has 16 digits; mass matrices of the library are conditioned like 1e3 at worst, and forms
// with longer expressions lose a digit more.
static const double TOLERANCE = 1e-11;
enum { BITS = 200 };

static double value_of(arb_srcptr v) { return ball_middle(v); }

// `terms`: of what it may be a sum that cancels
static bool close_among(double got, double wanted, double terms) {
    return fabs(got - wanted) <= TOLERANCE * (1 + fabs(wanted) + terms);
}

static bool close_to(double got, double wanted) { return close_among(got, wanted, 0); }

// Everything in the model has a value, and its motion is determined at the initial state.
static bool has_values(hamel_model *m) {
    char *result = NULL;
    const hamel_status status = hamel_model_evaluate(m, NULL, NULL, 10, HAMEL_TEXT, &result);
    hamel_free(result);
    return status == HAMEL_OK && m->initial_count > 0;
}

// The state of the simulation in ball arithmetic, with the unknowns of the form solved for.
static bool evaluate(const equations *eq, model *m, state *s, evaluation *e) {
    dependent_constraint *idle = calloc(m->constraints_count + 1, sizeof *idle);
    uint32_t count = 0;
    expr missing;
    state_init(s, m, BITS);
    const hamel_status status = state_complete(
        s, &(completion_request){.mode = COMPLETE_STRICT, .zero_defaults = true}, idle, &count);
    for (uint32_t i = 0; i < count; i++) arb_clear(idle[i].residual);
    free(idle);
    return status == HAMEL_OK && equations_evaluate(eq, s, e, &missing) == EVALUATE_OK;
}

static bool column_is(const simulation *s, const double *row, const char *name, double wanted) {
    for (uint32_t i = 0; i < s->column_count; i++) {
        if (strcmp(s->column[i].name, name) != 0) continue;
        if (!close_to(row[i], wanted))
            fprintf(stderr, "%s: %.17g, not %.17g\n", name, row[i], wanted);
        return close_to(row[i], wanted);
    }
    return false;
}

// Supplementary functions of the A-model may be abstract where the model itself is not.
static bool is_abstract(pool *p, const equations *eq) {
    bool found = false;
    for (uint32_t i = 0; i < eq->unknown_count && !found; i++) {
        uint32_t n;
        expr *nodes = expr_reachable(p, 1, &eq->residual[i].value, &n);
        for (uint32_t j = 0; j < n; j++) found |= expr_kind_of(p, nodes[j]) == EXPR_APPLY;
        memory_free(nodes);
    }
    return found;
}

typedef enum { AGREES, DIFFERS, IS_ABSTRACT, IS_NOT_DETERMINED } outcome;

// Accelerations are sums of products of two velocities: those of a fast top cancel to 0.
static double largest_term(const mechanics *w, state *here) {
    double fastest = 0;
    for (uint32_t i = 0; i < w->n; i++)
        fastest = fmax(fastest, fabs(value_of(state_get(here, w->qd[i]))));
    return fastest * fastest;
}

static outcome compare(model *m, const mechanics *w, const formalism *f) {
    equations *eq = formalism_derive(f, w);
    simulation *s;
    if (is_abstract(m->pool, eq)) {
        equations_free(eq);
        return IS_ABSTRACT;
    }
    const hamel_status made = simulation_create(
        m, w, eq, &(completion_request){.mode = COMPLETE_STRICT, .zero_defaults = true}, &s);
    if (made == HAMEL_MODEL && s->o && s->o->is_undetermined) { // .. and `evaluate` finds it too
        state there;
        evaluation none = {0};
        assert_false(evaluate(eq, m, &there, &none));
        evaluation_clear(&none);
        state_clear(&there);
        simulation_free(s);
        equations_free(eq);
        context_forget(m->ctx);
        return IS_NOT_DETERMINED;
    }
    assert_int_equal(made, HAMEL_OK);
    field *run = field_interpreted(s);
    double *rate = calloc(s->o->size + s->column_count + 1, sizeof(double)),
           *row = rate + s->o->size;
    state here;
    evaluation e = {0};
    // some motions of other mechanics are not: det G = 0
    const bool determined = evaluate(eq, m, &here, &e);
    bool ok =
        !determined || (run->rate(run, s->t0, s->z0, rate) && run->columns(run, s->t0, s->z0, row));
    // z' against q', q'', eta', lambda' by meaning
    for (uint32_t i = 0; i < s->o->size && ok && determined; i++) {
        const expr symbol = expr_symbol_derivative(m->pool, s->o->state[i]);
        // p' is an unknown of the form, looked at through q''
        if (expr_as_symbol(m->pool, symbol)->role == ROLE_MOMENTUM) continue;
        const double wanted = value_of(state_get(&here, symbol));
        const bool is_eta = expr_as_symbol(m->pool, symbol)->role == ROLE_QUASI;
        const bool is_fast = expr_as_symbol(m->pool, symbol)->order > 1;
        ok = is_eta || close_among(rate[i], wanted, is_fast ? largest_term(w, &here) : 0);
        if (!ok)
            fprintf(stderr, "rate of %s: %.17g, not %.17g\n",
                    expr_as_symbol(m->pool, s->o->state[i])->name, rate[i], wanted);
    }
    for (uint32_t i = 0; i < w->m && ok && determined; i++) // eta'
        for (uint32_t j = 0; j < s->o->size && ok; j++)
            if (s->o->state[j] == w->eta[i])
                ok = close_among(rate[j], value_of(e.eta_rate + i), largest_term(w, &here));
    ok = ok && (!determined || column_is(s, row, "energy", value_of(e.energy)));
    for (uint32_t i = 0; i < eq->multiplier_count && ok && determined; i++)
        ok = column_is(s, row, expr_as_symbol(m->pool, eq->multiplier[i])->name,
                       value_of(e.multiplier + i));
    evaluation_clear(&e);
    state_clear(&here);
    free(rate);
    field_free(run);
    simulation_free(s);
    equations_free(eq);
    return !ok ? DIFFERS : determined ? AGREES : IS_NOT_DETERMINED;
}

static void on_library_models_by_every_form(void **unused) {
    (void)unused;
    uint32_t count[4] = {0};
    const unsigned long every = run_size(16, 1);
    for (unsigned long i = 0; i < embedded_model_count; i += every) {
        world w = world_open();
        model *m = world_library(&w, embedded_models[i].name);
        mechanics *system = mechanics_of(m);
        const bool usable = has_values(m) && pool_size(m->pool) < 20000;
        for (uint32_t f = 0; f < formalism_count() && usable; f++) {
            if (formalism_refusal(formalism_at(f), system)) continue;
            const outcome is = compare(m, system, formalism_at(f));
            if (is == DIFFERS)
                fprintf(stderr, "%s by %s\n", embedded_models[i].name, formalism_at(f)->id);
            // Only another mechanics may leave a motion open, or bring
            // functions that the model has not.
            assert_true(is < IS_ABSTRACT || formalism_at(f)->mechanics);
            count[is]++;
        }
        world_close(&w);
    }
    printf("%u agree, %u abstract, %u not determined\n", count[AGREES], count[IS_ABSTRACT],
           count[IS_NOT_DETERMINED]);
    assert_int_equal(count[DIFFERS], 0);
    assert_true(count[AGREES] > 500 / every);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_library_models_by_every_form)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
