// Charts of the constraint manifold: when to leave one, and where to go.
#include "simulate/charts.h"

#include "execute/data_pieces.h"
#include "execute/elimination.h"
#include "execute/jets.h"
#include "execute/machine.h"
#include "simulate/chart_choice.h"
#include "simulate/projection.h"
#include "integrate/extended.h"

#include <math.h>
#include <string.h>

// A chart is left where its smallest pivot falls below this part of what the best choice has, which
// is the one that is taken then (mechanics.c), so that there is no going back and forth. A pivot
// that comes near to 0 is a pole near to the motion: power series of what is divided by it reach no
// further, and cancel where the motion is smooth.
static const double POOR = 0.3;
enum { MOST_CHARTS = 64 };

// Of many constraints the pivots are looked at only where a dependent velocity has got a larger
// share of an independent one, W = dq'_dependent/dq'_independent, than wherever they were found
// good: a pivot that falls makes W grow, and while W does not grow nothing is lost.
enum { FEW = 12 };                 // constraints, up to which the pivots take less time than W
static const double GROWN = 1.5;   // times, at most
static const double BARELY = 1.05; // times, where the chart is nearly poor

typedef struct {
    double *here, *seen; // W, k x m, and the largest there was, each at least 1; NULL: not in use
    double *z, *rate;    // to find it
    double allowed;      // here/seen; 0: nothing was seen
} share;

typedef struct {
    const mechanics *s;
    equations *eq;
    simulation *sim;
    field *f;
    machine rows; // dPhi_nu/dq'_i as functions of (z, t)
    double *work; // of quality()
    share shares;
    jets_long *columns; // to leave the chart by; made when that happens
} chart;

struct charts {
    const formalism *form;
    bool bare;
    field *(*make_field)(simulation *, void *);
    void *data;
    chart list[MOST_CHARTS];
    uint32_t count, current;
    // of this run, the first one first: what other runs have made is for it to find
    uint32_t opened[MOST_CHARTS], opened_count;
    double *weights; // of dPhi/dq', for choices
    uint64_t switches;
};

// --- how good a chart is -------------------------------------------------------------------------

// To largest entries of 1, as where choices are made (pivots.c)
static void scale_rows(uint32_t k, uint32_t n, double *a) {
    for (uint32_t i = 0; i < k; i++) {
        double norm = 0;
        for (uint32_t j = 0; j < n; j++) norm = fmax(norm, fabs(a[i * n + j]));
        for (uint32_t j = 0; j < n && norm > 0; j++) a[i * n + j] /= norm;
    }
}

// The smallest pivot of the dependent columns of A = dPhi/dq', by which velocities are
// divided, against that of all columns; 1 where A has no value.
static double quality(chart *c, double t, const double *z) {
    const mechanics *s = c->s;
    const uint32_t k = s->k, n = s->n;
    double *a = c->work, *own = a + k * n;
    if (!machine_run(&c->rows, t, z, a)) return 1;
    scale_rows(k, n, a);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < k; j++) own[i * k + j] = a[i * n + s->dependent[j]];
    const double smallest = elimination_pivots(k, k, own).smallest,
                 best = elimination_pivots(k, n, a).smallest;
    return smallest < best ? smallest / best : 1;
}

// W at the state z, by differences of the velocities: exact where they are linear in eta, and close
// enough to compare elsewhere.
static bool find_shares(chart *c, double t, const double *z) {
    const mechanics *s = c->s;
    share *w = &c->shares;
    const uint64_t calls = c->f->rate_calls;
    double *moved = w->rate + c->f->size;
    bool finite = c->f->rate(c->f, t, z, w->rate);
    memcpy(w->z, z, sizeof(double) * c->f->size);
    for (uint32_t j = 0; j < s->m && finite; j++) {
        const double eta = z[s->n + j], h = 0x1p-10 * fmax(1, fabs(eta));
        w->z[s->n + j] = eta + h;
        finite = c->f->rate(c->f, t, w->z, moved);
        w->z[s->n + j] = eta;
        for (uint32_t i = 0; i < s->k; i++)
            w->here[i * s->m + j] = (moved[s->dependent[i]] - w->rate[s->dependent[i]]) / h;
    }
    c->f->rate_calls = calls; // those of the method are counted
    return finite;
}

