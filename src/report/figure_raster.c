// A figure as PNG and PDF: its SVG drawn by librsvg on surfaces of cairo. Nothing else sees these
// libraries.
//
// They are loaded when the first picture is drawn: with them come forty others, that would double
// the time every command takes to begin (11 ms without, 20 ms with them).
#include "report/figure_svg.h"

#include "base/recovery.h"
#include "hamel.h"

#include <cairo-pdf.h>
#include <dlfcn.h>
#include <librsvg/rsvg.h>
#include <math.h>
#include <string.h>

static const double PNG_SCALE = 3;         // 288 dots to an inch
static const double POINTS_A_PIXEL = 0.75; // 72 points and 96 pixels to an inch

// --- the libraries -------------------------------------------------------------------------------

#define CALLS(call)                                                                                \
    call(rsvg_handle_new_from_data);                                                               \
    call(rsvg_handle_get_intrinsic_size_in_pixels);                                                \
    call(rsvg_handle_render_document);                                                             \
    call(g_error_free);                                                                            \
    call(g_object_unref);                                                                          \
    call(cairo_image_surface_create);                                                              \
    call(cairo_pdf_surface_create_for_stream);                                                     \
    call(cairo_pdf_surface_set_metadata);                                                          \
    call(cairo_surface_write_to_png_stream);                                                       \
    call(cairo_surface_finish);                                                                    \
    call(cairo_surface_status);                                                                    \
    call(cairo_surface_destroy);                                                                   \
    call(cairo_create);                                                                            \
    call(cairo_status);                                                                            \
    call(cairo_destroy);                                                                           \
    call(cairo_status_to_string)

#undef g_object_unref // a macro over the function
#define DECLARE(name) __typeof__(&name) name
typedef struct {
    CALLS(DECLARE);
} library;

static bool find(void *handle, const char *name, void *function) {
    void *address = dlsym(handle, name);
    memcpy(function, &address, sizeof address); // POSIX has both of one size, C has no cast
    return address != NULL;
}

// glib and librsvg end the process where they get no memory: what they need for themselves and for
// a picture must be there before they are asked.
enum { NEEDED = 320 << 20 }; // mostly addresses: pango starts threads, each with a stack and a heap

// librsvg brings cairo and glib with it. It stays loaded: its types and threads have no end.
static bool load(library *l, text *why) {
    if (!memory_has(NEEDED)) recovery_jump(RECOVERY_NO_MEMORY);
    void *handle = dlopen("librsvg-2.so.2", RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    bool found = handle != NULL;
#define FIND(name) found = found && find(handle, #name, &l->name)
    CALLS(FIND);
    if (!found) text_append(why, dlerror());
    return found;
}

// --- drawing -------------------------------------------------------------------------------------

typedef struct {
    library call;
    RsvgHandle *svg;
    double width, height; // pixels
} picture;

static void say_error(const library *l, GError *error, text *why) {
    text_append(why, error->message);
    l->g_error_free(error);
}

static bool open_picture(picture *p, const text *svg, text *why) {
    if (!load(&p->call, why)) return false;
    GError *error = NULL;
    p->svg = p->call.rsvg_handle_new_from_data((const guint8 *)svg->bytes, svg->length, &error);
    if (!p->svg) {
        say_error(&p->call, error, why);
        return false;
    }
    p->call.rsvg_handle_get_intrinsic_size_in_pixels(p->svg, &p->width, &p->height);
    return true;
}

static bool is_good(const library *l, cairo_status_t status, text *why) {
    if (status) text_append(why, l->cairo_status_to_string(status));
    return !status;
}

static bool draw(const picture *p, cairo_surface_t *on, double scale, text *why) {
    const RsvgRectangle all = {0, 0, scale * p->width, scale * p->height};
    cairo_t *pen = p->call.cairo_create(on);
    GError *error = NULL;
    const bool done = p->call.rsvg_handle_render_document(p->svg, pen, &all, &error);
    if (!done) say_error(&p->call, error, why);
    const bool good = done && is_good(&p->call, p->call.cairo_status(pen), why);
    p->call.cairo_destroy(pen);
    return good;
}

static void close_picture(picture *p, cairo_surface_t *on) {
    p->call.cairo_surface_destroy(on);
    p->call.g_object_unref(p->svg);
}

static cairo_status_t write_bytes(void *to, const unsigned char *bytes, unsigned int size) {
    const byte_writer *w = to;
    return w->write(bytes, size, w->data) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

bool figure_png(const text *svg, const byte_writer *to, text *why) {
    picture p = {0};
    if (!open_picture(&p, svg, why)) return false;
    cairo_surface_t *on = p.call.cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)ceil(PNG_SCALE * p.width), (int)ceil(PNG_SCALE * p.height));
    const bool done =
        draw(&p, on, PNG_SCALE, why) &&
        is_good(&p.call, p.call.cairo_surface_write_to_png_stream(on, write_bytes, (void *)to),
                why);
    close_picture(&p, on);
    return done;
}

bool figure_pdf(const text *svg, const char *title, const byte_writer *to, text *why) {
    picture p = {0};
    if (!open_picture(&p, svg, why)) return false;
    cairo_surface_t *on = p.call.cairo_pdf_surface_create_for_stream(
        write_bytes, (void *)to, POINTS_A_PIXEL * p.width, POINTS_A_PIXEL * p.height);
    if (title) p.call.cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_TITLE, title);
    p.call.cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_CREATOR, "hamel " HAMEL_VERSION);
    // the same figure, the same bytes
    p.call.cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    const bool done = draw(&p, on, POINTS_A_PIXEL, why);
    p.call.cairo_surface_finish(on);
    const bool good = done && is_good(&p.call, p.call.cairo_surface_status(on), why);
    close_picture(&p, on);
    return good;
}
