// A motion with its derivatives, through as many charts as it takes.
#include "study/flow.h"

#include "codegen/jet_plan.h"
#include "execute/column_field.h"
#include "execute/compiled.h"
#include "execute/data_pieces.h"
#include "execute/machine.h"
#include "integrate/shifts.h"
#include "integrate/sight.h"
#include "simulate/charts.h"
#include "simulate/choose.h"
#include "simulate/projection.h"
#include "simulate/run_memory.h"

#include <string.h>

// In one chart: the system with columns, and what of it must not change sign
typedef struct {
    const simulation *of; // NULL: not made yet
    simulation *sim;
    field *f;
    tape *kinks; // arguments of sign(), where the rates jump; NULL: none
    machine look;
} chart_flow;

struct flow {
    integration in; // the first: the driver finds the flow of a step by it
    run_request request;
    run *r;
    const variation_request *asked;
    const char *execute;
    double end;
    LIST(chart_flow, charts);
    uint32_t chart;    // where it is
    integration plain; // the state alone, for the choice of charts
    bool exhausted;    // no better chart was found
    holonomic *holonomic;
    run_record record; // steps
    pace pace;
    double *kink, *work;
    bool kinks_known; // `kink` holds signs
    uint32_t size, total;
};

// --- one chart -----------------------------------------------------------------------------------

// Registers of what stands in sign(), or for second derivatives in abs()
static tape *kinks_of(const tape *t, bool second) {
    uint32_t *reg = memory_array(uint32_t, t->step_count + 1), count = 0;
    for (uint32_t i = 0; i < t->step_count; i++) {
        const tape_step *s = &t->step[i];
        if (s->level != TAPE_FIXED &&
            (s->operation == TAPE_SIGN || (second && s->operation == TAPE_ABS)))
            reg[count++] = s->a;
    }
    tape *part = count ? tape_part(t, count, reg) : NULL;
    memory_free(reg);
    return part;
}

// Series are made of the entries of df/dz where that is less work.
static bool is_apart(const flow *w, const chart_flow *c) {
    return c->sim->linear && w->request.method->extended && !jet_kink(c->of->rate);
}

static void make_chart(flow *w, const simulation *of) {
    variation_request asked = *w->asked;
    if (w->charts_count) asked.start = NULL; // it is that of the first chart
    chart_flow c = {.of = of, .sim = variation_create(of, &asked)};
    c.f = is_apart(w, &c) ? column_field(c.sim, w->execute, w->end)
                          : field_asked_for(c.sim, w->execute, w->end);
    c.kinks = kinks_of(of->rate, w->asked->second);
    if (c.kinks) machine_init(&c.look, c.kinks, of->parameter_value);
    while (w->charts_count <= w->chart) list_push(w, charts, (chart_flow){0});
    w->charts[w->chart] = c;
}

static void enter(flow *w, uint32_t chart, const simulation *of) {
    w->chart = chart;
    if (chart >= w->charts_count || !w->charts[chart].of) make_chart(w, of);
    w->in.f = w->charts[chart].f;
    w->in.chart = chart;
    w->kinks_known = false;
    holonomic_free(w->holonomic);
    w->holonomic =
        holonomic_create(of, integrator_residual(w->request.method, w->request.tolerance));
}

// Taylor's series, or a method for kinks where there are some
static const integrator *method_for(const run *r) {
    const integrator *asked = r->asked.method;
    const bool usable = asked && (asked->smooth || asked->kinks) && !asked->fixed_step;
    return usable ? asked : integrator_extended();
}

static outcome accept(integration *in, const accepted_step *s);

flow *flow_create(run *r, const variation_request *asked, const char *execute, double end) {
    flow *w = memory_new(flow);
    const simulation *sim = r->state.f->sim;
    const uint32_t pairs = asked->second ? variation_pairs(asked->columns) : 0;
    *w = (flow){.r = r, .asked = asked, .execute = execute, .end = end, .size = sim->o->size};
    w->total = w->size * (1 + asked->columns + pairs);
    w->request = (run_request){.method = method_for(r),
                               .tolerance = r->asked.tolerance,
                               .end = end,
                               .wants_rest = true,
                               .ignores_events = true,
                               .interrupted = r->asked.interrupted};
    w->in = (integration){.request = &w->request, .accept = accept, .shifts = r->state.shifts};
    w->in.z = memory_zeros(double, 3 * (size_t)w->total + 2);
    w->in.rest = w->in.z + w->total, w->work = w->in.rest + w->total + 1;
    w->in.turns = memory_zeros(double, w->size + 1);
    w->kink = memory_zeros(double, 2 * (size_t)sim->rate->step_count + 2);
    w->plain = (integration){.request = &r->asked, .f = r->state.f};
    w->plain.z = memory_zeros(double, 2 * (size_t)w->size + 2);
    w->plain.rest = w->plain.z + w->size + 1;
    enter(w, 0, sim);
    if (integrator_refusal(w->request.method, &w->in) || choose_kink(sim->rate))
        for (uint32_t i = 0; i < integrator_count(); i++)
            if (integrator_at(i)->kinks) w->request.method = integrator_at(i);
    return w;
}