// Is W nowhere larger than it was where the chart was good?
static bool is_as_seen(chart *c, double t, const double *z) {
    const share *w = &c->shares;
    if (!w->here || !find_shares(c, t, z)) return false;
    bool within = true;
    for (uint32_t i = 0; i < c->s->k * c->s->m && within; i++)
        within = fabs(w->here[i]) <= w->allowed * w->seen[i];
    return within;
}

// The chart is good with this W
static void remember(share *w, uint32_t count, double found) {
    for (uint32_t i = 0; i < count; i++) w->seen[i] = fmax(w->seen[i], fabs(w->here[i]));
    w->allowed = fmin(GROWN, fmax(BARELY, sqrt(found / POOR)));
}

static bool is_poor(chart *c, double t, const double *z) {
    if (is_as_seen(c, t, z)) return false;
    const double found = quality(c, t, z);
    if (c->shares.here && found >= POOR) remember(&c->shares, c->s->k * c->s->m, found);
    return found < POOR;
}

bool charts_is_poor(charts *c, double t, const double *z) {
    return is_poor(&c->list[c->current], t, z);
}

// --- charts --------------------------------------------------------------------------------------

// As if no state had been looked at: a run does not depend on those before it
static void forget(chart *c) {
    c->shares.allowed = 0;
    for (uint32_t i = 0; i < c->s->k * c->s->m && c->shares.here; i++) c->shares.seen[i] = 1;
}

static void watch(chart *c) {
    const mechanics *s = c->s;
    machine_init(&c->rows, c->sim->rows, c->sim->parameter_value);
    c->work = memory_array(double, 2 * (size_t)s->k * s->n);
    if (s->k <= FEW || s->m > s->k) return;
    share *w = &c->shares;
    w->here = memory_zeros(double, 2 * (size_t)s->k * s->m + 3 * c->f->size);
    w->seen = w->here + s->k * s->m, w->z = w->seen + s->k * s->m, w->rate = w->z + c->f->size;
    forget(c);
}

charts *charts_create(const formalism *form, field *first, bool bare,
                      field *(*make_field)(simulation *, void *), void *data) {
    const simulation *sim = first->sim;
    const mechanics *s = sim->eq->system;
    if (!sim->eq->explicit_velocities || !s->k || s->h || s->has_quasi ||
        sim->eq->auxiliaries_count || !sim->rows)
        return NULL; // no rows: no choice of velocities can get worse
    charts *c = memory_new(charts);
    *c = (charts){.form = form, .bare = bare, .make_field = make_field, .data = data, .count = 1};
    c->opened_count = 1;
    c->weights = chart_choice_weights(s);
    c->list[0] = (chart){.s = s, .eq = sim->eq, .sim = (simulation *)sim, .f = first};
    watch(&c->list[0]);
    return c;
}

static void free_watch(chart *c) {
    machine_free(&c->rows);
    memory_free(c->work);
    memory_free(c->shares.here);
    jets_long_free(c->columns);
}

static void free_made(chart *c) {
    free_watch(c);
    field_free(c->f);
    simulation_free(c->sim);
    equations_free(c->eq);
}

void charts_free(charts *c) {
    if (!c) return;
    free_watch(&c->list[0]);
    for (uint32_t i = 1; i < c->count; i++) free_made(&c->list[i]);
    memory_free(c);
}

field *charts_begin(charts *c) {
    c->current = 0, c->switches = 0, c->opened_count = 1;
    for (uint32_t i = 0; i < c->count; i++) forget(&c->list[i]);
    const simulation *first = c->list[0].sim;
    for (uint32_t i = 1; i < c->count; i++)
        c->list[i].sim->t0 = first->t0, c->list[i].sim->exact.t = first->exact.t;
    return c->list[0].f;
}

static void take_parameters(chart *k) {
    k->f->take_parameters(k->f);
    machine_set_parameters(&k->rows, k->sim->parameter_value);
    jets_long_free(k->columns), k->columns = NULL;
}

