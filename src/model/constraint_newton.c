// Newton's method in Arb arithmetic. The solution is found with midpoints and then
// enclosed by Krawczyk's operator:
//   K(X) = x - Y F(x) + (I - Y J(X)) (X - x)
// in the interior of X proves one solution in X and encloses it: then Y and J are regular, too.
#include "model/constraint_newton.h"

#include <arb_mat.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 80, MOST_HALVINGS = 12, MOST_PATIENT_STEPS = 160, LOOK_BACK = 12 };
// steps shrink by a steady ratio if it changes by no more from one to the next
static const double STEADY_RATIO = 0.02, LARGEST_RATIO = 0.95;
// residual at which a slow iteration is worth a second look
static const double NEARLY_SOLVED = 1e-6;
// a free variable is preferred to a fixed one unless it is this much worse
static const double PIVOT_THRESHOLD = 1e-4;

typedef struct {
    state *x;
    const newton_problem *problem;
    newton_result *result;
    program *prog;  // outputs: F, then dF/dx row by row
    bool only_here; // no other starts
    bool *avoid;    // variables that were solved for in vain
    arb_ptr out;
    arb_mat_t jacobian, residual, step; // of the pivot rows and columns
} solver;

static arb_ptr variable(const solver *w, uint32_t i) {
    return state_get(w->x, w->problem->variable[i]);
}

static void evaluate(solver *w) { program_run_arb(w->prog, w->x->value, w->x->precision, w->out); }

static arb_ptr jacobian_entry(const solver *w, uint32_t i, uint32_t j) {
    return w->out + w->problem->functions + (size_t)i * w->problem->variables + j;
}

// Pivots from the Jacobian at the current point; false if something is not finite there.
static bool find_pivots(solver *w) {
    const uint32_t k = w->problem->functions, n = w->problem->variables;
    double *a = memory_array(double, (size_t)k *n), *cost = memory_array(double, (size_t)k *n);
    bool finite = true;
    for (uint32_t i = 0; i < k; i++) {
        finite = finite && arb_is_finite(w->out + i);
        for (uint32_t j = 0; j < n; j++) {
            a[i * n + j] = ball_middle(jacobian_entry(w, i, j));
            cost[i * n + j] = 2 * w->problem->fixed[j] + w->avoid[j];
            finite = finite && isfinite(a[i * n + j]);
        }
    }
    if (finite)
        w->result->rank =
            pivots_choose(k, n, a, cost, PIVOT_THRESHOLD, w->result->row, w->result->column);
    memory_free(a);
    memory_free(cost);
    return finite;
}

static void load_pivot_block(solver *w) {
    const newton_result *r = w->result;
    for (uint32_t i = 0; i < r->rank; i++) {
        arb_set(arb_mat_entry(w->residual, i, 0), w->out + r->row[i]);
        for (uint32_t j = 0; j < r->rank; j++)
            arb_set(arb_mat_entry(w->jacobian, i, j), jacobian_entry(w, r->row[i], r->column[j]));
    }
}

static double residual_norm(const solver *w) {
    double norm = 0;
    for (uint32_t i = 0; i < w->result->rank; i++) {
        if (!arb_is_finite(w->out + w->result->row[i])) return INFINITY;
        norm = fmax(norm, fabs(ball_middle(w->out + w->result->row[i])));
    }
    return norm;
}

// x -= factor * step, keeping midpoints only
static void move(solver *w, int halvings) {
    arb_t d;
    arb_init(d);
    for (uint32_t j = 0; j < w->result->rank; j++) {
        arb_ptr x = variable(w, w->result->column[j]);
        arb_mul_2exp_si(d, arb_mat_entry(w->step, j, 0), -halvings);
        arb_sub(x, x, d, w->x->precision);
        mag_zero(arb_radref(x));
    }
    arb_clear(d);
}

static bool step_is_negligible(const solver *w) {
    for (uint32_t j = 0; j < w->result->rank; j++) {
        arb_srcptr x = variable(w, w->result->column[j]), d = arb_mat_entry(w->step, j, 0);
        const slong scale =
            arf_cmpabs_2exp_si(arb_midref(x), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(x)) : 0;
        if (arf_cmpabs_2exp_si(arb_midref(d), scale - w->x->precision + 24) > 0) return false;
    }
    return true;
}

static double step_size(const solver *w) {
    double size = 0;
    for (uint32_t j = 0; j < w->result->rank; j++)
        size = fmax(size, fabs(ball_middle(arb_mat_entry(w->step, j, 0))));
    return size;
}

// How steps shrink. Towards a root of multiplicity m they do by the ratio (m - 1)/m, and m steps at
// once lead there.
typedef struct {
    double size, ratio; // of the last step
    double times;       // m, where it was found
    int since;          // steps since m were taken at once
} shrinking;

