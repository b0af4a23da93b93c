// Printing one expression: as text of the model language, as LaTeX, as SymPy.
//
// Text parses back to the same expression. What the language has no word for is a partial
// derivative of an abstract function at an argument that is no plain symbol: D1_a(2*z) is a'(2 z),
// D12_f(..) is the derivative of f in its first and second argument.
//
// SymPy names are made so that different symbols have different names: q[2,-1]' is q_2_m1_t,
// lambda[roll.x] lam_roll_x, delta(x) delta_x. A name of the model that such a name could be taken
// for gets an underscore behind it: one that ends in `_`, in a number after `_` (q_1), in t's after
// `_` (x_t), begins with lam_, delta_ or transpose_, or is lam; so does a name that means something
// to SymPy or Python (beta, S, is).
#ifndef HAMEL_PRINT_EXPRESSION_H
#define HAMEL_PRINT_EXPRESSION_H

#include "expr/expr.h"

typedef enum { STYLE_TEXT, STYLE_LATEX, STYLE_SYMPY } print_style;

void print_expression(pool *p, expr e, print_style style, text *out);

// Many expressions with names for common subexpressions: a node named[i] prints as names[i], in
// LaTeX with its number as an index, except where it is itself what is printed, which is written
// out. The names are looked up, and the nodes examined, once for all prints. named and names must
// outlive the printer.
typedef struct printer printer;
printer *printer_create(pool *p, const expr *named, const char *const *names, uint32_t count);
void printer_print(printer *pr, expr e, print_style style, text *out);
void printer_free(printer *pr); // NULL is nothing

void print_symbol_name(const pool *p, expr symbol, print_style style, text *out);
// A name that is no symbol of the pool (of a constraint, an observed quantity), with `primes` time
// derivatives.
void print_name(const char *name, uint32_t primes, print_style style, text *out);

#endif
