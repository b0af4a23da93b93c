// The folder and the files of a stand-alone project.
#include "api/project_folder.h"

#include "api/api_internal.h"
#include "base/recovery.h"
#include "base/utf8.h"
#include "base/whole_file.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder and the files of a project: all of them appear at the end, or none does.
typedef struct {
    const char *folder;
    bool made; // by us, now
    uint32_t count;
    const char *name[MOST_TARGET_FILES];
    whole_file file[MOST_TARGET_FILES];
    guard open;
} output;

// Also where memory runs out
static void take_back(void *what) {
    output *o = what;
    for (uint32_t i = 0; i < o->count; i++) {
        whole_file_drop(&o->file[i]);
        if (o->made) unlink(o->name[i]);
    }
    if (o->made) rmdir(o->folder);
}

static const char *replace_at(arena *a, const char *pattern, const char *name) {
    const int before = (int)strcspn(pattern, "@");
    if (!pattern[before]) return pattern;
    return arena_format(a, "%.*s%s%s", before, pattern, name, pattern + before + 1);
}

// Was the folder written by this target? An error of the system in `*error`.
static bool is_ours(context *ctx, const target *to, const project *g, const char *folder,
                    int *error) {
    char line[64] = "";
    const size_t length = strlen(to->mark);
    assert(length < sizeof line);
    text path = {0};
    text_format(&path, "%s/%s", folder, replace_at(&ctx->arena, to->mark_file, g->name));
    FILE *f = fopen(text_string(&path), "rb");
    const bool ours = f && fread(line, 1, length, f) == length && strcmp(line, to->mark) == 0;
    *error = (!f && errno != ENOENT) || (f && ferror(f)) ? errno : 0;
    if (f) fclose(f);
    text_free(&path);
    return ours;
}

static bool is_empty(DIR *d) {
    for (const struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) return false;
    return true;
}

// The folder is made, or is empty, or was made by us.
static hamel_status open_folder(context *ctx, const target *to, const project *g, output *o) {
    o->made = mkdir(o->folder, 0777) == 0;
    if (o->made) return HAMEL_OK;
    DIR *d = errno == EEXIST ? opendir(o->folder) : NULL;
    if (!d) return context_refuse(ctx, (span){0}, "make the folder", o->folder, errno);
    const bool empty = is_empty(d);
    closedir(d);
    int error = 0;
    if (empty || is_ours(ctx, to, g, o->folder, &error)) return HAMEL_OK;
    if (error) return context_refuse(ctx, (span){0}, "look into", o->folder, error);
    diag_error(ctx, (span){0}, "give another folder with -o",
               "the folder `%s` is not empty, and hamel did not make it", o->folder);
    return HAMEL_USAGE;
}

static hamel_status begin_file(context *ctx, const project *g, output *o, const target_file *file,
                               text *list) {
    text content = {0};
    file->write(g, &content);
    const char *name =
        arena_format(&ctx->arena, "%s/%s", o->folder, replace_at(&ctx->arena, file->name, g->name));
    o->name[o->count] = name;
    hamel_status status = api_refuse_own(ctx, name);
    if (!status &&
        !whole_file_begin(&o->file[o->count], name, text_string(&content), content.length))
        status = context_refuse(ctx, (span){0}, "write", name, errno);
    if (!status) o->count++;
    utf8_show(name, list);
    text_char(list, '\n');
    text_free(&content);
    return status;
}

static hamel_status finish_files(context *ctx, output *o) {
    for (uint32_t i = 0; i < o->count; i++)
        if (!whole_file_finish(&o->file[i]))
            return context_refuse(ctx, (span){0}, "write", o->name[i], errno);
    return HAMEL_OK;
}

hamel_status project_folder_write(context *ctx, const target *to, const project *g,
                                  const char *folder, char **result) {
    output o = {.folder = folder ? folder : arena_format(&ctx->arena, "%s-%s", g->name, to->id)};
    text list = {0};
    hamel_status status = open_folder(ctx, to, g, &o);
    guard_set(&o.open, take_back, &o);
    for (uint32_t i = 0; i < MOST_TARGET_FILES && to->files[i].write && !status; i++)
        status = begin_file(ctx, g, &o, &to->files[i], &list);
    if (!status) status = finish_files(ctx, &o);
    if (!status) api_finish_text(&list, result);
    guard_lift(&o.open);
    if (status) take_back(&o);
    text_free(&list);
    return status;
}
