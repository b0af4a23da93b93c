// Taylor's method: the series of the solution at each step, its order from the tolerance and the step from its last coefficients (Jorba and Zou 2005).
#include "simulate/control.h"
#include "simulate/crossings.h"
#include "simulate/integrator.h"
#include "simulate/jets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ORDER = 4, MOST_ORDER = 30, LOOK_BACK = 6, HEAD = 2 };

static const double FINEST = 1e-15; // below it a tolerance asks for all that a double can hold

typedef struct {
    uint32_t n, order;
    double t;
    const double *c; // c[k * n + i]
} series;

// Jorba and Zou 2005, 3.1: the order at which a step of e^-2 times the radius of convergence meets the tolerance with the least work for each unit of time
static uint32_t order_for(double tolerance) {
    const double order = ceil(-log(fmax(tolerance, 1e-30)) / 2 + 1);
    return order < LEAST_ORDER ? LEAST_ORDER : order > MOST_ORDER ? MOST_ORDER : (uint32_t)order;
}

// --- the polynomial ----------------------------------------------------------------------------------------------------------------

// z_i at t + s without coefficient 0: (.. (c_p s + c_{p-1}) s + .. + c_2) s + c_1, the last factor s left out
static double mean_slope(const series *p, uint32_t i, double s) {
    double sum = p->c[p->order * p->n + i];
    for (uint32_t k = p->order - 1; k > 0; k--) sum = sum * s + p->c[k * p->n + i];
    return sum;
}

static void evaluate(const dense *d, double t, double *z) {
    const series *p = d->data;
    for (uint32_t i = 0; i < p->n; i++) z[i] = p->c[i] + (t - p->t) * mean_slope(p, i, t - p->t);
}

static double slope(const series *p, uint32_t i, double s) {
    double sum = p->order * p->c[p->order * p->n + i];
    for (uint32_t k = p->order - 1; k > 0; k--) sum = sum * s + k * p->c[k * p->n + i];
    return sum;
}

// The state is added up in long double, so that many steps are off by the errors of the coefficients only, not by those of adding them; with
// the first coefficients in long double (`head` of them, at the state unrounded) these errors lose most of their weight too.
static void advance(const series *p, const long double *z, uint32_t head, const long double *c, long double h, long double *z1) {
    for (uint32_t i = 0; i < p->n; i++) {
        double tail = 0;
        for (uint32_t k = p->order; k > head + 1; k--) tail = (tail + p->c[k * p->n + i]) * (double)h;
        long double sum = p->c[(head + 1) * p->n + i] + (long double)tail;
        for (uint32_t k = head; k > 0; k--) sum = sum * h + c[k * p->n + i];
        z1[i] = z[i] + h * sum;
    }
}

// --- the step ----------------------------------------------------------------------------------------------------------------------

// Both norms of Jorba and Zou for each component: relative where it is large, absolute where it is small.
static double norm(const series *p, uint32_t k) {
    double most = 0;
    for (uint32_t i = 0; i < p->n; i++) most = fmax(most, fabs(p->c[k * p->n + i]) / fmax(1, fabs(p->c[i])));
    return most;
}

// (1/|c_k|)^(1/k), the least of some orders: an estimate of the radius of convergence
static double radius(const series *p, uint32_t from, uint32_t to) {
    double least = INFINITY;
    for (uint32_t k = from; k <= to; k++) least = fmin(least, pow(norm(p, k), -1.0 / k));
    return least;
}

// Jorba and Zou 2005, (3-8): from the last two coefficients; from some before them where those vanish by a symmetry of the solution, as in exp(t^3).
static double step_of(const series *p) {
    const double last = radius(p, p->order - 1, p->order);
    const double before = radius(p, p->order > LOOK_BACK + 1 ? p->order - LOOK_BACK : 2, p->order - 2);
    const double rho = last > 1.5 * before ? before : last;
    return rho * exp(-2 - 0.7 / (p->order - 1));
}

// At the end of a good step the slope of the polynomial is that of the equations, far beyond what is asked for here: this notices
// a branch or a kink between.
static bool continues(const run *r, const series *p, double h, const double *z1, const double *f1) {
    const double most = fmax(1e3 * r->tolerance, 1e-9);
    for (uint32_t i = 0; i < p->n; i++)
        if (!(h * fabs(slope(p, i, h) - f1[i]) <= most * (1 + fabs(z1[i]) + h * fabs(f1[i])))) return false;
    return true;
}

