// The files of an FMU as one zip archive: those of the target, the code that all FMUs share, and a
// binary where there is a C compiler.
#include "api/codegen_job.h"

#include "base/recovery.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "base/zip.h"
#include "codegen/fmu_sources.h"
#include "execute/shared_object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char MARK[] = "Written by hamel"; // the comment of the archive
static const char BINARY[] = "binaries/linux64/%s.so", SOURCES[] = "sources/";

typedef struct {
    context *ctx;
    const target *to;
    project *g;
    uint32_t count;
    const char **name;
    text *content;
    guard open;
} archive;

static void free_contents(void *what) {
    const archive *z = what;
    for (uint32_t i = 0; i < z->count; i++) text_free(&z->content[i]);
}

// --- what is in it -------------------------------------------------------------------------------

static const char *name_of(const archive *z, const char *pattern) {
    const int before = (int)strcspn(pattern, "@");
    if (!pattern[before]) return pattern;
    return arena_format(&z->ctx->arena, "%.*s%s%s", before, pattern, z->g->name,
                        pattern + before + 1);
}

static void write_contents(archive *z) {
    free_contents(z);
    z->count = 0;
    for (uint32_t i = 0; i < MOST_TARGET_FILES && z->to->files[i].write; i++) {
        z->name[z->count++] = name_of(z, z->to->files[i].name);
        z->to->files[i].write(z->g, &z->content[i]);
    }
    for (unsigned i = 0; i < fmu_source_file_count; i++) {
        z->name[z->count] = arena_format(&z->ctx->arena, "%s%s", SOURCES, fmu_source_files[i].name);
        text_append(&z->content[z->count++], fmu_source_files[i].text);
    }
}

// The hash of all that is written, as a number of 128 bits in its usual form
static const char *find_guid(archive *z) {
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX];
    sha256 h;
    write_contents(z);
    sha256_begin(&h);
    for (uint32_t i = 0; i < z->count; i++) {
        sha256_add(&h, z->name[i], strlen(z->name[i]) + 1);
        sha256_add(&h, text_string(&z->content[i]), z->content[i].length + 1);
    }
    sha256_end(&h, digest);
    sha256_hex(digest, hex);
    return arena_format(&z->ctx->arena, "{%.8s-%.4s-%.4s-%.4s-%.12s}", hex, hex + 8, hex + 12,
                        hex + 16, hex + 20);
}

// The binary as one file more; without one a warning says why
static void add_binary(archive *z) {
    source_text *source = arena_array(&z->ctx->arena, source_text, z->count + 1);
    uint32_t count = 1; // the first is the one for the compiler
    for (uint32_t i = 0; i < z->count; i++) {
        if (strncmp(z->name[i], SOURCES, strlen(SOURCES)) != 0) continue;
        const char *name = z->name[i] + strlen(SOURCES);
        source[strcmp(name, "fmu.c") == 0 ? 0 : count++] = (source_text){name, &z->content[i]};
    }
#if defined __x86_64__ && defined __linux__
    const char *error;
    if (shared_object_make(z->ctx, count, source, "-lm -s", &z->content[z->count], &error)) {
        z->name[z->count] = arena_format(&z->ctx->arena, BINARY, z->g->name);
        z->count++;
        return;
    }
    diag_warning(z->ctx, (span){0}, "install one, or name it by CC, for an FMU that hosts can load",
                 "%s: the FMU has its sources only", error);
#else
    (void)count;
    diag_warning(z->ctx, (span){0}, "compile sources/fmu.c with -shared -fPIC, and add the result",
                 "binaries are made on Linux x86-64 only: the FMU has its sources only");
#endif
}

// --- where it goes -------------------------------------------------------------------------------

static bool is_folder(const char *name) {
    struct stat is;
    return stat(name, &is) == 0 && S_ISDIR(is.st_mode);
}

// A file of this name that is not ours stays as it is: the comment at its end tells.
static hamel_status refuse_others(context *ctx, const char *name) {
    char end[sizeof MARK] = "";
    const size_t length = strlen(MARK);
    FILE *f = fopen(name, "rb");
    if (!f && errno == ENOENT) return HAMEL_OK;
    if (!f) return context_refuse(ctx, (span){0}, "look into", name, errno);
    const bool is_ours = fseek(f, -(long)length, SEEK_END) == 0 &&
                         fread(end, 1, length, f) == length && strcmp(end, MARK) == 0;
    fseek(f, 0, SEEK_END);
    const bool is_empty = ftell(f) == 0;
    fclose(f);
    if (is_ours || is_empty) return HAMEL_OK;
    diag_error(ctx, (span){0}, "give another name with -o",
               "there is a file `%s`, and hamel did not make it", name);
    return HAMEL_USAGE;
}

// The name of the file; a folder that is not there is made.
static hamel_status find_place(const archive *z, const char *where, const char **file, bool *made) {
    context *ctx = z->ctx;
    *file = where;
    if (!where) *file = arena_format(&ctx->arena, "%s.fmu", z->g->name);
    else if (!text_ends_in(where, ".fmu") || is_folder(where)) {
        *made = mkdir(where, 0777) == 0;
        if (!*made && errno != EEXIST)
            return context_refuse(ctx, (span){0}, "make the folder", where, errno);
        *file = arena_format(&ctx->arena, "%s/%s.fmu", where, z->g->name);
    }
    const hamel_status status = api_refuse_own(ctx, *file);
    return status ? status : refuse_others(ctx, *file);
}

static hamel_status write_zip(const archive *z, const char *file) {
    zip packed = {0};
    bool good = true;
    for (uint32_t i = 0; i < z->count && good; i++)
        good = zip_add(&packed, z->name[i], text_string(&z->content[i]), z->content[i].length,
                       strncmp(z->name[i], "binaries", 8) == 0);
    good = good && zip_end(&packed, MARK);
    if (!good) diag_error(z->ctx, (span){0}, NULL, "the FMU is too large for a zip archive: 2 GB");
    const hamel_status status =
        good ? api_write_file(z->ctx, file, packed.out.bytes, packed.out.length) : HAMEL_LIMIT;
    zip_free(&packed);
    return status;
}

hamel_status project_archive_write(context *ctx, const target *to, project *g, const char *where,
                                   char **result) {
    const uint32_t most = MOST_TARGET_FILES + fmu_source_file_count + 1;
    archive z = {.ctx = ctx,
                 .to = to,
                 .g = g,
                 .name = arena_array(&ctx->arena, const char *, most),
                 .content = arena_array(&ctx->arena, text, most)};
    project_fmu fmu = *g->fmu;
    const char *file;
    bool made = false;
    text list = {0};
    hamel_status status = find_place(&z, where, &file, &made);
    guard_set(&z.open, free_contents, &z);
    g->fmu = &fmu;
    if (!status) {
        fmu.guid = find_guid(&z);
        write_contents(&z);
        add_binary(&z);
        status = write_zip(&z, file);
    }
    guard_lift(&z.open);
    free_contents(&z);
    if (status && made) rmdir(where);
    if (status) return status;
    utf8_show(file, &list);
    text_char(&list, '\n');
    return api_finish_text(&list, result);
}
