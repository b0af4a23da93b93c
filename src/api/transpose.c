// Transpositional relations of a mechanics that has them.
#include "api/api_internal.h"

static hamel_status transpose(hamel_model *m, const char *form, hamel_format format,
                              char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_TRANSPOSITION);
    const formalism *f = as ? api_find_form(m->ctx, form) : NULL;
    const mechanics *s;
    if (!f) return HAMEL_USAGE;
    hamel_status status = api_mechanics(m, &s);
    if (status) return status;
    equations *eq = NULL;
    status = api_derive(f, s, &eq);
    if (!status && !eq->transposition) {
        diag_error(m->ctx, (span){0}, "`a-model` has them",
                   "%s (`%s`) have no transpositional relations", f->name, f->id);
        status = context_status(m->ctx);
    }
    if (!status) {
        const transposition t = transposition_create(f, eq);
        text out = {0};
        status = context_status(m->ctx);
        if (!status) as->transposition(&t, &out);
        api_finish_text(&out, result);
    }
    equations_free(eq);
    return status;
}

hamel_status hamel_model_transpose(hamel_model *m, const char *form, hamel_format format,
                                   char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, form);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, transpose(m, form, format, result), "transposing `%s`", m->name);
}
