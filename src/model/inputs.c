// Inputs as stated, or open: a system with other expressions in the place of u, u', u'' ..
#include "model/inputs.h"

#include "model/contact_modes.h"

#include <string.h>

enum { MOST_ORDERS = 4 }; // u .. u''': constraints of order 0 bring u' and u''

static bool has_inputs(const model *m) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input) return true;
    return false;
}

typedef struct {
    pool *p;
    arena *arena;
    uint32_t count;
    expr *from, *to;
} replacement;

// In the place of inputs: what is stated, or that and a change, or constants for some of them
typedef struct {
    bool open;
    uint32_t constants;
    const expr *input, *at;
} substitutes;

// The model without inputs among its givens, so that these stay symbols in what is concrete
static model without_inputs(const model *m) {
    model bare = *m;
    bare.givens = arena_array(&m->ctx->arena, given_function, m->givens_count + 1);
    bare.givens_count = 0;
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (!m->givens[i].is_input) bare.givens[bare.givens_count++] = m->givens[i];
    return bare;
}

// What stands for an input, with symbols in the place of other inputs that its law uses
static expr stated_or_constant(const model *bare, const given_function *g, const substitutes *by) {
    expr stated;
    for (uint32_t i = 0; i < by->constants; i++)
        if (by->input[i] == g->symbol) return by->at[i];
    model_concrete(bare, false, 1, &g->definition, &stated);
    return stated;
}

// u, u', ..: a law that uses other inputs follows what stands in their place, which r knows
static void replace_input(replacement *r, const given_function *g, expr stated, bool open) {
    const uint32_t known = r->count;
    expr u = g->symbol;
    for (int order = 0; order < MOST_ORDERS; order++) {
        expr value;
        expr_substitute(r->p, known, r->from, r->to, 1, &stated, &value);
        r->from[r->count] = u;
        r->to[r->count++] = open ? expr_add(r->p, value, u) : value;
        u = expr_symbol_derivative(r->p, u);
        // what follows the state stands in forces only, and its rates nowhere
        stated = expr_order(r->p, stated) >= 0 ? EXPR_ZERO : expr_ddt(r->p, stated);
    }
}

static bool uses_another(const replacement *r, const model *m, expr law, const bool *done) {
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input && !done[i] &&
            expr_depends_on(r->p, law, 1, &m->givens[i].symbol))
            return true;
    return false;
}

// Inputs one by one, each behind those that its law uses; no law uses itself.
static replacement replacement_of(const model *m, const substitutes *by) {
    replacement r = {.p = m->pool, .arena = &m->ctx->arena};
    const model bare = without_inputs(m);
    bool *done = arena_array(r.arena, bool, m->givens_count + 1);
    r.from = arena_array(r.arena, expr, m->givens_count * MOST_ORDERS + 1);
    r.to = arena_array(r.arena, expr, m->givens_count * MOST_ORDERS + 1);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < m->givens_count; i++) {
            if (!m->givens[i].is_input || done[i]) continue;
            const expr stated = stated_or_constant(&bare, &m->givens[i], by);
            if (uses_another(&r, m, stated, done)) continue;
            replace_input(&r, &m->givens[i], stated, by->open);
            done[i] = again = true;
        }
    }
    return r;
}

static expr replaced(const replacement *r, expr e) {
    if (e == EXPR_NONE) return e;
    expr_substitute(r->p, r->count, r->from, r->to, 1, &e, &e);
    return e;
}

static const expr *replaced_list(const replacement *r, uint32_t count, const expr *e) {
    if (!e) return NULL;
    expr *out = arena_array(r->arena, expr, count + 1);
    expr_substitute(r->p, r->count, r->from, r->to, count, e, out);
    return out;
}

static vec3 replaced_vector(const replacement *r, vec3 v) {
    for (int i = 0; i < 3; i++) v.at[i] = replaced(r, v.at[i]);
    return v;
}

