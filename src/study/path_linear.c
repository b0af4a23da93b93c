// The linear motion at a point of a path, and how its polynomial changes along the path.
#include "study/steady_path.h"
#include "study/steady_problem.h"

#include <acb_mat.h>

static arb_ptr slope(const steady_path *a, uint32_t i, uint32_t unknown) {
    return a->value + a->rank + (size_t)i * a->w->unknowns + unknown;
}

static arb_ptr slope_rate(const steady_path *a, uint32_t i, uint32_t unknown) {
    return a->value + a->rows->output_count + (size_t)i * a->w->unknowns + unknown;
}

// ds/dp = -(dF/ds)^-1 dF/dp, into the state
static bool set_pace(steady_path *a, path_point *at, const matrix_jet *left) {
    const uint32_t r = a->rank;
    arb_mat_t right, x;
    arb_mat_init(right, r, 1), arb_mat_init(x, r, 1);
    for (uint32_t i = 0; i < r; i++)
        arb_neg(arb_mat_entry(right, i, 0), a->value + (size_t)r * (a->w->unknowns + 1) + i);
    const bool good = matrix_jet_solve_values(x, left->v, right, at->x.precision);
    for (uint32_t i = 0; i < r && good; i++) state_set(&at->x, a->pace[i], arb_mat_entry(x, i, 0));
    arb_mat_clear(right), arb_mat_clear(x);
    return good;
}

typedef struct {
    uint32_t *place; // of each unknown: among s, or among the others
    bool *solved, *zero;
    matrix_jet left, right, x;
} directions;

static void load_slopes(const steady_path *a, directions *d) {
    for (uint32_t i = 0; i < a->rank; i++)
        for (uint32_t j = 0; j < a->w->unknowns; j++) {
            if (d->solved[j]) arb_set(arb_mat_entry(d->left.v, i, d->place[j]), slope(a, i, j));
            else if (!d->zero[j])
                arb_neg(arb_mat_entry(d->right.v, i, d->place[j]), slope(a, i, j));
        }
}

static bool solve_directions(steady_path *a, path_point *at, const path_ball *ball, directions *d) {
    const uint32_t r = a->rank, count = a->w->unknowns;
    linear_problem_run(a->rows, &at->x, at->x.precision, a->value);
    load_slopes(a, d);
    if (ball) {
        arb_ptr rate = a->value + a->rows->output_count;
        if (!set_pace(a, at, &d->left)) return false;
        state_reserve(&at->x);
        // F itself and dF/dp are not looked at: their places hold no rates
        arb_ptr all = _arb_vec_init(a->rows->output_count);
        linear_problem_run(a->slope_rates, &at->x, at->x.precision, rate);
        for (uint32_t i = 0; i < r * count; i++) arb_set(all + r + i, rate + i);
        for (uint32_t i = 0; i < r; i++) {
            arb_indeterminate(all + i);
            arb_indeterminate(all + (size_t)r * (count + 1) + i);
        }
        linear_problem_narrow(a->rows, ball, at->x.precision, all, a->value);
        _arb_vec_clear(all, a->rows->output_count);
        load_slopes(a, d);
    }
    for (uint32_t i = 0; i < r && d->x.rates; i++)
        for (uint32_t j = 0; j < count; j++) {
            if (d->solved[j])
                arb_set(arb_mat_entry(d->left.d, i, d->place[j]), slope_rate(a, i, j));
            else if (!d->zero[j])
                arb_neg(arb_mat_entry(d->right.d, i, d->place[j]), slope_rate(a, i, j));
        }
    return matrix_jet_solve(&d->x, &d->left, &d->right, at->x.precision);
}

