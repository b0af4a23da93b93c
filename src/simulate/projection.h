// Projection onto constraints, nearest in the kinetic metric: the d with least d^T M d / 2 among
// those with A d = -phi, M = d2L/dq'dq', A = dphi/dx,
//   x <- x - M^-1 A^T (A M^-1 A^T)^-1 phi,
// repeated until x no longer changes (Newton). Solved as [M A^T; A 0] (d, mu) = (0, -phi), which
// needs no inverse of M.
#ifndef HAMEL_SIMULATE_PROJECTION_H
#define HAMEL_SIMULATE_PROJECTION_H

#include "model/mechanics.h"
#include "execute/simulation.h"

// --- along a run: coordinates on the holonomic constraints ---------------------------------------

typedef struct holonomic holonomic;

// NULL if there are none. `most`: the largest residual that is not corrected, relative to
// |dphi/dq| (1 + |q|), so that it is a length.
holonomic *holonomic_create(const simulation *sim, double most);
// Another `most`
void holonomic_allow(holonomic *h, double most);
// Another motion begins, at sim->t0 and sim->z0 and with the parameters that sim has now.
void holonomic_restart(holonomic *h);
// Project the coordinates in z where the residual has grown beyond that; everything else in z
// keeps its value. True if z was changed.
bool holonomic_correct(holonomic *h, double t, double *z);
void holonomic_free(holonomic *h);

// What was done so far: how often, and the largest correction, sqrt(d^T M d).
typedef struct {
    uint64_t times;
    double largest;
} holonomic_report;
holonomic_report holonomic_done(const holonomic *h);
// The same in another chart; what was done so far counts.
holonomic *holonomic_in(const simulation *sim, const holonomic *before);

// --- at the start --------------------------------------------------------------------------------

typedef struct {
    expr symbol; // q or q'
    double given, projected;
} correction;

typedef struct {
    double coordinates, velocities; // sqrt(d^T M d) of each
    uint32_t count;
    const correction *list; // those that changed; in the arena
} start_projection;

// The state that `where` and the model give, projected: first q onto the holonomic constraints,
// then q' onto all. Values given to quasi-velocities are kept. *where is changed to state the
// result for every coordinate and velocity.
hamel_status project_start(model *m, completion_request *where, start_projection *out);

#endif