// Makes the step longer where that is so.
static void lengthen_step(solver *w, shrinking *last) {
    const double size = step_size(w), ratio = size / last->size;
    const bool is_steady = last->since >= 3 && ratio > 1 / 3. && ratio < LARGEST_RATIO &&
                           fabs(ratio - last->ratio) < STEADY_RATIO;
    const double times = is_steady ? round(1 / (1 - ratio)) : 1;
    last->since++, last->size = size, last->ratio = ratio;
    if (times < 2) return;
    arb_mat_scalar_mul_si(w->step, w->step, (slong)times, w->x->precision);
    last->since = 0, last->times = times;
    w->result->multiple = true, w->result->error = size * times;
}

// A multiple root was reached as nearly as rounding lets: F vanishes to the digits it has. What is
// left of the way is m times the next step.
static bool has_arrived(solver *w, const shrinking *last) {
    if (!w->result->multiple || !(residual_norm(w) < ldexp(1, 32 - (int)w->x->precision)))
        return false;
    if (arb_mat_approx_solve(w->step, w->jacobian, w->residual, w->x->precision) &&
        step_size(w) * last->times < w->result->error)
        w->result->error = step_size(w) * last->times;
    return true;
}

// Newton's iteration with step halving while the residual grows.
static bool iterate(solver *w) {
    const int most = w->problem->patient ? MOST_PATIENT_STEPS : MOST_STEPS;
    shrinking last = {.size = INFINITY};
    double norm = INFINITY; // some steps ago
    for (int count = 0; count < most; count++) {
        if (w->problem->patient && count % LOOK_BACK == 0) { // nothing is gained any more
            if (residual_norm(w) > norm / 2) return false;
            norm = residual_norm(w);
        }
        load_pivot_block(w);
        if (has_arrived(w, &last)) return true;
        if (!arb_mat_approx_solve(w->step, w->jacobian, w->residual, w->x->precision)) return false;
        const double before = residual_norm(w);
        const bool done = step_is_negligible(w);
        if (w->problem->patient) lengthen_step(w, &last);
        move(w, 0);
        evaluate(w);
        if (done) return true;
        // go back half of the last move
        for (int h = 1; h <= MOST_HALVINGS && !(residual_norm(w) <= before); h++) {
            arb_mat_neg(w->step, w->step);
            move(w, h);
            arb_mat_neg(w->step, w->step);
            evaluate(w);
        }
        if (!isfinite(residual_norm(w))) return false;
    }
    return false;
}

// Krawczyk's test on a box of radius 2^(16 - precision) (scaled) around the solution found; on
// success the variables become its enclosure.
static bool verify(solver *w) {
    const uint32_t r = w->result->rank;
    const slong prec = w->x->precision;
    arb_mat_t y, box, centre, image;
    arb_mat_init(y, r, r), arb_mat_init(box, r, 1), arb_mat_init(centre, r, 1),
        arb_mat_init(image, r, 1);
    load_pivot_block(w); // F and J at the centre
    bool ok = arb_mat_approx_inv(y, w->jacobian, prec);
    arb_mat_t fx;
    arb_mat_init(fx, r, 1);
    arb_mat_mul(fx, y, w->residual, prec); // Y F(x)
    for (uint32_t j = 0; j < r; j++) {
        arb_ptr x = variable(w, w->result->column[j]);
        arb_set(arb_mat_entry(centre, j, 0), x);
        const slong size =
            arf_cmpabs_2exp_si(arb_midref(x), 0) > 0 ? arf_abs_bound_lt_2exp_si(arb_midref(x)) : 0;
        arb_add_error_2exp_si(x, size - prec + 32);
        arb_set(arb_mat_entry(box, j, 0), x);
    }
    evaluate(w);
    load_pivot_block(w); // J over the box
    arb_mat_mul(w->jacobian, y, w->jacobian, prec);
    arb_mat_neg(w->jacobian, w->jacobian);
    for (uint32_t j = 0; j < r; j++)
        arb_add_ui(arb_mat_entry(w->jacobian, j, j), arb_mat_entry(w->jacobian, j, j), 1, prec);
    arb_mat_sub(image, box, centre, prec);
    arb_mat_mul(image, w->jacobian, image, prec);
    arb_mat_add(image, image, centre, prec);
    arb_mat_sub(image, image, fx, prec);
    for (uint32_t j = 0; j < r && ok; j++)
        ok = arb_contains_interior(arb_mat_entry(box, j, 0), arb_mat_entry(image, j, 0));
    for (uint32_t j = 0; j < r; j++)
        arb_set(variable(w, w->result->column[j]), arb_mat_entry(ok ? image : centre, j, 0));
    evaluate(w);
    arb_mat_clear(y), arb_mat_clear(box), arb_mat_clear(centre), arb_mat_clear(image),
        arb_mat_clear(fx);
    return ok;
}

static void solve_pivots(solver *w) {
    const uint32_t rank = w->result->rank;
    arb_mat_init(w->jacobian, rank, rank);
    arb_mat_init(w->residual, rank, 1);
    arb_mat_init(w->step, rank, 1);
    w->result->converged = iterate(w);
    if (w->result->converged && !w->result->multiple) w->result->verified = verify(w);
    arb_mat_clear(w->jacobian);
    arb_mat_clear(w->residual);
    arb_mat_clear(w->step);
}

