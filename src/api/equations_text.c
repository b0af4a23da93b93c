// Equations that are data, in words. The nodes below an expression are built again in a pool of a
// context of its own, which is there for one call: so any thread can ask at any time.
#include "api/equations_data.h"

#include "base/decimal.h"
#include "print/expression.h"

#include <string.h>

typedef struct {
    const hamel_equations *from;
    pool *p;
    bool *needed; // of each node
    expr *made;   // .. what it became
    // by the number that it had: the symbol without primes, the function itself
    uint32_t symbol_count, function_count;
    expr *symbol;
    uint32_t *function;
} builder;

static expr number(const builder *w, const char *digits) {
    fmpq_t value;
    fmpq_init(value);
    fmpq_set_str(value, digits, 10);
    const expr e = expr_number(w->p, value);
    fmpq_clear(value);
    return e;
}

static void mark_needed(builder *w, hamel_expr root) {
    w->needed[root] = true;
    for (hamel_expr e = root + 1; e-- > 0;)
        for (size_t i = 0; w->needed[e] && i < w->from->node[e].operand_count; i++)
            w->needed[w->from->node[e].operands[i]] = true;
}

// Symbols and functions in the order in which they were declared: sums are written in that order.
static void declare(builder *w, arena *a) {
    const hamel_equations *from = w->from;
    for (size_t e = 0; e < from->node_count; e++) {
        const uint32_t base = from->inside[e].base;
        if (from->inside[e].kind == EXPR_SYMBOL && base >= w->symbol_count)
            w->symbol_count = base + 1;
        if (from->inside[e].kind == EXPR_APPLY && base >= w->function_count)
            w->function_count = base + 1;
    }
    const hamel_node **symbol = arena_array(a, const hamel_node *, w->symbol_count),
                     **function = arena_array(a, const hamel_node *, w->function_count);
    const equations_data_node **inside =
        arena_array(a, const equations_data_node *, w->symbol_count);
    w->symbol = arena_array(a, expr, w->symbol_count);
    w->function = arena_array(a, uint32_t, w->function_count);
    for (size_t e = 0; e < from->node_count; e++) {
        const equations_data_node *in = &from->inside[e];
        if (in->kind == EXPR_SYMBOL) symbol[in->base] = &from->node[e], inside[in->base] = in;
        if (in->kind == EXPR_APPLY) function[in->base] = &from->node[e];
    }
    for (uint32_t i = 0; i < w->symbol_count; i++)
        if (symbol[i])
            w->symbol[i] = expr_symbol(w->p, symbol[i]->base, (symbol_role)inside[i]->role);
    for (uint32_t i = 0; i < w->function_count; i++)
        if (function[i])
            w->function[i] =
                pool_function(w->p, function[i]->name, (uint32_t)function[i]->operand_count);
}

static expr application(const builder *w, const hamel_node *node, uint32_t base,
                        const expr *operand) {
    uint32_t f = w->function[base];
    for (uint32_t i = 0; i < node->operand_count; i++)
        for (unsigned order = 0; order < node->orders[i]; order++)
            f = pool_function_partial(w->p, f, i);
    return expr_apply(w->p, f, (uint32_t)node->operand_count, operand);
}

static expr build(const builder *w, hamel_expr e, expr *operand) {
    const hamel_node *node = &w->from->node[e];
    const equations_data_node *inside = &w->from->inside[e];
    const uint32_t count = (uint32_t)node->operand_count;
    for (uint32_t i = 0; i < count; i++) operand[i] = w->made[node->operands[i]];
    switch ((expr_kind)inside->kind) {
    case EXPR_NUMBER: return number(w, node->number);
    case EXPR_SYMBOL: return expr_symbol_of_order(w->p, w->symbol[inside->base], node->order);
    case EXPR_PI: return expr_pi(w->p);
    case EXPR_SUM:
        for (uint32_t i = 0; i < count; i++)
            operand[i] = expr_mul(w->p, number(w, node->coefficients[i]), operand[i]);
        return expr_add(w->p, number(w, node->number), expr_sum(w->p, count, operand));
    case EXPR_PRODUCT:
        for (uint32_t i = 0; i < count; i++)
            operand[i] = expr_pow(w->p, operand[i], number(w, node->coefficients[i]));
        return expr_product(w->p, count, operand);
    case EXPR_POWER: return expr_pow(w->p, operand[0], operand[1]);
    case EXPR_APPLY: return application(w, node, inside->base, operand);
    default: return expr_function(w->p, (expr_kind)inside->kind, operand);
    }
}

static hamel_status write(context *ctx, const hamel_equations *from, hamel_expr root,
                          print_style style, char **result) {
    arena *a = &ctx->arena;
    builder w = {.from = from, .p = ctx->pool};
    w.needed = arena_array(a, bool, from->node_count);
    w.made = arena_array(a, expr, from->node_count);
    mark_needed(&w, root);
    declare(&w, a);
    size_t most = 0;
    for (hamel_expr e = 0; e <= root; e++)
        if (from->node[e].operand_count > most) most = from->node[e].operand_count;
    expr *operand = arena_array(a, expr, most + 1);
    for (hamel_expr e = 0; e <= root; e++)
        if (w.needed[e]) w.made[e] = build(&w, e, operand);
    text out = {0};
    print_expression(w.p, w.made[root], style, &out);
    const hamel_status status = context_status(ctx);
    if (!status) return api_finish_text(&out, result);
    text_free(&out);
    return status;
}

static hamel_status write_within(context *ctx, const hamel_equations *from, hamel_expr root,
                                 print_style style, char **result) {
    API_CALL(ctx, result, write(ctx, from, root, style, result), "writing an expression");
}

char *hamel_equations_text(const hamel_equations *w, hamel_expr e, hamel_format format) {
    const bool known = format == HAMEL_TEXT || format == HAMEL_LATEX || format == HAMEL_SYMPY;
    if (!w || e >= w->node_count || !known) return NULL;
    const print_style style = format == HAMEL_TEXT    ? STYLE_TEXT
                              : format == HAMEL_LATEX ? STYLE_LATEX
                                                      : STYLE_SYMPY;
    hamel_context *ctx = hamel_context_create();
    if (!ctx) return NULL;
    char *result = NULL;
    write_within(ctx, w, e, style, &result);
    hamel_context_destroy(ctx);
    return result;
}
