// Pieces that the sections of the page are made of.
#include "report/sections.h"

#include "base/html.h"
#include "print/expression.h"
#include "print/mathml.h"

#include <string.h>

void write_element(const char *tag, const char *words, text *out) {
    text_format(out, "<%s>", tag);
    html_text(words, out);
    text_append(out, "</");
    text_append_n(out, tag, strcspn(tag, " "));
    text_append(out, ">");
}

void write_copy_button(const char *label, const char *latex, text *out) {
    text_append(out, "<button class=\"copy\" type=\"button\" data-latex=\"");
    html_text(latex, out);
    text_format(out, "\">%s</button>", label);
}

enum { LONGEST_TYPESET = 10000 }; // letters of LaTeX: some thirty lines of a page

void write_equation(const char *latex, text *out) {
    const size_t length = strlen(latex);
    if (length > LONGEST_TYPESET) {
        text_format(
            out,
            "<p class=\"note\">An equation of %zu letters of LaTeX: too long to be read.</p>\n",
            length);
        return;
    }
    text_append(out, "<div class=\"equation\">");
    mathml_block(latex, out);
    write_copy_button("LaTeX", latex, out);
    text_append(out, "</div>\n");
}

void write_math(const char *latex, text *out) { mathml_inline(latex, out); }

void write_expression_math(const model *m, expr e, text *out) {
    text latex = {0};
    print_expression(m->pool, e, STYLE_LATEX, &latex);
    write_math(text_string(&latex), out);
    text_free(&latex);
}

void write_name_math(const char *name, uint32_t primes, text *out) {
    text latex = {0};
    print_name(name, primes, STYLE_LATEX, &latex);
    write_math(text_string(&latex), out);
    text_free(&latex);
}
