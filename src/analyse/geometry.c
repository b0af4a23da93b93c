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

// --- one constraint ------------------------------------------------------------------------------

// A form belongs to a relation between positions (and time) iff it vanishes on everything that
// brackets of admissible directions reach.
static integrability vanishes_on(const directions *d, const flag *reached, const expr *form) {
    // on all of the space: no form but 0
    if (reached->count == d->width && points_generic_rank(d->at, 1, d->width, form))
        return INTEGRABLE_NO;
    if (!reached->field) return INTEGRABLE_UNKNOWN;
    vanishing result = VANISHES_YES;
    for (uint32_t y = 0; y < reached->count && result == VANISHES_YES; y++)
        result = points_vanish(d->at,
                               expr_dot(d->s->pool, d->width, form, reached->field + y * d->width));
    if (result == VANISHES_NO) return INTEGRABLE_NO;
    return result == VANISHES_YES && reached->complete && reached->levels ? INTEGRABLE_YES
                                                                          : INTEGRABLE_UNKNOWN;
}

// The indices that matter to a form: where it has a component, or whose coordinate (at n: the time)
// its components depend on. Returns how many.
static uint32_t active_indices(const mechanics *s, const expr *form, uint32_t *index) {
    pool *p = s->pool;
    uint32_t nodes, count = 0;
    bool *occurs = memory_zeros(bool, pool_symbol_count(p));
    expr *node = expr_reachable(p, s->n + 1, form, &nodes);
    for (uint32_t i = 0; i < nodes; i++)
        if (expr_kind_of(p, node[i]) == EXPR_SYMBOL) occurs[expr_symbol_index(p, node[i])] = true;
    for (uint32_t i = 0; i <= s->n; i++)
        if (i == s->n || form[i] != EXPR_ZERO || occurs[expr_symbol_index(p, s->q[i])])
            index[count++] = i;
    memory_free(node), memory_free(occurs);
    return count;
}

// omega ^ d omega = 0: for all i < j < l, omega_i (d_j omega_l - d_l omega_j) + its cyclic
// permutations = 0. A form by itself must not use the surfaces that other constraints define: the
// points are taken anywhere in space.
static integrability frobenius(const mechanics *s, points *anywhere, const expr *form) {
    pool *p = s->pool;
    uint32_t *index = arena_array(arena_of(s), uint32_t, s->n + 1);
    const uint32_t width = active_indices(s, form, index);
    expr *slope = arena_array(arena_of(s), expr, width * width), // d_j omega_i at [i*width + j]
        *row = arena_array(arena_of(s), expr, s->n + 1), *w = arena_array(arena_of(s), expr, width);
    for (uint32_t i = 0; i < width; i++) {
        w[i] = form[index[i]];
        directions_gradient(s, w[i], row);
        for (uint32_t j = 0; j < width; j++) slope[i * width + j] = row[index[j]];
    }
    bool certain = points_have_values(anywhere, width * width, slope);
    for (uint32_t i = 0; i < width; i++)
        for (uint32_t j = i + 1; j < width; j++)
            for (uint32_t l = j + 1; l < width; l++) {
                const expr curl_jl = expr_sub(p, slope[l * width + j], slope[j * width + l]),
                           curl_li = expr_sub(p, slope[i * width + l], slope[l * width + i]),
                           curl_ij = expr_sub(p, slope[j * width + i], slope[i * width + j]);
                const expr sum =
                    expr_add(p, expr_mul(p, w[i], curl_jl),
                             expr_add(p, expr_mul(p, w[j], curl_li), expr_mul(p, w[l], curl_ij)));
                const vanishing zero = points_vanish(anywhere, sum);
                if (zero == VANISHES_NO) return INTEGRABLE_NO;
                certain = certain && zero == VANISHES_YES;
            }
    return certain ? INTEGRABLE_YES : INTEGRABLE_UNKNOWN;
}

