// Step size control: the first step, and the next one from the error of the last.
#include "integrate/step_control.h"

#include <float.h>
#include <math.h>

// Root mean square of value_i / (tolerance (1 + |z_i|))
static double norm(uint32_t n, double tolerance, const double *value, const double *z) {
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        const double e = value[i] / (tolerance * (1 + fabs(z[i])));
        sum += e * e;
    }
    return n ? sqrt(sum / n) : 0;
}

double step_control_first(integration *in, uint32_t order) {
    const uint32_t n = in->f->size;
    double *f0 = memory_array(double, 3 * (n + 1)), *f1 = f0 + n, *z1 = f1 + n;
    double step = 0;
    if (in->f->rate(in->f, in->t, in->z, f0)) {
        const double d0 = norm(n, in->request->tolerance, in->z, in->z),
                     d1 = norm(n, in->request->tolerance, f0, in->z);
        step = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
        step = fmin(step, integration_end(in) - in->t);
        for (uint32_t i = 0; i < n; i++) z1[i] = in->z[i] + step * f0[i];
        if (in->f->rate(in->f, in->t + step, z1, f1)) {
            for (uint32_t i = 0; i < n; i++) f1[i] -= f0[i];
            const double d2 = norm(n, in->request->tolerance, f1, in->z) / step,
                         most = fmax(d1, d2);
            const double other =
                most <= 1e-15 ? fmax(1e-6, step * 1e-3) : pow(0.01 / most, 1.0 / (order + 1));
            step = fmin(100 * step, other);
        }
    }
    memory_free(f0);
    return step;
}

static const double SAFETY = 0.9, MOST_LOSS = 0.2, SMALLEST_ERROR = 1e-4;

step_control step_control_for(uint32_t error_order) {
    const double beta = 0.2 / error_order;
    return (step_control){
        .alpha = 1.0 / error_order - 0.75 * beta, .beta = beta, .before = SMALLEST_ERROR};
}

static double within(double least, double x, double most) {
    return x < least ? least : x > most ? most : x;
}

// By logarithms, of which that of the error before is known as a rule
double step_control_after_success(step_control *c, double size) {
    const double seen = size > SMALLEST_ERROR * SMALLEST_ERROR ? size
                                                               : SMALLEST_ERROR * SMALLEST_ERROR,
                 log_seen = log(seen),
                 log_before = c->before == c->known ? c->log_known : log(c->before),
                 factor = SAFETY * exp(c->beta * log_before - c->alpha * log_seen);
    c->before = seen > SMALLEST_ERROR ? seen : SMALLEST_ERROR;
    if (c->before == seen) c->known = seen, c->log_known = log_seen;
    const double most = c->rejected ? 1 : STEP_CONTROL_MOST_GROWTH;
    c->rejected = false;
    return within(MOST_LOSS, factor, most);
}

double step_control_after_rejection(const step_control *c, double size) {
    return fmax(MOST_LOSS, SAFETY * pow(size, -c->alpha));
}

bool step_control_is_last(const integration *in, double step) {
    const double end = integration_end(in);
    return !(in->t + 1.0000001 * step < end) ||
           step_control_is_too_small(in->t, end - (in->t + step));
}

bool step_control_is_too_small(double t, double step) {
    return !(fabs(step) > 4 * DBL_EPSILON * fabs(t)) || fabs(step) < DBL_MIN / DBL_EPSILON;
}
