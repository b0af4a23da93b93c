// The curve of periodic orbits along a number p: a parameter of the equations, or the energy of a
// conservative system.
//
// Unknowns y: the states at the beginnings of the segments, the period where nothing gives it, the
// moves of symmetries, and p, each divided by a scale. On the curve F(y) = 0 (orbit.h), for the
// energy with H(z_0) = p besides. A point is found from a guess g by Newton's steps for
//   F(y) = 0,   t . (y - g) = 0,
// the least ones where orbits come in families; its tangent t has F_y t = 0, no part along the
// motion, and goes on in the direction of the one before. Open a curve with an orbit, correct
// guesses, read points, close it.
#ifndef HAMEL_STUDY_ORBIT_CURVE_H
#define HAMEL_STUDY_ORBIT_CURVE_H

#include "execute/machine.h"
#include "study/shooting.h"

// How the period follows from p where the equations depend on time
typedef enum {
    PERIOD_FREE, // it does not: it is an unknown
    PERIOD_STAYS,
    PERIOD_INVERSE, // T p stays: p is a frequency
    PERIOD_GROWS,   // T/p stays
    PERIOD_KNOWN,   // period_of() says
} period_law;

typedef struct {
    orbit_problem problem; // with a column by p unless p is the energy
    const symmetries *group;
    bool by_energy;
    period_law law;
    double low, high;                  // of p
    void (*set)(void *data, double p); // gives the flow this value of the parameter
    double (*period_of)(void *data, double p, double *slope); // T and dT/dp
    void *data;
    double period, p; // of the first orbit
    double size;      // of its states, for the scale of unknowns
} orbit_family;

typedef struct {
    double p, period;
    double *y, *tangent;
    floquet floquet;
    double *low, *high; // of each coordinate along the orbit
    bool stable;        // no multiplier outside of the unit circle
} orbit_point;

typedef struct {
    const orbit_family *of;
    uint32_t multiple; // of the first period: 2, 4 where it has doubled
    shooting s;
    uint32_t rows, columns;
    double *scale, *j, *f, *step, *phase, *room;
    tape *energy; // H and dH/dz; NULL: p is a parameter
    machine look;
} orbit_curve;

// H(z) at the start
double orbit_energy(const simulation *sim, const double *z);

void orbit_curve_open(orbit_curve *w, const orbit_family *of, uint32_t multiple, uint32_t segments);
void orbit_curve_close(orbit_curve *w);
// y of states at the beginnings of the segments
void orbit_curve_take(const orbit_curve *w, const double *z, double period, const double *speed,
                      double p, double *y);
static inline double orbit_curve_p(const orbit_curve *w, const double *y) {
    return y[w->columns - 1] * w->scale[w->columns - 1];
}
// F and its derivatives at y, whose states are moved onto the constraints first; |F|, infinite
// where the motion does not last
double orbit_curve_evaluate(orbit_curve *w, double *y);
// y onto the curve, in the plane through it that is normal to t; how many steps it took, 0: none
// leads there
uint32_t orbit_curve_correct(orbit_curve *w, const double *t, double *y);
// Of the last evaluation: the direction of the curve with a positive part along `before`. False: F
// determines none
bool orbit_curve_tangent(orbit_curve *w, const double *before, double *t);
// A direction q normal to t in which F changes least: there leaves the other branch
void orbit_curve_other(orbit_curve *w, const double *t, double *q);
// What is known of the orbit at y, which is the last evaluation: all but the ranges of coordinates,
// and these. Memory in the arena
void orbit_curve_point(orbit_curve *w, const double *y, const double *tangent, orbit_point *out);
void orbit_curve_range(orbit_curve *w, orbit_point *out);

#endif
