// What one formalism gives, as a textbook shows it: its name and formula, the equations, its
// quantities. section_equations.c writes a panel for each form, and the tabs of the page show one
// at a time.
#ifndef HAMEL_REPORT_FORM_PANEL_H
#define HAMEL_REPORT_FORM_PANEL_H

#include "report/sections.h"

void write_form_panel(const report_form *f, text *out);

#endif
