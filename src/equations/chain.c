// Velocities and accelerations along a chain of rotations.
#include "equations/chain.h"

#include "expr/vanish.h"
#include "normal/normal.h"

static const vec3 NOTHING = {{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};

static bool is_nothing(vec3 v) {
    return v.at[0] == EXPR_ZERO && v.at[1] == EXPR_ZERO && v.at[2] == EXPR_ZERO;
}

// --- the arms a_j --------------------------------------------------------------------------------

bool chain_is_fixed(const model *m, vec3 *v) {
    pool *p = m->pool;
    expr *zero = arena_array(&m->ctx->arena, expr, m->coordinates_count);
    vec3 rate = vec3_ddt(p, *v);
    if (!expr_all_vanish(p, 3, rate.at)) return false;
    expr_substitute(p, m->coordinates_count, m->coordinates, zero, 3, v->at, v->at);
    return is_nothing(vec3_ddt(p, *v));
}

// A coordinate that the angle grows with evenly, and 1/(d angle/dq); EXPR_NONE if there is none
static expr coordinate_of(const model *m, expr angle, expr *per_angle) {
    for (uint32_t i = 0; i < m->coordinates_count; i++) {
        const expr slope = expr_diff(m->pool, angle, m->coordinates[i]);
        if (slope == EXPR_ZERO || !expr_is_number(m->pool, slope)) continue;
        *per_angle = expr_div(m->pool, EXPR_ONE, slope);
        return m->coordinates[i];
    }
    return EXPR_NONE;
}

// The part across its axis of what the last rotation carries: with the angle q,
// d centre/dq = R (e x a), a = (e x a) x e. Nothing where that is not all that q moves.
static vec3 arm_of(const model *m, rotation r, vec3 centre) {
    pool *p = m->pool;
    const rotation_factor *last = &r.factors[r.count - 1];
    expr per_angle = EXPR_ONE;
    const expr q = coordinate_of(m, last->angle, &per_angle);
    if (q == EXPR_NONE) return NOTHING;
    vec3 slope;
    expr_pushforward(p, 1, &q, &per_angle, 3, centre.at, slope.at);
    vec3 across = rotation_apply_inverse(p, r, slope);
    if (!chain_is_fixed(m, &across)) return NOTHING;
    return vec3_cross(p, across, last->axis);
}

// centre = base + R_1 a_1 + ..; what is left over is the base.
static vec3 find_arms(const model *m, rotation axes, vec3 centre, vec3 *arm) {
    pool *p = m->pool;
    for (uint32_t j = axes.count; j-- > 0;) {
        const rotation r = {j + 1, axes.factors};
        arm[j] = arm_of(m, r, centre);
        if (!is_nothing(arm[j])) centre = vec3_sub(p, centre, rotation_apply(p, r, arm[j]));
    }
    const normal_budget budget = normal_budget_default();
    for (int c = 0; c < 3; c++) centre.at[c] = normal_simplify(p, centre.at[c], &budget);
    return centre;
}

// --- the recursion -------------------------------------------------------------------------------

static vec3 turned_back(pool *p, const rotation_factor *f, vec3 v) {
    return rotation_apply_inverse(p, (rotation){1, f}, v);
}

// To the frame behind rotation f, and along the arm a in it
static chain_motion step(pool *p, chain_motion c, const rotation_factor *f, vec3 a) {
    const expr rate = expr_ddt(p, f->angle);
    const vec3 own = vec3_scale(p, rate, f->axis);
    const vec3 turning =
        vec3_add(p, vec3_scale(p, expr_ddt(p, rate), f->axis), vec3_cross(p, c.spin, own));
    chain_motion next = {.spin = turned_back(p, f, vec3_add(p, c.spin, own)),
                         .velocity = turned_back(p, f, c.velocity),
                         .turning = turned_back(p, f, vec3_add(p, c.turning, turning)),
                         .acceleration = turned_back(p, f, c.acceleration)};
    if (is_nothing(a)) return next;
    const vec3 across = vec3_cross(p, next.spin, a);
    next.velocity = vec3_add(p, next.velocity, across);
    next.acceleration =
        vec3_add(p, next.acceleration,
                 vec3_add(p, vec3_cross(p, next.turning, a), vec3_cross(p, next.spin, across)));
    return next;
}

bool chain_follow(const model *m, rotation axes, vec3 centre, vec3 gravity, chain_motion *out) {
    pool *p = m->pool;
    for (uint32_t j = 0; j < axes.count; j++)
        if (!is_nothing(vec3_ddt(p, axes.factors[j].axis))) return false;
    vec3 *arm = arena_array(&m->ctx->arena, vec3, axes.count + 1);
    const vec3 base = find_arms(m, axes, centre, arm);
    const vec3 velocity = vec3_ddt(p, base);
    chain_motion c = {.spin = NOTHING,
                      .velocity = velocity,
                      .turning = NOTHING,
                      .acceleration = vec3_sub(p, vec3_ddt(p, velocity), gravity)};
    for (uint32_t j = 0; j < axes.count; j++) c = step(p, c, &axes.factors[j], arm[j]);
    *out = c;
    return true;
}
