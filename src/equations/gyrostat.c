// Points and bodies taken together where they keep their places in the axes of one of them.
#include "equations/gyrostat.h"

#include "base/random.h"
#include "equations/chain.h"
#include "expr/program.h"
#include "model/mechanics.h"
#include "normal/normal.h"

#include <math.h>
#include <string.h>

enum { STATES = 2 }; // that places are looked at before anything is proved of them

typedef struct {
    double place[3], axis[3][3]; // axis[c]: where axis c points
} posture;

typedef struct {
    const rigid_body *body; // NULL: a point
    vec3 place;             // in space
    expr mass;
    rotation axes; // that it lends to a gyrostat: its own, without its spin ..
    int spin_axis; // .. about this one; -1: there is none
    posture at[STATES];
    bool taken;
} member;

typedef struct {
    const model *m;
    pool *p;
    arena *arena;
    member *members;
    uint32_t member_count;
} collector;

static const vec3 NOWHERE = {{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};

static vec3 unit_vector(int c) {
    vec3 e = NOWHERE;
    e.at[c] = EXPR_ONE;
    return e;
}

// --- members -------------------------------------------------------------------------------------

// An axis of the body about which its inertia is symmetric?
static bool is_symmetric(const rigid_body *b, int axis) {
    const expr *I = b->inertia;
    return I[3] == EXPR_ZERO && I[4] == EXPR_ZERO && I[5] == EXPR_ZERO &&
           I[(axis + 1) % 3] == I[(axis + 2) % 3];
}

// The last turns of a body about an axis of symmetry are its spin.
static void take_spin_off(member *a) {
    a->axes = a->body->orientation, a->spin_axis = -1;
    for (int c = 0; c < 3 && a->spin_axis < 0; c++) {
        const vec3 e = unit_vector(c);
        while (a->axes.count && is_symmetric(a->body, c) &&
               !a->axes.factors[a->axes.count - 1].is_quaternion &&
               memcmp(&a->axes.factors[a->axes.count - 1].axis, &e, sizeof e) == 0)
            a->axes.count--, a->spin_axis = c;
    }
}

static void list_members(collector *w) {
    const model *m = w->m;
    w->members = arena_array(w->arena, member, m->bodies_count + m->points_count);
    for (uint32_t i = 0; i < m->bodies_count; i++) {
        const rigid_body *b = &m->bodies[i];
        w->members[w->member_count] = (member){.body = b, .place = b->centre, .mass = b->mass};
        take_spin_off(&w->members[w->member_count++]);
    }
    for (uint32_t i = 0; i < m->points_count; i++)
        w->members[w->member_count++] =
            (member){.place = m->points[i].position, .mass = m->points[i].mass};
}

// Places and axes of all members at a few states, in numbers
static void look_at_states(collector *w) {
    enum { SIZE = sizeof(posture) / sizeof(double) };
    const uint32_t count = SIZE * w->member_count, symbols = pool_symbol_count(w->p);
    expr *e = arena_array(w->arena, expr, count);
    for (uint32_t i = 0; i < w->member_count; i++) {
        const member *a = &w->members[i];
        memcpy(e + SIZE * i, a->place.at, sizeof a->place.at);
        for (int c = 0; c < 3; c++) {
            const vec3 axis = rotation_apply(w->p, a->axes, unit_vector(c));
            memcpy(e + SIZE * i + 3 + 3 * c, axis.at, sizeof axis.at);
        }
    }
    model_concrete(w->m, true, count, e, e);
    program *prog = program_create(w->p, count, e);
    double *value = memory_zeros(double, symbols + count + 1), *out = value + symbols;
    uint64_t stream = w->m->ctx->seed;
    for (int k = 0; k < STATES; k++) {
        for (uint32_t i = 0; i < symbols; i++)
            if (!k || pool_symbol(w->p, i)->role != ROLE_PARAMETER)
                value[i] = 0.3 + (double)(random_next(&stream) % 1000) / 700;
        program_run_double(prog, value, out);
        for (uint32_t i = 0; i < w->member_count; i++)
            memcpy(&w->members[i].at[k], out + SIZE * i, sizeof(posture));
    }
    memory_free(value);
    program_free(prog);
}

// Does the member keep its place in these axes, from one state to the other? Quick, and enough to
// say no.
static bool seems_fixed(const member *lender, const member *a) {
    static const double CLOSE = 1e-9;
    double seen[STATES][3], size = 1;
    for (int k = 0; k < STATES; k++)
        for (int c = 0; c < 3; c++) {
            seen[k][c] = 0;
            for (int i = 0; i < 3; i++)
                seen[k][c] +=
                    lender->at[k].axis[c][i] * (a->at[k].place[i] - lender->at[k].place[i]);
            size = fmax(size, fabs(seen[k][c]));
        }
    bool same = true;
    for (int c = 0; c < 3; c++) same = same && fabs(seen[0][c] - seen[1][c]) <= CLOSE * size;
    return same;
}

// --- one gyrostat --------------------------------------------------------------------------------

// I += J (1 - n n^T): what is as far from the axis n all around
static void add_across(pool *p, expr *I, expr moment, vec3 n) {
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    for (int e = 0; e < 6; e++) {
        const int i = pair[e][0], j = pair[e][1];
        const expr product = expr_mul(p, n.at[i], n.at[j]);
        const expr part = i == j ? expr_sub(p, EXPR_ONE, product) : expr_neg(p, product);
        I[e] = expr_add(p, I[e], expr_mul(p, moment, part));
    }
}

// I += m (|d|^2 1 - d d^T)
static void add_distance(pool *p, expr *I, expr mass, vec3 d) {
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    for (int i = 0; i < 3; i++) {
        const expr a = d.at[(i + 1) % 3], b = d.at[(i + 2) % 3];
        const expr square = expr_add(p, expr_mul(p, a, a), expr_mul(p, b, b));
        I[i] = expr_add(p, I[i], expr_mul(p, mass, square));
    }
    for (int e = 0; e < 3; e++) {
        const expr product = expr_product(p, 3, (expr[]){mass, d.at[pair[e][0]], d.at[pair[e][1]]});
        I[3 + e] = expr_sub(p, I[3 + e], product);
    }
}

static void add_rotor(const collector *w, gyrostat *g, const rigid_body *b, int axis, vec3 n) {
    const vec3 omega = rotation_omega_body(w->p, b->orientation);
    add_across(w->p, g->inertia, b->inertia[(axis + 1) % 3], n);
    g->rotors[g->rotor_count++] = (rotor){b->inertia[axis], n, omega.at[axis]};
}

// I += Q I_body Q^T with Q made of the columns
static void add_fixed_body(const collector *w, gyrostat *g, const rigid_body *b,
                           const vec3 *column) {
    for (int i = 0; i < 3; i++) {
        const vec3 row = {{column[0].at[i], column[1].at[i], column[2].at[i]}};
        const vec3 moment = model_inertia_times(w->p, b->inertia, row);
        for (int j = i; j < 3; j++) {
            const vec3 other = {{column[0].at[j], column[1].at[j], column[2].at[j]}};
            expr *I = &g->inertia[i == j ? i : 2 + i + j];
            *I = expr_add(w->p, *I, vec3_dot(w->p, moment, other));
        }
    }
}

// Does the body turn with the gyrostat, or is it a rotor in it? Then its inertia is added.
static bool add_body(const collector *w, gyrostat *g, const rigid_body *b) {
    vec3 column[3];
    int fixed = 0, axis = -1;
    for (int c = 0; c < 3; c++) {
        column[c] = rotation_apply_inverse(w->p, g->axes,
                                           rotation_apply(w->p, b->orientation, unit_vector(c)));
        if (!chain_is_fixed(w->m, &column[c])) continue;
        fixed++;
        if (is_symmetric(b, c)) axis = c;
    }
    if (fixed == 3) add_fixed_body(w, g, b, column);
    else if (axis >= 0) add_rotor(w, g, b, axis, column[axis]);
    return fixed == 3 || axis >= 0;
}

static void add_lender(const collector *w, gyrostat *g, const member *a) {
    if (!a->body) return;
    if (a->spin_axis < 0) memcpy(g->inertia, a->body->inertia, sizeof g->inertia);
    else add_rotor(w, g, a->body, a->spin_axis, unit_vector(a->spin_axis));
}

// Mass, centre and inertia of what has come together
static void take_together(const collector *w, gyrostat *g, uint32_t count, const expr *mass,
                          const vec3 *place) {
    const normal_budget budget = normal_budget_default();
    g->mass = expr_sum(w->p, count, mass);
    if (count == 1) return; // in its own axes at its own centre
    for (uint32_t i = 0; i < count; i++)
        g->offset = vec3_add(w->p, g->offset, vec3_scale(w->p, mass[i], place[i]));
    g->offset = vec3_scale(w->p, expr_div(w->p, EXPR_ONE, g->mass), g->offset);
    for (uint32_t i = 0; i < count; i++)
        add_distance(w->p, g->inertia, mass[i], vec3_sub(w->p, place[i], g->offset));
    for (int e = 0; e < 6; e++) g->inertia[e] = normal_simplify(w->p, g->inertia[e], &budget);
}

// The members that stay where they are in the lender's axes join it. What has no mass is left out:
// the centre of several such would be nowhere.
static gyrostat gather(collector *w, member *lender) {
    gyrostat g = {.axes = lender->axes, .place = lender->place, .offset = NOWHERE};
    g.rotors = arena_array(w->arena, rotor, w->member_count);
    vec3 *place = arena_array(w->arena, vec3, w->member_count);
    expr *mass = arena_array(w->arena, expr, w->member_count);
    uint32_t count = 1;
    place[0] = NOWHERE, mass[0] = lender->mass, lender->taken = true;
    add_lender(w, &g, lender);
    for (uint32_t i = 0; i < w->member_count && lender->mass != EXPR_ZERO; i++) {
        member *a = &w->members[i];
        if (a->taken || !seems_fixed(lender, a)) continue;
        place[count] =
            rotation_apply_inverse(w->p, g.axes, vec3_sub(w->p, a->place, lender->place));
        if (!chain_is_fixed(w->m, &place[count]) || (a->body && !add_body(w, &g, a->body)))
            continue;
        a->taken = true;
        mass[count++] = a->mass;
    }
    take_together(w, &g, count, mass, place);
    return g;
}

// --- all of them ---------------------------------------------------------------------------------

// Who lends its axes first: a body that turns with all of them, one that spins, a point
typedef enum { TURNS, SPINS, POINT, ROLES } role;

static role role_of(const member *a) {
    if (!a->body) return POINT;
    return a->spin_axis < 0 ? TURNS : SPINS;
}

uint32_t gyrostat_collect(const model *m, gyrostat **out) {
    collector w = {.m = m, .p = m->pool, .arena = &m->ctx->arena};
    list_members(&w);
    look_at_states(&w);
    gyrostat *list = arena_array(w.arena, gyrostat, w.member_count);
    uint32_t count = 0;
    for (role r = TURNS; r < ROLES; r++)
        for (uint32_t i = 0; i < w.member_count; i++)
            if (!w.members[i].taken && role_of(&w.members[i]) == r)
                list[count++] = gather(&w, &w.members[i]);
    *out = list;
    return count;
}
