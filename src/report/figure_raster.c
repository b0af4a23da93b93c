// A figure as PNG and PDF: its SVG drawn by librsvg on surfaces of cairo (raster.h).
//
// They are loaded when a picture is drawn, in a child process (base/fence.h): with them come forty
// others, that would double the time every command takes to begin (11 ms without, 20 ms with them),
// and glib, librsvg and fontconfig end or crash the process where they get no memory. The child
// sends the picture, or why there is none.
#include "report/figure_svg.h"

#include "base/fence.h"
#include "report/raster.h"
#include "base/recovery.h"
#include "hamel.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const double PNG_SCALE = 3;         // 288 dots to an inch
static const double POINTS_A_PIXEL = 0.75; // 72 points and 96 pixels to an inch

// --- drawing -------------------------------------------------------------------------------------

typedef struct {
    raster_library call;
    RsvgHandle *svg;
    double width, height; // pixels
} picture;

static void say_error(const raster_library *l, GError *error, text *why) {
    if (strstr(error->message, "emory")) recovery_jump(RECOVERY_NO_MEMORY); // "NoMemory"
    text_append(why, error->message);
    l->g_error_free(error);
}

static bool open_picture(picture *p, const text *svg, text *why) {
    if (!raster_load(&p->call, why)) return false;
    GError *error = NULL;
    p->svg = p->call.rsvg_handle_new_from_data((const guint8 *)svg->bytes, svg->length, &error);
    if (!p->svg) {
        say_error(&p->call, error, why);
        return false;
    }
    p->call.rsvg_handle_get_intrinsic_size_in_pixels(p->svg, &p->width, &p->height);
    return true;
}

static bool is_good(const raster_library *l, cairo_status_t status, text *why) {
    // libpng writes into memory, and can fail for that alone
    if (status == CAIRO_STATUS_NO_MEMORY || status == CAIRO_STATUS_PNG_ERROR)
        recovery_jump(RECOVERY_NO_MEMORY);
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

static cairo_status_t add_bytes(void *to, const unsigned char *bytes, unsigned int size) {
    text_append_n(to, (const char *)bytes, size);
    return CAIRO_STATUS_SUCCESS;
}

static bool draw_png(const picture *p, const char *title, text *out, text *why) {
    (void)title;
    cairo_surface_t *on = p->call.cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)ceil(PNG_SCALE * p->width), (int)ceil(PNG_SCALE * p->height));
    return draw(p, on, PNG_SCALE, why) &&
           is_good(&p->call, p->call.cairo_surface_write_to_png_stream(on, add_bytes, out), why);
}

static bool draw_pdf(const picture *p, const char *title, text *out, text *why) {
    cairo_surface_t *on = p->call.cairo_pdf_surface_create_for_stream(
        add_bytes, out, POINTS_A_PIXEL * p->width, POINTS_A_PIXEL * p->height);
    if (title) p->call.cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_TITLE, title);
    p->call.cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_CREATOR, "hamel " HAMEL_VERSION);
    // the same figure, the same bytes
    p->call.cairo_pdf_surface_set_metadata(on, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    const bool done = draw(p, on, POINTS_A_PIXEL, why);
    p->call.cairo_surface_finish(on);
    return done && is_good(&p->call, p->call.cairo_surface_status(on), why);
}

// --- the child, and what comes of it -------------------------------------------------------------

// cairo may end without an error where it got no memory for the last bytes.
static bool has_its_end(const text *picture, const char *end) {
    enum { NEAR = 16 }; // bytes
    const size_t length = strlen(end);
    for (size_t back = length; back <= NEAR && back <= picture->length; back++)
        if (memcmp(picture->bytes + picture->length - back, end, length) == 0) return true;
    return false;
}

typedef struct {
    const text *svg;
    const char *title;
    const char *end; // what its last bytes hold
    bool (*draw)(const picture *p, const char *title, text *out, text *why);
} order;

// Nothing is closed: the process ends here.
static bool work(fence *f, void *data) {
    const order *o = data;
    picture p = {0};
    text out = {0}, why = {0};
    const bool good = open_picture(&p, o->svg, &why) && o->draw(&p, o->title, &out, &why);
    if (good && !has_its_end(&out, o->end)) recovery_jump(RECOVERY_NO_MEMORY);
    const text *said = good ? &out : &why;
    return fence_send(f, said->bytes, said->length) && good;
}

static const double MOST_SECONDS = 100; // the largest figure takes six

static bool make(order *o, const byte_writer *to, text *why) {
    text sent = {0};
    const fence_job job = {
        .work = work, .data = o, .take = fence_take_text, .to = &sent, .keeps_files = true};
    const fence_outcome end = fence_run(&job, &(fence_limits){.seconds = MOST_SECONDS});
    // asleep: it waits for one of its threads, which got no memory
    if (end == FENCE_MEMORY || end == FENCE_DIED || end == FENCE_TIME || end == FENCE_ASLEEP)
        recovery_jump(RECOVERY_NO_MEMORY);
    if (end == FENCE_REFUSED) text_append_n(why, sent.bytes, sent.length);
    else if (end || !sent.length) text_append(why, end ? fence_words(end) : "nothing was drawn");
    const bool drawn = !end && sent.length;
    const bool written = drawn && to->write(sent.bytes, sent.length, to->data);
    if (drawn && !written) text_append(why, strerror(errno));
    text_free(&sent);
    return written;
}

bool figure_png(const text *svg, const byte_writer *to, text *why) {
    return make(&(order){svg, NULL, "IEND", draw_png}, to, why);
}

bool figure_pdf(const text *svg, const char *title, const byte_writer *to, text *why) {
    return make(&(order){svg, title, "%%EOF", draw_pdf}, to, why);
}
