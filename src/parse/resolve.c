// Names: from a name with indices and primes to what it stands for.
#include "parse/elaborate.h"

#include <stdio.h>
#include <string.h>

// --- families ------------------------------------------------------------------------------------

uint32_t elab_indices(elaborator *el, const syntax *node, const binding *b,
                      int64_t index[MOST_INDICES]) {
    uint32_t count = 0;
    bool good = true;
    for (const syntax *i = node->indices; i; i = i->next) {
        if (count == MOST_INDICES) {
            diag_error(el->ctx, i->at, NULL, "at most %d indices", MOST_INDICES);
            return 0;
        }
        good &= elab_integer(el, i, b, "an index", &index[count++]);
    }
    return good ? count : 0;
}

const char *elab_label(elaborator *el, const syntax *label, const binding *b,
                       const char *fallback) {
    if (!label) return fallback;
    if (!label->indices) return label->name;
    int64_t index[MOST_INDICES];
    const uint32_t count = elab_indices(el, label, b, index);
    if (!count) return NULL;
    char name[NAME_SIZE];
    scope_format(name, label->name, count, index);
    return arena_copy(&el->ctx->arena, name, strlen(name));
}

const char *elab_family_range(elaborator *el, const entry *family) {
    const char *text = "";
    for (uint32_t i = 0; i < family->dimensions; i++)
        text = arena_format(&el->ctx->arena, "%s%s%lld..%lld", text, i ? ", " : "",
                            (long long)family->low[i], (long long)family->high[i]);
    return text;
}

static void report_no_member(elaborator *el, const entry *family, const char *name, span at) {
    const bool one = family->dimensions == 1, single = one && family->low[0] == family->high[0];
    const char *help = !single || family->low[0] < 2
                           ? NULL
                           : arena_format(&el->ctx->arena, "for several write `%s[1..%lld]`",
                                          family->name, (long long)family->high[0]);
    if (family->low[0] > family->high[0])
        diag_error(el->ctx, at, NULL, "there is no `%s`: `%s` is an empty family", name,
                   family->name);
    else
        diag_error(el->ctx, at, help, "there is no `%s`: the %s of `%s` %s over %s", name,
                   one ? "index" : "indices", family->name, one ? "runs" : "run",
                   elab_family_range(el, family));
}

// For 2*k [N], with a blank before the bracket; else NULL
static const char *advise_unit(const syntax *node) {
    const span at = node->indices->at;
    const bool apart = at.source && at.offset > 1 && at.source->bytes[at.offset - 2] == ' ';
    return apart ? "a unit stands behind a number, `3 [m]`, or behind the name that is declared, "
                   "`param c [N] = 2*k`"
                 : NULL;
}

entry *elab_find(elaborator *el, space where, const syntax *node, const binding *b, bool *known) {
    entry *e = scope_find(el->scope, where, node->name);
    *known = e != NULL;
    if (!e) return NULL;
    if (!node->indices) {
        if (e->kind != ENTRY_FAMILY) return e;
        diag_error(el->ctx, node->at, NULL,
                   "`%s` is a family with indices %s: which of its members?", e->name,
                   elab_family_range(el, e));
        return NULL;
    }
    if (e->kind != ENTRY_FAMILY) {
        diag_error(el->ctx, node->at, advise_unit(node), "`%s` takes no index: it is %s", e->name,
                   scope_noun(e->kind));
        return NULL;
    }
    int64_t index[MOST_INDICES];
    const uint32_t count = elab_indices(el, node, b, index);
    if (!count) return NULL;
    if (count != e->dimensions) {
        diag_error(el->ctx, node->at, NULL, "`%s` takes %u ind%s, found %u", e->name, e->dimensions,
                   e->dimensions == 1 ? "ex" : "ices", count);
        return NULL;
    }
    char name[NAME_SIZE];
    scope_format(name, node->name, count, index);
    entry *member = scope_find(el->scope, where, name);
    if (!member) report_no_member(el, e, name, node->at);
    return member;
}

// --- unknown names -------------------------------------------------------------------------------

