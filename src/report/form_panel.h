// What one formalism gives, as a textbook shows it.
#ifndef HAMEL_REPORT_FORM_PANEL_H
#define HAMEL_REPORT_FORM_PANEL_H

#include "report/sections.h"

void write_form_panel(const report_form *f, text *out);

#endif
