// Diagnostics with a quoted line and a caret, and the sticky resource status.
#include "base/context.h"

#include "base/sha256.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void diag_reserve(context *ctx) {
    if (ctx->diagnostic_count + 2 <= ctx->diagnostic_capacity) return;
    const uint32_t capacity = 2 * ctx->diagnostic_capacity + 8;
    memory_grow(ctx->diagnostics, capacity);
    ctx->diagnostic_capacity = capacity;
}

static const limits usual_limits = {.nodes = 8000000,
                                    .operands = 100000000,
                                    .nesting = 400,
                                    .iterations = 1000000,
                                    .source_bytes = 16u << 20,
                                    .rows = 100000000,
                                    .table_bytes = 1u << 30,
                                    .coordinates = 2000,
                                    .errors = 50};

void context_init(context *ctx) {
    *ctx = (context){0};
    context_limit(ctx, &(hamel_limits){0});
    arena_init(&ctx->arena);
    memory_ring(&ctx->blocks);
    guard_ring(&ctx->open);
}

void context_limit(context *ctx, const hamel_limits *allowed) {
    limits *l = &ctx->limits;
    budget *b = &ctx->budget;
    *l = usual_limits;
    if (allowed->nodes) {
        const double ratio = (double)l->operands / l->nodes;
        l->nodes = (uint32_t)allowed->nodes, l->operands = (uint32_t)(ratio * l->nodes);
    }
    if (allowed->rows) l->rows = allowed->rows;
    if (allowed->bytes) l->table_bytes = l->file_bytes = allowed->bytes;
    b->seconds = allowed->time;
    b->memory = allowed->memory ? (size_t)allowed->memory : budget_usual_memory();
    b->interrupted = allowed->interrupted;
}

void context_free(context *ctx) {
    memory_free(ctx->diagnostics);
    arena_free(&ctx->arena);
    recovery_free_reserve(&ctx->reserve);
}

void context_stir(context *ctx, const void *bytes, size_t length) {
    sha256 h;
    uint8_t digest[SHA256_BYTES];
    sha256_begin(&h);
    sha256_add(&h, &ctx->seed, sizeof ctx->seed);
    sha256_add(&h, bytes, length);
    sha256_end(&h, digest);
    memcpy(&ctx->seed, digest, sizeof ctx->seed);
}

static void report(context *ctx, diag_severity severity, span at, const char *help,
                   const char *format, va_list args) {
    if (severity == DIAG_ERROR && ctx->error_count >= ctx->limits.errors) return;
    char message[1024];
    if (at.source && at.source->is_outside) {
        snprintf(message, sizeof message, "something is wrong here");
        help = "it lies outside of the folder of the model: `hamel check` of this file shows more";
    } else {
        vsnprintf(message, sizeof message, format, args);
    }
    // the same thing found on two ways is said once, an error in each call
    for (uint32_t i = severity == DIAG_ERROR ? ctx->first_of_call : 0; i < ctx->diagnostic_count;
         i++) {
        const diagnostic *d = &ctx->diagnostics[i];
        if (d->at.source == at.source && d->at.offset == at.offset &&
            strcmp(d->message, message) == 0)
            return;
    }
    diag_reserve(ctx);
    const diagnostic d = {severity, at, arena_copy(&ctx->arena, message, strlen(message)),
                          help ? arena_copy(&ctx->arena, help, strlen(help)) : NULL};
    ctx->diagnostics[ctx->diagnostic_count++] = d;
    if (severity == DIAG_ERROR) ctx->error_count++;
}

#define REPORT(name, severity)                                                                     \
    void name(context *ctx, span at, const char *help, const char *format, ...) {                  \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        report(ctx, severity, at, help, format, args);                                             \
        va_end(args);                                                                              \
    }
REPORT(diag_error, DIAG_ERROR)
REPORT(diag_warning, DIAG_WARNING)
REPORT(diag_note, DIAG_NOTE)

