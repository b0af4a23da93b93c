// What can be named in a call: ids of forms, methods, formats, targets and library models, one by
// one, the nearest of some names to a misspelt one, and numbers as options have them.
#include "api/api_internal.h"
#include "api/call.h"

#include "base/decimal.h"
#include "base/names.h"
#include "codegen/target.h"
#include "integrate/integrator.h"
#include "parse/statement.h"

#include <math.h>
#include <string.h>

static const char *form_at(size_t index, const char **about) {
    if (index >= formalism_count()) return NULL;
    *about = formalism_at((uint32_t)index)->name;
    return formalism_at((uint32_t)index)->id;
}

static const char *method_at(size_t index, const char **about) {
    if (index >= integrator_count()) return NULL;
    *about = integrator_at((uint32_t)index)->name;
    return integrator_at((uint32_t)index)->id;
}

// The formats that write something.
static const char *able_format_at(format_ability what, size_t index, const char **about) {
    for (uint32_t i = 0; i < format_count(); i++) {
        if (!format_writes(format_at(i), what) || index--) continue;
        *about = format_at(i)->about;
        return format_at(i)->id;
    }
    return NULL;
}

static const char *equation_format_at(size_t index, const char **about) {
    return able_format_at(WRITES_EQUATIONS, index, about);
}

static const char *transposition_format_at(size_t index, const char **about) {
    return able_format_at(WRITES_TRANSPOSITION, index, about);
}

static const char *source_format_at(size_t index, const char **about) {
    return able_format_at(WRITES_SOURCES, index, about);
}

static const char *matrix_format_at(size_t index, const char **about) {
    return able_format_at(WRITES_MATRICES, index, about);
}

static const char *known_target_at(size_t index, const char **about) {
    if (index >= target_count()) return NULL;
    *about = target_at((uint32_t)index)->about;
    return target_at((uint32_t)index)->id;
}

static const char *statement_at(size_t index, const char **about) {
    if (index >= STATEMENT_KINDS) return NULL;
    *about = statement_rules[index]->about;
    return statement_rules[index]->word;
}

static const char *model_at(size_t index, const char **about) {
    *about = NULL;
    return index < hamel_library_count() ? hamel_library_name(index) : NULL;
}

static const struct {
    const char *kind;
    const char *(*at)(size_t index, const char **about);
} lists[] = {{"forms", form_at},
             {"methods", method_at},
             {"formats", equation_format_at},
             {"transposition-formats", transposition_format_at},
             {"source-formats", source_format_at},
             {"matrix-formats", matrix_format_at},
             {"targets", known_target_at},
             {"statements", statement_at},
             {"models", model_at}};

const char *hamel_known(const char *kind, size_t index, const char **about) {
    const char *unused;
    for (size_t i = 0; kind && i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].kind, kind) == 0) return lists[i].at(index, about ? about : &unused);
    return NULL;
}

static hamel_status find_nearest(const char *name, const char *const *known, size_t count,
                                 const char **near) {
    names table = {0};
    for (size_t i = 0; i < count; i++) names_put(&table, known[i], (uint32_t)i);
    *near = names_nearest(&table, name, NULL); // one of `known`, which the table holds
    names_free(&table);
    return HAMEL_OK;
}

static hamel_status find_nearest_within(const char *name, const char *const *known, size_t count,
                                        const char **near) {
    API_CALL(NULL, NULL, find_nearest(name, known, count, near), "looking for a name");
}

const char *hamel_nearest(const char *name, const char *const *known, size_t count) {
    const char *near = NULL;
    if (!name || !known) return NULL;
    return find_nearest_within(name, known, count, &near) ? NULL : near;
}

int hamel_format_find(const char *id) { return id ? format_find(id) : -1; }

// --- errors that say what is known ---------------------------------------------------------------

hamel_status api_refuse_unknown(context *ctx, const char *kind, const char *noun, const char *id) {
    const char *known = "", *next;
    for (size_t i = 0; (next = hamel_known(kind, i, NULL)); i++)
        known = arena_format(&ctx->arena, "%s%s%s", known, i ? ", " : "", next);
    diag_error(ctx, (span){0}, arena_format(&ctx->arena, "known %s: %s", kind, known),
               "there is no %s `%s`", noun, id);
    return HAMEL_USAGE;
}

const format *api_find_format(context *ctx, hamel_format number, format_ability what) {
    const format *f = (uint32_t)number < format_count() ? format_at((uint32_t)number) : NULL;
    if (f && format_writes(f, what)) return f;
    const char *able = NULL;
    for (uint32_t i = 0; i < format_count(); i++)
        if (format_writes(format_at(i), what))
            able = arena_format(&ctx->arena, "%s%s%s", able ? able : "", able ? ", " : "",
                                format_at(i)->id);
    diag_error(ctx, (span){0}, arena_format(&ctx->arena, "it can be written as: %s", able),
               "this result cannot be written as %s", f ? f->id : "a format that is not known");
    return NULL;
}

int hamel_number_read(const char *text, double *value) {
    const char *end;
    if (!text || !value) return 0;
    *value = decimal_read(text, &end);
    return end != text && !*end && isfinite(*value);
}
