// Verdicts, as a table and as JSON.
#include "api/verdicts.h"

typedef struct {
    judgement j;
    const mechanics *s;
} verdicts;

// A form in words first: "Maggi's equations (maggi)"
static void write_name(const verdict *v, text *out) {
    const formalism *f = v->kind[0] == 'f' ? formalism_find(v->name) : NULL;
    if (f) text_format(out, "%s (%s)", f->name, f->id);
    else text_append(out, v->name);
}

static void write_how(const verdict *v, text *out) {
    const size_t start = out->length;
    text_append(out, v->method);
    if (v->trials) text_format(out, ", %u trials, error below 2^%.0f", v->trials, v->bound);
    if (v->residual) text_format(out, ", residual %s", v->residual);
    if (v->relative) text_format(out, ", relative %s", v->relative);
    if (v->identity)
        text_append(out, "; identity: it holds for every acceleration that the constraints allow");
    if (v->remark) text_format(out, "%s%s", out->length > start ? "; " : "", v->remark);
    if (v->scope.branch) text_append(out, "; on this branch of the constraints");
    if (v->scope.algebra_alone && v->kind[0] != 'e') text_append(out, "; by algebra alone");
    if (v->place) text_format(out, "%s%s", out->length > start ? "; " : "", v->place);
}

// Characters of UTF-8
static size_t width_of(const text *words) {
    size_t width = 0;
    for (size_t i = 0; i < words->length; i++) width += (words->bytes[i] & 0xC0) != 0x80;
    return width;
}

static void write_row(const verdict *v, size_t width, text *out) {
    text name = {0};
    write_name(v, &name);
    text_format(out, "%-10s %s", v->kind, text_string(&name));
    text_repeat(out, ' ', width > width_of(&name) ? width - width_of(&name) : 0);
    text_format(out, " %-10s ", verdicts_word(v));
    write_how(v, out);
    text_char(out, '\n');
    for (uint32_t k = 0; k < v->witness_count; k++)
        text_format(out, "%s%s = %s", k ? ", " : "           at ", v->witness[k].name,
                    v->witness[k].value);
    if (v->witness_count) text_char(out, '\n');
    text_free(&name);
}

static void write_text(const void *of, text *out) {
    const judgement *j = &((const verdicts *)of)->j;
    const mechanics *s = ((const verdicts *)of)->s;
    enum { NARROWEST = 28 };
    size_t width = NARROWEST;
    uint32_t forms = 0;
    for (uint32_t i = 0; i < j->verdicts_count; i++) {
        text name = {0};
        write_name(&j->verdicts[i], &name);
        if (width_of(&name) > width) width = width_of(&name);
        text_free(&name);
        forms += j->verdicts[i].kind[0] == 'f';
    }
    text_format(out, "%-10s %-*s %-10s %s\n", "kind", (int)width, "name", "verdict", "how");
    for (uint32_t i = 0; i < j->verdicts_count; i++) write_row(&j->verdicts[i], width, out);
    if (forms)
        text_format(out, "forms are compared with %s (%s): the same q''%s on the constraints\n",
                    formalism_default(s)->name, formalism_default(s)->id,
                    s->k + s->h ? " and lambda" : "");
    for (uint32_t i = 0; i < s->k + s->h; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (c->note) text_format(out, "constraint %s: %s\n", c->name, c->note);
    }
}

static void write_scope(const verdict *v, json *out) {
    const char *scope[VERDICTS_SCOPES];
    const uint32_t count = verdicts_scope(v, scope);
    if (!count) return;
    json_open(out, "scope", '[');
    for (uint32_t i = 0; i < count; i++) json_string(out, NULL, scope[i]);
    json_close(out, ']');
    if (v->place) json_string(out, "place", v->place);
}

// What stands between the constraints as stated and those that act
static void write_notes(const mechanics *s, json *out) {
    bool noted = false;
    for (uint32_t i = 0; i < s->k + s->h; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        if (!c->note) continue;
        if (!noted) json_open(out, "constraints", '{');
        noted = true;
        json_string(out, c->name, c->note);
    }
    if (noted) json_close(out, '}');
}

static void write_json(const void *of, json *out) {
    const judgement *j = &((const verdicts *)of)->j;
    const mechanics *s = ((const verdicts *)of)->s;
    json_open(out, NULL, '{');
    json_open(out, "verdicts", '[');
    for (uint32_t i = 0; i < j->verdicts_count; i++) {
        const verdict *v = &j->verdicts[i];
        json_open(out, NULL, '{');
        json_string(out, "kind", v->kind);
        json_string(out, "name", v->name);
        json_string(out, "verdict", verdicts_word(v));
        json_string(out, "method", v->method);
        if (v->trials) json_integer(out, "trials", v->trials);
        json_string(out, "bound", verdicts_bound(v, &s->model->ctx->arena));
        if (v->residual) json_string(out, "residual", v->residual);
        if (v->relative) json_string(out, "relative", v->relative);
        if (v->identity) json_bool(out, "identity", true);
        if (v->remark) json_string(out, "remark", v->remark);
        write_scope(v, out);
        json_open(out, "witness", '{');
        for (uint32_t k = 0; k < v->witness_count; k++)
            json_string(out, v->witness[k].name, v->witness[k].value);
        json_close(out, '}');
        json_close(out, '}');
    }
    json_close(out, ']');
    write_notes(s, out);
    json_close(out, '}');
}

static hamel_status prove(hamel_model *m, const char *forms, int certify, unsigned long long seed,
                          hamel_format format, char **result) {
    const struct format *as = api_find_format(m->ctx, format, WRITES_RESULT);
    verdicts found = {0};
    hamel_status status =
        as ? verdicts_find(m, forms, certify, seed, &found.s, &found.j) : HAMEL_USAGE;
    if (status) return status;
    api_finish_result(as, &(printable){&found, write_text, write_json, m}, result);
    status = verdicts_status(&found.j);
    judgement_free(&found.j);
    return status;
}

hamel_status hamel_model_prove_seeded(hamel_model *m, const char *forms, int certify,
                                      unsigned long long seed, hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, forms);
    API_NEEDS(m->ctx, result);
    API_CALL(m->ctx, result, prove(m, forms, certify, seed, format, result),
             "proving what is said of `%s`", m->name);
}

hamel_status hamel_model_prove(hamel_model *m, const char *forms, int certify, hamel_format format,
                               char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, forms);
    API_NEEDS(m->ctx, result);
    return hamel_model_prove_seeded(m, forms, certify, 0, format, result);
}
