// Taylor's method: the series of the solution, its order from the tolerance and the step from its last coefficients (Jorba and Zou 2005).
#include "simulate/control.h"
#include "simulate/crossings.h"
#include "simulate/integrator.h"
#include "simulate/jets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ORDER = 4,
    MOST_ORDER = 30,
    LOOK_BACK = 6,
    HEAD = 6, // coefficient k adds about e^(-2k) of the state in a step: beyond these what double leaves of them is lost in long double too
};

static const double FINEST = 1e-15; // below it a tolerance asks for all that a double can hold

typedef struct {
    uint32_t n, order;
    double t;
    const double *c; // c[k * n + i]
} series;

// Jorba and Zou 2005, 3.1: the order at which a step of e^-2 times the radius of convergence meets the tolerance, with the least work
static uint32_t order_for(double tolerance) {
    const double order = ceil(-log(fmax(tolerance, 1e-30)) / 2 + 1);
    return order < LEAST_ORDER ? LEAST_ORDER : order > MOST_ORDER ? MOST_ORDER : (uint32_t)order;
}

// --- the polynomial ----------------------------------------------------------------------------------------------------------------

// c_from + c_{from+1} s + .. + c_to s^(to - from), even and odd powers apart, so that neither waits for the other
static double horner(const series *p, uint32_t i, uint32_t from, uint32_t to, double s) {
    const uint32_t n = p->n;
    const double *c = p->c + i, square = s * s;
    double other = 0, sum = c[to * n];
    uint32_t k = to;
    for (; k > from + 1; k -= 2) {
        other = other * square + c[(k - 1) * n];
        sum = sum * square + c[(k - 2) * n];
    }
    return k > from ? sum * s + (other * square + c[from * n]) : sum + other * s;
}

static void evaluate(const dense *d, double t, double *z) {
    const series *p = d->data;
    const double s = t - p->t;
    for (uint32_t i = 0; i < p->n; i++) z[i] = p->c[i] + s * (p->c[p->n + i] + s * horner(p, i, 2, p->order, s));
}

// The state is added up in long double, so that many steps are off by the errors of the coefficients only, not by those of adding them; with
// the first coefficients in long double (`head` of them, at the state unrounded) these errors lose most of their weight too.
static void advance(const series *p, const long double *z, uint32_t head, const long double *c, long double h, long double *z1) {
    const uint32_t n = p->n;
    for (uint32_t i = 0; i < n; i++) {
        const double sum = head + 1 < p->order ? horner(p, i, head + 2, p->order, (double)h) * (double)h : 0;
        long double all = p->c[(head + 1) * n + i] + (long double)sum;
        for (uint32_t k = head; k > 0; k--) all = all * h + c[k * n + i];
        z1[i] = z[i] + h * all;
    }
}

// --- the step ----------------------------------------------------------------------------------------------------------------------

// Both norms of Jorba and Zou for each component: relative where it is large, absolute where it is small. Coefficients are finite here.
static double norm(const series *p, uint32_t k) {
    double most = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const double size = fabs(p->c[k * p->n + i]), scale = fabs(p->c[i]), scaled = scale > 1 ? size / scale : size;
        if (scaled > most) most = scaled;
    }
    return most;
}

// log of 1/radius for the order k: (log |c_k|) / k
static double rate_of_growth(const series *p, uint32_t k) { return log(norm(p, k)) / k; }

// Jorba and Zou 2005, (3-8): the radius from the last two coefficients. Where it is suddenly larger than it was a step before, those may vanish
// by a symmetry of the solution, as in exp(t^3), and some before them are asked too.
static double step_of(const series *p, double *growth) {
    const uint32_t last = p->order;
    double now = fmax(rate_of_growth(p, last - 1), rate_of_growth(p, last));
    static const double SUDDEN = 0.4; // log(1.5)
    if (now < *growth - SUDDEN) {
        double before = -INFINITY;
        for (uint32_t k = last > LOOK_BACK + 1 ? last - LOOK_BACK : 2; k + 2 <= last; k++) before = fmax(before, rate_of_growth(p, k));
        if (now < before - SUDDEN) now = before;
    }
    *growth = now;
    return exp(-now - 2 - 0.7 / (last - 1));
}

// The slopes of the polynomial at the end of the step, sum k c_k h^(k-1); all components abreast, so that none waits for itself
static void slopes_at_end(const series *p, double h, double *out) {
    const uint32_t n = p->n;
    for (uint32_t i = 0; i < n; i++) out[i] = p->order * p->c[p->order * n + i];
    for (uint32_t k = p->order - 1; k > 0; k--)
        for (uint32_t i = 0; i < n; i++) out[i] = out[i] * h + k * p->c[k * n + i];
}

