// The equations of motion, one tab a formalism with its formula, equations, ingredients and
// transpositional relations; those that do not apply below, with the reason.
#include "report/page.h"

#include "base/html.h"

#include <string.h>

enum {
    // more named subexpressions than this are for a machine: they are listed in plain letters
    TYPESET_NAMES = 24,
    LONGEST_COPY = 8000 // letters of LaTeX that a page carries for one form as a whole
};

static derivation derivation_of(const report_form *f) {
    return (derivation){.form = f->form, .shown = &f->shown};
}

// --- named subexpressions ------------------------------------------------------------------------

static void write_name_list(const report_form *f, text *out) {
    const presentation *s = &f->shown;
    text_append(out, "<pre class=\"names\">");
    for (uint32_t i = 0; i < s->name_count; i++) {
        text line = {0};
        text_format(&line, "%s = ", s->names[i]);
        printer_print(s->printer, s->name_of[i], STYLE_TEXT, &line);
        text_char(&line, '\n');
        html_text(text_string(&line), out);
        text_free(&line);
    }
    text_append(out, "</pre>");
}

static void write_names(const report_form *f, text *out) {
    const derivation d = derivation_of(f);
    const uint32_t count = f->shown.name_count;
    if (!count) return;
    text_format(out, "<details class=\"names\"%s><summary>Named subexpressions: %u</summary>\n",
                count <= TYPESET_NAMES ? " open" : "", count);
    for (uint32_t i = 0; i < count && count <= TYPESET_NAMES; i++) {
        text latex = {0};
        derivation_latex_name(&d, i, " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
    if (count > TYPESET_NAMES) write_name_list(f, out);
    text_append(out, "</details>\n");
}

// --- equations -----------------------------------------------------------------------------------

static void write_lines(const report_form *f, line_kind kind, const char *title, text *out) {
    const derivation d = derivation_of(f);
    bool any = false;
    for (uint32_t i = 0; i < f->shown.lines_count; i++) {
        if (f->shown.lines[i].kind != kind) continue;
        if (!any) page_write_element("h4", title, out);
        any = true;
        text latex = {0};
        derivation_latex_line(&d, i, " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
}

// An entry of W, E(L) or A, which are shown as matrices?
static bool is_entry(const report_form *f, const definition *d) {
    return f->has_transposition && transposition_has_matrices(&f->transposed) &&
           strchr("WEA", d->name[0]) && d->name[1] == '[' && strchr(d->name, ',');
}

static void write_ingredients(const report_form *f, text *out) {
    const derivation d = derivation_of(f);
    bool any = false;
    for (uint32_t i = 0; i < f->shown.definitions_count; i++) {
        if (is_entry(f, &f->shown.definitions[i])) continue;
        if (!any) page_write_element("h4", "With", out);
        any = true;
        text latex = {0};
        derivation_latex_definition(&d, i, " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
    text missing = {0};
    if (derivation_left_out(&d, &missing))
        page_write_element("p class=\"note\"", text_string(&missing), out);
    text_free(&missing);
}

// --- transpositional relations -------------------------------------------------------------------

static void write_relations(const transposition *t, const expr *value, const char *title,
                            text *out) {
    page_write_element("h5", title, out);
    for (uint32_t i = 0; i < t->eq->system->n; i++) {
        text latex = {0};
        transposition_latex_relation(t, i, value[i], " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
}

static void write_transposition(const transposition *t, text *out) {
    if (transposition_has_matrices(t)) page_write_element("h4", "Matrices", out);
    for (uint32_t i = 0; i < TRANSPOSITION_MATRICES && transposition_has_matrices(t); i++) {
        text latex = {0};
        transposition_latex_matrix(t, i, &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
    page_write_element("h4", "Transpositional relations", out);
    write_relations(t, t->unreduced, "Free variations", out);
    write_relations(t, t->reduced, "Independent variations, on the constraints", out);
}

static void write_long_transposition(const report_form *f, text *out) {
    const model *m = f->eq->system->model;
    text_append(out, "<p class=\"note\">The transpositional relations are too long for a page: ");
    page_write_element(
        "code", arena_format(&m->ctx->arena, "hamel transpose %s --form %s", m->name, f->form->id),
        out);
    text_append(out, "</p>\n");
}

// --- the panel of one form -----------------------------------------------------------------------

static void write_whole_copy(const report_form *f, text *out) {
    const model *m = f->eq->system->model;
    const derivation d = derivation_of(f);
    text latex = {0};
    derivation_latex(&d, &latex);
    if (f->has_transposition) transposition_latex(&f->transposed, &latex);
    text_append(out, "<p class=\"whole\">");
    if (latex.length <= LONGEST_COPY) {
        page_write_copy_button("LaTeX of all of this form", text_string(&latex), out);
    } else {
        text_append(out, "All of this form in LaTeX: ");
        page_write_element("code",
                           arena_format(&m->ctx->arena, "hamel derive %s --form %s --format latex",
                                        m->name, f->form->id),
                           out);
    }
    text_append(out, "</p>\n");
    text_free(&latex);
}

static void write_form_panel(const report_form *f, text *out) {
    text_format(out,
                "<div role=\"tabpanel\" class=\"form\" id=\"form-%s\" aria-labelledby=\"tab-%s\" "
                "tabindex=\"0\">\n",
                f->form->id, f->form->id);
    page_write_element("h3", f->form->name, out);
    page_write_element("p class=\"paper\"", f->form->paper, out);
    page_write_element("p class=\"use\"", f->form->use, out);
    text_append(out, "<div class=\"formula\">");
    page_write_equation(f->form->latex, out);
    text_append(out, "</div>\n");
    if (f->eq->remark) page_write_element("p class=\"remark\"", f->eq->remark, out);
    write_names(f, out);
    write_lines(f, LINE_MOTION, "Equations of motion", out);
    write_lines(f, LINE_VELOCITY, "Velocities", out);
    write_lines(f, LINE_CONSTRAINT, "Constraints", out);
    write_ingredients(f, out);
    if (f->has_transposition) write_transposition(&f->transposed, out);
    if (f->transposition_is_long) write_long_transposition(f, out);
    write_whole_copy(f, out);
    text_append(out, "</div>\n");
}

// --- the section ---------------------------------------------------------------------------------

// The form whose tab is open at first.
static const formalism *first_shown(const report *r) {
    const formalism *first = NULL;
    for (uint32_t i = 0; i < r->forms_count; i++) {
        if (r->forms[i].refusal) continue;
        if (r->forms[i].form == r->usual) return r->usual;
        if (!first) first = r->forms[i].form;
    }
    return first;
}

static void write_tabs(const report *r, text *out) {
    const formalism *open = first_shown(r);
    text_append(out, "<div role=\"tablist\" aria-label=\"Formalisms\">\n");
    for (uint32_t i = 0; i < r->forms_count; i++) {
        const formalism *f = r->forms[i].form;
        if (r->forms[i].refusal) continue;
        text_format(out,
                    "<button type=\"button\" role=\"tab\" id=\"tab-%s\" aria-controls=\"form-%s\" "
                    "aria-selected=\"%s\">",
                    f->id, f->id, f == open ? "true" : "false");
        html_text(f->name, out);
        text_append(out, "</button>\n");
    }
    text_append(out, "</div>\n");
}

static void write_refusals(const report *r, text *out) {
    bool any = false;
    for (uint32_t i = 0; i < r->forms_count; i++) {
        if (!r->forms[i].refusal) continue;
        if (!any) text_append(out, "<h3>Forms that do not apply</h3>\n<dl class=\"refusals\">\n");
        any = true;
        page_write_element("dt", r->forms[i].form->name, out);
        page_write_element("dd", r->forms[i].refusal, out);
        text_char(out, '\n');
    }
    if (any) text_append(out, "</dl>\n");
}

// What the letters of the formulas mean (docs/mathematics.md, section 1).
static void write_notation(text *out) {
    text_append(out, "<p class=\"notation\">In the formulas ");
    page_write_math("N_{i} = E_{i}(L) - Q_{i}", out);
    text_append(out, " with ");
    page_write_math("E_{i}(f) = \\tfrac{d}{dt} \\frac{\\partial f}{\\partial \\dot{q}_{i}} - "
                    "\\frac{\\partial f}{\\partial q_{i}}",
                    out);
    text_append(out, "; ");
    page_write_math("\\Phi_{\\nu} = 0", out);
    text_append(out, " are the constraints, ");
    page_write_math("\\lambda_{\\nu}", out);
    text_append(out, " their multipliers, ");
    page_write_math("\\eta_{s}", out);
    text_append(out, " the quasi-velocities, or the independent velocities where there are none. "
                     "An asterisk marks what is written with the independent velocities, a tilde "
                     "what is written with the quasi-velocities.</p>\n");
}

void section_equations(const report *r, text *out) {
    text_append(out, "<section id=\"equations\"><h2>Equations of motion</h2>\n");
    write_notation(out);
    text_append(out, "<div class=\"tabs\">");
    write_tabs(r, out);
    for (uint32_t i = 0; i < r->forms_count; i++)
        if (!r->forms[i].refusal) write_form_panel(&r->forms[i], out);
    text_append(out, "</div>\n");
    write_refusals(r, out);
    text_append(out, "</section>\n");
}
