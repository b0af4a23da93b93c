// Stability over a rectangle of two parameters: the curves on which it changes, and the regions
// between them.
//
// On a curve one of the test functions T of spectrum.h vanishes. It is followed by prediction along
// its tangent and Newton's method across, in coordinates u, v = 0..1 of the rectangle, from zeros
// of T on lines through it; where the number of eigenvalues with a positive real part is the same
// on both sides nothing changes, and that part is left out. Points of curves are good to 1e-12 of
// the rectangle; nothing here is a proof but `proved` of a region's point.
#ifndef HAMEL_STUDY_STABILITY_MAP_H
#define HAMEL_STUDY_STABILITY_MAP_H

#include "study/scan.h"

typedef struct {
    int kind;       // TEST_ZERO, ..
    uint32_t count; // of points
    double *u, *v;  // 0..1
    bool closed;
} map_curve;

// A part of a column of the map between two curves
typedef struct {
    double u0, u1, v0, v1;
    stability_verdict verdict;
    uint32_t region;
} map_strip;

typedef struct {
    double u, v;
    stability_verdict verdict;
    bool proved;
} map_region;

typedef struct {
    steady_path *path;
    double low[2], high[2]; // of the two parameters
    spectrum_kind kind;
    uint32_t eigenvalues, neutral;
    uint32_t curves, regions, strips;
    map_curve *curve;
    map_region *region;
    map_strip *strip;
    uint32_t lost; // points where no steady motion was found
} stability_map;

// From the motion that the path starts at. False: nothing is linear there.
bool stability_map_create(steady_path *path, const double low[2], const double high[2],
                          const double start[2], bool even, stability_map *out);
void stability_map_clear(stability_map *m);

#endif
