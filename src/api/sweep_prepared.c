// Sweeps in parts, for those who hand out chunks themselves.
#include "api/sweep_job.h"

#include <string.h>

struct hamel_sweep_job {
    context *ctx; // its own
    model *m;
    hamel_sweep asked;
    hamel_run run;
    sweep_job j;
};

// --- making --------------------------------------------------------------------------------------

static const char *kept(context *ctx, const char *words) {
    return words ? arena_copy(&ctx->arena, words, strlen(words)) : NULL;
}

static const char *const *kept_list(context *ctx, size_t count, const char *const *words) {
    const char **list = arena_array(&ctx->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++) list[i] = words ? kept(ctx, words[i]) : NULL;
    return list;
}

static const hamel_plot *kept_figure(context *ctx, const hamel_plot *asked) {
    if (!asked) return NULL;
    hamel_plot *f = arena_array(&ctx->arena, hamel_plot, 1);
    *f = *asked;
    f->panels = kept_list(ctx, asked->panel_count, asked->panels);
    f->output = kept(ctx, asked->output);
    f->title = kept(ctx, asked->title);
    f->x_label = kept(ctx, asked->x_label), f->y_label = kept(ctx, asked->y_label);
    f->log = kept(ctx, asked->log), f->legend = kept(ctx, asked->legend);
    return f;
}

static void keep_request(hamel_sweep_job *w, const hamel_sweep *asked, const hamel_run *run,
                         unsigned workers) {
    context *ctx = w->ctx;
    w->asked = (hamel_sweep){.vary = kept_list(ctx, asked->vary_count, asked->vary),
                             .collect = kept_list(ctx, asked->collect_count, asked->collect),
                             .vary_count = asked->vary_count,
                             .collect_count = asked->collect_count,
                             .samples = kept(ctx, asked->samples),
                             .seed = kept(ctx, asked->seed),
                             .output = kept(ctx, asked->output),
                             .resume = asked->resume,
                             .keep = asked->keep,
                             .figure = kept_figure(ctx, asked->figure),
                             .device = kept(ctx, asked->device),
                             .threads = workers};
    w->run = (hamel_run){.form = kept(ctx, run->form),
                         .method = kept(ctx, run->method),
                         .at = kept(ctx, run->at),
                         .execute = kept(ctx, run->execute),
                         .until = run->until,
                         .tolerance = run->tolerance,
                         .step = run->step,
                         .project = run->project,
                         .write = run->write,
                         .data = run->data,
                         .interrupted = run->interrupted};
}

static hamel_status prepare(hamel_sweep_job *w, const model *like, const hamel_sweep *asked,
                            const hamel_run *run, unsigned workers) {
    hamel_status status = API_KNOWS(w->ctx, asked);
    if (!status) status = API_KNOWS(w->ctx, run);
    w->ctx->keeps_open = true;
    w->ctx->limits = like->ctx->limits;
    w->ctx->budget.memory = like->ctx->budget.memory;
    keep_request(w, asked, run, workers);
    if (!status) status = api_copy_model(w->ctx, like, 0, NULL, &w->m);
    if (status) return status;
    w->j = (sweep_job){.m = w->m,
                       .asked = &w->asked,
                       .run = &w->run,
                       .ends = run->interrupted,
                       .computes_only = asked->output && !*asked->output,
                       .is_divided = true};
    return sweep_job_prepare(&w->j);
}

static hamel_status enter_and_prepare(hamel_sweep_job *w, const model *like,
                                      const hamel_sweep *asked, const hamel_run *run,
                                      unsigned workers) {
    API_CALL(w->ctx, NULL, prepare(w, like, asked, run, workers), "preparing a sweep of `%s`",
             like->name);
}

static hamel_status tell(const hamel_sweep_job *w, const model *like) {
    API_CALL(like->ctx, NULL, api_hand_over(w->ctx, w->m, like), "preparing a sweep");
}

