// THE contract between derivation and everything after it.
//
// A formalism delivers residuals that are affine in its unknowns; what follows (printing,
// evaluation, proofs, code) sees only this.
//   residual_i(q, velocities, t; unknowns) = 0,   i = 1 .. unknown_count
//   q'_i  = velocity_i (q, eta, t)                if the form eliminates the dependent velocities;
//         q'_i itself otherwise
//   q''_i = acceleration_i, affine in the unknowns
#ifndef HAMEL_EQUATIONS_EQUATIONS_H
#define HAMEL_EQUATIONS_EQUATIONS_H

#include "model/mechanics.h"

typedef enum {
    RESIDUAL_MOTION, // an equation of motion
    // The time derivative of constraint `source`, or one of order 2 itself;
    // print the constraint instead
    RESIDUAL_CONSTRAINT,
    // Constraint `source` of order 2 as an equation for the accelerations, printed
    // among the equations of motion
    RESIDUAL_ACCELERATION
} residual_kind;

typedef struct {
    expr value; // = 0
    residual_kind kind;
    uint32_t source;
} residual;

typedef struct { // an intermediate quantity the formalism is known for
    const char *name;
    const char *latex;
    expr value;
    bool silent; // known by its name to claims, not listed
} definition;

typedef struct { // a quantity that is not among the definitions, though it need not be 0
    const char *name;
    const char *why;
} omission;

typedef struct {
    expr symbol;
    expr value;
} auxiliary;

typedef struct equations {
    const mechanics *system;
    const char *form; // id of the formalism

    uint32_t unknown_count;
    // accelerations first, then rates of multipliers of order 3, then multipliers
    const expr *unknown;
    const residual *residual;
    bool symmetric; // the matrix of the unknowns is
    // Lagrange's equations of the first kind, N_i = R_i and Phi_nu = 0 as they stand: an integrator
    // for differential-algebraic equations can take them
    bool first_kind;

    bool explicit_velocities; // q' are eliminated: the state is (q, eta)
    const expr *velocity;     // n
    const expr *acceleration; // n
    // n: q''' in terms of the state and the unknowns, where a constraint of
    // order 3 asks for it; else NULL
    const expr *jerk;

    // Multipliers of all constraints, k + h: either among the unknowns (recovery == NULL), or
    // afterwards from as many residuals affine in them, once q'' is known.
    uint32_t multiplier_count;
    const expr *multiplier;
    const expr *recovery;

    // Further state variables (momenta), by their definitions in (q, q', t). A form of first order
    // names the q' here: they follow from q, and take the place of those a state has.
    LIST(auxiliary, auxiliaries);
    // All multipliers belong to the state (vakonomic motion): their rates are among the unknowns.
    // See also equations_multiplier_is_state().
    bool multipliers_are_state;

    // delta(dq_i/dt) - d/dt delta(q_i) = sum_j transposition_ij delta(q_j), n x n in (q, q', q'',
    // t); NULL if the form has no such relations.
    const expr *transposition;
    // Symbols that stand for anything at all (accelerations of a path that
    // obeys the constraints only).
    LIST(expr, arbitrary);

    // what has a name of this form's and is not here nor among the omissions is 0
    LIST(definition, definitions);
    LIST(omission, omissions);
    const char *remark; // a verdict worth a line of its own; may be NULL
} equations;

equations *equations_create(const mechanics *s, const char *form);
void equations_free(equations *eq);
void equations_define(equations *eq, const char *name, const char *latex, expr value);
void equations_define_silently(equations *eq, const char *name, expr value);
void equations_leave_out(equations *eq, const char *name, const char *why);
// NULL: nothing is called so
const definition *equations_find(const equations *eq, const char *name);

// A form of first order: its velocities follow from the positions.
bool equations_fix_velocities(const equations *eq);

// Does multiplier nu belong to the state, with a free initial value? All of them in vakonomic
// motion, else those of constraints of order 3.
bool equations_multiplier_is_state(const equations *eq, uint32_t nu);

// The ideal reaction on coordinate i, as forms use it: sum_nu lambda_nu dPhi_nu/dq'_i; in vakonomic
// motion sum_nu (lambda'_nu dPhi_nu/dq'_i + lambda_nu E_i(Phi_nu)).
expr equations_reaction(const equations *eq, uint32_t i);
// The reaction as it acts, lambda_nu b_nu,i for servo constraints; and the part of constraint nu
expr equations_acting_reaction(const equations *eq, uint32_t i);
expr equations_acting_reaction_of(const equations *eq, uint32_t nu, uint32_t i);

// Matrix and right-hand side: residual = matrix * unknown + rest, as expressions
// (unknown_count^2 and unknown_count entries).
void equations_affine(const equations *eq, expr *matrix, expr *rest);

#endif
