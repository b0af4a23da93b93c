// Figures of runs, and of rows in files: drawn in characters, or written as SVG, PNG or PDF.
#include "api/plot_figure.h"

#include "api/plot_spectrum.h"
#include "api/run_job.h"
#include "base/utf8.h"
#include "record/stored.h"
#include "report/figure_svg.h"
#include "api/sweep_plot.h"
#include "sweep/store.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

enum { LEAST_ROWS = 2000 }; // so that a curve looks smooth

// --- the picture ---------------------------------------------------------------------------------

static bool write_svg(const text *svg, const char *title, const byte_writer *to, text *why) {
    (void)title;
    if (to->write(svg->bytes, svg->length, to->data)) return true;
    text_append(why, strerror(errno));
    return false;
}

static bool write_png(const text *svg, const char *title, const byte_writer *to, text *why) {
    (void)title;
    return figure_png(svg, to, why);
}

static const struct picture_kind {
    const char *ending;
    bool (*write)(const text *svg, const char *title, const byte_writer *to, text *why);
} picture_kinds[] = {{".svg", write_svg}, {".png", write_png}, {".pdf", figure_pdf}};

static const struct picture_kind *picture_kind(const char *name) {
    for (size_t i = 0; i < sizeof picture_kinds / sizeof *picture_kinds; i++)
        if (text_ends_in(name, picture_kinds[i].ending)) return &picture_kinds[i];
    return strcmp(name, "-") == 0 ? &picture_kinds[0] : NULL;
}

hamel_status plot_check_output(context *ctx, const hamel_plot *asked) {
    const char *name = asked->output;
    const hamel_status known = API_KNOWS(ctx, asked);
    if (known || !name) return known;
    if (picture_kind(name)) return api_refuse_own(ctx, name);
    diag_error(ctx, (span){0},
               "give a name that ends in .svg, .png or .pdf, or - for SVG on standard output",
               "`%s` does not say in which format the figure is to be written", name);
    return HAMEL_USAGE;
}

static int add_bytes(const void *bytes, size_t size, void *to) {
    text_append_n(to, bytes, size);
    return 1;
}

hamel_status plot_write_picture(const plot_rows *r, byte_writer standard) {
    const char *name = r->asked->output;
    const bool is_file = strcmp(name, "-") != 0;
    text svg = {0}, picture = {0}, why = {0};
    const byte_writer to = is_file ? (byte_writer){add_bytes, NULL, &picture} : standard;
    hamel_status status = plot_figure_svg(r, &svg);
    const struct picture_kind *kind = picture_kind(name);
    assert(kind); // check_output() has looked
    const char *title = utf8_shown(&r->ctx->arena, r->asked->title);
    if (!status && !kind->write(&svg, title, &to, &why)) {
        diag_error(r->ctx, (span){0}, NULL, "cannot write `%s`: %s", name, text_string(&why));
        status = HAMEL_NUMERICS;
    }
    if (!status && is_file) status = api_write_file(r->ctx, name, picture.bytes, picture.length);
    text_free(&svg), text_free(&picture), text_free(&why);
    return status;
}

hamel_status plot_write(const plot_rows *r, byte_writer standard, char **result) {
    if (r->asked->output) return plot_write_picture(r, standard);
    text out = {0};
    const hamel_status status = plot_figure_characters(r, &out);
    api_finish_text(&out, result);
    return status;
}

hamel_status plot_write_derived(const plot_rows *r, byte_writer standard, text *out,
                                char **result) {
    hamel_status status = HAMEL_OK;
    if (r->asked->output) status = plot_write(r, standard, NULL);
    else if (!r->asked->json) text_char(out, '\n'), status = plot_figure_characters(r, out);
    const bool is_taken = r->asked->output && r->asked->output[0] == '-' && !r->asked->output[1];
    if (is_taken) text_free(out);
    else api_finish_text(out, result);
    return status;
}

// What is asked to be drawn goes together.
static hamel_status check_kind(context *ctx, const hamel_plot *asked) {
    const char *help = NULL, *wrong = NULL;
    if (asked->spectrum && asked->recurrence)
        wrong = "a figure shows a spectrum or a recurrence, not both";
    else if (asked->json && !asked->spectrum && !asked->recurrence)
        wrong = "a figure of rows is no JSON document",
        help = "`hamel simulate --json` has the summary of a run";
    else if (asked->near != 0 && !asked->recurrence) wrong = "only a recurrence asks what is near";
    else if (asked->near < 0 || asked->near != asked->near)
        wrong = "what is near is a positive distance";
    if (wrong) diag_error(ctx, (span){0}, help, "%s", wrong);
    return wrong ? HAMEL_USAGE : plot_check_output(ctx, asked);
}

static hamel_status draw_rows(const plot_rows *r, byte_writer standard, char **result) {
    if (r->asked->spectrum) return plot_spectrum(r, standard, result);
    if (r->asked->recurrence) return plot_recurrence(r, standard, result);
    return plot_write(r, standard, result);
}

// --- where the rows come from --------------------------------------------------------------------

