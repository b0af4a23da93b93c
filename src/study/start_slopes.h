// How the state in which a run begins answers to its data: parameters, and values of coordinates,
// velocities and quasi-velocities at the start.
//
// Data v determine the start x = (q, q') partly as they stand, x_i = E_i(p) + v_i where v_i is a
// change of that value itself (so far 0) and p are parameters, and partly through
// constraints F(x, v) = 0 that were solved for the rest: by the implicit function theorem
//   F_x X_a + F_a = 0,   F_x X_ab + F_xx[X_a, X_b] + F_xa X_b + F_xb X_a + F_ab = 0.
#ifndef HAMEL_STUDY_START_SLOPES_H
#define HAMEL_STUDY_START_SLOPES_H

#include "execute/simulation.h"

typedef struct {
    expr symbol;
    bool is_start; // the value of a coordinate, velocity or quasi-velocity; else a parameter
} datum;

// The parameters whose values are expressions in others and are none of the data, in terms of the
// others. Arrays in the arena.
typedef struct {
    uint32_t count;
    const expr *symbol, *meaning;
} followers;
followers start_slopes_followers(const model *m, uint32_t count, const datum *by);

// All data that a start has, in the arena: parameters with a number for a value, then coordinates,
// velocities and quasi-velocities that do not follow from others. False: there is no such start.
bool start_slopes_data(const simulation *sim, const completion_request *where, uint32_t *count,
                       const datum **out);

// Columns dz/dv_a, one after another, then those of second derivatives (execute/variation.h) where
// asked for. Errors are said: a value at the start that follows from others is no datum.
hamel_status start_slopes(const simulation *sim, const completion_request *where, uint32_t count,
                          const datum *by, bool second, double *out);

#endif
