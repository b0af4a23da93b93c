// The motion in F_p: random points on the constraint manifold, equations solved there, residuals
// looked at. Prepare once for a system, then draw points, solve equations there and evaluate
// statements; modular_test.h counts the trials.
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
} modular_state;

// What is arbitrary at a point, and what is as the model states it.
typedef enum {
    FREE_ALL,        // parameters and given functions are arbitrary: a proof holds for all of them
    FREE_PARAMETERS, // given functions are as defined
    FREE_NOTHING,    // parameters have their stated values, too
} modular_freedom;

// A variable that is found as a root of a polynomial: in F_p the branch is chosen at random.
typedef struct {
    expr variable;
    slong degree;
    bool irreducible; // seen so at a point: the branches are conjugate
} modular_branch;

// A function that is brought to zero by the choice of a variable.
typedef struct {
    expr function, variable;
} solution_step;

typedef struct {
    const mechanics *system;
    velocity_basis v;
    // positions from holonomic constraints, velocities where V has no closed form
    const solution_step *placing, *moving;
    uint32_t placing_count, moving_count;
    uint64_t random;
    modular_freedom freedom;
    modular_angles angles;  // of the pool
    double trial_bits;      // log2(1/probability of error) of one trial
    modular_branch *branch; // room for every constraint on positions and on velocities
    uint32_t branch_count;
} modular_motion;

// Prepare; false where no point can be made in F_p (positions on a
// constraint that cannot be solved).
bool modular_motion_create(modular_motion *mod, const mechanics *s, modular_freedom freedom);

// MODULAR_OK, or MODULAR_UNSUPPORTED after many retries.
modular_status modular_state_create(modular_motion *mod, modular_state *x);
modular_state modular_state_copy(const modular_state *x);
void modular_state_free(modular_state *x);

// Solve the equations at the point: the values of its unknowns, of q'' and of the
// multipliers are stored in the point.
modular_status modular_solve(modular_motion *mod, const equations *eq, modular_state *x);

// Values of expressions at the point.
modular_status modular_values(modular_motion *mod, modular_state *x, uint32_t count, const expr *e,
                              mp_limb_t *out);

#endif
