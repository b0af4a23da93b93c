// Files: the model's own text, and those that the statement include names, found next to the file
// it stands in or in the built-in library.
#include "parse/outline.h"
#include "parse/statement.h"

#include "base/embedded.h"
#include "base/recovery.h"
#include "base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 256, MOST_DATA_BYTES = 64 << 20 };

typedef struct file_chain { // innermost first
    const char *path;
    const struct file_chain *outer;
} file_chain;

// `file` as seen from the directory of `from`, without "./" and "dir/..".
static const char *resolve(arena *a, const char *from, const char *file) {
    const char *slash = strrchr(from, '/');
    char *path = slash ? arena_format(a, "%.*s/%s", (int)(slash - from), from, file)
                       : arena_copy(a, file, strlen(file));
    char *out = path, *part = path;
    do {
        char *end = strchr(part, '/');
        const size_t length = end ? (size_t)(end - part) : strlen(part);
        char *last = out; // start of the last part kept
        while (last > path && (last == out || last[-1] != '/')) last--;
        const bool up = length == 2 && memcmp(part, "..", 2) == 0;
        const bool undoes =
            up && out > path && !(out - last == 3 && memcmp(last, "../", 3) == 0) && *path != '/';
        if (undoes) out = last;
        else if (!(length == 1 && *part == '.') && (length || part == path)) {
            memmove(out, part, length);
            out += length;
            if (end) *out++ = '/';
        }
        part = end ? end + 1 : NULL;
    } while (part);
    *out = '\0';
    return path;
}

// Does the file lie in the folder of the model, or below it, wherever links lead? Without a folder
// (standard input) that is the working directory.
static bool is_inside(const char *top, const char *path) {
    char folder[PATH_MAX], file[PATH_MAX], name[PATH_MAX];
    const char *slash = strrchr(top, '/');
    const int length = slash ? (int)(slash - top) + 1 : 2;
    if (snprintf(name, sizeof name, "%.*s", length, slash ? top : "./") >= (int)sizeof name ||
        !realpath(name, folder) || !realpath(path, file))
        return false;
    const size_t n = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    return strncmp(file, folder, n) == 0 && file[n] == '/';
}

static const char *top_of(const file_chain *c) {
    assert(c); // a file that includes is in the chain itself
    while (c->outer) c = c->outer;
    return c->path;
}

// All of a regular file, in the arena. NULL if there is none; one that is too large, or that cannot
// be read, is reported.
static const source *read_file(parser *ps, span at, const char *path) {
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) return NULL;
    const size_t limit = ps->ctx->limits.source_bytes;
    source *text = arena_new(&ps->ctx->arena, source);
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        context_refuse(ps->ctx, at, "read", path, errno);
        return text;
    }
    guard open;
    guard_file(&open, stream);
    text->name = path;
    text->is_outside = !is_inside(top_of(ps->chain), path);
    if (info.st_size < 0 || (unsigned long long)info.st_size > limit) {
        context_exhaust(ps->ctx, at, "bytes of source text", ps->ctx->limits.source_bytes);
    } else {
        char *bytes = arena_alloc(&ps->ctx->arena, (size_t)info.st_size + 1);
        text->bytes = bytes;
        text->length = fread(bytes, 1, (size_t)info.st_size, stream);
    }
    const int failure = ferror(stream) ? errno : 0;
    guard_lift(&open);
    fclose(stream);
    if (failure) context_refuse(ps->ctx, at, "read", path, failure);
    return text;
}

static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

// As the editor has it, saved or not; NULL: it has none. It is no model of others where it lies
// outside of the folder, as on the disk.
static const source *read_from_editor(parser *ps, const char *path) {
    const outline *o = ps->shared->outline;
    size_t size = 0;
    const char *bytes = o && o->read ? o->read(path, &size, o->data) : NULL;
    if (!bytes) return NULL;
    source *text = arena_new(&ps->ctx->arena, source);
    *text = (source){.name = path,
                     .bytes = arena_copy(&ps->ctx->arena, bytes, size),
                     .length = size,
                     .is_outside = is_file(path) && !is_inside(top_of(ps->chain), path)};
    return text;
}

