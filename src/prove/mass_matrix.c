// Is the reduced mass matrix positive definite? Yes by interval Cholesky, no by a vector x with
// x.A x < 0: an eigenvector of the midpoint matrix, found by Jacobi's rotations in doubles and then
// used exactly.
#include "derive/reactive.h"
#include "prove/proof_session.h"

#include <arb_mat.h>
#include <math.h>

enum { MOST_SWEEPS = 60 };

typedef enum {
    DEFINITE_YES, // every symmetric matrix in the balls is
    DEFINITE_NO,  // x.A x < 0 for some x, certainly: an eigenvalue is negative
    DEFINITE_OPEN // semidefinite, or too wide to tell
} definiteness;

// One rotation in the plane (p, q) that makes a_pq zero; v collects the rotations.
static void rotate(uint32_t n, double *a, double *v, uint32_t p, uint32_t q) {
    const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
    const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1)),
                 c = 1 / sqrt(t * t + 1), s = t * c;
    for (uint32_t k = 0; k < n; k++) {
        const double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double x = v[k * n + p], y = v[k * n + q];
        v[k * n + p] = c * x - s * y, v[k * n + q] = s * x + c * y;
    }
}

// An eigenvector of the least eigenvalue.
static void least_eigenvector(uint32_t n, double *a, double *x) {
    double *v = memory_zeros(double, (size_t)n *n);
    for (uint32_t i = 0; i < n; i++) v[i * n + i] = 1;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double off = 0, all = 0;
        for (uint32_t i = 0; i < n * n; i++) all = fmax(all, fabs(a[i]));
        for (uint32_t p = 0; p < n; p++)
            for (uint32_t q = p + 1; q < n; q++) {
                off = fmax(off, fabs(a[p * n + q]));
                if (fabs(a[p * n + q]) > 1e-300) rotate(n, a, v, p, q);
            }
        if (off <= 1e-15 * all) break;
    }
    uint32_t least = 0;
    for (uint32_t i = 1; i < n; i++)
        if (a[i * n + i] < a[least * n + least]) least = i;
    for (uint32_t k = 0; k < n; k++) x[k] = v[k * n + least];
    memory_free(v);
}

// x.A x, of the balls
static void quadratic_form(const arb_mat_t a, const double *x, slong precision, arb_t out) {
    arb_t term;
    arb_init(term);
    arb_zero(out);
    for (slong i = 0; i < arb_mat_nrows(a); i++)
        for (slong j = 0; j < arb_mat_ncols(a); j++) {
            arb_set_d(term, x[j]);
            arb_mul(term, term, arb_mat_entry(a, i, j), precision);
            arf_t factor;
            arf_init(factor);
            arf_set_d(factor, x[i]);
            arb_addmul_arf(out, term, factor, precision);
            arf_clear(factor);
        }
    arb_clear(term);
}

// On DEFINITE_NO `power` is an enclosure of x.A x < 0 for a vector x that was found.
static definiteness definiteness_of(const arb_mat_t a, slong precision, arb_t power) {
    const uint32_t n = (uint32_t)arb_mat_nrows(a);
    arb_mat_t l;
    arb_mat_init(l, n, n);
    definiteness found = arb_mat_cho(l, a, precision) ? DEFINITE_YES : DEFINITE_OPEN;
    arb_mat_clear(l);
    if (found == DEFINITE_YES) return found;
    double *middle = memory_array(double, (size_t)n *(n + 1)), *x = middle + (size_t)n * n;
    bool finite = true;
    for (uint32_t i = 0; i < n * n; i++) {
        const double here = ball_middle(arb_mat_entry(a, i / n, i % n)),
                     there = ball_middle(arb_mat_entry(a, i % n, i / n));
        middle[i] = (here + there) / 2;
        finite = finite && isfinite(middle[i]);
    }
    if (finite && n) {
        least_eigenvector(n, middle, x);
        quadratic_form(a, x, precision, power);
        if (arb_is_negative(power)) found = DEFINITE_NO;
    }
    memory_free(middle);
    return found;
}

// --- at states of the model ---------------------------------------------------------------------

// The matrix of the unknowns at a state
static void matrix_at(const equations *eq, state *x, const expr *entry, arb_mat_t out) {
    const uint32_t n = eq->unknown_count;
    arb_ptr value = _arb_vec_init(n * n);
    equations_values(eq, x, n * n, entry, value);
    for (uint32_t i = 0; i < n * n; i++) arb_set(arb_mat_entry(out, i / n, i % n), value + i);
    _arb_vec_clear(value, n * n);
}

// Is the symmetric matrix of the unknowns positive definite at the initial state? A vector x with
// x.M x < 0, there or at a state near it, refutes.
static definiteness definiteness_at_start(samples *r, const equations *eq, verdict *v) {
    const uint32_t n = eq->unknown_count;
    arena *a = &eq->system->model->ctx->arena;
    expr *matrix = arena_array(a, expr, n * n), *rest = arena_array(a, expr, n);
    equations_affine(eq, matrix, rest);
    definiteness first = DEFINITE_OPEN;
    arb_mat_t m;
    arb_t power;
    arb_mat_init(m, n, n), arb_init(power);
    for (uint32_t i = 0; i < NEAR_SAMPLES && v->verdict != VERDICT_REFUTED; i++) {
        state x;
        if (samples_copy(r, i, &x)) {
            matrix_at(eq, &x, matrix, m);
            const definiteness found = definiteness_of(m, SAMPLE_BITS, power);
            if (i == 0) first = found;
            if (found == DEFINITE_NO) witness_refute(r, eq, &x, power, &(statement){0}, v);
        }
        state_clear(&x);
    }
    arb_mat_clear(m), arb_clear(power);
    return first;
}

void mass_matrix_judge(proof_session *ps) {
    // nothing can be said of a kinetic energy that is not known
    if (!ps->system->m) return; // nothing is free to move
    if (prove_meets_abstract(ps->system->pool, 1, &ps->system->kinetic)) return;
    verdict *v = verdict_begin(ps, "mass", "positive definite");
    // Constraints of higher order leave the velocities free: the matrix is that
    // of the system without them; and that without multipliers in its forces
    const bool other = ps->system->h || ps->system->forces_hold_multipliers;
    mechanics lower = reactive_without(ps->system);
    lower.h = 0;
    equations *free_motion = other ? formalism_derive(formalism_find("maggi"), &lower) : NULL;
    const definiteness found =
        definiteness_at_start(&ps->samples, free_motion ? free_motion : ps->reference, v);
    equations_free(free_motion);
    if (v->verdict == VERDICT_REFUTED) {
        v->method = "interval quadratic form";
        v->remark = "x.M x < 0 for some x: the reduced mass matrix has a negative eigenvalue";
    } else if (found == DEFINITE_YES) {
        v->verdict = VERDICT_PROVED;
        v->method = "interval Cholesky at the initial state";
    } else {
        v->remark = "the least eigenvalue of the reduced mass matrix cannot be told from 0 at the "
                    "initial state: singular";
    }
}