// For a function under its name in other languages: ln, arcsin.
static const char *advise_function(const char *name) {
    static const struct {
        const char *name, *advice;
    } known[] = {
        {"ln", "the natural logarithm is `log`"},
        {"log10", "write `log(...)/log(10)`"},
        {"log2", "write `log(...)/log(2)`"},
        {"arcsin", "the inverse of the sine is `asin`"},
        {"arccos", "the inverse of the cosine is `acos`"},
        {"arctan", "the inverse of the tangent is `atan`"},
        {"arctan2", "the angle of a point (x, y) is `atan2(y, x)`"},
        {"tg", "the tangent is `tan`"},
        {"cot", "write `1/tan(...)`"},
        {"sec", "write `1/cos(...)`"},
        {"csc", "write `1/sin(...)`"},
        {"sgn", "the sign is `sign`"},
        {"pow", "write `^` for a power"},
        {"sqr", "write `^2` for a square"},
        {"square", "write `^2` for a square"},
        {"rotx", "write `rot(x, angle)`"},
        {"roty", "write `rot(y, angle)`"},
        {"rotz", "write `rot(z, angle)`"},
        {"if", "`sign`, `abs`, `min` and `max` tell cases apart"},
        {"der",
         "write `x'` for a velocity and `ddt(...)` for the time derivative of an expression"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].advice;
    return NULL;
}

static bool has_derivative(elaborator *el, const char *name, bool *family) {
    const entry *e = scope_find(el->scope, SPACE_VALUES, name);
    *family = e && e->kind == ENTRY_FAMILY;
    return e && (e->kind == ENTRY_COORD || e->kind == ENTRY_GIVEN || e->kind == ENTRY_INPUT ||
                 e->kind == ENTRY_QUASI || e->kind == ENTRY_LET || e->kind == ENTRY_FAMILY);
}

// For theta_dot, xdot, xddot, dx in the place of theta', x', x'', x'.
static const char *advise_derivative(elaborator *el, const char *name) {
    static const struct {
        const char *ending, *primes;
    } endings[] = {{"_ddot", "''"}, {"ddot", "''"}, {"_dot", "'"}, {"dot", "'"}};
    const size_t length = strlen(name);
    const char *stem = NULL, *primes = "'";
    bool family = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (!text_ends_in(name, endings[i].ending)) continue;
        const char *candidate =
            arena_copy(&el->ctx->arena, name, length - strlen(endings[i].ending));
        if (!has_derivative(el, candidate, &family)) continue;
        stem = candidate;
        primes = endings[i].primes;
        break;
    }
    if (!stem && name[0] == 'd' && name[1] && has_derivative(el, name + 1, &family))
        stem = name + 1;
    if (!stem) return NULL;
    return arena_format(&el->ctx->arena, "write `%s%s%s` for the time derivative", stem,
                        family ? "[i]" : "", primes);
}

// Help for an unknown name; NULL if nothing comes to mind.
static const char *advise_name(elaborator *el, const syntax *node) {
    const char *advice =
        node->kind == SYNTAX_CALL ? advise_function(node->name) : advise_derivative(el, node->name);
    const bool observed = scope_find(el->scope, SPACE_OBSERVABLES, node->name) ||
                          scope_find(el->scope, SPACE_INVARIANTS, node->name);
    if (!advice && observed)
        advice = arena_format(&el->ctx->arena,
                              "what is observed has no name inside the model: write `let %s = E` "
                              "before `observe`",
                              node->name);
    return advice ? advice : scope_suggest(el->scope, el->ctx, SPACE_VALUES, node->name);
}

