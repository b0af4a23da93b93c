// What is collected of a run, found along its steps.
#include "sweep/collector.h"

#include "execute/data_pieces.h"
#include "execute/machine.h"
#include "integrate/shifts.h"
#include "sweep/extremum.h"

#include <math.h>
#include <string.h>

// The system of one chart: E of all that is looked at in steps, and of what is asked at the end
typedef struct {
    const simulation *sim;
    machine extreme, slope, mean, final; // where there are none their tape is NULL
} chart_code;

typedef struct {
    const model *m;
    expr *expression; // of extremes, means, finals, in this order
} model_code;

struct collector {
    run_follower base; // first
    const model *m;    // whose events are meant
    uint32_t count;
    const struct collected *what;
    uint32_t extremes, means, finals;
    LIST(model_code, models);
    uint32_t *which; // extremes, means, finals: their places in `what`
    LIST(chart_code, charts);
    chart_code *now;
    const run *r;
    double begin;
    int32_t stopped;
    double *best, *integral, *first, *times; // of extremes; of means; of each collected
    double *before;                          // dE/dt of extremes where the step begins
    double *value, *slope, *there;           // of all
    double *z, *work;                        // a state with its turns; one inside of a step
    size_t size;                             // of these
};

// --- making --------------------------------------------------------------------------------------

static bool is_extreme(collect_kind k) { return k == COLLECT_MAX || k == COLLECT_MIN; }

static bool is_of_event(collect_kind k) { return k == COLLECT_FIRST || k == COLLECT_COUNT; }

static uint32_t list_kind(collector *c, uint32_t at, bool (*is)(collect_kind)) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (is(c->what[i].kind)) c->which[at + count++] = i;
    return count;
}

static bool is_mean(collect_kind k) { return k == COLLECT_MEAN; }

static bool is_final(collect_kind k) { return k == COLLECT_FINAL; }

static void pass(run_follower *f, const run *r, double t, const double *z, const dense *inside);
static void note(run_follower *f, uint32_t event, double t);

// Also where data that nothing else needs has its points
static bool all_known(uint32_t count, const expr *e, const simulation *sim) {
    expr *open = memory_array(expr, count + 1);
    ode_open_expressions(sim->o, count, e, open);
    const bool known = simulation_knows(sim, count, open);
    memory_free(open);
    return known;
}

bool collector_take_model(collector *c, const simulation *sim, const struct collected *what) {
    const uint32_t count = c->extremes + c->means + c->finals;
    expr *e = memory_array(expr, count + 1);
    for (uint32_t i = 0; i < count; i++) e[i] = what[c->which[i]].value;
    list_push(c, models, ((model_code){sim->m, e}));
    return all_known(count, e, sim);
}

bool collector_knows_model(const collector *c, const model *m) {
    for (uint32_t i = 0; i < c->models_count; i++)
        if (c->models[i].m == m) return true;
    return false;
}

collector *collector_create(const simulation *sim, uint32_t count, const struct collected *what) {
    collector *c = memory_new(collector);
    c->count = count, c->what = what, c->m = sim->m;
    c->which = memory_array(uint32_t, count + 1);
    c->extremes = list_kind(c, 0, is_extreme);
    c->means = list_kind(c, c->extremes, is_mean);
    c->finals = list_kind(c, c->extremes + c->means, is_final);
    c->best = memory_zeros(double, 8 * (size_t)count + 1);
    c->integral = c->best + count, c->first = c->integral + count, c->times = c->first + count;
    c->before = c->times + count, c->value = c->before + count, c->slope = c->value + count;
    c->there = c->slope + count;
    c->base = (run_follower){.pass = pass, .event = note, .looks_inside = c->extremes || c->means};
    if (collector_take_model(c, sim, what)) return c;
    collector_free(c);
    return NULL;
}

static void free_machine(machine *m) {
    if (!m->t) return;
    tape *t = (tape *)m->t;
    machine_free(m);
    tape_free(t);
}

void collector_free(collector *c) {
    if (!c) return;
    for (uint32_t i = 0; i < c->charts_count; i++) {
        free_machine(&c->charts[i].extreme), free_machine(&c->charts[i].slope);
        free_machine(&c->charts[i].mean), free_machine(&c->charts[i].final);
    }
    for (uint32_t i = 0; i < c->models_count; i++) memory_free(c->models[i].expression);
    memory_free(c->models), memory_free(c->charts), memory_free(c->which);
    memory_free(c->best), memory_free(c->z);
    memory_free(c);
}

run_follower *collector_follower(collector *c) { return &c->base; }

// --- the code of a chart -------------------------------------------------------------------------

static machine code_for(const simulation *sim, uint32_t count, const expr *open, bool slopes) {
    machine made = {0};
    if (!count) return made;
    machine_init(&made,
                 slopes ? simulation_slopes_along(sim, count, open)
                        : simulation_tape(sim, count, open),
                 sim->parameter_value);
    return made;
}

