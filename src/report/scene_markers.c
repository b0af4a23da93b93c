// Coordinates that are a place in space: x and y (and z), x1 and y1, x[2] and y[2], X and Y ..,
// where the kinetic energy agrees.
#include "report/scene_internal.h"

#include "normal/normal.h"

#include <string.h>

static const char *name_of(const scene *s, uint32_t coordinate) {
    return expr_symbol_name(s->p, s->system->q[coordinate]);
}

static int find(const scene *s, char letter, const char *rest) {
    for (uint32_t i = 0; i < s->system->n; i++)
        if (name_of(s, i)[0] == letter && strcmp(name_of(s, i) + 1, rest) == 0) return (int)i;
    return NO_COORDINATE;
}

// d2T/dq'_i dq'_j
static expr inertia(const scene *s, int i, int j) {
    const mechanics *system = s->system;
    return expr_diff(s->p, expr_diff(s->p, system->kinetic, system->qd[i]), system->qd[j]);
}

// One mass, the same in both directions and everywhere: T = m/2 (x'^2 + y'^2) + ..
static bool share_a_mass(const scene *s, int x, int y) {
    const expr mass = inertia(s, x, x);
    return mass != EXPR_ZERO && mass == inertia(s, y, y) && inertia(s, x, y) == EXPR_ZERO &&
           expr_order(s->p, mass) < 0;
}

// (c_x, c_y) = c (-sin a, cos a): a sideways direction of something that looks along a
static bool is_sideways(const scene *s, expr angle, expr cx, expr cy) {
    pool *p = s->p;
    const normal_budget budget = normal_budget_default();
    if (cx == EXPR_ZERO || cy == EXPR_ZERO) return false;
    const expr along = expr_add(p, expr_mul(p, cx, expr_function(p, EXPR_COS, &angle)),
                                expr_mul(p, cy, expr_function(p, EXPR_SIN, &angle)));
    return normal_is_zero(p, along, &budget) == NORMAL_YES;
}

// The angle a for which a constraint or T says what happens sideways: c (y' cos a - x' sin a) is in
// it.
static int find_heading(const scene *s, int x, int y) {
    const mechanics *system = s->system;
    for (uint32_t a = 0; a < system->n; a++) {
        if ((int)a == x || (int)a == y) continue;
        for (uint32_t nu = 0; nu < system->k + system->h; nu++)
            if (is_sideways(s, system->q[a], mechanics_slopes(system)[nu * system->n + x],
                            mechanics_slopes(system)[nu * system->n + y]))
                return (int)a;
        if (is_sideways(s, system->q[a], inertia(s, x, (int)a), inertia(s, y, (int)a)))
            return (int)a;
    }
    return NO_COORDINATE;
}

uint32_t marker_find(const scene *s, marker *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->system->n; i++) {
        const char first = name_of(s, i)[0], *rest = name_of(s, i) + 1;
        if (first != 'x' && first != 'X') continue;
        const int x = (int)i, y = find(s, (char)(first + 1), rest);
        int z = find(s, (char)(first + 2), rest);
        if (y == NO_COORDINATE || !share_a_mass(s, x, y)) continue;
        if (z != NO_COORDINATE && !share_a_mass(s, x, z)) z = NO_COORDINATE;
        const char *name = arena_format(
            &s->m->ctx->arena, z == NO_COORDINATE ? "(%s, %s)" : "(%s, %s, %s)", name_of(s, i),
            name_of(s, (uint32_t)y), z == NO_COORDINATE ? "" : name_of(s, (uint32_t)z));
        out[count++] = (marker){name, {x, y, z}, find_heading(s, x, y)};
    }
    return count;
}

vec3 marker_place(const scene *s, const marker *k) {
    vec3 at;
    for (int i = 0; i < 3; i++)
        at.at[i] = k->coordinate[i] == NO_COORDINATE ? EXPR_ZERO : s->system->q[k->coordinate[i]];
    return at;
}
