// Runs in pieces, made ready one by one.
#include "api/sweep_pieces.h"

#include "api/pieces.h"
#include "api/sweep_words.h"

#include <math.h>
#include <string.h>

// What goes along with one of them: the collector, which reads what is collected in the model of
// each piece
typedef struct {
    run_follower base; // first
    const sweep_setting_up *how;
    collector *c;
    bool is_unknown; // something that is collected has no meaning in a mode
} companion;

static void enter(run_follower *f, const run *r) {
    companion *w = (companion *)f;
    const simulation *sim = r->state.f->sim;
    const collected *what;
    uint32_t count;
    if (!collector_knows_model(w->c, sim->m)) {
        w->is_unknown = w->is_unknown ||
                        w->how->collects((model *)sim->m, w->how->data, &what, &count) ||
                        !collector_take_model(w->c, sim, what);
        if (w->is_unknown) return;
    }
    collector_enter_piece(w->c, r);
}

static void pass(run_follower *f, const run *r, double t, const double *z, const dense *inside) {
    const companion *w = (companion *)f;
    run_follower *c = collector_follower(w->c);
    if (!w->is_unknown) c->pass(c, r, t, z, inside);
}

static void tell_event(run_follower *f, const char *event, double t) {
    collector_note(((const companion *)f)->c, event, t);
}

// One that does not come to its first piece has no start.
static sweep_end end_of(const run_job *j, const companion *w, run_status status) {
    const pieces *p = j->pieces;
    sweep_end end = {.t = j->r.state.t, .outcome = SWEEP_OTHER, .event = -1};
    if (status == RUN_FAILED) status = p->ended_by;
    if (!w->is_unknown) end.outcome = sweep_worker_outcome(status);
    if (status == RUN_EVENT) end.event = collector_stopped_by(w->c);
    if (!p->last && status == RUN_FAILED)
        end = (sweep_end){.t = NAN, .outcome = SWEEP_NO_START, .event = -1};
    return end;
}

// --- what is asked of a run ----------------------------------------------------------------------

typedef struct {
    const sweep_pieces *all;
    const double *values;
    double *collected;
    sweep_end *end;
    // or rows at these times instead; NULL: none
    const double *times;
    size_t count;
    double *rows;
} request;

static run_status run_it(run_job *j) {
    budget_hold(); // a run whose time is over ends in good order
    const run_status status = pieces_run(j);
    budget_release();
    return status;
}

static hamel_status collect(const request *asked, run_job *j) {
    const sweep_setting_up *how = asked->all->how;
    companion along = {.base = {.enter = enter, .pass = pass, .named = tell_event}, .how = how};
    const collected *what;
    uint32_t count;
    const hamel_status status = how->collects(j->m, how->data, &what, &count);
    if (status) return status;
    along.c = collector_create(j->sim, count, what);
    if (!along.c) return HAMEL_MODEL;
    along.base.looks_inside = collector_follower(along.c)->looks_inside;
    collector_begin_pieces(along.c, j->sim->t0);
    j->r.follower = &along.base;
    const sweep_end end = *asked->end = end_of(j, &along, run_it(j));
    if (end.outcome != SWEEP_NO_START)
        collector_finish(along.c, j->pieces->last ? j->pieces->last : &j->r,
                         end.outcome > SWEEP_STOPPED, asked->collected);
    collector_free(along.c);
    return HAMEL_OK;
}

// Rows have the numbers of their times; the first is the start, which need not be one of these.
typedef struct {
    sink base;
    const run_record *record;
    size_t columns, before;
    double *rows;
} writer;

static bool put_row(sink *s, const double *values) {
    const writer *w = (const writer *)s;
    const int64_t place = w->record->number - (int64_t)w->before;
    if (w->record->number >= 0 && place >= 0)
        memcpy(w->rows + (size_t)place * w->columns, values, sizeof(double) * w->columns);
    return true;
}

static hamel_status write_rows(const request *asked, run_job *j) {
    const size_t count = asked->count, before = asked->times[0] == j->sim->t0 ? 0 : 1;
    if (count >= UINT32_MAX) return HAMEL_USAGE;
    double *times = memory_array(double, count + 1);
    int64_t *numbers = memory_array(int64_t, count + 1);
    times[0] = j->sim->t0;
    memcpy(times + before, asked->times, sizeof(double) * count);
    for (size_t i = 0; i < count + before; i++) numbers[i] = (int64_t)i;
    writer out = {.base.row = put_row,
                  .record = &j->r.record,
                  .columns = j->sim->column_count,
                  .before = before,
                  .rows = asked->rows};
    j->r.record.out = &out.base;
    j->r.asked.times = times, j->r.asked.numbers = numbers;
    j->r.asked.time_count = (uint32_t)(count + before), j->r.asked.end = times[count + before - 1];
    run_it(j);
    memory_free(times), memory_free(numbers);
    return HAMEL_OK;
}

// --- a run ---------------------------------------------------------------------------------------

static hamel_status prepare_and_run(const request *asked, context *ctx) {
    const sweep_pieces *all = asked->all;
    const run_request *usual = &all->first->j->r.asked;
    const sweep_setting_up *how = all->how;
    const sweep_words v = sweep_words_of(how->plan, asked->values, how->run.at, ctx);
    model *m;
    hamel_status status = sweep_words_read(ctx, how->m, &v, &m);
    if (status) return status;
    const hamel_run run = {.form = how->run.form,
                           .method = how->run.method,
                           .at = v.at,
                           .execute = how->run.execute,
                           .until = all->end,
                           .tolerance = usual->tolerance,
                           .interval = how->run.interval,
                           .step = usual->step,
                           .project = how->run.project,
                           .interrupted = how->run.interrupted};
    run_job j = {.m = m, .asked = &run, .of_pieces = true};
    status = run_job_prepare(&j);
    if (!status) status = asked->times ? write_rows(asked, &j) : collect(asked, &j);
    run_job_close(&j);
    return status;
}

static hamel_status enter_and_run(const request *asked, context *ctx) {
    API_CALL(ctx, NULL, prepare_and_run(asked, ctx), "running a sweep");
}

// What is wrong with one of them ends no sweep.
static hamel_status run_alone(const request *asked) {
    const sweep_setting_up *how = asked->all->how;
    const volatile int *stop = how->run.interrupted;
    hamel_context *ctx = budget_flag_is_set(stop) ? NULL : hamel_context_create();
    if (!ctx) return HAMEL_LIMIT;
    ctx->limits = how->m->ctx->limits, ctx->skips_sweeps = true;
    ctx->budget.memory = how->memory, ctx->budget.interrupted = stop;
    enter_and_run(asked, ctx);
    const bool ends = ctx->dead || budget_flag_is_set(stop);
    hamel_context_destroy(ctx);
    return ends ? HAMEL_LIMIT : HAMEL_OK;
}

hamel_status sweep_pieces_run(const sweep_pieces *w, const double *values, double *collected,
                              sweep_end *end) {
    *end = (sweep_end){.t = NAN, .outcome = SWEEP_NO_START, .event = -1};
    for (uint32_t i = 0; i < w->numbers; i++) collected[i] = NAN;
    return run_alone(&(request){w, values, collected, end, NULL, 0, NULL});
}

hamel_status sweep_pieces_rows(const sweep_pieces *w, const double *values, const double *times,
                               size_t count, double *rows) {
    return run_alone(&(request){w, values, NULL, NULL, times, count, rows});
}
