// Where the styles differ: signs for times and powers, brackets, calls,
// derivatives of abstract functions.
#include "print/expression_internal.h"

#include <string.h>

void style_times(printer *w) { text_char(w->out, w->style == STYLE_LATEX ? ' ' : '*'); }
void style_open(printer *w) { text_append(w->out, w->style == STYLE_LATEX ? "\\left(" : "("); }
void style_close(printer *w) { text_append(w->out, w->style == STYLE_LATEX ? "\\right)" : ")"); }

static void print_rational(printer *w, const fmpq *q) {
    char *digits = fmpq_get_str(NULL, 10, q);
    text_append(w->out, digits);
    flint_free(digits);
}

void style_power(printer *w, const fmpq *exponent) {
    const bool whole = fmpz_is_one(fmpq_denref(exponent));
    text_append(w->out, w->style == STYLE_LATEX ? "^{" : w->style == STYLE_SYMPY ? "**" : "^");
    if (!whole && w->style != STYLE_LATEX) text_char(w->out, '(');
    print_rational(w, exponent);
    if (!whole && w->style != STYLE_LATEX) text_char(w->out, ')');
    if (w->style == STYLE_LATEX) text_char(w->out, '}');
}

// --- arguments -----------------------------------------------------------------------------------

static void print_arguments(printer *w, expr e) {
    const uint32_t n = expr_operand_count(w->p, e);
    const bool plain =
        w->style != STYLE_LATEX || (n == 1 && expr_as_symbol(w->p, expr_operand(w->p, e, 0)));
    text_append(w->out, plain ? "(" : "\\left(");
    for (uint32_t i = 0; i < n; i++) {
        if (i) text_append(w->out, ", ");
        print_node(w, expr_operand(w->p, e, i), PLACE_OPEN);
    }
    text_append(w->out, plain ? ")" : "\\right)");
}

// --- elementary functions ------------------------------------------------------------------------

static const char *function_name(print_style style, expr_kind kind) {
    if (style == STYLE_SYMPY) return kind == EXPR_ABS ? "Abs" : expr_kind_name(kind);
    if (style == STYLE_TEXT) return expr_kind_name(kind);
    switch (kind) {
    case EXPR_SIN: return "\\sin";
    case EXPR_COS: return "\\cos";
    case EXPR_TAN: return "\\tan";
    case EXPR_ASIN: return "\\arcsin";
    case EXPR_ACOS: return "\\arccos";
    case EXPR_ATAN: return "\\arctan";
    case EXPR_SINH: return "\\sinh";
    case EXPR_COSH: return "\\cosh";
    case EXPR_TANH: return "\\tanh";
    case EXPR_LOG: return "\\ln";
    case EXPR_ATAN2: return "\\operatorname{atan2}";
    case EXPR_SIGN: return "\\operatorname{sign}";
    default: return expr_kind_name(kind);
    }
}

// \sin^{2}(x): only for whole powers, and not for abstract functions,
// whose name may carry an index.
bool style_call_takes_exponent(const printer *w, expr e) {
    const expr_kind kind = expr_kind_of(w->p, e);
    return w->style == STYLE_LATEX && (kind == EXPR_SIN || kind == EXPR_COS || kind == EXPR_TAN ||
                                       kind == EXPR_SINH || kind == EXPR_COSH || kind == EXPR_TANH);
}

static void print_elementary(printer *w, expr e, const fmpq *exponent) {
    const expr_kind kind = expr_kind_of(w->p, e);
    const expr argument = expr_operand(w->p, e, 0);
    if (w->style == STYLE_LATEX && kind == EXPR_EXP) {
        text_append(w->out, "e^{");
        print_node(w, argument, PLACE_OPEN);
        text_char(w->out, '}');
    } else if (w->style == STYLE_LATEX && kind == EXPR_ABS) {
        text_append(w->out, "\\left|");
        print_node(w, argument, PLACE_OPEN);
        text_append(w->out, "\\right|");
    } else {
        text_append(w->out, function_name(w->style, kind));
        if (exponent) style_power(w, exponent);
        print_arguments(w, e);
    }
}

// --- abstract functions --------------------------------------------------------------------------

static uint32_t total_order(const function *f) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < f->arity; i++) sum += f->orders[i];
    return sum;
}

