// Quantities that the equations conserve: where they drift, the run is wrong. The energy is one
// where nothing in the model changes it. Made once for a system; sight.h asks after a step, and the
// summary says what was found.
#ifndef HAMEL_INTEGRATE_CONSERVED_H
#define HAMEL_INTEGRATE_CONSERVED_H

#include "execute/simulation.h"

// By the model's form: no forces besides the potential, no time in the Lagrangian, constraints of
// order 0 and 1 whose reactions do no work.
bool simulation_keeps_energy(const simulation *sim);

// Does nothing in the model change this column: the energy where it is kept, or where the forces
// that are not zero do no work; invariants, which the author states; residuals. The energy of a
// motion in pieces is none: impacts, friction and resets change it.
bool column_is_kept(const simulation *sim, uint32_t column);
// How far a column has moved, for people: "drift of x" and "1.02e-10 (relative 1.7e-10) at t = 3.2"
// for what is kept, "change of energy" for what the model changes. A residual has no relative size.
const char *column_drift_name(const simulation *sim, uint32_t column);
const char *column_drift_size(const simulation *sim, uint32_t column, double first, double moved,
                              double t);

typedef struct conserved conserved;
// The value of a column (energy, an invariant) as a function of (z, t)
conserved *conserved_create(const simulation *sim, uint32_t column);
void conserved_take_parameters(conserved *w, const simulation *sim); // that have changed
void conserved_free(conserved *w);
// sum_i |dE/dz_i| (1 + |z_i|): what a relative error of 1 in the state makes of it.
// False where it is not finite.
bool conserved_weight(conserved *w, double t, const double *z, double *out);

#endif