// `otherwise`: help where nothing better comes to mind, or NULL
static void report_unknown(elaborator *el, const syntax *node, const char *otherwise) {
    if (el->reader->incomplete || names_get(&el->reader->suspects, node->name)) return;
    if (elab_stopped(el)) return;
    const char *name = node->name;
    names_put(&el->reader->suspects, name, 0); // it is reported once
    const entry *body = scope_find(el->scope, SPACE_BODIES, name);
    if (el->only_constants) {
        unit_size known;
        diag_error(el->ctx, node->at,
                   unit_find(name, &known) ? "a unit stands behind a blank: `coord x [m]`"
                                           : scope_suggest(el->scope, el->ctx, SPACE_VALUES, name),
                   "unknown name `%s`: expected a `const` or an index", name);
    } else if (body && node->kind == SYNTAX_NAME) {
        diag_error(el->ctx, node->at,
                   arena_format(&el->ctx->arena, "write `pos(%s)`, `vel(%s)` or `acc(%s)`", name,
                                name, name),
                   "`%s` is %s, not a value", name, scope_noun(body->kind));
    } else if (scope_is_function(name) && node->kind == SYNTAX_NAME) {
        diag_error(el->ctx, node->at, NULL, "`%s` is a function: write `%s(...)`", name, name);
    } else {
        span at = node->at; // of a call, the name alone
        if (node->kind == SYNTAX_CALL)
            at.length = (uint32_t)strcspn(at.source->bytes + at.offset, " \t[(");
        const char *advice = advise_name(el, node);
        if (!advice && node->indices) advice = advise_unit(node);
        diag_error(el->ctx, at, advice ? advice : otherwise, "unknown %s `%s`",
                   node->kind == SYNTAX_CALL ? "function" : "name", name);
    }
}

void elab_unknown(elaborator *el, const syntax *node) { report_unknown(el, node, NULL); }

entry *elab_find_body(elaborator *el, const syntax *node, const binding *b) {
    if (node->kind != SYNTAX_NAME || node->primes) {
        diag_error(el->ctx, node->at, NULL, "expected the name of a point or body");
        return NULL;
    }
    bool known;
    entry *e = elab_find(el, SPACE_BODIES, node, b, &known);
    if (!known && !names_get(&el->reader->suspects, node->name) && !el->reader->incomplete) {
        diag_error(el->ctx, node->at, scope_suggest(el->scope, el->ctx, SPACE_BODIES, node->name),
                   "no point or body is called `%s`", node->name);
        names_put(&el->reader->suspects, node->name, 0); // it is reported once
    }
    return e && elab_define(el, e) ? e : NULL;
}

entry *elab_find_coordinate(elaborator *el, const syntax *node, const binding *b,
                            const char *otherwise) {
    if (node->kind != SYNTAX_NAME) {
        diag_error(el->ctx, node->at, NULL, "expected a coordinate");
        return NULL;
    }
    bool known;
    entry *e = elab_find(el, SPACE_VALUES, node, b, &known);
    if (!known) report_unknown(el, node, otherwise);
    if (!e) return NULL;
    if (e->kind == ENTRY_COORD && !node->primes) return e;
    diag_error(el->ctx, node->at, otherwise, "expected a coordinate, found %s",
               e->kind == ENTRY_COORD ? "a derivative" : scope_noun(e->kind));
    return NULL;
}

// --- values of names -----------------------------------------------------------------------------

static value derivatives(elaborator *el, value v, uint32_t primes, span at) {
    for (uint32_t i = 0; i < primes && v.type != VALUE_VOID; i++)
        v = value_ddt(el->ctx, el->pool, v, at);
    return v;
}

static value entry_value(elaborator *el, entry *e, const syntax *node) {
    if (e->arity) {
        diag_error(el->ctx, node->at, NULL, "`%s` is a function of %u argument%s: write `%s(...)`",
                   e->name, e->arity, e->arity == 1 ? "" : "s", e->name);
        return value_void();
    }
    if (el->only_constants && e->kind != ENTRY_CONST && e->kind != ENTRY_LET) {
        diag_error(el->ctx, node->at, NULL, "expected a `const` or an index, found %s",
                   scope_noun(e->kind));
        return value_void();
    }
    if (node->primes && (e->kind == ENTRY_CONST || e->kind == ENTRY_PARAM)) {
        diag_error(el->ctx, node->at, NULL, "`%s` is %s and has no time derivative", e->name,
                   scope_noun(e->kind));
        return value_void();
    }
    switch (e->kind) {
    case ENTRY_PARAM:
    case ENTRY_GIVEN:
    case ENTRY_INPUT:
        if (el->follow && !elab_define(el, e)) return value_void();
        return value_scalar(expr_symbol_of_order(el->pool, e->symbol, node->primes));
    case ENTRY_COORD: return value_scalar(expr_symbol_of_order(el->pool, e->symbol, node->primes));
    default:
        return elab_define(el, e) ? derivatives(el, e->value, node->primes, node->at)
                                  : value_void();
    }
}

