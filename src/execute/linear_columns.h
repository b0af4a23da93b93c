// Variational equations taken apart: Z' = A Z + b with A = df/dz and b = df/dv, for many columns Z.
//
// All columns have A in common, and no column needs another. So what has to be known as code is
// only z' = f and the entries of A and b along it (`core`); the products with the columns are the
// same loops for every system, four columns at once (column_series.h). linear_columns_create()
// makes the core; column_field() (column_field.h) makes a field of it that computes rates and
// Taylor coefficients of z with all its columns.
#ifndef HAMEL_EXECUTE_LINEAR_COLUMNS_H
#define HAMEL_EXECUTE_LINEAR_COLUMNS_H

#include "execute/simulation.h"

// A[row][of], or b[row] of column `of`: the rate of number `source` of the core
typedef struct {
    uint32_t row, of, source;
    bool fixed; // it does not change along the motion
} linear_entry;

typedef struct linear_columns {
    uint32_t size, columns;
    // z, and behind it numbers whose rates are the entries: their Taylor coefficients k + 1 are
    // those of the entries at k, over k + 1
    simulation *core;
    uint32_t entries;
    linear_entry *entry; // of A, by `of`
    uint32_t owns;
    linear_entry *own; // of b
    bool *moves;       // by column: false where it stays as it is
} linear_columns;

// Of a system with the rates f of z (parameters that follow from others replaced). `column`: what
// stands for the components of the columns, one column after another, EXPR_ZERO where one is 0 for
// ever; `by`: their parameters, or EXPR_NONE.
linear_columns *linear_columns_create(const simulation *of, const expr *f, uint32_t columns,
                                      const expr *column, const expr *by);
void linear_columns_free(linear_columns *w);

// What Taylor coefficients of these rates cost, in products of series
double linear_columns_work_of_tape(const tape *t);
double linear_columns_work(const linear_columns *w);

#endif
