// The format text: equations in the model language itself.
#include "model/contact_modes.h"
#include "print/format.h"

static void write_line(const derivation *d, const line *l, text *out) {
    text_append(out, "  ");
    derivation_write_plain(d, l->left, STYLE_TEXT, out);
    text_append(out, " = ");
    derivation_write_plain(d, l->right, STYLE_TEXT, out);
    text_char(out, '\n');
}

static void write_section(const derivation *d, line_kind kind, const char *title, text *out) {
    bool any = false;
    for (uint32_t i = 0; i < d->shown->lines_count; i++) {
        if (d->shown->lines[i].kind != kind) continue;
        if (!any) text_format(out, "%s\n", title);
        any = true;
        write_line(d, &d->shown->lines[i], out);
    }
}

static void write_names(const derivation *d, text *out) {
    const presentation *s = d->shown;
    if (!s->named) return;
    if (s->name_count)
        text_format(out, "written with %u named common subexpression%s%s\n", s->name_count,
                    s->name_count == 1 ? "" : "s",
                    s->asked ? "" : " (written out it would be too long)");
    for (uint32_t i = 0; i < s->name_count; i++) {
        text_format(out, "  %s = ", s->names[i]);
        derivation_write(d, s->name_of[i], STYLE_TEXT, out);
        text_char(out, '\n');
    }
}

void derivation_text(const derivation *d, text *out) {
    text_format(out, "%s (%s), after %s\n  %s\n", d->form->name, d->form->id, d->form->paper,
                d->form->formula);
    if (d->refusal) {
        text_format(out, "does not apply: %s\n", d->refusal);
        return;
    }
    write_names(d, out);
    write_section(d, LINE_MOTION, "equations of motion", out);
    write_section(d, LINE_VELOCITY, "velocities", out);
    write_section(d, LINE_CONSTRAINT, "constraints", out);
    for (uint32_t i = 0; i < d->shown->definitions_count; i++) {
        const definition *f = &d->shown->definitions[i];
        text_format(out, "%s  %s = ", i ? "" : "with\n", f->name);
        derivation_write(d, f->value, STYLE_TEXT, out);
        text_char(out, '\n');
    }
    if (derivation_left_out(d, out)) text_char(out, '\n');
    if (d->shown->eq->remark) text_format(out, "%s\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "%s\n", d->stats);
}

static void write_title(const model *m, json *out) {
    text_format(out->out, "%s\n", m->title ? m->title : m->name);
    model_modes_write(m, "", "\n", out->out);
    text_char(out->out, '\n');
}

static void write_equations(const derivation *d, uint32_t i, json *out) {
    if (i) text_char(out->out, '\n');
    derivation_text(d, out->out);
}

static void write_sources(uint32_t count, const reference *const *source, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        text_format(out, "%-15s ", source[i]->key);
        reference_write(source[i], out);
        text_char(out, '\n');
    }
}

const format format_text = {
    .id = "text",
    .about = "plain text; equations in the language of models",
    .open_equations = write_title,
    .equations = write_equations,
    .transposition = transposition_text,
    .result = format_words,
    .sources = write_sources,
};
