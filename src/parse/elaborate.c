// Expressions: a syntax tree, under the bindings of the loops and functions
// around it, becomes a value.
#include "parse/elaborate.h"

#include <string.h>

bool elab_stopped(const elaborator *el) {
    return el->ctx->exhausted || el->ctx->error_count >= el->ctx->limits.errors;
}

const binding *elab_bind(elaborator *el, const char *name, value v, const binding *outer) {
    binding *b = arena_new(&el->ctx->arena, binding);
    *b = (binding){name, v, outer};
    return b;
}

bool elab_scalar(elaborator *el, const syntax *s, const binding *b, expr *out) {
    const value v = elab_evaluate(el, s, b);
    *out = v.type == VALUE_SCALAR ? v.scalar : EXPR_ZERO;
    return value_expect(el->ctx, v, VALUE_SCALAR, s->at);
}

bool elab_vector(elaborator *el, const syntax *s, const binding *b, vec3 *out) {
    const value v = elab_evaluate(el, s, b);
    *out = v.type == VALUE_VECTOR ? v.vector : vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    return value_expect(el->ctx, v, VALUE_VECTOR, s->at);
}

bool elab_integer(elaborator *el, const syntax *s, const binding *b, const char *what,
                  int64_t *out) {
    const bool outer = el->only_constants;
    el->only_constants = true;
    expr e;
    const bool scalar = elab_scalar(el, s, b, &e);
    el->only_constants = outer;
    *out = 0;
    if (!scalar || el->ctx->exhausted) return false;
    if (expr_is_integer(el->pool, e, out)) return true;
    diag_error(el->ctx, s->at, NULL, "%s must be an integer", what);
    return false;
}

bool elab_charge(elaborator *el, span at, uint64_t count) {
    const uint32_t limit = el->ctx->limits.iterations;
    if (count > limit || el->passes + count > limit) {
        context_exhaust(el->ctx, at, "passes of for, sum and prod", limit);
        return false;
    }
    el->passes += count;
    return true;
}

bool elab_range(elaborator *el, const syntax *from, const syntax *to, const binding *b,
                int64_t *low, int64_t *high) {
    const bool known = elab_integer(el, from, b, "the start of a range", low);
    if (!elab_integer(el, to, b, "the end of a range", high) || !known) return false;
    if (*high < *low) return true;
    const uint64_t distance = (uint64_t)*high - (uint64_t)*low;
    return elab_charge(el, to->at, distance == UINT64_MAX ? distance : distance + 1);
}

// --- one kind of node each -----------------------------------------------------------------------

static span operator_span(const syntax *operand) {
    return (span){operand->at.source, operand->join_at, 1};
}

static value evaluate_sum(elaborator *el, const syntax *s, const binding *b) {
    value_sum sum = {.ctx = el->ctx, .pool = el->pool};
    for (const syntax *t = s->first; t && !elab_stopped(el); t = t->next)
        value_sum_add(&sum, elab_evaluate(el, t, b), t->join == '-', t->at);
    return value_sum_finish(&sum);
}

static value evaluate_product(elaborator *el, const syntax *s, const binding *b) {
    value_product product = {.ctx = el->ctx, .pool = el->pool};
    for (const syntax *f = s->first; f && !elab_stopped(el); f = f->next) {
        const value v = elab_evaluate(el, f, b);
        if (f->join == '/') value_product_divide(&product, v, f->at, operator_span(f));
        else value_product_multiply(&product, v, f->at);
    }
    return value_product_finish(&product, s->at);
}

static value evaluate_power(elaborator *el, const syntax *s, const binding *b) {
    const syntax *exponent = s->first->next;
    expr base, power;
    const bool good = elab_scalar(el, s->first, b, &base);
    if (!elab_scalar(el, exponent, b, &power) || !good) return value_void();
    return elab_power(el, base, power, s->at, operator_span(exponent));
}

static value evaluate_negate(elaborator *el, const syntax *s, const binding *b) {
    value_sum sum = {.ctx = el->ctx, .pool = el->pool};
    value_sum_add(&sum, elab_evaluate(el, s->first, b), true, s->first->at);
    return value_sum_finish(&sum);
}

