// How wrong a run is: a second one at a tighter tolerance, or in wider numbers, compared at the
// rows of the first. `--verify` keeps rows of the first run and compares them with those of the
// second.
#ifndef HAMEL_SIMULATE_VERIFY_H
#define HAMEL_SIMULATE_VERIFY_H

#include "simulate/run.h"

typedef struct kept_rows kept_rows;

// Rows of this run go here too from now on: t, coordinates and velocities of every row, or of every
// second, fourth .. of more than a thousand.
kept_rows *kept_rows_create(run *r);
void kept_rows_free(kept_rows *k);

typedef struct {
    // the largest |a - b| / (1 + |b|) over coordinates and velocities at the rows compared
    double error;
    double t; // where
    // the least error that explains the drift of conserved quantities, where it is the larger one
    double drift;
    uint32_t rows;         // how many were compared
    double tolerance;      // of the second run
    double step;           // of the second run, where the method has no error control; else 0
    const char *precision; // of the second run, as in --precision
    bool complete;         // the second run came as far as the first
} verification;

// The run again from `start`: the tolerance a hundredth, and for a method without error control
// half the step. Where the numbers of the first run are too coarse for that, in wider ones.
verification verify_run(const run *first, const double *start, const kept_rows *kept);

// The tolerance of a second run that has to be in doubles, too: a hundredth; of one that leaves
// them nothing to gain a hundred times it, and the first run is off by no more than the second
double verify_tolerance(double tolerance);

// The least relative error of the state that explains the drift of conserved quantities: the
// largest |E - E_0| over its weight, of the energy, where it is conserved, and of the invariants.
// *column: which.
double verify_drift(const run *r, uint32_t *column);

#endif
