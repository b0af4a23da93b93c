// The equations of motion, one tab a formalism; those that do not apply below, with the reason.
#include "report/sections.h"

#include "base/html.h"
#include "report/form_panel.h"

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
        write_element("dt", r->forms[i].form->name, out);
        write_element("dd", r->forms[i].refusal, out);
        text_char(out, '\n');
    }
    if (any) text_append(out, "</dl>\n");
}

// What the letters of the formulas mean (docs/mathematics.md, section 1).
static void write_notation(text *out) {
    text_append(out, "<p class=\"notation\">In the formulas ");
    write_math("N_{i} = E_{i}(L) - Q_{i}", out);
    text_append(out, " with ");
    write_math("E_{i}(f) = \\tfrac{d}{dt} \\frac{\\partial f}{\\partial \\dot{q}_{i}} - "
               "\\frac{\\partial f}{\\partial q_{i}}",
               out);
    text_append(out, "; ");
    write_math("\\Phi_{\\nu} = 0", out);
    text_append(out, " are the constraints, ");
    write_math("\\lambda_{\\nu}", out);
    text_append(out, " their multipliers, ");
    write_math("\\eta_{s}", out);
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