// (a, b, c); two components lie in the plane z = 0.
static value evaluate_tuple(elaborator *el, const syntax *s, const binding *b) {
    if (s->count > 3) {
        diag_error(el->ctx, s->at, NULL, "a vector has two or three components, found %u",
                   s->count);
        return value_void();
    }
    vec3 v = vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    bool good = true;
    int i = 0;
    for (const syntax *c = s->first; c; c = c->next) good &= elab_scalar(el, c, b, &v.at[i++]);
    return good ? value_vector(v) : value_void();
}

static value evaluate_component(elaborator *el, const syntax *s, const binding *b) {
    vec3 v;
    if (!elab_vector(el, s->first, b, &v)) return value_void();
    return value_scalar(v.at[s->name[0] - 'x']);
}

static value evaluate_sum_over(elaborator *el, const syntax *s, const binding *b) {
    const syntax *from = s->first, *to = from->next, *body = to->next;
    int64_t low, high;
    if (!elab_range(el, from, to, b, &low, &high)) return value_void();
    value_sum sum = {.ctx = el->ctx, .pool = el->pool};
    for (int64_t i = low; i <= high && !elab_stopped(el) && !sum.failed; i++) {
        const binding index = {s->name, value_scalar(expr_int(el->pool, i)), b};
        value_sum_add(&sum, elab_evaluate(el, body, &index), false, body->at);
    }
    return value_sum_finish(&sum);
}

static value evaluate_product_over(elaborator *el, const syntax *s, const binding *b) {
    const syntax *from = s->first, *to = from->next, *body = to->next;
    int64_t low, high;
    if (!elab_range(el, from, to, b, &low, &high)) return value_void();
    value_product product = {.ctx = el->ctx, .pool = el->pool};
    for (int64_t i = low; i <= high && !elab_stopped(el) && !product.failed; i++) {
        const binding index = {s->name, value_scalar(expr_int(el->pool, i)), b};
        value_product_multiply(&product, elab_evaluate(el, body, &index), body->at);
    }
    return value_product_finish(&product, s->at);
}

static value evaluate_node(elaborator *el, const syntax *s, const binding *b) {
    switch ((syntax_kind)s->kind) {
    case SYNTAX_NUMBER: return value_scalar(s->number);
    case SYNTAX_NAME: return elab_name(el, s, b);
    case SYNTAX_CALL: return elab_call(el, s, b);
    case SYNTAX_SUM: return evaluate_sum(el, s, b);
    case SYNTAX_PRODUCT: return evaluate_product(el, s, b);
    case SYNTAX_NEGATE: return evaluate_negate(el, s, b);
    case SYNTAX_POWER: return evaluate_power(el, s, b);
    case SYNTAX_TUPLE: return evaluate_tuple(el, s, b);
    case SYNTAX_COMPONENT: return evaluate_component(el, s, b);
    case SYNTAX_SUM_OVER: return evaluate_sum_over(el, s, b);
    case SYNTAX_PRODUCT_OVER: return evaluate_product_over(el, s, b);
    case SYNTAX_TEXT:
        diag_error(el->ctx, s->at, "a text stands only in `quantity(\"...\")`",
                   "expected a value, found a text");
        break;
    case SYNTAX_RANGE: break; // only in declarations, where declare.c reads it
    }
    return value_void();
}

value elab_evaluate(elaborator *el, const syntax *s, const binding *b) {
    // evaluations inside one another that a level of brackets may need: sum, product, power, call
    enum { LEVELS = 4 };
    context *ctx = el->ctx;
    if (elab_stopped(el)) return value_void();
    if (++el->steps > ctx->limits.nodes)
        context_exhaust(ctx, s->at, "steps of elaboration", ctx->limits.nodes);
    if (el->depth > LEVELS * ctx->limits.nesting)
        context_exhaust(ctx, s->at, "depth of nesting", ctx->limits.nesting);
    if (ctx->exhausted) return value_void();
    el->depth++;
    const value v = evaluate_node(el, s, b);
    el->depth--;
    if (!ctx->exhausted) return v;
    diagnostic *last = &ctx->diagnostics[ctx->diagnostic_count - 1];
    if (!last->at.source) last->at = s->at; // a limit of the pool, which does not know where
    return value_void();
}
