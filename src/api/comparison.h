// Two forms from one initial state: how far apart their motions are, from when on, and how that
// depends on multipliers that may start anywhere. A comparison runs both forms twice, the second
// time at a coarser tolerance, so that it can tell a difference of the mechanics from an error of
// the runs. compare.c prints it.
#ifndef HAMEL_API_COMPARISON_H
#define HAMEL_API_COMPARISON_H

#include "api/run_job.h"

#include <math.h>

// A run kept: t and (q, q') at each row.
typedef struct {
    LIST(double, time);
    LIST(double, value); // 2n a row
    run_status outcome;
} motion;

// The distance of two motions at a row: root mean square over the coordinates (the velocities)
// of differences, each in units of 1 + |its value at the start|. `error` is what the runs
// themselves may be wrong by up to there.
typedef struct {
    double t, coordinates, velocities, error;
} separation;

// How far two lists of accelerations are apart.
typedef struct {
    double largest; // max_i |a_i - b_i|
    uint32_t where; // the coordinate i of it
    double scaled;  // root mean square of the differences, each in units of 1 + |q'_i at the start|
} gap;

enum { LEVELS = 3 };
static const double separation_level[LEVELS] = {1e-6, 1e-3, 1};

typedef struct {
    LIST(separation, rows); // those that both motions reached
    double parting[LEVELS]; // when the motions are this far apart for the first time; NAN: never
    // first row whose separation is more than the error of the runs; -1: none
    int64_t first;
} course;

// Multipliers at the start, and what comes of them.
typedef struct {
    const double *lambda;
    course c;
} start_variant;

typedef struct {
    run_job job[2];
    double *scale;            // 2n
    motion run[2], coarse[2]; // the coarse ones say how wrong the others may be
    course c;
    // separation ~ (t - t0)^power between the first two levels, if they part at once; else NAN
    double power;
    gap acceleration; // of the q'' at the start
    // Which job has multipliers that are state, and their initial values: -1 if none has. If both
    // have, they start alike, and this is 1.
    int free_form;
    // where the multipliers of a form are state, other values of them; else none
    LIST(start_variant, variants);
    // One multiplier, q'' affine in it: the last variant has the value at which the accelerations
    // at the start are nearest by gap.scaled, and this is how far apart they still are
    bool has_nearest;
    double nearest;
    gap nearest_acceleration;
} comparison;

// With c->job[..].m, .asked and .bare set. In every case comparison_close() comes after it.
hamel_status comparison_run(comparison *c);
void comparison_close(comparison *c);

// can it be told from the error of the runs?
bool separation_is_visible(double size, double error);
static inline double separation_size(const separation *s) { // the larger of both
    return fmax(s->coordinates, s->velocities);
}

#endif
