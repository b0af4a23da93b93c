// The steps of an explicit Runge-Kutta pair (Hairer, Norsett, Wanner II.4, II.6).
#include "integrate/runge_kutta.h"

#include "integrate/step_control.h"
#include "integrate/sight.h"

#include <math.h>
#include <string.h>

void runge_kutta_sum(uint32_t n, uint32_t count, const double *z, double h, const double *weight,
                     const double *k, double *out) {
    const size_t row = tableau_row(n); // even, so that components come in pairs
    for (size_t i = 0; i < row; i += 2) {
        double first = 0, second = 0;
        for (uint32_t j = 0; j < count; j++) {
            if (weight[j] == 0) continue;
            first += weight[j] * k[j * row + i], second += weight[j] * k[j * row + i + 1];
        }
        out[i] = z[i] + h * first;
        if (i + 1 < n) out[i + 1] = z[i + 1] + h * second;
    }
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

// k_s = f(t + c_s h, z + h sum_j a_sj k_j) for the stages behind `last`; false where f has no
// finite value
static bool make_more_stages(step_span *s) {
    const tableau *w = s->w;
    const uint32_t n = s->f->size;
    for (uint32_t i = w->last + 1; i < w->stages; i++) {
        runge_kutta_sum(n, i, s->z, s->step, w->a[i], s->k, s->work);
        if (!s->f->rate(s->f, s->t + w->c[i] * s->step, s->work, s->k + i * tableau_row(n)))
            return false;
    }
    return true;
}

static void interpolate(const dense *d, double t, double *z) {
    step_span *s = (step_span *)d->data;
    const tableau *w = s->w;
    if (!s->ready) s->ready = true, s->known = make_more_stages(s);
    if (!s->known) { // no row is written of such a state
        for (uint32_t i = 0; i < s->f->size; i++) z[i] = NAN;
        return;
    }
    double b[MOST_STAGES];
    w->weights((t - s->t) / s->step, b);
    runge_kutta_sum(s->f->size, w->stages, s->z, s->step, b, s->k, z);
}

// --- the steps -----------------------------------------------------------------------------------

typedef struct {
    integration *in;
    const tableau *w;
    double *k;      // the stages
    double *z, *z1; // the states at both ends of the step
    double *work;   // the argument of the stage before the last
    double *last;   // stage, among the others
} stepper;

// The size of the error of a step of the length h, by compiled code where there is some. Not
// finite where f has no finite value.
static double attempt(stepper *s, double h) {
    integration *in = s->in;
    field *f = in->f;
    const double tolerance = in->request->tolerance;
    double size;
    if (f->attempt && f->attempt(f, s->w, in->t, s->z, h, tolerance, s->k, s->work, s->z1, &size))
        return size;
    return in->request->method->attempt(f, in->t, s->z, h, tolerance, s->k, s->work, s->z1);
}

// The driver takes the step and may change the state at its end; `next` is the step that is planned
static run_status take(stepper *s, double h, double t1, double next, double error) {
    integration *in = s->in;
    const size_t size = sizeof(double) * in->f->size;
    step_span here = {
        .w = s->w, .f = in->f, .t = in->t, .step = h, .z = s->z, .k = s->k, .work = s->work};
    const dense inside = {interpolate, &here, s->w->dense_order};
    const outcome answer = integration_accept(
        in, &(accepted_step){
                .from = in->t, .to = t1, .z = s->z1, .inside = &inside, .pace = {next, error}});
    memcpy(s->z, in->z, size);
    if (answer.change != STATE_MOVED) memcpy(s->k, s->last, size);
    else if (!answer.status && !in->f->rate(in->f, in->t, in->z, s->k)) return RUN_NOT_FINITE;
    return answer.status;
}

// From in->t, where the slopes are known, to the end
static run_status go(stepper *s, step_control *control, double h) {
    integration *in = s->in;
    run_status status = RUN_DONE;
    bool finite = true;
    while (!status && in->t < integration_end(in)) {
        const bool last = step_control_is_last(in, h);
        if (last) h = integration_end(in) - in->t;
        if (step_control_is_too_small(in->t, h)) return finite ? RUN_UNDERFLOW : RUN_NOT_FINITE;
        const double size = attempt(s, h);
        finite = isfinite(size);
        if (!(size <= 1)) {
            in->rejected++;
            h *= finite ? step_control_after_rejection(control, size) : 0.25;
            control->rejected = true;
            continue;
        }
        const double t1 = last ? integration_end(in) : in->t + h,
                     clear = sight_of_ends(in, h, t1, s->z1, s->k, s->last);
        if (clear < h) {
            in->rejected++;
            h = clear;
            control->rejected = true;
            continue;
        }
        const double next = h * step_control_after_success(control, size);
        status = take(s, h, t1, next, control->before);
        h = next;
    }
    return status;
}

// At in->t, in->z; the memory is s->k
static stepper stepper_at(integration *in, const tableau *w) {
    const size_t row = tableau_row(in->f->size);
    double *k = memory_zeros(double, (w->stages + 3) * row + 1), *z = k + w->stages * row;
    memcpy(z, in->z, sizeof(double) * in->f->size);
    return (stepper){.in = in,
                     .w = w,
                     .k = k,
                     .z = z,
                     .z1 = z + row,
                     .work = z + 2 * row,
                     .last = k + w->last * row};
}

run_status runge_kutta_integrate(integration *in) {
    const tableau *w = in->request->method->tableau;
    stepper s = stepper_at(in, w);
    step_control control = step_control_for(w->error_order);
    const bool resumed = in->pace[0] > 0;
    const double h = resumed ? in->pace[0] : step_control_first(in, w->order);
    if (resumed) control.before = in->pace[1];
    const run_status status =
        h > 0 && in->f->rate(in->f, in->t, s.z, s.k) ? go(&s, &control, h) : RUN_NOT_FINITE;
    memory_free(s.k);
    return status;
}

// --- before a run --------------------------------------------------------------------------------

// Attempts at the start, each of the length that the error of the one before asks for, until that
// is no more changed much: h <- h 0.9 size^(-1/order)
static double longest_step(const integrator *method, stepper *s, double h) {
    enum { ATTEMPTS = 8 };
    static const double CLOSE = 1.2, MOST_GROWTH = 20, MOST_LOSS = 0.05;
    integration *in = s->in;
    if (!(h > 0) || !in->f->rate(in->f, in->t, s->z, s->k)) return 0;
    for (int i = 0; i < ATTEMPTS; i++) {
        const double span = in->request->end - in->t;
        const double size =
            method->attempt(in->f, in->t, s->z, h, in->request->tolerance, s->k, s->work, s->z1);
        if (!isfinite(size)) return 0;
        const double factor =
            fmin(MOST_GROWTH, fmax(MOST_LOSS, 0.9 * pow(size, -1.0 / s->w->error_order)));
        h *= factor;
        if (h >= span) return span;
        if (factor < CLOSE && factor > 1 / CLOSE) break;
    }
    return h;
}

bool runge_kutta_foresee(const integrator *method, integration *in, forecast *out) {
    const tableau *w = method->tableau;
    const uint64_t calls = in->f->rate_calls;
    const double rate = forecast_of_tape(in->f->sim->rate);
    stepper s = stepper_at(in, w);
    // about half of the numbers of a pair are 0
    const double sums = w->last * (w->last + 1) / 4.0 * in->f->size;
    const double first = step_control_first(in, w->order);
    out->step = longest_step(method, &s, first);
    out->more_steps = fmax(0, ceil(log(out->step / first) / log(STEP_CONTROL_MOST_GROWTH)));
    out->operations = w->last * rate + sums;
    out->words = arena_format(&in->f->sim->m->ctx->arena, "%u rates of %.0f operations", w->last,
                              forecast_rounded(rate));
    in->f->rate_calls = calls; // these are no evaluations of the run
    memory_free(s.k);
    return out->step > 0;
}
