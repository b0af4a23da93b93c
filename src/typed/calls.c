// Calls: functions of the model with their arguments as they were typed, and
// the functions of the language.
#include "typed/evaluator.h"

#include <string.h>

static bool scalar_result(result *out, jet j) {
    out->type = VALUE_SCALAR;
    out->part[0] = j;
    return true;
}

// --- elementary functions ------------------------------------------------------------------------

static const struct {
    const char *name;
    expr_kind kind;
    uint32_t arity;
} elementaries[] = {
#define FUNCTION(id, name, arity) {name, EXPR_##id, arity},
#include "expr/kinds.def"
};
enum { ELEMENTARIES = sizeof elementaries / sizeof *elementaries };

static bool call_elementary(evaluator *ev, int which, const syntax *s, const typed_binding *b,
                            const level *l, result *out) {
    jet u, v;
    if (!evaluator_scalar(ev, s->first, b, l, &u)) return false;
    if (elementaries[which].arity == 1) {
        scalar_result(out, jet_function(&ev->jets, elementaries[which].kind, &u, &ev->finding));
    } else {
        if (!evaluator_scalar(ev, s->first->next, b, l, &v)) return false;
        scalar_result(out, jet_atan2(&ev->jets, &u, &v, &ev->finding));
    }
    return evaluator_settled(ev, s->at);
}

static bool call_sqrt(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                      result *out) {
    jet u;
    if (!evaluator_scalar(ev, s->first, b, l, &u)) return false;
    scalar_result(out, jet_sqrt(&ev->jets, &u, &ev->finding));
    return evaluator_settled(ev, s->at);
}

static bool call_extremum(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                          result *out) {
    jet best, next;
    if (!evaluator_scalar(ev, s->first, b, l, &best)) return false;
    for (const syntax *a = s->first->next; a; a = a->next) {
        if (!evaluator_scalar(ev, a, b, l, &next)) return false;
        best = jet_extremum(&ev->jets, &best, &next, strcmp(s->name, "max") == 0, &ev->finding);
        if (!evaluator_settled(ev, s->at)) return false;
    }
    return scalar_result(out, best);
}

// --- vectors -------------------------------------------------------------------------------------

static bool call_dot(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                     result *out) {
    jet u[3], v[3];
    if (!evaluator_vector(ev, s->first, b, l, u) || !evaluator_vector(ev, s->first->next, b, l, v))
        return false;
    return scalar_result(out, jet_dot(ev, u, v));
}

static bool call_cross(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                       result *out) {
    jet u[3], v[3];
    if (!evaluator_vector(ev, s->first, b, l, u) || !evaluator_vector(ev, s->first->next, b, l, v))
        return false;
    out->type = VALUE_VECTOR;
    jet_cross(ev, u, v, out->part);
    return true;
}

static bool call_norm(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                      result *out) {
    jet u[3];
    if (!evaluator_vector(ev, s->first, b, l, u)) return false;
    const jet square = jet_dot(ev, u, u);
    scalar_result(out, jet_sqrt(&ev->jets, &square, &ev->finding));
    return evaluator_settled(ev, s->at);
}

// --- calculus ------------------------------------------------------------------------------------

static bool call_ddt(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                     result *out) {
    return evaluator_rate(ev, s->first, b, l, 1, out);
}

static bool call_diff(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                      result *out) {
    uint32_t symbol;
    if (!evaluator_resolve_symbol(ev, s->first->next, b, &symbol))
        return evaluator_fail(ev, TYPED_NO_VALUE, s->at,
                              "it is not plain what to differentiate by");
    const level *inner = level_by(ev, l, symbol);
    if (!evaluator_run(ev, s->first, b, inner, out)) return false;
    for (uint32_t i = 0; i < result_size(out->type); i++)
        out->part[i] = jet_coefficient(&ev->jets, &out->part[i], level_bit(inner));
    return true;
}

// --- what has a value only where the state knows it ----------------------------------------------

