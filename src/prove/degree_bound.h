// Bounds for degrees, for the Schwartz-Zippel estimate. A polynomial of degree d that is not zero
// vanishes at a random point with a probability of at most d/p. Add up what a statement is made of,
// then ask for the bits.
#ifndef HAMEL_PROVE_DEGREE_BOUND_H
#define HAMEL_PROVE_DEGREE_BOUND_H

#include "derive/basis.h"
#include "equations/equations.h"

// Degrees in the random numbers behind a point.
typedef struct {
    // of the residuals that q'' and lambda are solved from; roots and unknowns in them
    double denominator; // of angles
    double velocity;    // of a velocity on the constraints
    double residual, roots, unknowns;
    double statement, statement_roots; // of the statement at hand
    double solved; // of residuals in the statement that unknowns are solved from; 0: there are none
} degree_bound;

// For a motion whose residuals are given, and a statement about q, q', q'', lambda along it.
degree_bound degree_bound_of_motion(const mechanics *s, const velocity_basis *v, double denominator,
                                    uint32_t count, const expr *residual);
void degree_bound_add(degree_bound *bound, const mechanics *s, uint32_t count,
                      const expr *statement);
// The statement that other equations, whose residuals are given, have the same motion.
void degree_bound_add_motion(degree_bound *bound, const mechanics *s, uint32_t count,
                             const expr *residual);
// log2 of the degree of anything that is tested, q' on the constraints and q'',
// lambda from a linear system
double degree_bound_bits(const degree_bound *bound, bool higher_order);

#endif
