// What it costs to compute expressions again and again while parameters stay. Wherever there are
// several equal ways to write a system, the one that this finds cheapest is run.
#ifndef HAMEL_EQUATIONS_COST_H
#define HAMEL_EQUATIONS_COST_H

#include "expr/expr.h"

// About the number of additions and multiplications that the outputs take after
// sharing; a division or a root counts for several, a function for many, and what
// depends on parameters only for nothing.
uint32_t cost_of_running(pool *p, uint32_t count, const expr *output);

#endif
