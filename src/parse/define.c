// Definitions, worked out when first asked for by the rule of the statement that holds them; and
// what their values may depend on.
#include "parse/statement.h"

#include <string.h>

// --- what a value may depend on ------------------------------------------------------------------

bool elab_expect_roles(elaborator *el, expr e, span at, unsigned roles, const char *what) {
    if (el->ctx->exhausted) return false;
    uint32_t count;
    expr *nodes = expr_reachable(el->pool, 1, &e, &count);
    el->steps += count / 16;
    const symbol *wrong = NULL;
    for (uint32_t i = 0; i < count && !wrong; i++) {
        const symbol *s = expr_as_symbol(el->pool, nodes[i]);
        if (s && !(roles & 1u << s->role)) wrong = s;
    }
    memory_free(nodes);
    if (wrong)
        diag_error(el->ctx, at, NULL, "expected %s, found a value that depends on `%s`", what,
                   expr_symbol_text(el->pool, wrong->node));
    return !wrong;
}

bool elab_constant(elaborator *el, const syntax *node, const binding *b, expr *out) {
    return elab_scalar(el, node, b, out) &&
           elab_expect_roles(el, *out, node->at, 1u << ROLE_PARAMETER, "a constant");
}

value elab_number(elaborator *el, const syntax *node) {
    const unit *u = node->unit;
    if (!u) return value_scalar(node->number);
    if (el->only_constants) {
        diag_error(el->ctx, u->at, NULL, "a whole number has no unit");
        return value_void();
    }
    const expr pi = expr_pow(el->pool, expr_pi(el->pool), expr_int(el->pool, u->pi));
    return value_scalar(expr_product(el->pool, 3, (expr[]){node->number, u->factor, pi}));
}

// A positive number with few decimals: "0.03"; NULL for whole numbers and the others
static const char *decimal_of(elaborator *el, expr number) {
    enum { MOST_DECIMALS = 30 };
    if (!expr_is_number(el->pool, number)) return NULL;
    fmpq_t shifted;
    fmpq_init(shifted);
    fmpq_set(shifted, expr_number_value(el->pool, number));
    int decimals = 0;
    while (!fmpz_is_one(fmpq_denref(shifted)) && decimals < MOST_DECIMALS)
        fmpq_mul_si(shifted, shifted, 10), decimals++;
    const bool finite = fmpz_is_one(fmpq_denref(shifted)) && decimals;
    const size_t size = finite ? fmpz_sizeinbase(fmpq_numref(shifted), 10) : 0;
    char *digits = arena_array(&el->ctx->arena, char, size + 2);
    if (finite) fmpz_get_str(digits, 10, fmpq_numref(shifted));
    fmpq_clear(shifted);
    if (!finite) return NULL;
    const int length = (int)strlen(digits), whole = length - decimals;
    if (whole > 0) return arena_format(&el->ctx->arena, "%.*s.%s", whole, digits, digits + whole);
    return arena_format(&el->ctx->arena, "0.%.*s%s", -whole, "000000000000000000000000000000",
                        digits);
}

const char *elab_decimal(elaborator *el, const syntax *node) {
    const bool negative = node->kind == SYNTAX_NEGATE;
    if (negative) node = node->first;
    if (node->kind != SYNTAX_NUMBER || !node->at.source) return NULL;
    const char *bytes = node->at.source->bytes + node->at.offset,
               *typed = arena_copy(&el->ctx->arena, bytes, node->at.length);
    typed = arena_copy(&el->ctx->arena, typed, strcspn(typed, " \t\r\n#["));
    if (node->unit && !unit_is_coherent(node->unit))
        typed = decimal_of(el, elab_number(el, node).scalar);
    if (!typed || !strpbrk(typed, ".eE")) return NULL;
    return negative ? arena_format(&el->ctx->arena, "-%s", typed) : typed;
}

bool elab_expect_order(elaborator *el, expr e, span at, int most, const char *what) {
    if (el->ctx->exhausted) return false;
    if (expr_order(el->pool, e) <= most) return true;
    if (most == 0)
        diag_error(el->ctx, at, NULL, "%s depends on coordinates and time, not on velocities",
                   what);
    else if (most == 1)
        diag_error(el->ctx, at, NULL,
                   "%s may hold coordinates, velocities and time, not accelerations", what);
    else
        diag_error(el->ctx, at, NULL, "%s may hold derivatives of coordinates up to order %d here",
                   what, most);
    return false;
}

