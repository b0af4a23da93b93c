// The steps of Taylor's method. Included after a scalar_*.h with
//   SUM       the type in which states are added up: as wide as SCALAR, or wider
//   ROUNDING  the part of a slope that many roundings may change
// The file that includes it says where the coefficients come from: the functions that
// are declared here and not defined.
#include "integrate/taylor.h"
#include "integrate/step_control.h"
#include "execute/jets.h"
#include "integrate/series_end.h"
#include "integrate/sight.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { LOOK_BACK = 6, ABREAST = 2 };

typedef struct {
    uint32_t n, order;
    uint32_t leading; // components that the step is chosen by, the first ones
    double reach;     // see taylor.h
    SCALAR t;
    const SCALAR *c; // c[k * n + i], and one place more
} series;

typedef struct {
    integration *in;
    series now;
    SCALAR *next;  // coefficients at the end of the step
    double growth; // see step_of()
    taylor_plan usual;
    uint32_t hard; // steps that were longer than one can see at once
    double follow; // the part of a step that those follow which do not choose it
    SCALAR *z1, *f1, *slope;
    SUM *z, *sum1; // the states at both ends
    uint32_t head;
    SUM *c; // coefficients 0 .. head of the step in the type of the sum; none if head is 0
    curve path;
    SCALAR *memory;
    SUM *sums;
} stepper;

// Coefficients 0 .. order at (t, z), or the slope only. False where one is not a finite number.
static bool coefficients_at(stepper *w, SCALAR t, const SCALAR *z, SCALAR *out);
static bool slope_at(stepper *w, SCALAR t, const SCALAR *z, SCALAR *out);
// w->c at t and w->z
static void find_head(stepper *w, double t);
// The nearest doubles; good until the next call.
static const double *rounded(stepper *w, uint32_t count, const SCALAR *value);
static void evaluate(const dense *d, double t, double *z); // data: the stepper
// What the state at the end has beyond the doubles of w->z1; NULL: the driver need not
// know. Good until the next call.
static const double *beyond(stepper *w);
// From the end of a step, where the driver left the state: turn_over(), and
// what is to be done before it.
static run_status go_on(stepper *w, double t1, state_change change);
// What follows from the coefficients: by each_norms(), each_end() and each_continues(), which
// serve for every scalar, or in another way.
static void find_norms(const stepper *w, double *before, double *last); // of the last two
static void advance(stepper *w, double t1);
static bool continues(const stepper *w, double t1, const SCALAR *f1);

// --- the polynomial ------------------------------------------------------------------------------

// The ends of some series and their derivatives: q = c_from + c_{from+1} s + .. + c_order
// s^(order-from), 0 if from > order
typedef struct {
    SCALAR q[ABREAST], dq[ABREAST];
} tail;

// Even and odd powers apart, q = e(s^2) + s o(s^2), so that neither waits for the other; the
// derivatives beside them. Those of component i and of its neighbours (behind the last one is what
// follows in memory: nobody looks at the result), a vector for the compiler.
static tail tail_at(const series *p, uint32_t i, uint32_t from, SCALAR s) {
    const ptrdiff_t n = p->n;
    const SCALAR *c = p->c + p->order * n + i, *first = p->c + from * n + i, square = s * s;
    SCALAR even[ABREAST] = {0}, odd[ABREAST] = {0}, even_slope[ABREAST] = {0},
           odd_slope[ABREAST] = {0};
    tail out;
    if ((p->order - from) % 2 == 0) {
        for (int a = 0; a < ABREAST; a++) even[a] = c[a];
        c -= n;
    }
    for (; c > first; c -= 2 * n)
        for (int a = 0; a < ABREAST; a++) {
            odd_slope[a] = odd_slope[a] * square + odd[a], odd[a] = odd[a] * square + c[a];
            even_slope[a] = even_slope[a] * square + even[a], even[a] = even[a] * square + c[a - n];
        }
    for (int a = 0; a < ABREAST; a++) {
        out.q[a] = even[a] + s * odd[a];
        out.dq[a] = odd[a] + 2 * s * (even_slope[a] + s * odd_slope[a]);
    }
    return out;
}

