// Printing one expression: entry points and the walk over nodes.
#include "print/expression_internal.h"

#include <stdlib.h>

enum {
    DEPTH_LIMIT = 1500,           // deeper trees are not written out: the walk is recursive
    SIZE_LIMIT = 20 * 1000 * 1000 // neither are larger ones
};

const char *printer_name_of(const printer *w, expr e) {
    if (e == w->root) return NULL;
    uint32_t low = 0, high = w->named_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (w->named[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->named_count && w->named[low] == e ? w->names[low] : NULL;
}

static void print_number(printer *w, expr e, place where) {
    const fmpq *value = expr_number_value(w->p, e);
    const bool minus = fmpq_sgn(value) < 0, fraction = !fmpz_is_one(fmpq_denref(value));
    const bool brackets = (minus && where >= PLACE_TERM) || (fraction && where == PLACE_BASE) ||
                          (fraction && where == PLACE_FACTOR && w->style != STYLE_LATEX);
    if (brackets) style_open(w);
    if (minus) text_char(w->out, '-');
    print_scaled(w, value, EXPR_ONE);
    if (brackets) style_close(w);
}

// b^e with an exponent that is no number.
static void print_power(printer *w, expr e, place where) {
    if (where == PLACE_BASE) style_open(w);
    const expr exponent = expr_operand(w->p, e, 1);
    print_node(w, expr_operand(w->p, e, 0), PLACE_BASE);
    text_append(w->out, w->style == STYLE_LATEX ? "^{" : w->style == STYLE_SYMPY ? "**" : "^");
    print_node(w, exponent, w->style == STYLE_LATEX ? PLACE_OPEN : PLACE_BASE);
    if (w->style == STYLE_LATEX) text_char(w->out, '}');
    if (where == PLACE_BASE) style_close(w);
}

static void print_product(printer *w, expr e, place where) {
    const bool brackets = where == PLACE_BASE || (where == PLACE_FACTOR && w->style != STYLE_LATEX);
    if (brackets) style_open(w);
    print_scaled(w, expr_number_value(w->p, EXPR_ONE), e);
    if (brackets) style_close(w);
}

void print_node(printer *w, expr e, place where) {
    const char *name = printer_name_of(w, e);
    if (name) {
        text_append(w->out, name);
        return;
    }
    switch (expr_kind_of(w->p, e)) {
    case EXPR_NUMBER: print_number(w, e, where); return;
    case EXPR_SYMBOL: {
        // A raised derivative mark, x^{(4)}, cannot take an exponent as it stands.
        const bool brackets = w->style == STYLE_LATEX && where == PLACE_BASE && expr_as_symbol(w->p, e)->order > 3;
        if (brackets) style_open(w);
        print_symbol_name(w->p, e, w->style, w->out);
        if (brackets) style_close(w);
        return;
    }
    case EXPR_PI: text_append(w->out, w->style == STYLE_LATEX ? "\\pi" : "pi"); return;
    case EXPR_SUM: print_sum(w, e, where, false); return;
    case EXPR_PRODUCT: print_product(w, e, where); return;
    case EXPR_POWER: print_power(w, e, where); return;
    default: break;
    }
    const bool brackets = w->style == STYLE_LATEX && where == PLACE_BASE;
    if (brackets) style_open(w);
    style_call(w, e, NULL);
    if (brackets) style_close(w);
}

// --- entry points
// ------------------------------------------------------------------------------------------------------------

static void print_all(printer *w) {
    printer_gather(w);
    const node_facts *f = printer_facts(w, w->root);
    if (f->depth > DEPTH_LIMIT || f->size > SIZE_LIMIT)
        text_format(w->out, "<an expression of %u symbols>", f->size);
    else
        print_node(w, w->root, PLACE_OPEN);
    free(w->facts);
}

void print_expression(pool *p, expr e, print_style style, text *out) {
    printer w = {.p = p, .style = style, .out = out, .root = e};
    print_all(&w);
}

typedef struct {
    expr node;
    const char *name;
} named_node;

static int by_node(const void *a, const void *b) {
    const expr x = ((const named_node *)a)->node, y = ((const named_node *)b)->node;
    return (x > y) - (x < y);
}

void print_expression_named(pool *p, expr e, const expr *named, const char *const *names, uint32_t count,
                            print_style style, text *out) {
    printer w = {.p = p, .style = style, .out = out, .root = e, .named = named, .names = names, .named_count = count};
    bool ascending = true;
    for (uint32_t i = 1; i < count && ascending; i++) ascending = named[i - 1] < named[i];
    if (ascending) {
        print_all(&w);
        return;
    }
    named_node *pairs = memory_resize(NULL, sizeof *pairs * count);
    for (uint32_t i = 0; i < count; i++) pairs[i] = (named_node){named[i], names[i]};
    qsort(pairs, count, sizeof *pairs, by_node);
    expr *nodes = memory_resize(NULL, sizeof *nodes * count);
    const char **sorted = memory_resize(NULL, sizeof *sorted * count);
    for (uint32_t i = 0; i < count; i++) nodes[i] = pairs[i].node, sorted[i] = pairs[i].name;
    w.named = nodes, w.names = sorted;
    print_all(&w);
    free(pairs);
    free(nodes);
    free(sorted);
}
