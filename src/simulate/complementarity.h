// Which contacts open, stick or slide: Coulomb's law as a complementarity problem, solved exactly.
//
// With P the forces (or impulses) along the normals and tangents of closed contacts, the rates of
// the contacts are y = G P + c: accelerations (or velocities after an impact). Each contact has
//   0 <= y_n,  0 <= P_n,  y_n P_n = 0,
//   sticking: y_t = 0, |P_t| <= mu_s P_n;   sliding: P_t = -mu P_n d, d the direction of y_t,
// where d is known for a contact that slides already. The cases are tried one by one (each is a
// linear system), so that no solution, and more than one, are found: Painleve's paradoxes.
#ifndef HAMEL_SIMULATE_COMPLEMENTARITY_H
#define HAMEL_SIMULATE_COMPLEMENTARITY_H

#include "model/model.h"

enum { MOST_CLOSED = 8 }; // contacts, for up to 4^8 cases

typedef struct {
    uint32_t first;    // its normal among the directions; its tangents come behind
    uint32_t tangents; // 0, 1 or 2
    double hold, rub;  // mu_s and mu
    bool slides;       // it does already, and goes on or opens
    double along[2];   // .. in this direction, of length 1
    bool allowed[MODE_COUNT];
} closed_contact;

typedef struct {
    contact_mode mode;
    double along[2]; // of sliding
} contact_answer;

typedef struct {
    uint32_t solutions; // that differ in their rates: 0, 1, or more
    double *force;      // of the first, and its rates: one for each direction
    double *rate;
} complementarity_result;

// `size`: of the terms that c is the sum of; what is small beside it is rounding. `answer`: for
// each contact, of the first solution; `out`: arrays of the caller's.
void complementarity_solve(uint32_t count, const closed_contact *contact, uint32_t directions,
                           const double *g, const double *c, double size, contact_answer *answer,
                           complementarity_result *out);

#endif
