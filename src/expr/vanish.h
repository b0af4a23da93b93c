// Which expressions are 0, whatever their symbols are. They are quick and none is a proof in the
// sense of the prove room: they decide which of several equal forms is shown or run.
#ifndef HAMEL_EXPR_VANISH_H
#define HAMEL_EXPR_VANISH_H

#include "expr/expr.h"

// Are all of them 0 at random points of F_p? The chance that something else is taken for 0 is below
// 2^-100. False, too, where they have no image there.
bool expr_all_vanish(pool *p, uint32_t count, const expr *e);

// Those of them that are 0 at random points of F_p become EXPR_ZERO; none where they have no image.
void expr_clear_vanishing(pool *p, uint32_t count, expr *e);

// Is there a point, of a few that are tried, with symbols between 1/3 and 2, where e is
// a real number other than 0? An enclosure excludes 0 there. False, too, where an
// abstract function stands in e.
bool expr_differs_from_zero(pool *p, expr e);

#endif