hamel_status hamel_sweep_prepare(hamel_model *m, const hamel_sweep *asked, const hamel_run *run,
                                 unsigned workers, hamel_sweep_job **job) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, run);
    API_NEEDS(m->ctx, job);
    *job = NULL;
    hamel_sweep_job *w = m->ctx->dead ? NULL : memory_try(sizeof *w);
    if (!w) return HAMEL_LIMIT;
    w->ctx = hamel_context_create();
    const hamel_status status =
        w->ctx ? enter_and_prepare(w, m, asked, run, workers ? workers : 1) : HAMEL_LIMIT;
    if (!status) *job = w;
    else {
        if (w->ctx) tell(w, m);
        hamel_sweep_free(w);
    }
    return status;
}

static hamel_status enter_and_close(hamel_sweep_job *w) {
    API_CALL(w->ctx, NULL, (sweep_job_close(&w->j), HAMEL_OK), "closing a sweep");
}

void hamel_sweep_free(hamel_sweep_job *w) {
    if (!w) return;
    if (w->ctx) enter_and_close(w);
    hamel_context_destroy(w->ctx);
    memory_free(w);
}

hamel_context *hamel_sweep_context(hamel_sweep_job *w) { return w ? w->ctx : NULL; }

// --- what there is -------------------------------------------------------------------------------

unsigned long long hamel_sweep_count(const hamel_sweep_job *w, hamel_sweep_kind kind) {
    if (!w || w->ctx->dead) return 0;
    switch (kind) {
    case HAMEL_SWEEP_RUNS: return sweep_plan_runs(w->j.plan);
    case HAMEL_SWEEP_CHUNKS: return sweep_job_chunks(&w->j);
    case HAMEL_SWEEP_VARIED: return sweep_plan_values(w->j.plan);
    case HAMEL_SWEEP_COLLECTED: return w->j.collected_count;
    case HAMEL_SWEEP_COLUMNS: return sweep_job_motion(&w->j)->j->sim->column_count;
    }
    return 0;
}

const char *hamel_sweep_name(const hamel_sweep_job *w, hamel_sweep_kind kind, size_t index) {
    if (index >= hamel_sweep_count(w, kind)) return NULL;
    switch (kind) {
    case HAMEL_SWEEP_VARIED: return sweep_plan_name(w->j.plan, (uint32_t)index);
    case HAMEL_SWEEP_COLLECTED: return w->j.collected[index].name;
    case HAMEL_SWEEP_COLUMNS: return sweep_job_motion(&w->j)->j->sim->column[index].name;
    case HAMEL_SWEEP_CHUNKS: return index ? NULL : w->j.engine->arithmetic;
    case HAMEL_SWEEP_RUNS: break;
    }
    return NULL;
}

// --- chunks --------------------------------------------------------------------------------------

// The ends of a chunk's runs stand first, then what is collected of them.
static sweep_end *ends_of(void *bytes) { return bytes; }

static double *numbers_of(const hamel_sweep_job *w, void *bytes) {
    return (double *)(void *)((char *)bytes + sizeof(sweep_end) * w->j.chunk_runs);
}

size_t hamel_sweep_chunk_bytes(const hamel_sweep_job *w) {
    if (!w || w->ctx->dead) return 0;
    return (size_t)w->j.chunk_runs * (sizeof(sweep_end) + sizeof(double) * w->j.collected_count);
}

hamel_status hamel_sweep_compute(hamel_sweep_job *w, unsigned worker, unsigned long long chunk,
                                 void *bytes) {
    API_NEEDS(NULL, w);
    API_NEEDS(NULL, bytes);
    if (w->ctx->dead) return HAMEL_LIMIT;
    sweep_job *j = &w->j;
    if (chunk >= sweep_job_chunks(j) || worker >= j->engine->worker_count) return HAMEL_USAGE;
    const uint64_t first = chunk * j->chunk_runs, left = sweep_plan_runs(j->plan) - first,
                   count = left < j->chunk_runs ? left : j->chunk_runs;
    const uint32_t each = sweep_plan_values(j->plan);
    double *values = memory_try(sizeof(double) * (each * count + 1));
    if (!values) return HAMEL_LIMIT;
    memset(bytes, 0, hamel_sweep_chunk_bytes(w)); // also between the members of an end
    for (uint64_t i = 0; i < count; i++) sweep_plan_find(j->plan, first + i, values + i * each);
    const bool good =
        j->engine->run(j->engine, worker, count, values, numbers_of(w, bytes), ends_of(bytes));
    memory_free(values);
    return good ? HAMEL_OK : budget_flag_is_set(j->ends) ? HAMEL_NUMERICS : HAMEL_LIMIT;
}

