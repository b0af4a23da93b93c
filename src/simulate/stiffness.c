// Fast modes by power iteration with differences of f, and what they mean for a step.
#include "simulate/stiffness.h"

#include <math.h>

// A step that stability limits goes to and fro below the limit; one that could be that much longer
// is not limited.
static const double NEAR = 0.6, FAR = 0.25;
// Steps that are left at least, else changing the method does not pay
static const double LEFT = 200;

static double norm(uint32_t n, const double *v) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) sum += v[i] * v[i];
    return sqrt(sum);
}

// v <- J v by a difference of f, scaled to 1 again; its length before that, rho = v.Jv and how far
// J v is from rho v. False where f is not finite.
typedef struct {
    double length, rho, off;
} iterate;
static bool multiply(integration *in, const double *f0, double *v, double *z, double *f1,
                     iterate *out) {
    const uint32_t n = in->f->size;
    const double eps = 1e-7 * (1 + norm(n, in->z));
    for (uint32_t i = 0; i < n; i++) z[i] = in->z[i] + eps * v[i];
    out->length = NAN;
    if (!in->f->rate(in->f, in->t, z, f1)) return false;
    out->rho = 0, out->off = 0;
    for (uint32_t i = 0; i < n; i++) f1[i] = (f1[i] - f0[i]) / eps, out->rho += v[i] * f1[i];
    for (uint32_t i = 0; i < n; i++) {
        const double gap = f1[i] - out->rho * v[i];
        out->off += gap * gap;
    }
    out->off = sqrt(out->off);
    out->length = norm(n, f1);
    if (!(out->length > 0)) return false;
    for (uint32_t i = 0; i < n; i++) v[i] = f1[i] / out->length;
    return true;
}

// After so many iterations; *largest: the largest |J v| of the last half of them, a bound of the
// spectral radius for the eye. False where f is not finite, or J v = 0.
static bool iterate_rates(integration *in, iterate *last, double *largest) {
    enum { ITERATIONS = 40 };
    const uint32_t n = in->f->size;
    double *f0 = memory_array(double, 4 * (size_t)n + 1), *v = f0 + n, *z = v + n, *f1 = z + n;
    const uint64_t calls = in->f->rate_calls;
    bool good = n && in->f->rate(in->f, in->t, in->z, f0);
    // no direction is special
    for (uint32_t i = 0; i < n; i++) v[i] = (1 + 0.37 * (i % 7)) / sqrt(6.0 * n);
    const double length = norm(n, v);
    for (uint32_t i = 0; i < n; i++) v[i] /= length;
    *largest = 0;
    for (int k = 0; k < ITERATIONS && good; k++) {
        good = multiply(in, f0, v, z, f1, last);
        if (good && k >= ITERATIONS / 2) *largest = fmax(*largest, last->length);
    }
    in->f->rate_calls = calls; // these are no evaluations of the run
    memory_free(f0);
    return good;
}

double stiffness_dominant_rate(integration *in) {
    iterate last = {0};
    double largest;
    return iterate_rates(in, &last, &largest) && last.off < 0.1 * fabs(last.rho) ? last.rho : 0;
}

bool stiffness_limits(integration *in, const integrator *method, double step, uint32_t order,
                      double *rate) {
    const double most = method->stable + method->stable_an_order * order;
    if (!(most > 0) || in->request->end - in->t < LEFT * step) return false;
    *rate = stiffness_dominant_rate(in);
    return -*rate * step > NEAR * most;
}

bool stiffness_is_over(integration *in, const integrator *method, double step) {
    enum { LEAST_ORDER = 8 };
    const double most = method->stable + method->stable_an_order * LEAST_ORDER;
    iterate last = {.length = NAN};
    double largest;
    return iterate_rates(in, &last, &largest) ? largest * step < FAR * most : last.length == 0;
}
