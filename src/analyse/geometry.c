// Frobenius' test, integrals and the growth vector.
#include "analyse/geometry.h"

#include "analyse/integrals.h"

enum { LARGEST = 12 };

static arena *arena_of(const mechanics *s) { return &s->model->ctx->arena; }
static const constraint *constraint_at(const mechanics *s, uint32_t nu) {
    return &s->model->constraints[s->constraint[nu]];
}

// The linear constraints of the system, as forms.
typedef struct {
    uint32_t count, *index; // nu of each
    expr *form;             // count x (n + 1)
} pfaffian;

static pfaffian pfaffian_of(const mechanics *s) {
    pfaffian f = {.index = arena_array(arena_of(s), uint32_t, s->k),
                  .form = arena_array(arena_of(s), expr, s->k * (s->n + 1))};
    for (uint32_t nu = 0; nu < s->k; nu++) {
        if (!constraint_at(s, nu)->linear) continue;
        constraint_form(s, nu, f.form + f.count * (s->n + 1));
        f.index[f.count++] = nu;
    }
    return f;
}

// A form belongs to a relation between positions (and time) iff it vanishes on everything that brackets of admissible
// directions reach.
static integrability integrable(const directions *d, const flag *reached, const expr *form) {
    vanishing result = VANISHES_YES;
    for (uint32_t y = 0; y < reached->count && result == VANISHES_YES; y++)
        result = vanishes(d->at, expr_dot(d->s->pool, d->width, form, reached->field + y * d->width));
    if (result == VANISHES_NO) return INTEGRABLE_NO;
    return result == VANISHES_YES && reached->complete && reached->levels ? INTEGRABLE_YES : INTEGRABLE_UNKNOWN;
}

// Frobenius for one form: brackets of the directions that it admits stay among these. Then an integral is looked for.
static void look_alone(const mechanics *s, points *at, const expr *form, constraint_geometry *c) {
    directions d;
    if (!directions_of_forms(s, at, 1, form, &d)) return;
    const flag reached = flag_generic(&d, d.fields, d.width);
    c->alone = reached.complete && reached.levels == 1;
    expr f;
    if (c->alone && integrals_find(&d, 1, form, 1, 0, &f)) c->integral = f;
}

static void add_integral(geometry *g, const mechanics *s, expr f) {
    integral *i = &g->integrals[g->integrals_found++];
    *i = (integral){.f = f, .multiplier = arena_array(arena_of(s), expr, s->k)};
    if (!integral_multipliers(s, f, i->multiplier)) i->multiplier = NULL;
}

// Holonomic constraints and constraints integrable by themselves bring their functions; the rest is looked for.
static void find_integrals(geometry *g, const directions *d, const pfaffian *forms) {
    const mechanics *s = d->s;
    expr *f = arena_array(arena_of(s), expr, g->integral_count + 1);
    uint32_t known = 0;
    for (uint32_t i = 0; i < forms->count && known < g->integral_count; i++) {
        const constraint *c = constraint_at(s, forms->index[i]);
        f[known] = c->order == 0 ? c->phi : g->constraint[s->constraint[forms->index[i]]].integral;
        if (f[known] != EXPR_NONE && functions_independent(s, d->at, known + 1, f)) known++;
    }
    known = integrals_find(d, forms->count, forms->form, g->integral_count, known, f);
    g->integrals = arena_array(arena_of(s), integral, known + 1);
    for (uint32_t i = 0; i < known; i++) add_integral(g, s, f[i]);
}

static geometry unknown_geometry(const mechanics *s) {
    const uint32_t count = s->model->constraints_count;
    geometry g = {.constraint = arena_array(arena_of(s), constraint_geometry, count)};
    for (uint32_t i = 0; i < count; i++) {
        const constraint *c = &s->model->constraints[i];
        g.constraint[i] = (constraint_geometry){c->order ? INTEGRABLE_UNKNOWN : INTEGRABLE_YES, c->order == 0,
                                                c->order ? EXPR_NONE : c->phi};
    }
    return g;
}

geometry geometry_of(const mechanics *s) {
    geometry g = unknown_geometry(s);
    if (s->n > LARGEST) return g;
    points at = points_of(s);
    const pfaffian forms = pfaffian_of(s);
    const bool all_linear = forms.count == s->k;
    directions d;
    if (all_linear) d = directions_of(s, &at);
    else if (!forms.count || !directions_of_forms(s, &at, forms.count, forms.form, &d)) return g;
    g.generic = flag_generic(&d, d.fields - 1, s->n);
    const flag motion = flag_with_drift(&d, &g.generic);
    for (uint32_t i = 0; i < forms.count; i++) {
        constraint_geometry *c = &g.constraint[s->constraint[forms.index[i]]];
        if (c->verdict == INTEGRABLE_YES) continue;
        c->verdict = integrable(&d, &motion, forms.form + i * d.width);
        if (!all_linear && c->verdict == INTEGRABLE_NO) c->verdict = INTEGRABLE_UNKNOWN; // the others may make it so
        if (c->verdict == INTEGRABLE_YES) look_alone(s, &at, forms.form + i * d.width, c);
    }
    if (!all_linear || !g.generic.complete) g.generic.levels = 0;
    if (!all_linear) return g;
    g.counted = motion.complete && motion.levels;
    g.integral_count = g.counted ? d.width - motion.rank[motion.levels - 1] : 0;
    if (g.integral_count) find_integrals(&g, &d, &forms);
    if (g.counted && s->k) g.parameter = special_values(&d, &motion, forms.count, forms.form, &g.parameters);
    if (g.generic.levels) g.initial = flag_at_initial_state(&d, s->m, &g.generic);
    return g;
}