static void values_at(const series *p, SCALAR t, SCALAR *z) {
    const SCALAR s = t - p->t;
    tail rest = {0};
    for (uint32_t i = 0; i < p->n; i++) {
        if (i % ABREAST == 0) rest = tail_at(p, i, 2, s);
        z[i] = p->c[i] + s * (p->c[p->n + i] + s * rest.q[i % ABREAST]);
    }
}

// Where the state is added up in a wider type, many steps are off by the errors of the coefficients
// only, not by those of adding them; with the first coefficients in that type (`head` of them, at
// the state unrounded) these errors lose most of their weight too. On the way the slopes of the
// polynomial at the end of the step: (s g + c)' = s g' + g.
static inline void each_end(stepper *w, double t1) {
    const series *p = &w->now;
    const SUM h = (SUM)t1 - p->t; // in double it need not be exact
    const uint32_t n = p->n;
    const SCALAR s = (SCALAR)h;
    tail rest = {0};
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = i % ABREAST;
        const SCALAR *own = p->c + w->head * n + i;
        if (!a) rest = tail_at(p, i, w->head + 2, s);
        SCALAR g = own[n] + s * rest.q[a], dg = rest.q[a] + s * rest.dq[a];
        SUM sum = own[n] + (SUM)(s * rest.q[a]);
        for (uint32_t k = w->head; k > 0; k--, own -= n) {
            dg = dg * s + g, g = g * s + *own;
            sum = sum * h + w->c[k * n + i];
        }
        w->sum1[i] = w->z[i] + h * sum;
        w->z1[i] = (SCALAR)w->sum1[i];
        w->slope[i] = g + s * dg;
    }
}

// --- the step ------------------------------------------------------------------------------------

// The largest coefficient k, with both norms of Jorba and Zou for each component: relative where it
// is large, absolute where it is small. Coefficients are finite here.
static double each_norm(const series *p, uint32_t k) {
    const SCALAR *c = p->c + k * p->n;
    double most = 0;
    for (uint32_t i = 0; i < p->leading; i++) {
        const double size = fabs((double)c[i]), scale = fabs((double)p->c[i]),
                     scaled = scale > 1 ? size / scale : size;
        if (scaled > most) most = scaled;
    }
    return most;
}

static void each_norms(const series *p, double *before, double *last) {
    *before = each_norm(p, p->order - 1), *last = each_norm(p, p->order);
}

// log2 to 0.087, below it
static double rough_log2(double x) {
    static const double UNIT = 1 / 4503599627370496.0; // 2^-52
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (double)bits * UNIT - 1023;
}

// log of 1/radius from the coefficients k - 1 and k: the larger of (log |c|) / order; of the
// smaller one a logarithm is taken only where it is close
static double rate_of_growth(double before, double last, uint32_t k) {
    static const double ROUGH = 0.087;
    const double a = rough_log2(before), b = rough_log2(last);
    if (a * k > (b + ROUGH) * (k - 1)) return log(before) / (k - 1);
    if (b * (k - 1) > (a + ROUGH) * k) return log(last) / k;
    return fmax(log(before) / (k - 1), log(last) / k);
}

// Jorba and Zou 2005, (3-8): the radius from the last two coefficients, and the part of it that the
// plan has. Where it is suddenly
// larger than it was a step before, those may vanish by a symmetry of the solution, as in
// exp(t^3), and some before them are asked too.
static double step_of(const series *p, double size_before, double size, double *growth) {
    static const double SUDDEN = 0.4; // log(1.5)
    const uint32_t last = p->order;
    double now = rate_of_growth(size_before, size, last);
    if (now < *growth - SUDDEN) {
        double before = -INFINITY;
        for (uint32_t k = last > LOOK_BACK + 1 ? last - LOOK_BACK : 2; k + 2 <= last; k++)
            before = fmax(before, log(each_norm(p, k)) / k);
        if (now < before - SUDDEN) now = before;
    }
    *growth = now;
    return exp(p->reach - now);
}

