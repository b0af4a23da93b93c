// Vectors of space and rotations as products of elementary ones, with their angular velocities.
#include "model/rotation.h"

#include <string.h>

vec3 vec3_add(pool *p, vec3 a, vec3 b) {
    return vec3_make(expr_add(p, a.at[0], b.at[0]), expr_add(p, a.at[1], b.at[1]),
                     expr_add(p, a.at[2], b.at[2]));
}
vec3 vec3_sub(pool *p, vec3 a, vec3 b) {
    return vec3_make(expr_sub(p, a.at[0], b.at[0]), expr_sub(p, a.at[1], b.at[1]),
                     expr_sub(p, a.at[2], b.at[2]));
}
vec3 vec3_scale(pool *p, expr c, vec3 a) {
    return vec3_make(expr_mul(p, c, a.at[0]), expr_mul(p, c, a.at[1]), expr_mul(p, c, a.at[2]));
}
expr vec3_dot(pool *p, vec3 a, vec3 b) { return expr_dot(p, 3, a.at, b.at); }

vec3 vec3_cross(pool *p, vec3 a, vec3 b) {
    vec3 c;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c.at[i] = expr_sub(p, expr_mul(p, a.at[j], b.at[k]), expr_mul(p, a.at[k], b.at[j]));
    }
    return c;
}

vec3 vec3_ddt(pool *p, vec3 a) {
    return vec3_make(expr_ddt(p, a.at[0]), expr_ddt(p, a.at[1]), expr_ddt(p, a.at[2]));
}

rotation rotation_about(pool *p, vec3 axis, expr angle) {
    const expr square = vec3_dot(p, axis, axis);
    rotation_factor *f = arena_new(&pool_context(p)->arena, rotation_factor);
    f->axis = square == EXPR_ONE ? axis
                                 : vec3_scale(p, expr_div(p, EXPR_ONE, expr_sqrt(p, square)), axis);
    f->angle = angle;
    return (rotation){1, f};
}

rotation rotation_of_quaternion(pool *p, expr scalar, vec3 vector) {
    rotation_factor *f = arena_new(&pool_context(p)->arena, rotation_factor);
    *f = (rotation_factor){.axis = vector, .angle = scalar, .is_quaternion = true};
    return (rotation){1, f};
}

rotation rotation_times(pool *p, rotation a, rotation b) {
    rotation_factor *f = arena_array(&pool_context(p)->arena, rotation_factor, a.count + b.count);
    if (a.count) memcpy(f, a.factors, sizeof *f * a.count);
    if (b.count) memcpy(f + a.count, b.factors, sizeof *f * b.count);
    return (rotation){a.count + b.count, f};
}

// The same axis and the opposite angle, or scalar of the quaternion
static rotation_factor inverse(pool *p, rotation_factor f) {
    f.angle = expr_neg(p, f.angle);
    return f;
}

rotation rotation_inverse(pool *p, rotation r) {
    rotation_factor *f = arena_array(&pool_context(p)->arena, rotation_factor, r.count + 1);
    for (uint32_t j = 0; j < r.count; j++) f[j] = inverse(p, r.factors[r.count - 1 - j]);
    return (rotation){r.count, f};
}

// 2/|q|^2 of a quaternion
static expr twice_over_square(pool *p, const rotation_factor *f) {
    const expr square = expr_add(p, expr_square(p, f->angle), vec3_dot(p, f->axis, f->axis));
    return expr_div(p, expr_int(p, 2), square);
}

// Of a quaternion (a, u): R v = v + 2/|q|^2 (a u x v + u x (u x v))
static vec3 rotate_by_quaternion(pool *p, const rotation_factor *f, vec3 v) {
    const vec3 once = vec3_cross(p, f->axis, v), twice = vec3_cross(p, f->axis, once);
    const vec3 moved = vec3_add(p, vec3_scale(p, f->angle, once), twice);
    return vec3_add(p, v, vec3_scale(p, twice_over_square(p, f), moved));
}