void charts_set_parameters(charts *c, const double *value) {
    for (uint32_t i = 0; i < c->count; i++) {
        chart *k = &c->list[i];
        simulation_set_parameters(k->sim, value);
        take_parameters(k);
        forget(k);
    }
}

bool charts_enter_piece(charts *c, double t) {
    bool changed = false;
    for (uint32_t i = 0; i < c->count; i++) {
        if (!data_pieces_enter(c->list[i].sim, t)) continue;
        take_parameters(&c->list[i]);
        changed = true;
    }
    return changed;
}

uint64_t charts_switches(const charts *c) { return c ? c->switches : 0; }

// --- the way from one to another -----------------------------------------------------------------

// t, q and q', the first columns of a state, as assignments that are exact
static completion_request state_of(const simulation *sim, const long double *row) {
    const mechanics *s = sim->eq->system;
    assignment *at = arena_array(&sim->m->ctx->arena, assignment, 2 * s->n + 1);
    for (uint32_t i = 0; i < 2 * s->n + 1; i++) {
        const expr symbol = i == 0 ? sim->m->time : i <= s->n ? s->q[i - 1] : s->qd[i - 1 - s->n];
        at[i] = (assignment){.symbol = symbol, .value = expr_exact(s->pool, (double)row[i])};
    }
    return (completion_request){.mode = COMPLETE_STRICT,
                                .zero_defaults = true,
                                .free_choice = true,
                                .at_count = 2 * s->n + 1,
                                .at = at};
}

// The columns at the run's state to all the digits it has: where a chart is poor, the velocities
// that follow are known less closely than those they follow from.
static bool leave(chart *c, const integration *in, long double *row) {
    const uint32_t n = in->f->size;
    if (!c->columns) c->columns = jets_long_beside(c->sim->columns, false, c->sim->parameter_value);
    long double *z = memory_array(long double, n + 1);
    for (uint32_t i = 0; i < n; i++) z[i] = (long double)in->z[i] + in->rest[i];
    bool finite = jets_long_along(c->columns, in->t, z, 0, row);
    const uint32_t columns = 1 + 2 * c->sim->eq->system->n; // t, q and q', for state_of()
    for (uint32_t i = 0; i < columns && finite; i++) finite = isfinite((double)row[i]);
    memory_free(z);
    return finite;
}

// z + rest of a chart at the state whose first columns are `row`: eta are velocities there. False
// if the chart's own branch gives other velocities.
static bool enter(chart *c, double t, const long double *row, double *z, double *rest) {
    const mechanics *s = c->s;
    const long double *velocity = row + 1 + s->n;
    double *seen = memory_array(double, c->sim->column_count + 1);
    for (uint32_t i = 0; i < s->n + s->m; i++) {
        const long double value = i < s->n ? row[1 + i] : velocity[s->independent[i - s->n]];
        z[i] = (double)value, rest[i] = (double)(value - z[i]);
    }
    bool same = c->f->columns(c->f, t, z, seen);
    for (uint32_t i = 0; i < s->n && same; i++)
        same = fabsl(seen[1 + s->n + i] - velocity[i]) <= 1e-9 * (1 + fabsl(velocity[i]));
    memory_free(seen);
    return same;
}

// The same in extended precision
static void move_extended(const chart *to, integration *in) {
    const mechanics *s = to->s;
    uint32_t *from = memory_array(uint32_t, s->n + s->m + 1);
    for (uint32_t i = 0; i < s->n; i++) from[i] = 1 + i;
    for (uint32_t i = 0; i < s->m; i++) from[s->n + i] = 1 + s->n + s->independent[i];
    in->extended->move(in->extended, in->t, to->f, from);
    memory_free(from);
}

static void settle(charts *c, integration *in, uint32_t which, const double *z,
                   const double *rest) {
    chart *to = &c->list[which];
    to->f->rate_calls += in->f->rate_calls, to->f->jet_calls += in->f->jet_calls,
        to->f->jacobian_calls += in->f->jacobian_calls;
    in->f->rate_calls = in->f->jet_calls = in->f->jacobian_calls = 0;
    if (in->f != to->f) c->switches++;
    c->current = which;
    in->chart = which;
    in->f = to->f;
    memcpy(in->z, z, sizeof(double) * to->f->size);
    memcpy(in->rest, rest, sizeof(double) * to->f->size);
    if (in->extended) move_extended(to, in);
}

