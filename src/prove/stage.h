// Statements about one motion, tested at random points of F_p.
#ifndef HAMEL_PROVE_STAGE_H
#define HAMEL_PROVE_STAGE_H

#include "prove/degree.h"
#include "prove/modular.h"

enum { POINTS_PER_TRIAL = 40 }; // to look at, where some are of no use

// The motion of one set of equations in F_p: points that lie on the constraints,
// solved, made when first asked for.
typedef struct {
    const equations *eq;
    field_motion field;
    bool usable;
    degree_bound degree; // of the motion, and of the statement at hand
    uint32_t trials;
    // of the statement at hand: signs and branches chosen at random, and the
    // trials they need; 0: too many
    uint32_t choices, needed;
    const expr *condition; // points where these are not all positive are left out
    uint32_t condition_count;
    // solved points, and the same points with accelerations still random
    field_point *points, *before;
    uint32_t count, capacity;
} stage_motion;

typedef enum { TEST_ZERO, TEST_NONZERO, TEST_IMPOSSIBLE } test_result;

// The degree of whatever is tested decides how many trials there are. False
// where no points can be made.
bool stage_create(stage_motion *s, const mechanics *system, const equations *eq,
                  field_freedom freedom, uint32_t count, const expr *tested);
void stage_free(stage_motion *s);

// The i-th solved point; NULL when no more can be made.
field_point *stage_point(stage_motion *s, uint32_t i);
field_point stage_copy_point(const field_point *p);

// Trials for a statement about the expressions: as many as the degree asks for, more where signs
// and branches are chosen at random.
void stage_prepare(stage_motion *s, uint32_t count, const expr *e);
// Is the point to be used, as far as the conditions go?
bool stage_admits(stage_motion *s, field_point *p);
// Do the expressions vanish at enough points?
test_result stage_test(stage_motion *s, uint32_t count, const expr *e);
// log2 of the probability that all the trials are wrong
double stage_bound(const stage_motion *s);

#endif