static void set_parameters(chart_code *k) {
    const double *value = k->sim->parameter_value;
    if (k->extreme.t) machine_set_parameters(&k->extreme, value);
    if (k->slope.t) machine_set_parameters(&k->slope, value);
    if (k->mean.t) machine_set_parameters(&k->mean, value);
    if (k->final.t) machine_set_parameters(&k->final, value);
}

static const expr *expressions_in(const collector *c, const model *m) {
    uint32_t i = 0;
    while (i + 1 < c->models_count && c->models[i].m != m) i++;
    return c->models[i].expression;
}

static chart_code *add_chart(collector *c, const simulation *sim) {
    const uint32_t all = c->extremes + c->means + c->finals;
    expr *open = memory_array(expr, all + 1);
    ode_open_expressions(sim->o, all, expressions_in(c, sim->m), open);
    data_pieces_note_use(sim, all, open);
    list_push(c, charts, (chart_code){.sim = sim});
    chart_code *k = &c->charts[c->charts_count - 1];
    k->extreme = code_for(sim, c->extremes, open, false);
    k->slope = code_for(sim, c->extremes, open, true);
    k->mean = code_for(sim, c->means, open + c->extremes, false);
    k->final = code_for(sim, c->finals, open + c->extremes + c->means, false);
    memory_free(open);
    if (c->size < sim->o->size) {
        c->size = sim->o->size;
        memory_grow(c->z, 2 * c->size);
        c->work = c->z + c->size;
    }
    return k;
}

// The code of the chart that the run is in, with the parameters of now
static chart_code *code_of(collector *c, const run *r) {
    const simulation *sim = r->state.f->sim;
    if (c->now && c->now->sim == sim) {
        if (sim->data) set_parameters(c->now);
        return c->now;
    }
    chart_code *k = NULL;
    for (uint32_t i = 0; i < c->charts_count && !k; i++)
        if (c->charts[i].sim == sim) k = &c->charts[i];
    if (k) set_parameters(k);
    return c->now = k ? k : add_chart(c, sim);
}

// --- values --------------------------------------------------------------------------------------

// The machine at a state whose coordinates get their turns back; NaN where there is no value
static void values_at(collector *c, machine *m, double t, const double *z, uint32_t count,
                      double *out) {
    const integration *in = &c->r->state;
    if (in->shifts) {
        memcpy(c->z, z, sizeof(double) * in->f->size);
        for (uint32_t i = 0; i < in->shifts->n; i++)
            c->z[i] = shifts_put_on(in->shifts, i, z[i], in->turns);
        z = c->z;
    }
    if (machine_run(m, t, z, out)) return;
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(out[i])) out[i] = NAN;
}

// max and min, of which nothing is left once E had no value
static double better(collect_kind kind, double best, double value) {
    if (isnan(best) || isnan(value)) return NAN;
    return (kind == COLLECT_MAX) == (value > best) ? value : best;
}

// --- a step --------------------------------------------------------------------------------------

typedef struct {
    collector *c;
    chart_code *k;
    const dense *inside;
    uint32_t which; // extreme
} place;

static double slope_at(void *of, double t) {
    const place *p = of;
    collector *c = p->c;
    p->inside->at(p->inside, t, c->work);
    values_at(c, &p->k->slope, t, c->work, c->extremes, c->slope);
    return c->slope[p->which];
}

// Between two looks dE/dt goes through 0 in the direction of what is looked for.
static void refine(const place *p, double a, double b, double step) {
    collector *c = p->c;
    const uint32_t i = p->which;
    const double t = extremum_find(slope_at, (void *)p, a, c->before[i], b, c->there[i], step);
    p->inside->at(p->inside, t, c->work);
    values_at(c, &p->k->extreme, t, c->work, c->extremes, c->value);
    c->best[i] = better(c->what[c->which[i]].kind, c->best[i], c->value[i]);
}

static void pass_extremes(collector *c, chart_code *k, double t, const double *end,
                          const dense *inside) {
    const double from = c->r->state.t, step = t - from;
    double at = from;
    for (int look = 1; look <= SIGN_LOOKS; look++) {
        const bool last = look == SIGN_LOOKS;
        const double next = last ? t : from + step * look / SIGN_LOOKS;
        if (!last) inside->at(inside, next, c->work);
        values_at(c, &k->slope, next, last ? end : c->work, c->extremes, c->there);
        for (uint32_t i = 0; i < c->extremes; i++) {
            const double sign = c->what[c->which[i]].kind == COLLECT_MAX ? 1 : -1;
            if (sign * c->before[i] > 0 && sign * c->there[i] <= 0)
                refine(&(place){c, k, inside, i}, at, next, step);
        }
        memcpy(c->before, c->there, sizeof(double) * c->extremes);
        at = next;
    }
    values_at(c, &k->extreme, t, end, c->extremes, c->value);
    for (uint32_t i = 0; i < c->extremes; i++)
        c->best[i] = better(c->what[c->which[i]].kind, c->best[i], c->value[i]);
}

