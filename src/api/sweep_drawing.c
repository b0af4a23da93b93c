// The figure of a sweep that was made, from the rows of its store.
#include "api/sweep_job.h"

#include "api/sweep_plot.h"

#include <string.h>

enum { OUTCOMES = SWEEP_OTHER + 1 };

// Names and units of all columns, and which of them run along grids; no rows
static sweep_rows names_of(const sweep_job *j) {
    arena *a = &j->m->ctx->arena;
    const uint32_t varied = sweep_plan_values(j->plan), count = varied + j->collected_count;
    const sweep_layout *layout = sweep_plan_layout(j->plan);
    const char **name = arena_array(a, const char *, count),
               **unit = arena_array(a, const char *, count);
    bool *is_axis = arena_array(a, bool, count);
    for (uint32_t i = 0; i < count; i++) {
        const collected *c = i < varied ? NULL : &j->collected[i - varied];
        name[i] = c ? c->name : sweep_plan_name(j->plan, i);
        unit[i] = c ? c->unit : sweep_plan_unit(j->plan, i);
        is_axis[i] = false;
    }
    for (uint32_t i = 0, at = 0; i < layout->axis_count; at += layout->axis[i++].target_count)
        is_axis[at] = layout->axis[i].kind == AXIS_GRID || layout->axis[i].kind == AXIS_LIST;
    const char **word = arena_array(a, const char *, OUTCOMES + j->m->events_count);
    for (uint32_t i = 0; i < OUTCOMES; i++)
        word[i] = i == SWEEP_STOPPED
                      ? ""
                      : sweep_end_words(&(sweep_end){0, (sweep_outcome)i, -1}, j->event);
    for (uint32_t i = 0; i < j->m->events_count; i++) word[OUTCOMES + i] = j->event[i];
    return (sweep_rows){.column_count = count,
                        .name = name,
                        .unit = unit,
                        .is_axis = is_axis,
                        .varied_count = varied,
                        .word_count = OUTCOMES + j->m->events_count,
                        .word = word};
}

hamel_status sweep_job_check_figure(const sweep_job *j) {
    if (!j->asked->figure) return HAMEL_OK;
    const sweep_rows names = names_of(j);
    return sweep_plot_check(j->m->ctx, &names, j->asked->figure);
}

// Runs of a chunk behind those that are there
static void add_chunk(const sweep_job *j, uint64_t chunk, const double *collected,
                      const sweep_end *end, sweep_rows *r, double *value, uint32_t *ended) {
    const uint64_t first = sweep_store_first(j->store, chunk);
    double *to = value + r->row_count * r->column_count;
    for (uint64_t i = 0; i < sweep_store_count(j->store, chunk); i++, to += r->column_count) {
        sweep_plan_find(j->plan, first + i, to);
        memcpy(to + r->varied_count, collected + i * j->collected_count,
               sizeof *to * j->collected_count);
        ended[r->row_count++] = end[i].outcome == SWEEP_STOPPED ? OUTCOMES + (uint32_t)end[i].event
                                                                : (uint32_t)end[i].outcome;
    }
}

static hamel_status draw(const sweep_job *j, sweep_rows *r, text *out) {
    context *ctx = j->m->ctx;
    const uint64_t chunks = sweep_store_chunks(j->store), runs = sweep_plan_runs(j->plan),
                   most = sweep_store_count(j->store, 0),
                   bytes = (sizeof(double) * r->column_count + sizeof(uint32_t)) * runs;
    if (bytes > ctx->limits.table_bytes) {
        context_exhaust_limit(ctx, (span){0}, "bytes", "bytes of rows of a figure",
                              ctx->limits.table_bytes);
        return HAMEL_LIMIT;
    }
    double *value = memory_array(double, r->column_count *runs),
           *collected = memory_array(double, most * j->collected_count + 1);
    uint32_t *ended = memory_array(uint32_t, runs);
    sweep_end *end = memory_array(sweep_end, most);
    for (uint64_t k = 0; k < chunks; k++)
        if (sweep_store_get(j->store, k, collected, end))
            add_chunk(j, k, collected, end, r, value, ended);
    r->value = value, r->ended = ended;
    char *drawn = NULL;
    const hamel_status status =
        r->row_count ? sweep_plot(ctx, r, j->asked->figure, run_job_callers_writer(j->run), &drawn)
                     : HAMEL_OK;
    if (drawn) text_format(out, "\n%s", drawn), memory_free(drawn);
    memory_free(value), memory_free(collected), memory_free(ended), memory_free(end);
    return status;
}

hamel_status sweep_job_draw(const sweep_job *j, text *out) {
    if (!j->asked->figure) return HAMEL_OK;
    sweep_rows rows = names_of(j);
    return draw(j, &rows, out);
}
