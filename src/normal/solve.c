// Exact solution of small linear systems: cheap pivots are eliminated, what
// remains is solved by minors.
#include "normal/ring.h"

#include "expr/program.h"

#include <assert.h>
#include <math.h>

enum { MINORS_LIMIT = 7 }; // largest core that is solved by minors: 2^(7+1) of them

typedef struct {
    ring *R;
    uint32_t n;
    fraction *entries; // n rows of n + 1: the matrix and the right-hand side
    uint32_t *pivot_row, *pivot_column;
    uint32_t pivots;
    bool *row_done, *column_done;
} linear_system;

static fraction *at(const linear_system *s, uint32_t i, uint32_t j) {
    return &s->entries[i * (s->n + 1) + j];
}

static bool is_zero(const linear_system *s, uint32_t i, uint32_t j) {
    return fmpz_mpoly_q_is_zero(at(s, i, j), s->R->ctx);
}

// --- elimination with monomial pivots ------------------------------------------------------------

// Markowitz: how many entries a pivot may create
static uint32_t fill(const linear_system *s, uint32_t i, uint32_t j) {
    uint32_t row = 0, column = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        if (!s->column_done[k] && !is_zero(s, i, k)) row++;
        if (!s->row_done[k] && !is_zero(s, k, j)) column++;
    }
    return (row - 1) * (column - 1);
}

static bool find_pivot(const linear_system *s, uint32_t *row, uint32_t *column) {
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < s->n; i++) {
        for (uint32_t j = 0; j < s->n; j++) {
            if (s->row_done[i] || s->column_done[j]) continue;
            const fraction *f = at(s, i, j);
            if (fmpz_mpoly_q_numref(f)->length != 1 || fmpz_mpoly_q_denref(f)->length != 1)
                continue;
            const uint32_t cost = fill(s, i, j);
            if (cost < best) best = cost, *row = i, *column = j;
        }
    }
    return best != UINT32_MAX;
}

// row r -= (A_rj / A_ij) * row i, for all rows r still open
static void eliminate(linear_system *s, uint32_t i, uint32_t j) {
    ring *R = s->R;
    fraction factor, change;
    fmpz_mpoly_q_init(&factor, R->ctx), fmpz_mpoly_q_init(&change, R->ctx);
    for (uint32_t r = 0; r < s->n && !R->over; r++) {
        if (r == i || s->row_done[r] || is_zero(s, r, j)) continue;
        fraction_divide(R, &factor, at(s, r, j), at(s, i, j));
        fmpz_mpoly_q_neg(&factor, &factor, R->ctx);
        for (uint32_t k = 0; k <= s->n && !R->over; k++) {
            if (is_zero(s, i, k)) continue;
            fraction_multiply(R, &change, &factor, at(s, i, k));
            fraction_add(R, at(s, r, k), at(s, r, k), &change);
        }
        fmpz_mpoly_q_zero(at(s, r, j), R->ctx);
    }
    fmpz_mpoly_q_clear(&factor, R->ctx), fmpz_mpoly_q_clear(&change, R->ctx);
    s->row_done[i] = s->column_done[j] = true;
    s->pivot_row[s->pivots] = i;
    s->pivot_column[s->pivots++] = j;
}

// x_j = (rhs_i - sum_k A_ik x_k) / A_ij, last pivot first
static void substitute_back(linear_system *s, fraction *x) {
    ring *R = s->R;
    fraction term;
    fmpz_mpoly_q_init(&term, R->ctx);
    for (uint32_t m = s->pivots; m-- > 0 && !R->over;) {
        const uint32_t i = s->pivot_row[m], j = s->pivot_column[m];
        fmpz_mpoly_q_set(&x[j], at(s, i, s->n), R->ctx);
        for (uint32_t k = 0; k < s->n && !R->over; k++) {
            if (k == j || is_zero(s, i, k)) continue;
            fraction_multiply(R, &term, at(s, i, k), &x[k]);
            fmpz_mpoly_q_neg(&term, &term, R->ctx);
            fraction_add(R, &x[j], &x[j], &term);
        }
        fraction_divide(R, &x[j], &x[j], at(s, i, j));
    }
    fmpz_mpoly_q_clear(&term, R->ctx);
}

// --- the core: Cramer's rule on one table of minors ----------------------------------------------

// Denominators out of a row: Cramer's rule does not mind, and polynomials multiply faster.
static void clear_denominators(linear_system *s, uint32_t i) {
    ring *R = s->R;
    fraction scale;
    fmpz_mpoly_q_init(&scale, R->ctx);
    for (uint32_t j = 0; j <= s->n && !R->over; j++) {
        if (fmpz_mpoly_is_one(fmpz_mpoly_q_denref(at(s, i, j)), R->ctx)) continue;
        fmpz_mpoly_q_one(&scale, R->ctx);
        fmpz_mpoly_set(fmpz_mpoly_q_numref(&scale), fmpz_mpoly_q_denref(at(s, i, j)), R->ctx);
        for (uint32_t k = 0; k <= s->n && !R->over; k++)
            fraction_multiply(R, at(s, i, k), at(s, i, k), &scale);
    }
    fmpz_mpoly_q_clear(&scale, R->ctx);
}

