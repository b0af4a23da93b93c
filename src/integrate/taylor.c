// Taylor's method: the series of the solution, its order from the tolerance and the step from its
// last coefficients (Jorba and Zou 2005).
#include "integrate/taylor.h"

#include "integrate/integrator.h"
#include "execute/scalar_double.h"
#include "integrate/extended.h"

static const double ROUNDING = 1e-14;
#define SUM long double
#include "integrate/taylor_template.h"

enum { LEAST_ORDER = 4 };

static const double FINEST = 1e-15; // below it a tolerance asks for all that a double can hold

taylor_plan taylor_usual(double tolerance, uint32_t most) {
    const double best = ceil(-log(tolerance) / 2 + 1);
    const uint32_t order = best < LEAST_ORDER ? LEAST_ORDER : best < most ? (uint32_t)best : most;
    return (taylor_plan){order, -2 - 0.7 / (order - 1)};
}

// --- the order of the least work -----------------------------------------------------------------

// In operations: what a step has whatever its order, the time that each coefficient waits for the
// one before, and a product and a sum, of which many are done at once
static const double WORK_OF_STEP = 400, WORK_OF_WAITING = 40, WORK_OF_TERM = 0.15;

// What the series of these rates consist of: products, in which coefficient k is a sum of k terms,
// and operations of any kind, each done once for a coefficient.
typedef struct {
    double products, operations;
} series_load;

static series_load load_of(const tape *t) {
    jet_plan *plan = jet_plan_create(t, true);
    series_load all = {0};
    for (uint32_t i = 0; i < plan->count; i++) {
        const jet_operation *o = &plan->operation[i];
        const double n = o->kind == JET_SOLVED ? plan->system[o->a].of->n : 1;
        switch (o->kind) {
        case JET_MUL:
        case JET_DIV:
        case JET_OVER:
        case JET_POW:
        case JET_SOLVED: all.products += n * n; break;
        case JET_SQUARE:
        case JET_SQRT: all.products += 0.5; break;
        default: break;
        }
        if (o->kind != JET_ONCE) all.operations += n * n;
    }
    jet_plan_free(plan);
    return all;
}

// With coefficients that fall as radius^-k a step of q times the radius leaves out
//   q^(p+1) + q^(p+2) + .. = q^(p+1)/(1 - q).
// log q of the order p that leaves out as much as the usual plan does
static double reach_of(uint32_t p, taylor_plan usual) {
    enum { ROUNDS = 8 }; // each has a tenth of the error of the one before
    const double left_out = (usual.order + 1) * usual.reach - log1p(-exp(usual.reach));
    double reach = usual.reach;
    for (int i = 0; i < ROUNDS; i++) reach = (left_out + log1p(-exp(reach))) / (p + 1);
    return reach;
}

// Where each look along a step takes long
static bool is_long(const simulation *sim) {
    enum { SHORT_RATE = 64 }; // steps of the tape
    return sim->rate->step_count > SHORT_RATE;
}

// The usual order is best where all work is sums of products, p^2/2 terms each. Of what else there
// is in a step there is less where steps are longer, and a higher order costs no more than it
// saves: the least work for a unit of time among the plans that err as much. Where ranges have to
// see along a step, a longer one takes more looks, which is worth it while they are short. It does
// not depend on parameters or on the state.
static taylor_plan find_plan(const simulation *all, double tolerance, bool looks) {
    enum { MOST = 28 }; // order: beyond it little is won
    const simulation *sim = all->leading ? all->leading : all;
    const taylor_plan usual = taylor_usual(tolerance, TAYLOR_MOST_ORDER);
    if (tolerance < FINEST || sim->rank_changes || (looks && is_long(sim))) return usual;
    const double products = load_of(sim->rate).products,
                 each = WORK_OF_STEP + forecast_of_tape(sim->rate);
    static const double FARTHEST = 0.25; // of the radius, which is known roughly only
    taylor_plan best = usual;
    double least = INFINITY;
    for (uint32_t p = usual.order; p <= MOST; p++) {
        const double reach = reach_of(p, usual),
                     work = each + WORK_OF_WAITING * p + WORK_OF_TERM * products * p * p / 2,
                     pace = work / exp(reach);
        if (pace < least && exp(reach) < FARTHEST) least = pace, best = (taylor_plan){p, reach};
    }
    return best;
}

// Found once for a field
static taylor_plan plan_of(integration *in) {
    field *f = in->f;
    const double tolerance = in->request->tolerance;
    if (f->series_plan.order && f->series_plan.tolerance == tolerance)
        return (taylor_plan){f->series_plan.order, f->series_plan.reach};
    const simulation *sim = f->sim->leading ? f->sim->leading : f->sim;
    const taylor_plan best = find_plan(f->sim, tolerance, is_long(sim) && sight_may_be_needed(in));
    f->series_plan.tolerance = tolerance;
    f->series_plan.order = best.order, f->series_plan.reach = best.reach;
    return best;
}

