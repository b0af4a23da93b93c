// Step size control that embedded Runge-Kutta methods share.
#include "simulate/control.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double scaled_norm(uint32_t n, double tolerance, const double *error, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double e = error[i] / (tolerance * (1 + fmax(fabs(a[i]), fabs(b[i]))));
        sum += e * e;
    }
    return n ? sqrt(sum / n) : 0;
}

double first_step(run *r, uint32_t order) {
    const uint32_t n = r->f->size;
    double *f0 = memory_resize(NULL, sizeof(double) * 3 * (n + 1)), *f1 = f0 + n, *z1 = f1 + n;
    double step = 0;
    if (r->f->rate(r->f, r->t, r->z, f0)) {
        const double d0 = scaled_norm(n, r->tolerance, r->z, r->z, r->z), d1 = scaled_norm(n, r->tolerance, f0, r->z, r->z);
        step = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
        step = fmin(step, r->end - r->t);
        for (uint32_t i = 0; i < n; i++) z1[i] = r->z[i] + step * f0[i];
        if (r->f->rate(r->f, r->t + step, z1, f1)) {
            for (uint32_t i = 0; i < n; i++) f1[i] -= f0[i];
            const double d2 = scaled_norm(n, r->tolerance, f1, r->z, r->z) / step, most = fmax(d1, d2);
            const double other = most <= 1e-15 ? fmax(1e-6, step * 1e-3) : pow(0.01 / most, 1.0 / (order + 1));
            step = fmin(100 * step, other);
        }
    }
    free(f0);
    return step;
}

bool is_too_small(double t, double step) { return !(fabs(step) > 4 * DBL_EPSILON * fabs(t)) || fabs(step) < DBL_MIN / DBL_EPSILON; }
