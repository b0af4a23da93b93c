// A figure as PNG and PDF: its SVG drawn by librsvg on surfaces of cairo. Nothing else sees these libraries.
#include "report/figure_svg.h"

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>
#include <math.h>

static const double PNG_SCALE = 3;         // 288 dots to an inch
static const double POINTS_A_PIXEL = 0.75; // 72 points and 96 pixels to an inch

static cairo_status_t write_bytes(void *to, const unsigned char *bytes, unsigned int size) {
    const byte_writer *w = to;
    return w->write(bytes, size, w->data) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static RsvgHandle *read_svg(const text *svg, double *width, double *height, text *why) {
    GError *error = NULL;
    RsvgHandle *handle = rsvg_handle_new_from_data((const guint8 *)svg->bytes, svg->length, &error);
    if (!handle) {
        text_append(why, error->message);
        g_error_free(error);
    } else {
        rsvg_handle_get_intrinsic_size_in_pixels(handle, width, height);
    }
    return handle;
}

// Fills the surface, and gives it back with the handle.
static bool draw(RsvgHandle *handle, cairo_surface_t *on, double width, double height, text *why) {
    cairo_t *pen = cairo_create(on);
    GError *error = NULL;
    const RsvgRectangle all = {0, 0, width, height};
    bool done = rsvg_handle_render_document(handle, pen, &all, &error);
    if (!done) {
        text_append(why, error->message);
        g_error_free(error);
    } else if (cairo_status(pen)) {
        done = false;
        text_append(why, cairo_status_to_string(cairo_status(pen)));
    }
    cairo_destroy(pen);
    return done;
}

static bool judge(cairo_status_t status, text *why) {
    if (status) text_append(why, cairo_status_to_string(status));
    return !status;
}

bool figure_png(const text *svg, const byte_writer *to, text *why) {
    double width, height;
    RsvgHandle *handle = read_svg(svg, &width, &height, why);
    if (!handle) return false;
    width *= PNG_SCALE, height *= PNG_SCALE;
    cairo_surface_t *on = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width), (int)ceil(height));
    bool done = draw(handle, on, width, height, why);
    if (done) done = judge(cairo_surface_write_to_png_stream(on, write_bytes, (void *)to), why);
    cairo_surface_destroy(on);
    g_object_unref(handle);
    return done;
}

bool figure_pdf(const text *svg, const char *title, const byte_writer *to, text *why) {
    double width, height;
    RsvgHandle *handle = read_svg(svg, &width, &height, why);
    if (!handle) return false;
    width *= POINTS_A_PIXEL, height *= POINTS_A_PIXEL;
    cairo_surface_t *on = cairo_pdf_surface_create_for_stream(write_bytes, (void *)to, width, height);
    if (title) cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_TITLE, title);
    cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_CREATOR, "hamel " HAMEL_VERSION);
    cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_CREATE_DATE, NULL); // the same figure, the same bytes
    bool done = draw(handle, on, width, height, why);
    cairo_surface_finish(on);
    if (done) done = judge(cairo_surface_status(on), why);
    cairo_surface_destroy(on);
    g_object_unref(handle);
    return done;
}
