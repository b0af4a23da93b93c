// Random points of F_p on constraints, and what expressions are worth there. Ranks of constraints,
// integrability and proofs are decided at such points: an identity that fails is seen at nearly all
// of them. Make the set once, then draw points by their seeds.
#ifndef HAMEL_MODEL_POINTS_H
#define HAMEL_MODEL_POINTS_H

#include "expr/program.h"
#include "model/mechanics.h"

// A constraint and a coordinate (or a velocity) in which it is a polynomial of degree 1 or 2.
// Constraints without one are not imposed: the points then lie on other leaves of the same form,
// where the velocities satisfy the same conditions.
typedef struct {
    expr function, coordinate;
} surface;

typedef struct {
    const model *m;
    pool *pool;
    surface *surface;
    uint32_t surfaces;
    bool stated;           // parameters have their stated values, where they have one
    modular_angles angles; // while the pool has `nodes` nodes
    uint32_t nodes;
} points;

points points_of(const mechanics *s); // on its holonomic constraints, for any parameters

// On constraints of the model, by their indices: positions on those of order 0, velocities on those
// that are not linear in them. `stated`: parameters have their stated values.
points points_on(const model *m, uint32_t count, const uint32_t *constraint_index, bool stated);

typedef struct {
    modular_point at;
    mp_limb_t *value; // by symbol index
    uint32_t symbols;
} random_point;

enum { MOST_TRIES = 200 }; // seeds to be tried where some give no point

// The point of these seeds; false (and nothing to clear) if there is none. The
// prime, the parameters and the images of functions follow from `seed` alone;
// everything that moves follows from both.
bool random_point_create(points *all, uint64_t seed, uint64_t variation, random_point *out);
void random_point_clear(random_point *at);
bool random_point_values(const points *all, const random_point *at, uint32_t count, const expr *e,
                         mp_limb_t *out);

// Do the expressions have values at some point?
bool points_have_values(points *all, uint32_t count, const expr *e);

typedef enum { VANISHES_NO, VANISHES_YES, VANISHES_UNKNOWN } vanishing;
// Is e zero at several random points? NO is certain; YES fails with a probability far below 2^-100;
// UNKNOWN where too few points can be made.
vanishing points_vanish(points *all, expr e);

// Generic rank of `rows` vectors of this width; 0 if no point can be made.
uint32_t points_generic_rank(points *all, uint32_t rows, uint32_t width, const expr *vectors);
// The largest rank at several points: where roots have random signs, one point may have too many
// relations. 0 if no point can be made.
uint32_t points_largest_rank(points *all, uint32_t rows, uint32_t width, const expr *vectors);

// Generic rank again, and where the pivots of an elimination stand: `rank` row and column indices.
uint32_t points_generic_pivots(points *all, uint32_t rows, uint32_t width, const expr *matrix,
                               uint32_t *row, uint32_t *column);

#endif
