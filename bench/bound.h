// A bound of a benchmark: one line for each, which bench/run gathers in its summary.
#ifndef HAMEL_BENCH_BOUND_H
#define HAMEL_BENCH_BOUND_H

#include <stdbool.h>
#include <stdio.h>

// Prints `bound: WHAT: FIGURE UNIT, at most LIMIT: holds`, or `MISSED`; true if it holds.
static inline bool bound(const char *what, double figure, double limit, const char *unit) {
    const bool holds = figure <= limit;
    printf("bound: %s: %.3g%s%s, at most %.3g: %s\n", what, figure, *unit ? " " : "", unit, limit,
           holds ? "holds" : "MISSED");
    return holds;
}

#endif
