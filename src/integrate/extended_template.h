// A run in extended precision. Included after a scalar_*.h with
//   ROUNDING  as in taylor_template.h
// The file that includes it defines put_number().
#define SUM SCALAR
#include "integrate/taylor.h"
#include "integrate/taylor_template.h"
#include "integrate/extended.h"
#include "integrate/shifts.h"

#include <string.h>

enum { MOST_ORDER = 60 };

// 123.4 with all its digits
static void put_number(SCALAR value, text *out);

typedef struct {
    extended base;
    stepper steps; // its series is where rows are taken from: a constant before the first step
    NAME(jets) * rate, *columns, *watch; // the last NULL where nothing should stay
    SCALAR *state, *made, *row; // the state of a row; the row in the making, the last finite one
    SCALAR *watched, *watched_first; // what should stay, now and at the start
    double *doubles;
    double *turns; // that its angles have lost
} precise;

static precise *precise_of(stepper *w) { return (precise *)w->in->extended; }

// --- coefficients --------------------------------------------------------------------------------

static bool coefficients_at(stepper *w, SCALAR t, const SCALAR *z, SCALAR *out) {
    w->in->f->jet_calls++;
    return JETS(of_solution)(precise_of(w)->rate, t, z, w->now.order, out);
}

static bool slope_at(stepper *w, SCALAR t, const SCALAR *z, SCALAR *out) {
    const uint32_t n = w->now.n;
    w->in->f->rate_calls++;
    const bool finite = JETS(of_solution)(precise_of(w)->rate, t, z, 1, w->next);
    memcpy(out, w->next + n, sizeof(SCALAR) * n);
    return finite;
}

static void find_norms(const stepper *w, double *before, double *last) {
    each_norms(&w->now, before, last);
}
static void advance(stepper *w, double t1) { each_end(w, t1); }
static bool continues(const stepper *w, double t1, const SCALAR *f1) {
    return each_continues(w, t1, f1);
}

// the coefficients are as wide as the sum
static void find_head(stepper *w, double t) { (void)w, (void)t; }

static const double *rounded(stepper *w, uint32_t count, const SCALAR *value) {
    double *out = precise_of(w)->doubles;
    for (uint32_t i = 0; i < count; i++) out[i] = (double)value[i];
    return out;
}

static const double *beyond(stepper *w) { return (void)w, NULL; } // the state is here

static SCALAR period_of(const integration *in, uint32_t coordinate) {
    return number_of(in->shifts->period[coordinate]);
}

// The driver takes whole turns off the angles of in->z; here they are taken off the state.
static void unwind(precise *p, const integration *in, SCALAR *z) {
    for (uint32_t i = 0; in->shifts && i < in->f->sim->eq->system->n; i++) {
        const double more = in->turns[i] - p->turns[i];
        if (more != 0) z[i] -= more * period_of(in, i), p->turns[i] = in->turns[i];
    }
}

static run_status go_on(stepper *w, double t1, state_change change) {
    if (change == STATE_SHIFTED) {
        unwind(precise_of(w), w->in, w->sum1);
        memcpy(w->next, w->sum1, sizeof(SCALAR) * w->now.n);
    }
    turn_over(w, t1);
    return RUN_DONE;
}

static void evaluate(const dense *d, double t, double *z) {
    const stepper *w = d->data;
    SCALAR *state = ((precise *)w->in->extended)->state;
    values_at(&w->now, t, state);
    for (uint32_t i = 0; i < w->now.n; i++) z[i] = (double)state[i];
}

// --- rows ----------------------------------------------------------------------------------------

// As in run.c, in extended precision: n/20 at an interval of 1/20
static SCALAR time_of_row(const integration *in, int64_t number) {
    const double each = rows_in_a_unit(in->request->interval);
    const SCALAR n = (SCALAR)number, begin = number_of(in->f->sim->exact.t);
    return begin + (each > 0 ? n / each : n * in->request->interval);
}

static bool row(extended *base, const integration *in, int64_t number, double t, double *out) {
    precise *p = (precise *)base;
    const uint32_t count = in->f->sim->column_count;
    const SCALAR at = number == ROW_WITHOUT_NUMBER ? t : time_of_row(in, number);
    values_at(&p->steps.now, at, p->state);
    const bool finite = JETS(along)(p->columns, at, p->state, 0, p->made);
    for (uint32_t i = 0; in->shifts && i < in->f->sim->eq->system->n; i++)
        if (p->turns[i] != 0) p->made[1 + i] += p->turns[i] * period_of(in, i); // behind t
    for (uint32_t i = 0; i < count; i++) out[i] = (double)p->made[i];
    if (!finite) return false;
    memcpy(p->row, p->made, sizeof(SCALAR) * count);
    return true;
}

