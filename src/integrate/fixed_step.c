// Equal steps, and the cubic of Hermite between their nodes.
#include "integrate/fixed_step.h"

#include "integrate/step_control.h"
#include "integrate/sight.h"

#include <math.h>
#include <string.h>

static const double MOST_STEPS = 1e6; // where nobody names a step
static const double SLACK = 1e-9;     // a quotient this near to a whole number is one

typedef struct {
    uint32_t n;
    double t, step;
    const double *z0, *f0, *z1, *f1;
} span_data;

// z0 + x h f0 + x^2 (3 d - h (2 f0 + f1)) + x^3 (h (f0 + f1) - 2 d), d = z1 - z0
static void interpolate(const dense *d, double t, double *z) {
    const span_data *s = d->data;
    const double x = (t - s->t) / s->step;
    for (uint32_t i = 0; i < s->n; i++) {
        const double gap = s->z1[i] - s->z0[i], a = s->step * s->f0[i], b = s->step * s->f1[i];
        z[i] = s->z0[i] + x * (a + x * (3 * gap - 2 * a - b + x * (a + b - 2 * gap)));
    }
}

// As many as request.step asks for, made shorter so that their number is whole. Without it: so that
// the error of one step is about the tolerance at the start, but at most a million; a whole number
// for each row where rows divide the run.
static uint64_t step_count(integration *in, uint32_t order) {
    const double length = integration_end(in) - in->t, all = in->request->end - in->f->sim->t0;
    if (in->request->step > 0) return (uint64_t)fmax(1, ceil(length / in->request->step - SLACK));
    const double step = fmax(step_control_first(in, order), all / MOST_STEPS);
    double count = fmax(1, ceil(length / step));
    const double rows =
        in->request->interval > 0 && !in->pauses ? length / in->request->interval : 0;
    if (rows >= 1 && fabs(rows - round(rows)) < SLACK * rows)
        count = ceil(count / round(rows)) * round(rows);
    return (uint64_t)count;
}

run_status fixed_step_run(integration *in, uint32_t order, fixed_method *m) {
    const uint32_t n = in->f->size;
    const uint64_t count = step_count(in, order);
    const double start = in->t, h = (integration_end(in) - start) / (double)count;
    double *z1 = memory_array(double, 3 * (n + 1)), *f0 = z1 + n, *f1 = f0 + n;
    run_status status = in->f->rate(in->f, in->t, in->z, f0) ? RUN_DONE : RUN_NOT_FINITE;
    for (uint64_t k = 1; k <= count && !status; k++) {
        const double t = k == count ? integration_end(in) : start + (double)k * h;
        if (step_control_is_too_small(in->t, h)) status = RUN_UNDERFLOW;
        else status = m->advance(m, in->t, h, in->z, f0, z1);
        if (!status && !in->f->rate(in->f, t, z1, f1)) status = RUN_NOT_FINITE;
        if (status) break;
        sight_remember(in, t - in->t, z1, f0, f1);
        const span_data here = {n, in->t, t - in->t, in->z, f0, z1, f1};
        const dense inside = {interpolate, &here, 3};
        status = integration_accept(
                     in, &(accepted_step){.from = in->t, .to = t, .z = z1, .inside = &inside})
                     .status;
        memcpy(f0, f1, sizeof(double) * n);
    }
    if (status == RUN_FAILED && !in->failure)
        in->failure = "the step is too long for Newton's method (choose one with --step)";
    memory_free(z1);
    return status;
}
