// The page of a report: its sections, one file each, and the elements they are made of. page.c
// calls the sections in the order of the page; the elements (page_elements.c) write equations and
// buttons alike everywhere, and escape the text of models.
#ifndef HAMEL_REPORT_PAGE_H
#define HAMEL_REPORT_PAGE_H

#include "report/report.h"

void section_motion(const report *r, text *out);
// What happened between the pieces of a run: rows of its summary, a table, data for the script
void section_changes_summary(const model *m, const run_changes *c,
                             void (*row)(const char *label, const char *value, text *out),
                             text *out);
void section_changes(const model *m, const run_changes *c, text *out);
void section_changes_data(const model *m, double start, const run_changes *c, json *out);
// The steady motion in words and tables, and what the script draws of it
void section_steady(const report *r, text *out);
void section_steady_data(const report_steady *steady, json *out);
void section_model(const report *r, text *out);
void section_classification(const report *r, text *out);
void section_equations(const report *r, text *out);
void section_proofs(const report *r, text *out);

// <tag class="..">words</tag>; `tag` may carry attributes.
void page_write_element(const char *tag, const char *words, text *out);
// A displayed equation with a button that copies its LaTeX.
void page_write_equation(const char *latex, text *out);
// A button that copies several lines of LaTeX.
void page_write_copy_button(const char *label, const char *latex, text *out);
// In which modes of its contacts a model was read, where it has some
void page_write_modes(const model *m, text *out);
void page_write_math(const char *latex, text *out); // within a line

#endif