// May the partial derivatives be written with respect to the arguments themselves? They
// must be different plain symbols.
static bool has_plain_arguments(const printer *w, expr e) {
    for (uint32_t i = 0; i < expr_operand_count(w->p, e); i++) {
        const expr a = expr_operand(w->p, e, i);
        if (!expr_as_symbol(w->p, a) || printer_name_of(w, a)) return false;
        for (uint32_t j = 0; j < i; j++)
            if (expr_operand(w->p, e, j) == a) return false;
    }
    return true;
}

// diff(diff(f(x, y), x), y)
static void print_diff(printer *w, expr e, const function *f) {
    for (uint32_t i = total_order(f); i > 0; i--) text_append(w->out, "diff(");
    print_name(f->name, 0, w->style, w->out);
    print_arguments(w, e);
    for (uint32_t i = 0; i < f->arity; i++) {
        for (uint32_t j = 0; j < f->orders[i]; j++) {
            text_append(w->out, ", ");
            print_node(w, expr_operand(w->p, e, i), PLACE_OPEN);
            text_char(w->out, ')');
        }
    }
}

// D11_f(2*x, y): twice in the first argument.
static void print_marked(printer *w, expr e, const function *f) {
    text_char(w->out, 'D');
    for (uint32_t i = 0; i < f->arity; i++)
        for (uint32_t j = 0; j < f->orders[i]; j++) text_format(w->out, "%u", i + 1);
    text_char(w->out, '_');
    text_append(w->out, f->name);
    print_arguments(w, e);
}

// Subs(Derivative(f(xi1, xi2), xi1, xi1), (xi1, xi2), (2*x, y))
static void print_subs(printer *w, expr e, const function *f) {
    text_append(w->out, "Subs(Derivative(");
    print_name(f->name, 0, w->style, w->out);
    for (uint32_t i = 0; i < f->arity; i++) text_format(w->out, "%sxi_%u_", i ? ", " : "(", i + 1);
    text_char(w->out, ')');
    for (uint32_t i = 0; i < f->arity; i++)
        for (uint32_t j = 0; j < f->orders[i]; j++) text_format(w->out, ", xi_%u_", i + 1);
    text_append(w->out, "), ");
    for (uint32_t i = 0; i < f->arity; i++) text_format(w->out, "%sxi_%u_", i ? ", " : "(", i + 1);
    text_append(w->out, f->arity == 1 ? ",), (" : "), (");
    for (uint32_t i = 0; i < f->arity; i++) {
        if (i) text_append(w->out, ", ");
        print_node(w, expr_operand(w->p, e, i), PLACE_OPEN);
    }
    text_append(w->out, f->arity == 1 ? ",))" : "))");
}

// a'(z), a''(z); \partial_{1}\partial_{2}^{2} f(x, y)
static void print_latex_derivative(printer *w, expr e, const function *f) {
    for (uint32_t i = 0; i < f->arity && f->arity > 1; i++) {
        if (f->orders[i] == 1) text_format(w->out, "\\partial_{%u} ", i + 1);
        else if (f->orders[i]) text_format(w->out, "\\partial_{%u}^{%u} ", i + 1, f->orders[i]);
    }
    print_name(f->name, 0, w->style, w->out);
    if (f->arity == 1 && f->orders[0] <= 3) text_repeat(w->out, '\'', f->orders[0]);
    else if (f->arity == 1) text_format(w->out, "^{(%u)}", f->orders[0]);
    print_arguments(w, e);
}

static void print_abstract(printer *w, expr e) {
    const function *f = pool_function_at(w->p, expr_function_index(w->p, e));
    if (total_order(f) == 0) {
        print_name(f->name, 0, w->style, w->out);
        print_arguments(w, e);
    } else if (w->style == STYLE_LATEX) {
        print_latex_derivative(w, e, f);
    } else if (has_plain_arguments(w, e)) {
        print_diff(w, e, f);
    } else if (w->style == STYLE_TEXT) {
        print_marked(w, e, f);
    } else {
        print_subs(w, e, f);
    }
}

void style_call(printer *w, expr e, const fmpq *exponent) {
    if (expr_kind_of(w->p, e) == EXPR_APPLY) print_abstract(w, e);
    else print_elementary(w, e, exponent);
}
