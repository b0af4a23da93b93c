// What is compiled together: routines that are emitted into one C text, compiled or taken from the
// cache, and found in the loaded code. Add routines to a bundle, load it, call them; what compiling
// costs and saves is counted in the bundle, for its owner to decide when to load it.
#ifndef HAMEL_EXECUTE_BUNDLE_H
#define HAMEL_EXECUTE_BUNDLE_H

#include "codegen/emit.h"
#include "execute/module.h"
#include "execute/simulation.h"

enum {
    // after this part of the price the pace so far is taken as that of the rest of the run
    FIRST_LOOK = 8,
    // steps; columns with more are compiled apart from the rates and only if it pays, since rows
    // are few
    LONG = 1000,
    MOST_ROUTINES = 4, // of one module
};

// As emit_tape() writes them.
typedef void fixed_function(const double *p, double *c);
typedef void moving_function(double t, const double *z, const double *p, const double *c,
                             double *out);
// As emit_jet() writes it.
typedef int series_function(double t, const double *z, const double *p, const double *c, int order,
                            double *out);
// As emit_pair() writes it.
typedef double pair_function(double t, const double *z, const double *p, const double *c, double h,
                             double tolerance, double *k, double *w, double *z1);

typedef struct {
    const char *name;
    const tape *t;
    uint32_t order;          // Taylor coefficients of the solution up to it; 0: no series
    const tableau *pair;     // an attempt of a step by it; NULL: none
    uint32_t place_count;    // of c
    moving_function *run;    // the values of the tape. NULL: not loaded, interpreted
    series_function *series; // the same for Taylor coefficients
    pair_function *attempt;  // .. and for a step
    fixed_function *fix;     // what depends on parameters only,
    double *c;               // .. computed once
} routine;

typedef struct {
    uint32_t count;
    routine *list[MOST_ROUTINES];
    module *code;
    bool tried;
    // how often it was asked for; how often it may be before it is compiled
    uint32_t calls, patience;
    double spent, price, look_at; // in steps of the interpreter
    double saved;                 // the part of them that compiled code saves
} bundle;

// The values of a tape; the Taylor coefficients of the solution up to this order; a step by a pair
void bundle_add(bundle *b, routine *r, const char *name, const tape *t);
void bundle_add_series(bundle *b, routine *r, const tape *rate, uint32_t order);
void bundle_add_pair(bundle *b, routine *r, const tape *rate, const tableau *pair);

typedef enum { FIND, LOAD } effort;
// Taken from the cache or not at all (FIND), compiled if need be (LOAD). NULL, or why it failed.
const char *bundle_load(bundle *b, const simulation *sim, effort how);
void bundle_free(bundle *b);

#endif