void flow_free(flow *w) {
    if (!w) return;
    for (uint32_t i = 0; i < w->charts_count; i++) {
        chart_flow *c = &w->charts[i];
        if (!c->of) continue;
        field_free(c->f), simulation_free(c->sim);
        if (c->kinks) machine_free(&c->look), tape_free(c->kinks);
    }
    holonomic_free(w->holonomic);
    sight_free(w->in.sight);
    memory_free(w->charts), memory_free(w->in.z), memory_free(w->in.turns);
    memory_free(w->plain.z), memory_free(w->kink);
    memory_free(w);
}

// --- from chart to chart -------------------------------------------------------------------------

bool flow_velocities(flow *w, double *out) {
    const chart_flow *c = &w->charts[w->chart];
    return c->f->columns(c->f, w->in.t, w->in.z, out);
}

// q stay what they are, and velocities are taken from q', as their columns are
static bool take_velocities(flow *w, const mechanics *to, double *z) {
    const uint32_t n = to->n, sets = w->total / w->size;
    double *v = memory_array(double, (size_t)n *sets + 1);
    const bool finite = flow_velocities(w, v);
    for (uint32_t c = 0; c < sets && finite; c++)
        for (uint32_t i = 0; i < to->m; i++) z[c * w->size + n + i] = v[c * n + to->independent[i]];
    memory_free(v);
    return finite;
}

bool flow_in_first_chart(flow *w, double *out) {
    memcpy(out, w->in.z, sizeof(double) * w->total);
    if (!w->chart) return true;
    return take_velocities(w, w->charts[0].of->eq->system, out);
}

// Other independent velocities from the same state
static bool change_chart(flow *w) {
    const size_t size = sizeof(double) * w->size;
    integration *in = &w->in;
    memcpy(w->plain.z, in->z, size), memcpy(w->plain.rest, in->rest, size);
    w->plain.t = in->t;
    if (!charts_switch(w->r->charts, &w->plain)) return false;
    memcpy(w->work, in->z, sizeof(double) * w->total);
    if (!take_velocities(w, w->plain.f->sim->eq->system, w->work)) return false;
    memcpy(in->z, w->work, sizeof(double) * w->total);
    memset(in->rest, 0, sizeof(double) * w->total);
    memcpy(in->z, w->plain.z, size), memcpy(in->rest, w->plain.rest, size);
    enter(w, w->plain.chart, w->plain.f->sim);
    return true;
}

// --- a step --------------------------------------------------------------------------------------

// Where sign(u) is passed the rates jump, and columns with them by what is not computed here
// (the saltation of u = 0).
static bool passes_jump(flow *w) {
    chart_flow *c = &w->charts[w->chart];
    if (!c->kinks) return false;
    const uint32_t count = c->kinks->output_count;
    double *now = w->kink + count;
    bool passed = false;
    machine_run(&c->look, w->in.t, w->in.z, now);
    for (uint32_t i = 0; i < count && w->kinks_known; i++)
        passed = passed || (now[i] > 0) != (w->kink[i] > 0) || now[i] == 0;
    memcpy(w->kink, now, sizeof(double) * count);
    w->kinks_known = true;
    return passed;
}

