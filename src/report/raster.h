// librsvg and cairo, which draw SVG: loaded when a picture is drawn, by a child process
// (base/fence.h), for with them come forty others. figure_raster.c makes one picture with them,
// film_raster.c those of a film; nothing else sees them.
#ifndef HAMEL_REPORT_RASTER_H
#define HAMEL_REPORT_RASTER_H

#include "base/text.h"

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#define RASTER_CALLS(call)                                                                         \
    call(rsvg_handle_new_from_data);                                                               \
    call(rsvg_handle_get_intrinsic_size_in_pixels);                                                \
    call(rsvg_handle_render_document);                                                             \
    call(g_object_unref);                                                                          \
    call(g_error_free);                                                                            \
    call(cairo_image_surface_create);                                                              \
    call(cairo_pdf_surface_create_for_stream);                                                     \
    call(cairo_pdf_surface_set_metadata);                                                          \
    call(cairo_image_surface_get_data);                                                            \
    call(cairo_image_surface_get_stride);                                                          \
    call(cairo_surface_flush);                                                                     \
    call(cairo_surface_write_to_png_stream);                                                       \
    call(cairo_surface_finish);                                                                    \
    call(cairo_surface_status);                                                                    \
    call(cairo_create);                                                                            \
    call(cairo_status);                                                                            \
    call(cairo_set_source_rgb);                                                                    \
    call(cairo_paint);                                                                             \
    call(cairo_destroy);                                                                           \
    call(cairo_status_to_string)

#define RASTER_DECLARE(name) __typeof__(&name) name
typedef struct {
    RASTER_CALLS(RASTER_DECLARE);
} raster_library;

// False, with the reason in `why`: they are not there.
bool raster_load(raster_library *l, text *why);

#endif
