// The "run" of a page: its columns, how well it kept what it should keep, its events
// (docs/page.md). page_data.c calls it; values are rounded and rows left out until they fit the
// budget.
#ifndef HAMEL_REPORT_RUN_DATA_H
#define HAMEL_REPORT_RUN_DATA_H

#include "print/json.h"
#include "report/finished_run.h"

// `budget`: characters for the values of all columns together
void run_data_json(const finished_run *r, size_t budget, const char *key, json *out);

#endif
