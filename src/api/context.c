// Contexts, diagnostics, and reading models.
#include "api/api_internal.h"

#include "base/embedded.h"
#include "base/names.h"
#include "base/utf8.h"
#include "derive/formalism.h"
#include "expr/flint_memory.h"
#include "print/expression.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *hamel_version(void) { return HAMEL_VERSION; }

void hamel_free(void *result) { memory_free(result); }

static hamel_status create(context *ctx) {
    diag_reserve(ctx);
    ctx->pool = pool_create(ctx);
    return HAMEL_OK;
}

static hamel_status enter_and_create(context *ctx) {
    API_CALL(ctx, NULL, create(ctx), "making a context");
}

hamel_context *hamel_context_create(void) {
    flint_memory_install();
    session *s = memory_try(sizeof *s);
    if (!s) return NULL;
    context_init(&s->base);
    if (enter_and_create(&s->base) == HAMEL_OK) return &s->base;
    hamel_context_destroy(&s->base);
    return NULL;
}

static hamel_status destroy(context *ctx) {
    session *s = session_of(ctx);
    for (uint32_t i = 0; i < s->models_count; i++) model_free(s->models[i]);
    memory_free(s->models);
    memory_free(s->overrides);
    pool_destroy(ctx->pool);
    return HAMEL_OK;
}

static hamel_status enter_and_destroy(context *ctx) {
    API_CALL(ctx, NULL, destroy(ctx), "closing a context");
}

void hamel_context_destroy(hamel_context *ctx) {
    if (!ctx) return;
    enter_and_destroy(ctx); // of a dead one this does nothing
    context_free(ctx);
    memory_let_go(&ctx->blocks); // there is none, or it was forgotten: a leak that tools can see
    memory_free(session_of(ctx));
}

static hamel_status set(context *ctx, const char *assignment) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment || !equals[1]) {
        diag_error(ctx, (span){0}, "write it as name=value, for example --set m=3/2",
                   "`%s` is no assignment", assignment);
        return HAMEL_USAGE;
    }
    size_t length = (size_t)(equals - assignment);
    while (length && assignment[length - 1] == ' ') length--;
    list_push(session_of(ctx), overrides,
              (parse_override){arena_copy(&ctx->arena, assignment, length),
                               arena_copy(&ctx->arena, equals + 1, strlen(equals + 1))});
    return HAMEL_OK;
}

hamel_status hamel_context_set(hamel_context *ctx, const char *assignment) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, assignment);
    API_CALL(ctx, NULL, set(ctx, assignment), "reading `%s`", assignment);
}

// --- limits --------------------------------------------------------------------------------------

// Nodes are numbered in 32 bits, and an operand takes several.
static const unsigned long long MOST_NODES = 200000000, MOST = 1ull << 62;

static hamel_status limit(context *ctx, const hamel_limits *allowed) {
    const hamel_limits none = {0}, *l = allowed ? allowed : &none;
    const char *wrong = !(l->time >= 0 && l->time < 1e9) ? "time (0 to 10^9 seconds)"
                        : l->memory > MOST               ? "memory (2^62 bytes)"
                        : l->nodes > MOST_NODES          ? "nodes (200 million)"
                        : l->rows > MOST                 ? "rows (2^62)"
                        : l->bytes > MOST                ? "bytes (2^62)"
                                                         : NULL;
    if (wrong) {
        diag_error(ctx, (span){0}, NULL, "that is more than can be allowed: %s", wrong);
        return HAMEL_USAGE;
    }
    context_limit(ctx, l);
    return HAMEL_OK;
}

hamel_status hamel_context_limit(hamel_context *ctx, const hamel_limits *limits) {
    API_NEEDS(NULL, ctx);
    API_CALL(ctx, NULL, limit(ctx, limits), "setting limits");
}

// --- diagnostics ---------------------------------------------------------------------------------

size_t hamel_diagnostic_count(const hamel_context *ctx) { return ctx ? ctx->diagnostic_count : 0; }

static hamel_status write_diagnostics(const context *ctx, char **result) {
    text t = {0};
    for (uint32_t i = 0; i < ctx->diagnostic_count; i++) diag_render(&ctx->diagnostics[i], &t);
    return api_finish_text(&t, result);
}

static hamel_status enter_and_write_text(const context *ctx, char **result) {
    API_CALL(NULL, result, write_diagnostics(ctx, result), "writing diagnostics");
}

char *hamel_diagnostics(const hamel_context *ctx) {
    if (!ctx) return NULL;
    char *result;
    enter_and_write_text(ctx, &result);
    return result;
}

static hamel_status show(const char *string, char **result) {
    text t = {0};
    utf8_show(string, &t);
    return api_finish_text(&t, result);
}

static hamel_status enter_and_show(const char *string, char **result) {
    API_CALL(NULL, result, show(string, result), "showing a text");
}

char *hamel_text_show(const char *string) {
    if (!string) return NULL;
    char *result;
    enter_and_show(string, &result);
    return result;
}