void context_exhaust_limit(context *ctx, span at, const char *key, const char *what,
                           uint64_t limit) {
    if (ctx->exhausted) return;
    ctx->exhausted = arena_format(&ctx->arena, "limit reached: %s (at most %llu)", what,
                                  (unsigned long long)limit);
    const char *help =
        key ? arena_format(&ctx->arena, "allow more with --limit %s=%llu, or ask for less", key,
                           2 * (unsigned long long)limit)
            : NULL;
    ctx->error_count =
        ctx->error_count < ctx->limits.errors ? ctx->error_count : ctx->limits.errors - 1;
    diag_error(ctx, at, help, "%s", ctx->exhausted);
}

void context_exhaust(context *ctx, span at, const char *what, uint64_t limit) {
    context_exhaust_limit(ctx, at, NULL, what, limit);
}

// What happened, and what to do about it.
static void write_last_words(context *ctx, recovery_reason why, const char *doing) {
    char *words = ctx->last_words, *help = ctx->last_help;
    const size_t size = sizeof ctx->last_words, help_size = sizeof ctx->last_help;
    static const double MB = 1e6;
    switch (why) {
    case RECOVERY_MEMORY_LIMIT:
        snprintf(words, size, "limit reached while %s: memory (at most %.4g MB)", doing,
                 (double)ctx->budget.memory / MB);
        snprintf(help, help_size, "allow more with --limit memory=%.4gM, or ask for less",
                 2 * (double)ctx->budget.memory / MB);
        return;
    case RECOVERY_TIME:
        snprintf(words, size, "limit reached while %s: time (at most %g s)", doing,
                 ctx->budget.seconds);
        snprintf(help, help_size, "allow more with --limit time=%g, or ask for less",
                 10 * ctx->budget.seconds);
        return;
    case RECOVERY_INTERRUPTED:
        snprintf(words, size, "interrupted while %s", doing);
        snprintf(help, help_size, "nothing of the result is there");
        return;
    case RECOVERY_FLINT:
        snprintf(words, size, "the library FLINT gave up while %s", doing);
        snprintf(help, help_size, "please report it, with the model");
        return;
    case RECOVERY_NONE:
    case RECOVERY_NO_MEMORY: break;
    }
    snprintf(words, size, "memory exhausted while %s", doing);
    snprintf(help, help_size,
             "allow the process more memory, or ask for less: a smaller system, a shorter run");
}

void context_die(context *ctx, recovery_reason why, const char *doing) {
    if (ctx->dead) return;
    ctx->dead = true;
    arena_disown(&ctx->arena);
    memory_disown(ctx->diagnostics);
    memory_drop(&ctx->blocks);
    recovery_free_reserve(&ctx->reserve);
    ctx->budget.held = 0;
    write_last_words(ctx, why, doing);
    ctx->exhausted = ctx->last_words;
    if (ctx->diagnostic_count == ctx->diagnostic_capacity) return; // it had not begun
    ctx->diagnostics[ctx->diagnostic_count++] =
        (diagnostic){.severity = DIAG_ERROR, .message = ctx->last_words, .help = ctx->last_help};
    ctx->error_count++;
}

void context_forget(context *ctx) {
    ctx->diagnostic_count = ctx->error_count = ctx->first_of_call = 0;
}

const source *source_copy(context *ctx, const source *text) {
    source *copy = arena_new(&ctx->arena, source);
    *copy = (source){.name = arena_copy(&ctx->arena, text->name, strlen(text->name)),
                     .bytes = arena_copy(&ctx->arena, text->bytes, text->length),
                     .length = text->length,
                     .is_outside = text->is_outside,
                     .is_data = text->is_data};
    return copy;
}

hamel_status context_status(const context *ctx) {
    if (ctx->exhausted) return HAMEL_LIMIT;
    if (ctx->refused) return HAMEL_NUMERICS;
    return ctx->error_count ? HAMEL_MODEL : HAMEL_OK;
}

