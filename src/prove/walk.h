// From one admissible state to another on the same piece of the constraint manifold, and on the
// same branch. Create a walker for the constraints, then walk from the initial state with one seed
// after another; samples.h does.
#ifndef HAMEL_PROVE_WALK_H
#define HAMEL_PROVE_WALK_H

#include "model/mechanics.h"

// The constraints as functions to walk on: positions h(q, t) = 0, then velocities Phi(q,
// q', t) = 0, with their derivatives.
typedef struct {
    const mechanics *system;
    uint32_t positions;
    expr *position, *velocity; // concrete: h, and all k Phi
    // values, then the derivatives by q (of h) and by q' (of Phi)
    program *position_program, *velocity_program;
} walker;

walker walker_create(const mechanics *s);
void walker_free(walker *w);

typedef struct {
    uint64_t seed;
    bool far;        // all over the place, not only near where it begins
    bool parameters; // move the parameters too; each keeps its sign, unless it is 0
} walk_request;

// Move x, an admissible state, to another one: towards a random target in small steps, each
// corrected by Newton's method and refused where that does not contract at once or where the
// constraints lose rank. So x stays on its piece and branch. Ends with enclosures. False where
// there was no way to go; x is void then.
bool walk(const walker *w, const walk_request *request, state *x);

// Correct the positions and velocities of x, in doubles, back onto the constraints;
// false where these are not near.
bool walker_bring_back(const walker *w, state *x);

#endif