static void watch(extended *base, double t, double *change) {
    precise *p = (precise *)base;
    values_at(&p->steps.now, t, p->state);
    JETS(along)(p->watch, t, p->state, 0, p->watched);
    for (uint32_t i = 0; i < p->steps.in->f->sim->watched_count; i++)
        change[i] = (double)LIBRARY(fabs)(p->watched[i] - p->watched_first[i]);
}

static expansion value(const extended *base, uint32_t column) {
    SCALAR rest = ((const precise *)base)->row[column];
    expansion out;
    for (int i = 0; i < EXPANSION_PARTS; i++) out.part[i] = (double)rest, rest -= out.part[i];
    return out;
}

static void put(const extended *base, uint32_t column, text *out) {
    put_number(((const precise *)base)->row[column], out);
}

// --- the run -------------------------------------------------------------------------------------

static run_status integrate(extended *base, integration *in) {
    precise *p = (precise *)base;
    p->steps.in = in;
    return go(&p->steps);
}

// The steps and rows of a system; time and state are still to be set.
static void open_system(precise *p, const field *f, taylor_plan plan) {
    const simulation *sim = f->sim;
    SCALAR *parameter = memory_array(SCALAR, sim->parameter_count + 1);
    for (uint32_t i = 0; i < sim->parameter_count; i++)
        parameter[i] = number_of(sim->exact.parameter[i]);
    p->rate = JETS(create)(sim->rate, true, parameter),
    p->columns = JETS(create)(sim->columns, false, parameter);
    p->watch = sim->watch ? JETS(create)(sim->watch, false, parameter) : NULL;
    p->steps = (stepper){0};
    prepare(&p->steps, f, plan, 0);
    memory_free(parameter);
}

static void close_system(precise *p) {
    finish(&p->steps);
    JETS(free)(p->rate), JETS(free)(p->columns);
    JETS(free)(p->watch);
}

// Until the next step begins the series is the state alone.
static void settle(precise *p, const integration *in) {
    unwind(p, in, p->steps.z);
    for (uint32_t i = 0; i < p->steps.now.n; i++) p->steps.memory[i] = p->steps.z[i];
}

static void move(extended *base, double t, const field *to, const uint32_t *from) {
    precise *p = (precise *)base;
    values_at(&p->steps.now, t, p->state);
    JETS(along)(p->columns, t, p->state, 0, p->made);
    const taylor_plan plan = {p->steps.now.order, p->steps.now.reach};
    const integration *in = p->steps.in;
    close_system(p);
    open_system(p, to, plan);
    p->steps.now.t = t;
    for (uint32_t i = 0; i < to->size; i++) p->steps.z[i] = p->made[from[i]];
    settle(p, in);
}

static void renew(extended *base, const integration *in) {
    precise *p = (precise *)base;
    const taylor_plan plan = {p->steps.now.order, p->steps.now.reach};
    values_at(&p->steps.now, in->t, p->state);
    close_system(p);
    open_system(p, in->f, plan);
    p->steps.now.t = in->t;
    for (uint32_t i = 0; i < in->f->size; i++) p->steps.z[i] = p->state[i];
    settle(p, in);
}

static void release(extended *base) {
    precise *p = (precise *)base;
    close_system(p);
    memory_free(p->state), memory_free(p->doubles), memory_free(p->turns);
    memory_free(p);
}

extended *NAME(extended_create)(const integration *in) {
    const simulation *sim = in->f->sim;
    const uint32_t n = sim->o->size, count = sim->column_count;
    precise *p = memory_new(precise);
    *p = (precise){.base = {.integrate = integrate,
                            .move = move,
                            .renew = renew,
                            .row = row,
                            .watch = watch,
                            .value = value,
                            .put = put,
                            .release = release}};
    open_system(p, in->f, taylor_usual(in->request->tolerance, MOST_ORDER));
    const size_t series_size = (size_t)n * (p->steps.now.order + 1);
    p->steps.now.t = number_of(sim->exact.t);
    for (uint32_t i = 0; i < n; i++)
        p->steps.memory[i] = p->steps.z[i] = number_of(sim->exact.z[i]);
    p->state = memory_array(SCALAR, n + 4 * (size_t)count);
    p->made = p->state + n, p->row = p->made + count;
    p->watched = p->row + count, p->watched_first = p->watched + count;
    if (p->watch) JETS(along)(p->watch, p->steps.now.t, p->steps.z, 0, p->watched_first);
    p->doubles = memory_array(double, series_size);
    p->turns = memory_zeros(double, n + 1);
    return &p->base;
}
