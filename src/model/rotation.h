// Vectors of space and rotations as products of elementary ones, with their angular velocities.
// The parser makes them of rot(axis, angle), quat(a, b, c, d) and products; energies of bodies and
// rolling constraints are built from positions and angular velocities here.
#ifndef HAMEL_MODEL_ROTATION_H
#define HAMEL_MODEL_ROTATION_H

#include "expr/expr.h"

typedef struct {
    expr at[3];
} vec3;

// A rotation R = R_1 R_2 ... R_k, R_j about a (unit) axis fixed in the frame that R_1 ...
// R_{j-1} makes, by an angle. Keeping the factors keeps the angular velocity short: omega =
// sum_j R_1..R_{j-1} axis_j angle_j'. Or R_j is that of a quaternion, divided by its norm: then the
// axis is its vector, and in the place of the angle stands its scalar.
typedef struct {
    vec3 axis;
    expr angle;
    bool is_quaternion;
} rotation_factor;

typedef struct {
    uint32_t count;
    const rotation_factor *factors; // in the arena
} rotation;

static inline vec3 vec3_make(expr x, expr y, expr z) { return (vec3){{x, y, z}}; }
vec3 vec3_add(pool *p, vec3 a, vec3 b);
vec3 vec3_sub(pool *p, vec3 a, vec3 b);
vec3 vec3_scale(pool *p, expr c, vec3 a);
expr vec3_dot(pool *p, vec3 a, vec3 b);
vec3 vec3_cross(pool *p, vec3 a, vec3 b);
static inline expr vec3_norm(pool *p, vec3 a) { return expr_sqrt(p, vec3_dot(p, a, a)); }
vec3 vec3_ddt(pool *p, vec3 a);

static inline rotation rotation_identity(void) { return (rotation){0}; }
// By `angle` about `axis`, which is normalised unless it is a unit vector
// already. axis must not be 0.
rotation rotation_about(pool *p, vec3 axis, expr angle);
rotation rotation_of_quaternion(pool *p, expr scalar, vec3 vector); // not both 0
rotation rotation_times(pool *p, rotation a, rotation b);
rotation rotation_inverse(pool *p, rotation r);           // R^T
vec3 rotation_apply(pool *p, rotation r, vec3 v);         // R v
vec3 rotation_apply_inverse(pool *p, rotation r, vec3 v); // R^T v
vec3 rotation_omega(pool *p, rotation r);                 // angular velocity in space axes
vec3 rotation_omega_body(pool *p, rotation r);            // the same in body axes

#endif