int hamel_sweep_has(const hamel_sweep_job *w, unsigned long long chunk) {
    return w && !w->ctx->dead && w->j.store && chunk < sweep_job_chunks(&w->j) &&
           sweep_store_has(w->j.store, chunk);
}

static hamel_status put(hamel_sweep_job *w, uint64_t chunk, void *bytes) {
    sweep_job *j = &w->j;
    const char *wrong = !j->store                      ? "it computes only"
                        : chunk >= sweep_job_chunks(j) ? "there is no such chunk"
                                                       : NULL;
    if (wrong) diag_error(w->ctx, (span){0}, NULL, "the chunk cannot be kept: %s", wrong);
    if (wrong) return HAMEL_USAGE;
    if (sweep_store_put(j->store, chunk, numbers_of(w, bytes), ends_of(bytes), &j->why))
        return HAMEL_OK;
    diag_error(w->ctx, (span){0}, NULL, "the results could not be written: %s",
               text_string(&j->why));
    return HAMEL_NUMERICS;
}

hamel_status hamel_sweep_put(hamel_sweep_job *w, unsigned long long chunk, const void *bytes) {
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, bytes);
    API_CALL(w->ctx, NULL, put(w, chunk, (void *)bytes), "keeping a chunk of a sweep");
}

static hamel_status finish(hamel_sweep_job *w, hamel_format format, char **result) {
    const struct format *as = api_find_format(w->ctx, format, WRITES_RESULT);
    if (!as) return HAMEL_USAGE;
    if (!w->j.store) return HAMEL_OK;
    const hamel_status status = sweep_job_finish(&w->j, as, result);
    const bool all = sweep_store_runs(w->j.store) == sweep_plan_runs(w->j.plan);
    return !status && all && w->asked.keep ? sweep_job_keep(&w->j) : status;
}

hamel_status hamel_sweep_finish(hamel_sweep_job *w, hamel_format format, char **result) {
    API_NEEDS(NULL, w);
    API_NEEDS(w->ctx, result);
    API_CALL(w->ctx, result, finish(w, format, result), "writing a sweep");
}

// --- trajectories --------------------------------------------------------------------------------

hamel_status hamel_sweep_trajectories(hamel_sweep_job *w, unsigned worker, unsigned long long first,
                                      unsigned long long count, const double *times,
                                      size_t time_count, double *rows) {
    API_NEEDS(NULL, w);
    API_NEEDS(NULL, times);
    API_NEEDS(NULL, rows);
    if (w->ctx->dead) return HAMEL_LIMIT;
    sweep_job *j = &w->j;
    const uint64_t runs = sweep_plan_runs(j->plan);
    if (worker >= j->engine->worker_count || first > runs || count > runs - first)
        return HAMEL_USAGE;
    sweep_worker *by = sweep_scalar_worker(j->scalar, worker);
    if (!by) return HAMEL_LIMIT;
    double *values = memory_try(sizeof(double) * (sweep_plan_values(j->plan) + 1));
    if (!values) return HAMEL_LIMIT;
    const size_t size = time_count * sweep_job_motion(j)->j->sim->column_count;
    hamel_status status = HAMEL_OK;
    for (uint64_t i = 0; i < count && !status; i++) {
        sweep_plan_find(j->plan, first + i, values);
        status = sweep_worker_rows(by, values, times, time_count, rows + i * size);
    }
    memory_free(values);
    return status;
}