// At the end of a good step the slope of the polynomial is that of the equations: their difference is the defect of the solution there, about `order` times the error of the step
// over its length. This catches a step from coefficients that happened to be small, and a branch or a kink between.
static bool continues(const run *r, const series *p, double h, const double *z1, const double *f1, double *slope) {
    static const double ROUNDING = 1e-14, GENEROUS = 2;
    const double part = fmax(GENEROUS * p->order * r->tolerance, ROUNDING);
    bool good = true;
    slopes_at_end(p, h, slope);
    for (uint32_t i = 0; i < p->n; i++)
        good &= h * fabs(slope[i] - f1[i]) <= part * (1 + fabs(z1[i]) + h * (fabs(f1[i]) + fabs(p->c[p->n + i])));
    return good;
}

typedef struct {
    run *r;
    series now;
    double *next;          // coefficients at the end of the step
    double growth; // see step_of()
    double *z1, *f1, *slope;
    long double *z, *wide1; // the states at both ends, not rounded to double
    double *rest;           // what z1 leaves of the latter
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
    const long double h = (long double)t1 - w->now.t; // in double it need not be exact
    advance(&w->now, w->z, w->head, w->c, h, w->wide1);
    for (uint32_t i = 0; i < n; i++) w->z1[i] = (double)w->wide1[i], w->rest[i] = (double)(w->wide1[i] - w->z1[i]);
    *finite = last ? r->f->rate(r->f, t1, w->z1, w->f1) : r->f->jet(r->f, t1, w->z1, w->now.order, w->next);
    return *finite && continues(r, &w->now, (double)h, w->z1, last ? w->f1 : w->next + n, w->slope);
}

static run_status take(stepper *w, double t1) {
    const dense inside = {.at = evaluate, .data = &w->now};
    w->r->watch_count = 0;
    if (w->watched && jets_along(w->watched, w->now.t, w->now.c, w->now.order, w->event_series)) {
        crossings_find(&w->between, w->r->f->system->events->output_count, w->now.order, w->event_series, w->now.t, t1);
        w->r->watch = w->between.time, w->r->watch_count = w->between.count;
    }
    w->r->beyond = w->rest;
    return run_step(w->r, t1, w->z1, &inside);
}

// From where run_step() left the state. Without a jump there the series is the one that reach() found, its first coefficients being the state.
static run_status go_on(stepper *w) {
    const run *r = w->r;
    const uint32_t n = w->now.n;
    double *old = (double *)w->now.c, *c = w->next;
    for (uint32_t i = 0; i < n; i++) w->z[i] = (long double)r->z[i] + r->rest[i];
    if (r->moved && !r->f->jet(r->f, r->t, r->z, w->now.order, c)) return RUN_NOT_FINITE;
    memcpy(c, r->z, sizeof(double) * n);
    w->now.c = c, w->now.t = r->t, w->next = old;
    if (w->head) jets_of_solution_long(w->fine, r->t, w->z, w->head, w->c);
    return RUN_DONE;
}

static run_status step(stepper *w) {
    run *r = w->r;
    double h = step_of(&w->now, &w->growth);
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
    return status || last ? status : go_on(w);
}

static run_status integrate(run *r) {
    const uint32_t n = r->f->size, order = order_for(r->tolerance), events = r->f->system->events ? r->f->system->events->output_count : 0;
    const size_t size = (size_t)n * (order + 1);
    const uint32_t head = r->wide ? order - 1 : r->tolerance < FINEST ? HEAD : 0; // what the last coefficient adds is no larger than the tolerance
    double *c = calloc(2 * size + 4 * n + (size_t)events * (order + 1) + 1, sizeof *c), *more = c + 2 * size;
    long double *wide = memory_resize(NULL, sizeof(long double) * n * (head + 3));
    stepper w = {.r = r, .growth = INFINITY, .now = {n, order, r->t, c}, .next = c + size, .z1 = more, .f1 = more + n, .slope = more + 2 * n, .rest = more + 3 * n, .event_series = more + 4 * n,
                 .z = wide, .wide1 = wide + n, .c = wide + 2 * n, .head = head};
    for (uint32_t i = 0; i < n; i++) w.z[i] = (long double)r->z[i] + r->rest[i];
    if (head) {
        w.fine = jets_create_long(r->f->system->rate, true, r->f->system->parameter_value);
        jets_of_solution_long(w.fine, r->t, w.z, head, w.c);
    }
    if (events) w.watched = jets_create(r->f->system->events, false, r->f->system->parameter_value);
    run_status status = r->f->jet(r->f, r->t, r->z, order, c) ? RUN_DONE : RUN_NOT_FINITE;
    while (!status && r->t < r->end) status = step(&w);
    r->watch = NULL, r->watch_count = 0, r->beyond = NULL;
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
