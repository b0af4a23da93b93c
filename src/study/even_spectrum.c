// Even characteristic polynomials, by the structure of the system.
//
// Hamiltonian: no forces beside the potential but gyroscopic ones with constant coefficients (G is
// closed, and so is its contraction with a symmetry X, since L_X G = 0: a momentum is there, at
// least locally), and no constraints on velocities. Seen by an observer whom the group carries
// along, the motion is that of the energy H - sum_a xi_a J_a, whose linear part has a polynomial
// that is even. The neutral directions are moved copies and a family; on these A acts as the group
// does (ad xi) or maps into them, and for shifts and rotations that polynomial is even, or x times
// an even one: so is that of the quotient. Where the mass matrix M is constant and positive, L is
// invariant only under maps with A^T M + M A = 0: rotations in coordinates in which M is 1.
//
// Reversible: there are signs s_i, t_j such that R: q_i -> s_i q_i, eta_j -> t_j eta_j turns f into
// -f, f(R z) = -R f(z). Let z be a point of the steady motion with R z = z, and X the motion of the
// group there, f(z) = X(z). Y = -R X R is a symmetry of f as X is, and Y(z) = -R f(z) = f(z) =
// X(z). Where no symmetry leaves z where it is, Y = X: then f - X is turned into its negative too,
// and A = d(f - X) has R A R = -A: lambda and -lambda are eigenvalues together, and the neutral
// directions, being those that A has by symmetry and family, are mapped to themselves by R.
//
// z need not be the point that was found: a moved copy S z has A conjugated by S, which has the
// same eigenvalues. Coordinate i is brought to 0 by a symmetry that shifts it and moves others only
// that can be brought to 0 after it, by symmetries that do not move i; none may change eta. Signs
// are free for what can be brought to 0 so, and for what stays 0 and is moved by none of these.
#include "study/even_spectrum.h"

#include "model/points.h"
#include "study/steady_problem.h"

#include <math.h>

// --- Hamiltonian ---------------------------------------------------------------------------------

