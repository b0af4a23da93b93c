// Expressions and equations: a syntax tree, under the bindings of the loops and functions around
// it, becomes a value.
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

bool elab_scalar(elaborator *el, const syntax *node, const binding *b, expr *out) {
    const value v = elab_evaluate(el, node, b);
    *out = v.type == VALUE_SCALAR ? v.scalar : EXPR_ZERO;
    return value_expect(el->ctx, v, VALUE_SCALAR, node->at);
}

bool elab_vector(elaborator *el, const syntax *node, const binding *b, vec3 *out) {
    const value v = elab_evaluate(el, node, b);
    *out = v.type == VALUE_VECTOR ? v.vector : vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    return value_expect(el->ctx, v, VALUE_VECTOR, node->at);
}

bool elab_integer(elaborator *el, const syntax *node, const binding *b, const char *what,
                  int64_t *out) {
    const bool outer = el->only_constants;
    el->only_constants = true;
    expr e;
    const bool scalar = elab_scalar(el, node, b, &e);
    el->only_constants = outer;
    *out = 0;
    if (!scalar || el->ctx->exhausted) return false;
    static const int64_t LARGEST = 1000000000000000000; // what is counted from it fits in 64 bits
    const bool whole = expr_is_integer(el->pool, e, out);
    if (whole && *out >= -LARGEST && *out <= LARGEST) return true;
    diag_error(el->ctx, node->at, NULL, whole ? "%s is at most 10^18" : "%s must be an integer",
               what);
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

// Passes of a loop over first..last, before any is made
static bool charge_passes(elaborator *el, span at, int64_t first, int64_t last) {
    if (last < first) return true;
    const uint64_t distance = (uint64_t)last - (uint64_t)first;
    return elab_charge(el, at, distance == UINT64_MAX ? distance : distance + 1);
}

static bool ends_of_range(elaborator *el, const syntax *from, const syntax *to, const binding *b,
                          int64_t *low, int64_t *high) {
    const bool known = elab_integer(el, from, b, "the start of a range", low);
    return elab_integer(el, to, b, "the end of a range", high) && known;
}

bool elab_range(elaborator *el, const syntax *from, const syntax *to, const binding *b,
                int64_t *low, int64_t *high) {
    return ends_of_range(el, from, to, b, low, high) && charge_passes(el, to->at, *low, *high);
}

// --- sums ----------------------------------------------------------------------------------------

// A sum under construction: terms are gathered and added in one go, so that a long sum costs
// n log n.
typedef struct {
    context *ctx;
    pool *pool;
    value_type type; // of the first term; VOID before it
    bool failed;
    expr *terms[3]; // one column for scalars, three for vectors
    uint32_t count, capacity;
} value_sum;

static void sum_reserve(value_sum *sum) {
    if (sum->count < sum->capacity) return;
    sum->capacity = sum->capacity ? 2 * sum->capacity : 8;
    const int columns = sum->type == VALUE_VECTOR ? 3 : 1;
    for (int i = 0; i < columns; i++) memory_grow(sum->terms[i], sum->capacity);
}

static void sum_add(value_sum *sum, value term, bool minus, span at) {
    if (term.type == VALUE_ROTATION || term.type == VALUE_TENSOR) {
        if (!sum->failed)
            diag_error(sum->ctx, at,
                       term.type == VALUE_TENSOR ? "add what it makes of a vector: `inertia(B)*v`"
                                                 : "rotations are multiplied: `R*S`",
                       "%s cannot be added", value_noun(term.type));
        term = value_void();
    }
    if (sum->type == VALUE_VOID) sum->type = term.type;
    if (!value_expect(sum->ctx, term, sum->type, at) || term.type == VALUE_VOID) {
        sum->failed = true;
        return;
    }
    if (sum->failed) return;
    sum_reserve(sum);
    const expr *parts = term.type == VALUE_VECTOR ? term.vector.at : &term.scalar;
    for (int i = 0; i < (term.type == VALUE_VECTOR ? 3 : 1); i++)
        sum->terms[i][sum->count] = minus ? expr_neg(sum->pool, parts[i]) : parts[i];
    sum->count++;
}

static value sum_finish(value_sum *sum) {
    value v = value_scalar(EXPR_ZERO);
    if (sum->failed) v = value_void();
    else if (sum->type == VALUE_SCALAR)
        v = value_scalar(expr_sum(sum->pool, sum->count, sum->terms[0]));
    else if (sum->type == VALUE_VECTOR)
        v = value_vector(vec3_make(expr_sum(sum->pool, sum->count, sum->terms[0]),
                                   expr_sum(sum->pool, sum->count, sum->terms[1]),
                                   expr_sum(sum->pool, sum->count, sum->terms[2])));
    for (int i = 0; i < 3; i++) memory_free(sum->terms[i]);
    return v;
}

// --- one kind of node each -----------------------------------------------------------------------

static span operator_span(const syntax *operand) {
    return (span){operand->at.source, operand->join_at, 1};
}

static value evaluate_sum(elaborator *el, const syntax *node, const binding *b) {
    value_sum sum = {.ctx = el->ctx, .pool = el->pool};
    for (const syntax *t = node->first; t && !elab_stopped(el); t = t->next)
        sum_add(&sum, elab_evaluate(el, t, b), t->join == '-', t->at);
    return sum_finish(&sum);
}

static value evaluate_product(elaborator *el, const syntax *node, const binding *b) {
    value_product product = {.ctx = el->ctx, .pool = el->pool};
    for (const syntax *f = node->first; f && !elab_stopped(el); f = f->next) {
        const value v = elab_evaluate(el, f, b);
        if (f->join == '/') value_product_divide(&product, v, f->at, operator_span(f));
        else value_product_multiply(&product, v, f->at);
    }
    return value_product_finish(&product, node->at);
}

static value evaluate_power(elaborator *el, const syntax *node, const binding *b) {
    const syntax *exponent = node->first->next;
    expr base, power;
    const bool good = elab_scalar(el, node->first, b, &base);
    if (!elab_scalar(el, exponent, b, &power) || !good) return value_void();
    return value_power(el->ctx, el->pool, base, power, node->at, operator_span(exponent));
}

static value evaluate_negate(elaborator *el, const syntax *node, const binding *b) {
    value_sum sum = {.ctx = el->ctx, .pool = el->pool};
    sum_add(&sum, elab_evaluate(el, node->first, b), true, node->first->at);
    return sum_finish(&sum);
}

// (a, b, c); two components lie in the plane z = 0.
static value evaluate_tuple(elaborator *el, const syntax *node, const binding *b) {
    if (node->count > 3) {
        diag_error(el->ctx, node->at, NULL, "a vector has two or three components, found %u",
                   node->count);
        return value_void();
    }
    vec3 v = vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    bool good = true;
    int i = 0;
    for (const syntax *c = node->first; c; c = c->next) good &= elab_scalar(el, c, b, &v.at[i++]);
    return good ? value_vector(v) : value_void();
}

static value evaluate_component(elaborator *el, const syntax *node, const binding *b) {
    vec3 v;
    if (!elab_vector(el, node->first, b, &v)) return value_void();
    const int which = node->name[0] - 'x';
    if (which >= 0) return value_scalar(v.at[which]);
    diag_error(el->ctx, node->at, "`lambda[NAME.n]` is the normal force of a contact",
               "a vector has the components `x`, `y` and `z`, and no `%s`", node->name);
    return value_void();
}

// Does a name bound outside stand in this expression?
static bool mentions(const syntax *node, const binding *b) {
    if (!node || !b) return false;
    if (node->kind == SYNTAX_NAME || node->kind == SYNTAX_CALL)
        for (const binding *at = b; at; at = at->outer)
            if (strcmp(at->name, node->name) == 0) return true;
    for (const syntax *i = node->indices; i; i = i->next)
        if (mentions(i, b)) return true;
    for (const syntax *i = node->first; i; i = i->next)
        if (mentions(i, b)) return true;
    return false;
}

// The sum that this text gave last, if its terms are the same whatever is bound outside: sum(j in
// 1..i + 1, a[j]) = sum(j in 1..i, a[j]) + a[i + 1], so that the sums of a chain of N links are N
// additions and share what they have in common.
static sum_so_far *recall_sum(elaborator *el, const syntax *node, const binding *b, int64_t low,
                              int64_t high) {
    const syntax *body = node->first->next->next;
    if (node->kind != SYNTAX_SUM_OVER || !b || high < low || mentions(body, b)) return NULL;
    sum_so_far *last = el->sums;
    while (last && (last->node != node || last->constants != el->only_constants)) last = last->next;
    if (!last) {
        last = arena_new(&el->ctx->arena, sum_so_far);
        *last = (sum_so_far){.node = node, .constants = el->only_constants, .next = el->sums};
        el->sums = last;
    }
    if (last->value.type == VALUE_VOID || last->low != low || last->high > high)
        last->low = low, last->high = low - 1, last->value = value_void();
    return last;
}

// sum(i in from..to, body) and prod(i in from..to, body)
static value evaluate_over(elaborator *el, const syntax *node, const binding *b) {
    const syntax *from = node->first, *to = from->next, *body = to->next;
    const bool adds = node->kind == SYNTAX_SUM_OVER;
    int64_t low, high;
    if (!ends_of_range(el, from, to, b, &low, &high)) return value_void();
    sum_so_far *known = recall_sum(el, node, b, low, high);
    const int64_t first = known ? known->high + 1 : low;
    if (!charge_passes(el, to->at, first, high)) return value_void();
    value_sum sum = {.ctx = el->ctx, .pool = el->pool};
    value_product product = {.ctx = el->ctx, .pool = el->pool};
    if (first > low) sum_add(&sum, known->value, false, body->at);
    for (int64_t i = first; i <= high && !elab_stopped(el) && !sum.failed && !product.failed; i++) {
        const binding index = {node->name, value_scalar(expr_int(el->pool, i)), b};
        const value v = elab_evaluate(el, body, &index);
        if (adds) sum_add(&sum, v, false, body->at);
        else value_product_multiply(&product, v, body->at);
    }
    const value v = adds ? sum_finish(&sum) : value_product_finish(&product, node->at);
    if (known && !elab_stopped(el)) known->high = high, known->value = v;
    return v;
}

static value evaluate_node(elaborator *el, const syntax *node, const binding *b) {
    switch ((syntax_kind)node->kind) {
    case SYNTAX_NUMBER: return elab_number(el, node);
    case SYNTAX_NAME: return elab_name(el, node, b);
    case SYNTAX_CALL: return elab_call(el, node, b);
    case SYNTAX_SUM: return evaluate_sum(el, node, b);
    case SYNTAX_PRODUCT: return evaluate_product(el, node, b);
    case SYNTAX_NEGATE: return evaluate_negate(el, node, b);
    case SYNTAX_POWER: return evaluate_power(el, node, b);
    case SYNTAX_TUPLE: return evaluate_tuple(el, node, b);
    case SYNTAX_COMPONENT: return evaluate_component(el, node, b);
    case SYNTAX_SUM_OVER:
    case SYNTAX_PRODUCT_OVER: return evaluate_over(el, node, b);
    case SYNTAX_TEXT:
        diag_error(el->ctx, node->at, "a text stands only in `quantity(\"...\")`",
                   "expected a value, found a text");
        break;
    case SYNTAX_DATA: return elab_data(el, node, b);
    case SYNTAX_RANGE: break; // only in declarations, where declare.c reads it
    }
    return value_void();
}

value elab_evaluate(elaborator *el, const syntax *node, const binding *b) {
    // nested calls of this function that one level of brackets may need: sum, product, power, call
    enum { LEVELS = 4 };
    context *ctx = el->ctx;
    if (elab_stopped(el)) return value_void();
    if (++el->steps > ctx->limits.nodes)
        context_exhaust_limit(ctx, node->at, "nodes", "steps of elaboration", ctx->limits.nodes);
    if (el->depth > LEVELS * ctx->limits.nesting)
        context_exhaust(ctx, node->at, "depth of nesting", ctx->limits.nesting);
    if (ctx->exhausted) return value_void();
    el->depth++;
    const value v = evaluate_node(el, node, b);
    el->depth--;
    if (!ctx->exhausted) return v;
    diagnostic *last = &ctx->diagnostics[ctx->diagnostic_count - 1];
    // a limit that the pool has reached: it does not know the place in the text
    if (!last->at.source) last->at = node->at;
    return value_void();
}

// --- equations -----------------------------------------------------------------------------------

int elab_equation(elaborator *el, const item *it, const binding *b, expr left[3], expr right[3]) {
    const value l = elab_evaluate(el, it->value, b), r = elab_evaluate(el, it->right, b);
    if (l.type == VALUE_VOID || r.type == VALUE_VOID) return 0;
    if (l.type == VALUE_ROTATION || l.type == VALUE_TENSOR) {
        diag_error(el->ctx, it->value->at, NULL, "expected a scalar or a vector, found %s",
                   value_noun(l.type));
        return 0;
    }
    if (l.type != r.type) {
        const char *help =
            r.type == VALUE_SCALAR && r.scalar == EXPR_ZERO ? "write `(0, 0, 0)`" : NULL;
        diag_error(el->ctx, it->right->at, help, "expected %s as on the left, found %s",
                   value_noun(l.type), value_noun(r.type));
        return 0;
    }
    const int count = l.type == VALUE_VECTOR ? 3 : 1;
    for (int i = 0; i < count; i++) {
        left[i] = count == 3 ? l.vector.at[i] : l.scalar;
        right[i] = count == 3 ? r.vector.at[i] : r.scalar;
    }
    return count;
}

typed_form elab_typed(const item *it, const binding *b, int count, int i) {
    return (typed_form){it, b, count == 1 ? -1 : i};
}

const char *elab_component_name(elaborator *el, const char *name, int count, int i) {
    return count == 1 ? name : arena_format(&el->ctx->arena, "%s.%c", name, 'x' + i);
}
