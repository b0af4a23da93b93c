// Periodic orbits: motions that come back to their state after a time T, or to a copy of it moved
// by the symmetries of the system (relatively periodic ones).
//
// With the flow phi_T and the move g of the group, z_k the state at the time k T/m:
//   phi_{T/m}(z_k) = z_{k+1},   phi_{T/m}(z_{m-1}) = g(z_0),   phi(z_k) = 0,
// the last for constraints on positions.
// Where orbits come in families (conservative systems, symmetries, the phase along the orbit) this
// has solutions all around a solution; steps of Levenberg and Marquardt that become Newton's where
// the defect becomes small go to the nearest one, quadratically too (Yamashita and Fukushima 2001).
// Floquet multipliers are the eigenvalues of Dg^-1 Dphi_T.
#ifndef HAMEL_STUDY_ORBIT_H
#define HAMEL_STUDY_ORBIT_H

#include "analyse/symmetry.h"
#include "study/flow.h"

typedef struct {
    flow *w; // as many columns as there are numbers in z, and then one by a parameter or none
    uint32_t parameters; // 1 or 0: whether there is that one
    const simulation *sim;
    double t0;
    bool period_is_given;       // T stays as it is: equations with time
    const struct shifts *turns; // of angles: whole ones are no difference; NULL: there are none
    uint32_t moves;             // symmetries that it may close up to
    const symmetry *move;
} orbit_problem;

typedef struct {
    bool found;
    double period;
    double *z;     // at t0
    double *speed; // how far each symmetry moves in a period
    double defect; // the largest of |phi_T(z) - g(z)|
    uint32_t segments, iterations;
    double *monodromy;   // Dg^-1 Dphi_T, row by row
    const char *failure; // where nothing was found
} orbit;

// From a guess. Memory in the arena.
void orbit_find(const orbit_problem *p, const double *z, double period, orbit *out);
// How far rates a period later differ from those now, relative to them: 0 where T is a period of
// what drives the system
double orbit_period_error(const orbit_problem *p, const double *z, double period);
// The time after which the motion from z comes nearest to z again, before `end`; 0: it does not up
// to the time `seen`. `free`: numbers of z that do not count; NULL: all do
double orbit_guess_period(const orbit_problem *p, const double *z, double end, const bool *free,
                          double *seen);
// The largest number up to 12 of equal parts of the period after the first of which the orbit
// closes already; 1: it is the least period
uint32_t orbit_times(const orbit_problem *p, const orbit *of);
// The same orbit by its least period
void orbit_take_least(const orbit_problem *p, orbit *of);

// --- multipliers ---------------------------------------------------------------------------------

typedef struct {
    uint32_t count; // those that are not there for a known reason
    double *re, *im;
    uint32_t trivial; // 1, or of a group that does not commute on the unit circle
    uint32_t reasons;
    const char **reason; // "the direction of the motion", "energy", ..
} floquet;

void floquet_find(const orbit_problem *p, const orbit *of, const symmetries *group, bool autonomous,
                  floquet *out);

#endif
