// Statements about one motion: how many points are needed, and what is seen there.
#include "prove/stage.h"

#include "model/state.h"
#include "prove/choices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIALS = 60, MOST_FAILURES = 100 };
static const double WANTED_BITS = 104; // bound 2^-100 and a little more
static const double PRIME_BITS = 61;

void stage_free(stage_motion *s) {
    for (uint32_t i = 0; i < s->count; i++) {
        field_point_free(&s->points[i]);
        field_point_free(&s->before[i]);
    }
    memory_free(s->points);
    memory_free(s->before);
}

field_point stage_copy_point(const field_point *p) {
    field_point c = *p;
    c.value = memory_array(mp_limb_t, p->capacity);
    memcpy(c.value, p->value, sizeof(mp_limb_t) * p->capacity);
    return c;
}

// With the given functions written out where they are as the model states
// them: their degrees count.
static const expr *as_meant(const field_motion *f, uint32_t count, const expr *e) {
    const model *m = f->system->model;
    if (f->freedom == FREE_ALL || !m->givens_count) return e;
    expr *out = arena_array(&m->ctx->arena, expr, count);
    model_concrete(m, false, count, e, out);
    return out;
}

// How many trials the degree asks for; 0 where it is too large for any number of them.
static void set_trials(stage_motion *s) {
    s->field.trial_bits = PRIME_BITS - degree_bits(&s->degree, s->field.system->h > 0);
    const bool possible = s->field.trial_bits > WANTED_BITS / MOST_TRIALS;
    s->trials = possible ? (uint32_t)fmax(2, ceil(WANTED_BITS / s->field.trial_bits)) : 0;
}

bool stage_create(stage_motion *s, const mechanics *system, const equations *eq,
                  field_freedom freedom, uint32_t count, const expr *tested) {
    *s = (stage_motion){.eq = eq};
    s->usable = field_motion_create(&s->field, system, freedom);
    if (!s->usable) return false;
    const expr *meant = as_meant(&s->field, count, tested);
    s->degree =
        degree_of_motion(system, &s->field.v, (double)s->field.angles.denominator, count, meant);
    set_trials(s);
    s->usable = s->trials > 0;
    return s->usable;
}

field_point *stage_point(stage_motion *s, uint32_t i) {
    uint32_t failures = 0; // one after the other: the equations are singular everywhere
    while (s->count <= i && s->usable) {
        field_point p;
        modular_status status = field_point_create(&s->field, &p);
        field_point before = stage_copy_point(&p);
        if (!status) status = field_solve(&s->field, s->eq, &p);
        if (status == MODULAR_OK) {
            uint32_t capacity = s->capacity;
            array_reserve(s->points, s->count, s->capacity);
            array_reserve(s->before, s->count, capacity);
            s->points[s->count] = p;
            s->before[s->count++] = before;
            failures = 0;
            continue;
        }
        field_point_free(&p);
        field_point_free(&before);
        if (status == MODULAR_UNSUPPORTED || ++failures == MOST_FAILURES) s->usable = false;
    }
    return i < s->count ? &s->points[i] : NULL;
}

void stage_prepare(stage_motion *s, uint32_t count, const expr *e) {
    if (!s->usable) return;
    const equations *eq = s->eq;
    const mechanics *w = s->field.system;
    const uint32_t recovered = eq->recovery ? eq->multiplier_count : 0;
    expr *all = memory_array(expr, count + eq->unknown_count + w->n + recovered + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) all[n++] = e[i];
    degree_add(&s->degree, w, count, as_meant(&s->field, count, e));
    set_trials(s);
    for (uint32_t i = 0; i < eq->unknown_count; i++) all[n++] = eq->residual[i].value;
    for (uint32_t i = 0; i < w->n; i++) all[n++] = eq->acceleration[i];
    for (uint32_t i = 0; i < recovered; i++) all[n++] = eq->recovery[i];
    s->choices = free_choices(&s->field, n, all);
    s->needed = s->choices == UINT32_MAX || !s->trials
                    ? 0
                    : (uint32_t)fmax(s->trials, trials_for_choices(s->choices, WANTED_BITS));
    memory_free(all);
}

bool stage_admits(stage_motion *s, field_point *p) {
    bool good = true;
    for (uint32_t i = 0; i < s->condition_count && good; i++) {
        mp_limb_t value;
        good = field_values(&s->field, p, 1, &s->condition[i], &value) == MODULAR_OK && value &&
               n_jacobi_unsigned(value, p->at.prime) == 1;
    }
    return good;
}

test_result stage_test(stage_motion *s, uint32_t count, const expr *e) {
    mp_limb_t *value = memory_array(mp_limb_t, count);
    test_result result = TEST_ZERO;
    uint32_t done = 0;
    for (uint32_t i = 0;
         done < s->needed && i < s->needed * POINTS_PER_TRIAL && result == TEST_ZERO; i++) {
        field_point *p = stage_point(s, i);
        if (!p) break;
        if (!stage_admits(s, p)) continue;
        if (field_values(&s->field, p, count, e, value) != MODULAR_OK) continue;
        done++;
        for (uint32_t j = 0; j < count && result == TEST_ZERO; j++)
            if (value[j]) result = TEST_NONZERO;
    }
    memory_free(value);
    return result == TEST_ZERO && (!s->usable || !s->needed || done < s->needed) ? TEST_IMPOSSIBLE
                                                                                 : result;
}

double stage_bound(const stage_motion *s) {
    const double wrong = exp2(-s->field.trial_bits);
    return s->needed *
           (s->choices ? log2(1 - exp2(-(double)s->choices) + wrong) : -s->field.trial_bits);
}
