// Reading models: from a file, a text or the library; once more; in another context.
#include "api/editor.h"

#include "base/embedded.h"
#include "base/names.h"
#include "base/utf8.h"
#include "derive/formalism.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *expression_words(const model *m, expr e) {
    text t = {0};
    api_write_expression(m, e, &t);
    const char *words = arena_copy(&m->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    return words;
}

// A nameless system is called after its file: "folder/swing.ham" -> "swing". The name goes into
// comments of code: a character that cannot be shown there is written as its number.
static const char *stem_of(context *ctx, const char *path) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path,
               *dot = strrchr(start, '.');
    if (*start == '(') return "system";
    const size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start);
    return utf8_shown(&ctx->arena, arena_copy(&ctx->arena, start, length));
}

// `claim .. under ID`, whose ID the language leaves open: the forms are known here. Claims of one
// statement are told once.
static void check_mechanics(model *m) {
    arena *a = &m->ctx->arena;
    const char *told = NULL;
    for (uint32_t i = 0; i < m->claims_count; i++) {
        const char *id = m->claims[i].mechanics;
        if (!id || id == told || formalism_find(id)) continue;
        const char *near = formalism_nearest(id), *help = "known: ";
        if (near) help = arena_format(a, "did you mean `%s`? known: ", near);
        for (uint32_t k = 0; k < formalism_count(); k++)
            help = arena_format(a, "%s%s%s", help, k ? ", " : "", formalism_at(k)->id);
        diag_error(m->ctx, m->claims[i].mechanics_at, help, "there is no mechanics `%s`", id);
        told = id;
    }
}

// What is known of a model that was read; status: of the reading
static hamel_status finish_model(context *ctx, model *m, hamel_status status, model **out) {
    session *s = session_of(ctx);
    if (m) list_push(s, models, m);
    if (status) return status;
    assert(m);
    m->override_count = s->overrides_count;
    if (!m->name) m->name = stem_of(ctx, m->text->name);
    m->words = expression_words;
    for (uint32_t i = 0; i < m->constraints_count; i++) constraint_classify(m, &m->constraints[i]);
    check_mechanics(m);
    *out = m;
    return context_status(ctx);
}

// What --set says, then `more`; *count of them, in the arena
static const parse_override *all_overrides(context *ctx, uint32_t more_count,
                                           const parse_override *more, uint32_t *count) {
    const session *s = session_of(ctx);
    *count = s->overrides_count + more_count;
    parse_override *override = arena_array(&ctx->arena, parse_override, *count);
    for (uint32_t i = 0; i < s->overrides_count; i++) override[i] = s->overrides[i];
    for (uint32_t i = 0; i < more_count; i++) override[s->overrides_count + i] = more[i];
    return override;
}

hamel_status api_read_model(context *ctx, const source *text, uint32_t more_count,
                            const parse_override *more, model **out) {
    uint32_t count;
    const parse_override *override = all_overrides(ctx, more_count, more, &count);
    model *m = NULL;
    const hamel_status status = parse_model(ctx, ctx->pool, text, count, override, &m);
    return finish_model(ctx, m, status, out);
}

hamel_status api_read_again(const model *of, uint32_t more_count, const parse_override *more,
                            model **out) {
    context *ctx = of->ctx;
    uint32_t count;
    const parse_override *override = all_overrides(ctx, more_count, more, &count);
    model *m = NULL;
    const hamel_status status = parse_model_again(ctx, ctx->pool, of, count, override, &m);
    return finish_model(ctx, m, status, out);
}

static void keep_override(context *ctx, const parse_override *o) {
    session *s = session_of(ctx);
    list_push(s, overrides,
              (parse_override){arena_copy(&ctx->arena, o->name, strlen(o->name)),
                               arena_copy(&ctx->arena, o->value, strlen(o->value))});
}

hamel_status api_copy_model(context *ctx, const model *of, uint32_t more_count,
                            const parse_override *more, model **out) {
    const session *from = session_of(of->ctx), *s = session_of(ctx);
    for (uint32_t i = 0; i < of->override_count; i++) keep_override(ctx, &from->overrides[i]);
    for (uint32_t i = 0; i < more_count; i++) keep_override(ctx, &more[i]);
    model *m = NULL;
    const hamel_status status =
        parse_model_again(ctx, ctx->pool, of, s->overrides_count, s->overrides, &m);
    return finish_model(ctx, m, status, out);
}

hamel_status api_make_source(context *ctx, const char *name, const void *bytes, size_t size,
                             const source **result) {
    source *text = arena_new(&ctx->arena, source);
    *text = (source){.name = arena_copy(&ctx->arena, name, strlen(name)),
                     .bytes = arena_copy(&ctx->arena, bytes, size),
                     .length = size};
    *result = text;
    if (size <= ctx->limits.source_bytes) return HAMEL_OK;
    context_exhaust(ctx, (span){0}, "bytes of a source file", ctx->limits.source_bytes);
    return HAMEL_LIMIT;
}

