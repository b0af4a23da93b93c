// Common parts of sums and products, computed once: what a careful person
// would do before writing code.
//
// The pool keeps sums and products flat, because that is canonical. A program need not: a*b*c and
// a*b*d may share a*b, x + y + z and x + y + w may share x + y, a*b + a*c may become a*(b + c),
// x^(-3/2) and x^(1/2) share one root.
#ifndef HAMEL_EXPR_SHARE_H
#define HAMEL_EXPR_SHARE_H

#include "expr/program.h"

// A program for the same outputs with fewer operations (or the same program
// again). The old one is freed.
program *program_share(program *prog);

#endif
