// The engine of a GPU.
#include "sweep/cuda.h"

#include "codegen/cuda.h"
#include "codegen/jet_plan.h"
#include "execute/module.h"
#include "model/model.h"
#include "sweep/values.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

// As in cuda/host.cuh and cuda/control.cuh
typedef struct {
    int method;
    uint32_t most_attempts;
    double t0, end, tolerance;
    const double *z, *p;
    int value_count;
    const int *target;
    bool from_given;
    const sweep_layout *layout;
    uint64_t capacity;
    bool listed;
} cuda_setting;

typedef struct {
    double t;
    int outcome, event;
} cuda_end;

typedef struct cuda_runs cuda_runs;

typedef struct {
    sweep_engine base; // first
    cuda_asked asked;
    module *code;
    cuda_runs *(*open)(const cuda_setting *set);
    bool (*run)(cuda_runs *r, uint64_t first, uint64_t count, const double *values,
                double *collected, cuda_end *ends);
    void (*close)(cuda_runs *r);
    const char *(*why)(const cuda_runs *r);
    cuda_setting set;
    cuda_runs *runs; // for chunks of up to set.capacity runs
    int *target;
    double *usual; // z, then parameters, as they were when the sweep began
    text words;
    pthread_mutex_t lock; // of `runs`
} cuda_engine;

// --- the code ------------------------------------------------------------------------------------

static const char *const method_ids[] = {"tsit5", "dop853", "taylor"}; // as cuda/host.cuh has them
enum { METHODS = 3, TAYLOR = 2 };

static int find_method(const integrator *m) {
    for (int i = 0; i < METHODS; i++)
        if (strcmp(m->id, method_ids[i]) == 0) return i;
    return -1;
}

static bool has_holonomic(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    for (uint32_t i = 0; i < s->k; i++)
        if (sim->m->constraints[s->constraint[i]].order == 0) return true;
    return false;
}

// As simulate/charts.c: are other velocities ever chosen?
static bool has_charts(const simulation *sim) {
    const mechanics *s = sim->eq->system;
    return sim->eq->explicit_velocities && s->k && !s->h && !s->has_quasi &&
           !sim->eq->auxiliaries_count && sim->rows;
}

// Why not; NULL: it is a system for a GPU
static const char *refusal(const sweep_system *s) {
    const simulation *sim = s->sim;
    const int method = find_method(s->method);
    if (method < 0) return "a GPU knows the methods tsit5, dop853 and taylor";
    if (!sim->o->size) return "there is no state";
    if (sim->data) return "there are functions from data";
    if (sim->leading) return "derivatives are computed with the motion";
    if (has_holonomic(sim)) return "coordinates are brought back onto holonomic constraints";
    if (sim->rank_changes && !has_charts(sim)) return "constraints may become dependent";
    if (sim->m->contacts_count || sim->m->resets_count)
        return "contacts, resets and clocks make pieces of the motion";
    if (method == TAYLOR && (sim->rate->system_count || jet_kink(sim->rate)))
        return "Taylor series of these equations are not computed on a GPU; take dop853";
    return NULL;
}

static void list_collected(const sweep_system *s, project_collected *out) {
    for (uint32_t i = 0; i < s->collected_count; i++) {
        const collected *c = &s->collected[i];
        const bool of_event = c->kind == COLLECT_FIRST || c->kind == COLLECT_COUNT;
        out[i] = (project_collected){c->name, (int)c->kind, of_event ? c->event : i};
    }
}

static const tape *extremes_of(const sweep_system *s) {
    for (uint32_t i = 0; i < s->collected_count; i++)
        if (s->collected[i].kind == COLLECT_MAX || s->collected[i].kind == COLLECT_MIN)
            return s->slope;
    return NULL;
}

static void write_source(const cuda_asked *asked, int method, text *out) {
    const sweep_system *s = asked->system;
    const simulation *sim = s->sim;
    const model *m = sim->m;
    const bool charts = has_charts(sim);
    project_event *event = memory_array(project_event, m->events_count + 1);
    project_collected *list = memory_array(project_collected, s->collected_count + 1);
    for (uint32_t i = 0; i < m->events_count; i++)
        event[i] = (project_event){m->events[i].stop, m->events[i].direction};
    list_collected(s, list);
    const project_sweep sweep = {.rate = sim->rate,
                                 .events = sim->events,
                                 .values = s->value,
                                 .slopes = extremes_of(s),
                                 .collected_count = s->collected_count,
                                 .collected = list,
                                 .given = asked->given,
                                 .start = asked->start,
                                 .rows = charts ? sim->rows : NULL,
                                 .dependent_count = charts ? sim->eq->system->k : 0,
                                 .dependent = sim->eq->system->dependent,
                                 .tsit5 = integrator_find("tsit5")->tableau,
                                 .dop853 = integrator_find("dop853")->tableau};
    const project g = {.state_count = sim->o->size,
                       .argument_count = sim->parameter_count,
                       .event = event,
                       .sweep = &sweep};
    text_format(out, "#define HAMEL_METHODS %d\n", 1 << method);
    cuda_source(&g, out);
    memory_free(event), memory_free(list);
}

