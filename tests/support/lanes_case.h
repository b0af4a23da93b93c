// A sweep over starts around that of a model, for tests and benchmarks of the engine of lanes. A
// case holds its system, starts made of numbers that are added to the usual one, and an engine that
// runs one motion after the other through the driver of `simulate`; open it, say what is collected,
// make an engine of lanes of it, close it.
#ifndef HAMEL_TESTS_LANES_CASE_H
#define HAMEL_TESTS_LANES_CASE_H

#include "api/motion.h"
#include "simulate/charts.h"
#include "sweep/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    sweep_starts base; // first
    hamel_context *ctx;
    hamel_model *m;
    hamel_motion *motion;
    hamel_run asked;
    sweep_system system;
    sweep_engine scalar;
    simulation *sim;
    uint32_t varied; // the first of the state's numbers, and then parameters
    double *usual;
    struct collected *collected;
    tape *value, *slope;
    uint64_t steps, scalar_runs;
} lanes_case;

// values: what is added to z_i, then what parameters are multiplied by
static bool lanes_case_start(sweep_starts *s, uint32_t worker, const double *values, double *t,
                             double *z, double *parameters, sweep_outcome *why) {
    const lanes_case *c = (const lanes_case *)s;
    const uint32_t n = c->sim->o->size;
    (void)worker, (void)why;
    *t = c->motion->usual_t;
    for (uint32_t i = 0; i < n; i++) z[i] = c->usual[i] + (i < c->varied ? values[i] : 0);
    for (uint32_t i = n; i < c->varied; i++)
        parameters[i - n] = c->motion->j->sim->parameter_value[i - n] * values[i];
    return true;
}

// One after the other; of what is collected only finals and events
static bool lanes_case_run(sweep_engine *e, uint32_t worker, uint64_t count, const double *values,
                           double *collected, sweep_end *end) {
    lanes_case *c = (lanes_case *)((char *)e - offsetof(lanes_case, scalar));
    const uint32_t n = c->sim->o->size, k = e->collected_count;
    double *z = malloc(sizeof(double) * (n + c->sim->parameter_count + c->sim->column_count + 1)),
           *p = z + n, *row = p + c->sim->parameter_count;
    (void)worker;
    for (uint64_t i = 0; i < count; i++) {
        double t;
        hamel_outcome out;
        sweep_outcome why;
        lanes_case_start(&c->base, 0, values + i * e->value_count, &t, z, p, &why);
        hamel_status status = hamel_motion_start(c->motion, t, z);
        if (!status) status = hamel_motion_run(c->motion, c->system.end, NULL, 0, NULL, &out);
        const run *r = &c->motion->j->r;
        end[i] = (sweep_end){r->state.t, status ? SWEEP_OTHER : SWEEP_REACHED, -1};
        if (!status && c->motion->j->outcome == RUN_EVENT) end[i].outcome = SWEEP_STOPPED;
        c->steps += r->record.steps, c->scalar_runs++;
        hamel_motion_now(c->motion, &t, NULL, row);
        for (uint32_t j = 0; j < k; j++) collected[i * k + j] = NAN;
        for (uint32_t j = 0; j < k && !status; j++) {
            const struct collected *what = &c->collected[j];
            double *to = &collected[i * k + j];
            if (what->kind == COLLECT_FINAL) *to = row[what->at.offset];
            if (what->kind == COLLECT_COUNT) *to = 0;
            for (uint32_t l = 0; l < r->record.events_count; l++) {
                const event_record *seen = &r->record.events[l];
                if (what->kind < COLLECT_FIRST ||
                    strcmp(seen->name, c->sim->m->events[what->event].name) != 0)
                    continue;
                if (what->kind == COLLECT_FIRST && isnan(*to)) *to = seen->t;
                if (what->kind == COLLECT_COUNT) ++*to;
            }
        }
        if (end[i].outcome == SWEEP_STOPPED)
            for (uint32_t l = 0; l < c->sim->m->events_count; l++)
                if (r->record.events_count &&
                    r->record.events[r->record.events_count - 1].name == c->sim->m->events[l].name)
                    end[i].event = (int32_t)l;
    }
    free(z);
    return true;
}

// d/dt of functions of (z, t) along the motion, as one tape
static tape *lanes_case_slopes(const simulation *sim, uint32_t count, const expr *f) {
    pool *p = sim->m->pool;
    const uint32_t n = sim->o->size;
    expr *variable = calloc(n + 1, sizeof(expr)), *along = calloc(n + 1, sizeof(expr)),
         *slope = calloc(count + 1, sizeof(expr));
    for (uint32_t i = 0; i < n; i++)
        variable[i] = sim->o->state[i], along[i] = sim->o->open_rate[i];
    variable[n] = sim->m->time, along[n] = expr_int(p, 1);
    expr_pushforward(p, n + 1, variable, along, count, f, slope);
    tape *t = simulation_tape(sim, count, slope);
    free(variable), free(along), free(slope);
    return t;
}

