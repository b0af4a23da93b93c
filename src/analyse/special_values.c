// Special values of parameters.
//
// Where the span of brackets loses a dimension at a value of the parameter, a minor of them
// vanishes at every point. Taken at a random point of F_p as a function of the one parameter, it is
// a rational function; the roots that two points share do not depend on the point. The same holds
// for the poles of the fields and for the minor of the forms that was divided by. At each such
// value the system is then analysed again.
#include "analyse/special_values.h"

#include "analyse/residues.h"

#include <flint/nmod_mat.h>
#include <flint/nmod_poly_factor.h>
#include <stdlib.h>

enum {
    BASE_SEED = 1,
    MOST_SAMPLES = 64,
    MOST_PARAMETERS = 8,
    MOST_STEPS = 2000000,
    MOST_VALUES = 16
};

typedef struct {
    const directions *d;
    points at; // the generic leaf: holonomic constraints are not imposed
    const flag *motion;
    uint32_t forms;
    const expr *form;
    program *prog;                    // the brackets, then the forms
    uint32_t *column;                 // of a regular minor of the brackets
    uint32_t *form_row, *form_column; // of a regular minor of the forms
    uint32_t constraints;
} study;

// --- functions of the parameter ------------------------------------------------------------------

static mp_limb_t minor_of(const mp_limb_t *value, uint32_t size, uint32_t width,
                          const uint32_t *row, const uint32_t *column, mp_limb_t prime) {
    nmod_mat_t m;
    nmod_mat_init(m, size, size, prime);
    for (uint32_t i = 0; i < size * size; i++)
        nmod_mat_entry(m, i / size, i % size) =
            value[(row ? row[i / size] : i / size) * width + column[i % size]];
    const mp_limb_t det = nmod_mat_det(m);
    nmod_mat_clear(m);
    return det;
}

enum { MINOR, ENTRIES, FORMS, FUNCTIONS };

// The minor of the brackets, a random combination of their entries (for the poles), the minor of
// the forms
static bool sample(const study *s, const random_point *at, mp_limb_t out[FUNCTIONS]) {
    const uint32_t w = s->d->width, rows = s->motion->count, entries = (rows + s->forms) * w;
    mp_limb_t *value = memory_array(mp_limb_t, entries);
    nmod_t mod;
    nmod_init(&mod, at->at.prime);
    const bool ok = program_run_modular(s->prog, &at->at, at->value, value) == MODULAR_OK;
    if (ok) {
        out[MINOR] = minor_of(value, rows, w, NULL, s->column, mod.n);
        out[FORMS] =
            minor_of(value + rows * w, s->constraints, w, s->form_row, s->form_column, mod.n);
        uint64_t random = BASE_SEED;
        out[ENTRIES] = 0;
        for (uint32_t i = 0; i < entries; i++)
            out[ENTRIES] =
                nmod_add(out[ENTRIES], nmod_mul(random_next(&random) % mod.n, value[i], mod), mod);
    }
    memory_free(value);
    return ok;
}

// Values of the parameter that are special at one point: a polynomial with these roots; false if
// the functions are not rational of low degree.
static bool special_polynomial(study *s, uint64_t variation, expr parameter, nmod_poly_t special) {
    random_point at;
    if (!random_point_create(&s->at, BASE_SEED, variation, &at)) return false;
    mp_limb_t x[MOST_SAMPLES], y[FUNCTIONS][MOST_SAMPLES], out[FUNCTIONS], next = 2;
    uint32_t samples = 0;
    bool found = false;
    nmod_poly_t top, bottom;
    nmod_poly_init(top, at.at.prime), nmod_poly_init(bottom, at.at.prime);
    for (uint32_t wanted = 8; wanted <= MOST_SAMPLES && !found; wanted *= 2) {
        while (samples < wanted && next < 4 * MOST_SAMPLES) {
            at.value[expr_symbol_index(s->d->s->pool, parameter)] = x[samples] = next++;
            if (!sample(s, &at, out)) continue;
            for (uint32_t f = 0; f < FUNCTIONS; f++) y[f][samples] = out[f];
            samples++;
        }
        nmod_poly_one(special);
        found = samples == wanted;
        for (uint32_t f = 0; f < FUNCTIONS && found; f++) {
            found = residues_rational_function(wanted, x, y[f], top, bottom);
            if (found && f != ENTRIES) nmod_poly_mul(special, special, top);
            if (found) nmod_poly_mul(special, special, bottom);
        }
    }
    nmod_poly_clear(top), nmod_poly_clear(bottom);
    random_point_clear(&at);
    return found;
}

// --- values --------------------------------------------------------------------------------------

// The system at this value of the parameter; false if it is nothing special, or undefined.
static bool analyse_at(study *s, expr parameter, expr value, special_value *out) {
    const mechanics *m = s->d->s;
    const uint32_t w = s->d->width;
    expr *form = arena_array(&m->model->ctx->arena, expr, s->forms * w);
    expr_substitute(m->pool, 1, &parameter, &value, s->forms * w, s->form, form);
    directions d;
    if (!points_have_values(&s->at, s->forms * w, form) ||
        !directions_of_forms(m, &s->at, s->forms, form, &d))
        return false;
    const flag reached = flag_generic(&d, d.fields, d.width);
    if (!reached.complete || !reached.levels) return false;
    *out = (special_value){value, w - d.fields, w - reached.rank[reached.levels - 1]};
    return out->constraints != s->constraints ||
           out->integrals != w - s->motion->rank[s->motion->levels - 1];
}

