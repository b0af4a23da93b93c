// The sections of the page, one file each, and what they share. page.c calls them in the order of
// the page; the pieces below write elements, equations and buttons alike everywhere, with the text
// of models escaped.
#ifndef HAMEL_REPORT_SECTIONS_H
#define HAMEL_REPORT_SECTIONS_H

#include "report/report.h"

void section_motion(const report *r, text *out);
void section_model(const report *r, text *out);
void section_classification(const report *r, text *out);
void section_equations(const report *r, text *out);
void section_proofs(const report *r, text *out);

// The text of a model with its words told apart by spans (highlight.c).
void write_highlighted(context *ctx, const source *text_of_model, text *out);

// --- pieces (pieces.c)

// <tag class="..">words</tag>; `tag` may carry attributes.
void write_element(const char *tag, const char *words, text *out);
// A displayed equation with a button that copies its LaTeX.
void write_equation(const char *latex, text *out);
// Several lines of LaTeX on a button of their own.
void write_copy_button(const char *label, const char *latex, text *out);
void write_math(const char *latex, text *out); // within a line
void write_expression_math(const model *m, expr e, text *out);
void write_name_math(const char *name, uint32_t primes, text *out);

#endif