static bool load(cuda_engine *e, context *ctx, const char **why) {
    text source = {0};
    write_source(&e->asked, e->set.method, &source);
    e->code = module_load_cuda(ctx, text_string(&source), why);
    text_free(&source);
    if (!e->code) return false;
    size_t (*bytes)(void) = (size_t(*)(void))module_symbol(e->code, "hamel_cuda_setting_bytes");
    e->open = (cuda_runs * (*)(const cuda_setting *)) module_symbol(e->code, "hamel_cuda_open");
    e->run = (bool (*)(cuda_runs *, uint64_t, uint64_t, const double *, double *,
                       cuda_end *))module_symbol(e->code, "hamel_cuda_run");
    e->close = (void (*)(cuda_runs *))module_symbol(e->code, "hamel_cuda_close");
    e->why = (const char *(*)(const cuda_runs *))module_symbol(e->code, "hamel_cuda_why");
    if (bytes && bytes() == sizeof(cuda_setting) && e->open && e->run && e->close && e->why)
        return true;
    *why = "the compiled code cannot be called";
    return false;
}

// --- the GPU -------------------------------------------------------------------------------------

// Room for so many runs at a time; false: there is none, and `words` say why
static bool make_room(cuda_engine *e, uint64_t count) {
    if (e->runs && count <= e->set.capacity) return true;
    if (e->runs) e->close(e->runs);
    e->set.capacity = count;
    e->runs = e->open(&e->set);
    if (e->runs && !*e->why(e->runs)) return true;
    text_clear(&e->words);
    text_append(&e->words, e->why(e->runs));
    return false;
}

static void describe(cuda_engine *e) {
    enum { MOST_ATTEMPTS = 1 << 22 };
    const sweep_system *s = e->asked.system;
    const simulation *sim = s->sim;
    const uint32_t n = sim->o->size, parameters = sim->parameter_count,
                   states = n + (e->asked.varies_parameters ? parameters : 0),
                   count = e->asked.given ? e->asked.scalar->value_count : states;
    e->target = memory_array(int, count + 1);
    for (uint32_t i = 0; i < count; i++)
        e->target[i] = e->asked.given ? e->asked.target[i] : (int)i;
    e->usual = memory_array(double, n + parameters + 1);
    memcpy(e->usual, sim->z0, sizeof(double) * n);
    memcpy(e->usual + n, sim->parameter_value, sizeof(double) * parameters);
    e->set = (cuda_setting){.method = find_method(s->method),
                            .most_attempts = MOST_ATTEMPTS,
                            .t0 = sim->t0,
                            .end = s->end,
                            .tolerance = s->tolerance,
                            .z = e->usual,
                            .p = e->usual + n,
                            .from_given = e->asked.given != NULL,
                            .value_count = (int)count,
                            .target = e->target,
                            .listed = true};
}

// --- a chunk -------------------------------------------------------------------------------------

typedef struct {
    uint64_t count, *run; // those that have a start, and which they are; then those to do again
    double *start, *collected; // of these
    cuda_end *end;
} chunk;

// A run that does not begin at the usual time, or has another system, is the scalar engine's: it is
// listed from the end of `run` on.
static uint64_t find_starts(const cuda_engine *e, uint32_t worker, uint64_t count,
                            const double *values, chunk *c, sweep_end *end) {
    const sweep_system *s = e->asked.system;
    const simulation *sim = s->sim;
    const uint32_t n = sim->o->size, row = (uint32_t)e->set.value_count;
    double *parameters = memory_array(double, n + sim->parameter_count + 1),
           *z = parameters + sim->parameter_count;
    uint64_t left = 0;
    for (uint64_t i = 0; i < count; i++) {
        double t = e->set.t0;
        sweep_outcome why = SWEEP_NO_START;
        memcpy(parameters, e->usual + n, sizeof(double) * sim->parameter_count);
        const bool found = s->starts->find(s->starts, worker, values + i * e->base.value_count, &t,
                                           z, parameters, &why);
        if (!found && why != SWEEP_OTHER) {
            end[i] = (sweep_end){t, why, -1};
        } else if (!found || t != e->set.t0) {
            c->run[count - ++left] = i;
        } else {
            double *to = c->start + c->count * row;
            memcpy(to, z, sizeof(double) * n);
            if (row > n) memcpy(to + n, parameters, sizeof(double) * sim->parameter_count);
            c->run[c->count++] = i;
        }
    }
    memory_free(parameters);
    return left;
}

