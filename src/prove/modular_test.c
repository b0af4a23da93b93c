// Statements about one motion: how many points are needed, and what is seen there.
#include "prove/modular_test.h"

#include "model/state.h"
#include "prove/choices.h"

#include <math.h>
#include <string.h>

enum { MOST_TRIALS = 60, MOST_FAILURES = 100 };
static const double WANTED_BITS = 104; // bound 2^-100 and a little more
static const double PRIME_BITS = 61;

void modular_test_free(modular_test *t) {
    for (uint32_t i = 0; i < t->count; i++) {
        modular_state_free(&t->points[i]);
        modular_state_free(&t->before[i]);
    }
    memory_free(t->points);
    memory_free(t->before);
}

modular_state modular_state_copy(const modular_state *x) {
    modular_state c = *x;
    c.value = memory_array(mp_limb_t, x->capacity);
    memcpy(c.value, x->value, sizeof(mp_limb_t) * x->capacity);
    return c;
}

// With the given functions written out where they are as the model states
// them: their degrees count.
static const expr *as_meant(const modular_motion *mod, uint32_t count, const expr *e) {
    const model *m = mod->system->model;
    if (mod->freedom == FREE_ALL || !m->givens_count) return e;
    expr *out = arena_array(&m->ctx->arena, expr, count);
    model_concrete(m, false, count, e, out);
    return out;
}

// How many trials the degree asks for; 0 where it is too large for any number of them.
static void set_trials(modular_test *t) {
    t->motion.trial_bits = PRIME_BITS - degree_bound_bits(&t->degree, t->motion.system->h > 0);
    const bool possible = t->motion.trial_bits > WANTED_BITS / MOST_TRIALS;
    t->trials = possible ? (uint32_t)fmax(2, ceil(WANTED_BITS / t->motion.trial_bits)) : 0;
}

bool modular_test_create(modular_test *t, const mechanics *s, const equations *eq,
                         modular_freedom freedom, uint32_t count, const expr *tested) {
    *t = (modular_test){.eq = eq};
    t->usable = modular_motion_create(&t->motion, s, freedom);
    if (!t->usable) return false;
    const expr *meant = as_meant(&t->motion, count, tested);
    t->degree =
        degree_bound_of_motion(s, &t->motion.v, (double)t->motion.angles.denominator, count, meant);
    set_trials(t);
    t->usable = t->trials > 0;
    return t->usable;
}

modular_state *modular_test_point(modular_test *t, uint32_t i) {
    uint32_t failures = 0; // one after the other: the equations are singular everywhere
    while (t->count <= i && t->usable) {
        modular_state x;
        modular_status status = modular_state_create(&t->motion, &x);
        modular_state before = modular_state_copy(&x);
        if (!status) status = modular_solve(&t->motion, t->eq, &x);
        if (status == MODULAR_OK) {
            uint32_t capacity = t->capacity;
            array_reserve(t->points, t->count, t->capacity);
            array_reserve(t->before, t->count, capacity);
            t->points[t->count] = x;
            t->before[t->count++] = before;
            failures = 0;
            continue;
        }
        modular_state_free(&x);
        modular_state_free(&before);
        if (status == MODULAR_UNSUPPORTED || ++failures == MOST_FAILURES) t->usable = false;
    }
    return i < t->count ? &t->points[i] : NULL;
}

void modular_test_prepare(modular_test *t, uint32_t count, const expr *e) {
    if (!t->usable) return;
    const equations *eq = t->eq;
    const mechanics *s = t->motion.system;
    const uint32_t recovered = eq->recovery ? eq->multiplier_count : 0;
    expr *all = memory_array(expr, count + eq->unknown_count + s->n + recovered + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) all[n++] = e[i];
    degree_bound_add(&t->degree, s, count, as_meant(&t->motion, count, e));
    set_trials(t);
    for (uint32_t i = 0; i < eq->unknown_count; i++) all[n++] = eq->residual[i].value;
    for (uint32_t i = 0; i < s->n; i++) all[n++] = eq->acceleration[i];
    for (uint32_t i = 0; i < recovered; i++) all[n++] = eq->recovery[i];
    t->choices = choices_count(&t->motion, n, all);
    t->needed = t->choices == UINT32_MAX || !t->trials
                    ? 0
                    : (uint32_t)fmax(t->trials, choices_trials(t->choices, WANTED_BITS));
    memory_free(all);
}

bool modular_test_admits(modular_test *t, modular_state *x) {
    bool good = true;
    for (uint32_t i = 0; i < t->condition_count && good; i++) {
        mp_limb_t value;
        good = modular_values(&t->motion, x, 1, &t->condition[i], &value) == MODULAR_OK && value &&
               n_jacobi_unsigned(value, x->at.prime) == 1;
    }
    return good;
}

test_result modular_test_run(modular_test *t, uint32_t count, const expr *e) {
    mp_limb_t *value = memory_array(mp_limb_t, count);
    test_result result = TEST_ZERO;
    uint32_t done = 0;
    for (uint32_t i = 0;
         done < t->needed && i < t->needed * POINTS_PER_TRIAL && result == TEST_ZERO; i++) {
        modular_state *x = modular_test_point(t, i);
        if (!x) break;
        if (!modular_test_admits(t, x)) continue;
        if (modular_values(&t->motion, x, count, e, value) != MODULAR_OK) continue;
        done++;
        for (uint32_t j = 0; j < count && result == TEST_ZERO; j++)
            if (value[j]) result = TEST_NONZERO;
    }
    memory_free(value);
    return result == TEST_ZERO && (!t->usable || !t->needed || done < t->needed) ? TEST_IMPOSSIBLE
                                                                                 : result;
}

double modular_test_bound(const modular_test *t) {
    const double wrong = exp2(-t->motion.trial_bits);
    return t->needed *
           (t->choices ? log2(1 - exp2(-(double)t->choices) + wrong) : -t->motion.trial_bits);
}
