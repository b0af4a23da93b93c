// Directions in which a state z = (q, eta) can change: those that keep the constraints on
// positions, dphi/dq dq = 0. Make one for a flow, ask at each state for the normals dphi/dq,
// orthonormal, that columns are to be orthogonal to.
#ifndef HAMEL_STUDY_TANGENT_SPACE_H
#define HAMEL_STUDY_TANGENT_SPACE_H

#include "study/flow.h"

typedef struct tangent_space tangent_space;

// Why the states of this form are not (q, eta) on such constraints; NULL: they are
const char *tangent_space_refusal(const simulation *sim);
tangent_space *tangent_space_create(const simulation *sim);
// Those of its simulation have other values now
void tangent_space_take_parameters(tangent_space *w);
void tangent_space_free(tangent_space *w);
uint32_t tangent_space_normals(const tangent_space *w); // how many
// phi, then dphi/dz row by row, at a state of the system; good until the next call. NULL: one of
// them is not finite
const double *tangent_space_values(tangent_space *w, const simulation *sim, double t,
                                   const double *z);
// dphi/dz with its rows made orthonormal; false: it is not finite
bool tangent_space_at(tangent_space *w, const simulation *sim, double t, const double *z,
                      double *normal);

// Columns (one after another, each of this size) made orthonormal, and orthogonal to the normals,
// which are orthonormal; length[c]: what was left of column c before it was scaled to 1.
void tangent_space_orthonormalise(uint32_t size, uint32_t normals, const double *normal,
                                  uint32_t columns, double *column, double *length);

#endif