static bool known_symbol(evaluator *ev, expr symbol, const syntax *s, const level *l, result *out) {
    out->type = VALUE_SCALAR;
    if (symbol == EXPR_NONE)
        return evaluator_fail(ev, TYPED_NO_VALUE, s->at, "it has no value on this route");
    return symbol_jet(ev, expr_symbol_index(ev->model->pool, symbol), 0, l, s->at, &out->part[0]);
}

static bool call_variation(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                           result *out) {
    const entry *e = evaluator_find_entry(ev, SPACE_VALUES, s->first, b);
    const bool transposed = s->name[0] == 't';
    return known_symbol(ev, !e ? EXPR_NONE : transposed ? e->transposed : e->variation, s, l, out);
}

static bool call_quantity(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                          result *out) {
    (void)b;
    const model *m = ev->model;
    expr symbol = EXPR_NONE;
    for (uint32_t i = 0; i < m->quantities_count && s->first->kind == SYNTAX_TEXT; i++)
        if (strcmp(m->quantities[i].name, s->first->name) == 0) symbol = m->quantities[i].symbol;
    return known_symbol(ev, symbol, s, l, out);
}

// --- dispatch ------------------------------------------------------------------------------------

static const struct {
    const char *name;
    bool (*call)(evaluator *, const syntax *, const typed_binding *, const level *, result *);
} builtins[] = {
    {"sqrt", call_sqrt},
    {"min", call_extremum},
    {"max", call_extremum},
    {"ddt", call_ddt},
    {"diff", call_diff},
    {"dot", call_dot},
    {"cross", call_cross},
    {"norm", call_norm},
    {"rot", evaluator_kinematics},
    {"pos", evaluator_kinematics},
    {"vel", evaluator_kinematics},
    {"acc", evaluator_kinematics},
    {"omega", evaluator_kinematics},
    {"frame", evaluator_kinematics},
    {"velat", evaluator_kinematics},
    {"delta", call_variation},
    {"transpose", call_variation},
    {"quantity", call_quantity},
};
enum { BUILTINS = sizeof builtins / sizeof *builtins };

static int find_builtin(const char *name) {
    for (int i = 0; i < BUILTINS; i++)
        if (strcmp(builtins[i].name, name) == 0) return i;
    for (int i = 0; i < ELEMENTARIES; i++)
        if (strcmp(elementaries[i].name, name) == 0) return BUILTINS + i;
    return -1;
}

const typed_binding *typed_binding_of_call(arena *a, const pool *p, const entry *e, const syntax *s,
                                           const typed_binding *b) {
    const typed_binding *inner = typed_binding_import(a, p, e->bindings);
    const syntax *parameter = e->parameters;
    for (const syntax *argument = s->first; argument && parameter; argument = argument->next) {
        typed_binding *bound = arena_new(a, typed_binding);
        *bound = (typed_binding){parameter->name, inner, argument, b, 0};
        inner = bound;
        parameter = parameter->next;
    }
    return inner;
}

bool evaluator_call(evaluator *ev, const syntax *s, const typed_binding *b, const level *l,
                    result *out) {
    const entry *e = scope_find(ev->model->scope, SPACE_VALUES, s->name);
    const int builtin = find_builtin(s->name);
    // a quasi-velocity omega, and omega(B)
    if (e && !e->arity && e->kind != ENTRY_FAMILY && builtin >= 0) e = NULL;
    if (e) {
        e = evaluator_find_entry(ev, SPACE_VALUES, s, b);
        if (!e || e->kind != ENTRY_LET || !e->arity)
            return evaluator_fail(ev, TYPED_NO_VALUE, s->at, "an abstract function has no values");
        return evaluator_run(ev, e->definition,
                             typed_binding_of_call(&ev->arena, ev->model->pool, e, s, b), l, out);
    }
    if (builtin < 0)
        return evaluator_fail(ev, TYPED_NO_VALUE, s->at, "this function has no values");
    if (builtin < BUILTINS) return builtins[builtin].call(ev, s, b, l, out);
    return call_elementary(ev, builtin - BUILTINS, s, b, l, out);
}
