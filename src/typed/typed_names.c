// Names: symbols with their derivatives at every level, definitions, arguments and indices.
#include "typed/evaluator.h"

#include <stdio.h>
#include <string.h>

// --- definitions ---------------------------------------------------------------------------------

enum { LONG_CHAIN = 100 };

static bool definition_rate(evaluator *ev, const entry *e, const level *l, uint32_t primes,
                            result *out);

// For a long chain of definitions, each in terms of the one before: evaluates all in the order of
// the text, so that none goes deep. That one has no value does not matter unless it is needed.
static void prepare(evaluator *ev, const level *l) {
    const scope *names = ev->model->scope;
    ev->prepared = l;
    for (uint32_t i = 0; i < names->count; i++) {
        const entry *e = names->entries[i];
        result r;
        if ((e->kind != ENTRY_LET && e->kind != ENTRY_QUASI) || e->arity || !e->definition)
            continue;
        const ball_mark mark = ball_stack_mark(&ev->work);
        definition_rate(ev, e, l, 0, &r);
        ev->finding = (typed_finding){0};
        ball_stack_release(&ev->work, mark, 0, NULL);
    }
}

// A definition of the model, differentiated in time as often as there are primes; remembered for
// the next time.
static bool definition_rate(evaluator *ev, const entry *e, const level *l, uint32_t primes,
                            result *out) {
    const level *inner = level_in_time(ev, l, primes);
    if (!evaluator_recall(ev, e, inner, out)) {
        if (ev->depth > LONG_CHAIN && ev->prepared != inner) prepare(ev, inner);
        if (!evaluator_run(ev, e->definition, evaluator_import(ev, e->bindings), inner, out))
            return false;
        evaluator_remember(ev, e, inner, out);
    }
    result_take_derivatives(ev, out, inner, l);
    return true;
}

// --- symbols -------------------------------------------------------------------------------------

uint32_t symbol_of_order(const pool *p, uint32_t symbol, uint32_t order) {
    for (uint32_t i = 0; i < order && symbol != EXPR_NONE; i++)
        symbol = pool_symbol(p, symbol)->next;
    return symbol;
}

static const entry *entry_of_symbol(const evaluator *ev, entry_kind kind, uint32_t symbol) {
    const scope *names = ev->model->scope;
    for (uint32_t i = 0; i < names->count; i++) {
        const entry *e = names->entries[i];
        if (e->kind == kind && expr_symbol_index(ev->model->pool, e->symbol) == symbol) return e;
    }
    return NULL;
}

// A symbol, as its base and the number of its primes: the pool need not have it yet. Or the numbers
// 1 and 0, which a derivative can make of it.
typedef struct {
    enum { TERM_SYMBOL, TERM_ONE, TERM_ZERO } kind;
    uint32_t base, order;
} term;

static bool no_value(evaluator *ev, term x, span at) {
    arena *a = &ev->model->ctx->arena;
    char *primes = arena_array(a, char, x.order + 1);
    memset(primes, '\'', x.order);
    return evaluator_fail(ev, TYPED_NO_VALUE, at,
                          arena_format(a, "`%s%s` has no value here",
                                       pool_symbol(ev->model->pool, x.base)->name, primes));
}

// An input that `every` or `when` sets is held between: what it is now is in the state, under the
// parameter that stands for it.
static bool held_input(evaluator *ev, const entry *input, uint32_t order, jet *out) {
    const pool *p = ev->model->pool;
    const expr held = ev->model->givens[input->index].definition;
    if (held == EXPR_NONE || expr_kind_of(p, held) != EXPR_SYMBOL ||
        strncmp(expr_symbol_name(p, held), "held[", 5) != 0)
        return false;
    const uint32_t index = expr_symbol_index(p, held);
    if (index >= ev->state->capacity || !ev->state->known[index]) return false;
    *out = order ? jet_rational(&ev->jets, 0, 1) : jet_ball(&ev->jets, ev->state->value + index);
    return true;
}

