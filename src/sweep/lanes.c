// The engine of lanes: chunks of runs through the code of the plan.
#include "sweep/lanes_host.h"

#include <math.h>
#include <string.h>

typedef struct {
    lanes_host *host;
    void *state, *memory; // aligned, as it was taken
    double *numbers;      // starts and results of a chunk
    size_t capacity;
    lanes_counts counts;
} worker;

typedef struct {
    sweep_engine base; // first
    lanes_plan *plan;
    worker *workers;
} lanes_engine;

// --- a chunk -------------------------------------------------------------------------------------

typedef struct {
    uint64_t count;             // of runs that have a start
    uint64_t *run;              // which these are
    uint64_t rest_count, *rest; // runs for the scalar engine
    double *start, *memory;     // .. and all numbers
    unsigned char *ended;
    lanes_job job;
} chunk;

static chunk chunk_of(const lanes_engine *e, uint64_t count) {
    const lanes_plan *plan = e->plan;
    const uint32_t n = plan->size, out = plan->extremes + plan->means + plan->finals,
                   coordinates = plan->shifts ? plan->sim->eq->system->n : 0;
    const size_t start = 1 + n + plan->parameters, first = 1 + n, end = 1 + n + coordinates;
    chunk c = {.run = memory_array(uint64_t, count + 1),
               .rest = memory_array(uint64_t, count + 1),
               .memory = memory_array(double, count *(start + first + end + out + 1) + 1),
               .ended = memory_array(unsigned char, count + 1)};
    c.start = c.memory;
    c.job = (lanes_job){.tolerance = plan->system->tolerance,
                        .end = plan->system->end,
                        .start = c.start,
                        .first = c.start + count * start,
                        .ended = c.ended,
                        .interrupted = e->plan->asked.interrupted};
    c.job.end_state = c.job.first + count * first;
    c.job.out = c.job.end_state + count * end;
    c.job.until = c.job.out + count * out;
    return c;
}

static void free_chunk(chunk *c) {
    memory_free(c->run), memory_free(c->rest), memory_free(c->memory), memory_free(c->ended);
}

static void find_starts(const lanes_engine *e, uint32_t which, uint64_t count, const double *values,
                        chunk *c, sweep_end *end) {
    const lanes_plan *plan = e->plan;
    sweep_starts *starts = plan->system->starts;
    const size_t row = 1 + plan->size + plan->parameters;
    for (uint64_t i = 0; i < count; i++) {
        double *s = c->start + c->count * row, *p = s + 1 + plan->size;
        sweep_outcome why = SWEEP_NO_START;
        memcpy(p, plan->usual, sizeof(double) * plan->parameters);
        if (starts->find(starts, which, values + i * e->base.value_count, &s[0], s + 1, p, &why))
            c->run[c->count++] = i;
        else if (why == SWEEP_OTHER) c->rest[c->rest_count++] = i; // it has another system
        else end[i] = (sweep_end){NAN, why, -1};
    }
    c->job.count = c->count;
}

static void take_result(const lanes_engine *e, const worker *w, const chunk *c, uint64_t k,
                        double *out, sweep_end *end) {
    const lanes_plan *plan = e->plan;
    const uint32_t all = plan->extremes + plan->means + plan->finals;
    const double *found = c->job.out + k * all,
                 length = c->job.until[k] - c->start[k * (1 + plan->size + plan->parameters)];
    for (uint32_t i = 0; i < all; i++)
        out[plan->which[i]] =
            i < plan->extremes || i >= plan->extremes + plan->means ? found[i] : found[i] / length;
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
    double *given = memory_array(double, count *(v + n) + 1), *found = given + count * v;
    sweep_end *ends = memory_array(sweep_end, count + 1);
    for (uint64_t i = 0; i < count; i++)
        memcpy(given + i * v, values + run[i] * v, sizeof(double) * v);
    const bool good = !count || e->plan->asked.scalar->run(e->plan->asked.scalar, which, count,
                                                           given, found, ends);
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
    bool good = !c.count || e->plan->run(&c.job, w->state) == 0;
    for (uint64_t k = 0; k < c.count && good; k++) {
        const uint64_t i = c.run[k];
        if (c.ended[k] == RUN_IS_GIVEN_UP) c.rest[c.rest_count++] = i;
        else take_result(e, w, &c, k, collected + i * n, &end[i]);
    }
    count_up(&w->counts, &c.job, c.rest_count);
    good = good && run_rest(e, which, c.rest_count, c.rest, values, collected, end);
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
    for (uint32_t i = 0; i < base->worker_count; i++)
        lanes_host_free(e->workers[i].host), memory_free(e->workers[i].memory);
    memory_free(e->workers);
    lanes_plan_free(e->plan);
    memory_free(e);
}

static void make_workers(lanes_engine *e) {
    enum { ALIGNED = 64 };
    e->workers = memory_zeros(worker, e->plan->asked.worker_count + 1);
    for (uint32_t i = 0; i < e->plan->asked.worker_count; i++) {
        worker *w = &e->workers[i];
        w->host = lanes_host_create(e->plan);
        w->memory = memory_zeros(char, e->plan->bytes + ALIGNED);
        w->state = (char *)w->memory + ALIGNED - (uintptr_t)w->memory % ALIGNED;
    }
}

sweep_engine *sweep_lanes_create(context *ctx, const lanes_asked *asked, const char **why) {
    enum { RUNS_OF_LANE = 128 };
    lanes_plan *plan = lanes_plan_create(ctx, asked, why);
    if (!plan) return NULL;
    lanes_engine *e = memory_new(lanes_engine);
    e->plan = plan;
    make_workers(e);
    e->base = (sweep_engine){.how = lanes_plan_words(plan, ctx),
                             .arithmetic = lanes_plan_arithmetic(plan),
                             .value_count = asked->scalar->value_count,
                             .collected_count = asked->system->collected_count,
                             .worker_count = asked->worker_count,
                             .preferred = (uint64_t)RUNS_OF_LANE * plan->lanes,
                             .run = run,
                             .release = release,
                             .why = asked->scalar->why,
                             .interrupted = asked->interrupted};
    return &e->base;
}
