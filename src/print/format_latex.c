// The formats latex (amsmath) and markdown, which is LaTeX in other frames.
#include "model/contact_modes.h"
#include "print/format.h"

#include <string.h>

void derivation_latex_line(const derivation *d, uint32_t i, const char *equals, text *out) {
    const line *l = &d->shown->lines[i];
    derivation_write_plain(d, l->left, STYLE_LATEX, out);
    text_append(out, equals);
    derivation_write_plain(d, l->right, STYLE_LATEX, out);
}

void derivation_latex_name(const derivation *d, uint32_t i, const char *equals, text *out) {
    print_name(d->shown->names[i], 0, STYLE_LATEX, out);
    text_append(out, equals);
    derivation_write(d, d->shown->name_of[i], STYLE_LATEX, out);
}

void derivation_latex_definition(const derivation *d, uint32_t i, const char *equals, text *out) {
    text_append(out, d->shown->definitions[i].latex);
    text_append(out, equals);
    derivation_write(d, d->shown->definitions[i].value, STYLE_LATEX, out);
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

// What stands around a list of aligned equations: before its title, behind it, at the end.
typedef struct {
    const char *before, *behind, *end;
} frame;

static void write_blocks(const derivation *d, const frame *f, text *out) {
    if (d->shown->name_count) {
        text_format(out, "%s%s%s", f->before, "named common subexpressions", f->behind);
        write_names(d, out);
        text_append(out, f->end);
    }
    for (size_t i = 0; i < SECTIONS; i++) {
        if (!has_kind(d, sections[i].kind)) continue;
        text_format(out, "%s%s%s", f->before, sections[i].title, f->behind);
        write_aligned(d, sections[i].kind, out);
        text_append(out, f->end);
    }
    if (d->shown->definitions_count) {
        text_format(out, "%s%s%s", f->before, "with", f->behind);
        write_definitions(d, out);
        text_append(out, f->end);
    }
}

// --- latex ---------------------------------------------------------------------------------------

// "Maggi's equations~\cite{maggi1896,maggi1901,M}"
static void write_citation(const formalism *f, text *out) {
    text_append(out, f->name);
    const char *before = "~\\cite{";
    for (uint32_t i = 0; i < reference_count(); i++) {
        if (!reference_is_named(reference_at(i), f->paper)) continue;
        text_format(out, "%s%s", before, reference_at(i)->key);
        before = ",";
    }
    text_append(out, *before == ',' ? "}:\n" : ":\n");
}

void derivation_latex(const derivation *d, text *out) {
    static const frame align = {"% ", "\n\\begin{align*}\n", "\\end{align*}\n"};
    text_format(out, "%% %s (%s), after %s\n", d->form->name, d->form->id, d->form->paper);
    if (d->cites) write_citation(d->form, out);
    if (d->refusal) {
        text_format(out, "%% does not apply: %s\n", d->refusal);
        return;
    }
    write_blocks(d, &align, out);
    text missing = {0};
    if (derivation_left_out(d, &missing)) text_format(out, "%% %s\n", text_string(&missing));
    text_free(&missing);
    if (d->shown->eq->remark) text_format(out, "%% %s\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "%% %s\n", d->stats);
}

static void open_latex(const model *m, json *out) {
    text_format(out->out, "%% %s\n", m->title ? m->title : m->name);
    model_modes_write(m, "% ", "\n", out->out);
}

static void write_latex(const derivation *d, uint32_t place, json *out) {
    (void)place;
    derivation_latex(d, out->out);
}

static void matrices_latex(const sheet *s, text *out) {
    for (uint32_t i = 0; i < s->comments; i++) text_format(out, "%% %s\n", s->comment[i]);
    model_modes_write(s->m, "% ", "\n", out);
    for (uint32_t k = 0; k < s->count; k++) {
        const sheet_matrix *a = &s->matrix[k];
        if (!a->rows || !a->columns) continue;
        text_append(out, "\\[\n");
        print_name(a->name, 0, STYLE_LATEX, out);
        text_append(out, " = \\begin{pmatrix}\n");
        for (uint32_t i = 0; i < a->rows; i++)
            for (uint32_t j = 0; j < a->columns; j++) {
                sheet_write_entry(s, a, i, j, STYLE_LATEX, out);
                text_append(out, j + 1 < a->columns ? " & " : " \\\\\n");
            }
        text_append(out, "\\end{pmatrix}\n\\]\n");
    }
}

const format format_latex = {
    .id = "latex",
    .about = "LaTeX with amsmath, to be put into a document",
    .open_equations = open_latex,
    .equations = write_latex,
    .transposition = transposition_latex,
    .matrices = matrices_latex,
};

// --- markdown ------------------------------------------------------------------------------------

// Text that is no markup: a backslash before every sign that could be some.
static void append_plain(const char *words, text *out) {
    for (; *words; words++) {
        if (strchr("\\`*_{}[]<>#|$&~^", *words)) text_char(out, '\\');
        text_char(out, *words);
    }
}

static void open_markdown(const model *m, json *out) {
    text_append(out->out, "# ");
    append_plain(m->title ? m->title : m->name, out->out);
    text_append(out->out, "\n\n");
    text modes = {0};
    model_modes_write(m, "", "\n\n", &modes);
    append_plain(text_string(&modes), out->out);
    text_free(&modes);
}

static void write_markdown(const derivation *d, uint32_t place, json *document) {
    static const frame aligned = {"**", "**\n\n$$\n\\begin{aligned}\n", "\\end{aligned}\n$$\n\n"};
    (void)place;
    text *out = document->out;
    text_format(out, "## %s\n\n%s, `%s`: `%s`\n\n", d->form->name, d->form->paper, d->form->id,
                d->form->formula);
    if (d->refusal) {
        text_format(out, "Does not apply: %s.\n\n", d->refusal);
        return;
    }
    write_blocks(d, &aligned, out);
    if (derivation_left_out(d, out)) text_append(out, "\n\n");
    if (d->shown->eq->remark) text_format(out, "%s\n\n", d->shown->eq->remark);
    if (d->stats) text_format(out, "%s\n\n", d->stats);
}

static void write_sources(uint32_t count, const reference *const *source, text *out) {
    for (uint32_t i = 0; i < count; i++) {
        text_format(out, "- **%s**: ", source[i]->key);
        reference_write(source[i], out);
        text_char(out, '\n');
    }
}

const format format_markdown = {
    .id = "markdown",
    .about = "markdown with LaTeX inside, as GitHub shows it",
    .open_equations = open_markdown,
    .equations = write_markdown,
    .sources = write_sources,
};
