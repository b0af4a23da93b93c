// The equations of motion, one tab a formalism with its formula, equations, ingredients and
// transpositional relations; those that do not apply below, with the reason.
#include "report/page.h"

#include "base/html.h"

#include <string.h>

enum {
    // more named subexpressions than this are for a machine: they are listed in plain letters
    TYPESET_NAMES = 24,
    // and a form that has more than this is not read as a whole: what needs more than TYPESET_NAMES
    // of them is left out
    READ_NAMES = 200,
    UNKNOWNS_TOLD = 8,  // of equations that are left out
    LONGEST_COPY = 8000 // letters of LaTeX that a page carries for one form as a whole
};

// --- what can be read ----------------------------------------------------------------------------

// One form on the page: which of its lines, definitions and names are shown.
typedef struct {
    const report_form *f;
    derivation d;
    const char *called; // the model, on a command line
    bool *line, *definition, *name;
    uint32_t names; // how many names are shown
} panel;

// Can this be read, with the names it needs? Their names are then shown too.
static bool choose(const panel *w, uint32_t count, const expr *e) {
    const presentation *s = &w->f->shown;
    bool *uses = memory_zeros(bool, s->name_count);
    const bool readable =
        s->name_count <= READ_NAMES || presentation_mark_names(s, count, e, uses) <= TYPESET_NAMES;
    for (uint32_t i = 0; i < s->name_count && readable; i++) w->name[i] |= uses[i];
    memory_free(uses);
    return readable;
}

static panel panel_create(const report_form *f, const char *called) {
    const presentation *s = &f->shown;
    panel w = {.f = f,
               .d = {.form = f->form, .shown = s},
               .called = called,
               .line = memory_zeros(bool, s->lines_count),
               .definition = memory_zeros(bool, s->definitions_count),
               .name = memory_zeros(bool, s->name_count)};
    for (uint32_t i = 0; i < s->lines_count; i++)
        w.line[i] = choose(&w, 2, (const expr[]){s->lines[i].left, s->lines[i].right});
    for (uint32_t i = 0; i < s->definitions_count; i++)
        w.definition[i] = choose(&w, 1, &s->definitions[i].value);
    for (uint32_t i = 0; i < s->name_count; i++) {
        w.name[i] |= s->name_count <= READ_NAMES;
        w.names += w.name[i];
    }
    return w;
}

static void panel_free(panel *w) {
    memory_free(w->line);
    memory_free(w->definition);
    memory_free(w->name);
}

static void write_command(const panel *w, const char *verb, const char *options, text *out) {
    page_write_element("code",
                       arena_format(&w->f->eq->system->model->ctx->arena, "hamel %s %s --form %s%s",
                                    verb, w->called, w->f->form->id, options),
                       out);
}

// --- named subexpressions ------------------------------------------------------------------------

static void write_name_list(const panel *w, text *out) {
    const presentation *s = &w->f->shown;
    text_append(out, "<pre class=\"names\">");
    for (uint32_t i = 0; i < s->name_count; i++) {
        if (!w->name[i]) continue;
        text line = {0};
        text_format(&line, "%s = ", s->names[i]);
        printer_print(s->printer, s->name_of[i], STYLE_TEXT, &line);
        text_char(&line, '\n');
        html_text(text_string(&line), out);
        text_free(&line);
    }
    text_append(out, "</pre>");
}

// Why something is left out below, and where it is to be had
static void write_length(const panel *w, text *out) {
    const uint32_t count = w->f->shown.name_count;
    if (count <= READ_NAMES) return;
    text_format(out,
                "<p class=\"note\">These equations have %u named subexpressions. What needs more "
                "than %d of them is left out here; all of it is printed by ",
                count, TYPESET_NAMES);
    write_command(w, "derive", "", out);
    text_append(out, "</p>\n");
}