hamel_status api_read_for_editor(context *ctx, const char *name, const void *bytes, size_t size,
                                 outline *o, model **out) {
    session *s = session_of(ctx);
    const source *text;
    const hamel_status made = api_make_source(ctx, name, bytes, size, &text);
    if (made) return made;
    const hamel_status status =
        parse_for_editor(ctx, ctx->pool, text, s->overrides_count, s->overrides, o, out);
    if (!status) return finish_model(ctx, *out, status, out);
    list_push(s, models, *out);
    return status;
}

static hamel_status read_bytes(context *ctx, const char *name, const void *bytes, size_t size,
                               hamel_model **result) {
    const source *text;
    const hamel_status status = api_make_source(ctx, name, bytes, size, &text);
    return status ? status : api_read_model(ctx, text, 0, NULL, result);
}

// All that a stream holds, or a little more than is allowed; 0, or what failed.
static int read_stream(const context *ctx, FILE *stream, text *out) {
    char buffer[1 << 16];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, stream)) > 0 &&
                   out->length <= ctx->limits.source_bytes;)
        text_append_n(out, buffer, n);
    return ferror(stream) ? errno : 0;
}

static int read_file(const context *ctx, const char *name, text *out) {
    FILE *file = fopen(name, "rb");
    if (!file) return errno;
    guard open;
    guard_file(&open, file);
    const int failure = read_stream(ctx, file, out);
    guard_lift(&open), fclose(file);
    return failure;
}

static bool is_standard(const char *name) { return strcmp(name, "-") == 0; }
static const char *shown_name(const char *name) {
    return is_standard(name) ? "(standard input)" : name;
}

hamel_status api_read_file(context *ctx, const char *name, text *out) {
    const int failure =
        is_standard(name) ? read_stream(ctx, stdin, out) : read_file(ctx, name, out);
    return failure ? context_refuse(ctx, (span){0}, "read", shown_name(name), failure) : HAMEL_OK;
}

static hamel_status read_named(context *ctx, const char *name, hamel_model **result) {
    struct stat about;
    if (is_standard(name) || (stat(name, &about) == 0 && !S_ISDIR(about.st_mode))) {
        text t = {0};
        hamel_status status = api_read_file(ctx, name, &t);
        if (!status) status = read_bytes(ctx, shown_name(name), text_string(&t), t.length, result);
        text_free(&t);
        return status;
    }
    names known = {0};
    for (size_t i = 0; i < embedded_model_count; i++) {
        if (strcmp(embedded_models[i].name, name) == 0) {
            names_free(&known);
            return read_bytes(ctx, name, embedded_models[i].text, embedded_models[i].size, result);
        }
        names_put(&known, embedded_models[i].name, (uint32_t)i);
    }
    const char *near = names_nearest(&known, name, NULL);
    char *help =
        near ? arena_format(&ctx->arena, "did you mean the library model `%s`?", near) : NULL;
    diag_error(ctx, (span){0}, help ? help : "`hamel models` lists the library",
               "there is no file and no library model `%s`", name);
    names_free(&known);
    return HAMEL_MODEL;
}

hamel_status hamel_model_parse(hamel_context *ctx, const char *name, const void *bytes, size_t size,
                               hamel_model **result) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, result);
    API_NEEDS(ctx, name);
    if (size) API_NEEDS(ctx, bytes);
    *result = NULL;
    API_CALL(ctx, NULL, read_bytes(ctx, name, bytes, size, result), "reading `%s`", name);
}

hamel_status hamel_model_open(hamel_context *ctx, const char *name, hamel_model **result) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, result);
    API_NEEDS(ctx, name);
    *result = NULL;
    API_CALL(ctx, NULL, read_named(ctx, name, result), "reading `%s`", name);
}

// --- what was said of a copy ---------------------------------------------------------------------

static span same_place(span at, const model *from, const model *to) {
    if (!at.source || !from) return (span){0};
    if (at.source == from->text) return (span){to->text, at.offset, at.length};
    for (uint32_t i = 0; i < from->included_count; i++)
        if (at.source == from->included[i]) return (span){to->included[i], at.offset, at.length};
    return (span){0};
}

hamel_status api_hand_over(const context *from, const model *copy, const model *like) {
    for (uint32_t i = 0; i < from->diagnostic_count; i++) {
        const diagnostic *d = &from->diagnostics[i];
        const span at = same_place(d->at, copy, like);
        if (d->severity == DIAG_ERROR) diag_error(like->ctx, at, d->help, "%s", d->message);
        else if (d->severity == DIAG_WARNING)
            diag_warning(like->ctx, at, d->help, "%s", d->message);
        else diag_note(like->ctx, at, d->help, "%s", d->message);
    }
    return HAMEL_OK;
}
