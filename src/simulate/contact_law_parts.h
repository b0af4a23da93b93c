// What the files of the contact law share: the program of its numbers, and where they stand in it.
// contact_law.c makes it and solves for what follows, contact_groups.c parts what can be solved
// apart, contact_projection.c brings states onto the constraints.
#ifndef HAMEL_SIMULATE_CONTACT_LAW_PARTS_H
#define HAMEL_SIMULATE_CONTACT_LAW_PARTS_H

#include "expr/program.h"
#include "simulate/contact_law.h"

struct contact_law {
    const mechanics *s;
    uint32_t n, k, positions, contacts, directions;
    uint32_t *first; // of each contact, its normal among the directions
    // where the blocks begin among the outputs of the program: M (n x n), h (n), C = dN/dlambda
    // (n x k), A (k x n), b (k), Phi (k), holonomic Phi (positions) and their gradients, T and h,
    // then the contacts
    uint32_t m, h, c, a, b, phi, held, held_slope, energy, psi, psi_slope, *contact;
    uint32_t outputs;
    program *prog;
    double *symbol, *out;
    contact_values *values;
    double *response; // directions x n: what a unit force along each direction does to q''
    double *free;     // n: q'' without forces of contacts
    double *g, *rate; // G and c of accelerations
    double *sizes;    // .. of the terms of c
    double *work;
};

// All of its numbers at a state, into w->out
void contact_law_evaluate(contact_law *w, double t, const double *q, const double *qd,
                          const double *parameter);

#endif
