// Trajectories of some runs of a sweep in full: each is a file of its own, as `simulate` writes it.
#include "api/sweep_job.h"

#include "base/decimal.h"

#include <string.h>

// "folder/rows.csv", 12 -> "folder/rows-12.csv"
static const char *name_of(const sweep_job *j, context *ctx, uint64_t run) {
    const char *file = j->asked->output, *dot = strrchr(file, '.');
    if (!dot) dot = file + strlen(file);
    return arena_format(&ctx->arena, "%.*s-%llu%s", (int)(dot - file), file,
                        (unsigned long long)run, dot);
}

static const char *number_of(context *ctx, double value) {
    text digits = {0};
    decimal_append(value, &digits);
    const char *words = arena_copy(&ctx->arena, text_string(&digits), digits.length);
    text_free(&digits);
    return words;
}

sweep_run_values sweep_job_values(const sweep_job *j, context *ctx, uint64_t run) {
    const uint32_t each = sweep_plan_values(j->plan);
    sweep_run_values v = {.set = arena_array(&ctx->arena, parse_override, each + 1),
                          .at = j->run->at};
    double *value = memory_array(double, each + 1);
    sweep_plan_find(j->plan, run, value);
    for (uint32_t i = 0; i < each; i++) {
        const char *name = sweep_plan_name(j->plan, i), *digits = number_of(ctx, value[i]);
        if (sweep_plan_is_parameter(j->plan, i)) v.set[v.count++] = (parse_override){name, digits};
        else
            v.at = arena_format(&ctx->arena, "%s%s%s=%s", v.at ? v.at : "", v.at ? ", " : "", name,
                                digits);
    }
    memory_free(value);
    return v;
}

static hamel_status simulate_run(const sweep_job *j, context *ctx, uint64_t run) {
    const hamel_motion *w = sweep_job_motion(j);
    model *copy, *m = NULL;
    hamel_status status = api_copy_model(ctx, j->m, &copy);
    const sweep_run_values v = sweep_job_values(j, ctx, run);
    if (!status) status = api_read_again(copy, v.count, v.set, &m);
    const hamel_run asked = {.form = w->j->form->id,
                             .method = j->run->method ? j->run->method : w->j->method->id,
                             .at = v.at,
                             .execute = j->run->execute,
                             .output = name_of(j, ctx, run),
                             .until = j->end,
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
    API_CALL(ctx, NULL, simulate_run(j, ctx, run), "keeping a run of a sweep");
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

// A run that has no start has no file, which its row says.
hamel_status sweep_job_keep(const sweep_job *j) {
    hamel_status worst = HAMEL_OK;
    for (uint64_t i = 0; i < kept_count(j) && !worst; i++) {
        if (budget_flag_is_set(j->run->interrupted)) return HAMEL_NUMERICS;
        const uint64_t run = kept_run(j, i);
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
