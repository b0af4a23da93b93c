// The data of a report page: the run and the scene, as JSON (docs/page.md).
#ifndef HAMEL_API_PAGE_DATA_H
#define HAMEL_API_PAGE_DATA_H

#include "api/run_job.h"

// After run_job_run(), with `rows` kept. Where no row came about, run and scene are null.
void page_data_json(const run_job *j, json *out);

#endif
