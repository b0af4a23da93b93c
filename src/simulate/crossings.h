// Where polynomials may change sign within a step: roots are isolated, two within one step too.
#ifndef HAMEL_SIMULATE_CROSSINGS_H
#define HAMEL_SIMULATE_CROSSINGS_H

#include <stdint.h>

typedef struct {
    uint32_t count, capacity;
    // increasing, inside the step: between neighbours, or an end of the step, no function has more than one root
    double *time;
} crossings;

// Functions with the coefficients c[k * functions + i] in powers of t - from.
void crossings_find(crossings *x, uint32_t functions, uint32_t order, const double *c, double from, double to);
void crossings_free(crossings *x);

#endif
