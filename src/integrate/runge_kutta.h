// Explicit Runge-Kutta pairs with dense output: one engine, a table of numbers each. dop853.c and
// tsit5.c are tables with a descriptor; the stepping is here.
#ifndef HAMEL_INTEGRATE_RUNGE_KUTTA_H
#define HAMEL_INTEGRATE_RUNGE_KUTTA_H

#include "integrate/integration.h"

enum { MOST_STAGES = 16 };

// k_i = f(t + c_i h, z + h sum_j a_ij k_j),  z1 = z + h sum_i b_i k_i; stage `last` is f(t + h,
// z1): its row is b, and it is the first of the next step.
typedef struct {
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

extern const tableau tableau_tsit5, tableau_dop853;

// z + h sum_i weight_i k_i over the first `count` stages; k is stage by stage. `out`
// is not z; z may be NULL for 0.
void stage_sum(uint32_t n, uint32_t count, const double *z, double h, const double *weight,
               const double *k, double *out);
// Stages from .. to - 1, the earlier ones known; false where f has no
// finite value. z1 is overwritten.
bool make_stages(const tableau *w, field *f, double t, const double *z, double h, uint32_t from,
                 uint32_t to, double *k, double *z1);

run_status runge_kutta(integration *in, const tableau *w);

#endif
