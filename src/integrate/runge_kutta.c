// The steps of an explicit Runge-Kutta pair (Hairer, Norsett, Wanner II.4, II.6).
#include "integrate/runge_kutta.h"

#include "integrate/control.h"
#include "integrate/sight.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void stage_sum(uint32_t n, uint32_t count, const double *z, double h, const double *weight,
               const double *k, double *out) {
    memset(out, 0, sizeof(double) * n);
    for (uint32_t j = 0; j < count; j++) {
        const double w = weight[j], *slope = k + (size_t)j * n;
        if (w == 0) continue;
        for (uint32_t i = 0; i < n; i++) out[i] += w * slope[i];
    }
    for (uint32_t i = 0; i < n; i++) out[i] = (z ? z[i] : 0) + h * out[i];
}

bool make_stages(const tableau *w, field *f, double t, const double *z, double h, uint32_t from,
                 uint32_t to, double *k, double *z1) {
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

static double error_size(const run *r, const tableau *w, double h, const double *k,
                         const double *z1, double *work) {
    const uint32_t n = r->f->size;
    stage_sum(n, w->last + 1, NULL, h, w->error, k, work);
    const double strong = scaled_norm(n, r->tolerance, work, r->z, z1);
    if (!w->weak_error || strong == 0) return strong;
    stage_sum(n, w->last + 1, NULL, h, w->weak_error, k, work);
    const double weak = scaled_norm(n, r->tolerance, work, r->z, z1);
    return strong * strong / sqrt(strong * strong + 0.01 * weak * weak);
}

// One attempt: the stages up to `last`, the solution z1 and the size of its error;
// false where f has no finite value.
static bool attempt(run *r, const tableau *w, double h, double *k, double *z1, double *work,
                    double *size) {
    const uint32_t before_error = w->error_needs_last ? w->last + 1 : w->last;
    *size = INFINITY;
    if (!make_stages(w, r->f, r->t, r->z, h, 1, before_error, k, work)) return false;
    stage_sum(r->f->size, w->last, r->z, h, w->b, k, z1);
    *size = error_size(r, w, h, k, z1, work);
    if (!(*size <= 1)) return true;
    return w->error_needs_last ||
           make_stages(w, r->f, r->t, r->z, h, w->last, w->last + 1, k, work);
}

run_status runge_kutta(run *r, const tableau *w) {
    const uint32_t n = r->f->size;
    double *k = memory_array(double, (size_t)(w->stages + 2) * n + 1),
           *z1 = k + (size_t)w->stages * n, *work = z1 + n;
    step_control control = step_control_for(w->error_order);
    const bool resumed = r->carried[0] > 0;
    double h = resumed ? r->carried[0] : first_step(r, w->order);
    if (resumed) control.before = r->carried[1];
    run_status status = h > 0 && r->f->rate(r->f, r->t, r->z, k) ? RUN_DONE : RUN_NOT_FINITE;
    bool finite = true;
    while (!status && r->t < r->end) {
        const bool last = r->t + 1.0000001 * h >= r->end;
        if (last) h = r->end - r->t;
        if (is_too_small(r->t, h)) {
            status = finite ? RUN_UNDERFLOW : RUN_NOT_FINITE;
            break;
        }
        double size;
        finite = attempt(r, w, h, k, z1, work, &size);
        if (!finite || !(size <= 1)) {
            r->rejected++;
            h *= finite ? step_after_rejection(&control, size) : 0.25;
            control.rejected = true;
            continue;
        }
        double clear = sight_between(r, h, r->z, k, z1, k + (size_t)w->last * n);
        if (clear == h && !sight_keeps_energy(r, last ? r->end : r->t + h, z1)) clear = h / 2;
        if (clear < h) {
            r->rejected++;
            h = clear;
            control.rejected = true;
            continue;
        }
        step_span here = {.w = w, .f = r->f, .t = r->t, .step = h, .z = r->z, .k = k, .work = work};
        const dense inside = {interpolate, &here, w->dense_order};
        const double next = h * step_after_success(&control, size);
        r->carried[0] = next, r->carried[1] = control.before;
        status = run_step(r, last ? r->end : r->t + h, z1, &inside);
        if (r->moved && !status && !r->f->rate(r->f, r->t, r->z, k)) status = RUN_NOT_FINITE;
        else if (!r->moved) memcpy(k, k + (size_t)w->last * n, sizeof(double) * n);
        h = next;
    }
    memory_free(k);
    return status;
}