// minor[S], S a set of r of the k + 1 columns, is the determinant of the first r rows in these
// columns; developed along the last row.
static void fill_minors(linear_system *s, uint32_t k, const uint32_t *rows, const uint32_t *columns,
                        fraction *minor) {
    ring *R = s->R;
    fraction term;
    fmpz_mpoly_q_init(&term, R->ctx);
    fmpz_mpoly_q_one(&minor[0], R->ctx);
    for (uint32_t set = 1; set < 2u << k && !R->over; set++) {
        const uint32_t size = (uint32_t)__builtin_popcount(set);
        assert(size); // the empty set is behind us
        if (size > k) continue;
        uint32_t position = 0;
        for (uint32_t c = 0; c <= k && !R->over; c++) {
            if (!(set >> c & 1)) continue;
            const fraction *entry = at(s, rows[size - 1], columns[c]),
                           *rest = &minor[set & ~(1u << c)];
            const bool minus = (size - 1 + position++) % 2;
            if (fmpz_mpoly_q_is_zero(entry, R->ctx) || fmpz_mpoly_q_is_zero(rest, R->ctx)) continue;
            fraction_multiply(R, &term, entry, rest);
            if (minus) fmpz_mpoly_q_neg(&term, &term, R->ctx);
            fraction_add(R, &minor[set], &minor[set], &term);
        }
    }
    fmpz_mpoly_q_clear(&term, R->ctx);
}

// Where independence of the generators is not known, a determinant may vanish unnoticed:
// look at its value at a few points.
static bool vanishes(ring *R, const fraction *f) {
    if (fmpz_mpoly_q_is_zero(f, R->ctx)) return true;
    if (R->sound && !(R->dependent && R->mode == ANGLES_KEPT)) return false;
    // far above the rounding of a few hundred operations, far below generic values
    static const double SMALL = 1e-9;
    pool *p = R->p;
    const expr value = rebuild_expanded(R, fmpz_mpoly_q_numref(f));
    const uint32_t count = pool_symbol_count(p);
    double *symbols = memory_array(double, count + 1);
    uint64_t state = 1;
    bool small = false, seen = false;
    for (int point = 0; point < 3; point++) {
        for (uint32_t i = 0; i < count; i++)
            symbols[i] = 0.5 + (double)(random_next(&state) >> 11) * 0x1p-53;
        const double v = expr_value(p, value, symbols);
        if (isnan(v)) continue;
        small = fabs(v) < SMALL && (small || !seen);
        seen = true;
    }
    memory_free(symbols);
    return small;
}

static bool solve_core(linear_system *s, fraction *x) {
    ring *R = s->R;
    uint32_t rows[MINORS_LIMIT], columns[MINORS_LIMIT + 1], k = 0, m = 0;
    const uint32_t size = s->n - s->pivots;
    if (size > MINORS_LIMIT) return false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (!s->row_done[i]) rows[k++] = i, clear_denominators(s, i);
        if (!s->column_done[i]) columns[m++] = i;
    }
    assert(k == m); // each pivot takes a row and a column
    columns[m] = s->n;
    const uint32_t count = 2u << k, full = (1u << k) - 1;
    fraction *minor = memory_array(fraction, count);
    for (uint32_t i = 0; i < count; i++) fmpz_mpoly_q_init(&minor[i], R->ctx);
    fill_minors(s, k, rows, columns, minor);
    const bool regular = !R->over && !vanishes(R, &minor[full]);
    for (uint32_t j = 0; j < k && regular && !R->over;
         j++) { // the right-hand side moves from the last place to place j
        fraction_divide(R, &x[columns[j]], &minor[(full | 1u << k) & ~(1u << j)], &minor[full]);
        if ((k - 1 - j) % 2) fmpz_mpoly_q_neg(&x[columns[j]], &x[columns[j]], R->ctx);
    }
    for (uint32_t i = 0; i < count; i++) fmpz_mpoly_q_clear(&minor[i], R->ctx);
    memory_free(minor);
    return regular && !R->over;
}

// --- all of it -----------------------------------------------------------------------------------

static bool has_other_modes(const ring *R) {
    return R->dependent && R->mode < ANGLES_OTHER_BASIS && !R->budget.plain;
}

static expr expanded_quotient(ring *R, const fraction *f) {
    return expr_div(R->p, rebuild_expanded(R, fmpz_mpoly_q_numref(f)),
                    rebuild_expanded(R, fmpz_mpoly_q_denref(f)));
}

