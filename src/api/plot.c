// Figures of runs, and of rows in files.
#include "api/plot_figure.h"

#include "api/run_job.h"
#include "record/stored.h"

enum { LEAST_ROWS = 2000 }; // so that a curve looks smooth

plot_rows run_job_rows(const run_job *j) {
    return (plot_rows){.ctx = j->m->ctx,
                       .asked = j->plot,
                       .column_count = j->system->column_count,
                       .column = j->system->column,
                       .rows = j->rows,
                       .event_count = j->r.record.events_count,
                       .event = j->r.record.events};
}

static hamel_status plot_run(hamel_model *m, const hamel_run *asked, const hamel_plot *plot,
                             char **result) {
    hamel_run run = *asked;
    run.output = run.resume = NULL;
    table rows = {0};
    run_job j = {.m = m, .asked = &run, .plot = plot, .rows = &rows, .least_rows = LEAST_ROWS};
    hamel_status status = plot_output_check(m->ctx, plot);
    if (!status) status = run_job_run(&j);
    if (!status) {
        const plot_rows r = run_job_rows(&j);
        status = plot_output_write(&r, (byte_writer){asked->write, NULL, asked->data}, result);
    }
    if (!status && j.outcome != RUN_DONE && j.outcome != RUN_EVENT) status = HAMEL_NUMERICS;
    table_free(&rows);
    run_job_close(&j);
    return status;
}

hamel_status hamel_model_plot(hamel_model *m, const hamel_run *asked, const hamel_plot *plot,
                              char **result) {
    API_CALL(m->ctx, result, plot_run(m, asked, plot, result), "drawing a run of `%s`", m->name);
}

static hamel_status check_stored(context *ctx, const char *file, const hamel_plot *plot,
                                 const stored_rows *kept) {
    if (!kept->rows.row_count)
        diag_error(ctx, (span){0}, NULL, "there are no rows in `%s`, only names", file);
    else if (plot->events && !kept->has_events)
        diag_error(ctx, (span){0},
                   "leave --events away; a run in an .h5 file has its events with it",
                   "`%s` has rows only, and no events to mark", file);
    else return HAMEL_OK;
    return HAMEL_USAGE;
}

static hamel_status plot_file(hamel_context *ctx, const char *file, const hamel_plot *plot,
                              int (*write)(const void *bytes, size_t size, void *data), void *data,
                              char **result) {
    stored_rows kept = {0};
    hamel_status status = plot_output_check(ctx, plot);
    if (!status) status = stored_read(ctx, file, &kept);
    if (!status) status = check_stored(ctx, file, plot, &kept);
    const plot_rows r = {.ctx = ctx,
                         .asked = plot,
                         .column_count = kept.rows.column_count,
                         .column = kept.column,
                         .is_file = true,
                         .rows = &kept.rows,
                         .event_count = kept.event_count,
                         .event = kept.event};
    if (!status) status = plot_figure_check(&r);
    if (!status) status = plot_output_write(&r, (byte_writer){write, NULL, data}, result);
    table_free(&kept.rows);
    return status;
}

hamel_status hamel_file_plot(hamel_context *ctx, const char *file, const hamel_plot *plot,
                             int (*write)(const void *bytes, size_t size, void *data), void *data,
                             char **result) {
    API_CALL(ctx, result, plot_file(ctx, file, plot, write, data, result), "drawing `%s`", file);
}
