// What the model says: its text, the values of its parameters, where it starts.
#include "report/sections.h"

#include "base/html.h"
#include "print/expression.h"

#include <string.h>

static void write_sources(const model *m, text *out) {
    text_append(out, "<pre class=\"source\">");
    write_highlighted(m->ctx, m->text, out);
    text_append(out, "</pre>\n");
    for (uint32_t i = 0; i < m->included_count; i++) {
        write_element("h3", m->included[i]->name, out);
        text_append(out, "\n<pre class=\"source\">");
        write_highlighted(m->ctx, m->included[i], out);
        text_append(out, "</pre>\n");
    }
}

// As it was typed: 9.81, not 981/100; 1e-4 as 1 . 10^-4.
static void write_decimal(const char *typed, text *out) {
    text latex = {0};
    const size_t mantissa = strcspn(typed, "eE");
    text_append_n(&latex, typed, mantissa);
    if (typed[mantissa]) text_format(&latex, " \\cdot 10^{%s}", typed + mantissa + 1);
    write_math(text_string(&latex), out);
    text_free(&latex);
}

static void write_value(const model *m, expr value, const char *decimal, text *out) {
    if (value == EXPR_NONE) text_append(out, "symbolic: it has no value");
    else if (decimal) write_decimal(decimal, out);
    else write_expression_math(m, value, out);
}

static void write_parameters(const model *m, text *out) {
    if (!m->parameters_count) return;
    text_append(out, "<table "
                     "class=\"parameters\"><caption>Parameters</caption><thead><tr><th>name</"
                     "th><th>value</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < m->parameters_count; i++) {
        text_append(out, "<tr><th scope=\"row\">");
        write_name_math(expr_symbol_name(m->pool, m->parameters[i].symbol), 0, out);
        text_append(out, "</th><td>");
        write_value(m, m->parameters[i].value, m->parameters[i].decimal, out);
        text_append(out, "</td></tr>\n");
    }
    text_append(out, "</tbody></table>\n");
}

static void write_initial(const model *m, text *out) {
    if (!m->initial_count) return;
    text_append(out, "<table class=\"initial\"><caption>Initial "
                     "state</caption><thead><tr><th>name</th><th>value</th></tr></thead><tbody>\n");
    for (uint32_t i = 0; i < m->initial_count; i++) {
        text_append(out, "<tr><th scope=\"row\">");
        write_expression_math(m, m->initial[i].symbol, out);
        text_append(out, "</th><td>");
        write_value(m, m->initial[i].value, m->initial[i].decimal, out);
        text_append(out, "</td></tr>\n");
    }
    text_append(out, "</tbody></table>\n");
}

void section_model(const report *r, text *out) {
    const model *m = r->known.m;
    text_append(out, "<section id=\"model\"><h2>Model</h2>\n");
    write_sources(m, out);
    text_append(out, "<div class=\"values\">");
    write_parameters(m, out);
    write_initial(m, out);
    text_append(out, "</div></section>\n");
}