static void write_names(const panel *w, text *out) {
    const uint32_t count = w->f->shown.name_count;
    if (!w->names) return;
    text_format(out, "<details class=\"names\"%s><summary>Named subexpressions: %u</summary>\n",
                count <= TYPESET_NAMES ? " open" : "", w->names);
    for (uint32_t i = 0; i < count && w->names <= TYPESET_NAMES; i++) {
        if (!w->name[i]) continue;
        text latex = {0};
        derivation_latex_name(&w->d, i, " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
    if (w->names > TYPESET_NAMES) write_name_list(w, out);
    text_append(out, "</details>\n");
}

// --- equations -----------------------------------------------------------------------------------

// "Left out: 3 of 4 equations; the unknowns are x'', y'' and 4 more"
static void write_missing_lines(const panel *w, line_kind kind, uint32_t missing, uint32_t count,
                                text *out) {
    const equations *eq = w->f->eq;
    text_format(out, "<p class=\"note\">Left out: %u of %u equation%s", missing, count,
                count == 1 ? "" : "s");
    for (uint32_t i = 0; i < eq->unknown_count && i < UNKNOWNS_TOLD && kind == LINE_MOTION; i++) {
        text latex = {0};
        printer_print(w->f->shown.printer, eq->unknown[i], STYLE_LATEX, &latex);
        text_append(out, i ? ", " : "; the unknowns are ");
        page_write_math(text_string(&latex), out);
        text_free(&latex);
    }
    if (kind == LINE_MOTION && eq->unknown_count > UNKNOWNS_TOLD)
        text_format(out, " and %u more", eq->unknown_count - UNKNOWNS_TOLD);
    text_append(out, "</p>\n");
}

static void write_lines(const panel *w, line_kind kind, const char *title, text *out) {
    const presentation *s = &w->f->shown;
    uint32_t count = 0, missing = 0;
    for (uint32_t i = 0; i < s->lines_count; i++) {
        if (s->lines[i].kind != kind) continue;
        if (!count++) page_write_element("h4", title, out);
        if (!w->line[i]) missing++;
        if (!w->line[i]) continue;
        text latex = {0};
        derivation_latex_line(&w->d, i, " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
    if (missing) write_missing_lines(w, kind, missing, count, out);
}

// An entry of W, E(L) or A, which are shown as matrices?
static bool is_entry(const report_form *f, const definition *d) {
    return f->has_transposition && transposition_has_matrices(&f->transposed) &&
           strchr("WEA", d->name[0]) && d->name[1] == '[' && strchr(d->name, ',');
}

// "Left out: H, p~[psi] and 12 more"
static void write_missing_ingredients(const panel *w, text *out) {
    const presentation *s = &w->f->shown;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < s->definitions_count; i++) {
        if (w->definition[i] || is_entry(w->f, &s->definitions[i])) continue;
        if (!missing) text_append(out, "<p class=\"note\">Left out: ");
        if (missing && missing < UNKNOWNS_TOLD) text_append(out, ", ");
        if (missing++ < UNKNOWNS_TOLD) html_text(s->definitions[i].name, out);
    }
    if (missing > UNKNOWNS_TOLD) text_format(out, " and %u more", missing - UNKNOWNS_TOLD);
    if (missing) text_append(out, "</p>\n");
}

static void write_ingredients(const panel *w, text *out) {
    const presentation *s = &w->f->shown;
    bool any = false;
    for (uint32_t i = 0; i < s->definitions_count; i++) {
        if (is_entry(w->f, &s->definitions[i])) continue;
        if (!any) page_write_element("h4", "With", out);
        any = true;
        if (!w->definition[i]) continue;
        text latex = {0};
        derivation_latex_definition(&w->d, i, " = ", &latex);
        page_write_equation(text_string(&latex), out);
        text_free(&latex);
    }
    write_missing_ingredients(w, out);
    text missing = {0};
    if (derivation_left_out(&w->d, &missing))
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

static void write_long_transposition(const panel *w, text *out) {
    text_append(out, "<p class=\"note\">The transpositional relations are too long for a page: ");
    write_command(w, "transpose", "", out);
    text_append(out, "</p>\n");
}

// --- the panel of one form -----------------------------------------------------------------------

static void write_whole_copy(const panel *w, text *out) {
    text latex = {0};
    const bool can_be_short = w->f->shown.name_count <= READ_NAMES;
    if (can_be_short) derivation_latex(&w->d, &latex);
    if (can_be_short && w->f->has_transposition) transposition_latex(&w->f->transposed, &latex);
    text_append(out, "<p class=\"whole\">");
    if (can_be_short && latex.length <= LONGEST_COPY) {
        page_write_copy_button("LaTeX of all of this form", text_string(&latex), out);
    } else {
        text_append(out, "All of this form in LaTeX: ");
        write_command(w, "derive", " --format latex", out);
    }
    text_append(out, "</p>\n");
    text_free(&latex);
}

static void write_form_panel(const report_form *f, const char *called, text *out) {
    panel w = panel_create(f, called);
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
    write_length(&w, out);
    write_names(&w, out);
    write_lines(&w, LINE_MOTION, "Equations of motion", out);
    write_lines(&w, LINE_VELOCITY, "Velocities", out);
    write_lines(&w, LINE_CONSTRAINT, "Constraints", out);
    write_ingredients(&w, out);
    if (f->has_transposition) write_transposition(&f->transposed, out);
    if (f->transposition_is_long) write_long_transposition(&w, out);
    write_whole_copy(&w, out);
    panel_free(&w);
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
    page_write_modes(r->known.m, out);
    write_notation(out);
    text_append(out, "<div class=\"tabs\">");
    write_tabs(r, out);
    for (uint32_t i = 0; i < r->forms_count; i++)
        if (!r->forms[i].refusal) write_form_panel(&r->forms[i], r->called, out);
    text_append(out, "</div>\n");
    write_refusals(r, out);
    text_append(out, "</section>\n");
}
