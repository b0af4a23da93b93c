// C sources as a shared object that leaves this machine.
#include "execute/shared_object.h"

#include "base/recovery.h"
#include "execute/compiler.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    char *folder;
    uint32_t count;
    const char **file; // what stands in it
    const char *made;
    guard open;
} build;

static void clear_folder(void *what) {
    const build *b = what;
    for (uint32_t i = 0; i < b->count; i++) unlink(b->file[i]);
    unlink(b->made);
    rmdir(b->folder);
}

static bool write_file(const char *name, const text *content) {
    FILE *f = fopen(name, "wb");
    if (!f) return false;
    const bool good = fwrite(text_string(content), 1, content->length, f) == content->length;
    return fclose(f) == 0 && good;
}

static bool read_file(const char *name, text *out) {
    FILE *f = fopen(name, "rb");
    char part[1 << 14];
    if (!f) return false;
    for (size_t got; (got = fread(part, 1, sizeof part, f)) > 0;) text_append_n(out, part, got);
    const bool good = !ferror(f);
    fclose(f);
    return good;
}

static bool compile(arena *a, const build *b, const compiler *with, const char *libraries,
                    text *out, const char **error) {
    const char *messages = "";
    const compiler_outcome outcome =
        compiler_run(a, with, b->file[0], libraries, b->made, &messages);
    if (outcome == COMPILER_DONE && read_file(b->made, out)) return true;
    *error = arena_format(a, "the C compiler `%s` %s%s%s", with->word[0],
                          outcome == COMPILER_KILLED ? "was stopped" : "failed",
                          *messages ? ": " : "", messages);
    return false;
}

bool shared_object_make(context *ctx, uint32_t count, const source_text *source,
                        const char *libraries, text *out, const char **error) {
    arena *a = &ctx->arena;
    const char *temporary = getenv("TMPDIR");
    if (!temporary || temporary[0] != '/') temporary = "/tmp";
    compiler with;
    if (!compiler_find_portable(a, &with)) {
        *error = arena_format(a, "there is no C compiler `%s`", with.word[0]);
        return false;
    }
    build b = {.folder = arena_format(a, "%s/hamel-XXXXXX", temporary),
               .file = arena_array(a, const char *, count)};
    if (!mkdtemp(b.folder)) {
        *error = arena_format(a, "nothing can be written in `%s`: %s", temporary, strerror(errno));
        return false;
    }
    b.made = arena_format(a, "%s/made.so", b.folder);
    guard_set(&b.open, clear_folder, &b);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        b.file[b.count++] = arena_format(a, "%s/%s", b.folder, source[i].name);
        good = write_file(b.file[i], source[i].content);
        if (!good)
            *error = arena_format(a, "`%s` cannot be written: %s", b.file[i], strerror(errno));
    }
    good = good && compile(a, &b, &with, libraries, out, error);
    guard_lift(&b.open);
    clear_folder(&b);
    return good;
}
