// Expressions at the rows of a run: in q, q', t and the multipliers, which every row holds, and in
// what follows from them. They are compiled into one program when they are made, and then asked for
// row by row.
#ifndef HAMEL_REPORT_ROW_VALUES_H
#define HAMEL_REPORT_ROW_VALUES_H

#include "report/finished_run.h"

typedef struct row_values row_values;

// Accelerations and rates of multipliers are those of the equations that ran. What has no value is
// NaN.
row_values *row_values_create(const finished_run *r, uint32_t count, const expr *e);
void row_values_at(row_values *v, uint64_t row, double *out);
void row_values_free(row_values *v);

#endif
