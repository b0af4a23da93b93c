// C text as running code: compiled by the system's compiler, kept in the cache, loaded.
#include "execute/module.h"

#include "base/recovery.h"
#include "execute/cache.h"
#include "execute/compiler.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// of what is hashed; a new number where old entries would mislead
static const char LAYOUT[] = "hamel module 1";

struct module {
    void *handle;
    guard open;
    char *file; // that it was loaded from
};

typedef struct {
    context *ctx;
    const char *source, *libraries;
    bool (*find)(arena *a, compiler *out); // the compiler
    const char *kind;                      // of it, in words
    compiler with;
    const char *directory, *entry; // of the cache; NULL: none
    const char *error;
    bool stopped; // the compiler, by a signal: Ctrl-C reaches it too
} job;

static void close_handle(void *handle) { dlclose(handle); }

static module *open_module(job *j, const char *file) {
    module *m = memory_new(module);
    m->handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!m->handle) {
        memory_free(m);
        j->error = arena_format(&j->ctx->arena, "compiled code cannot be loaded: %s", dlerror());
        return NULL;
    }
    guard_set(&m->open, close_handle, m->handle);
    m->file = arena_copy(&j->ctx->arena, file, strlen(file));
    return m;
}

// What the code depends on, each part with its end.
static void make_key(const job *j, char key[SHA256_HEX]) {
    const char *parts[] = {LAYOUT, j->with.identity, j->libraries, j->source};
    uint8_t digest[SHA256_BYTES];
    sha256 h;
    sha256_begin(&h);
    for (int i = 0; i < 4; i++) sha256_add(&h, parts[i], strlen(parts[i]) + 1);
    sha256_end(&h, digest);
    sha256_hex(digest, key);
}

static bool prepare(job *j) {
    arena *a = &j->ctx->arena;
    if (!j->find(a, &j->with)) {
        j->error = arena_format(a, "there is no %s `%s`", j->kind, j->with.word[0]);
        return false;
    }
    char key[SHA256_HEX];
    make_key(j, key);
    j->directory = cache_directory(a);
    j->entry = j->directory ? arena_format(a, "%s/%s.so", j->directory, key) : NULL;
    return true;
}

static module *find(job *j) {
    return j->entry && cache_holds(j->entry) ? open_module(j, j->entry) : NULL;
}

static bool write_source(const char *file, const char *source) {
    FILE *f = fopen(file, "wb");
    if (!f) return false;
    const size_t length = strlen(source);
    const bool good = fwrite(source, 1, length, f) == length;
    return fclose(f) == 0 && good;
}

static bool compile(job *j, const char *source_file, const char *module_file) {
    arena *a = &j->ctx->arena;
    const char *messages = "";
    if (!write_source(source_file, j->source)) {
        j->error = arena_format(a, "`%s` cannot be written: %s", source_file, strerror(errno));
        return false;
    }
    const compiler_outcome outcome =
        compiler_run(a, &j->with, source_file, j->libraries, module_file, &messages);
    j->stopped = outcome == COMPILER_KILLED;
    j->error = arena_format(a, "the %s `%s` %s%s%s", j->kind, j->with.word[0],
                            j->stopped ? "was stopped" : "failed", *messages ? ": " : "", messages);
    return outcome == COMPILER_DONE;
}

// A folder for one compilation, with its two files.
typedef struct {
    char *folder, *source, *module;
    guard open;
} build_folder;

static void clear_build_folder(void *what) {
    const build_folder *w = what;
    unlink(w->source);
    unlink(w->module);
    rmdir(w->folder);
}

// Compiles in a directory of its own below `directory`; an entry of the cache is sealed, renamed
// and loaded from there, anything else loaded and removed.
static module *build(job *j, const char *directory, const char *entry) {
    arena *a = &j->ctx->arena;
    build_folder w = {.folder = arena_format(a, "%s/build-XXXXXX", directory)};
    const size_t room = strlen(w.folder) + sizeof "/module.so";
    w.source = arena_alloc(a, room), w.module = arena_alloc(a, room);
    if (!mkdtemp(w.folder)) {
        j->error =
            arena_format(a, "nothing can be written in `%s`: %s", directory, strerror(errno));
        return NULL;
    }
    guard_set(&w.open, clear_build_folder, &w);
    snprintf(w.source, room, "%s/module.c", w.folder);
    snprintf(w.module, room, "%s/module.so", w.folder);
    module *m = NULL;
    if (compile(j, w.source, w.module)) {
        const bool kept = entry && cache_seal(w.module) && rename(w.module, entry) == 0;
        m = open_module(j, kept ? entry : w.module);
        if (kept) cache_trim(directory, CACHE_BYTES);
    }
    guard_lift(&w.open);
    clear_build_folder(&w);
    return m;
}

static const char *temporary_directory(void) {
    const char *name = getenv("TMPDIR");
    return name && name[0] == '/' ? name : "/tmp";
}

static module *load(job j, const char **error) {
    module *m = NULL;
    if (prepare(&j)) {
        m = find(&j);
        if (!m && j.entry) m = build(&j, j.directory, j.entry);
        if (!m && !j.stopped) m = build(&j, temporary_directory(), NULL);
    }
    *error = m ? NULL : j.error;
    return m;
}

static job job_in_c(context *ctx, const char *source, const char *libraries) {
    return (job){.ctx = ctx,
                 .source = source,
                 .libraries = libraries,
                 .find = compiler_find,
                 .kind = "C compiler"};
}

module *module_load(context *ctx, const char *source, const char *libraries, const char **error) {
    return load(job_in_c(ctx, source, libraries), error);
}

module *module_load_cuda(context *ctx, const char *source, const char **error) {
    return load((job){.ctx = ctx,
                      .source = source,
                      .libraries = "",
                      .find = compiler_find_cuda,
                      .kind = "CUDA compiler"},
                error);
}

module *module_find(context *ctx, const char *source, const char *libraries) {
    job j = job_in_c(ctx, source, libraries);
    return prepare(&j) ? find(&j) : NULL;
}

module_function module_symbol(const module *m, const char *name) {
    module_function f;
    void *address = dlsym(m->handle, name);
    memcpy(&f, &address, sizeof f); // POSIX has both of one size, C has no cast
    return f;
}

void module_discard(module *m) {
    unlink(m->file);
    module_free(m);
}

void module_free(module *m) {
    if (!m) return;
    guard_lift(&m->open);
    dlclose(m->handle);
    memory_free(m);
}
