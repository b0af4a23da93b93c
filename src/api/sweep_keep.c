// Trajectories of some runs of a sweep in full: each is a file of its own, as `simulate` writes it.
#include "api/sweep_job.h"

#include <string.h>

// "folder/rows.csv", 12 -> "folder/rows-12.csv"
static const char *name_of(const sweep_job *j, context *ctx, uint64_t run) {
    const char *file = j->asked->output, *dot = strrchr(file, '.');
    if (!dot) dot = file + strlen(file);
    return arena_format(&ctx->arena, "%.*s-%llu%s", (int)(dot - file), file,
                        (unsigned long long)run, dot);
}

sweep_words sweep_job_words(const sweep_job *j, context *ctx, uint64_t run) {
    double *value = memory_array(double, sweep_plan_values(j->plan) + 1);
    sweep_plan_find(j->plan, run, value);
    const sweep_words v = sweep_words_of(j->plan, value, j->run->at, ctx);
    memory_free(value);
    return v;
}

hamel_status sweep_job_simulate(const sweep_job *j, context *ctx, uint64_t run,
                                const char *output) {
    const hamel_motion *w = sweep_job_motion(j);
    const bool in_pieces = w->j->of_pieces; // in which form and method are of the modes
    model *m = NULL;
    const sweep_words v = sweep_job_words(j, ctx, run);
    hamel_status status = sweep_words_read(ctx, j->m, &v, &m);
    const hamel_run asked = {.form = in_pieces ? j->run->form : w->j->form->id,
                             .method =
                                 j->run->method || in_pieces ? j->run->method : w->j->method->id,
                             .at = v.at,
                             .execute = j->run->execute,
                             .output = output,
                             .until = j->end_varies ? 0 : j->end,
                             .tolerance = w->j->r.asked.tolerance,
                             .interval = j->run->interval,
                             .step = w->j->r.asked.step,
                             .project = j->run->project,
                             .interrupted = j->run->interrupted};
    run_job job = {.m = m, .asked = &asked, .is_all = true};
    if (!status) status = run_job_run(&job);
    if (m) run_job_close(&job);
    return status;
}

static hamel_status enter_and_simulate(const sweep_job *j, context *ctx, uint64_t run) {
    API_CALL(ctx, NULL, sweep_job_simulate(j, ctx, run, name_of(j, ctx, run)),
             "keeping a run of a sweep");
}

static uint64_t kept_count(const sweep_job *j) {
    const uint64_t runs = sweep_plan_runs(j->plan);
    return j->asked->keep < runs ? j->asked->keep : runs;
}

// Number i of those that are kept, spread evenly
static uint64_t kept_run(const sweep_job *j, uint64_t i) {
    const uint64_t runs = sweep_plan_runs(j->plan), count = kept_count(j);
    return i * (runs / count) + i * (runs % count) / count;
}

hamel_status sweep_job_check_kept(const sweep_job *j) {
    hamel_status status = HAMEL_OK;
    for (uint64_t i = 0; i < kept_count(j) && !status; i++) {
        status = api_refuse_own_rows(j->m->ctx, name_of(j, j->m->ctx, kept_run(j, i)));
        budget_check();
    }
    return status;
}

static bool has_start(const sweep_job *j, uint64_t run) {
    const uint64_t chunk = run / j->chunk_runs;
    double *collected = memory_array(double, j->chunk_runs * j->collected_count + 1);
    sweep_end *end = memory_array(sweep_end, j->chunk_runs);
    const bool has = !sweep_store_get(j->store, chunk, collected, end) ||
                     end[run - sweep_store_first(j->store, chunk)].outcome != SWEEP_NO_START;
    memory_free(collected), memory_free(end);
    return has;
}

// A run that has no start has no file, which its row says.
hamel_status sweep_job_keep(const sweep_job *j) {
    hamel_status worst = HAMEL_OK;
    for (uint64_t i = 0; i < kept_count(j) && !worst; i++) {
        if (budget_flag_is_set(j->run->interrupted)) return HAMEL_NUMERICS;
        const uint64_t run = kept_run(j, i);
        if (!has_start(j, run)) continue;
        hamel_context *ctx = hamel_context_create();
        if (!ctx) return HAMEL_LIMIT;
        ctx->limits = j->m->ctx->limits;
        const hamel_status status = enter_and_simulate(j, ctx, run);
        if (status == HAMEL_LIMIT || status == HAMEL_NUMERICS) {
            worst = status;
            api_hand_over(ctx, NULL, j->m);
        }
        hamel_context_destroy(ctx);
        budget_check();
    }
    return worst;
}