// A number for a symbol: from the state, or from its definition in the text.
static bool symbol_number(evaluator *ev, term x, span at, jet *out) {
    const symbol_role role = pool_symbol(ev->model->pool, x.base)->role;
    const state *here = ev->state;
    result r;
    if (role == ROLE_TIME && ev->time) {
        *out = jet_ball(&ev->jets, ev->time);
        return true;
    }
    if (role == ROLE_COORDINATE && x.order == 2 && ev->at_rest) {
        *out = jet_rational(&ev->jets, 0, 1);
        return true;
    }
    if (role == ROLE_MULTIPLIER && ev->at_rest) {
        *out = jet_rational(&ev->jets, x.base == ev->pushed, 1);
        return true;
    }
    const entry *defined = role == ROLE_GIVEN ? entry_of_symbol(ev, ENTRY_GIVEN, x.base) : NULL;
    if (role == ROLE_GIVEN && !defined) {
        defined = entry_of_symbol(ev, ENTRY_INPUT, x.base);
        if (defined && held_input(ev, defined, x.order, out)) return true;
        if (defined && !defined->definition) { // an input is 0 where nothing is stated
            *out = jet_rational(&ev->jets, 0, 1);
            return true;
        }
    }
    const uint32_t index = symbol_of_order(ev->model->pool, x.base, x.order);
    const bool known = index < here->capacity && here->known[index];
    if (role == ROLE_PARAMETER && !known) defined = entry_of_symbol(ev, ENTRY_PARAM, x.base);
    spline *data = role == ROLE_GIVEN && defined ? ev->model->givens[defined->index].data : NULL;
    if (data) {
        const uint32_t t = expr_symbol_index(ev->model->pool, ev->model->time);
        return typed_data_value(ev, data, x.order, ev->time ? ev->time : here->value + t, at, out);
    }
    if (defined && defined->definition) { // f'' is d2/dt2 of what f was defined as
        if (!definition_rate(ev, defined, &ev->ground, x.order, &r)) return false;
        *out = r.part[0];
        return true;
    }
    if (!known) return no_value(ev, x, at);
    *out = jet_ball(&ev->jets, here->value + index);
    return true;
}

// The derivative of a symbol at one level.
static term derive(const evaluator *ev, term x, const level *l) {
    const pool *p = ev->model->pool;
    const term zero = {.kind = TERM_ZERO}, one = {.kind = TERM_ONE};
    if (x.kind != TERM_SYMBOL) return zero;
    if (!l->in_time) {
        const symbol *by = pool_symbol(p, l->symbol);
        return x.base == by->base && x.order == by->order ? one : zero;
    }
    switch (pool_symbol(p, x.base)->role) {
    case ROLE_TIME: return one;
    case ROLE_PARAMETER:
    case ROLE_LOCAL: return zero;
    default: x.order++; return x;
    }
}

// The coefficient of eps_S: the derivatives of the levels in S, the innermost first.
static term term_at(const evaluator *ev, term x, const level *l, uint32_t subset) {
    for (; l->depth; l = l->outer)
        if (subset & level_bit(l)) x = derive(ev, x, l);
    return x;
}

static bool term_jet(evaluator *ev, term x, const level *l, span at, jet *out) {
    uint32_t mask = 0;
    for (uint32_t s = 1; s < 1u << l->depth; s++)
        if (term_at(ev, x, l, s).kind != TERM_ZERO) mask |= s;
    if (!mask) return symbol_number(ev, x, at, out);
    *out = (jet){.part = ball_stack_take(&ev->work, mask + 1), .mask = mask};
    for (uint32_t s = 0; s <= mask; s++) {
        arb_zero(out->part + s);
        if (s & ~mask) continue;
        const term here = term_at(ev, x, l, s);
        jet number;
        if (here.kind == TERM_ONE) arb_one(out->part + s);
        if (here.kind != TERM_SYMBOL) continue;
        if (!symbol_number(ev, here, at, &number)) return false;
        arb_set(out->part + s, number.part);
    }
    return true;
}

bool symbol_jet(evaluator *ev, uint32_t index, uint32_t primes, const level *l, span at, jet *out) {
    const symbol *s = pool_symbol(ev->model->pool, index);
    return term_jet(ev, (term){TERM_SYMBOL, s->base, s->order + primes}, l, at, out);
}

// --- declared names ------------------------------------------------------------------------------

// The name with the values of its indices, "q[2]".
static bool full_name(evaluator *ev, const syntax *node, const typed_binding *b,
                      char name[NAME_SIZE]) {
    int64_t index[MOST_INDICES];
    uint32_t count = 0;
    for (const syntax *i = node->indices; i && count < MOST_INDICES; i = i->next)
        if (!evaluator_integer(ev, i, b, &index[count++])) return false;
    scope_format(name, node->name, count, index);
    return true;
}

