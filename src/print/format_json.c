// The format json. Equations are {"id", "applies", "unknowns", "equations": [{"lhs", "rhs",
// "latex", ..}], "definitions"}. lhs = 0 always holds (rhs is "0"); where the equation is solved
// for something, `unknown` and `value` say so.
#include "print/format.h"
#include "print/modes_json.h"

static void write(const derivation *d, json *out, const char *key, expr e, print_style style) {
    text t = {0};
    derivation_write(d, e, style, &t);
    json_text(out, key, &t);
    text_free(&t);
}

static void write_line(const derivation *d, const line *l, json *out) {
    static const char *const kinds[] = {"motion", "velocity", "constraint"};
    text t = {0};
    json_open(out, NULL, '{');
    json_string(out, "kind", kinds[l->kind]);
    derivation_write(d, l->left, STYLE_TEXT, &t);
    if (l->right != EXPR_ZERO) { // a - (b): names may hide the signs inside b
        text_append(&t, " - (");
        derivation_write(d, l->right, STYLE_TEXT, &t);
        text_char(&t, ')');
    }
    json_text(out, "lhs", &t);
    json_string(out, "rhs", "0");
    text_clear(&t);
    derivation_write(d, l->left, STYLE_LATEX, &t);
    text_append(&t, " = ");
    derivation_write(d, l->right, STYLE_LATEX, &t);
    json_text(out, "latex", &t);
    if (l->solved) {
        write(d, out, "unknown", l->left, STYLE_TEXT);
        write(d, out, "value", l->right, STYLE_TEXT);
    }
    json_close(out, '}');
    text_free(&t);
}

static void write_definition(const derivation *d, uint32_t i, json *out) {
    const definition *f = &d->shown->definitions[i];
    text latex = {0};
    json_open(out, NULL, '{');
    json_string(out, "name", f->name);
    write(d, out, "value", f->value, STYLE_TEXT);
    derivation_latex_definition(d, i, " = ", &latex);
    json_text(out, "latex", &latex);
    json_close(out, '}');
    text_free(&latex);
}

static void write_name(const derivation *d, uint32_t i, json *out) {
    text latex = {0};
    json_open(out, NULL, '{');
    json_string(out, "name", d->shown->names[i]);
    write(d, out, "value", d->shown->name_of[i], STYLE_TEXT);
    derivation_latex_name(d, i, " = ", &latex);
    json_text(out, "latex", &latex);
    json_close(out, '}');
    text_free(&latex);
}

static void write_left_out(const derivation *d, json *out) {
    const equations *eq = d->shown->eq;
    json_open(out, "left_out", '[');
    for (uint32_t i = 0; i < eq->omissions_count; i++) {
        json_open(out, NULL, '{');
        json_string(out, "name", eq->omissions[i].name);
        json_string(out, "why", eq->omissions[i].why);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_equations(const derivation *d, uint32_t place, json *out) {
    (void)place;
    json_open(out, NULL, '{');
    json_string(out, "id", d->form->id);
    json_string(out, "name", d->form->name);
    json_bool(out, "applies", !d->refusal);
    if (d->refusal) {
        json_string(out, "reason", d->refusal);
    } else {
        const presentation *s = d->shown;
        json_open(out, "unknowns", '[');
        for (uint32_t i = 0; i < s->eq->unknown_count; i++)
            write(d, out, NULL, s->eq->unknown[i], STYLE_TEXT);
        json_close(out, ']');
        json_bool(out, "solved", s->solved);
        json_open(out, "equations", '[');
        for (uint32_t i = 0; i < s->lines_count; i++) write_line(d, &s->lines[i], out);
        json_close(out, ']');
        json_open(out, "definitions", '[');
        for (uint32_t i = 0; i < s->definitions_count; i++) write_definition(d, i, out);
        for (uint32_t i = 0; i < s->name_count; i++) write_name(d, i, out);
        json_close(out, ']');
        write_left_out(d, out);
        if (s->eq->remark) json_string(out, "remark", s->eq->remark);
        if (d->stats) json_string(out, "stats", d->stats);
    }
    json_close(out, '}');
}

static void open_equations(const model *m, json *out) {
    json_open(out, NULL, '{');
    json_string(out, "system", m->name);
    print_modes_json(m, out);
    json_open(out, "forms", '[');
}

static void close_equations(json *out) {
    json_close(out, ']');
    json_close(out, '}');
    text_char(out->out, '\n');
}

static void write_transposition(const transposition *t, text *out) {
    transposition_json(t, &(json){.out = out});
    text_char(out, '\n');
}

// With the end of a line behind it.
static void write_result(const printable *r, text *out) {
    json document = {.out = out};
    r->data(r->of, &document);
    if (r->m) { // members more, before the bracket that closes the document
        out->length--;
        print_modes_json(r->m, &document);
        text_char(out, '}');
    }
    text_char(out, '\n');
}

static void write_source(const reference *r, json *out) {
    const struct {
        const char *name, *value;
    } field[] = {{"key", r->key},         {"cite", r->cite},
                 {"type", r->type},       {"author", r->author},
                 {"year", r->year},       {"title", r->title},
                 {"journal", r->journal}, {"booktitle", r->booktitle},
                 {"volume", r->volume},   {"number", r->number},
                 {"pages", r->pages},     {"publisher", r->publisher},
                 {"address", r->address}, {"doi", r->doi},
                 {"note", r->note}};
    json_open(out, NULL, '{');
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        if (field[i].value) json_string(out, field[i].name, field[i].value);
    json_close(out, '}');
}

static void write_sources(uint32_t count, const reference *const *source, text *out) {
    json document = {.out = out};
    json_open(&document, NULL, '{');
    json_open(&document, "references", '[');
    for (uint32_t i = 0; i < count; i++) write_source(source[i], &document);
    close_equations(&document); // ]} and the end of the line
}

const format format_json = {
    .id = "json",
    .about = "one object, for programs; equations in the language of models and in LaTeX",
    .for_programs = true,
    .open_equations = open_equations,
    .equations = write_equations,
    .close_equations = close_equations,
    .transposition = write_transposition,
    .result = write_result,
    .page = write_result,
    .sources = write_sources,
};
