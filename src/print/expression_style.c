// Where the styles differ: signs for times and powers, brackets, calls, derivatives of abstract
// functions.
#include "print/expression_internal.h"

void print_times(printer *pr) { text_char(pr->out, pr->style == STYLE_LATEX ? ' ' : '*'); }
void print_open(printer *pr) { text_append(pr->out, pr->style == STYLE_LATEX ? "\\left(" : "("); }
void print_close(printer *pr) { text_append(pr->out, pr->style == STYLE_LATEX ? "\\right)" : ")"); }

static void print_rational(printer *pr, const fmpq *q) {
    char *digits = fmpq_get_str(NULL, 10, q);
    text_append(pr->out, digits);
    flint_free(digits);
}

void print_exponent(printer *pr, const fmpq *exponent) {
    const bool whole = fmpz_is_one(fmpq_denref(exponent));
    text_append(pr->out, pr->style == STYLE_LATEX ? "^{" : pr->style == STYLE_SYMPY ? "**" : "^");
    if (!whole && pr->style != STYLE_LATEX) text_char(pr->out, '(');
    print_rational(pr, exponent);
    if (!whole && pr->style != STYLE_LATEX) text_char(pr->out, ')');
    if (pr->style == STYLE_LATEX) text_char(pr->out, '}');
}

// --- arguments -----------------------------------------------------------------------------------

static void print_arguments(printer *pr, expr e) {
    const uint32_t n = expr_operand_count(pr->p, e);
    const bool plain =
        pr->style != STYLE_LATEX || (n == 1 && expr_as_symbol(pr->p, expr_operand(pr->p, e, 0)));
    text_append(pr->out, plain ? "(" : "\\left(");
    for (uint32_t i = 0; i < n; i++) {
        if (i) text_append(pr->out, ", ");
        print_node(pr, expr_operand(pr->p, e, i), PLACE_OPEN);
    }
    text_append(pr->out, plain ? ")" : "\\right)");
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

// \sin^{2}(x): only for whole powers, and not for abstract functions, whose name may carry an
// index.
bool print_call_takes_exponent(const printer *pr, expr e) {
    const expr_kind kind = expr_kind_of(pr->p, e);
    return pr->style == STYLE_LATEX &&
           (kind == EXPR_SIN || kind == EXPR_COS || kind == EXPR_TAN || kind == EXPR_SINH ||
            kind == EXPR_COSH || kind == EXPR_TANH);
}

static void print_elementary(printer *pr, expr e, const fmpq *exponent) {
    const expr_kind kind = expr_kind_of(pr->p, e);
    const expr argument = expr_operand(pr->p, e, 0);
    if (pr->style == STYLE_LATEX && kind == EXPR_EXP) {
        text_append(pr->out, "e^{");
        print_node(pr, argument, PLACE_OPEN);
        text_char(pr->out, '}');
    } else if (pr->style == STYLE_LATEX && kind == EXPR_ABS) {
        text_append(pr->out, "\\left|");
        print_node(pr, argument, PLACE_OPEN);
        text_append(pr->out, "\\right|");
    } else {
        text_append(pr->out, function_name(pr->style, kind));
        if (exponent) print_exponent(pr, exponent);
        print_arguments(pr, e);
    }
}

// --- abstract functions --------------------------------------------------------------------------

static uint32_t total_order(const function *f) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < f->arity; i++) sum += f->orders[i];
    return sum;
}

// May the partial derivatives be written with respect to the arguments themselves? They must be
// different plain symbols.
static bool has_plain_arguments(const printer *pr, expr e) {
    for (uint32_t i = 0; i < expr_operand_count(pr->p, e); i++) {
        const expr a = expr_operand(pr->p, e, i);
        if (!expr_as_symbol(pr->p, a) || printer_name_of(pr, a)) return false;
        for (uint32_t j = 0; j < i; j++)
            if (expr_operand(pr->p, e, j) == a) return false;
    }
    return true;
}