static bool is_opened(const charts *c, uint32_t which) {
    for (uint32_t i = 0; i < c->opened_count; i++)
        if (c->opened[i] == which) return true;
    return false;
}

// A place for another chart: one that this run has not opened is given up
static bool find_place(charts *c, uint32_t *which) {
    *which = c->count;
    if (c->count < MOST_CHARTS) return true;
    for (*which = 1; *which < MOST_CHARTS; ++*which)
        if (!is_opened(c, *which)) return true;
    return false;
}

static bool make_chart(charts *c, const integration *in, const long double *row, uint32_t *which) {
    model *m = in->f->sim->m;
    simulation_tell_model(in->f->sim);
    const completion_request here = state_of(in->f->sim, row);
    mechanics *s;
    if (!find_place(c, which) || mechanics_create(m, &here, &s)) return false;
    chart made = {.s = s, .eq = formalism_derive(c->form, s)};
    const hamel_status status = c->bare ? simulation_create_bare(m, s, made.eq, &here, &made.sim)
                                        : simulation_create(m, s, made.eq, &here, &made.sim);
    if (status || made.sim->o->size != in->f->size) {
        simulation_free(made.sim);
        equations_free(made.eq);
        return false;
    }
    // Rows are counted from there
    made.sim->t0 = c->list[0].sim->t0, made.sim->exact.t = c->list[0].sim->exact.t;
    made.f = c->make_field(made.sim, c->data);
    if (!made.f) return false;
    watch(&made);
    if (*which < c->count) free_made(&c->list[*which]);
    else c->count++;
    c->list[*which] = made;
    return true;
}

// The chart that is to be made at the run's state, where a run before has made it
static bool find_made(charts *c, const integration *in, uint32_t *which) {
    chart *now = &c->list[c->current];
    const uint32_t k = now->s->k, n = now->s->n;
    if (c->count == 1 || !machine_run(&now->rows, in->t, in->z, now->work)) return false;
    uint32_t *choice = memory_array(uint32_t, 3 * (size_t)k);
    bool found = chart_choice_find(k, n, now->work, c->weights, choice);
    for (*which = 0; found && *which < c->count; ++*which)
        if (chart_choice_is_of(c->list[*which].s, choice)) break;
    found = found && *which < c->count;
    memory_free(choice);
    return found && !is_opened(c, *which);
}

// A chart of this run that is good at its state, whose first columns are `row`
static bool settle_in_one(charts *c, integration *in, const long double *row) {
    double *z = memory_array(double, 2 * (in->f->size + 1)), *rest = z + in->f->size;
    uint32_t i = 0;
    for (; i < c->opened_count; i++) {
        chart *k = &c->list[c->opened[i]];
        if (enter(k, in->t, row, z, rest) && !is_poor(k, in->t, z)) break;
    }
    if (i < c->opened_count) settle(c, in, c->opened[i], z, rest);
    memory_free(z);
    return i < c->opened_count;
}

// At the state whose first columns are `row`: in a chart that the run has, or in another one
static bool settle_at(charts *c, integration *in, const long double *row) {
    uint32_t which;
    if (settle_in_one(c, in, row)) return true;
    if (!find_made(c, in, &which) && !make_chart(c, in, row, &which)) return false;
    c->opened[c->opened_count++] = which;
    return settle_in_one(c, in, row);
}

bool charts_switch(charts *c, integration *in) {
    long double *row = memory_array(long double, in->f->sim->column_count);
    const bool settled = leave(&c->list[c->current], in, row) && settle_at(c, in, row);
    memory_free(row);
    return settled;
}

bool charts_take_up(charts *c, integration *in, const double *columns) {
    const uint32_t count = 2 * in->f->sim->eq->system->n + 1;
    long double *row = memory_array(long double, count);
    bool finite = true;
    for (uint32_t i = 0; i < count; i++)
        row[i] = columns[i], finite = finite && isfinite(columns[i]);
    const bool settled = finite && settle_at(c, in, row);
    memory_free(row);
    return settled;
}
