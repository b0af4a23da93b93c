// Contexts, their limits and diagnostics.
#include "api/api_internal.h"

#include "base/utf8.h"
#include "expr/flint_memory.h"
#include "print/expression.h"

#include <string.h>

const char *hamel_version(void) { return HAMEL_VERSION; }

unsigned hamel_abi_version(void) { return HAMEL_ABI; }

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
    const hamel_status known = API_KNOWS(ctx, l);
    if (known) return known;
    context_limit(ctx, l);
    return HAMEL_OK;
}

hamel_status hamel_context_limit(hamel_context *ctx, const hamel_limits *limits) {
    API_NEEDS(NULL, ctx);
    API_CALL(ctx, NULL, limit(ctx, limits), "setting limits");
}

// --- diagnostics ---------------------------------------------------------------------------------

size_t hamel_diagnostic_count(const hamel_context *ctx) { return ctx ? ctx->diagnostic_count : 0; }

void hamel_diagnostics_forget(hamel_context *ctx) {
    if (ctx && !ctx->dead) ctx->diagnostic_count = ctx->first_of_call = 0;
}

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
