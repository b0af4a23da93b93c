// Proof that rows which were not solved hold too, by exact elimination: a segway that rolls on at
// its desired speed asks three times for an upright body.
//
// A row a y + b = 0 with a != 0 at the motion gives y = -b/a; substituted into the others, those
// that are combinations of the solved ones vanish identically (at random points of F_p). If more
// rows than unknowns are left, the one factor of a row that vanishes at the motion takes its place,
// so that rows with a common factor become one, and unknowns that are 0 are set to 0. What is left
// is solved by Newton's method in balls. That gives, for all values near of
// what was not solved for, a zero of all rows. It is the zero of the pivot rows that was enclosed
// before where their slopes are regular over a box that holds both: then
//   F(x) - F(y) = M (x - y),  M a matrix of the slopes over the box, which is regular.
#include "base/budget.h"
#include "model/points.h"
#include "study/steady_problem.h"
#include "study/steady_solve.h"

#include <arb_mat.h>
#include <math.h>

enum { MOST_NODES = 400000, MOST_FACTORS = 32 }; // of expressions made here; of a row

typedef struct {
    const steady_problem *w;
    const steady_rows *rows;
    const newton_result *result;
    state *x; // the motion, as enclosed
    points at;
    uint32_t first; // nodes of the pool before
    expr *row;
    uint32_t count;
    expr *open; // unknowns that were solved for and are not eliminated yet
    uint8_t *rank;
    uint32_t opens;
    expr *gone, *value; // those that are, and what they are
    uint32_t gones;
} work;

// --- elimination ---------------------------------------------------------------------------------

static void drop(uint32_t *count, expr *list, uint32_t i) {
    for (--*count; i < *count; i++) list[i] = list[i + 1];
}

static void forget(work *w, uint32_t j) {
    for (uint32_t i = j; i + 1 < w->opens; i++) w->rank[i] = w->rank[i + 1];
    drop(&w->opens, w->open, j);
}

static void drop_vanishing_rows(work *w) {
    for (uint32_t i = w->count; i-- > 0;)
        if (points_vanish(&w->at, w->row[i]) == VANISHES_YES) drop(&w->count, w->row, i);
}

static void put(work *w, expr y, expr value) {
    expr_substitute(w->w->p, 1, &y, &value, w->count, w->row, w->row);
    expr_substitute(w->w->p, 1, &y, &value, w->gones, w->value, w->value);
    w->gone[w->gones] = y, w->value[w->gones++] = value;
}

// |a| at the motion; 0 where its ball holds 0
static double size_of(work *w, expr a) {
    if (a == EXPR_ZERO) return 0;
    state_reserve(w->x);
    program *prog = program_create(w->w->p, 1, &a);
    arb_t v;
    arb_init(v);
    program_run_arb(prog, w->x->value, w->x->precision, v);
    const double size = arb_is_finite(v) && !arb_contains_zero(v) ? fabs(ball_middle(v)) : 0;
    arb_clear(v);
    program_free(prog);
    return size;
}

// The unknown with the largest coefficient of those in which a row is affine
static bool solve_row(work *w, uint32_t i) {
    pool *p = w->w->p;
    uint32_t best = w->opens;
    double largest = 0;
    for (uint32_t j = 0; j < w->opens; j++) {
        const expr y = w->open[j];
        if (!expr_depends_on(p, w->row[i], 1, &y) || expr_degree(p, w->row[i], 1, &y, NULL) > 1)
            continue;
        const double size = size_of(w, expr_diff(p, w->row[i], y));
        if (size > largest) best = j, largest = size;
    }
    if (best == w->opens) return false;
    const expr y = w->open[best], a = expr_diff(p, w->row[i], y),
               b = expr_at_zero(p, w->row[i], 1, &y);
    drop(&w->count, w->row, i);
    forget(w, best);
    put(w, y, expr_neg(p, expr_div(p, b, a)));
    return true;
}

