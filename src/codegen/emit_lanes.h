// The whole integration of many runs of one system as C in lanes: a vector of doubles holds numbers
// of several runs, each of which has its own time, step and error control. What is made of the
// system and of a Runge-Kutta pair stands between the files of lanes/, which are the same in every
// system; src/sweep/lanes.c compiles and runs it.
#ifndef HAMEL_CODEGEN_EMIT_LANES_H
#define HAMEL_CODEGEN_EMIT_LANES_H

#include "codegen/emit.h"

// Where one looks along a step (sweep/panels.h has the names)
typedef struct {
    uint32_t looks, nodes, panels, deepest, splits, splits_a_step;
    double nudge;
    const double *node, *fine, *coarse, *odd; // of means
} lanes_along;

typedef struct {
    uint32_t width;      // lanes: 8 by AVX-512, 4 by AVX2 or in plain C
    uint32_t groups;     // vectors that are worked on in turns
    bool fused;          // sums of stages round a * b + c once
    bool sleef;          // elementary functions are SLEEF's, else the C library's lane by lane
    const tape *rate;    // inputs of all tapes are the same: z, t, parameters
    const tableau *pair; // NULL: Taylor's method
    uint32_t order;      // .. of this order, with steps of exp(reach) times the radius
    double reach;
    uint32_t usual_order; // .. and of this one where one often cannot see to the end of such steps
    double usual_reach;
    bool looks_ahead; // .. the host looks along steps before they are tried
    // what is collected (sweep/system.h); NULL: nothing of the kind. slope: d/dt of `extreme`
    const tape *extreme, *slope, *mean, *final;
    const bool *is_max; // of each of `extreme`
    const lanes_along *along;
    const tape *energy; // that steps keep; NULL: none
    // the inputs of `rate` of which a box is kept in which nothing has to be looked at
    uint32_t input_count;
    const uint32_t *input;
    bool always_looks; // the host looks at every step
    bool looks_inside; // what the host looks at includes the dense output
    // coordinates that lose whole turns; 0: none do
    uint32_t coordinate_count, shift_count;
    const expansion *period;
    const uint32_t *leader;
    const double *far;
    // rows of the constraints, k x n, and their dependent columns, by which one sees where other
    // velocities should be chosen (simulate/charts.h); NULL: nobody looks
    const tape *rows;
    uint32_t k, n;
    const uint32_t *dependent;
} lanes_request;

void emit_lanes(const lanes_request *r, text *out);

#endif
