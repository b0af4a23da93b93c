// Taylor's method: the series of the solution, its order from the tolerance and the step from its
// last coefficients (Jorba and Zou 2005).
#include "integrate/taylor.h"

#include "integrate/integrator.h"
#include "execute/scalar_double.h"
#include "integrate/extended.h"

static const double ROUNDING = 1e-14;
#define SUM long double
#include "integrate/taylor_template.h"

enum { LEAST_ORDER = 4, MOST_ORDER = 30 };

static const double FINEST = 1e-15; // below it a tolerance asks for all that a double can hold

uint32_t taylor_order(double tolerance, uint32_t most) {
    const double order = ceil(-log(tolerance) / 2 + 1);
    return order < LEAST_ORDER ? LEAST_ORDER : order < most ? (uint32_t)order : most;
}

typedef struct {
    stepper steps;
    jets_long *fine; // of the first coefficients; NULL: they are not asked for
    double *rest;    // what the state at the end of the step has beyond double
} doubles;

static bool coefficients_at(stepper *w, double t, const double *z, double *out) {
    return w->in->f->jet(w->in->f, t, z, w->now.order, out);
}
static bool slope_at(stepper *w, double t, const double *z, double *out) {
    return w->in->f->rate(w->in->f, t, z, out);
}
static void find_head(stepper *w, double t) {
    jets_long_of_solution(((doubles *)w)->fine, t, w->z, w->head, w->c);
}

static const double *rounded(stepper *w, uint32_t count, const double *value) {
    (void)w, (void)count;
    return value;
}

static void evaluate(const dense *d, double t, double *z) {
    values_at(&((const stepper *)d->data)->now, t, z);
}

static const double *beyond(stepper *w) {
    if (!w->in->request->wants_rest) return NULL; // nobody changes the state
    double *rest = ((doubles *)w)->rest;
    for (uint32_t i = 0; i < w->now.n; i++) rest[i] = (double)(w->sum1[i] - w->z1[i]);
    return rest;
}

// The driver may have moved the state onto constraints, or taken turns off
// angles, which no slope sees.
static run_status go_on(stepper *w, double t1, state_change change) {
    const integration *in = w->in;
    if (change == STATE_MOVED && !coefficients_at(w, t1, in->z, w->next)) return RUN_NOT_FINITE;
    if (change != STATE_KEPT)
        for (uint32_t i = 0; i < w->now.n; i++)
            w->next[i] = in->z[i], w->sum1[i] = (long double)in->z[i] + in->rest[i];
    turn_over(w, t1);
    return RUN_DONE;
}

static run_status integrate(integration *in) {
    if (in->extended) return in->extended->integrate(in->extended, in);
    const uint32_t order = taylor_order(in->request->tolerance, MOST_ORDER);
    // What the last coefficient adds is no larger than the tolerance
    const uint32_t head = in->request->tolerance < FINEST ? order - 1 : 0;
    doubles w = {0};
    prepare(&w.steps, in->f, order, head);
    if (head) w.fine = jets_long_beside(in->f->sim->rate, true, in->f->sim->parameter_value);
    w.rest = memory_array(double, in->f->size + 1);
    w.steps.in = in, w.steps.now.t = in->t;
    for (uint32_t i = 0; i < in->f->size; i++) w.steps.z[i] = (long double)in->z[i] + in->rest[i];
    const run_status status = go(&w.steps);
    jets_long_free(w.fine);
    memory_free(w.rest);
    finish(&w.steps);
    return status;
}

// cosh(1000) is too large for a double where tanh and its slope are not.
static bool overflows(const integration *in) {
    field *f = in->f;
    const uint32_t order = taylor_order(in->request->tolerance, MOST_ORDER);
    const uint64_t rates = f->rate_calls, jets = f->jet_calls;
    double *c = memory_array(double, (size_t)f->size *(order + 1) + 1);
    const bool found = f->rate(f, in->t, in->z, c) && !f->jet(f, in->t, in->z, order, c);
    f->rate_calls = rates, f->jet_calls = jets; // these are no evaluations of the run
    memory_free(c);
    return found;
}

static const char *refusal(const integration *in) {
    const char *kink = jet_kink(in->f->sim->rate);
    if (kink)
        return "its equations have abs, sign, min or max in them, and a power series does not pass "
               "a kink";
    if (!in->f->jet) return "there are no Taylor coefficients of the equations";
    return in->z && overflows(in)
               ? "the Taylor coefficients of the equations are too large for a double at the start"
               : NULL;
}

// --- before a run --------------------------------------------------------------------------------

// Coefficients up to the order p: a product is a sum of k terms for coefficient k, p^2/2 of them,
// which are done several at a time; what is linear costs p.
static double work_of_series(const tape *t, double p) {
    static const double TERM = 0.8, LINEAR = 1; // TERM: a product and a sum
    jet_plan *plan = jet_plan_create(t, true);
    double sum = forecast_of_tape(t);
    for (uint32_t i = 0; i < plan->count; i++) {
        const jet_operation *o = &plan->operation[i];
        const double n = o->kind == JET_SOLVED ? plan->system[o->a].of->n : 1;
        switch (o->kind) {
        case JET_MUL:
        case JET_DIV:
        case JET_OVER:
        case JET_POW:
        case JET_SOLVED: sum += n * n * (TERM * p * p / 2 + LINEAR * p); break;
        case JET_SQUARE:
        case JET_SQRT: sum += TERM * p * p / 4 + LINEAR * p; break;
        default: sum += LINEAR * p; break;
        }
    }
    jet_plan_free(plan);
    return sum;
}

// By the interpreter, so that nothing is compiled for it, and the same on every processor
static bool foresee(integration *in, forecast *out) {
    const simulation *sim = in->f->sim;
    const uint32_t n = in->f->size, order = taylor_order(in->request->tolerance, MOST_ORDER);
    jets *j = jets_create(sim->rate, true, sim->parameter_value, false);
    double *c = memory_zeros(double, (size_t)n *(order + 1) + 1), growth = INFINITY;
    const bool known = jets_of_solution(j, in->t, in->z, order, c);
    if (known) {
        out->step = fmin(step_of(&(series){.n = n, .order = order, .c = c}, &growth),
                         in->request->end - in->t);
        out->more_steps = 0;
        out->operations = work_of_series(sim->rate, order);
        out->words = arena_format(&sim->m->ctx->arena, "a series of order %u in %.0f operations",
                                  order, forecast_rounded(out->operations));
    }
    memory_free(c);
    jets_free(j);
    return known && out->step > 0;
}

const integrator integrator_taylor = {
    .id = "taylor",
    .name = "Taylor series of variable order",
    .paper = "Jorba and Zou 2005",
    .about = "smooth equations, which is nearly all of mechanics; high accuracy; long runs",
    .order = 0,
    .smooth = true,
    .stable = 1.3,
    .stable_an_order = 0.375,
    .extended = true,
    .refusal = refusal,
    .foresee = foresee,
    .integrate = integrate,
};
