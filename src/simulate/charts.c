// Charts of the constraint manifold: when to leave one, and where to go.
#include "simulate/charts.h"

#include "simulate/elimination.h"
#include "simulate/machine.h"
#include "simulate/project.h"
#include "simulate/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A chart is left where its smallest pivot falls below this part of what the best choice has. A new one begins with about a tenth at least (mechanics.c), so that there is no
// going back and forth.
static const double POOR = 0.03;
enum { MOST_CHARTS = 64 };

typedef struct {
    const mechanics *w;
    equations *eq;
    simulation *system;
    field *f;
    tape *row_code; // dPhi_nu/dq'_i as functions of (z, t)
    machine rows;
    double *work; // of is_poor(), which every step asks
} chart;

struct charts {
    const formalism *form;
    bool bare;
    field *(*make_field)(simulation *, void *);
    void *data;
    chart list[MOST_CHARTS];
    uint32_t count, current;
    uint64_t switches;
};

// --- how good a chart is -----------------------------------------------------------------------------------------------------------

// The smallest pivot of the dependent columns of A = dPhi/dq', by which velocities are divided, against that of all columns.
static bool is_poor(chart *c, double t, const double *z) {
    const mechanics *w = c->w;
    const uint32_t k = w->k, n = w->n;
    double *a = c->work, *own = a + k * n;
    bool poor = false;
    if (machine_run(&c->rows, t, z, a)) {
        for (uint32_t i = 0; i < k; i++)
            for (uint32_t j = 0; j < k; j++) own[i * k + j] = a[i * n + w->dependent[j]];
        poor = eliminate(k, k, own).smallest < POOR * eliminate(k, n, a).smallest;
    }
    return poor;
}

bool charts_should_switch(charts *c, const run *r) { return is_poor(&c->list[c->current], r->t, r->z); }

// --- charts ------------------------------------------------------------------------------------------------------------------------

static void watch(chart *c) {
    const mechanics *w = c->w;
    const simulation *s = c->system;
    expr *rows = memory_resize(NULL, sizeof(expr) * w->k * w->n);
    ode_expressions(s->o, w->k * w->n, w->phi_velocity, rows);
    c->row_code = tape_create(w->pool, s->o->size, s->o->state, s->m->time, s->parameter_count, s->parameter, w->k * w->n, rows);
    machine_init(&c->rows, c->row_code, s->parameter_value);
    c->work = memory_resize(NULL, sizeof(double) * 2 * w->k * w->n);
    free(rows);
}

charts *charts_create(const formalism *form, field *first, bool bare, field *(*make_field)(simulation *, void *), void *data) {
    const simulation *s = first->system;
    const mechanics *w = s->eq->system;
    if (!s->eq->explicit_velocities || !w->k || w->h || w->has_quasi || s->eq->auxiliaries_count) return NULL;
    charts *c = memory_resize(NULL, sizeof *c);
    *c = (charts){.form = form, .bare = bare, .make_field = make_field, .data = data, .count = 1};
    c->list[0] = (chart){.w = w, .eq = s->eq, .system = (simulation *)s, .f = first};
    watch(&c->list[0]);
    return c;
}

void charts_free(charts *c) {
    if (!c) return;
    for (uint32_t i = 0; i < c->count; i++) {
        machine_free(&c->list[i].rows);
        free(c->list[i].work);
        tape_free(c->list[i].row_code);
        if (!i) continue;
        field_free(c->list[i].f);
        simulation_free(c->list[i].system);
        equations_free(c->list[i].eq);
    }
    free(c);
}

field *charts_begin(charts *c) {
    c->current = 0;
    return c->list[0].f;
}

uint64_t charts_switches(const charts *c) { return c ? c->switches : 0; }

// --- the way from one to another -----------------------------------------------------------------------------------------------------

// Values of t, q and q' at the run's state, as assignments that are exact.
static completion_request state_of(const run *r) {
    const simulation *s = r->f->system;
    const mechanics *w = s->eq->system;
    arena *a = &s->m->ctx->arena;
    double *value = arena_array(a, double, s->column_count);
    assignment *at = arena_array(a, assignment, 2 * w->n + 1);
    r->f->columns(r->f, r->t, r->z, value);
    for (uint32_t i = 0; i < 2 * w->n + 1; i++) { // t, then q, then q' are the first columns
        const expr symbol = i == 0 ? s->m->time : i <= w->n ? w->q[i - 1] : w->qd[i - 1 - w->n];
        at[i] = (assignment){.symbol = symbol, .value = expr_exact(w->pool, value[i])};
    }
    return (completion_request){.mode = COMPLETE_STRICT, .zero_defaults = true, .free_choice = true, .at_count = 2 * w->n + 1, .at = at};
}

