// The commonest cause of runs that ended in one way.
#include "api/sweep_causes.h"

#include "model/mechanics.h"

#include <string.h>

enum { LOOKS = 16, MOST_NAMES = 3 };

// --- one run -------------------------------------------------------------------------------------

static hamel_status begin_run(const sweep_job *j, context *ctx, uint64_t run) {
    model *m = NULL;
    mechanics *made;
    completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    if (sweep_job_motion(j)->of_pieces) return sweep_job_simulate(j, ctx, run, NULL);
    const sweep_words v = sweep_job_words(j, ctx, run);
    hamel_status status = sweep_words_read(ctx, j->m, &v, &m);
    if (!status) status = api_read_state(m, v.at, &where);
    return status ? status : mechanics_create(m, &where, &made);
}

static hamel_status enter_and_begin(const sweep_job *j, context *ctx, uint64_t run) {
    API_CALL(ctx, NULL, begin_run(j, ctx, run), "looking at a run of a sweep");
}

// "residual of `NAME` at the values given: SIZE", where it is not 0
static bool names_one(const diagnostic *d, const char **name, size_t *length) {
    const char *open = strchr(d->message, '`'), *close = open ? strchr(open + 1, '`') : NULL,
               *size = strrchr(d->message, ' ');
    if (d->severity != DIAG_NOTE || !close || !size || strcmp(size, " 0") == 0) return false;
    *name = open + 1, *length = (size_t)(close - open - 1);
    return true;
}

// Without the time at which it stopped, which is another one in each run
static const char *why_of(const diagnostic *d) {
    static const char STOPPED[] = "the run stopped at t = ";
    const char *behind = strstr(d->message, ": ");
    return behind && strncmp(d->message, STOPPED, sizeof STOPPED - 1) == 0 ? behind + 2
                                                                           : d->message;
}

// What was said of it, in the arena; words NULL: nothing
static sweep_cause said(const context *from, arena *a) {
    sweep_cause c = {0};
    const diagnostic *error = NULL;
    uint32_t names = 0;
    c.constraint = arena_array(a, const char *, MOST_NAMES + 1);
    text words = {0};
    for (uint32_t i = 0; i < from->diagnostic_count; i++) {
        const diagnostic *d = &from->diagnostics[i];
        const char *name;
        size_t length;
        if (d->severity == DIAG_ERROR && !error) text_append(&words, why_of(d)), error = d;
        else if (error && names_one(d, &name, &length)) {
            if (names++ >= MOST_NAMES) continue;
            text_format(&words, "%s `%.*s`", c.constraint_count ? "," : ":", (int)length, name);
            c.constraint[c.constraint_count++] = arena_copy(a, name, length);
        }
    }
    if (names > MOST_NAMES) text_format(&words, " and %u more", names - MOST_NAMES);
    if (error) c.words = arena_copy(a, text_string(&words), words.length);
    text_free(&words);
    return c;
}

static sweep_cause cause_of(const sweep_job *j, uint64_t run) {
    sweep_cause c = {0};
    context *ctx = hamel_context_create();
    if (!ctx) return c;
    ctx->limits = j->m->ctx->limits;
    ctx->budget.interrupted = j->run->interrupted;
    const hamel_status status = enter_and_begin(j, ctx, run);
    if (status == HAMEL_MODEL || (sweep_job_motion(j)->of_pieces && status != HAMEL_LIMIT))
        c = said(ctx, &j->m->ctx->arena);
    hamel_context_destroy(ctx);
    c.run = run, c.looked = c.count = 1;
    return c;
}

// --- all of them ---------------------------------------------------------------------------------

// Every so many of the runs that ended so
static uint32_t choose(const sweep_job *j, sweep_outcome ended, uint64_t failed,
                       uint64_t run[LOOKS]) {
    const uint64_t chunks = sweep_store_chunks(j->store), most = sweep_store_count(j->store, 0),
                   step = (failed + LOOKS - 1) / LOOKS;
    double *collected = memory_array(double, most * j->collected_count + 1);
    sweep_end *end = memory_array(sweep_end, most);
    uint64_t seen = 0;
    uint32_t count = 0;
    for (uint64_t k = 0; k < chunks && count < LOOKS; k++) {
        if (!sweep_store_get(j->store, k, collected, end)) continue;
        for (uint64_t i = 0; i < sweep_store_count(j->store, k) && count < LOOKS; i++)
            if (end[i].outcome == ended && seen++ % step == 0)
                run[count++] = sweep_store_first(j->store, k) + i;
    }
    memory_free(collected), memory_free(end);
    return count;
}

bool sweep_cause_find(const sweep_job *j, sweep_outcome ended, uint64_t failed, sweep_cause *out) {
    uint64_t run[LOOKS];
    sweep_cause found[LOOKS];
    uint32_t kinds = 0, best = 0;
    const uint32_t looked = failed ? choose(j, ended, failed, run) : 0;
    for (uint32_t i = 0; i < looked; i++) {
        const sweep_cause c = cause_of(j, run[i]);
        uint32_t k = 0;
        while (k < kinds && c.words && strcmp(found[k].words, c.words) != 0) k++;
        if (!c.words) continue;
        if (k < kinds) found[k].count++;
        else found[kinds++] = c;
    }
    for (uint32_t k = 1; k < kinds; k++)
        if (found[k].count > found[best].count) best = k;
    if (!kinds) return false;
    *out = found[best];
    out->looked = looked;
    return true;
}
