// A run as a figure in a file, or in characters.
#include "api/plot_figure.h"

#include "report/figure_svg.h"

#include <errno.h>
#include <string.h>

enum { LEAST_ROWS = 2000 }; // so that a curve looks smooth

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
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof picture_kinds / sizeof *picture_kinds; i++) {
        const size_t size = strlen(picture_kinds[i].ending);
        if (length > size && strcmp(name + length - size, picture_kinds[i].ending) == 0) return &picture_kinds[i];
    }
    return strcmp(name, "-") == 0 ? &picture_kinds[0] : NULL;
}

static hamel_status check_output(const run_job *j) {
    const char *name = j->plot->output;
    if (!name || picture_kind(name)) return HAMEL_OK;
    diag_error(j->m->ctx, (span){0}, "give a name that ends in .svg, .png or .pdf, or - for SVG on standard output",
               "`%s` does not say in which format the figure is to be written", name);
    return HAMEL_USAGE;
}

static bool write_picture(const run_job *j, const text *svg, const hamel_run *asked, text *why) {
    const char *name = j->plot->output;
    byte_writer to = {asked->write, NULL, asked->data};
    if (strcmp(name, "-") != 0 && !open_file_writer(name, &to)) {
        text_append(why, strerror(errno));
        return false;
    }
    bool written = picture_kind(name)->write(svg, j->plot->title, &to, why);
    if (to.close && !to.close(to.data) && written) written = false, text_append(why, strerror(errno));
    return written;
}

static hamel_status draw(const run_job *j, const hamel_run *asked) {
    figure f;
    hamel_status status = plot_figure(j, &f);
    if (status) return status;
    text svg = {0}, why = {0};
    figure_svg(&f, &j->m->ctx->arena, &svg);
    if (!write_picture(j, &svg, asked, &why)) {
        diag_error(j->m->ctx, (span){0}, NULL, "cannot write `%s`: %s", j->plot->output, text_string(&why));
        status = HAMEL_USAGE;
    }
    text_free(&svg), text_free(&why);
    return status;
}

hamel_status hamel_model_plot(hamel_model *m, const hamel_run *asked, const hamel_plot *plot, char **result) {
    *result = NULL;
    hamel_run run = *asked;
    run.output = run.resume = NULL;
    table rows = {0};
    run_job j = {.m = m, .asked = &run, .plot = plot, .rows = &rows, .least_rows = LEAST_ROWS};
    hamel_status status = check_output(&j);
    if (!status) status = run_job_run(&j);
    if (!status && plot->output) {
        status = draw(&j, asked);
    } else if (!status) {
        text out = {0};
        status = plot_characters(&j, &out);
        finish_text(&out, result);
    }
    if (!status && j.outcome != RUN_DONE && j.outcome != RUN_EVENT) status = HAMEL_NUMERICS;
    table_free(&rows);
    run_job_close(&j);
    return status;
}