// How firmly the variables that were solved for had been given.
static uint32_t price(const solver *w) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < w->result->rank; i++) sum += w->problem->fixed[w->result->column[i]];
    return sum;
}

// Variables that are no pivots any more, and were moved by rounding only, go back
static void return_noise(solver *w, arb_srcptr start) {
    const newton_result *r = w->result;
    arb_t moved;
    arb_init(moved);
    for (uint32_t j = 0; j < w->problem->variables; j++) {
        bool solved = false;
        for (uint32_t i = 0; i < r->rank; i++) solved = solved || r->column[i] == j;
        arb_sub(moved, variable(w, j), start + j, w->x->precision);
        if (!solved && arf_cmpabs_2exp_si(arb_midref(moved), -w->x->precision / 2) < 0)
            arb_set(variable(w, j), start + j);
    }
    arb_clear(moved);
    evaluate(w);
}

// One attempt: free variables start at `value` (at their own values for 0); those that are no
// pivots go back to where they were.
static void attempt(solver *w, arb_srcptr start, double value) {
    newton_result *r = w->result;
    const uint32_t n = w->problem->variables;
    *r = (newton_result){.row = r->row, .column = r->column};
    for (uint32_t j = 0; j < n; j++) {
        arb_set(variable(w, j), start + j);
        if (w->problem->fixed[j] || value == 0) continue;
        // not all equal: symmetric points are often singular
        arb_set_d(variable(w, j), value * (1 + 0.125 * j));
    }
    evaluate(w);
    if (!find_pivots(w)) return;
    bool *solved = memory_zeros(bool, n);
    for (uint32_t i = 0; i < r->rank; i++) solved[r->column[i]] = true;
    for (uint32_t j = 0; j < n; j++)
        if (!solved[j]) arb_set(variable(w, j), start + j);
    memory_free(solved);
    evaluate(w);
    solve_pivots(w);
    if ((!r->converged && !(residual_norm(w) < NEARLY_SOLVED)) || r->multiple) return;
    // rows may be dependent at the solution though they were not at the start
    const uint32_t before = r->rank;
    uint32_t *row = memory_array(uint32_t, 2 * before), *column = row + before;
    memcpy(row, r->row, sizeof(uint32_t) * before);
    memcpy(column, r->column, sizeof(uint32_t) * before);
    if (find_pivots(w) && r->rank < before) {
        return_noise(w, start);
        solve_pivots(w);
    } else { // keep the choice that was solved with
        r->rank = before;
        memcpy(r->row, row, sizeof(uint32_t) * before);
        memcpy(r->column, column, sizeof(uint32_t) * before);
    }
    memory_free(row);
}

// Of the starts that converge with the highest rank, the one that moves the fewest given values;
// then the first: values given choose the branch, a square root comes out positive.
static bool try_starts(solver *w, arb_srcptr start) {
    static const double starts[] = {0, 1, 0.25, 4, -1};
    enum { COUNT = sizeof starts / sizeof *starts };
    int best = -1;
    uint32_t best_rank = 0, best_price = 0;
    for (int i = 0; i < (w->only_here ? 1 : COUNT); i++) {
        attempt(w, start, starts[i]);
        if (!w->result->converged) continue;
        const uint32_t rank = w->result->rank, cost = price(w);
        if (best >= 0 && (rank < best_rank || (rank == best_rank && cost >= best_price))) continue;
        best = i, best_rank = rank, best_price = cost;
        if (rank == w->problem->functions && cost == 0) return true;
    }
    attempt(w, start, starts[best >= 0 ? best : 0]);
    return best >= 0;
}

static void solve(state *x, const newton_problem *problem, bool only_here, newton_result *result) {
    const uint32_t k = problem->functions, n = problem->variables, count = k + k * n;
    pool *p = x->model->pool;
    expr *outputs = memory_array(expr, count);
    for (uint32_t i = 0; i < k; i++) outputs[i] = problem->function[i];
    expr_jacobian(p, k, problem->function, n, problem->variable, outputs + k);
    state_reserve(x);
    solver w = {.x = x, .problem = problem, .result = result, .only_here = only_here};
    w.prog = program_create(p, count, outputs);
    w.out = _arb_vec_init(count);
    arb_ptr start = _arb_vec_init(n);
    for (uint32_t j = 0; j < n; j++) arb_set(start + j, variable(&w, j));
    w.avoid = memory_zeros(bool, n);
    // once more with other variables: z'^2 = -1 has no root, but x' may make it positive
    if (!try_starts(&w, start)) {
        for (uint32_t i = 0; i < result->rank; i++) w.avoid[result->column[i]] = true;
        try_starts(&w, start);
    }
    memory_free(w.avoid);
    _arb_vec_clear(start, n);
    _arb_vec_clear(w.out, count);
    program_free(w.prog);
    memory_free(outputs);
}

void constraint_newton_solve(state *x, const newton_problem *problem, newton_result *result) {
    solve(x, problem, false, result);
}

void constraint_newton_solve_here(state *x, const newton_problem *problem, newton_result *result) {
    solve(x, problem, true, result);
}
