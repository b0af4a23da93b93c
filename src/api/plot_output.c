// A figure in a file of one of the kinds of pictures, or in characters.
#include "api/plot_figure.h"

#include "api/api_internal.h"
#include "report/figure_svg.h"

#include <errno.h>
#include <string.h>

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

hamel_status plot_output_check(context *ctx, const hamel_plot *asked) {
    const char *name = asked->output;
    if (!name || picture_kind(name)) return HAMEL_OK;
    diag_error(ctx, (span){0},
               "give a name that ends in .svg, .png or .pdf, or - for SVG on standard output",
               "`%s` does not say in which format the figure is to be written", name);
    return HAMEL_USAGE;
}

static bool write_picture(const hamel_plot *asked, const text *svg, byte_writer to, text *why) {
    if (strcmp(asked->output, "-") != 0 && !byte_writer_open(asked->output, &to)) {
        text_append(why, strerror(errno));
        return false;
    }
    bool written = picture_kind(asked->output)->write(svg, asked->title, &to, why);
    if (to.close && !to.close(to.data) && written)
        written = false, text_append(why, strerror(errno));
    return written;
}

static hamel_status draw(const plot_rows *r, byte_writer standard) {
    figure f;
    hamel_status status = plot_figure(r, &f);
    if (status) return status;
    text svg = {0}, why = {0};
    figure_svg(&f, &r->ctx->arena, &svg);
    if (!write_picture(r->asked, &svg, standard, &why)) {
        diag_error(r->ctx, (span){0}, NULL, "cannot write `%s`: %s", r->asked->output,
                   text_string(&why));
        status = HAMEL_USAGE;
    }
    text_free(&svg), text_free(&why);
    return status;
}

hamel_status plot_output_write(const plot_rows *r, byte_writer standard, char **result) {
    if (r->asked->output) return draw(r, standard);
    text out = {0};
    const hamel_status status = plot_figure_characters(r, &out);
    api_finish_text(&out, result);
    return status;
}