static const source *read_library(parser *ps, const char *path) {
    for (unsigned long i = 0; i < embedded_model_count; i++) {
        const struct embedded_model *model = &embedded_models[i];
        if (strcmp(model->path, path) != 0 && strcmp(model->name, path) != 0) continue;
        source *text = arena_new(&ps->ctx->arena, source);
        *text = (source){
            .name = model->path, .bytes = (const char *)model->text, .length = model->size};
        return text;
    }
    return NULL;
}

// Where a model of the library lies in it; NULL for a file. Such a model includes from the
// library only, wherever the program runs.
static const char *library_path(const source *text) {
    if (is_file(text->name)) return NULL;
    for (unsigned long i = 0; i < embedded_model_count; i++) {
        const struct embedded_model *model = &embedded_models[i];
        if (strcmp(model->name, text->name) == 0 || strcmp(model->path, text->name) == 0)
            return model->path;
    }
    return NULL;
}

static statement *parse_file(reader *shared, const source *text, const file_chain *chain) {
    context *ctx = shared->ctx;
    shared->byte_count += text->length;
    if (text->length > ctx->limits.source_bytes || shared->byte_count > ctx->limits.source_bytes) {
        context_exhaust(ctx, (span){text, 0, 0}, "bytes of source text", ctx->limits.source_bytes);
        return NULL;
    }
    parser ps;
    parser_init(&ps, shared, text, false);
    ps.chain = chain;
    uint32_t count = 0;
    return parse_statements(&ps, false, &count);
}

// The statements of a file.
static statement *parse_included(parser *ps, span at, const char *file) {
    context *ctx = ps->ctx;
    if (*file == '/' || !*file) {
        parser_fail(ps, at, "an include is relative to the file it stands in",
                    *file ? "absolute path in `include`" : "empty path in `include`");
        return NULL;
    }
    const char *library = library_path(ps->lexer.text);
    const char *path = resolve(&ctx->arena, library ? library : ps->lexer.text->name, file);
    for (const file_chain *c = ps->chain; c; c = c->outer) {
        if (strcmp(c->path, path) != 0) continue;
        parser_fail(ps, at, NULL, "`%s` includes itself%s", path,
                    c == ps->chain ? "" : " by way of other files");
        return NULL;
    }
    if (++ps->shared->file_count > MOST_FILES) {
        context_exhaust(ctx, at, "included files", MOST_FILES);
        return NULL;
    }
    if (ps->shared->outline)
        list_push(ps->shared->outline, includes, ((outline_include){at, path}));
    const model *like = ps->shared->like;
    const source *text = like ? source_copy(ctx, like->included[ps->shared->model->included_count])
                         : library ? NULL
                                   : read_from_editor(ps, path);
    if (!text && !library && !like) text = read_file(ps, at, path);
    if (!text) text = read_library(ps, path);
    if (!text) text = read_library(ps, file);
    if (!text && ps->shared->marks) return NULL; // a layout can do without
    if (!text) {
        ps->shared->incomplete = true;
        parser_fail(ps, at, NULL, "cannot read `%s`", path);
        return NULL;
    }
    if (ctx->refused) ps->shared->incomplete = true;
    if (ctx->exhausted || ctx->refused) return NULL;
    list_push(ps->shared->model, included, text);
    const file_chain chain = {path, ps->chain};
    return parse_file(ps->shared, text, &chain);
}

// --- data ----------------------------------------------------------------------------------------

// The bytes of an open file that is known to be one; false: reported
static bool read_bytes(parser *ps, span at, FILE *stream, size_t size, source *text) {
    char *bytes = arena_alloc(&ps->ctx->arena, size + 1);
    text->bytes = bytes;
    text->length = fread(bytes, 1, size, stream);
    if (ferror(stream)) context_refuse(ps->ctx, at, "read", text->name, errno);
    return !ps->ctx->refused;
}

