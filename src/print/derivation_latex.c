// Equations as LaTeX (amsmath), and as markdown with LaTeX inside.
#include "print/derivation_internal.h"

void derivation_latex_line(const derivation *d, uint32_t i, const char *equals, text *out) {
    const line *l = &d->shown->lines[i];
    write_expression(d, with_plain_multiplier(d, l->left), STYLE_LATEX, out);
    text_append(out, equals);
    write_expression(d, with_plain_multiplier(d, l->right), STYLE_LATEX, out);
}

void derivation_latex_name(const derivation *d, uint32_t i, const char *equals, text *out) {
    print_name(d->shown->names[i], 0, STYLE_LATEX, out);
    text_append(out, equals);
    write_expression(d, d->shown->name_of[i], STYLE_LATEX, out);
}

void derivation_latex_definition(const derivation *d, uint32_t i, const char *equals, text *out) {
    text_append(out, d->shown->definitions[i].latex);
    text_append(out, equals);
    write_expression(d, d->shown->definitions[i].value, STYLE_LATEX, out);
}

static void write_aligned(const derivation *d, line_kind kind, text *out) {
    bool any = false;
    for (uint32_t i = 0; i < d->shown->lines_count; i++) {
        const line *l = &d->shown->lines[i];
        if (l->kind != kind) continue;
        text_append(out, any ? " \\\\\n" : "");
        derivation_latex_line(d, i, " &= ", out);
        any = true;
    }
    text_append(out, any ? "\n" : "");
}

static void write_names(const derivation *d, text *out) {
    const presentation *s = d->shown;
    for (uint32_t i = 0; i < s->name_count; i++) {
        text_append(out, i ? " \\\\\n" : "");
        derivation_latex_name(d, i, " &= ", out);
    }
    text_append(out, s->name_count ? "\n" : "");
}

static void write_definitions(const derivation *d, text *out) {
    for (uint32_t i = 0; i < d->shown->definitions_count; i++) {
        text_append(out, i ? " \\\\\n" : "");
        derivation_latex_definition(d, i, " &= ", out);
    }
    text_append(out, "\n");
}

static bool has_kind(const derivation *d, line_kind kind) {
    for (uint32_t i = 0; i < d->shown->lines_count; i++)
        if (d->shown->lines[i].kind == kind) return true;
    return false;
}

static const struct {
    line_kind kind;
    const char *title;
} sections[] = {{LINE_MOTION, "equations of motion"},
                {LINE_VELOCITY, "velocities"},
                {LINE_CONSTRAINT, "constraints"}};
enum { SECTIONS = sizeof sections / sizeof *sections };

void print_derivation_latex(const derivation *d, text *out) {
    text_format(out, "%% %s: %s (%s)\n", d->form->id, d->form->name, d->form->paper);
    if (d->refusal) {
        text_format(out, "%% does not apply: %s\n", d->refusal);
        return;
    }
    if (d->shown->name_count) {
        text_append(out, "% named common subexpressions\n\\begin{align*}\n");
        write_names(d, out);
        text_append(out, "\\end{align*}\n");
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        if (!has_kind(d, sections[i].kind)) continue;
        text_format(out, "%% %s\n\\begin{align*}\n", sections[i].title);
        write_aligned(d, sections[i].kind, out);
        text_append(out, "\\end{align*}\n");
    }
    if (d->shown->definitions_count) {
        text_append(out, "% with\n\\begin{align*}\n");
        write_definitions(d, out);
        text_append(out, "\\end{align*}\n");
    }
    text missing = {0};
    if (derivation_left_out(d, &missing)) text_format(out, "%% %s\n", text_string(&missing));
    text_free(&missing);
    if (d->shown->eq->remark) text_format(out, "%% %s\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "%% %s\n", d->stats);
}

void print_derivation_markdown(const derivation *d, text *out) {
    text_format(out, "## %s\n\n%s, `%s`: `%s`\n\n", d->form->name, d->form->paper, d->form->id,
                d->form->formula);
    if (d->refusal) {
        text_format(out, "Does not apply: %s.\n\n", d->refusal);
        return;
    }
    if (d->shown->name_count) {
        text_append(out, "**named common subexpressions**\n\n$$\n\\begin{aligned}\n");
        write_names(d, out);
        text_append(out, "\\end{aligned}\n$$\n\n");
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        if (!has_kind(d, sections[i].kind)) continue;
        text_format(out, "**%s**\n\n$$\n\\begin{aligned}\n", sections[i].title);
        write_aligned(d, sections[i].kind, out);
        text_append(out, "\\end{aligned}\n$$\n\n");
    }
    if (d->shown->definitions_count) {
        text_append(out, "**with**\n\n$$\n\\begin{aligned}\n");
        write_definitions(d, out);
        text_append(out, "\\end{aligned}\n$$\n\n");
    }
    if (derivation_left_out(d, out)) text_append(out, "\n\n");
    if (d->shown->eq->remark) text_format(out, "%s\n\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "%s\n\n", d->stats);
}
