// Which positions can be reached by velocities that the constraints admit (docs/mathematics.md,
// section 8). One call with both flags gives the verdict that `check` prints under `controllable`.
#ifndef HAMEL_ANALYSE_REACH_H
#define HAMEL_ANALYSE_REACH_H

#include "analyse/flag.h"

typedef enum {
    REACH_UNKNOWN,
    REACH_LEAF, // integrals confine the motion
    // the positions reached from one fill an open set; whether they are all is not decided
    REACH_OPEN_SET,
    // every position near one where the brackets of the free directions fill the space
    REACH_NEAR,
    REACH_EVERY // every position from every other
} reach_verdict;

typedef struct {
    reach_verdict verdict;
    // the free directions do not suffice: the drift of affine or moving constraints carries the
    // motion
    bool by_drift;
} reach;

// `free` is the flag of the free directions of d, `motion` the one with the drift, all that is
// reached in (q, t).
//
// q' = X_0(q, t) + sum_s u_s X_s(q, t) with velocities u_s of any size. Where motion misses a
// dimension there are integrals. Where it does not, the motion is accessible (Sussmann, Jurdjevic
// 1972: the set reached at a time has an interior). If brackets of the X_s alone fill the space,
// positions near by can be reached whatever X_0 is (Chow), and all of them if the brackets do so
// everywhere. If not, X_0 may help: with ad_V X_0 = [V, X_0] for a V that can be followed both
// ways, the limit of s^-r exp(s ad_V) X_0 for s -> +-inf, r the largest power with ad_V^r X_0 != 0,
// is a direction that can be followed, both ways if r is odd (Jurdjevic, Kupka 1981). V must have
// straight lines for its curves, and everything must be defined everywhere, so that nothing stops
// them.
reach reach_of(const directions *d, const flag *free, const flag *motion, uint32_t forms,
               const expr *form);

#endif