// A regular file below the folder of the one that names it, wherever links lead. It is opened
// first, so that what is looked at is what is read, and a pipe does not keep anyone waiting.
static const source *read_data(parser *ps, span at, const char *path) {
    context *ctx = ps->ctx;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        if (context_status_of(errno) == HAMEL_USAGE)
            parser_fail(ps, at, "data lie beside the file that names them", "there is no file `%s`",
                        utf8_shown(&ctx->arena, path));
        else context_refuse(ctx, at, "read", path, errno);
        return NULL;
    }
    FILE *stream = fdopen(file, "rb");
    if (!stream) {
        context_refuse(ctx, at, "read", path, errno);
        close(file);
        return NULL;
    }
    guard opened;
    guard_file(&opened, stream);
    struct stat info, named;
    source *text = arena_new(&ctx->arena, source);
    *text = (source){.name = path, .is_outside = ps->lexer.text->is_outside, .is_data = true};
    const bool known = fstat(file, &info) == 0 && stat(path, &named) == 0;
    bool good = false;
    if (!known || !S_ISREG(info.st_mode))
        parser_fail(ps, at, NULL, "`%s` is no regular file", utf8_shown(&ctx->arena, path));
    else if (named.st_dev != info.st_dev || named.st_ino != info.st_ino ||
             !is_inside(ps->lexer.text->name, path))
        parser_fail(ps, at, "put the data beside the model",
                    "`%s` leads out of the folder of the file that names it",
                    utf8_shown(&ctx->arena, path));
    else if (info.st_size > MOST_DATA_BYTES)
        context_exhaust(ctx, at, "bytes of a data file", MOST_DATA_BYTES);
    else good = read_bytes(ps, at, stream, (size_t)info.st_size, text);
    guard_lift(&opened);
    fclose(stream);
    return good ? text : NULL;
}

static const source *read_library_data(parser *ps, span at, const char *path) {
    for (unsigned long i = 0; i < embedded_data_count; i++) {
        const struct embedded_model *data = &embedded_data[i];
        if (strcmp(data->path, path) != 0) continue;
        source *text = arena_new(&ps->ctx->arena, source);
        *text = (source){.name = data->path,
                         .bytes = (const char *)data->text,
                         .length = data->size,
                         .is_data = true};
        return text;
    }
    parser_fail(ps, at, NULL, "there is no `%s` in the library", path);
    return NULL;
}

static bool goes_up(const char *file) {
    for (const char *part = file; part; part = strchr(part, '/'), part = part ? part + 1 : NULL)
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || !part[2])) return true;
    return false;
}

const source *parse_data_text(parser *ps, span at, const char *file) {
    model *m = ps->shared->model;
    const char *empty = resolve(&ps->ctx->arena, "", file);
    if (!*empty || *file == '/' || goes_up(file)) {
        parser_fail(ps, at, "data lie beside the file that names them, or in a folder below",
                    !*empty        ? "empty path behind `from`"
                    : *file == '/' ? "absolute path behind `from`"
                                   : "`..` in the path behind `from`");
        return NULL;
    }
    if (ps->shared->marks) return ps->lexer.text; // any text: nobody asks for the numbers
    const char *library = library_path(ps->lexer.text);
    const char *path = resolve(&ps->ctx->arena, library ? library : ps->lexer.text->name, file);
    for (uint32_t i = 0; i < m->included_count; i++) // several columns of one file
        if (m->included[i]->is_data && strcmp(m->included[i]->name, path) == 0)
            return m->included[i];
    if (++ps->shared->file_count > MOST_FILES) {
        context_exhaust(ps->ctx, at, "included files", MOST_FILES);
        return NULL;
    }
    const model *like = ps->shared->like;
    const source *text = like      ? source_copy(ps->ctx, like->included[m->included_count])
                         : library ? read_library_data(ps, at, path)
                                   : read_data(ps, at, path);
    if (text) list_push(m, included, text);
    else ps->failed = true;
    return text;
}

// --- the statement -------------------------------------------------------------------------------

// include = "include" STRING
static void parse_include(parser *ps, statement *st) {
    const token file = ps->token;
    if (!parser_expect(ps, TOKEN_STRING, "the name of a file in double quotes")) return;
    if (ps->depth) {
        parser_fail(ps, st->at, NULL, "`include` may not stand inside `for`");
        return;
    }
    st->body = parse_included(ps, file.at, file.name);
}

const statement_rule statement_include = {
    .word = "include",
    .syntax = "include \"file\"",
    .about = "the statements of another file, in its place",
    .parse = parse_include,
    .is_replaced = true,
};

statement *parse_text(reader *shared, const source *text) {
    const char *library = library_path(text);
    const file_chain chain = {resolve(&shared->ctx->arena, "", library ? library : text->name),
                              NULL};
    return parse_file(shared, text, &chain);
}