// A root as an expression: a small fraction, times a parameter, a product or a quotient of two
// others.
static expr identify(study *s, expr parameter, mp_limb_t root) {
    const model *m = s->d->s->model;
    pool *p = m->pool;
    random_point at;
    if (!random_point_create(&s->at, BASE_SEED, 0, &at)) return EXPR_NONE;
    expr found = residues_small_fraction(p, root, at.at.prime, 1000000),
         factor[2 + 2 * MOST_PARAMETERS];
    uint32_t count = 0;
    factor[count++] = EXPR_ONE;
    for (uint32_t i = 0; i < m->parameters_count && count + 1 < 2 * MOST_PARAMETERS; i++) {
        if (m->parameters[i].symbol == parameter) continue;
        factor[count++] = m->parameters[i].symbol;
        factor[count++] = expr_div(p, EXPR_ONE, m->parameters[i].symbol);
    }
    nmod_t mod;
    nmod_init(&mod, at.at.prime);
    for (uint32_t i = 0; i < count && found == EXPR_NONE; i++)
        for (uint32_t j = 0; j <= i && found == EXPR_NONE; j++) {
            const expr monomial = expr_mul(p, factor[i], factor[j]);
            mp_limb_t value;
            if (!random_point_values(&s->at, &at, 1, &monomial, &value) || !value) continue;
            const expr number = residues_small_fraction(p, nmod_div(root, value, mod), mod.n, 100);
            if (number != EXPR_NONE) found = expr_mul(p, number, monomial);
        }
    random_point_clear(&at);
    return found;
}

// Values for the roots in F_p that can be identified; what is left must have no real roots.
static void take_roots(study *s, parameter_geometry *g, nmod_poly_t special) {
    nmod_poly_factor_t roots;
    nmod_poly_factor_init(roots);
    nmod_poly_roots(roots, special, 1);
    for (slong i = 0; i < roots->num && g->count < MOST_VALUES; i++) {
        const expr value = identify(
            s, g->parameter, nmod_neg(nmod_poly_get_coeff_ui(&roots->p[i], 0), special->mod));
        if (value == EXPR_NONE) continue;
        for (slong e = 0; e < roots->exp[i]; e++) nmod_poly_div(special, special, &roots->p[i]);
        if (analyse_at(s, g->parameter, value, &g->value[g->count])) g->count++;
    }
    g->decided = nmod_poly_degree(special) == 0 || residues_lack_real_roots(special);
    nmod_poly_factor_clear(roots);
}

static void study_parameter(study *s, parameter_geometry *g) {
    nmod_poly_t first, second;
    random_point at;
    if (!random_point_create(&s->at, BASE_SEED, 0, &at)) return;
    nmod_poly_init(first, at.at.prime), nmod_poly_init(second, at.at.prime);
    random_point_clear(&at);
    if (special_polynomial(s, 0, g->parameter, first) &&
        special_polynomial(s, 1, g->parameter, second)) {
        nmod_poly_gcd(first, first, second);
        // 0: every value is special, which a polynomial does not tell
        if (!nmod_poly_is_zero(first)) take_roots(s, g, first);
    }
    nmod_poly_clear(first), nmod_poly_clear(second);
}

// An order that does not depend on the roots in F_p: by age in the pool.
static int compare_values(const void *a, const void *b) {
    const special_value *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

parameter_geometry *special_values(const directions *d, const flag *motion, uint32_t forms,
                                   const expr *form, uint32_t *count) {
    const mechanics *m = d->s;
    arena *a = &m->model->ctx->arena;
    const uint32_t w = d->width, rows = motion->count;
    parameter_geometry *list = arena_array(a, parameter_geometry, m->model->parameters_count + 1);
    *count = 0;
    for (uint32_t i = 0; i < m->model->parameters_count; i++) {
        bool used = false;
        for (uint32_t j = 0; j < forms * w && !used; j++)
            used = expr_depends_on(m->pool, form[j], 1, &m->model->parameters[i].symbol);
        if (!used) continue;
        list[(*count)++] =
            (parameter_geometry){.parameter = m->model->parameters[i].symbol,
                                 .value = arena_array(a, special_value, MOST_VALUES)};
    }
    if (!motion->field) return list;
    study s = {.d = d,
               .at = {.m = m->model, .pool = m->pool},
               .motion = motion,
               .forms = forms,
               .form = form,
               .constraints = w - d->fields};
    s.column = arena_array(a, uint32_t, w);
    s.form_row = arena_array(a, uint32_t, w), s.form_column = arena_array(a, uint32_t, w);
    uint32_t *row = arena_array(a, uint32_t, w);
    expr *all = arena_array(a, expr, (rows + forms) * w);
    for (uint32_t i = 0; i < (rows + forms) * w; i++)
        all[i] = i < rows * w ? motion->field[i] : form[i - rows * w];
    if (points_generic_pivots(&s.at, rows, w, all, row, s.column) != rows) return list;
    if (points_generic_pivots(&s.at, forms, w, form, s.form_row, s.form_column) != s.constraints)
        return list;
    s.prog = program_create(m->pool, (rows + forms) * w, all);
    const uint64_t steps = (uint64_t)s.prog->length * 2 * MOST_SAMPLES * *count;
    for (uint32_t i = 0; i < *count && *count <= MOST_PARAMETERS && steps <= MOST_STEPS; i++) {
        study_parameter(&s, &list[i]);
        qsort(list[i].value, list[i].count, sizeof *list[i].value, compare_values);
    }
    program_free(s.prog);
    return list;
}