typedef struct {
    run *r;
    series now;
    double *next;          // coefficients at the end of the step
    double *z1, *f1;
    long double *z, *wide1; // the states at both ends, not rounded to double
    uint32_t head;
    jets_long *fine;
    long double *c;         // its coefficients 0 .. head
    jets *watched;         // of the event functions; NULL if there are none
    double *event_series;
    crossings between;
} stepper;

// The end of a step is accepted once the series there has been found: its first coefficient is the slope.
static bool reach(stepper *w, double t1, bool last, bool *finite) {
    run *r = w->r;
    const uint32_t n = w->now.n;
    const double h = t1 - w->now.t;
    advance(&w->now, w->z, w->head, w->c, h, w->wide1);
    for (uint32_t i = 0; i < n; i++) w->z1[i] = (double)w->wide1[i];
    *finite = last ? r->f->rate(r->f, t1, w->z1, w->f1) : r->f->jet(r->f, t1, w->z1, w->now.order, w->next);
    return *finite && continues(r, &w->now, h, w->z1, last ? w->f1 : w->next + n);
}

static run_status take(stepper *w, double t1) {
    const dense inside = {.at = evaluate, .data = &w->now};
    w->r->watch_count = 0;
    if (w->watched && jets_along(w->watched, w->now.t, w->now.c, w->now.order, w->event_series)) {
        crossings_find(&w->between, w->r->f->system->events->output_count, w->now.order, w->event_series, w->now.t, t1);
        w->r->watch = w->between.time, w->r->watch_count = w->between.count;
    }
    return run_step(w->r, t1, w->z1, &inside);
}

static run_status step(stepper *w) {
    run *r = w->r;
    double h = step_of(&w->now);
    bool last = !(r->t + 1.0000001 * h < r->end), finite = true;
    if (last) h = r->end - r->t;
    while (true) {
        if (is_too_small(r->t, h)) return finite ? RUN_UNDERFLOW : RUN_NOT_FINITE;
        if (reach(w, last ? r->end : r->t + h, last, &finite)) break;
        r->rejected++;
        h *= finite ? 0.5 : 0.25;
        last = false;
    }
    const double t1 = last ? r->end : r->t + h;
    const run_status status = take(w, t1);
    double *old = (double *)w->now.c;
    long double *spent = w->z;
    w->now.c = w->next, w->now.t = t1, w->next = old;
    w->z = w->wide1, w->wide1 = spent;
    if (w->head && !status) jets_of_solution_long(w->fine, t1, w->z, w->head, w->c);
    return status;
}

static run_status integrate(run *r) {
    const uint32_t n = r->f->size, order = order_for(r->tolerance), events = r->f->system->events ? r->f->system->events->output_count : 0;
    const size_t size = (size_t)n * (order + 1);
    const uint32_t head = r->tolerance < FINEST ? HEAD : 0;
    double *c = calloc(2 * size + 2 * n + (size_t)events * (order + 1) + 1, sizeof *c), *more = c + 2 * size;
    long double *wide = memory_resize(NULL, sizeof(long double) * n * (head + 3));
    stepper w = {.r = r, .now = {n, order, r->t, c}, .next = c + size, .z1 = more, .f1 = more + n, .event_series = more + 2 * n,
                 .z = wide, .wide1 = wide + n, .c = wide + 2 * n, .head = head};
    for (uint32_t i = 0; i < n; i++) w.z[i] = r->z[i];
    if (head) {
        w.fine = jets_create_long(r->f->system->rate, true, r->f->system->parameter_value);
        jets_of_solution_long(w.fine, r->t, w.z, head, w.c);
    }
    if (events) w.watched = jets_create(r->f->system->events, false, r->f->system->parameter_value);
    run_status status = r->f->jet(r->f, r->t, r->z, order, c) ? RUN_DONE : RUN_NOT_FINITE;
    while (!status && r->t < r->end) status = step(&w);
    r->watch = NULL, r->watch_count = 0;
    jets_free(w.watched);
    jets_free_long(w.fine);
    free(wide);
    crossings_free(&w.between);
    free(c);
    return status;
}

static const char *refusal(const run *r) {
    const char *kink = jet_kink(r->f->system->rate);
    if (kink) return "its equations have abs, sign, min or max in them, and a power series does not pass a kink";
    return r->f->jet ? NULL : "there are no Taylor coefficients of the equations";
}

const integrator integrator_taylor = {
    .id = "taylor",
    .name = "Taylor series of variable order",
    .paper = "Jorba and Zou 2005",
    .about = "smooth equations to any accuracy: long steps, the solution between them for nothing",
    .order = 0,
    .adaptive = true,
    .refusal = refusal,
    .integrate = integrate,
};
