// quantity("..") in claims: what a form shows under a name, written in q, q', t
// and what else a state knows.
#include "prove/proof_session.h"

#include <string.h>

static expr at_rest(const mechanics *s, expr e) {
    expr *zero = arena_array(&s->model->ctx->arena, expr, s->n); // EXPR_ZERO
    for (uint32_t i = 0; i < s->n; i++) zero[i] = EXPR_ZERO;
    return expr_replace(s->pool, e, s->n, s->qd, zero);
}

// The index of the coordinate whose name stands at the beginning of `text`, up to the mark; n if
// there is none.
static uint32_t coordinate_named(const mechanics *s, const char *text, char mark) {
    uint32_t i = 0;
    for (; i < s->n; i++) {
        const char *name = expr_symbol_name(s->pool, s->q[i]);
        const size_t length = strlen(name);
        if (strncmp(text, name, length) == 0 && text[length] == mark) break;
    }
    return i;
}

// T, U, L; M[x,y] = d2L/dx'dy', b[x] = dT/dx' and c = T at rest: T = 1/2 q'.M q' + b.q' + c.
static expr common_quantity(const mechanics *s, const char *name) {
    if (strcmp(name, "T") == 0) return s->kinetic;
    if (strcmp(name, "U") == 0) return s->potential;
    if (strcmp(name, "L") == 0) return s->lagrangian;
    if (strcmp(name, "c") == 0) return at_rest(s, s->kinetic);
    const char *comma = strchr(name, ',');
    if (strncmp(name, "M[", 2) == 0 && comma) {
        const uint32_t i = coordinate_named(s, name + 2, ','),
                       j = coordinate_named(s, comma + 1, ']');
        if (i < s->n && j < s->n)
            return expr_diff(s->pool, expr_diff(s->pool, s->lagrangian, s->qd[i]), s->qd[j]);
    }
    if (strncmp(name, "b[", 2) == 0) {
        const uint32_t i = coordinate_named(s, name + 2, ']');
        if (i < s->n) return at_rest(s, expr_diff(s->pool, s->kinetic, s->qd[i]));
    }
    return EXPR_NONE;
}

// --- what stands for something else -------------------------------------------------------------

// Symbols that a form makes for itself mean something along the motion: momenta by their
// definitions, omega[c] by its constraint, Phi_c(q, q', t). EXPR_NONE for a symbol of the model.
static expr meaning_of(const equations *eq, const symbol *x) {
    const mechanics *s = eq->system;
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++)
        if (eq->auxiliaries[i].symbol == x->node) return eq->auxiliaries[i].value;
    for (uint32_t i = 0; i < s->k && x->role == ROLE_QUASI; i++) {
        const char *name = s->model->constraints[s->constraint[i]].name;
        const size_t length = strlen(name);
        if (strncmp(x->name, "omega[", 6) == 0 && strncmp(x->name + 6, name, length) == 0 &&
            strcmp(x->name + 6 + length, "]") == 0)
            return s->phi[i];
    }
    const definition *d = equations_find(eq, x->name);
    return d && !expr_depends_on(s->pool, d->value, 1, &x->node) ? d->value : EXPR_NONE;
}

// Could the symbol be a form's own?
static bool may_be_own(const mechanics *s, const symbol *x) {
    if (x->role == ROLE_MOMENTUM || x->role == ROLE_LOCAL) return true;
    if (x->role != ROLE_QUASI && x->role != ROLE_PARAMETER) return false;
    for (uint32_t i = 0; i < s->m; i++)
        if (expr_symbol_index(s->pool, s->eta[i]) == x->base) return false;
    for (uint32_t i = 0; i < s->model->quasis_count; i++)
        if (expr_symbol_index(s->pool, s->model->quasis[i].symbol) == x->base) return false;
    for (uint32_t i = 0; i < s->model->parameters_count; i++)
        if (s->model->parameters[i].symbol == x->node) return false;
    return true;
}

// Once for every such symbol and its rate: p -> dL/dq', p' -> d/dt dL/dq'.
static expr written_out_once(const equations *eq, expr e) {
    pool *p = eq->system->pool;
    const uint32_t symbols = pool_symbol_count(p);
    for (uint32_t i = 0; i < symbols; i++) {
        const symbol x = *pool_symbol(p, i);
        if (x.order || !may_be_own(eq->system, &x)) continue;
        const expr value = meaning_of(eq, &x);
        if (value == EXPR_NONE) continue;
        e = expr_replace(p, e, 1, &x.node, &value);
        if (x.next == EXPR_NONE) continue; // there is no p'
        const expr rate = expr_symbol_derivative(p, x.node), change = expr_ddt(p, value);
        e = expr_replace(p, e, 1, &rate, &change);
    }
    return e;
}

// A symbol of the form that is left and has no meaning along the motion; NULL if there is none.
static const char *left_over(const equations *eq, expr e) {
    pool *p = eq->system->pool;
    for (uint32_t i = 0; i < pool_symbol_count(p); i++) {
        const symbol *x = pool_symbol(p, i);
        bool arbitrary = false; // it stands for anything at all
        for (uint32_t j = 0; j < eq->arbitrary_count; j++) arbitrary |= eq->arbitrary[j] == x->node;
        if (!arbitrary && may_be_own(eq->system, x) && expr_depends_on(p, e, 1, &x->node))
            return x->name;
    }
    return NULL;
}

static expr written_out(const equations *eq, expr e) {
    for (int pass = 0; pass < 4; pass++) { // a definition may use another one
        const expr next = written_out_once(eq, e);
        if (next == e) break;
        e = next;
    }
    return e;
}

expr quantities_replace(const proof_session *ps, const equations *eq, expr e,
                        const char **trouble) {
    const mechanics *s = ps->system;
    bool found = false;
    for (uint32_t i = 0; i < ps->m->quantities_count; i++) {
        const quantity *q = &ps->m->quantities[i];
        if (!expr_depends_on(s->pool, e, 1, &q->symbol)) continue;
        const definition *d = equations_find(eq, q->name);
        const expr value = d ? d->value : common_quantity(s, q->name);
        if (value == EXPR_NONE)
            *trouble =
                arena_format(&ps->m->ctx->arena, "`%s` has no quantity \"%s\"", eq->form, q->name);
        else e = expr_replace(s->pool, e, 1, &q->symbol, &value);
        found = true;
    }
    if (!found) return e;
    e = written_out(eq, e);
    const char *unknown = left_over(eq, e);
    if (unknown && !*trouble)
        *trouble =
            arena_format(&ps->m->ctx->arena,
                         "the quantity holds `%s`, which has no value along the motion", unknown);
    return e;
}