const named_expression *elab_observed(const elaborator *el, const char *name) {
    const model *m = el->model;
    for (uint32_t i = 0; i < m->observables_count; i++)
        if (strcmp(m->observables[i].name, name) == 0) return &m->observables[i];
    for (uint32_t i = 0; i < m->invariants_count; i++)
        if (strcmp(m->invariants[i].name, name) == 0) return &m->invariants[i];
    return NULL;
}

const syntax *elab_observed_value(const named_expression *n) {
    const item *it = n->typed.item;
    const bool scaled = it->target->unit && !unit_is_coherent(it->target->unit) &&
                        it->value->kind == SYNTAX_PRODUCT; // E/(1 [km/h])
    return scaled ? it->value->first : it->value;
}

const named_expression *elab_find_observed(elaborator *el, const syntax *node, const binding *b) {
    if (strcmp(node->name, "lambda") == 0) return NULL; // its index is the name of a constraint
    const char *name = elab_label(el, node, b, NULL);
    return name ? elab_observed(el, name) : NULL;
}

// False: nothing of this name is observed
static bool observed_value(elaborator *el, const syntax *node, const binding *b, value *out) {
    const named_expression *n = el->with_observed ? elab_find_observed(el, node, b) : NULL;
    if (!n) return false;
    el->with_observed = false; // its own names are those of the model
    *out = elab_evaluate(el, elab_observed_value(n), n->typed.bindings);
    el->with_observed = true;
    *out = derivatives(el, *out, node->primes, node->at);
    return true;
}

// A name that the model does not declare: t, lambda, pi, e, or an unknown one.
static value builtin_value(elaborator *el, const syntax *node, const binding *b) {
    const char *name = node->name;
    const bool plain = !node->indices && !el->only_constants;
    if (strcmp(name, "lambda") == 0 && (el->with_multipliers || node->indices)) {
        if (!elab_expect_multipliers(el, node->at)) return value_void();
        expr force;
        if (!node->primes && elab_contact_force(el, node->indices, b, &force))
            return value_scalar(force);
        const expr lambda = elab_find_multiplier(el, node, b);
        return lambda == EXPR_NONE
                   ? value_void()
                   : value_scalar(expr_symbol_of_order(el->pool, lambda, node->primes));
    }
    const bool constant = strcmp(name, "pi") == 0 || strcmp(name, "e") == 0;
    if (plain && node->primes && (constant || strcmp(name, "t") == 0)) {
        diag_error(el->ctx, node->at, NULL, "`%s` is %s and takes no primes", name,
                   constant ? "a constant" : "the time");
        return value_void();
    }
    if (plain && strcmp(name, "t") == 0) return value_scalar(el->model->time);
    if (plain && strcmp(name, "pi") == 0) return value_scalar(expr_pi(el->pool));
    if (plain && strcmp(name, "e") == 0)
        return value_scalar(expr_function(el->pool, EXPR_EXP, (expr[]){EXPR_ONE}));
    elab_unknown(el, node);
    return value_void();
}

value elab_name(elaborator *el, const syntax *node, const binding *b) {
    const binding *bound = binding_find(b, node->name);
    if (bound && !node->indices) return derivatives(el, bound->value, node->primes, node->at);
    bool known;
    entry *e = elab_find(el, SPACE_VALUES, node, b, &known);
    if (e) return entry_value(el, e, node);
    value observed;
    if (!known && observed_value(el, node, b, &observed)) return observed;
    return known ? value_void() : builtin_value(el, node, b);
}
