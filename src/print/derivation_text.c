// Equations as plain text, in the model language itself.
#include "print/derivation_internal.h"

#include <string.h>

expr with_plain_multiplier(const derivation *d, expr e) {
    const mechanics *s = d->shown->eq->system;
    if (s->k + s->h != 1 || d->shown->named) return e;
    // unless the model uses the name for something else
    for (uint32_t i = 0; i < pool_symbol_count(s->pool); i++) {
        const symbol *other = pool_symbol(s->pool, i);
        if (other->role != ROLE_MULTIPLIER && strcmp(other->name, "lambda") == 0) return e;
    }
    const expr plain = expr_symbol(s->pool, "lambda", ROLE_MULTIPLIER);
    const expr from[2] = {s->multiplier[0], expr_symbol_derivative(s->pool, s->multiplier[0])};
    const expr to[2] = {plain, expr_symbol_derivative(s->pool, plain)};
    return expr_replace(s->pool, e, 2, from, to);
}

static void write_line(const derivation *d, const line *l, text *out) {
    text_append(out, "  ");
    write_expression(d, with_plain_multiplier(d, l->left), STYLE_TEXT, out);
    text_append(out, " = ");
    write_expression(d, with_plain_multiplier(d, l->right), STYLE_TEXT, out);
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
        write_expression(d, s->name_of[i], STYLE_TEXT, out);
        text_char(out, '\n');
    }
}

void print_derivation_text(const derivation *d, text *out) {
    text_format(out, "%s: %s (%s)\n  %s\n", d->form->id, d->form->name, d->form->paper,
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
        write_expression(d, f->value, STYLE_TEXT, out);
        text_char(out, '\n');
    }
    if (derivation_left_out(d, out)) text_char(out, '\n');
    if (d->shown->eq->remark) text_format(out, "%s\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "%s\n", d->stats);
}