// d(s)/d(others) = -(dF/ds)^-1 dF/d(others), as columns of d(q, q', eta). False where dF/ds may be
// singular.
static bool find_directions(steady_path *a, path_point *at, const path_ball *ball,
                            matrix_jet *out) {
    const mechanics *s = a->w->s;
    const uint32_t r = a->rank, count = a->w->unknowns, open = count - r - a->zeros, n = s->n;
    const bool rates = out->rates;
    directions d = {.place = memory_array(uint32_t, count + 1),
                    .solved = memory_zeros(bool, count + 1),
                    .zero = memory_zeros(bool, count + 1)};
    for (uint32_t i = 0; i < a->zeros; i++) d.zero[a->zero[i]] = true;
    for (uint32_t i = 0; i < r; i++) d.solved[a->solved[i]] = true, d.place[a->solved[i]] = i;
    for (uint32_t j = 0, next = 0; j < count; j++)
        if (!d.solved[j] && !d.zero[j]) d.place[j] = next++;
    matrix_jet_init(&d.left, r, r, rates), matrix_jet_init(&d.right, r, open, rates);
    matrix_jet_init(&d.x, r, open, rates);
    const bool good = solve_directions(a, at, ball, &d);
    for (uint32_t i = 0; i < 2 * n + s->m && good; i++) {
        // eta are unknowns of their own, or the independent q'
        const uint32_t j = i < 2 * n ? i : s->has_quasi ? i : n + s->independent[i - 2 * n];
        for (uint32_t k = 0; k < open; k++) {
            if (d.solved[j]) matrix_jet_copy(out, i, k, &d.x, d.place[j], k, false);
            else if (!d.zero[j] && d.place[j] == k) arb_one(arb_mat_entry(out->v, i, k));
        }
    }
    matrix_jet_clear(&d.left), matrix_jet_clear(&d.right), matrix_jet_clear(&d.x);
    memory_free(d.place), memory_free(d.solved), memory_free(d.zero);
    return good;
}

// Moved copies are among these directions, and known without solving: they take the places of as
// many columns, so that these are exact. Along with the others they span the same space.
static void use_copies(steady_path *a, path_point *at, matrix_jet *out) {
    const uint32_t g = a->w->group->count, height = (uint32_t)arb_mat_nrows(out->v),
                   open = (uint32_t)arb_mat_ncols(out->v), count = g * height;
    arb_ptr v = _arb_vec_init(2 * count + 1);
    double *m = memory_array(double, g *open + 1), *cost = memory_array(double, g *open + 1);
    uint32_t *row = memory_array(uint32_t, 2 * (g + open) + 1), *column = row + g + open;
    linear_problem_run(a->copies, &at->x, at->x.precision, v);
    if (out->rates) linear_problem_run(a->copy_rates, &at->x, at->x.precision, v + count);
    // in what is not solved for, a direction is its own coefficients
    bool *solved = memory_zeros(bool, a->w->unknowns + 1);
    for (uint32_t i = 0; i < a->rank; i++) solved[a->solved[i]] = true;
    for (uint32_t i = 0; i < a->zeros; i++) solved[a->zero[i]] = true;
    for (uint32_t j = 0, k = 0; j < a->w->unknowns && k < open; j++) {
        if (solved[j]) continue;
        // what is held at 0 first: steady_path.c counts on it
        const bool held_at_zero = arb_is_zero(state_get(&at->x, a->w->unknown[j]));
        for (uint32_t b = 0; b < g; b++) {
            m[b * open + k] = j < height ? ball_middle(v + b * height + j) : 0;
            cost[b * open + k] = held_at_zero ? 0 : 1;
        }
        k++;
    }
    const uint32_t rank = g && open ? pivots_choose(g, open, m, cost, 1e-6, row, column) : 0;
    for (uint32_t i = 0; i < rank; i++)
        for (uint32_t k = 0; k < height; k++) {
            arb_set(arb_mat_entry(out->v, k, column[i]), v + row[i] * height + k);
            if (out->rates)
                arb_set(arb_mat_entry(out->d, k, column[i]), v + count + row[i] * height + k);
        }
    _arb_vec_clear(v, 2 * count + 1);
    memory_free(m), memory_free(cost), memory_free(row), memory_free(solved);
}

// d/dp det(x - B) = -tr(adj(x - B) B'); adj(x - B) = sum_k N_k x^k with N_(n-1) = 1 and
// N_(k-1) = B N_k + c_k (Faddeev and LeVerrier)
static void find_rate(const arb_poly_t c, const matrix_jet *b, slong bits, arb_poly_t out) {
    const slong n = arb_mat_nrows(b->v);
    arb_mat_t adjugate, product;
    arb_t v;
    arb_init(v);
    arb_mat_init(adjugate, n, n), arb_mat_init(product, n, n);
    arb_poly_zero(out);
    arb_mat_one(adjugate);
    for (slong k = n - 1; k >= 0; k--) {
        arb_mat_mul(product, adjugate, b->d, bits);
        arb_mat_trace(v, product, bits);
        arb_neg(v, v);
        arb_poly_set_coeff_arb(out, k, v);
        arb_mat_mul(adjugate, b->v, adjugate, bits);
        arb_poly_get_coeff_arb(v, c, k);
        for (slong i = 0; i < n; i++)
            arb_add(arb_mat_entry(adjugate, i, i), arb_mat_entry(adjugate, i, i), v, bits);
    }
    arb_mat_clear(adjugate), arb_mat_clear(product);
    arb_clear(v);
}

