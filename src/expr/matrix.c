// Linear systems with symbolic entries: elimination with a given pivot
// sequence, then back substitution.
#include "expr/matrix.h"

#include "expr/build.h"

#include <string.h>

typedef struct {
    pool *p;
    uint32_t n, rhs;
    expr *a, *r;
    bool remembered;
    expr newest; // node of A and R
} elimination;

// --- what is remembered -------------------------------------------------------------------------

static bool is_known(const elimination *e, const expr *a, const expr *r) {
    const pool *p = e->p;
    const size_t n = e->n;
    for (uint32_t i = 0; i < p->systems_count; i++) {
        const eliminated_system *s = &p->systems[i];
        if (s->n == n && s->columns == e->rhs && !memcmp(s->matrix, a, sizeof(expr) * n * n) &&
            !memcmp(s->right, r, sizeof(expr) * n * e->rhs))
            return true;
    }
    return false;
}

static bool is_zero(const elimination *e, uint32_t row, uint32_t column) {
    return e->a[(size_t)row * e->n + column] == EXPR_ZERO;
}

// Is anything eliminated from A? Not where it is triangular, from above or from below.
static bool takes_elimination(const elimination *e, const uint32_t *row, const uint32_t *column) {
    for (uint32_t i = 0; i < e->n; i++) {
        bool before = false, beside = false; // other rows with the column of the pivot, and its row
        for (uint32_t j = i + 1; j < e->n; j++) {
            before |= !is_zero(e, row[j], column[i]);
            beside |= !is_zero(e, row[i], column[j]);
        }
        if (before && beside) return true;
    }
    return false;
}

static void remember_system(elimination *e, const uint32_t *row, const uint32_t *column) {
    const size_t entries = (size_t)e->n * e->n, right = (size_t)e->n * e->rhs;
    if (e->n < FEWEST_REMEMBERED || !takes_elimination(e, row, column) || is_known(e, e->a, e->r))
        return;
    eliminated_system s = {e->n, e->rhs, memory_array(expr, entries), memory_array(expr, right)};
    memcpy(s.matrix, e->a, sizeof(expr) * entries);
    memcpy(s.right, e->r, sizeof(expr) * right);
    for (size_t i = 0; i < entries; i++)
        e->newest = s.matrix[i] > e->newest ? s.matrix[i] : e->newest;
    for (size_t i = 0; i < right; i++) e->newest = s.right[i] > e->newest ? s.right[i] : e->newest;
    list_push(e->p, systems, s);
    e->remembered = true;
}

// Only nodes that came after the entries: whoever goes through the nodes in order finds the entries
// first.
static void remember(const elimination *e, expr node, eliminated_kind kind, uint32_t pivots) {
    if (!e->remembered) return;
    const expr base = product_base(e->p, node);
    const uint32_t system = e->p->systems_count - 1;
    if (node > e->newest)
        list_push(e->p, eliminated, ((eliminated_node){node, system, kind, pivots}));
    if (base > e->newest && base != node)
        list_push(e->p, eliminated, ((eliminated_node){base, system, kind, pivots}));
}

uint32_t matrix_eliminated_count(const pool *p) { return p->eliminated_count; }
const eliminated_node *matrix_eliminated(const pool *p, uint32_t i) { return &p->eliminated[i]; }
uint32_t matrix_eliminated_system_count(const pool *p) { return p->systems_count; }
const eliminated_system *matrix_eliminated_system(const pool *p, uint32_t i) {
    return &p->systems[i];
}

// --- the elimination ----------------------------------------------------------------------------

// row i -= (a[i][c] / pivot) * row of the pivot, which is the k-th
static void eliminate(elimination *e, uint32_t k, uint32_t i, uint32_t pivot_row,
                      uint32_t pivot_column) {
    pool *p = e->p;
    expr *target = e->a + (size_t)i * e->n, *source = e->a + (size_t)pivot_row * e->n;
    if (target[pivot_column] == EXPR_ZERO) return;
    const expr factor = expr_div(p, target[pivot_column], source[pivot_column]);
    target[pivot_column] = EXPR_ZERO;
    for (uint32_t j = 0; j < e->n; j++)
        if (j != pivot_column && source[j] != EXPR_ZERO) {
            target[j] = expr_sub(p, target[j], expr_mul(p, factor, source[j]));
            remember(e, target[j], ELIMINATED_ENTRY, k + 1);
        }
    expr *tr = e->r + (size_t)i * e->rhs, *sr = e->r + (size_t)pivot_row * e->rhs;
    for (uint32_t j = 0; j < e->rhs; j++)
        if (sr[j] != EXPR_ZERO) {
            tr[j] = expr_sub(p, tr[j], expr_mul(p, factor, sr[j]));
            remember(e, tr[j], ELIMINATED_RIGHT, k + 1);
        }
}

// x[column] = (r[row] - sum of the unknowns already found) / pivot
static void back_substitute(const elimination *e, const uint32_t *row, const uint32_t *column,
                            expr *x) {
    pool *p = e->p;
    expr *left = memory_array(expr, e->n), *right = memory_array(expr, e->n);
    for (uint32_t i = e->n; i-- > 0;) {
        const expr *a = e->a + (size_t)row[i] * e->n;
        for (uint32_t s = 0; s < e->rhs; s++) {
            uint32_t terms = 0;
            for (uint32_t j = i + 1; j < e->n; j++) {
                const expr known = x[(size_t)column[j] * e->rhs + s];
                if (a[column[j]] == EXPR_ZERO || known == EXPR_ZERO) continue;
                left[terms] = a[column[j]];
                right[terms++] = known;
            }
            const expr rest =
                expr_sub(p, e->r[(size_t)row[i] * e->rhs + s], expr_dot(p, terms, left, right));
            x[(size_t)column[i] * e->rhs + s] = expr_div(p, rest, a[column[i]]);
            remember(e, rest, ELIMINATED_REST, i);
            remember(e, x[(size_t)column[i] * e->rhs + s], ELIMINATED_SOLUTION, e->n);
        }
    }
    memory_free(left);
    memory_free(right);
}

static bool is_constant(pool *p, expr e) {
    return expr_order(p, e) < 0 && !expr_depends_on_time(p, e);
}

bool matrix_solve(pool *p, uint32_t n, const expr *a, uint32_t rhs, const expr *r,
                  const uint32_t *row, const uint32_t *column, expr *x) {
    elimination e = {.p = p,
                     .n = n,
                     .rhs = rhs,
                     .a = memory_array(expr, (size_t)n * n),
                     .r = memory_array(expr, (size_t)n * rhs)};
    memcpy(e.a, a, sizeof(expr) * n * n);
    memcpy(e.r, r, sizeof(expr) * n * rhs);
    remember_system(&e, row, column);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) eliminate(&e, i, row[j], row[i], column[i]);
    for (uint32_t i = 0; i < n; i++)
        remember(&e, e.a[(size_t)row[i] * n + column[i]], ELIMINATED_PIVOT, i);
    back_substitute(&e, row, column, x);
    bool constant = true;
    for (uint32_t i = 0; i < n && constant; i++)
        constant = is_constant(p, e.a[(size_t)row[i] * n + column[i]]);
    memory_free(e.a);
    memory_free(e.r);
    return constant;
}