typedef struct {
    stepper steps;
    const series_end *by;
    jets_long *fine; // of the first coefficients; NULL: they are not asked for
    // what the states at both ends have beyond double; with `fine` they are in long double, and
    // this is where the driver gets it
    double *low, *low1;
    double *memory;
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

static void find_norms(const stepper *w, double *before, double *last) {
    const series *p = &w->now;
    ((const doubles *)w)->by->norms(p->leading, p->n, p->c, p->order, before, last);
}

// t1 - t = h + h_low
static void advance(stepper *w, double t1) {
    const series *p = &w->now;
    const doubles *d = (const doubles *)w;
    if (w->head) {
        each_end(w, t1);
        return;
    }
    const double h = t1 - p->t, back = h - t1, h_low = (t1 - (h - back)) - (p->t + back);
    d->by->advance(p->n, p->order, p->c, d->low, h, h_low, w->z1, d->low1, w->slope);
}

static bool continues(const stepper *w, double t1, const double *f1) {
    const series *p = &w->now;
    return ((const doubles *)w)
        ->by->continues(p->n, t1 - p->t, allowed_defect(w), w->slope, p->c + p->n, f1, w->z1);
}

static const double *beyond(stepper *w) {
    if (!w->in->request->wants_rest) return NULL; // nobody changes the state
    double *rest = ((doubles *)w)->low1;
    for (uint32_t i = 0; i < w->now.n && w->head; i++) rest[i] = (double)(w->sum1[i] - w->z1[i]);
    return rest;
}

// The driver may have moved the state onto constraints, or taken turns off
// angles, which no slope sees.
static run_status go_on(stepper *w, double t1, state_change change) {
    const integration *in = w->in;
    doubles *d = (doubles *)w;
    double *spent = d->low;
    if (change == STATE_MOVED && !coefficients_at(w, t1, in->z, w->next)) return RUN_NOT_FINITE;
    if (change != STATE_KEPT)
        for (uint32_t i = 0; i < w->now.n; i++)
            w->next[i] = in->z[i], d->low1[i] = in->rest[i],
            w->sum1[i] = (long double)in->z[i] + in->rest[i];
    d->low = d->low1, d->low1 = spent;
    turn_over(w, t1);
    return RUN_DONE;
}

static run_status integrate(integration *in) {
    if (in->extended) return in->extended->integrate(in->extended, in);
    const taylor_plan plan = plan_of(in);
    // What the last coefficient adds is no larger than the tolerance
    const uint32_t head = in->request->tolerance < FINEST ? plan.order - 1 : 0;
    doubles w = {.by = series_end_here()};
    prepare(&w.steps, in->f, plan, head);
    if (head) w.fine = jets_long_beside(in->f->sim->rate, true, in->f->sim->parameter_value);
    const uint32_t room = series_end_room(in->f->size);
    w.memory = memory_zeros(double, 2 * room + 1), w.low = w.memory, w.low1 = w.memory + room;
    w.steps.usual = taylor_usual(in->request->tolerance, TAYLOR_MOST_ORDER);
    w.steps.hard = (uint32_t)in->pace[0];
    w.steps.in = in, w.steps.now.t = in->t;
    for (uint32_t i = 0; i < in->f->size; i++) {
        w.steps.z[i] = (long double)in->z[i] + in->rest[i];
        w.low[i] = (double)(w.steps.z[i] - (double)w.steps.z[i]);
    }
    const run_status status = go(&w.steps);
    jets_long_free(w.fine);
    memory_free(w.memory);
    finish(&w.steps);
    return status;
}

// cosh(1000) is too large for a double where tanh and its slope are not.
static bool overflows(const integration *in) {
    integration start = *in;
    field *f = in->f;
    const uint32_t order = plan_of(&start).order;
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

// --- for those who follow a step -----------------------------------------------------------------

bool taylor_continues_inside(field *f, const curve *path, double h, double tolerance) {
    enum { PLACES = 7 };
    static const double EASY = 100; // a place next to 0/0 is known less closely
    const uint32_t n = path->n;
    double *z = memory_array(double, 3 * (n + 1)), *slope = z + n, *rate = slope + n;
    bool good = true;
    for (int k = 1; k <= PLACES && good; k++) {
        curve_at(path, n, h * k / (PLACES + 1), z, slope);
        good = f->rate(f, path->from + h * k / (PLACES + 1), z, rate);
        for (uint32_t i = 0; i < n && good; i++)
            good = h * fabs(slope[i] - rate[i]) <= EASY * fmax(path->order * tolerance, ROUNDING) *
                                                       (1 + fabs(z[i]) + h * fabs(rate[i]));
    }
    memory_free(z);
    return good;
}

void taylor_values(uint32_t n, uint32_t order, const double *c, double from, double t, double *z) {
    values_at(&(series){.n = n, .order = order, .t = from, .c = c}, t, z);
}

// --- before a run --------------------------------------------------------------------------------

// Coefficients up to the order p: a product is a sum of k terms for coefficient k, p^2/2 of them,
// which are done several at a time; what is linear costs p.
static double work_of_series(const tape *t, double p) {
    static const double TERM = 0.3, LINEAR = 0.75; // TERM: a product and a sum
    const series_load of = load_of(t);
    return forecast_of_tape(t) + TERM * p * p / 2 * of.products + LINEAR * p * of.operations;
}

// By the interpreter, so that nothing is compiled for it, and the same on every processor
static bool foresee(integration *in, forecast *out) {
    const simulation *sim = in->f->sim;
    const taylor_plan plan = plan_of(in);
    const uint32_t n = in->f->size, order = plan.order;
    jets *j = jets_create(sim->rate, true, sim->parameter_value, false);
    double *c = memory_zeros(double, (size_t)n *(order + 1) + 1), growth = INFINITY;
    const bool known = jets_of_solution(j, in->t, in->z, order, c);
    if (known) {
        const series first = {.n = n, .leading = n, .order = order, .reach = plan.reach, .c = c};
        double before, last;
        each_norms(&first, &before, &last);
        out->step = fmin(step_of(&first, before, last, &growth), in->request->end - in->t);
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
    .series = find_plan,
    .refusal = refusal,
    .foresee = foresee,
    .integrate = integrate,
};