// At the end of a good step the slope of the polynomial is that of the equations: their difference
// is the defect of the solution there, about `order` times the error of the step over its length.
// This catches a step from coefficients that happened to be small, and a branch or a kink between.
static double allowed_defect(const stepper *w) {
    static const double GENEROUS = 2;
    const double defect = GENEROUS * w->now.order * w->in->request->tolerance;
    return defect > ROUNDING ? defect : ROUNDING;
}

static inline bool each_continues(const stepper *w, double t1, const SCALAR *f1) {
    const series *p = &w->now;
    const SCALAR h = (SCALAR)((SUM)t1 - p->t), part = allowed_defect(w), *f0 = p->c + p->n;
    bool good = true;
    for (uint32_t i = 0; i < p->n; i++)
        good &= h * LIBRARY(fabs)(w->slope[i] - f1[i]) <=
                part * (1 + LIBRARY(fabs)(w->z1[i]) +
                        h * (LIBRARY(fabs)(f1[i]) + LIBRARY(fabs)(f0[i])));
    return good;
}

// The same at places inside the step, where ranges could not exclude everything.
static bool continues_inside(stepper *w, double h) {
    if (sight_is_sure(w->in)) return true;
    curve_of_series(&w->path, w->now.n, w->now.order,
                    rounded(w, w->now.n * (w->now.order + 1), w->now.c), w->in->t, h);
    return taylor_continues_inside(w->in->f, &w->path, h, w->in->request->tolerance);
}

// The end of a step is accepted once the series there has been found: its
// first coefficient is the slope.
static bool reach(stepper *w, double t1, bool last, bool *finite) {
    const uint32_t n = w->now.n;
    advance(w, t1);
    if (sight_is_needed(w->in) && !sight_keeps_energy(w->in, t1, rounded(w, n, w->z1)))
        return *finite = true, false;
    *finite = last ? slope_at(w, t1, w->z1, w->f1) : coefficients_at(w, t1, w->z1, w->next);
    return *finite && continues(w, t1, last ? w->f1 : w->next + n);
}

// Who follows the step along its polynomial: the search for events and the watch of the rank
static bool is_followed(const stepper *w) {
    const integration *in = w->in;
    return (in->f->events && !in->request->ignores_events) || in->f->sim->rank_changes;
}

// Events are looked for in double.
static outcome take(stepper *w, double t1) {
    const dense inside = {.at = evaluate, .data = w, .order = w->now.order};
    integration *in = w->in;
    const curve *path = NULL;
    if (is_followed(w)) {
        curve_of_series(&w->path, w->now.n, w->now.order,
                        rounded(w, w->now.n * (w->now.order + 1), w->now.c), in->t, t1 - in->t);
        curve_keep(&w->path); // the rounded coefficients are lost with the next ones
        path = &w->path;
    }
    return integration_accept(in, &(accepted_step){.from = in->t,
                                                   .to = t1,
                                                   .z = rounded(w, w->now.n, w->z1),
                                                   .rest = beyond(w),
                                                   .inside = &inside,
                                                   .path = path,
                                                   .pace = {w->hard}});
}

// The series at the end of a step is that of the next one.
static void turn_over(stepper *w, double t1) {
    SCALAR *old = (SCALAR *)w->now.c;
    SUM *spent = w->z;
    w->now.c = w->next, w->now.t = t1, w->next = old;
    w->z = w->sum1, w->sum1 = spent;
    if (w->head) find_head(w, t1);
}

