// What is collected of a run, found along its steps.
#include "sweep/collector_internal.h"

#include "execute/data_pieces.h"
#include "integrate/shifts.h"

#include <math.h>
#include <string.h>

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
    c->best = memory_zeros(double, 9 * (size_t)count + 1);
    c->integral = c->best + count, c->first = c->integral + count, c->times = c->first + count;
    c->scale = c->times + count, c->splits = c->scale + count, c->start = c->splits + count;
    c->value = c->start + count, c->noise = c->value + count;
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
    memory_free(c->best), memory_free(c->z), memory_free(c->looks), memory_free(c->open);
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

void collector_values_at(collector *c, machine *m, double t, const double *z, uint32_t count,
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

// --- a step --------------------------------------------------------------------------------------

static void pass(run_follower *f, const run *r, double t, const double *z, const dense *inside) {
    collector *c = (collector *)f;
    if (!c->extremes && !c->means) return;
    collector_pass_step(c, code_of(c, r), t, z, inside);
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
    collector_begin_steps(c);
}

// E where it begins, which a change before it may have moved, counts as where a run does
void collector_enter_piece(collector *c, const run *r) {
    c->r = r, c->now = NULL;
    if (!c->extremes && !c->means) return;
    chart_code *k = code_of(c, r);
    const double t = r->state.t, *z = r->state.z;
    if (c->extremes) collector_values_at(c, &k->extreme, t, z, c->extremes, c->start);
    if (c->means) collector_values_at(c, &k->mean, t, z, c->means, c->start + c->extremes);
    collector_take_start(c);
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
    collector_values_at(c, &code_of(c, r)->final, r->state.t, r->state.z, c->finals, c->value);
    for (uint32_t i = 0; i < c->finals; i++) out[final[i]] = c->value[i];
}