static hamel_status write_json(const context *ctx, hamel_status status, char **result) {
    static const char *const severity[] = {"error", "warning", "note"};
    text t = {0};
    json j = {.out = &t};
    json_open(&j, NULL, '{');
    json_integer(&j, "status", status);
    json_open(&j, "diagnostics", '[');
    for (uint32_t i = 0; i < ctx->diagnostic_count; i++) {
        const diagnostic *d = &ctx->diagnostics[i];
        json_open(&j, NULL, '{');
        json_string(&j, "severity", severity[d->severity]);
        if (d->at.source) {
            uint32_t line, column;
            source_position(d->at.source, d->at.offset, &line, &column);
            json_string(&j, "file", d->at.source->name);
            json_integer(&j, "line", line);
            json_integer(&j, "column", column);
        }
        json_string(&j, "message", d->message);
        if (d->help) json_string(&j, "help", d->help);
        json_close(&j, '}');
    }
    json_close(&j, ']');
    json_close(&j, '}');
    text_char(&t, '\n');
    return api_finish_text(&t, result);
}

static hamel_status enter_and_write_json(const context *ctx, hamel_status status, char **result) {
    API_CALL(NULL, result, write_json(ctx, status, result), "writing diagnostics");
}

char *hamel_diagnostics_json(const hamel_context *ctx, hamel_status status) {
    if (!ctx) return NULL;
    char *result;
    enter_and_write_json(ctx, status, &result);
    return result;
}

void api_write_warnings(const context *ctx, json *out) {
    json_open(out, "warnings", '[');
    for (uint32_t i = 0; i < ctx->diagnostic_count; i++)
        if (ctx->diagnostics[i].severity == DIAG_WARNING)
            json_string(out, NULL, ctx->diagnostics[i].message);
    json_close(out, ']');
}

hamel_status api_finish_text(text *t, char **result) {
    *result = text_release(t);
    return HAMEL_OK;
}

hamel_status api_finish_result(const format *f, const printable *r, char **result) {
    text out = {0};
    f->result(r, &out);
    return api_finish_text(&out, result);
}

void api_write_expression(const model *m, expr e, text *out) {
    print_expression(m->pool, e, STYLE_TEXT, out);
}

static const char *expression_words(const model *m, expr e) {
    text t = {0};
    api_write_expression(m, e, &t);
    const char *words = arena_copy(&m->ctx->arena, text_string(&t), t.length);
    text_free(&t);
    return words;
}

const char *api_override_words(context *ctx) {
    const session *s = session_of(ctx);
    text words = {0};
    for (uint32_t i = 0; i < s->overrides_count; i++)
        text_format(&words, "%s%s = %s", i ? ", " : "", s->overrides[i].name,
                    s->overrides[i].value);
    const char *kept = arena_copy(&ctx->arena, text_string(&words), words.length);
    text_free(&words);
    return kept;
}

// --- reading models ------------------------------------------------------------------------------

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

hamel_status api_copy_model(context *ctx, const model *of, model **out) {
    const session *from = session_of(of->ctx);
    session *s = session_of(ctx);
    for (uint32_t i = 0; i < of->override_count; i++) {
        const parse_override *o = &from->overrides[i];
        list_push(s, overrides,
                  (parse_override){arena_copy(&ctx->arena, o->name, strlen(o->name)),
                                   arena_copy(&ctx->arena, o->value, strlen(o->value))});
    }
    model *m = NULL;
    const hamel_status status =
        parse_model_again(ctx, ctx->pool, of, s->overrides_count, s->overrides, &m);
    return finish_model(ctx, m, status, out);
}

static hamel_status read_bytes(context *ctx, const char *name, const void *bytes, size_t size,
                               hamel_model **result) {
    source *text = arena_new(&ctx->arena, source);
    *text = (source){.name = arena_copy(&ctx->arena, name, strlen(name)),
                     .bytes = arena_copy(&ctx->arena, bytes, size),
                     .length = size};
    if (size > ctx->limits.source_bytes) {
        context_exhaust(ctx, (span){0}, "bytes of a source file", ctx->limits.source_bytes);
        return HAMEL_LIMIT;
    }
    return api_read_model(ctx, text, 0, NULL, result);
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

static hamel_status read_named(context *ctx, const char *name, hamel_model **result) {
    const bool standard = strcmp(name, "-") == 0;
    struct stat about;
    if (standard || (stat(name, &about) == 0 && !S_ISDIR(about.st_mode))) {
        text t = {0};
        const int failure = standard ? read_stream(ctx, stdin, &t) : read_file(ctx, name, &t);
        const char *shown = standard ? "(standard input)" : name;
        const hamel_status status = failure
                                        ? context_refuse(ctx, (span){0}, "read", shown, failure)
                                        : read_bytes(ctx, shown, text_string(&t), t.length, result);
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

hamel_status api_mechanics(model *m, const mechanics **out) {
    if (!m->mechanics) {
        mechanics *made;
        const hamel_status status = mechanics_create(m, NULL, &made);
        if (status) return status;
        m->mechanics = made;
    }
    *out = m->mechanics;
    return HAMEL_OK;
}