static constraint_geometry look_alone(const mechanics *s, points *anywhere, const expr *form) {
    constraint_geometry c = {frobenius(s, anywhere, form), INTEGRABLE_UNKNOWN, EXPR_NONE};
    directions d;
    expr f;
    if (c.alone != INTEGRABLE_YES) return c;
    c.beside = INTEGRABLE_YES; // f is constant whatever else holds
    if (s->n <= LARGEST && directions_of_forms(s, anywhere, 1, form, &d) &&
        integrals_find(&d, 1, form, 1, 0, &f))
        c.integral = f;
    return c;
}

static constraint_geometry *constraints_alone(const mechanics *s, points *anywhere,
                                              const pfaffian *forms) {
    const uint32_t count = s->model->constraints_count;
    constraint_geometry *out = arena_array(arena_of(s), constraint_geometry, count);
    for (uint32_t i = 0; i < count; i++) {
        const constraint *c = &s->model->constraints[i];
        const integrability known = c->order ? INTEGRABLE_UNKNOWN : INTEGRABLE_YES;
        out[i] = (constraint_geometry){known, known, c->order ? EXPR_NONE : c->phi};
    }
    for (uint32_t i = 0; i < forms->count; i++)
        if (constraint_at(s, forms->index[i])->order)
            out[s->constraint[forms->index[i]]] =
                look_alone(s, anywhere, forms->form + i * (s->n + 1));
    return out;
}

// --- all of them ---------------------------------------------------------------------------------

static void look_beside(const directions *d, const flag *motion, const pfaffian *forms,
                        bool all_linear, constraint_geometry *constraint) {
    for (uint32_t i = 0; i < forms->count; i++) {
        constraint_geometry *c = &constraint[d->s->constraint[forms->index[i]]];
        if (c->beside == INTEGRABLE_YES) continue;
        c->beside = vanishes_on(d, motion, forms->form + i * d->width);
        // the others may make it so
        if (!all_linear && c->beside == INTEGRABLE_NO) c->beside = INTEGRABLE_UNKNOWN;
    }
}

// Functions that stay constant: those that constraints bring, integrable by themselves, then what
// can be found.
static uint32_t find_integrals(const directions *d, const pfaffian *forms,
                               const constraint_geometry *constraint, uint32_t wanted, expr *f) {
    const mechanics *s = d->s;
    uint32_t known = 0;
    for (uint32_t i = 0; i < forms->count && known < wanted; i++) {
        f[known] = constraint[s->constraint[forms->index[i]]].integral;
        if (f[known] != EXPR_NONE && directions_independent_functions(s, d->at, known + 1, f))
            known++;
    }
    return integrals_find(d, forms->count, forms->form, wanted, known, f);
}

static void add_integrals(geometry *g, const directions *d, const pfaffian *forms) {
    const mechanics *s = d->s;
    expr *f = arena_array(arena_of(s), expr, g->integral_count + 1);
    g->integrals_found = find_integrals(d, forms, g->constraint, g->integral_count, f);
    g->integrals = arena_array(arena_of(s), integral, g->integrals_found + 1);
    for (uint32_t i = 0; i < g->integrals_found; i++) {
        g->integrals[i] = (integral){.f = f[i], .multiplier = arena_array(arena_of(s), expr, s->k)};
        if (!integral_multipliers(s, f[i], g->integrals[i].multiplier))
            g->integrals[i].multiplier = NULL;
    }
}

// --- with the stated values ----------------------------------------------------------------------

// out = in with parameters that have values, givens and functions that have definitions in their
// places, exactly. False if that changes nothing.
static bool with_stated_values(const mechanics *s, uint32_t count, const expr *in, expr *out) {
    const model *m = s->model;
    arena *a = &m->ctx->arena;
    expr *from = arena_array(a, expr, m->parameters_count + 1),
         *to = arena_array(a, expr, m->parameters_count + 1),
         *before = arena_array(a, expr, count + 1);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (m->parameters[i].value != EXPR_NONE)
            from[pairs] = m->parameters[i].symbol, to[pairs++] = m->parameters[i].value;
    expr_resolve(s->pool, pairs, from, to); // a value may use other parameters
    for (uint32_t i = 0; i < count; i++) before[i] = in[i];
    model_concrete(m, false, count, before, out);
    expr_substitute(s->pool, pairs, from, to, count, out, out);
    for (uint32_t i = 0; i < count; i++)
        if (out[i] != before[i]) return true;
    return false;
}

