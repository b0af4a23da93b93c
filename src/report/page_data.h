// The data that a page carries: the run, the scene and steady motions, as JSON (docs/page.md).
// page.c puts it into the page where the script finds it, and `report --json` prints it alone.
// Numbers are thinned out
// until they fit the budget.
#ifndef HAMEL_REPORT_PAGE_DATA_H
#define HAMEL_REPORT_PAGE_DATA_H

#include "print/json.h"
#include "report/report.h"

enum { PAGE_DATA_BUDGET = 2000000 }; // characters of numbers that a page has room for at most

// Without a run, the first two are null.
void page_data_json(const report *r, size_t budget, json *out);

#endif