// Offers each solution to its contest.
static bool solve_in_ring(ring *R, uint32_t n, const expr *coefficients, contest *out) {
    linear_system s = {.R = R, .n = n};
    s.entries = memory_array(fraction, (size_t)n * (n + 1));
    s.pivot_row = memory_array(uint32_t, n), s.pivot_column = memory_array(uint32_t, n);
    s.row_done = memory_zeros(bool, n), s.column_done = memory_zeros(bool, n);
    fraction *x = memory_array(fraction, n);
    for (uint32_t i = 0; i < n * (n + 1); i++) {
        fmpz_mpoly_q_init(&s.entries[i], R->ctx);
        fmpz_mpoly_q_set(&s.entries[i], ring_value(R, coefficients[i]), R->ctx);
    }
    for (uint32_t i = 0; i < n; i++) {
        fmpz_mpoly_q_init(&x[i], R->ctx);
        fmpz_mpoly_q_neg(at(&s, i, n), at(&s, i, n), R->ctx); // A x + rest = 0
    }
    for (uint32_t i, j; s.pivots < n && !R->over && find_pivot(&s, &i, &j);) eliminate(&s, i, j);
    const bool solved = !R->over && solve_core(&s, x);
    if (solved) substitute_back(&s, x);
    const bool good = solved && !R->over;
    bool hopeful = good; // in the last mode one solution that is too long decides
    for (uint32_t i = 0; i < n && hopeful; i++) {
        if (R->budget.plain) contest_consider(R->p, &out[i], expanded_quotient(R, &x[i]));
        else contest_consider_value(R, &out[i], &x[i]);
        hopeful = out[i].best != EXPR_NONE || has_other_modes(R);
    }
    for (uint32_t i = 0; i < n * (n + 1); i++) fmpz_mpoly_q_clear(&s.entries[i], R->ctx);
    for (uint32_t i = 0; i < n; i++) fmpz_mpoly_q_clear(&x[i], R->ctx);
    memory_free(x), memory_free(s.entries), memory_free(s.pivot_row), memory_free(s.pivot_column),
        memory_free(s.row_done), memory_free(s.column_done);
    return good;
}

// Rows of the matrix d residual/d unknown with the residual at unknown = 0
// behind each; false if not affine.
static bool find_coefficients(pool *p, uint32_t n, const expr *residual, const expr *unknown,
                              expr *coefficients) {
    expr *row = memory_array(expr, n), *zero = memory_zeros(expr, n); // EXPR_ZERO is 0
    bool affine = true;
    for (uint32_t i = 0; i < n && affine; i++) {
        expr_gradient(p, residual[i], n, unknown, row);
        for (uint32_t j = 0; j < n; j++) coefficients[i * (n + 1) + j] = row[j];
        affine = !expr_any_depends_on(p, n, row, n, unknown);
        coefficients[i * (n + 1) + n] = expr_replace(p, residual[i], n, unknown, zero);
    }
    memory_free(row);
    memory_free(zero);
    return affine;
}

// Worth a try? The solution is longer than the system, so all coefficients
// together must fit the budget.
static bool is_modest(pool *p, uint32_t count, const expr *coefficients, const normal_budget *b) {
    ring R;
    if (!ring_create(&R, p, count, coefficients, ANGLES_KEPT, b)) return false;
    slong terms = 0;
    for (uint32_t i = 0; i < count; i++)
        terms += fmpz_mpoly_q_numref(ring_value(&R, coefficients[i]))->length;
    ring_clear(&R);
    return terms <= (slong)b->terms;
}

static bool solve(pool *p, uint32_t n, const expr *residual, const expr *unknown,
                  const normal_budget *b, expr *out) {
    const uint32_t count = n * (n + 1);
    expr *coefficients = memory_array(expr, count);
    contest *best = memory_array(contest, n);
    for (uint32_t i = 0; i < n; i++)
        best[i] = (contest){.best = EXPR_NONE, .weight = b->longest ? b->longest : UINT32_MAX};
    const bool affine = find_coefficients(p, n, residual, unknown, coefficients);
    bool solved = false, more = affine && is_modest(p, count, coefficients, b);
    for (uint32_t i = 0; i < count && more && !b->plain; i++)
        coefficients[i] = normal_simplify(p, coefficients[i], b);
    for (angle_mode mode = ANGLES_KEPT; mode <= ANGLES_OTHER_BASIS && more; mode++) {
        ring R;
        const bool made = ring_create(&R, p, count, coefficients, mode, b);
        solved = (made && solve_in_ring(&R, n, coefficients, best)) || solved;
        if (made) ring_clear(&R);
        more = has_other_modes(&R) && !R.over;
    }
    for (uint32_t i = 0; i < n && solved; i++) {
        out[i] = best[i].best;
        solved = out[i] != EXPR_NONE;
    }
    memory_free(coefficients);
    memory_free(best);
    return solved;
}

bool normal_solve(pool *p, uint32_t n, const expr *residual, const expr *unknown,
                  const normal_budget *b, expr *out) {
    enum { UNKNOWNS_LIMIT = 64 };
    if (n == 0) return true;
    if (n > UNKNOWNS_LIMIT) return false;
    normal_budget own = *b; // a mass matrix is symmetric: no entry is simplified twice
    if (!b->memory) own.memory = normal_memory_create();
    const bool solved = solve(p, n, residual, unknown, &own, out);
    if (!b->memory) normal_memory_free(own.memory);
    return solved;
}
