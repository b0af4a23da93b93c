// Printing one expression: as text of the model language, as LaTeX, as SymPy.
//
// Text parses back to the same expression. What the language has no word for is a partial derivative of an abstract
// function at an argument that is no plain symbol: D1_a(2*z) is a'(2 z), D12_f(..) is the derivative of f in its first
// and second argument.
#ifndef HAMEL_PRINT_EXPRESSION_H
#define HAMEL_PRINT_EXPRESSION_H

#include "expr/expr.h"

typedef enum { STYLE_TEXT, STYLE_LATEX, STYLE_SYMPY } print_style;

void print_expression(pool *p, expr e, print_style style, text *out);

// The same with names for common subexpressions: a node named[i] prints as names[i], verbatim, except for e itself,
// which is written out. Quickest when `named` ascends.
void print_expression_named(pool *p, expr e, const expr *named, const char *const *names, uint32_t count,
                            print_style style, text *out);

void print_symbol_name(const pool *p, expr symbol, print_style style, text *out);
// A name that is no symbol of the pool (of a constraint, an observed quantity), with `primes` time derivatives.
void print_name(const char *name, uint32_t primes, print_style style, text *out);

#endif
