// The motion in F_p: random points on the constraint manifold, equations solved
// there, residuals looked at.
#ifndef HAMEL_PROVE_MODULAR_H
#define HAMEL_PROVE_MODULAR_H

#include "derive/basis.h"
#include "equations/equations.h"
#include "expr/program.h"

#include <flint/nmod_mat.h>

// A random point: t, parameters, q, q' on the constraints, eta; everything else random.
typedef struct {
    modular_point at;
    mp_limb_t *value; // by symbol index
    uint32_t capacity;
} field_point;

// What is arbitrary at a point, and what is as the model states it.
typedef enum {
    FREE_ALL,        // parameters and given functions are arbitrary: a proof holds for all of them
    FREE_PARAMETERS, // given functions are as defined
    FREE_NOTHING,    // parameters have their stated values, too
} field_freedom;

// A variable that is found as a root of a polynomial: in F_p the branch is chosen at random.
typedef struct {
    expr variable;
    slong degree;
    bool irreducible; // seen so at a point: the branches are conjugate
} field_branch;

typedef struct {
    const mechanics *system;
    velocity_basis v;
    uint64_t random;
    field_freedom freedom;
    modular_angles angles; // of the pool
    double trial_bits;     // log2(1/probability of error) of one trial
    field_branch *branch;  // room for every constraint on positions and on velocities
    uint32_t branch_count;
} field_motion;

// Prepare; false where no point can be made in F_p (positions on a
// constraint that cannot be solved).
bool field_motion_create(field_motion *f, const mechanics *system, field_freedom freedom);

// MODULAR_OK, or MODULAR_UNSUPPORTED after many retries.
modular_status field_point_create(field_motion *f, field_point *out);
void field_point_free(field_point *p);

// Solve the equations at the point: the values of its unknowns, of q'' and of the
// multipliers are stored in the point.
modular_status field_solve(field_motion *f, const equations *eq, field_point *p);

// Values of expressions at the point.
modular_status field_values(field_motion *f, field_point *p, uint32_t count, const expr *e,
                            mp_limb_t *out);

#endif