const entry *evaluator_find_entry(evaluator *ev, space where, const syntax *node,
                                  const typed_binding *b) {
    if (!node->indices) return scope_find(ev->model->scope, where, node->name);
    char name[NAME_SIZE];
    return full_name(ev, node, b, name) ? scope_find(ev->model->scope, where, name) : NULL;
}

static bool entry_symbol(const evaluator *ev, const entry *e, uint32_t primes, uint32_t *symbol) {
    *symbol =
        symbol_of_order(ev->model->pool, expr_symbol_index(ev->model->pool, e->symbol), primes);
    return *symbol != EXPR_NONE;
}

static bool entry_value(evaluator *ev, const entry *e, const syntax *node, const level *l,
                        result *out) {
    switch (e->kind) {
    case ENTRY_PARAM:
    case ENTRY_COORD:
    case ENTRY_GIVEN:
    case ENTRY_INPUT:
        out->type = VALUE_SCALAR;
        return symbol_jet(ev, expr_symbol_index(ev->model->pool, e->symbol), node->primes, l,
                          node->at, &out->part[0]);
    case ENTRY_CONST:
    case ENTRY_LET:
    case ENTRY_QUASI:
        if (e->definition && !e->arity) return definition_rate(ev, e, l, node->primes, out);
        break;
    default: break;
    }
    return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "this name has no value");
}

// --- names the model does not declare ------------------------------------------------------------

const constraint *evaluator_find_constraint(evaluator *ev, const syntax *node, char component,
                                            const typed_binding *b) {
    const model *m = ev->model;
    char name[NAME_SIZE];
    if (!full_name(ev, node, b, name)) return NULL;
    const size_t used = strlen(name);
    if (component) snprintf(name + used, sizeof name - used, ".%c", component);
    const entry *e = scope_find(m->scope, SPACE_CONSTRAINTS, name);
    return e && e->kind == ENTRY_LABEL && e->index < m->constraints_count
               ? &m->constraints[e->index]
               : NULL;
}

// lambda[NAME], lambda[NAME[2].x]; lambda alone where there is one constraint. EXPR_NONE if there
// is none.
static expr find_multiplier(evaluator *ev, const syntax *node, const typed_binding *b) {
    const model *m = ev->model;
    if (!node->indices) return m->constraints_count == 1 ? m->constraints[0].multiplier : EXPR_NONE;
    const bool component = node->indices->kind == SYNTAX_COMPONENT;
    const constraint *c =
        component ? evaluator_find_constraint(ev, node->indices->first, node->indices->name[0], b)
                  : evaluator_find_constraint(ev, node->indices, '\0', b);
    return c ? c->multiplier : EXPR_NONE;
}

static bool builtin_symbol(evaluator *ev, const syntax *node, const typed_binding *b,
                           uint32_t *symbol) {
    const model *m = ev->model;
    expr base = EXPR_NONE;
    if (strcmp(node->name, "t") == 0) base = m->time;
    if (strcmp(node->name, "lambda") == 0) base = find_multiplier(ev, node, b);
    *symbol = base == EXPR_NONE
                  ? EXPR_NONE
                  : symbol_of_order(m->pool, expr_symbol_index(m->pool, base), node->primes);
    return *symbol != EXPR_NONE;
}

static bool builtin_value(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                          result *out) {
    out->type = VALUE_SCALAR;
    const bool is_pi = strcmp(node->name, "pi") == 0;
    if (is_pi || strcmp(node->name, "e") == 0) {
        out->part[0] = (jet){.part = ball_stack_take(&ev->work, 1)};
        (is_pi ? arb_const_pi : arb_const_e)(out->part[0].part, ev->jets.precision);
        return true;
    }
    uint32_t symbol;
    if (builtin_symbol(ev, node, b, &symbol))
        return symbol_jet(ev, symbol, 0, l, node->at, &out->part[0]);
    return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "this name has no value");
}

// --- any name ------------------------------------------------------------------------------------

// An argument is evaluated as it was typed, with the names of the place where it was typed; it may
// be needed at several levels.
static bool bound_value(evaluator *ev, const typed_binding *bound, const syntax *node,
                        const level *l, result *out) {
    if (!bound->argument) {
        out->type = VALUE_SCALAR;
        out->part[0] = jet_rational(&ev->jets, node->primes ? 0 : bound->index, 1);
        return true;
    }
    const level *inner = level_in_time(ev, l, node->primes);
    const bool plain =
        bound->argument->kind == SYNTAX_NUMBER || bound->argument->kind == SYNTAX_NAME;
    if (plain || !evaluator_recall(ev, bound, inner, out)) {
        if (!evaluator_run(ev, bound->argument, bound->around, inner, out)) return false;
        if (!plain) evaluator_remember(ev, bound, inner, out);
    }
    result_take_derivatives(ev, out, inner, l);
    return true;
}

