// The engine of lanes: what a system is in lanes, its code, and chunks of runs.
#include "sweep/lanes.h"

#include "base/processor.h"
#include "codegen/emit_lanes.h"
#include "integrate/conserved.h"
#include "integrate/lookout.h"
#include "integrate/rank_watch.h"
#include "model/model.h"
#include "sweep/lanes_host.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4000 }; // steps of rates that are compiled in lanes

// Gauss's rule on [0, 1]: nodes (1 + x)/2, weights w/2 of the roots x of Legendre's P_5
static const double NODE[GAUSS_NODES] = {0.046910077030668004, 0.23076534494715845, 0.5,
                                         0.76923465505284155, 0.95308992296933199};
static const double WEIGHT[GAUSS_NODES] = {0.11846344252809454, 0.23931433524968324,
                                           0.28444444444444444, 0.23931433524968324,
                                           0.11846344252809454};

typedef struct {
    lanes_host *host;
    void *state, *memory; // aligned, as it was taken
    double *numbers;      // starts and results of a chunk
    size_t capacity;
    lanes_counts counts;
} worker;

typedef struct {
    sweep_engine base; // first
    lanes_plan plan;
    lanes_asked asked;
    worker *workers;
    tape *extreme, *slope, *mean, *final, *energy; // parts of those of the system
    bool *is_max;
    text why;
} lanes_engine;

// --- is it a system for lanes? -------------------------------------------------------------------

static bool has_holonomic(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    for (uint32_t i = 0; i < s->k; i++)
        if (sim->m->constraints[s->constraint[i]].order == 0) return true;
    return false;
}

// As charts_create() has it: are other velocities ever chosen?
static bool has_charts(const lanes_asked *asked) {
    const simulation *sim = asked->system->sim;
    const mechanics *s = sim->eq->system;
    return !asked->keeps_velocities && sim->eq->explicit_velocities && s->k && !s->h &&
           !s->has_quasi && !sim->eq->auxiliaries_count && sim->rows;
}

// Why not; NULL: it is one
static const char *refusal(const lanes_asked *asked) {
    const sweep_system *s = asked->system;
    const simulation *sim = s->sim;
    if (!s->method->tableau) return "the method is no explicit Runge-Kutta pair";
    if (s->method->fixed_step) return "steps are of one length";
    if (!sim->o->size) return "there is no state";
    if (sim->data) return "there are functions from data";
    if (sim->leading) return "derivatives are computed with the motion";
    if (has_holonomic(sim)) return "coordinates are brought back onto holonomic constraints";
    if (sim->rate->step_count > LONGEST) return "the rates are too long";
    if (has_charts(asked) && sim->eq->system->k > MOST_CHART_ROWS)
        return "many constraints choose their velocities";
    if (sim->m->contacts_count || sim->m->resets_count)
        return "contacts, resets and clocks make pieces of the motion";
    return NULL;
}

// --- the plan ------------------------------------------------------------------------------------

static bool is_in_steps(collect_kind k) { return k == COLLECT_MAX || k == COLLECT_MIN; }

// The outputs of these kinds as a tape of its own; false: they need the solution of a system
static bool take_part(const lanes_engine *e, const tape *of, uint32_t from, uint32_t count,
                      tape **out) {
    *out = NULL;
    if (!count) return true;
    uint32_t *reg = memory_array(uint32_t, count);
    for (uint32_t i = 0; i < count; i++) reg[i] = of->output[e->plan.which[from + i]];
    *out = tape_part(of, count, reg);
    memory_free(reg);
    return *out != NULL;
}