// A real matrix of eigenvectors, of a pair real and imaginary part; good to a few digits
static void choose_basis(const arb_mat_t b, arb_mat_t out) {
    const slong n = arb_mat_nrows(b), bits = 64;
    acb_mat_t a, right;
    acb_ptr e = _acb_vec_init(n);
    acb_mat_init(a, n, n), acb_mat_init(right, n, n);
    acb_mat_set_arb_mat(a, b);
    acb_mat_get_mid(a, a);
    acb_mat_approx_eig_qr(e, NULL, right, a, NULL, 0, bits);
    slong next = 0;
    for (slong j = 0; j < n; j++) {
        const int sign = arf_cmpabs_2exp_si(arb_midref(acb_imagref(e + j)), -40) > 0
                             ? arf_sgn(arb_midref(acb_imagref(e + j)))
                             : 0;
        for (int part = 0; part < 1 + sign && next < n; part++, next++)
            for (slong i = 0; i < n; i++) {
                acb_srcptr v = acb_mat_entry(right, i, j);
                arb_get_mid_arb(arb_mat_entry(out, i, next),
                                part ? acb_imagref(v) : acb_realref(v));
            }
    }
    _acb_vec_clear(e, n);
    acb_mat_clear(a), acb_mat_clear(right);
}

enum { MOST_BITS = 7 }; // of the inverse of a basis that is good

// B in a basis in which it is nearly diagonal: the same polynomial, from balls that cancel less
static void narrow(matrix_jet *b, slong bits) {
    const slong n = arb_mat_nrows(b->v);
    arb_mat_t v, inverse, part;
    arb_mat_init(v, n, n), arb_mat_init(inverse, n, n), arb_mat_init(part, n, n);
    choose_basis(b->v, v);
    // near a double eigenvalue such a basis is none
    mag_t size;
    mag_init(size);
    bool good = n && arb_mat_is_finite(v) && arb_mat_inv(inverse, v, bits);
    if (good) arb_mat_bound_inf_norm(size, inverse);
    good = good && mag_cmp_2exp_si(size, MOST_BITS) < 0;
    mag_clear(size);
    if (good) {
        arb_mat_mul(part, b->v, v, bits), arb_mat_mul(b->v, inverse, part, bits);
        arb_mat_mul(part, b->d, v, bits), arb_mat_mul(b->d, inverse, part, bits);
    }
    arb_mat_clear(v), arb_mat_clear(inverse), arb_mat_clear(part);
}

bool path_point_linearise(steady_path *a, path_point *at, path_point *middle) {
    const mechanics *s = a->w->s;
    matrix_jet direction;
    arb_t shift;
    if (at->has_linear) linear_matrices_clear(&at->linear);
    at->has_linear = false;
    arb_init(shift);
    if (middle) arb_sub(shift, path_point_p(a, at), path_point_p(a, middle), at->x.precision);
    const path_ball ball = {middle ? &middle->x : NULL, shift};
    matrix_jet_init(&direction, 2 * s->n + s->m, a->w->unknowns - a->rank - a->zeros, middle);
    const bool good = find_directions(a, at, middle ? &ball : NULL, &direction);
    if (good) {
        use_copies(a, at, &direction);
        linear_matrices_evaluate(&a->linear, &at->x, at->x.precision, &direction,
                                 middle ? &ball : NULL, &at->linear);
        at->has_linear = true;
    }
    matrix_jet_clear(&direction);
    arb_clear(shift);
    if (!good || !at->linear.good) return false;
    if (middle) narrow(&at->linear.quotient, at->x.precision);
    arb_mat_charpoly(at->polynomial, at->linear.quotient.v, at->x.precision);
    if (middle)
        find_rate(at->polynomial, &at->linear.quotient, at->x.precision, at->polynomial_rate);
    return true;
}