bool evaluator_name(evaluator *ev, const syntax *node, const typed_binding *b, const level *l,
                    result *out) {
    const typed_binding *bound = node->indices ? NULL : typed_binding_find(b, node->name);
    if (bound) return bound_value(ev, bound, node, l, out);
    if (!scope_find(ev->model->scope, SPACE_VALUES, node->name))
        return builtin_value(ev, node, b, l, out);
    const entry *e = evaluator_find_entry(ev, SPACE_VALUES, node, b);
    if (e) return entry_value(ev, e, node, l, out);
    return evaluator_fail(ev, TYPED_NO_VALUE, node->at, "this name has no value");
}

// --- what to differentiate by --------------------------------------------------------------------

static bool symbol_of_name(evaluator *ev, const syntax *node, const typed_binding *b,
                           uint32_t *symbol) {
    const typed_binding *bound = node->indices ? NULL : typed_binding_find(b, node->name);
    const syntax *meaning = NULL; // the name abbreviates this
    const typed_binding *around = NULL;
    if (bound) {
        meaning = bound->argument;
        around = bound->around;
        if (!meaning) return false;
    } else if (!scope_find(ev->model->scope, SPACE_VALUES, node->name)) {
        return builtin_symbol(ev, node, b, symbol);
    } else {
        const entry *e = evaluator_find_entry(ev, SPACE_VALUES, node, b);
        if (!e) return false;
        if (e->kind == ENTRY_PARAM || e->kind == ENTRY_COORD || e->kind == ENTRY_GIVEN ||
            e->kind == ENTRY_INPUT)
            return entry_symbol(ev, e, node->primes, symbol);
        if ((e->kind != ENTRY_LET && e->kind != ENTRY_QUASI) || e->arity || !e->definition)
            return false;
        meaning = e->definition;
        around = evaluator_import(ev, e->bindings);
    }
    if (!evaluator_resolve_symbol(ev, meaning, around, symbol)) return false;
    *symbol = symbol_of_order(ev->model->pool, *symbol, node->primes);
    return *symbol != EXPR_NONE;
}

// u.x of a vector that is written out
static bool symbol_of_component(evaluator *ev, const syntax *vector, const typed_binding *b, int i,
                                uint32_t *symbol) {
    if (vector->kind == SYNTAX_TUPLE) {
        const syntax *c = vector->first;
        for (; c && i > 0; i--) c = c->next;
        return c && evaluator_resolve_symbol(ev, c, b, symbol);
    }
    const bool name = vector->kind == SYNTAX_NAME && !vector->primes;
    const typed_binding *bound =
        name && !vector->indices ? typed_binding_find(b, vector->name) : NULL;
    if (bound)
        return bound->argument &&
               symbol_of_component(ev, bound->argument, bound->around, i, symbol);
    const entry *e = name ? evaluator_find_entry(ev, SPACE_VALUES, vector, b) : NULL;
    if (e && e->kind == ENTRY_LET && !e->arity)
        return symbol_of_component(ev, e->definition, evaluator_import(ev, e->bindings), i, symbol);
    if (vector->kind != SYNTAX_CALL ||
        (strcmp(vector->name, "pos") != 0 && strcmp(vector->name, "vel") != 0))
        return false;
    e = evaluator_find_entry(ev, SPACE_BODIES, vector->first, b);
    const syntax *place = e ? entry_clause(e, "at") : NULL;
    if (!place || !symbol_of_component(ev, place, evaluator_import(ev, e->bindings), i, symbol))
        return false;
    *symbol = symbol_of_order(ev->model->pool, *symbol, vector->name[0] == 'v');
    return *symbol != EXPR_NONE;
}

bool evaluator_resolve_symbol(evaluator *ev, const syntax *node, const typed_binding *b,
                              uint32_t *symbol) {
    if (node->kind == SYNTAX_NAME) return symbol_of_name(ev, node, b, symbol);
    if (node->kind == SYNTAX_COMPONENT)
        return symbol_of_component(ev, node->first, b, node->name[0] - 'x', symbol);
    return false;
}