// Gauss's rule on [0, 1]: nodes (1 + x)/2, weights w/2 of the roots x of Legendre's P_5
static void pass_means(collector *c, chart_code *k, double t, const dense *inside) {
    static const double NODE[GAUSS_NODES] = {0.046910077030668004, 0.23076534494715845, 0.5,
                                             0.76923465505284155, 0.95308992296933199};
    static const double WEIGHT[GAUSS_NODES] = {0.11846344252809454, 0.23931433524968324,
                                               0.28444444444444444, 0.23931433524968324,
                                               0.11846344252809454};
    const double from = c->r->state.t, step = t - from;
    for (int i = 0; i < GAUSS_NODES; i++) {
        const double at = from + step * NODE[i];
        inside->at(inside, at, c->work);
        values_at(c, &k->mean, at, c->work, c->means, c->value);
        for (uint32_t j = 0; j < c->means; j++) c->integral[j] += step * WEIGHT[i] * c->value[j];
    }
}

static void pass(run_follower *f, const run *r, double t, const double *z, const dense *inside) {
    collector *c = (collector *)f;
    if (!c->extremes && !c->means) return;
    chart_code *k = code_of(c, r);
    if (c->extremes) pass_extremes(c, k, t, z, inside);
    if (c->means) pass_means(c, k, t, inside);
}

static void note(run_follower *f, uint32_t event, double t) {
    collector *c = (collector *)f;
    if (c->stopped < 0 && c->m->events[event].stop) c->stopped = (int32_t)event;
    for (uint32_t i = 0; i < c->count; i++)
        if (is_of_event(c->what[i].kind) && c->what[i].event == event && c->times[i]++ == 0)
            c->first[i] = t;
}

void collector_note(collector *c, const char *event, double t) {
    for (uint32_t k = 0; k < c->m->events_count && c->stopped < 0; k++)
        if (c->m->events[k].stop && strcmp(c->m->events[k].name, event) == 0)
            c->stopped = (int32_t)k;
    for (uint32_t i = 0; i < c->count; i++)
        if (is_of_event(c->what[i].kind) && strcmp(c->what[i].event_name, event) == 0 &&
            c->times[i]++ == 0)
            c->first[i] = t;
}

// --- a run ---------------------------------------------------------------------------------------

void collector_begin_pieces(collector *c, double t) {
    c->begin = t, c->stopped = -1;
    memset(c->integral, 0, sizeof(double) * c->count);
    memset(c->times, 0, sizeof(double) * c->count);
    for (uint32_t i = 0; i < c->count; i++) c->first[i] = NAN;
    for (uint32_t i = 0; i < c->extremes; i++)
        c->best[i] = c->what[c->which[i]].kind == COLLECT_MAX ? -INFINITY : INFINITY;
}

// E where it begins, which a change before it may have moved, counts as where a run does
void collector_enter_piece(collector *c, const run *r) {
    c->r = r, c->now = NULL;
    if (!c->extremes) return;
    chart_code *k = code_of(c, r);
    values_at(c, &k->slope, r->state.t, r->state.z, c->extremes, c->before);
    values_at(c, &k->extreme, r->state.t, r->state.z, c->extremes, c->value);
    for (uint32_t i = 0; i < c->extremes; i++)
        c->best[i] = better(c->what[c->which[i]].kind, c->best[i], c->value[i]);
}

void collector_begin(collector *c, const run *r) {
    collector_begin_pieces(c, r->state.t);
    collector_enter_piece(c, r);
}

int32_t collector_stopped_by(const collector *c) { return c->stopped; }

void collector_finish(collector *c, const run *r, bool failed, double *out) {
    const double length = r->state.t - c->begin;
    for (uint32_t i = 0; i < c->count; i++) out[i] = NAN;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->what[i].kind == COLLECT_FIRST) out[i] = c->first[i];
        else if (c->what[i].kind == COLLECT_COUNT && !failed) out[i] = c->times[i];
    if (failed) return;
    for (uint32_t i = 0; i < c->extremes; i++) out[c->which[i]] = c->best[i];
    const uint32_t *mean = c->which + c->extremes, *final = mean + c->means;
    for (uint32_t i = 0; i < c->means; i++)
        out[mean[i]] = length > 0 ? c->integral[i] / length : NAN;
    if (!c->finals) return;
    values_at(c, &code_of(c, r)->final, r->state.t, r->state.z, c->finals, c->value);
    for (uint32_t i = 0; i < c->finals; i++) out[final[i]] = c->value[i];
}