static outcome accept(integration *in, const accepted_step *s) {
    flow *w = (flow *)in;
    memcpy(in->pace, s->pace, sizeof in->pace);
    in->t = s->to;
    for (uint32_t i = 0; i < w->total; i++)
        in->z[i] = s->z[i], in->rest[i] = s->rest ? s->rest[i] : 0;
    w->record.steps++;
    w->record.largest_step = fmax(w->record.largest_step, s->to - s->from);
    const bool moved = w->holonomic && holonomic_correct(w->holonomic, in->t, in->z);
    const bool shifted = in->shifts && shifts_take_off(in->shifts, in->z, in->rest, in->turns);
    budget_check();
    run_status status = pace_judge(&w->pace, &w->record, in->t, w->request.end);
    if (!status && passes_jump(w))
        status = integration_fail(in, "the equations of motion jump there (sign or abs), and "
                                      "derivatives across a jump are not computed");
    if (!status && in->t < w->request.end && w->r->charts && !w->exhausted &&
        charts_is_poor(w->r->charts, in->t, in->z))
        status = RUN_CHART;
    return (outcome){status, moved ? STATE_MOVED : shifted ? STATE_SHIFTED : STATE_KEPT};
}

// --- the run -------------------------------------------------------------------------------------

// The systems with columns share their values with those they were made of.
static void take_parameters(flow *w) {
    for (uint32_t i = 0; i < w->charts_count; i++) {
        chart_flow *c = &w->charts[i];
        if (c->of) c->f->take_parameters(c->f);
        if (c->of && c->kinks) machine_set_parameters(&c->look, c->of->parameter_value);
    }
    sight_take_parameters(&w->in);
}

void flow_set_parameters(flow *w, const double *value) {
    run_set_parameters(w->r, value);
    take_parameters(w);
}

bool flow_rate(flow *w, double t, const double *z, double *out) {
    field *f = w->r->state.f;
    if (data_pieces_short(f->sim, t, t)) return false;
    if (f->sim->data) run_look_at(w->r, t), take_parameters(w);
    return f->rate(f, t, z, out);
}

// The polynomials that functions from data are from here on
static void enter_piece(flow *w) {
    const simulation *of = w->charts[w->chart].of;
    if (!of->data) return;
    w->in.pauses = true, w->in.pause = data_pieces_next(of, w->in.t);
    pace_pause(&w->pace);
    run_look_at(w->r, w->in.t);
    take_parameters(w);
}

void flow_start(flow *w, double t, const double *z, const double *columns) {
    integration *in = &w->in;
    if (w->r->charts) w->plain.f = charts_begin(w->r->charts), w->plain.chart = 0;
    enter(w, 0, w->charts[0].of);
    in->t = t;
    memcpy(in->z, z, sizeof(double) * w->size);
    if (w->total > w->size) memcpy(in->z + w->size, columns, sizeof(double) * (w->total - w->size));
    memset(in->rest, 0, sizeof(double) * w->total);
    memset(in->turns, 0, sizeof(double) * w->size);
    memset(in->pace, 0, sizeof in->pace);
    in->failure = NULL, w->exhausted = false;
    w->record.steps = 0, w->record.largest_step = 0;
    pace_begin(&w->pace, t);
}

run_status flow_run(flow *w, double until) {
    if (!(until > w->in.t)) return RUN_DONE;
    if (data_pieces_short(w->charts[w->chart].of, w->in.t, until))
        return integration_fail(&w->in,
                                "the data of a function of time end before the motion does");
    w->request.end = until;
    enter_piece(w);
    passes_jump(w);
    if (w->r->charts && !w->exhausted && charts_is_poor(w->r->charts, w->in.t, w->in.z))
        w->exhausted = !change_chart(w);
    for (;;) {
        enter_piece(w);
        const run_status status = w->request.method->integrate(&w->in);
        if (status == RUN_CHART) w->exhausted = !change_chart(w);
        else if (status || !w->in.pauses || w->in.t >= until) return status;
    }
}

const char *flow_outcome(const flow *w, run_status status) {
    switch (status) {
    case RUN_DONE: return "the end was reached";
    case RUN_NOT_FINITE:
        return "the equations, or derivatives that have grown too large, have no finite value from "
               "there on";
    case RUN_UNDERFLOW: return "the step became too small";
    case RUN_INTERRUPTED: return "it was interrupted";
    case RUN_LIMIT: return "the time that the call may take is over";
    case RUN_TOO_MANY: return "the steps are so short that the end cannot be reached";
    default: return w->in.failure ? w->in.failure : "failed";
    }
}

double flow_time(const flow *w) { return w->in.t; }
double flow_tolerance(const flow *w) { return w->request.tolerance; }
uint64_t flow_steps(const flow *w) { return w->record.steps; }
const simulation *flow_system(const flow *w) { return w->charts[w->chart].of; }
const simulation *flow_extended(const flow *w) { return w->charts[w->chart].sim; }
double *flow_state(flow *w) { return w->in.z; }
