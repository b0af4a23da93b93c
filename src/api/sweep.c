// Sweeps: the call.
#include "api/sweep_again.h"

#include <string.h>

// --- callbacks, in the locale of the caller ------------------------------------------------------

static void tell_progress(const sweep_progress *p, void *data) {
    const sweep_job *j = data;
    const hamel_sweep_progress told = {p->runs, p->done, p->failed, p->rate, p->remaining};
    const locale_t inside = uselocale(recovery_now->callers);
    j->asked->progress(&told, j->asked->data);
    uselocale(inside);
}

static bool tell_chunk(const sweep_chunk *c, void *data) {
    const sweep_job *j = data;
    double *t = memory_array(double, c->count);
    const char **words = memory_array(const char *, c->count);
    for (uint64_t i = 0; i < c->count; i++)
        t[i] = c->end[i].t, words[i] = sweep_end_words(&c->end[i], j->event);
    const hamel_sweep_chunk told = {.first = c->first,
                                    .count = c->count,
                                    .values = sweep_plan_values(j->plan),
                                    .collected = j->collected_count,
                                    .value = c->values,
                                    .number = c->collected,
                                    .end = t,
                                    .ended = words};
    const locale_t inside = uselocale(recovery_now->callers);
    const int ends = j->asked->chunk(&told, j->asked->data);
    uselocale(inside);
    memory_free(t), memory_free(words);
    return !ends;
}

// --- the run -------------------------------------------------------------------------------------

static hamel_status judge(const sweep_job *j) {
    context *ctx = j->m->ctx;
    const char *file =
        j->asked->output && strcmp(j->asked->output, "-") != 0 ? j->asked->output : NULL;
    const unsigned long long done = j->progress.done, runs = j->progress.runs;
    const char *help = file ? arena_format(&ctx->arena, "the same with --resume goes on") : NULL;
    switch (j->found) {
    case DRIVEN_ALL: return HAMEL_OK;
    case DRIVEN_INTERRUPTED:
        diag_error(ctx, (span){0}, help, "interrupted: %llu of %llu runs are finished", done, runs);
        return HAMEL_NUMERICS;
    case DRIVEN_TIME:
        diag_error(ctx, (span){0}, help,
                   "limit reached: time (at most %g s); %llu of %llu runs are finished",
                   ctx->budget.seconds, done, runs);
        return HAMEL_LIMIT;
    case DRIVEN_NO_FILE:
        diag_error(ctx, (span){0}, help, "the results could not be written: %s",
                   text_string(&j->why));
        return HAMEL_NUMERICS;
    case DRIVEN_NO_ENGINE: break;
    }
    const text *why = j->engine->why;
    diag_error(ctx, (span){0}, help, "the runs could not go on: %s; %llu of %llu are finished",
               why && why->length ? text_string(why) : "memory exhausted", done, runs);
    return HAMEL_LIMIT;
}

static hamel_status drive(sweep_job *j) {
    const sweep_drive d = {.plan = j->plan,
                           .engine = j->engine,
                           .store = j->store,
                           .stop = &j->stop,
                           .interrupted = j->run->interrupted,
                           .progress = j->asked->progress ? tell_progress : NULL,
                           .told = j->asked->chunk ? tell_chunk : NULL,
                           .data = j};
    j->found = sweep_drive_run(&d, &j->progress, &j->why);
    return judge(j);
}

static bool write_rows(const sweep_job *j) {
    if (!j->asked->output || strcmp(j->asked->output, "-") != 0) return true;
    const byte_writer to = run_job_callers_writer(j->run);
    if (sweep_store_write_csv(j->store, &to)) return true;
    diag_error(j->m->ctx, (span){0}, NULL, "the rows could not be written");
    return false;
}

hamel_status sweep_job_finish(sweep_job *j, const struct format *as, char **result) {
    text out = {0};
    j->again = sweep_again_look(j);
    budget_settle(); // the output is made of what there is, however long that takes
    const bool good = sweep_store_finish(j->store, j->m->ctx) && write_rows(j);
    as->result(&(printable){j, sweep_summary_text, sweep_summary_json, sweep_job_modes(j)}, &out);
    const bool is_file = j->asked->figure && j->asked->figure->output;
    const hamel_status drawn =
        is_file || !as->for_programs ? sweep_job_draw(j, &out) : HAMEL_OK; // no drawing in JSON
    api_finish_text(&out, result);
    return good ? drawn : HAMEL_NUMERICS;
}

static hamel_status sweep(hamel_model *m, const hamel_sweep *asked, const hamel_run *run,
                          hamel_format format, char **result) {
    sweep_job j = {.m = m, .asked = asked, .run = run};
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    hamel_status status = as ? API_KNOWS(m->ctx, asked) : HAMEL_USAGE;
    if (!status) status = API_KNOWS(m->ctx, run);
    if (!status) status = sweep_job_prepare(&j);
    if (!status) {
        status = drive(&j);
        const hamel_status written = sweep_job_finish(&j, as, result);
        if (!status) status = written;
        if (!status && asked->keep) status = sweep_job_keep(&j);
    }
    sweep_job_close(&j);
    return status;
}

hamel_status hamel_model_sweep(hamel_model *m, const hamel_sweep *asked, const hamel_run *run,
                               hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, run);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, sweep(m, asked, run, format, result), "a sweep of `%s`", m->name);
}
