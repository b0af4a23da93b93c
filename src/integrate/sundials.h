// What cvode.c and ida.c share of SUNDIALS: what a solver's flag means for the run, a dense matrix,
// and silence. Each of the two has a table of its own flags, ending in flag 0.
#ifndef HAMEL_INTEGRATE_SUNDIALS_H
#define HAMEL_INTEGRATE_SUNDIALS_H

#include "integrate/integration.h"

#include <sunmatrix/sunmatrix_dense.h>

enum { SUNDIALS_RECOVERABLE = 1 }; // what a callback returns where a smaller step may help

typedef enum {
    SOLVER_NOT_FINITE, // the functions have no finite value, and no smaller step helps
    SOLVER_UNDERFLOW,  // the step became too small
    SOLVER_TOO_FINE,   // the tolerance is below what double precision has
    SOLVER_SINGULAR,   // the linear systems of the method could not be solved
} solver_trouble;

typedef struct {
    int flag;
    solver_trouble means;
} solver_flag;

// `otherwise`: the failure where the table does not have the flag
run_status sundials_status(integration *in, int flag, const solver_flag *table,
                           const char *otherwise);
// n x n numbers, row by row
void sundials_set_matrix(SUNMatrix out, uint32_t n, const double *entry);
// Handles errors by saying nothing: the library prints nothing.
void sundials_be_silent(int code, const char *module, const char *function, char *message,
                        void *data);

#endif
