// The text of a model in the canonical layout.
#include "api/api_internal.h"

#include "parse/layout.h"

#include <string.h>

enum { USUAL_MOST = 150, USUAL_GOAL = 100, LEAST_WIDTH = 20 };

static hamel_status format_bytes(context *ctx, const char *name, const void *bytes, size_t size,
                                 unsigned width, text *out) {
    if (width && width < LEAST_WIDTH) {
        diag_error(ctx, (span){0}, "leave it away, or take 100",
                   "a line of %u columns is too short", width);
        return HAMEL_USAGE;
    }
    const layout_width columns = {width ? width : USUAL_MOST, width ? width : USUAL_GOAL};
    const source *from;
    text_append(out, ""); // an empty text is one, too
    const hamel_status status = api_make_source(ctx, name, bytes, size, &from);
    return status ? status : parse_layout(ctx, ctx->pool, from, columns, out);
}

static hamel_status finish(hamel_status status, text *made, char **result, size_t *size) {
    if (size) *size = made->length;
    if (!status) return api_finish_text(made, result);
    text_free(made);
    return status;
}

static hamel_status format_text(context *ctx, const char *name, const void *bytes, size_t size,
                                unsigned width, char **result, size_t *result_size) {
    text made = {0};
    const hamel_status status = format_bytes(ctx, name, bytes, size, width, &made);
    return finish(status, &made, result, result_size);
}

hamel_status hamel_text_format(hamel_context *ctx, const char *name, const void *bytes, size_t size,
                               unsigned width, char **result, size_t *result_size) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, result);
    *result = NULL;
    API_NEEDS(ctx, name);
    if (size) API_NEEDS(ctx, bytes);
    API_CALL(ctx, result, format_text(ctx, name, bytes, size, width, result, result_size),
             "laying out `%s`", name);
}

static hamel_status format_file(context *ctx, const char *file, unsigned width, char **result,
                                size_t *result_size, int *changes) {
    text found = {0}, made = {0};
    hamel_status status = api_read_file(ctx, file, &found);
    const char *name = strcmp(file, "-") == 0 ? "(standard input)" : file;
    if (!status) status = format_bytes(ctx, name, text_string(&found), found.length, width, &made);
    const bool same = found.length == made.length &&
                      memcmp(text_string(&found), text_string(&made), made.length) == 0;
    if (changes) *changes = !status && !same;
    text_free(&found);
    return finish(status, &made, result, result_size);
}

hamel_status hamel_file_format(hamel_context *ctx, const char *file, unsigned width, char **result,
                               size_t *result_size, int *changes) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, result);
    *result = NULL;
    API_NEEDS(ctx, file);
    API_CALL(ctx, result, format_file(ctx, file, width, result, result_size, changes),
             "laying out `%s`", file);
}