hamel_status context_refuse(context *ctx, span at, const char *what, const char *file, int error) {
    if (error == ENOMEM) recovery_jump(RECOVERY_NO_MEMORY);
    diag_error(ctx, at, NULL, "cannot %s `%s`: %s", what, file, strerror(error));
    ctx->refused = true;
    return HAMEL_NUMERICS;
}

hamel_status context_status_of(int error) {
    const bool leads_nowhere = error == ENOENT || error == ENOTDIR || error == EISDIR ||
                               error == ELOOP || error == ENAMETOOLONG;
    return leads_nowhere ? HAMEL_USAGE : HAMEL_NUMERICS;
}

void source_position(const source *s, uint32_t offset, uint32_t *line, uint32_t *column) {
    *line = 1;
    *column = 1;
    for (uint32_t i = 0; i < offset && i < s->length; i++) {
        unsigned char c = (unsigned char)s->bytes[i];
        if (c == '\n') {
            ++*line;
            *column = 1;
        } else if ((c & 0xC0) != 0x80) { // count characters, not UTF-8 continuation bytes
            ++*column;
        }
    }
}

static const char UNKNOWN[] = "\xEF\xBF\xBD"; // U+FFFD, for what cannot be shown

// The line around an offset, long ones cut to a window, then a caret line under it.
static void render_excerpt(const source *s, span at, text *out) {
    enum { WINDOW = 100 };
    uint32_t offset = at.offset < s->length ? at.offset : (uint32_t)s->length;
    uint32_t start = offset, end = offset;
    while (start > 0 && s->bytes[start - 1] != '\n' && offset - start < WINDOW) start--;
    while (end < s->length && s->bytes[end] != '\n' && end - start < 2 * WINDOW) end++;
    while (start < offset && ((unsigned char)s->bytes[start] & 0xC0) == 0x80) start++;
    while (end < s->length && end > start && ((unsigned char)s->bytes[end] & 0xC0) == 0x80) end--;
    text_append(out, "  | ");
    for (uint32_t i = start; i < end;) {
        uint32_t code = 0;
        const uint32_t size = utf8_decode(s->bytes + i, end - i, &code);
        if (!size || utf8_is_hidden(code)) text_append(out, code < 0x80 && size ? " " : UNKNOWN);
        else text_append_n(out, s->bytes + i, size);
        i += size ? size : 1;
    }
    text_append(out, "\n  | ");
    for (uint32_t i = start; i < offset; i++)
        if (((unsigned char)s->bytes[i] & 0xC0) != 0x80) text_char(out, ' ');
    text_char(out, '^');
    for (uint32_t i = offset + 1; i < offset + at.length && i < end; i++)
        if (((unsigned char)s->bytes[i] & 0xC0) != 0x80) text_char(out, '~');
    text_char(out, '\n');
}

// Words that may quote others; further lines, as compilers write them, do not look like our own.
static void render_words(const char *words, text *out) {
    size_t length = strlen(words);
    while (length && words[length - 1] == '\n') length--;
    for (size_t begin = 0; begin <= length;) {
        const char *end = memchr(words + begin, '\n', length - begin);
        const size_t size = end ? (size_t)(end - words) - begin : length - begin;
        text_append(out, begin ? "\n    " : "");
        utf8_show_n(words + begin, size, out);
        begin += size + 1;
    }
    text_char(out, '\n');
}

void diag_render(const diagnostic *d, text *out) {
    static const char *const word[] = {"error", "warning", "note"};
    if (d->at.source) {
        uint32_t line, column;
        source_position(d->at.source, d->at.offset, &line, &column);
        utf8_show(d->at.source->name, out);
        text_format(out, ":%u:%u: ", line, column);
    } else {
        text_append(out, "hamel: ");
    }
    text_format(out, "%s: ", word[d->severity]);
    render_words(d->message, out);
    if (d->at.source && !d->at.source->is_outside) render_excerpt(d->at.source, d->at, out);
    if (!d->help) return;
    text_append(out, "  = ");
    render_words(d->help, out);
}
