// Files that calls write: never over what the model was read from, whole or not at all.
#include "api/api_internal.h"

#include "base/whole_file.h"
#include "record/output_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same(const struct stat *a, const char *name) {
    struct stat b;
    return stat(name, &b) == 0 && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

static bool was_read_from(const model *m, const struct stat *file) {
    if (is_same(file, m->text->name)) return true;
    const uint32_t named = m->included_by_options;
    for (uint32_t i = 0; i < (named > m->included_count ? named : m->included_count); i++)
        if (is_same(file, m->included[i]->name)) return true;
    return false;
}

hamel_status api_refuse_own(context *ctx, const char *file) {
    const session *s = session_of(ctx);
    struct stat there;
    if (stat(file, &there) != 0 || !S_ISREG(there.st_mode)) return HAMEL_OK;
    for (uint32_t i = 0; i < s->models_count; i++) {
        if (!was_read_from(s->models[i], &there)) continue;
        diag_error(ctx, (span){0}, "choose another name",
                   "`%s` is a file of the model, and is not overwritten", file);
        return HAMEL_USAGE;
    }
    return HAMEL_OK;
}

hamel_status api_refuse_own_rows(context *ctx, const char *file) {
    output_file names = output_file_find(file);
    hamel_status status = api_refuse_own(ctx, file);
    if (!status) status = api_refuse_own(ctx, names.journal);
    if (!status) status = api_refuse_own(ctx, names.part);
    output_file_free(&names);
    return status;
}

hamel_status api_write_file(context *ctx, const char *file, const void *bytes, size_t size) {
    const hamel_status status = api_refuse_own(ctx, file);
    if (status || whole_file_write(file, bytes, size)) return status;
    return context_refuse(ctx, (span){0}, "write", file, errno);
}

hamel_status hamel_file_write(hamel_context *ctx, const char *file, const void *bytes,
                              size_t size) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, file);
    if (size) API_NEEDS(ctx, bytes);
    API_CALL(ctx, NULL, api_write_file(ctx, file, bytes, size), "writing `%s`", file);
}