// z of a chart at the state whose first columns are `row`: eta are velocities there. False if the chart's own branch gives other velocities.
static bool enter(chart *c, double t, const double *row, double *z) {
    const mechanics *w = c->w;
    double *seen = memory_resize(NULL, sizeof(double) * (c->system->column_count + 1));
    for (uint32_t i = 0; i < w->n; i++) z[i] = row[1 + i];
    for (uint32_t i = 0; i < w->m; i++) z[w->n + i] = row[1 + w->n + w->independent[i]];
    bool same = c->f->columns(c->f, t, z, seen);
    for (uint32_t i = 0; i < w->n && same; i++) same = fabs(seen[1 + w->n + i] - row[1 + w->n + i]) <= 1e-9 * (1 + fabs(row[1 + w->n + i]));
    free(seen);
    return same;
}

// The same in wide numbers
static void move_wide(const chart *to, run *r) {
    const mechanics *w = to->w;
    uint32_t *from = memory_resize(NULL, sizeof *from * (w->n + w->m + 1));
    for (uint32_t i = 0; i < w->n; i++) from[i] = 1 + i;
    for (uint32_t i = 0; i < w->m; i++) from[w->n + i] = 1 + w->n + w->independent[i];
    r->wide->move(r->wide, r->t, to->f, from);
    free(from);
}

static void settle(charts *c, run *r, uint32_t which, const double *z) {
    chart *to = &c->list[which];
    to->f->rate_calls += r->f->rate_calls, to->f->jet_calls += r->f->jet_calls, to->f->jacobian_calls += r->f->jacobian_calls;
    r->f->rate_calls = r->f->jet_calls = r->f->jacobian_calls = 0;
    if (r->f != to->f) c->switches++;
    c->current = which;
    r->carried[RUN_CHART_PLACE] = which;
    r->f = to->f;
    memcpy(r->z, z, sizeof(double) * to->f->size);
    if (r->wide) move_wide(to, r);
    if (!r->holonomic) return;
    holonomic *there = holonomic_create(to->system, r->tolerance);
    holonomic_take_over(there, r->holonomic);
    holonomic_free(r->holonomic);
    r->holonomic = there;
}

static bool make_chart(charts *c, const run *r) {
    model *m = r->f->system->m;
    const completion_request here = state_of(r);
    mechanics *w;
    chart *made = &c->list[c->count];
    if (c->count == MOST_CHARTS || mechanics_create(m, &here, &w)) return false;
    *made = (chart){.w = w, .eq = formalism_derive(c->form, w)};
    const hamel_status status = c->bare ? simulation_create_bare(m, w, made->eq, &here, &made->system) : simulation_create(m, w, made->eq, &here, &made->system);
    if (status || made->system->o->size != r->f->size) {
        simulation_free(made->system);
        equations_free(made->eq);
        return false;
    }
    made->system->t0 = c->list[0].system->t0, made->system->exact.t = c->list[0].system->exact.t; // rows are counted from there
    made->f = c->make_field(made->system, c->data);
    if (!made->f) return false;
    watch(made);
    c->count++;
    return true;
}

// A chart that is good at the run's state: one that is there, else a new one.
static bool switch_chart(charts *c, run *r) {
    const simulation *s = r->f->system;
    double *row = memory_resize(NULL, sizeof(double) * (s->column_count + r->f->size + 2)), *z = row + s->column_count;
    bool found = r->f->columns(r->f, r->t, r->z, row);
    for (uint32_t pass = 0; pass < 2 && found; pass++) {
        found = pass == 0;
        for (uint32_t i = 0; i < c->count; i++) {
            if (!enter(&c->list[i], r->t, row, z) || is_poor(&c->list[i], r->t, z)) continue;
            settle(c, r, i, z);
            free(row);
            return true;
        }
        if (pass == 0) found = make_chart(c, r);
    }
    free(row);
    return false;
}

run_status run_integrate(run *r, const integrator *method) {
    run_status status = method->integrate(r);
    while (status == RUN_CHART) {
        if (!switch_chart(r->charts, r)) r->charts_exhausted = true; // no better one: go on as long as it lasts
        status = method->integrate(r);
    }
    return status;
}
