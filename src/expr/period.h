// Angles: symbols in which expressions are periodic. Runs take whole turns off coordinates that are
// such angles, so that these keep their digits (integrate/angle_unwrapping.c).
#ifndef HAMEL_EXPR_PERIOD_H
#define HAMEL_EXPR_PERIOD_H

#include "expr/expr.h"

typedef enum {
    PERIOD_ABSENT, // the symbol does not occur
    PERIOD_NONE,   // no period can be read off
    PERIOD_FOUND,
} period_kind;

// The smallest period of all the expressions in the symbol that their arguments of sin, cos and tan
// show, as a multiple of 2 pi: 1 for sin(x), 2 for sin(x/2), 1/2 for tan(x) or for sin(2*x). An
// expression as sin(x)^2 may have a smaller one.
// expr_periods: of each symbol of a list, which saves going through the expressions for each.
void expr_periods(pool *p, uint32_t count, const expr *e, uint32_t symbols, const expr *symbol,
                  period_kind *kind, fmpq *period);
period_kind expr_period(pool *p, uint32_t count, const expr *e, expr symbol, fmpq_t period);

#endif