bool elab_expect_no_rates(elaborator *el, expr e, span at) {
    if (el->ctx->exhausted) return false;
    uint32_t count;
    expr *nodes = expr_reachable(el->pool, 1, &e, &count);
    const symbol *rate = NULL;
    for (uint32_t i = 0; i < count && !rate; i++) {
        const symbol *s = expr_as_symbol(el->pool, nodes[i]);
        if (s && s->role == ROLE_MULTIPLIER && s->order) rate = s;
    }
    memory_free(nodes);
    if (rate)
        diag_error(el->ctx, at, "multipliers themselves may stand here",
                   "the motion does not give the rate of a multiplier, `%s`",
                   expr_symbol_text(el->pool, rate->node));
    return !rate;
}

// --- circular definitions ------------------------------------------------------------------------

// Has --set replaced what the model says? The definition then lies in another text than the name.
static bool is_overridden(const entry *e) {
    return e->definition && e->definition->at.source != e->at.source;
}

// Points at the override that closes the circle, if there is one: the model itself has none then.
static void report_circle(elaborator *el, const entry *e) {
    enum { SHOWN = 8 };
    const char *path = e->name;
    int shown = 0;
    span at = is_overridden(e) ? e->definition->at : e->at;
    for (const entry *user = el->busy; user; user = user->user) {
        if (shown++ == SHOWN && user != e) path = arena_format(&el->ctx->arena, ".. -> %s", path);
        else if (shown <= SHOWN || user == e)
            path = arena_format(&el->ctx->arena, "%s -> %s", user->name, path);
        if (user == e) break;
        if (is_overridden(user) && !is_overridden(e)) at = user->definition->at;
    }
    diag_error(el->ctx, at, NULL, "`%s` is defined in terms of itself: %s", e->name, path);
}

// --- one definition ------------------------------------------------------------------------------

// Has the name a definition to work out? A coordinate stands for itself.
static bool has_definition(const entry *e) {
    return e->statement && statement_rules[e->statement->kind]->define;
}

bool elab_define(elaborator *el, entry *e) {
    if (e->state == ENTRY_DONE) return e->value.type != VALUE_VOID;
    if (e->state == ENTRY_BUSY) {
        report_circle(el, e);
        return false;
    }
    if (e->arity) return true; // a function is worked out at each call
    const bool only_constants = el->only_constants, follow = el->follow, in_claim = el->in_claim,
               with_multipliers = el->with_multipliers;
    el->only_constants = el->follow = el->in_claim = el->with_multipliers = false;
    e->state = ENTRY_BUSY;
    e->user = el->busy;
    el->busy = e;
    e->value = has_definition(e) ? statement_rules[e->statement->kind]->define(el, e)
                                 : value_scalar(EXPR_ZERO);
    el->busy = e->user;
    e->state = ENTRY_DONE;
    el->only_constants = only_constants, el->follow = follow, el->in_claim = in_claim;
    el->with_multipliers = with_multipliers;
    return e->value.type != VALUE_VOID;
}

// --- functions nobody calls ----------------------------------------------------------------------

// Nothing but the names in them can be checked: what the arguments are is not known.
static void check_names(elaborator *el, const syntax *node, const binding *b) {
    if (elab_stopped(el)) return;
    const bool named = node->kind == SYNTAX_NAME || node->kind == SYNTAX_CALL;
    if (named && !binding_find(b, node->name) && !scope_find(el->scope, SPACE_VALUES, node->name) &&
        !names_get(&el->scope->builtins, node->name) &&
        !scope_find(el->scope, SPACE_BODIES, node->name) && strcmp(node->name, "lambda") != 0)
        elab_unknown(el, node);
    const binding inner = {node->name, value_void(), b};
    const bool over = node->kind == SYNTAX_SUM_OVER || node->kind == SYNTAX_PRODUCT_OVER;
    // the first argument may be an axis
    const bool is_rot = node->kind == SYNTAX_CALL && strcmp(node->name, "rot") == 0;
    const bool multiplier = node->kind == SYNTAX_NAME && strcmp(node->name, "lambda") == 0;
    for (const syntax *i = multiplier ? NULL : node->indices; i; i = i->next) check_names(el, i, b);
    const bool of_constraint = node->kind == SYNTAX_CALL && strcmp(node->name, "reaction") == 0;
    if (of_constraint) return;
    for (const syntax *i = is_rot && node->first ? node->first->next : node->first; i; i = i->next)
        check_names(el, i, over ? &inner : b);
}

void elab_define_all(elaborator *el) {
    for (uint32_t i = 0; i < el->scope->count && !elab_stopped(el); i++) {
        entry *e = el->scope->entries[i];
        if (has_definition(e)) elab_define(el, e);
    }
    for (uint32_t i = 0; i < el->scope->count && !elab_stopped(el); i++) {
        const entry *e = el->scope->entries[i];
        if (!e->definition || !e->arity || e->called) continue;
        const binding *b = e->bindings;
        for (const syntax *name = e->parameters; name; name = name->next)
            b = elab_bind(el, name->name, value_void(), b);
        check_names(el, e->definition, b);
    }
}