// False: it became too long
static bool eliminate(work *w) {
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < w->count && !again; i++) again = solve_row(w, i);
        budget_check();
        if (pool_size(w->w->p) - w->first > MOST_NODES) return false;
    }
    drop_vanishing_rows(w);
    return true;
}

// The factor that vanishes at the motion, if there is one and no other
static expr vanishing_factor(work *w, closed_solver *with, expr row) {
    expr factor[MOST_FACTORS], found = EXPR_NONE;
    const expr product = closed_solver_factored(with, row);
    if (product == EXPR_NONE || product == EXPR_ZERO) return product == EXPR_ZERO ? product : row;
    const uint32_t count = closed_solver_factors(with, product, MOST_FACTORS, factor);
    for (uint32_t i = 0; i < count; i++) {
        if (size_of(w, factor[i]) > 0) continue;
        if (found != EXPR_NONE || count == MOST_FACTORS) return row;
        found = factor[i];
    }
    return found == EXPR_NONE ? row : found;
}

// a = k b with a number k: the same quotient at several random points of a few fields F_p
static bool are_proportional(work *w, expr a, expr b) {
    enum { FIELDS = 2, POINTS = 3, MOST_SEEDS = 20 };
    const expr both[2] = {a, b};
    uint32_t fields = 0;
    if (a == b) return true;
    for (uint64_t seed = 0; seed < MOST_SEEDS && fields < FIELDS; seed++) {
        mp_limb_t first = 0;
        uint32_t done = 0;
        for (uint64_t variation = 0; variation < 2 * POINTS && done < POINTS; variation++) {
            random_point at;
            mp_limb_t v[2];
            nmod_t mod;
            if (!random_point_create(&w->at, seed, variation, &at)) continue;
            const bool good = random_point_values(&w->at, &at, 2, both, v) && v[0] && v[1];
            nmod_init(&mod, at.at.prime);
            random_point_clear(&at);
            if (!good) continue;
            const mp_limb_t quotient = nmod_div(v[0], v[1], mod);
            if (done++ && quotient != first) return false;
            first = quotient;
        }
        fields += done == POINTS;
    }
    return fields == FIELDS;
}

static void take_factors(work *w) {
    closed_solver with = {.p = w->w->p, .a = w->w->arena, .at = w->at};
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const expr e = vanishing_factor(w, &with, w->row[i]);
        bool known = e == EXPR_ZERO;
        for (uint32_t k = 0; k < count; k++) known = known || are_proportional(w, w->row[k], e);
        if (!known) w->row[count++] = e;
    }
    w->count = count;
}

static void set_zeros(work *w) {
    for (uint32_t j = w->opens; j-- > 0;) {
        const expr y = w->open[j];
        if (arf_cmpabs_2exp_si(arb_midref(state_get(w->x, y)), -w->x->precision / 2) >= 0) continue;
        forget(w, j);
        put(w, y, EXPR_ZERO);
    }
    drop_vanishing_rows(w);
}

// --- what is left --------------------------------------------------------------------------------

static bool solve_rest(work *w, state *x) {
    const newton_problem problem = {.functions = w->count,
                                    .variables = w->opens,
                                    .function = w->row,
                                    .variable = w->open,
                                    .fixed = w->rank};
    newton_result found = {.row = arena_array(w->w->arena, uint32_t, w->count + 1),
                           .column = arena_array(w->w->arena, uint32_t, w->count + 1)};
    if (w->count != w->opens) return false;
    if (!w->count) return true;
    constraint_newton_solve(x, &problem, &found);
    return found.verified && found.rank == w->count;
}

static void take_values(const work *w, state *x) {
    program *prog = program_create(w->w->p, w->gones, w->value);
    arb_ptr v = _arb_vec_init(w->gones + 1);
    program_run_arb(prog, x->value, x->precision, v);
    for (uint32_t i = 0; i < w->gones; i++) state_set(x, w->gone[i], v + i);
    _arb_vec_clear(v, w->gones + 1);
    program_free(prog);
}

