// The steps of an explicit Runge-Kutta pair (Hairer, Norsett, Wanner II.4, II.6).
#include "integrate/runge_kutta.h"

#include "integrate/step_control.h"
#include "integrate/sight.h"

#include <math.h>
#include <string.h>

// z + h sum_i weight_i k_i over the first `count` stages; k is stage by stage. `out` is not z; z
// may be NULL for 0.
static void stage_sum(uint32_t n, uint32_t count, const double *z, double h, const double *weight,
                      const double *k, double *out) {
    memset(out, 0, sizeof(double) * n);
    for (uint32_t j = 0; j < count; j++) {
        const double w = weight[j], *slope = k + (size_t)j * n;
        if (w == 0) continue;
        for (uint32_t i = 0; i < n; i++) out[i] += w * slope[i];
    }
    for (uint32_t i = 0; i < n; i++) out[i] = (z ? z[i] : 0) + h * out[i];
}

// k_s = f(t + c_s h, z + h sum_j a_sj k_j) for s = from .. to - 1, the earlier ones known; false
// where f has no finite value. z1 is overwritten.
static bool make_stages(const tableau *w, field *f, double t, const double *z, double h,
                        uint32_t from, uint32_t to, double *k, double *z1) {
    const uint32_t n = f->size;
    for (uint32_t s = from; s < to; s++) {
        stage_sum(n, s, z, h, w->a[s], k, z1);
        if (!f->rate(f, t + w->c[s] * h, z1, k + (size_t)s * n)) return false;
    }
    return true;
}

// --- within a step -------------------------------------------------------------------------------

typedef struct {
    const tableau *w;
    field *f;
    double t, step;
    const double *z;
    double *k, *work;
    // The stages behind `last` were made, when the first value was asked for;
    // and f had finite values there
    bool ready, known;
} step_span;

static void interpolate(const dense *d, double t, double *z) {
    step_span *s = (step_span *)d->data;
    const tableau *w = s->w;
    if (!s->ready) {
        s->ready = true;
        s->known = make_stages(w, s->f, s->t, s->z, s->step, w->last + 1, w->stages, s->k, s->work);
    }
    if (!s->known) { // no row is written of such a state
        for (uint32_t i = 0; i < s->f->size; i++) z[i] = NAN;
        return;
    }
    double b[MOST_STAGES];
    w->weights((t - s->t) / s->step, b);
    stage_sum(s->f->size, w->stages, s->z, s->step, b, s->k, z);
}

// --- the error -----------------------------------------------------------------------------------

static double error_size(const integration *in, const tableau *w, double h, const double *k,
                         const double *z1, double *work) {
    const uint32_t n = in->f->size;
    stage_sum(n, w->last + 1, NULL, h, w->error, k, work);
    const double strong = step_control_norm(n, in->request->tolerance, work, in->z, z1);
    if (!w->weak_error || strong == 0) return strong;
    stage_sum(n, w->last + 1, NULL, h, w->weak_error, k, work);
    const double weak = step_control_norm(n, in->request->tolerance, work, in->z, z1);
    return strong * strong / sqrt(strong * strong + 0.01 * weak * weak);
}

// One attempt: the stages up to `last`, the solution z1 and the size of its error;
// false where f has no finite value.
static bool attempt(integration *in, const tableau *w, double h, double *k, double *z1,
                    double *work, double *size) {
    const uint32_t before_error = w->error_needs_last ? w->last + 1 : w->last;
    *size = INFINITY;
    if (!make_stages(w, in->f, in->t, in->z, h, 1, before_error, k, work)) return false;
    stage_sum(in->f->size, w->last, in->z, h, w->b, k, z1);
    *size = error_size(in, w, h, k, z1, work);
    if (!(*size <= 1)) return true;
    return w->error_needs_last ||
           make_stages(w, in->f, in->t, in->z, h, w->last, w->last + 1, k, work);
}

run_status runge_kutta_integrate(integration *in) {
    const tableau *w = in->request->method->tableau;
    const uint32_t n = in->f->size;
    double *k = memory_array(double, (size_t)(w->stages + 2) * n + 1),
           *z1 = k + (size_t)w->stages * n, *work = z1 + n;
    step_control control = step_control_for(w->error_order);
    const bool resumed = in->pace[0] > 0;
    double h = resumed ? in->pace[0] : step_control_first(in, w->order);
    if (resumed) control.before = in->pace[1];
    run_status status = h > 0 && in->f->rate(in->f, in->t, in->z, k) ? RUN_DONE : RUN_NOT_FINITE;
    bool finite = true;
    while (!status && in->t < in->request->end) {
        const bool last = in->t + 1.0000001 * h >= in->request->end;
        if (last) h = in->request->end - in->t;
        if (step_control_is_too_small(in->t, h)) {
            status = finite ? RUN_UNDERFLOW : RUN_NOT_FINITE;
            break;
        }
        double size;
        finite = attempt(in, w, h, k, z1, work, &size);
        if (!finite || !(size <= 1)) {
            in->rejected++;
            h *= finite ? step_control_after_rejection(&control, size) : 0.25;
            control.rejected = true;
            continue;
        }
        const double t1 = last ? in->request->end : in->t + h,
                     clear = sight_of_ends(in, h, t1, z1, k, k + (size_t)w->last * n);
        if (clear < h) {
            in->rejected++;
            h = clear;
            control.rejected = true;
            continue;
        }
        step_span here = {
            .w = w, .f = in->f, .t = in->t, .step = h, .z = in->z, .k = k, .work = work};
        const dense inside = {interpolate, &here, w->dense_order};
        const double next = h * step_control_after_success(&control, size);
        const outcome answer =
            integration_accept(in, &(accepted_step){.from = in->t,
                                                    .to = t1,
                                                    .z = z1,
                                                    .inside = &inside,
                                                    .pace = {next, control.before}});
        status = answer.status;
        if (answer.change != STATE_MOVED) memcpy(k, k + (size_t)w->last * n, sizeof(double) * n);
        else if (!status && !in->f->rate(in->f, in->t, in->z, k)) status = RUN_NOT_FINITE;
        h = next;
    }
    memory_free(k);
    return status;
}
