// What a run says about itself, in run_job.summary. It is noted before the run begins and when it
// has ended, by run_job_run(), and written from there, as `simulate` prints it.
#ifndef HAMEL_API_RUN_SUMMARY_H
#define HAMEL_API_RUN_SUMMARY_H

#include "api/run_job.h"

void run_summary_begin(run_job *j, bool verify);
void run_summary_finish(run_job *j);
void run_summary_write(const run_job *j, const struct format *as, text *out);

#endif