static bool divide_collected(lanes_engine *e) {
    const sweep_system *s = e->plan.system;
    lanes_plan *plan = &e->plan;
    plan->which = memory_array(uint32_t, s->collected_count + 1);
    e->is_max = memory_zeros(bool, s->collected_count + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (is_in_steps(s->collected[i].kind))
            e->is_max[at] = s->collected[i].kind == COLLECT_MAX, plan->which[at++] = i;
    plan->extremes = at;
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (s->collected[i].kind == COLLECT_MEAN) plan->which[at++] = i;
    plan->means = at - plan->extremes;
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (s->collected[i].kind == COLLECT_FINAL) plan->which[at++] = i;
    plan->finals = at - plan->extremes - plan->means;
    return take_part(e, s->value, 0, plan->extremes, &e->extreme) &&
           take_part(e, s->slope, 0, plan->extremes, &e->slope) &&
           take_part(e, s->value, plan->extremes, plan->means, &e->mean) &&
           take_part(e, s->value, plan->extremes + plan->means, plan->finals, &e->final);
}

static void mark_inputs(const tape *t, bool *matters) {
    for (uint32_t i = 0; i < t->step_count; i++)
        for (uint32_t j = 0; j < tape_operand_count(t, i); j++)
            if (tape_operand(t, i, j) <= t->state_count) matters[tape_operand(t, i, j)] = true;
    for (uint32_t i = 0; i < t->output_count; i++)
        if (t->output[i] <= t->state_count) matters[t->output[i]] = true;
}

// The inputs of which boxes are kept: what hides in the rates, events, rows that become dependent
static void choose_inputs(lanes_engine *e, const lookout *look) {
    lanes_plan *plan = &e->plan;
    bool *matters = memory_zeros(bool, plan->size + 1);
    const clear_box *known = look ? lookout_known_box(look) : NULL;
    for (uint32_t i = 0; known && i < known->count; i++) matters[known->input[i]] = true;
    if (plan->searches) mark_inputs(plan->sim->events, matters);
    if (plan->watches_rank) mark_inputs(plan->sim->rows, matters);
    plan->input = memory_array(uint32_t, plan->size + 1);
    for (uint32_t i = 0; i <= plan->size; i++)
        if (matters[i]) plan->input[plan->input_count++] = i;
    memory_free(matters);
}

static void take_energy(lanes_engine *e) {
    const simulation *sim = e->plan.sim;
    if (!e->plan.hides || !simulation_keeps_energy(sim)) return;
    for (uint32_t k = 0; k < sim->watched_count; k++)
        if (sim->column[sim->watched[k]].kind == COLUMN_ENERGY)
            e->energy = tape_part(sim->watch, 1, &sim->watch->output[k]);
    e->plan.keeps_energy = e->energy != NULL;
}

static bool make_plan(lanes_engine *e, const char **why) {
    const sweep_system *s = e->asked.system;
    const simulation *sim = s->sim;
    lookout *look = lookout_create(sim->rate, sim->parameter_value, false);
    rank_watch *rank = rank_watch_create(sim, s->tolerance);
    e->plan = (lanes_plan){.system = s,
                           .sim = sim,
                           .pair = s->method->tableau,
                           .shifts = e->asked.shifts,
                           .size = sim->o->size,
                           .parameters = sim->parameter_count,
                           .collected_count = s->collected_count,
                           .hides = look != NULL,
                           .watches_rank = rank != NULL,
                           .searches = sim->m->events_count != 0};
    const uint32_t most = processor_lanes();
    e->plan.width = e->asked.width ? e->asked.width : most;
    e->plan.lanes = GROUPS * e->plan.width;
    const bool never = look && !lookout_known_box(look);
    if (never) *why = "long divisors are looked at in every step";
    if (!divide_collected(e)) *why = "what is collected needs the solution of a linear system";
    choose_inputs(e, look), take_energy(e);
    lookout_free(look), rank_watch_free(rank);
    return !*why;
}

// --- code ----------------------------------------------------------------------------------------

static void write_code(const lanes_engine *e, bool sleef, text *out) {
    const lanes_plan *plan = &e->plan;
    const mechanics *s = plan->sim->eq->system;
    const bool charts = has_charts(&e->asked);
    uint32_t *leader = memory_array(uint32_t, plan->size + 1);
    double *far = memory_array(double, plan->size + 1);
    const uint32_t shifts = plan->shifts ? plan->shifts->list_count : 0;
    for (uint32_t k = 0; k < shifts; k++)
        leader[k] = plan->shifts->list[k].leader, far[k] = plan->shifts->list[k].far;
    emit_lanes(&(lanes_request){.width = plan->width,
                                .groups = GROUPS,
                                .fused = processor_fuses(),
                                .sleef = sleef,
                                .rate = plan->sim->rate,
                                .pair = plan->pair,
                                .extreme = e->extreme,
                                .slope = e->slope,
                                .mean = e->mean,
                                .final = e->final,
                                .is_max = e->is_max,
                                .sign_looks = SIGN_LOOKS,
                                .gauss_nodes = GAUSS_NODES,
                                .gauss_node = NODE,
                                .gauss_weight = WEIGHT,
                                .energy = e->energy,
                                .input_count = plan->input_count,
                                .input = plan->input,
                                .looks_inside = plan->searches || plan->watches_rank,
                                .coordinate_count = s->n,
                                .shift_count = shifts,
                                .period = shifts ? plan->shifts->period : NULL,
                                .leader = leader,
                                .far = far,
                                .rows = charts ? plan->sim->rows : NULL,
                                .k = charts ? s->k : 0,
                                .n = charts ? s->n : 0,
                                .dependent = s->dependent},
               out);
    memory_free(leader), memory_free(far);
}

// What the compiler is told beside what it is told of every module: on a processor with AVX-512
// code in four lanes does without it
static const char *words(const lanes_plan *plan, bool sleef) {
#ifdef __x86_64__
    if (plan->width == 8 && processor_lanes() == 8)
        return sleef ? "-mavx512f -lsleef -lm" : "-mavx512f -lm";
    if (processor_lanes() == 8)
        return sleef ? "-mno-avx512f -lsleef -lm" : "-mno-avx512f -lm";
#endif
    return sleef ? "-lsleef -lm" : "-lm";
}

// SLEEF is linked where it is there; elsewhere the functions are the C library's
static bool compile(lanes_engine *e, context *ctx, const char **why) {
    lanes_plan *plan = &e->plan;
    const bool may = !e->asked.libm && plan->width <= processor_lanes() && processor_fuses();
    const char *error = NULL;
    for (int sleef = may; sleef >= 0 && !plan->code; sleef--) {
        text source = {0};
        write_code(e, sleef, &source);
        const char *file = getenv("HAMEL_LANES_TEXT");
        if (file) {
            FILE *f = fopen(file, "w");
            if (f) fputs(text_string(&source), f), fclose(f);
        }
        plan->code = module_load(ctx, text_string(&source), words(plan, sleef), &error);
        plan->sleef = sleef && plan->code;
        text_free(&source);
    }
    if (!plan->code) return *why = error, false;
    size_t (*bytes)(void) = (size_t(*)(void))module_symbol(plan->code, "hamel_lanes_bytes"),
           (*job_bytes)(void) = (size_t(*)(void))module_symbol(plan->code, "hamel_lanes_job_bytes");
    plan->run = (int (*)(lanes_job *, void *))module_symbol(plan->code, "hamel_lanes_run");
    if (!bytes || !job_bytes || !plan->run || job_bytes() != sizeof(lanes_job))
        return *why = "the compiled code cannot be called", false;
    plan->bytes = bytes();
    return true;
}

// --- a chunk -------------------------------------------------------------------------------------

typedef struct {
    uint64_t count;          // of runs that have a start
    uint64_t *run;           // which these are
    double *start, *memory;  // .. and all numbers
    unsigned char *ended;
    lanes_job job;
} chunk;

static chunk chunk_of(const lanes_engine *e, uint64_t count) {
    const lanes_plan *plan = &e->plan;
    const uint32_t n = plan->size, out = plan->extremes + plan->means + plan->finals,
                   coordinates = plan->shifts ? plan->sim->eq->system->n : 0;
    const size_t start = 1 + n + plan->parameters, first = 1 + n, end = 1 + n + coordinates;
    chunk c = {.run = memory_array(uint64_t, count + 1),
               .memory = memory_array(double, count * (start + first + end + out + 1) + 1),
               .ended = memory_array(unsigned char, count + 1)};
    c.start = c.memory;
    c.job = (lanes_job){.tolerance = plan->system->tolerance,
                        .end = plan->system->end,
                        .start = c.start,
                        .first = c.start + count * start,
                        .ended = c.ended,
                        .interrupted = e->asked.interrupted};
    c.job.end_state = c.job.first + count * first;
    c.job.out = c.job.end_state + count * end;
    c.job.until = c.job.out + count * out;
    return c;
}

static void free_chunk(chunk *c) {
    memory_free(c->run), memory_free(c->memory), memory_free(c->ended);
}

static void find_starts(const lanes_engine *e, uint32_t which, uint64_t count, const double *values,
                        chunk *c, sweep_end *end) {
    const lanes_plan *plan = &e->plan;
    sweep_starts *starts = plan->system->starts;
    const size_t row = 1 + plan->size + plan->parameters;
    for (uint64_t i = 0; i < count; i++) {
        double *s = c->start + c->count * row, *p = s + 1 + plan->size;
        sweep_outcome why = SWEEP_NO_START;
        s[0] = plan->sim->t0;
        memcpy(p, plan->sim->parameter_value, sizeof(double) * plan->parameters);
        if (!starts->find(starts, which, values + i * e->base.value_count, &s[0], s + 1, p, &why))
            end[i] = (sweep_end){s[0], why, -1};
        else c->run[c->count++] = i;
    }
    c->job.count = c->count;
}

static void take_result(const lanes_engine *e, const worker *w, const chunk *c, uint64_t k,
                        double *out, sweep_end *end) {
    const lanes_plan *plan = &e->plan;
    const uint32_t all = plan->extremes + plan->means + plan->finals;
    const double *found = c->job.out + k * all,
                 length = c->job.until[k] - c->start[k * (1 + plan->size + plan->parameters)];
    for (uint32_t i = 0; i < all; i++)
        out[plan->which[i]] = i < plan->extremes || i >= plan->extremes + plan->means ? found[i]
                                                                                     : found[i] / length;
    for (uint32_t i = 0; i < all; i++)
        if (!isfinite(out[plan->which[i]])) out[plan->which[i]] = NAN;
    lanes_host_events(w->host, k, out);
    const bool stopped = c->ended[k] == RUN_IS_STOPPED;
    *end = (sweep_end){c->job.until[k], stopped ? SWEEP_STOPPED : SWEEP_REACHED,
                       stopped ? lanes_host_stopped(w->host, k) : -1};
}

// Those that lanes have not finished, by the scalar engine: as if it had had them from the start
static bool run_rest(lanes_engine *e, uint32_t which, uint64_t count, const uint64_t *run,
                     const double *values, double *collected, sweep_end *end) {
    const uint32_t v = e->base.value_count, n = e->base.collected_count;
    double *given = memory_array(double, count * (v + n) + 1), *found = given + count * v;
    sweep_end *ends = memory_array(sweep_end, count + 1);
    for (uint64_t i = 0; i < count; i++)
        memcpy(given + i * v, values + run[i] * v, sizeof(double) * v);
    const bool good = !count || e->asked.scalar->run(e->asked.scalar, which, count, given, found, ends);
    for (uint64_t i = 0; i < count && good; i++) {
        memcpy(collected + run[i] * n, found + i * n, sizeof(double) * n);
        end[run[i]] = ends[i];
    }
    memory_free(given), memory_free(ends);
    return good;
}

static void count_up(lanes_counts *all, const lanes_job *j, uint64_t given_up) {
    all->steps += j->steps, all->rejected += j->rejected, all->tries += j->tries,
        all->looks += j->looks, all->given_up += given_up;
}

static bool run(sweep_engine *base, uint32_t which, uint64_t count, const double *values,
                double *collected, sweep_end *end) {
    lanes_engine *e = (lanes_engine *)base;
    worker *w = &e->workers[which];
    const uint32_t n = base->collected_count;
    chunk c = chunk_of(e, count);
    for (uint64_t i = 0; i < count * n; i++) collected[i] = NAN;
    find_starts(e, which, count, values, &c, end);
    lanes_host_begin(w->host, c.count, &c.job);
    bool good = !c.count || e->plan.run(&c.job, w->state) == 0;
    uint64_t rest = 0;
    for (uint64_t k = 0; k < c.count && good; k++) {
        const uint64_t i = c.run[k];
        if (c.ended[k] == RUN_IS_GIVEN_UP) c.run[rest++] = i;
        else take_result(e, w, &c, k, collected + i * n, &end[i]);
    }
    count_up(&w->counts, &c.job, rest);
    good = good && run_rest(e, which, rest, c.run, values, collected, end);
    free_chunk(&c);
    return good;
}

lanes_counts sweep_lanes_counts(const sweep_engine *base) {
    const lanes_engine *e = (const lanes_engine *)base;
    lanes_counts all = {0};
    for (uint32_t i = 0; i < base->worker_count; i++) {
        const lanes_counts *c = &e->workers[i].counts;
        all.steps += c->steps, all.rejected += c->rejected, all.tries += c->tries,
            all.looks += c->looks, all.given_up += c->given_up;
    }
    return all;
}

// --- the engine ----------------------------------------------------------------------------------

static void release(sweep_engine *base) {
    lanes_engine *e = (lanes_engine *)base;
    for (uint32_t i = 0; e->workers && i < base->worker_count; i++)
        lanes_host_free(e->workers[i].host), memory_free(e->workers[i].memory);
    memory_free(e->workers), memory_free(e->plan.which), memory_free(e->plan.input);
    tape_free(e->extreme), tape_free(e->slope), tape_free(e->mean), tape_free(e->final),
        tape_free(e->energy);
    memory_free(e->is_max);
    module_free(e->plan.code);
    text_free(&e->why);
    memory_free(e);
}

static void make_workers(lanes_engine *e) {
    enum { ALIGNED = 64 };
    e->workers = memory_zeros(worker, e->asked.worker_count + 1);
    for (uint32_t i = 0; i < e->asked.worker_count; i++) {
        worker *w = &e->workers[i];
        w->host = lanes_host_create(&e->plan);
        w->memory = memory_zeros(char, e->plan.bytes + ALIGNED);
        w->state = (char *)w->memory + ALIGNED - (uintptr_t)w->memory % ALIGNED;
    }
}

static const char *describe(const lanes_engine *e, context *ctx) {
    const lanes_plan *plan = &e->plan;
    const char *by = plan->width > processor_lanes() || !processor_fuses() ? "plain C"
                     : plan->width == 8                                      ? "AVX-512"
                                                                             : "AVX2";
    return arena_format(&ctx->arena, "%u lanes (%s%s), %s", plan->width, by,
                        plan->sleef ? ", SLEEF" : "", plan->system->method->id);
}

sweep_engine *sweep_lanes_create(context *ctx, const lanes_asked *asked, const char **why) {
    enum { RUNS_OF_LANE = 128 };
    *why = refusal(asked);
    if (*why) return NULL;
    lanes_engine *e = memory_new(lanes_engine);
    *e = (lanes_engine){.asked = *asked};
    if (!make_plan(e, why) || !compile(e, ctx, why)) return release(&e->base), NULL;
    make_workers(e);
    e->base = (sweep_engine){.how = describe(e, ctx),
                             .value_count = asked->scalar->value_count,
                             .collected_count = asked->system->collected_count,
                             .worker_count = asked->worker_count,
                             .preferred = (uint64_t)RUNS_OF_LANE * e->plan.lanes,
                             .run = run,
                             .release = release,
                             .why = asked->scalar->why,
                             .interrupted = asked->interrupted};
    return &e->base;
}
