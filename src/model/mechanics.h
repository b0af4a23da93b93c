// The mechanics of a model: energies, forces, the constraints that act, and the choice of independent velocities.
//
// This is what every formalism starts from (MATH.md section 1):
//   N_i = E_i(L) - Q_i,   E_i(f) = d/dt df/dq'_i - df/dq_i,
//   Phi_nu(q, q', t) = 0  (a constraint of order 0 stands here by its time derivative),
//   eta_s = Psi_s(q, q', t), by default the independent q' themselves.
#ifndef HAMEL_MODEL_MECHANICS_H
#define HAMEL_MODEL_MECHANICS_H

#include "model/model.h"
#include "model/state.h"

typedef struct mechanics {
    const model *model;
    pool *pool;
    uint32_t n, k, m; // coordinates, independent constraints, degrees of freedom n - k

    const expr *q, *qd, *qdd; // n symbols each
    expr kinetic, potential;  // T, U; with a stated Lagrangian T = L and U = 0
    expr lagrangian;          // T - U
    expr dissipation;         // Rayleigh's D, already contained in `force`
    const expr *force;        // Q_i: everything that is not in L

    const uint32_t *constraint; // k indices into model->constraints
    const expr *phi;            // k functions of (q, q', t)
    const expr *multiplier;     // k symbols
    const expr *phi_velocity;   // k x n: dPhi_nu/dq'_i

    const uint32_t *dependent, *independent; // k and m coordinate indices, in order of declaration
    const expr *eta;                         // m symbols: the quasi-velocities, or the independent q'
    const expr *psi;                         // m definitions in (q, q', t)
    const expr *psi_velocity;                // m x n: dPsi_s/dq'_i
    bool has_quasi;                          // declared by the model

    // Pivots of the n x n matrix [psi_velocity; phi_velocity] at the state that was analysed, and that state itself (by symbol index):
    // they choose an order of elimination and a branch, nothing else.
    const uint32_t *frame_row, *frame_column;
    const double *sample;
    uint32_t sample_count;
} mechanics;

// Analyse the model at its initial state (or at the state `at` asks for). Reports contradictory and redundant constraints, singular
// choices, inconsistent initial values. The result lives in the context's arena.
hamel_status mechanics_create(model *m, uint32_t at_count, const assignment *at, mechanics **out);

// Stated energies and forces brought to coordinates (energy.c).
typedef struct {
    expr kinetic, potential, lagrangian;
    expr *force;
} energies;
energies model_energies(const model *m);

// Order and type of every constraint (classify.c); fills the fields of struct constraint.
void model_classify(model *m);

#endif