// The same where values make the starts: those with a parameter of another sign, which may be
// another system, are the scalar engine's.
static uint64_t take_values(const cuda_engine *e, uint64_t count, const double *values, chunk *c) {
    const simulation *sim = e->asked.system->sim;
    const int n = (int)sim->o->size, behind = n + (int)sim->parameter_count;
    const uint32_t row = e->base.value_count;
    uint64_t left = 0;
    for (uint64_t i = 0; i < count; i++) {
        const double *from = values + i * row;
        bool usual = true;
        for (uint32_t k = 0; k < row; k++) {
            const int target = e->target[k];
            if (target >= n && target < behind)
                usual = usual && (from[k] > 0) == (e->usual[target] > 0) &&
                        (from[k] < 0) == (e->usual[target] < 0);
        }
        if (usual) memcpy(c->start + c->count * row, from, sizeof(double) * row);
        if (usual) c->run[c->count++] = i;
        else c->run[count - ++left] = i;
    }
    return left;
}

static bool run_on_device(cuda_engine *e, chunk *c) {
    if (!c->count) return true;
    pthread_mutex_lock(&e->lock);
    bool good = make_room(e, c->count);
    if (good && !e->run(e->runs, 0, c->count, c->start, c->collected, c->end)) {
        good = false;
        text_clear(&e->words), text_append(&e->words, e->why(e->runs));
    }
    pthread_mutex_unlock(&e->lock);
    return good;
}

// One by one, as if the scalar engine had had them from the start
static bool run_rest(cuda_engine *e, uint32_t worker, uint64_t count, const uint64_t *run,
                     const double *values, double *collected, sweep_end *end) {
    sweep_engine *scalar = e->asked.scalar;
    bool good = true;
    for (uint64_t i = 0; i < count && good; i++)
        good = scalar->run(scalar, worker, 1, values + run[i] * e->base.value_count,
                           collected + run[i] * e->base.collected_count, &end[run[i]]);
    return good;
}

// What the GPU has finished; how many runs it has not, which c->run lists then
static uint64_t take_results(const cuda_engine *e, chunk *c, double *collected, sweep_end *end) {
    const uint32_t n = e->base.collected_count;
    uint64_t rest = 0;
    for (uint64_t k = 0; k < c->count; k++) {
        const uint64_t i = c->run[k];
        if (c->end[k].outcome > SWEEP_STOPPED) {
            c->run[rest++] = i;
            continue;
        }
        memcpy(collected + i * n, c->collected + k * n, sizeof(double) * n);
        end[i] = (sweep_end){c->end[k].t, (sweep_outcome)c->end[k].outcome, c->end[k].event};
    }
    return rest;
}

static bool run(sweep_engine *base, uint32_t worker, uint64_t count, const double *values,
                double *collected, sweep_end *end) {
    cuda_engine *e = (cuda_engine *)base;
    const uint32_t row = (uint32_t)e->set.value_count, n = base->collected_count;
    chunk c = {.run = memory_array(uint64_t, count + 1),
               .start = memory_array(double, count *(row + n) + 1),
               .end = memory_array(cuda_end, count + 1)};
    c.collected = c.start + count * row;
    for (uint64_t i = 0; i < count * n; i++) collected[i] = NAN;
    const uint64_t left = e->asked.given ? take_values(e, count, values, &c)
                                         : find_starts(e, worker, count, values, &c, end);
    bool good = run_on_device(e, &c);
    if (good) {
        const uint64_t rest = take_results(e, &c, collected, end);
        good = run_rest(e, worker, rest, c.run, values, collected, end) &&
               run_rest(e, worker, left, c.run + count - left, values, collected, end);
    }
    memory_free(c.run), memory_free(c.start), memory_free(c.end);
    return good;
}

// --- the engine ----------------------------------------------------------------------------------

static void release(sweep_engine *base) {
    cuda_engine *e = (cuda_engine *)base;
    if (e->runs) e->close(e->runs);
    module_free(e->code);
    pthread_mutex_destroy(&e->lock);
    memory_free(e->target), memory_free(e->usual);
    text_free(&e->words);
    memory_free(e);
}

sweep_engine *sweep_cuda_create(context *ctx, const cuda_asked *asked, const char **why) {
    *why = refusal(asked->system);
    if (*why) return NULL;
    cuda_engine *e = memory_zeros(cuda_engine, 1);
    e->asked = *asked;
    pthread_mutex_init(&e->lock, NULL);
    describe(e);
    if (!load(e, ctx, why) || !make_room(e, 1)) {
        if (!*why) *why = arena_copy(&ctx->arena, text_string(&e->words), e->words.length);
        release(&e->base);
        return NULL;
    }
    e->base = (sweep_engine){
        .arithmetic = "GPU",
        .how = arena_format(&ctx->arena, "GPU, %s", asked->system->method->id),
        .value_count = asked->scalar->value_count,
        .collected_count = asked->system->collected_count,
        .worker_count = asked->worker_count,
        .preferred = CUDA_CHUNK,
        .run = run,
        .release = release,
        .why = &e->words,
        .interrupted = asked->interrupted,
    };
    return &e->base;
}