// Rodrigues: R v = cos(phi) v + sin(phi) u x v + (1 - cos(phi)) (u.v) u. About a coordinate
// axis the first and last terms merge.
static vec3 rotate(pool *p, const rotation_factor *f, vec3 v) {
    if (f->is_quaternion) return rotate_by_quaternion(p, f, v);
    const vec3 u = f->axis;
    const expr angle = f->angle;
    const expr c = expr_function(p, EXPR_COS, &angle), s = expr_function(p, EXPR_SIN, &angle);
    const expr along = vec3_dot(p, u, v), rest = expr_sub(p, EXPR_ONE, c);
    const vec3 turned = vec3_cross(p, u, v);
    vec3 r;
    for (int i = 0; i < 3; i++) {
        if (u.at[i] == EXPR_ONE) r.at[i] = v.at[i]; // a unit vector: the other components are 0
        else
            r.at[i] = expr_sum(p, 3,
                               (expr[]){expr_mul(p, c, v.at[i]), expr_mul(p, s, turned.at[i]),
                                        expr_product(p, 3, (expr[]){rest, along, u.at[i]})});
    }
    return r;
}

vec3 rotation_apply(pool *p, rotation r, vec3 v) {
    for (uint32_t j = r.count; j-- > 0;) v = rotate(p, &r.factors[j], v);
    return v;
}

vec3 rotation_apply_inverse(pool *p, rotation r, vec3 v) {
    for (uint32_t j = 0; j < r.count; j++) {
        const rotation_factor back = inverse(p, r.factors[j]);
        v = rotate(p, &back, v);
    }
    return v;
}

// omega = 2/|q|^2 (a u' - a' u + u x u')
static vec3 quaternion_omega(pool *p, const rotation_factor *f) {
    const vec3 du = vec3_ddt(p, f->axis);
    const vec3 w =
        vec3_sub(p, vec3_scale(p, f->angle, du), vec3_scale(p, expr_ddt(p, f->angle), f->axis));
    return vec3_scale(p, twice_over_square(p, f), vec3_add(p, w, vec3_cross(p, f->axis, du)));
}

// Angular velocity of one factor in the frame before it. A moving axis adds
// sin(phi) u' + (1 - cos(phi)) u x u'.
static vec3 factor_omega(pool *p, const rotation_factor *f) {
    if (f->is_quaternion) return quaternion_omega(p, f);
    vec3 w = vec3_scale(p, expr_ddt(p, f->angle), f->axis);
    const vec3 du = vec3_ddt(p, f->axis);
    if (du.at[0] == EXPR_ZERO && du.at[1] == EXPR_ZERO && du.at[2] == EXPR_ZERO) return w;
    const expr c = expr_function(p, EXPR_COS, &f->angle), s = expr_function(p, EXPR_SIN, &f->angle);
    w = vec3_add(p, w, vec3_scale(p, s, du));
    return vec3_add(p, w, vec3_scale(p, expr_sub(p, EXPR_ONE, c), vec3_cross(p, f->axis, du)));
}

vec3 rotation_omega(pool *p, rotation r) {
    vec3 w = vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    // omega of R_j R_{j+1}..: its own, plus R_j times that of the rest
    for (uint32_t j = r.count; j-- > 0;) {
        w = rotate(p, &r.factors[j], w);
        w = vec3_add(p, w, factor_omega(p, &r.factors[j]));
    }
    return w;
}

vec3 rotation_omega_body(pool *p, rotation r) {
    vec3 w = vec3_make(EXPR_ZERO, EXPR_ZERO, EXPR_ZERO);
    for (uint32_t j = 0; j < r.count; j++) {
        const rotation_factor back = inverse(p, r.factors[j]);
        w = vec3_add(p, w, factor_omega(p, &r.factors[j]));
        w = rotate(p, &back, w);
    }
    return w;
}