// The slopes of the pivot rows are regular over a box that holds both enclosures
static bool is_same_zero(const work *w, state *x) {
    const steady_problem *p = w->w;
    const uint32_t rank = w->result->rank;
    expr *function = arena_array(p->arena, expr, rank + 1),
         *variable = arena_array(p->arena, expr, rank + 1),
         *slope = arena_array(p->arena, expr, rank * rank + 1);
    for (uint32_t i = 0; i < rank; i++) {
        function[i] = w->rows->function[w->result->row[i]];
        variable[i] = p->unknown[w->result->column[i]];
        arb_ptr v = state_get(x, variable[i]);
        if (!arb_is_finite(v)) return false;
        arb_union(v, v, state_get(w->x, variable[i]), x->precision);
    }
    expr_jacobian(p->p, rank, function, rank, variable, slope);
    state_reserve(x);
    program *prog = program_create(p->p, rank * rank, slope);
    arb_ptr v = _arb_vec_init(rank * rank + 1);
    program_run_arb(prog, x->value, x->precision, v);
    arb_mat_t a, inverse;
    arb_mat_init(a, rank, rank), arb_mat_init(inverse, rank, rank);
    for (uint32_t i = 0; i < rank * rank; i++) arb_set(arb_mat_entry(a, i / rank, i % rank), v + i);
    const bool regular = arb_mat_inv(inverse, a, x->precision);
    arb_mat_clear(a), arb_mat_clear(inverse);
    _arb_vec_clear(v, rank * rank + 1);
    program_free(prog);
    return regular;
}

static bool holds_parameter(const steady_problem *w) {
    for (uint32_t i = 0; i < w->also_count; i++)
        for (uint32_t k = 0; k < w->s->model->parameters_count; k++)
            if (w->s->model->parameters[k].symbol == w->also[i]) return true;
    return false;
}

// `zeros_first`: they are set to 0 before anything is eliminated
static bool prove(work *w, bool zeros_first) {
    if (zeros_first) set_zeros(w);
    for (int step = 0; step < 3; step++) {
        if (step == 1) take_factors(w);
        if (step == 2) set_zeros(w);
        if (!eliminate(w)) return false;
        if (w->count == w->opens) break;
    }
    state x;
    state_copy(w->x, w->x->precision, &x);
    bool good = solve_rest(w, &x);
    if (good) {
        state_reserve(&x);
        take_values(w, &x);
        good = is_same_zero(w, &x);
    }
    state_clear(&x);
    return good;
}

bool steady_follow_prove(const steady_problem *p, const steady_rows *rows,
                         const newton_result *result, const uint8_t *rank, const state *at) {
    arena *a = p->arena;
    state x;
    bool good = false;
    state_copy(at, at->precision, &x);
    for (int zeros_first = 0; zeros_first < 2 && !good; zeros_first++) {
        work w = {.w = p, .rows = rows, .result = result, .x = &x, .first = pool_size(p->p)};
        // parameters that are solved for have no stated value
        w.at = points_on(p->s->model, 0, NULL, !holds_parameter(p));
        w.row = arena_array(a, expr, rows->functions + 1), w.count = rows->functions;
        w.open = arena_array(a, expr, p->unknowns), w.rank = arena_array(a, uint8_t, p->unknowns);
        w.gone = arena_array(a, expr, p->unknowns + 1);
        w.value = arena_array(a, expr, p->unknowns + 1);
        for (uint32_t i = 0; i < w.count; i++) w.row[i] = rows->function[i];
        for (uint32_t i = 0; i < result->rank; i++) {
            w.rank[w.opens] = rank[result->column[i]];
            w.open[w.opens++] = p->unknown[result->column[i]];
        }
        good = prove(&w, zeros_first);
    }
    state_clear(&x);
    return good;
}
