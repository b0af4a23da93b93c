// The functions of a system for several threads at once. The code is made once and not changed
// again; each thread runs it with a work area of its own, which holds values for the parameters and
// the memory that running takes. What makes a work area or gives it other parameters takes memory.
#ifndef HAMEL_EXECUTE_SHARED_CODE_H
#define HAMEL_EXECUTE_SHARED_CODE_H

#include "execute/simulation.h"

typedef enum {
    SHARED_RATE,
    SHARED_JACOBIAN,
    SHARED_COLUMNS,
    SHARED_SERIES,
    SHARED_KINDS
} shared_kind;
enum { SHARED_MOST_ORDER = 30 }; // of Taylor coefficients

typedef struct shared_code shared_code;
typedef struct shared_work shared_work;

// What is asked for of the kinds, as bits. Compiled, or where that fails interpreted, and `error`
// says why; `compile` false: interpreted. The simulation stays the caller's, and as it is.
shared_code *shared_code_create(simulation *sim, uint32_t kinds, bool compile, const char **error);
void shared_code_free(shared_code *code);

shared_work *shared_work_create(const shared_code *code);
void shared_work_free(shared_work *w);
// Of the parameters that the simulation states
const double *shared_work_parameters(const shared_work *w);
void shared_work_set(shared_work *w, const double *parameter);
// Where functions from data are in the system, shared_work_enter() comes before anything is
// evaluated at t; false: t is outside of the data. It takes memory of FLINT for a while; where that
// runs out the work area is to forget where it is.
bool shared_work_has_data(const shared_work *w);
bool shared_work_enter(shared_work *w, double t);
void shared_work_forget(shared_work *w);

// False where a number is not finite. Series: coefficients 0 .. order, order <= SHARED_MOST_ORDER;
// compiled ones may take memory for a while, and are asked for within a call.
bool shared_work_run(shared_work *w, shared_kind kind, double t, const double *z, double *out);
bool shared_work_series(shared_work *w, double t, const double *z, uint32_t order, double *out);

#endif
