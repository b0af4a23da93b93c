// The equations of multiple shooting: states at the beginnings of segments, the period and the
// moves as unknowns x, and the defect F(x) with its derivatives J (orbit.h has the formulas). Open
// one for a problem, set x, evaluate, close it; orbit.c takes the steps.
#ifndef HAMEL_STUDY_SHOOTING_H
#define HAMEL_STUDY_SHOOTING_H

#include "study/move.h"
#include "study/orbit.h"
#include "study/tangent_space.h"

// Unknowns: the states at the beginnings of the segments, T, and the moves
typedef struct {
    const orbit_problem *p;
    uint32_t n, size, segments, normals, rows, columns;
    uint32_t across; // columns of the flow: size, and one by a parameter where there is one
    tangent_space *space;
    move *g;
    double *x, *trial, *step;
    double *f, *j;                    // defect and its derivatives
    double *by_period, *by_parameter; // dF/dT and dF/dp, also where they are no columns of J
    double *flows;                    // Dphi of each segment, column after column
    double *moved;                    // Dg, column after column
    double *end, *velocity;           // work
} shooting;

void shooting_open(shooting *s, const orbit_problem *p, uint32_t segments);
void shooting_close(shooting *s);
static inline double *shooting_period(const shooting *s, double *x) {
    return x + s->segments * s->size;
}
static inline double *shooting_speeds(const shooting *s, double *x) {
    return shooting_period(s, x) + 1;
}

// Whole turns of angles are no difference.
void shooting_take_turns_off(const shooting *s, double *difference);
// From z over a segment: s->end is phi and behind it Dphi, column after column. s->velocity is q'
// and dq' of each column at the beginning. False: the motion does not get there.
bool shooting_go(shooting *s, const double *z, double from, double to);
// Where the last segment is to end: g(z_0), with Dg in s->moved, from s->velocity at z_0
bool shooting_target(shooting *s, const double *z, const double *speed, double *target);
// dg/dspeed_a by central differences: good enough for steps
void shooting_slope_of_move(shooting *s, const double *z, const double *velocity, double *speed,
                            uint32_t a, double *out);
// M = Dg^-1 Dphi_m .. Dphi_1 of the last evaluation, row by row
void shooting_monodromy(const shooting *s, double *out);
// Other values of the parameters: to be told after the flow
void shooting_take_parameters(shooting *s);
// z onto the constraints on positions: z <- z - A^T (A A^T)^-1 phi, A = dphi/dz
void shooting_project(const shooting *s, double t, double *z);
// F and J at x; |F|, infinite where the motion does not reach the end of a segment
double shooting_evaluate(shooting *s, double *x);

#endif
