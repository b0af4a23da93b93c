// The data that a page carries: the run and the scene, as JSON (docs/page.md).
#ifndef HAMEL_REPORT_PAGE_DATA_H
#define HAMEL_REPORT_PAGE_DATA_H

#include "print/json.h"
#include "report/finished_run.h"

void page_data_json(const model *m, const finished_run *r, json *out); // without a run, NULL, both are null

#endif