// diff(diff(f(x, y), x), y)
static void print_diff(printer *pr, expr e, const function *f) {
    for (uint32_t i = total_order(f); i > 0; i--) text_append(pr->out, "diff(");
    print_name(f->name, 0, pr->style, pr->out);
    print_arguments(pr, e);
    for (uint32_t i = 0; i < f->arity; i++) {
        for (uint32_t j = 0; j < f->orders[i]; j++) {
            text_append(pr->out, ", ");
            print_node(pr, expr_operand(pr->p, e, i), PLACE_OPEN);
            text_char(pr->out, ')');
        }
    }
}

// D11_f(2*x, y): twice in the first argument.
static void print_marked(printer *pr, expr e, const function *f) {
    text_char(pr->out, 'D');
    for (uint32_t i = 0; i < f->arity; i++)
        for (uint32_t j = 0; j < f->orders[i]; j++) text_format(pr->out, "%u", i + 1);
    text_char(pr->out, '_');
    text_append(pr->out, f->name);
    print_arguments(pr, e);
}

// Subs(Derivative(f(xi1, xi2), xi1, xi1), (xi1, xi2), (2*x, y))
static void print_subs(printer *pr, expr e, const function *f) {
    text_append(pr->out, "Subs(Derivative(");
    print_name(f->name, 0, pr->style, pr->out);
    for (uint32_t i = 0; i < f->arity; i++) text_format(pr->out, "%sxi_%u_", i ? ", " : "(", i + 1);
    text_char(pr->out, ')');
    for (uint32_t i = 0; i < f->arity; i++)
        for (uint32_t j = 0; j < f->orders[i]; j++) text_format(pr->out, ", xi_%u_", i + 1);
    text_append(pr->out, "), ");
    for (uint32_t i = 0; i < f->arity; i++) text_format(pr->out, "%sxi_%u_", i ? ", " : "(", i + 1);
    text_append(pr->out, f->arity == 1 ? ",), (" : "), (");
    for (uint32_t i = 0; i < f->arity; i++) {
        if (i) text_append(pr->out, ", ");
        print_node(pr, expr_operand(pr->p, e, i), PLACE_OPEN);
    }
    text_append(pr->out, f->arity == 1 ? ",))" : "))");
}

// a'(z), a''(z); \partial_{1}\partial_{2}^{2} f(x, y)
static void print_latex_derivative(printer *pr, expr e, const function *f) {
    for (uint32_t i = 0; i < f->arity && f->arity > 1; i++) {
        if (f->orders[i] == 1) text_format(pr->out, "\\partial_{%u} ", i + 1);
        else if (f->orders[i]) text_format(pr->out, "\\partial_{%u}^{%u} ", i + 1, f->orders[i]);
    }
    print_name(f->name, 0, pr->style, pr->out);
    if (f->arity == 1 && f->orders[0] <= 3) text_repeat(pr->out, '\'', f->orders[0]);
    else if (f->arity == 1) text_format(pr->out, "^{(%u)}", f->orders[0]);
    print_arguments(pr, e);
}

static void print_abstract(printer *pr, expr e) {
    const function *f = pool_function_at(pr->p, expr_function_index(pr->p, e));
    if (total_order(f) == 0) {
        print_name(f->name, 0, pr->style, pr->out);
        print_arguments(pr, e);
    } else if (pr->style == STYLE_LATEX) {
        print_latex_derivative(pr, e, f);
    } else if (has_plain_arguments(pr, e)) {
        print_diff(pr, e, f);
    } else if (pr->style == STYLE_TEXT) {
        print_marked(pr, e, f);
    } else {
        print_subs(pr, e, f);
    }
}

void print_call(printer *pr, expr e, const fmpq *exponent) {
    if (expr_kind_of(pr->p, e) == EXPR_APPLY) print_abstract(pr, e);
    else print_elementary(pr, e, exponent);
}
