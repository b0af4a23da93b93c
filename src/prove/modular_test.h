// Statements about one motion, tested at random points of F_p. Create one for a set of equations,
// ask it about as many statements as there are, free it.
#ifndef HAMEL_PROVE_MODULAR_TEST_H
#define HAMEL_PROVE_MODULAR_TEST_H

#include "prove/degree_bound.h"
#include "prove/modular.h"

enum { POINTS_PER_TRIAL = 40 }; // tried for each trial, since some cannot be used

// The motion of one set of equations in F_p: points that lie on the constraints,
// solved, made when first asked for.
typedef struct {
    const equations *eq;
    modular_motion motion;
    bool usable;
    degree_bound degree; // of the motion, and of the statement at hand
    uint32_t trials;
    // of the statement at hand: signs and branches chosen at random, and the
    // trials they need; 0: too many
    uint32_t choices, needed;
    const expr *condition; // points where these are not all positive are left out
    uint32_t condition_count;
    // solved points, and the same points with accelerations still random
    modular_state *points, *before;
    uint32_t count, capacity;
} modular_test;

typedef enum { TEST_ZERO, TEST_NONZERO, TEST_IMPOSSIBLE } test_result;

// False where no points can be made.
bool modular_test_create(modular_test *t, const mechanics *s, const equations *eq,
                         modular_freedom freedom);
void modular_test_free(modular_test *t);

// The i-th solved point; NULL when no more can be made.
modular_state *modular_test_point(modular_test *t, uint32_t i);

// Trials for a statement about the expressions: as many as the degree asks for, more where signs
// and branches are chosen at random.
void modular_test_prepare(modular_test *t, uint32_t count, const expr *e);
// The same for the statement that other equations have the same motion.
void modular_test_prepare_form(modular_test *t, const equations *other);
// Is the point to be used, as far as the conditions go?
bool modular_test_admits(modular_test *t, modular_state *x);
// Do the expressions vanish at enough points?
test_result modular_test_run(modular_test *t, uint32_t count, const expr *e);
// log2 of the probability that all the trials are wrong
double modular_test_bound(const modular_test *t);

#endif
