// Elements that the sections of the page are made of.
#include "report/page.h"

#include "base/html.h"
#include "print/mathml.h"

#include <string.h>

void page_write_element(const char *tag, const char *words, text *out) {
    text_format(out, "<%s>", tag);
    html_text(words, out);
    text_append(out, "</");
    text_append_n(out, tag, strcspn(tag, " "));
    text_append(out, ">");
}

void page_write_copy_button(const char *label, const char *latex, text *out) {
    text_append(out, "<button class=\"copy\" type=\"button\" data-latex=\"");
    html_text(latex, out);
    text_format(out, "\">%s</button>", label);
}

enum { LONGEST_TYPESET = 10000 }; // letters of LaTeX: some thirty lines of a page

void page_write_equation(const char *latex, text *out) {
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
    page_write_copy_button("LaTeX", latex, out);
    text_append(out, "</div>\n");
}

void page_write_math(const char *latex, text *out) { mathml_inline(latex, out); }

void page_write_modes(const model *m, text *out) {
    text words = {0};
    model_modes_write(m, "", ". ", &words);
    if (words.length) page_write_element("p class=\"note modes\"", text_string(&words), out);
    text_free(&words);
}