// Collected: of the columns from 1 on the finals of all; then max, min, mean of the columns from
// `first` to before `last`; then first and count of each event
static void lanes_case_collect(lanes_case *c, uint32_t first, uint32_t last) {
    const simulation *sim = c->sim;
    const uint32_t finals = sim->column_count - 1, events = sim->m->events_count,
                   all = finals + 3 * (last - first) + 2 * events;
    expr *value = calloc(all + 1, sizeof(expr));
    c->collected = calloc(all + 1, sizeof *c->collected);
    uint32_t at = 0;
    for (uint32_t i = 0; i < finals; i++)
        value[at] = sim->column[1 + i].value,
        c->collected[at++] = (struct collected){.kind = COLLECT_FINAL, .at.offset = 1 + i};
    for (uint32_t i = first; i < last; i++)
        for (int kind = COLLECT_MAX; kind <= COLLECT_MEAN; kind++)
            value[at] = sim->column[i].value,
            c->collected[at++] = (struct collected){.kind = (collect_kind)kind, .at.offset = i};
    for (uint32_t i = 0; i < events; i++)
        for (int kind = COLLECT_FIRST; kind <= COLLECT_COUNT; kind++)
            value[at] = expr_int(sim->m->pool, 0),
            c->collected[at++] = (struct collected){.kind = (collect_kind)kind, .event = i};
    c->value = simulation_tape(sim, all, value);
    if (last > first) c->slope = lanes_case_slopes(sim, all, value);
    free(value);
    c->system.value = c->value, c->system.slope = c->slope;
    c->system.collected = c->collected, c->system.collected_count = all;
    c->scalar.collected_count = all;
}

// NULL: the model cannot be run so. `text`: NULL: `name` is one of the library
static lanes_case *lanes_case_open(const char *name, const char *text, const char *method,
                                   double tolerance, double end) {
    lanes_case *c = calloc(1, sizeof *c);
    c->base.find = lanes_case_start;
    c->ctx = hamel_context_create();
    c->asked =
        (hamel_run){.method = method, .tolerance = tolerance, .until = end, .execute = "compiled"};
    const hamel_status read = text ? hamel_model_parse(c->ctx, name, text, strlen(text), &c->m)
                                   : hamel_model_open(c->ctx, name, &c->m);
    if (read || hamel_model_prepare(c->m, &c->asked, &c->motion)) {
        hamel_context_destroy(c->ctx);
        free(c);
        return NULL;
    }
    c->sim = c->motion->j->sim;
    const uint32_t n = c->sim->o->size;
    c->usual = malloc(sizeof(double) * (n + 1));
    memcpy(c->usual, c->motion->usual, sizeof(double) * n);
    c->varied = n;
    c->system = (sweep_system){.sim = c->sim,
                               .method = c->motion->j->method,
                               .tolerance = c->motion->j->r.asked.tolerance,
                               .end = end,
                               .starts = &c->base};
    c->scalar = (sweep_engine){.how = "scalar",
                               .value_count = n,
                               .worker_count = 1,
                               .preferred = 1,
                               .run = lanes_case_run};
    return c;
}

static sweep_engine *lanes_case_engine(lanes_case *c, uint32_t width, bool libm, const char **why) {
    const lanes_asked asked = {.system = &c->system,
                               .shifts = c->motion->j->shifts,
                               .scalar = &c->scalar,
                               .worker_count = 1,
                               .width = width,
                               .libm = libm};
    return sweep_lanes_create(c->motion->ctx, &asked, why);
}

// Numbers around 0 up to `size`, row by row, the same each time
static double *lanes_case_values(const lanes_case *c, uint64_t count, double size) {
    const uint64_t all = count * c->scalar.value_count;
    double *values = malloc(sizeof(double) * (all + 1));
    uint64_t stream = 88172645463325252u;
    for (uint64_t i = 0; i < all; i++) {
        stream ^= stream << 13, stream ^= stream >> 7, stream ^= stream << 17;
        values[i] = size * (2 * (double)(stream >> 11) * 0x1p-53 - 1);
    }
    return values;
}

static void lanes_case_close(lanes_case *c) {
    tape_free(c->value), tape_free(c->slope);
    hamel_motion_free(c->motion);
    hamel_context_destroy(c->ctx);
    free(c->usual), free(c->collected), free(c);
}

#endif
