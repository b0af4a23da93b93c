// Explicit Runge-Kutta pairs with dense output: one engine, a table of numbers each. dop853.c and
// tsit5.c are tables with a descriptor that names runge_kutta_integrate().
#ifndef HAMEL_INTEGRATE_RUNGE_KUTTA_H
#define HAMEL_INTEGRATE_RUNGE_KUTTA_H

#include "integrate/integrator.h"

enum { MOST_STAGES = 16 };

// The stages stand one behind the other, each in so many places: a whole number of pairs. Where
// there is a place too many it is 0.
static inline size_t runge_kutta_row(uint32_t n) { return n + n % 2; }

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
    // By runge_kutta_template.h: the stages 1 .. last - 1, false where f has no finite value, with
    // one more row to work in; z1; both errors, as `error` and `weak_error` have them
    bool (*make_stages)(field *f, double t, const double *z, double h, double *k, double *work);
    void (*find_solution)(uint32_t n, const double *z, double h, const double *k, double *z1);
    void (*find_errors)(uint32_t n, double h, const double *k, double *strong, double *weak);
    void (*weights)(double theta, double *b); // z(t + theta h) = z + h sum_i b_i(theta) k_i
} tableau;

// integrator.integrate of a method that has a tableau, and its integrator.foresee
run_status runge_kutta_integrate(integration *in);
bool runge_kutta_foresee(const tableau *w, integration *in, forecast *out);

#endif
