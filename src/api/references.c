// The sources that outputs and documentation name.
#include "api/api_internal.h"

#include "base/references.h"
#include "base/names.h"
#include "derive/formalism.h"
#include "print/format.h"

#include <string.h>

enum { MOST_REFERENCES = 256 };

// Sources are written in the order of the table, each once, however often they were asked for.
typedef struct {
    bool wanted[MOST_REFERENCES];
} selection;

static void select_sources_of(const formalism *f, selection *out) {
    for (uint32_t i = 0; i < reference_count(); i++)
        out->wanted[i] = out->wanted[i] || reference_is_named(reference_at(i), f->paper);
}

// The nearest key or id to one that is neither; NULL if none is near
static const char *nearest_name(const char *name) {
    const char *best = formalism_nearest(name);
    unsigned least = best ? names_distance(name, best, 99) : (unsigned)strlen(name) / 3 + 2;
    for (uint32_t i = 0; i < reference_count(); i++) {
        const unsigned d = names_distance(name, reference_at(i)->key, least);
        if (d < least) least = d, best = reference_at(i)->key;
    }
    return best;
}

static hamel_status select_name(context *ctx, const char *name, selection *out) {
    const formalism *f = formalism_find(name);
    if (f) select_sources_of(f, out);
    if (f) return HAMEL_OK;
    for (uint32_t i = 0; i < reference_count(); i++)
        if (strcmp(reference_at(i)->key, name) == 0) {
            out->wanted[i] = true;
            return HAMEL_OK;
        }
    const char *near = nearest_name(name);
    diag_error(ctx, (span){0},
               near ? arena_format(&ctx->arena, "did you mean `%s`?", near)
                    : "`hamel references` lists them, `hamel forms` the formalisms",
               "there is no source with the key `%s`, and no form of that name", name);
    return HAMEL_USAGE;
}

static hamel_status write_selected(const selection *chosen, const format *as, char **result) {
    const reference *source[MOST_REFERENCES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < reference_count(); i++)
        if (chosen->wanted[i]) source[count++] = reference_at(i);
    text out = {0};
    as->sources(count, source, &out);
    return api_finish_text(&out, result);
}

static hamel_status by_names(context *ctx, const char *names, hamel_format format, char **result) {
    const struct format *as = api_find_format(ctx, format, WRITES_SOURCES);
    if (!as) return HAMEL_USAGE;
    selection chosen = {{false}};
    for (uint32_t i = 0; i < reference_count() && !names; i++) chosen.wanted[i] = true;
    while (names && *names) {
        const size_t length = strcspn(names, ", ");
        const hamel_status status =
            select_name(ctx, arena_copy(&ctx->arena, names, length), &chosen);
        if (status) return status;
        names += length;
        names += strspn(names, ", ");
    }
    return write_selected(&chosen, as, result);
}

hamel_status hamel_references(hamel_context *ctx, const char *names, hamel_format format,
                              char **result) {
    API_NEEDS(NULL, ctx);
    API_NEEDS(ctx, result);
    API_CALL(ctx, result, by_names(ctx, names, format, result), "listing the sources");
}

static hamel_status by_forms(model *m, const char *forms, hamel_format format, char **result) {
    form_list list;
    const mechanics *s;
    const struct format *as = api_find_format(m->ctx, format, WRITES_SOURCES);
    if (!as) return HAMEL_USAGE;
    hamel_status status = forms ? api_read_forms(m->ctx, forms, &list) : HAMEL_OK;
    if (!status) status = api_mechanics(m, &s);
    if (status) return status;
    if (!forms) list = (form_list){.form = {formalism_default(s)}, .count = 1};
    selection chosen = {{false}};
    for (uint32_t i = 0; i < list.count; i++) select_sources_of(list.form[i], &chosen);
    return write_selected(&chosen, as, result);
}

hamel_status hamel_model_references(hamel_model *m, const char *forms, hamel_format format,
                                    char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, by_forms(m, forms, format, result), "listing the sources of `%s`",
             m->name);
}