// A step goes no farther than one can see along its polynomial; a long one that is not clear at
// once is made as long as usual first.
static double seen(stepper *w, double h) {
    if (!sight_is_needed(w->in)) return h;
    curve_of_series(&w->path, w->now.n, w->now.order,
                    rounded(w, w->now.n * (w->now.order + 1), w->now.c), w->in->t, h);
    if (w->now.order > w->usual.order) {
        if (sight_is_clear(w->in, &w->path, h)) return h;
        w->hard++;
        const double usual = h * exp(w->usual.reach - w->now.reach);
        return fmin(usual, sight_of_step(w->in, &w->path, usual));
    }
    return sight_of_step(w->in, &w->path, h);
}

// Where ranges often do not see to the end of long steps, they are as long as usual.
static void shorten_steps(stepper *w) {
    if (w->hard < TAYLOR_MOST_HARD || w->now.order <= w->usual.order) return;
    w->now.order = w->usual.order, w->now.reach = w->usual.reach;
    w->growth = INFINITY;
}

// Columns may not follow where z, which chooses the steps, has come to rest: what a step had to be
// shortened by is kept, and given back little by little.
static void note_follow(stepper *w, double shortened) {
    static const double BACK = 1.1;
    if (w->now.leading == w->now.n) return;
    w->follow = shortened < 1 ? w->follow * shortened : fmin(1, BACK * w->follow);
}

static run_status step(stepper *w) {
    integration *in = w->in;
    double before, size;
    shorten_steps(w);
    find_norms(w, &before, &size);
    double h = step_of(&w->now, before, size, &w->growth) * w->follow, shortened = 1;
    bool last = step_control_is_last(in, h), finite = true;
    if (last) h = integration_end(in) - in->t;
    const double clear = seen(w, h);
    if (clear < h) h = clear, last = false;
    while (true) {
        if (step_control_is_too_small(in->t, h)) return finite ? RUN_UNDERFLOW : RUN_NOT_FINITE;
        if (continues_inside(w, h) &&
            reach(w, last ? integration_end(in) : in->t + h, last, &finite))
            break;
        in->rejected++;
        const double part = finite ? 0.5 : 0.25;
        h *= part, shortened *= part;
        last = false;
    }
    note_follow(w, shortened);
    const double t1 = last ? integration_end(in) : in->t + h;
    const outcome answer = take(w, t1);
    // Stopped with the series of the step, in which the state is found where the driver stopped
    return answer.status || last ? answer.status : go_on(w, t1, answer.change);
}

// --- the run -------------------------------------------------------------------------------------

// Memory for steps of this plan; run, state and time are still to be set.
static void prepare(stepper *w, const field *f, taylor_plan plan, uint32_t head) {
    const uint32_t n = f->size, order = plan.order;
    const size_t size = (size_t)n * (order + 1), room = series_end_room(n);
    SCALAR *c = memory_zeros(SCALAR, 2 * size + 3 * room + 1), *more = c + 2 * size;
    SUM *sums = memory_array(SUM, (size_t)n * (head + 3) + 1);
    w->growth = INFINITY, w->head = head, w->usual = plan, w->follow = 1;
    const simulation *first = f->sim->leading ? f->sim->leading : f->sim;
    w->now =
        (series){.n = n, .order = order, .leading = first->o->size, .reach = plan.reach, .c = c};
    w->memory = c, w->next = c + size, w->z1 = more, w->f1 = more + room,
    w->slope = more + 2 * room;
    w->sums = sums, w->z = sums, w->sum1 = sums + n, w->c = sums + 2 * n;
}

// From w->z at w->now.t to the end
static run_status go(stepper *w) {
    integration *in = w->in;
    for (uint32_t i = 0; i < w->now.n; i++) w->z1[i] = (SCALAR)w->z[i];
    run_status status = coefficients_at(w, w->now.t, w->z1, w->memory) ? RUN_DONE : RUN_NOT_FINITE;
    if (w->head && !status) find_head(w, in->t);
    while (!status && in->t < integration_end(in)) status = step(w);
    return status;
}

static void finish(stepper *w) {
    curve_free(&w->path);
    memory_free(w->memory), memory_free(w->sums);
}
