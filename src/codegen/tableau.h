// The numbers of an explicit Runge-Kutta pair with dense output. Methods state theirs
// (integrate/dop853.c, tsit5.c); the engine of the pairs reads them, and emit_pair() writes them
// out in the code of a step.
#ifndef HAMEL_CODEGEN_TABLEAU_H
#define HAMEL_CODEGEN_TABLEAU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_STAGES = 16 };

// k_i = f(t + c_i h, z + h sum_j a_ij k_j),  z1 = z + h sum_i b_i k_i; stage `last` is f(t + h,
// z1): its row is b, and it is the first of the next step.
typedef struct tableau {
    uint32_t order, dense_order;
    uint32_t last;   // index of the stage at the end of the step
    uint32_t stages; // all of them; those behind `last` serve dense output only
    const double *c;
    const double (*a)[MOST_STAGES];
    const double *b;
    uint32_t error_order; // a step's error is as h^error_order
    const double *error;  // b - b^ of the embedded solution
    // of a second one of lower order, NULL if there is none: the error is then |e|^2
    // / sqrt(|e|^2 + 0.01 |weak|^2)
    const double *weak_error;
    bool error_needs_last;
    void (*weights)(double theta, double *b); // z(t + theta h) = z + h sum_i b_i(theta) k_i
} tableau;

// The stages stand one behind the other, each in so many places: a whole number of pairs. Where
// there is a place too many it is 0.
static inline size_t tableau_row(uint32_t n) { return n + n % 2; }

#endif