static hamel_status plot_run(hamel_model *m, const hamel_run *asked, const hamel_plot *plot,
                             char **result) {
    hamel_run run = *asked;
    run.output = run.resume = NULL;
    table rows = {0};
    run_job j = {.m = m,
                 .asked = &run,
                 .plot = plot,
                 .rows = &rows,
                 .least_rows = LEAST_ROWS,
                 .is_all = true};
    hamel_status status = check_kind(m->ctx, plot);
    if (!status) status = run_job_run(&j);
    if (!status) {
        const plot_rows r = run_job_rows(&j);
        status = draw_rows(&r, run_job_callers_writer(asked), result);
    }
    if (!status) status = run_job_status(&j);
    table_free(&rows);
    run_job_close(&j);
    return status;
}

hamel_status hamel_model_plot(hamel_model *m, const hamel_run *asked, const hamel_plot *plot,
                              char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, plot);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, plot_run(m, asked, plot, result), "drawing a run of `%s`", m->name);
}

static hamel_status check_stored(context *ctx, const char *file, const hamel_plot *plot,
                                 const stored_rows *kept) {
    if (!kept->rows.row_count)
        diag_error(ctx, (span){0}, NULL, "there are no rows in `%s`, only names", file);
    else if (plot->events && !kept->has_events)
        diag_error(ctx, (span){0},
                   "leave out --events; a run in an .h5 file has its events with it",
                   "`%s` has rows only, and no events to mark", file);
    else return HAMEL_OK;
    return HAMEL_USAGE;
}

// The end first, then failures, then events as they come: as a sweep numbers them itself
static uint32_t rank_of(const char *word) {
    for (uint32_t i = 0; i <= SWEEP_OTHER; i++)
        if (i != SWEEP_STOPPED &&
            strcmp(word, sweep_end_words(&(sweep_end){0, (sweep_outcome)i, -1}, NULL)) == 0)
            return i;
    return SWEEP_OTHER + 1;
}

// Words in that order; `place` is where each of the file's went
static void order_words(const stored_rows *kept, const char **word, uint32_t *place) {
    uint32_t count = 0;
    for (uint32_t rank = 0; rank <= SWEEP_OTHER + 1; rank++)
        for (uint32_t i = 0; i < kept->word_count; i++)
            if (rank_of(kept->word[i]) == rank) word[count] = kept->word[i], place[i] = count++;
}

// A column of words says that the rows are those of a sweep: the words are numbers of the last one.
static hamel_status plot_sweep(context *ctx, const stored_rows *kept, const hamel_plot *plot,
                               byte_writer standard, char **result) {
    const table *t = &kept->rows;
    uint32_t ended = 0, count = 0;
    while (strcmp(kept->column[ended].name, "ended") != 0) ended++;
    const char **name = arena_array(&ctx->arena, const char *, t->column_count),
               **unit = arena_array(&ctx->arena, const char *, t->column_count);
    double *value = memory_array(double, t->row_count *(t->column_count - 1) + 1), *to = value;
    uint32_t *word = memory_array(uint32_t, t->row_count);
    for (uint32_t c = 0; c < t->column_count; c++)
        if (c != ended) name[count] = kept->column[c].name, unit[count++] = kept->column[c].unit;
    const char **words = arena_array(&ctx->arena, const char *, kept->word_count + 1);
    uint32_t *place = arena_array(&ctx->arena, uint32_t, kept->word_count + 1);
    order_words(kept, words, place);
    words[kept->word_count] = "not said", place[kept->word_count] = kept->word_count;
    for (uint64_t i = 0; i < t->row_count; i++) {
        const double said = table_at(t, i, ended); // a number or a gap is no word
        word[i] = place[said >= 0 && said < kept->word_count ? (uint32_t)said : kept->word_count];
        for (uint32_t c = 0; c < t->column_count; c++)
            if (c != ended) *to++ = table_at(t, i, c);
    }
    const sweep_rows rows = {.column_count = count,
                             .name = name,
                             .unit = unit,
                             .is_axis = kept->is_axis,
                             .varied_count = kept->varied_count,
                             .row_count = t->row_count,
                             .value = value,
                             .word_count = kept->word_count + 1,
                             .word = words,
                             .ended = word};
    const hamel_status status = sweep_plot(ctx, &rows, plot, standard, result);
    memory_free(value), memory_free(word);
    return status;
}

static hamel_status plot_file(hamel_context *ctx, const char *file, const hamel_plot *plot,
                              int (*write)(const void *bytes, size_t size, void *data), void *data,
                              char **result) {
    stored_rows kept = {0};
    hamel_status status = check_kind(ctx, plot);
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
    const hamel_run to = {.write = write, .data = data};
    const bool is_sweep = kept.word_count && !plot->spectrum && !plot->recurrence;
    if (!status && is_sweep)
        status = plot_sweep(ctx, &kept, plot, run_job_callers_writer(&to), result);
    if (!status && !is_sweep) status = plot_figure_check(&r);
    if (!status && !is_sweep) status = draw_rows(&r, run_job_callers_writer(&to), result);
    table_free(&kept.rows);
    return status;
}

hamel_status hamel_file_plot(hamel_context *ctx, const char *file, const hamel_plot *plot,
                             int (*write)(const void *bytes, size_t size, void *data), void *data,
                             char **result) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, file);
    API_NEEDS(ctx, plot);
    API_NEEDS(ctx, result);
    API_CALL(ctx, result, plot_file(ctx, file, plot, write, data, result), "drawing `%s`", file);
}