// A list of the model, copied into the arena, so that its entries can be changed
#define COPY(list)                                                                                 \
    do {                                                                                           \
        void *copy = arena_alloc(r->arena, sizeof *m->list * (m->list##_count + 1));               \
        if (m->list##_count) memcpy(copy, m->list, sizeof *m->list * m->list##_count);             \
        m->list = copy;                                                                            \
    } while (0)

static const model *replaced_model(const replacement *r, const model *from) {
    model *m = arena_new(r->arena, model);
    *m = *from;
    COPY(givens);
    m->givens_count = 0;
    for (uint32_t i = 0; i < from->givens_count; i++)
        if (!from->givens[i].is_input) m->givens[m->givens_count++] = from->givens[i];
    m->kinetic = replaced(r, m->kinetic), m->potential = replaced(r, m->potential);
    m->lagrangian = replaced(r, m->lagrangian), m->dissipation = replaced(r, m->dissipation);
    COPY(generalised_forces);
    for (uint32_t i = 0; i < m->generalised_forces_count; i++)
        m->generalised_forces[i].value = replaced(r, m->generalised_forces[i].value);
    COPY(forces);
    for (uint32_t i = 0; i < m->forces_count; i++) {
        m->forces[i].force = replaced_vector(r, m->forces[i].force);
        m->forces[i].position = replaced_vector(r, m->forces[i].position);
    }
    COPY(torques);
    for (uint32_t i = 0; i < m->torques_count; i++)
        m->torques[i].torque = replaced_vector(r, m->torques[i].torque);
    COPY(points);
    for (uint32_t i = 0; i < m->points_count; i++)
        m->points[i].position = replaced_vector(r, m->points[i].position);
    COPY(constraints);
    for (uint32_t i = 0; i < m->constraints_count; i++) {
        constraint *c = &m->constraints[i];
        c->phi = replaced(r, c->phi), c->velocity_phi = replaced(r, c->velocity_phi);
        c->servo = replaced_list(r, m->coordinates_count, c->servo);
    }
    COPY(quasis);
    for (uint32_t i = 0; i < m->quasis_count; i++)
        m->quasis[i].definition = replaced(r, m->quasis[i].definition);
    COPY(observables);
    for (uint32_t i = 0; i < m->observables_count; i++)
        m->observables[i].value = replaced(r, m->observables[i].value);
    return m;
}

static const mechanics *with_inputs(const mechanics *s, const substitutes *by) {
    if (!has_inputs(s->model)) return s;
    const replacement r = replacement_of(s->model, by);
    mechanics *out = arena_new(r.arena, mechanics);
    *out = *s;
    out->model = replaced_model(&r, s->model);
    out->kinetic = replaced(&r, s->kinetic), out->potential = replaced(&r, s->potential);
    out->lagrangian = replaced(&r, s->lagrangian);
    out->dissipation = replaced(&r, s->dissipation);
    out->force = replaced_list(&r, s->n, s->force);
    out->applied = replaced_list(&r, s->n, s->applied);
    out->servo = replaced_list(&r, (s->k + s->h) * s->n, s->servo);
    out->phi = replaced_list(&r, s->k + s->h, s->phi);
    out->slopes = slope_matrix_create(r.arena);
    out->chain = replaced_list(&r, s->k, s->chain);
    out->chain_slope = replaced_list(&r, s->k, s->chain_slope);
    out->psi = replaced_list(&r, s->m, s->psi);
    out->psi_velocity = replaced_list(&r, s->m * s->n, s->psi_velocity);
    return out;
}

const mechanics *mechanics_with_constant_inputs(const mechanics *s, uint32_t count,
                                                const expr *input, const expr *at) {
    return with_inputs(s, &(substitutes){.constants = count, .input = input, .at = at});
}

const mechanics *mechanics_with_open_inputs(const mechanics *s) {
    return with_inputs(s, &(substitutes){.open = true});
}

static inputs_taken keep_inputs(model *m) {
    inputs_taken taken = {m->parameters_count,
                          arena_array(&m->ctx->arena, given_function, m->givens_count + 1)};
    if (m->givens_count) memcpy(taken.given, m->givens, sizeof *m->givens * m->givens_count);
    return taken;
}

static inputs_taken take_inputs(model *m, bool also_held) {
    pool *p = m->pool;
    const inputs_taken taken = keep_inputs(m);
    for (uint32_t i = 0; i < m->givens_count; i++) {
        given_function *g = &m->givens[i];
        if (!g->is_input || (!also_held && model_input_is_held(m, g))) continue;
        const bool constant =
            expr_order(p, g->definition) < 0 && !expr_depends_on_time(p, g->definition);
        list_push(m, parameters,
                  (parameter){.symbol = g->symbol,
                              .value = constant ? g->definition : EXPR_ZERO,
                              .at = g->at});
    }
    for (uint32_t i = 0; i < m->givens_count; i++)
        if (m->givens[i].is_input && (also_held || !model_input_is_held(m, &m->givens[i])))
            m->givens[i].definition = EXPR_NONE, m->givens[i].data = NULL;
    return taken;
}

inputs_taken model_take_inputs(model *m) { return take_inputs(m, true); }
inputs_taken model_take_open_inputs(model *m) { return take_inputs(m, false); }

inputs_taken model_hold_inputs(model *m, uint32_t count, const assignment *held) {
    const inputs_taken taken = keep_inputs(m);
    for (uint32_t i = 0; i < m->givens_count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (m->givens[i].symbol == held[k].symbol)
                m->givens[i].definition = held[k].value, m->givens[i].data = NULL;
    return taken;
}

void model_return_inputs(model *m, const inputs_taken *taken) {
    m->parameters_count = taken->parameters;
    if (m->givens_count) memcpy(m->givens, taken->given, sizeof *m->givens * m->givens_count);
}

uint32_t mechanics_inputs_in(const mechanics *s, uint32_t count, const expr *e, const expr **out) {
    const model *m = s->model;
    expr *found = arena_array(&m->ctx->arena, expr, m->givens_count * MOST_ORDERS + 1);
    uint32_t inputs = 0;
    for (uint32_t i = 0; i < m->givens_count; i++) {
        expr u = m->givens[i].is_input ? m->givens[i].symbol : EXPR_NONE;
        for (int order = 0; order < MOST_ORDERS && u != EXPR_NONE; order++) {
            if (order == 0 || expr_any_depends_on(s->pool, count, e, 1, &u)) found[inputs++] = u;
            u = expr_symbol_derivative(s->pool, u);
        }
    }
    *out = found;
    return inputs;
}
