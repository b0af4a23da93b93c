// Rows of a run, and the drift of what should stay. The driver (run.c) says when: it begins the
// watch before the first row, writes rows at their times and watches at the end of every step; the
// largest deviations and their times are in the run's record. A row is made from (t, z), which in
// extended precision is kept elsewhere, and handed to the sink.
#ifndef HAMEL_SIMULATE_RUN_ROWS_H
#define HAMEL_SIMULATE_RUN_ROWS_H

#include "simulate/run.h"

// When row number n is due
double run_row_time(const run *r, uint64_t n);

// What should stay at the start, where r->state.z still is
void run_begin_watch(run *r);
// At the end of a step, whether there is a row or not: drift does not depend on the rows that are
// asked for, nor on how well a method interpolates between its steps.
void run_watch_drift(run *r, double t, const double *z);

// The row, in r->record.row; `number` is its number or ROW_WITHOUT_NUMBER. False where a value is
// not a finite number.
bool run_make_row(run *r, int64_t number, double t, const double *z);
// That row to the sink: RUN_DONE, or why not.
run_status run_hand_over_row(run *r);
// Both
run_status run_write_row(run *r, int64_t number, double t, const double *z);

#endif
