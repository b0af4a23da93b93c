// Printing one expression: entry points and the walk over nodes.
#include "print/expression_internal.h"

#include <stdlib.h>

enum {
    DEPTH_LIMIT = 1500,           // deeper trees are not written out: the walk is recursive
    SIZE_LIMIT = 20 * 1000 * 1000 // neither are larger ones
};

const char *printer_name_of(const printer *w, expr e) {
    if (e == w->root) return NULL;
    const uint32_t *place = table_find(&w->named, e);
    return place ? w->names[*place] : NULL;
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
        print_name(name, 0, w->style == STYLE_LATEX ? STYLE_LATEX : STYLE_TEXT, w->out);
        return;
    }
    switch (expr_kind_of(w->p, e)) {
    case EXPR_NUMBER: print_number(w, e, where); return;
    case EXPR_SYMBOL: {
        // A raised derivative mark, x^{(4)}, cannot take an exponent as it stands.
        const bool brackets =
            w->style == STYLE_LATEX && where == PLACE_BASE && expr_as_symbol(w->p, e)->order > 3;
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

// --- entry points --------------------------------------------------------------------------------

printer *printer_create(pool *p, const expr *named, const char *const *names, uint32_t count) {
    printer *w = memory_new(printer);
    *w = (printer){.p = p, .names = names};
    for (uint32_t i = 0; i < count; i++)
        if (!table_find(&w->named, named[i])) table_add(&w->named, named[i], i);
    return w;
}

void printer_print(printer *w, expr e, print_style style, text *out) {
    w->root = e;
    w->style = style;
    w->out = out;
    printer_gather(w, e);
    const node_facts *f = printer_facts(w, e);
    if (f->depth > DEPTH_LIMIT || f->size > SIZE_LIMIT)
        text_format(out, "<an expression of %u symbols>", f->size);
    else print_node(w, e, PLACE_OPEN);
}

void printer_free(printer *w) {
    if (!w) return;
    memory_free(w->named.slots);
    memory_free(w->known.slots);
    memory_free(w->facts);
    memory_free(w);
}

void print_expression_named(pool *p, expr e, const expr *named, const char *const *names,
                            uint32_t count, print_style style, text *out) {
    printer *w = printer_create(p, named, names, count);
    printer_print(w, e, style, out);
    printer_free(w);
}

void print_expression(pool *p, expr e, print_style style, text *out) {
    print_expression_named(p, e, NULL, NULL, 0, style, out);
}