static bool group_is_euclidean(const steady_problem *w) {
    const uint32_t n = w->s->n;
    for (uint32_t a = 0; a < w->group->count; a++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (w->group->at[a].matrix[i * n + j] !=
                    expr_neg(w->p, w->group->at[a].matrix[j * n + i]))
                    return false;
    return true;
}

// d2L/dq'dq' has the same positive definite value everywhere, all along the path
static bool has_constant_mass(const steady_path *a) {
    const steady_problem *w = a->w;
    const steady_motion *at = a->from;
    const uint32_t n = w->s->n, size = n + w->s->k;
    expr *mass = arena_array(w->arena, expr, n * n);
    for (uint32_t i = 0; i < n * n; i++) mass[i] = w->inertia[i / n * size + i % n];
    if (expr_any_depends_on(w->p, n * n, mass, n, w->s->q) ||
        expr_any_depends_on(w->p, n * n, mass, n, w->s->qd) ||
        expr_any_depends_on(w->p, n * n, mass, a->settings, a->setting) ||
        expr_any_depends_on(w->p, n * n, mass, 1, &a->p))
        return false;
    program *prog = program_create(w->p, n * n, mass);
    arb_ptr v = _arb_vec_init(n * n);
    arb_mat_t m, factor;
    arb_mat_init(m, n, n), arb_mat_init(factor, n, n);
    program_run_arb(prog, at->x.value, at->x.precision, v);
    for (uint32_t i = 0; i < n * n; i++) arb_set(arb_mat_entry(m, i / n, i % n), v + i);
    const bool positive = arb_mat_cho(factor, m, at->x.precision);
    arb_mat_clear(m), arb_mat_clear(factor);
    _arb_vec_clear(v, n * n);
    program_free(prog);
    return positive;
}

// F_i = sum_j G_ij q'_j with constants G_ij = -G_ji: a closed form, as that of a magnetic field
static bool forces_are_gyroscopic(const steady_problem *w) {
    const mechanics *s = w->s;
    const uint32_t n = s->n;
    bool none = true;
    if (s->forces_hold_multipliers) return false;
    for (uint32_t i = 0; i < n; i++) none = none && s->force[i] == EXPR_ZERO;
    if (none) return true;
    expr *g = arena_array(w->arena, expr, n * n + 1),
         *moving = arena_array(w->arena, expr, 2 * n + 1);
    for (uint32_t i = 0; i < n; i++) moving[i] = s->q[i], moving[n + i] = s->qd[i];
    expr_jacobian(w->p, n, s->force, n, s->qd, g);
    points at = points_of(s);
    for (uint32_t i = 0; i < n; i++) {
        const expr rest = expr_sub(w->p, s->force[i], expr_dot(w->p, n, g + i * n, s->qd));
        if (points_vanish(&at, rest) != VANISHES_YES) return false;
        for (uint32_t j = 0; j < n; j++) {
            const expr sum = expr_add(w->p, g[i * n + j], g[j * n + i]);
            if (expr_depends_on(w->p, g[i * n + j], 2 * n, moving) ||
                points_vanish(&at, sum) != VANISHES_YES)
                return false;
        }
    }
    return true;
}

static bool is_hamiltonian(const steady_path *a) {
    const steady_problem *w = a->w;
    const mechanics *s = w->s;
    if (!forces_are_gyroscopic(w)) return false;
    for (uint32_t nu = 0; nu < s->k; nu++)
        if (s->model->constraints[s->constraint[nu]].order != 0) return false;
    return group_is_euclidean(w) || has_constant_mass(a);
}

// --- reversible ----------------------------------------------------------------------------------

enum { MOST_SIGNS = 14 };

typedef struct {
    const steady_path *a;
    const ode *o;
    uint32_t size, n;
    bool *fixed;   // z_i moves along the path, or is not 0: its sign is 1
    bool *movable; // symmetries bring it to 0
    program *rates;
    double *symbols, *plain, *turned;
} reversal;

// 0 all along, so that its sign may be -1
static bool stays_zero(const steady_path *a, expr symbol) {
    for (uint32_t i = 0; i < a->settings; i++)
        if (a->setting[i] == symbol) return false;
    for (uint32_t i = 0; i < a->stills; i++)
        if (a->w->unknown[a->zero[i]] == symbol) return true;
    for (uint32_t i = 0; i < a->rank; i++)
        if (a->w->unknown[a->solved[i]] == symbol) return false;
    return arb_is_zero(state_get((state *)&a->from->x, symbol));
}

// Does a symmetry leave all eta = Psi(q, q') as they are?
static bool keeps_eta(const steady_problem *w, const symmetry *x) {
    const mechanics *s = w->s;
    const uint32_t n = s->n;
    expr *variable = arena_array(w->arena, expr, 2 * n),
         *along = arena_array(w->arena, expr, 2 * n),
         *change = arena_array(w->arena, expr, s->m + 1);
    for (uint32_t i = 0; i < n; i++) {
        variable[i] = s->q[i], along[i] = x->field[i];
        variable[n + i] = s->qd[i];
        along[n + i] = expr_dot(w->p, n, x->matrix + i * n, s->qd);
    }
    expr_pushforward(w->p, 2 * n, variable, along, s->m, s->psi, change);
    points at = points_of(s);
    for (uint32_t i = 0; i < s->m; i++)
        if (points_vanish(&at, change[i]) != VANISHES_YES) return false;
    return true;
}

// A symmetry that shifts coordinate i, and moves nothing else but what others bring back to 0
static bool brings_to_zero(const reversal *r, const symmetry *x, uint32_t i) {
    for (uint32_t k = 0; k < r->n; k++) {
        if (x->matrix[i * r->n + k] != EXPR_ZERO) return false;
        if (k != i && x->field[k] != EXPR_ZERO && !r->movable[k]) return false;
    }
    return x->shift[i] != EXPR_ZERO && keeps_eta(r->a->w, x);
}

// Signs are free where z_i stays 0, or where a moved copy of the motion has 0 there.
static void look_at_motion(reversal *r) {
    const steady_problem *w = r->a->w;
    for (uint32_t i = 0; i < r->size; i++) r->fixed[i] = !stays_zero(r->a, r->o->state[i]);
    for (uint32_t pass = 0; pass < r->n; pass++)
        for (uint32_t b = 0; b < w->group->count; b++)
            for (uint32_t i = 0; i < r->n; i++)
                if (!r->movable[i] && brings_to_zero(r, &w->group->at[b], i))
                    r->fixed[i] = false, r->movable[i] = true;
}

// No symmetry leaves the motion where it is: the X_a are independent there
static bool is_moved_by_all(const steady_path *a) {
    const uint32_t g = a->w->group->count, height = 2 * a->w->s->n + a->w->s->m;
    arb_ptr v = _arb_vec_init((slong)g * height + 1);
    double *m = memory_array(double, g *height + 1);
    uint32_t *index = memory_array(uint32_t, 2 * (g + height) + 1);
    linear_problem_run(a->copies, &a->from->x, a->from->x.precision, v);
    for (uint32_t i = 0; i < g * height; i++) m[i] = ball_middle(v + i);
    const bool moved = !g || pivots_choose(g, height, m, NULL, 1, index, index + g + height) == g;
    _arb_vec_clear(v, (slong)g * height + 1);
    memory_free(m), memory_free(index);
    return moved;
}

static double sign_of(uint32_t signs, uint32_t i) { return signs >> i & 1 ? -1 : 1; }

// f(R z) = -R f(z) at one point, in doubles
static bool fits(reversal *r, uint32_t signs) {
    const pool *p = r->a->w->p;
    for (uint32_t i = 0; i < r->size; i++)
        r->symbols[expr_symbol_index(p, r->o->state[i])] *= sign_of(signs, i);
    program_run_double(r->rates, r->symbols, r->turned);
    for (uint32_t i = 0; i < r->size; i++)
        r->symbols[expr_symbol_index(p, r->o->state[i])] *= sign_of(signs, i);
    for (uint32_t i = 0; i < r->size; i++)
        if (!(fabs(r->turned[i] + sign_of(signs, i) * r->plain[i]) <=
              1e-9 * (1 + fabs(r->plain[i]))))
            return false;
    return true;
}

// The same as an identity
static bool holds(reversal *r, uint32_t signs) {
    pool *p = r->a->w->p;
    arena *memory = r->a->w->arena;
    expr *turned = arena_array(memory, expr, r->size), *rate = arena_array(memory, expr, r->size);
    for (uint32_t i = 0; i < r->size; i++)
        turned[i] = sign_of(signs, i) < 0 ? expr_neg(p, r->o->state[i]) : r->o->state[i];
    expr_substitute(p, r->size, r->o->state, turned, r->size, r->o->rate, rate);
    points at = points_of(r->a->w->s);
    for (uint32_t i = 0; i < r->size; i++) {
        const expr back = sign_of(signs, i) < 0 ? expr_neg(p, r->o->rate[i]) : r->o->rate[i];
        if (points_vanish(&at, expr_add(p, rate[i], back)) != VANISHES_YES) return false;
    }
    return true;
}

static void choose_point(reversal *r) {
    const state *x = &r->a->from->x;
    for (uint32_t i = 0; i < x->capacity; i++) r->symbols[i] = ball_middle(x->value + i);
    for (uint32_t i = 0; i < r->size; i++) // nowhere special
        r->symbols[expr_symbol_index(r->a->w->p, r->o->state[i])] +=
            0.1 + 0.37 * fmod(0.6180339887 * (i + 1), 1);
    program_run_double(r->rates, r->symbols, r->plain);
}

static bool is_reversible(const steady_path *a) {
    const ode *o = a->linear.o;
    reversal r = {.a = a, .o = o, .size = o->size, .n = a->w->s->n};
    if (r.size > MOST_SIGNS || a->linear.holonomic || !is_moved_by_all(a)) return false;
    r.fixed = memory_zeros(bool, 2 * r.size + 1), r.movable = r.fixed + r.size;
    r.rates = program_create(a->w->p, r.size, o->rate);
    r.symbols = memory_zeros(double, pool_symbol_count(a->w->p) + a->from->x.capacity + 1);
    r.plain = memory_zeros(double, 2 * r.size + 1), r.turned = r.plain + r.size;
    look_at_motion(&r);
    choose_point(&r);
    bool found = false;
    for (uint32_t signs = 0; signs < 1u << r.size && !found; signs++) {
        bool allowed = true;
        for (uint32_t i = 0; i < r.size; i++) allowed = allowed && !(r.fixed[i] && signs >> i & 1);
        found = allowed && fits(&r, signs) && holds(&r, signs);
    }
    memory_free(r.fixed), memory_free(r.symbols), memory_free(r.plain);
    program_free(r.rates);
    return found;
}

bool even_spectrum_is_proved(const steady_path *a) { return is_hamiltonian(a) || is_reversible(a); }

// --- one motion ----------------------------------------------------------------------------------

// Is the motion of the path, where unknowns that seem 0 are so exactly, the one that was proved?
static bool is_same(const steady_path *a, path_point *on) {
    for (uint32_t i = 0; i < a->w->unknowns; i++) {
        const expr x = a->w->unknown[i];
        if (!arb_contains(state_get((state *)&a->from->x, x), state_get(&on->x, x))) return false;
    }
    return true;
}

bool even_spectrum_at(steady_problem *w, const steady_motion *at, const ode *o,
                      const completion_request *guess) {
    enum { MORE_BITS = 64 };
    if (!at->proved) return false;
    steady_path a; // along something that nothing depends on; such a name cannot be written
    path_point on;
    steady_path_create(w, at, o, guess, expr_symbol(w->p, "along nothing", ROLE_PARAMETER), false,
                       &a);
    bool even = even_spectrum_is_proved(&a);
    if (even) {
        path_point_init(&a, at->x.precision + MORE_BITS, &on);
        even = path_point_solve(&a, &on);
        if (even) path_point_enclose(&a, &on);
        even = even && on.proved && is_same(&a, &on);
        path_point_clear(&on);
    }
    steady_path_clear(&a);
    return even;
}