static bool is_different(const geometry *g, const stated_geometry *v, uint32_t constraints,
                         uint32_t count) {
    if (v->constraints != constraints || !g->counted || v->integral_count != g->integral_count ||
        !flag_same_growth(&g->generic, &v->generic) || v->reach.verdict != g->reach.verdict)
        return true;
    for (uint32_t i = 0; i < count; i++)
        if (g->constraint[i].alone != v->constraint[i].alone ||
            g->constraint[i].beside != v->constraint[i].beside)
            return true;
    return false;
}

static stated_geometry geometry_with_values(const mechanics *s, const geometry *general,
                                            const pfaffian *forms) {
    stated_geometry v = {.stated = false};
    pfaffian here = *forms;
    here.form = arena_array(arena_of(s), expr, s->k * (s->n + 1));
    v.stated = with_stated_values(s, forms->count * (s->n + 1), forms->form, here.form);
    if (!v.stated) return v;
    points anywhere = {.m = s->model, .pool = s->pool}, at = points_of(s);
    for (uint32_t i = 0; i < at.surfaces; i++)
        with_stated_values(s, 1, &at.surface[i].function, &at.surface[i].function);
    directions d;
    if (!points_have_values(&at, forms->count * (s->n + 1), here.form) ||
        !directions_of_forms(s, &at, here.count, here.form, &d))
        return v;
    v.generic = flag_generic(&d, d.fields - 1, s->n);
    if (v.generic.count < s->n) flag_write_out(&d, &v.generic); // look_beside() wants it
    flag motion = flag_with_drift(&d, &v.generic);
    if (motion.count < d.width) flag_write_out(&d, &motion);
    v.decided = motion.complete && motion.levels && v.generic.complete && v.generic.levels;
    if (!v.decided) return v;
    v.constraints = d.width - d.fields;
    v.integral_count = d.width - motion.rank[motion.levels - 1];
    v.constraint = constraints_alone(s, &anywhere, &here);
    look_beside(&d, &motion, &here, true, v.constraint);
    v.reach = reach_of(&d, &v.generic, &motion, here.count, here.form);
    v.different = is_different(general, &v, s->k, s->model->constraints_count);
    v.integral = arena_array(arena_of(s), expr, v.integral_count + 1);
    if (v.different)
        v.integrals_found = find_integrals(&d, &here, v.constraint, v.integral_count, v.integral);
    return v;
}

geometry geometry_of(const mechanics *s) {
    points at = points_of(s), anywhere = {.m = s->model, .pool = s->pool};
    const pfaffian forms = pfaffian_of(s);
    const bool all_linear = forms.count == s->k;
    geometry g = {.constraint = constraints_alone(s, &anywhere, &forms)};
    directions d;
    if (s->n > LARGEST) return g;
    if (all_linear) d = directions_of(s, &at);
    else if (!forms.count || !directions_of_forms(s, &at, forms.count, forms.form, &d)) return g;
    g.generic = flag_generic(&d, d.fields - 1, s->n);
    flag_write_out(&d, &g.generic);
    flag motion = flag_with_drift(&d, &g.generic);
    flag_write_out(&d, &motion);
    look_beside(&d, &motion, &forms, all_linear, g.constraint);
    if (!all_linear || !g.generic.complete) g.generic.levels = 0;
    if (!all_linear) return g;
    g.counted = motion.complete && motion.levels;
    g.integral_count = g.counted ? d.width - motion.rank[motion.levels - 1] : 0;
    if (g.integral_count) add_integrals(&g, &d, &forms);
    if (g.generic.levels) g.reach = reach_of(&d, &g.generic, &motion, forms.count, forms.form);
    if (g.counted && s->k)
        g.parameter = special_values(&d, &motion, forms.count, forms.form, &g.parameters);
    if (s->k) g.stated = geometry_with_values(s, &g, &forms);
    if (g.generic.levels) g.initial = flag_at_initial_state(&d, s->m, &g.generic);
    return g;
}
