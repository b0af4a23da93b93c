// One elimination for velocities and accelerations.
#include "equations/kinematics.h"

#include "expr/matrix.h"
#include "normal/normal.h"

typedef struct {
    const mechanics *s;
    pool *p;
    arena *arena;
    uint32_t rows;     // the constraints; the definitions of eta before them where they are needed
    expr *row;         // each a function of (q, q', t)
    uint32_t *unknown; // a coordinate each, whose velocity is looked for
    uint32_t columns;  // of the right-hand side: m slopes, the rest, the bias
    expr *right;
} eliminator;

static expr *new_array(const eliminator *w, uint32_t count) {
    return arena_array(w->arena, expr, count);
}

// Without declared quasi-velocities the independent q' are eta, and the constraints are enough.
static void list_rows(eliminator *w) {
    const mechanics *s = w->s;
    const uint32_t definitions = s->has_quasi ? s->m : 0;
    w->rows = s->k + definitions;
    w->row = new_array(w, w->rows);
    w->unknown = arena_array(w->arena, uint32_t, w->rows);
    for (uint32_t i = 0; i < w->rows; i++) {
        const expr given = i < definitions ? s->psi[i] : s->phi[i - definitions];
        w->row[i] = given;
        w->unknown[i] = s->has_quasi ? i : s->dependent[i];
    }
}

// The rows' derivatives by all q', rows x n. False if a row is not affine in them.
static bool differentiate(const eliminator *w, expr *jacobian) {
    const mechanics *s = w->s;
    expr_jacobian(w->p, w->rows, w->row, s->n, s->qd, jacobian);
    for (uint32_t i = 0; i < w->rows * s->n; i++)
        if (expr_depends_on(w->p, jacobian[i], s->n, s->qd)) return false;
    return true;
}

// What the unknowns' part of a row has to be: for a unit of each eta, for eta = 0, for q'' at
// eta' = 0
static void list_right(const eliminator *w, const expr *jacobian) {
    const mechanics *s = w->s;
    expr *zero = new_array(w, s->n);
    for (uint32_t i = 0; i < w->rows; i++) {
        expr *right = w->right + i * w->columns;
        for (uint32_t j = 0; j < s->m; j++) {
            if (s->has_quasi) right[j] = i == j ? EXPR_ONE : EXPR_ZERO;
            else right[j] = expr_neg(w->p, jacobian[i * s->n + s->independent[j]]);
        }
        const expr rest = expr_replace(w->p, w->row[i], s->n, s->qd, zero);
        const expr rate = expr_replace(w->p, expr_ddt(w->p, w->row[i]), s->n, s->qdd, zero);
        right[s->m] = expr_neg(w->p, rest);
        right[s->m + 1] = expr_neg(w->p, rate);
    }
}

// The solution, and 1, 0, 0 for the velocities that are eta themselves
static void hand_out(const eliminator *w, const expr *x, kinematics *out) {
    const mechanics *s = w->s;
    for (uint32_t j = 0; j < s->m && !s->has_quasi; j++) {
        out->slope[s->independent[j] * s->m + j] = EXPR_ONE;
        out->velocity[s->independent[j]] = s->eta[j];
    }
    for (uint32_t i = 0; i < w->rows; i++) {
        const uint32_t q = w->unknown[i];
        const expr *solved = x + i * w->columns;
        for (uint32_t j = 0; j < s->m; j++) out->slope[q * s->m + j] = solved[j];
        out->velocity[q] = expr_add(w->p, expr_dot(w->p, s->m, solved, s->eta), solved[s->m]);
        out->bias[q] = solved[s->m + 1];
    }
}

bool kinematics_create(const mechanics *s, kinematics *out) {
    eliminator w = {.s = s, .p = s->pool, .arena = &s->model->ctx->arena, .columns = s->m + 2};
    *out = (kinematics){new_array(&w, s->n * s->m), new_array(&w, s->n), new_array(&w, s->n)};
    list_rows(&w);
    expr *jacobian = new_array(&w, w.rows * s->n), *block = new_array(&w, w.rows * w.rows);
    if (!differentiate(&w, jacobian)) return false;
    for (uint32_t i = 0; i < w.rows; i++)
        for (uint32_t j = 0; j < w.rows; j++)
            block[i * w.rows + j] = jacobian[i * s->n + w.unknown[j]];
    w.right = new_array(&w, w.rows * w.columns);
    list_right(&w, jacobian);
    const pivot_order *order = s->has_quasi ? &s->frame : &s->block;
    expr *x = new_array(&w, w.rows * w.columns);
    if (w.rows && !(s->has_quasi && normal_solve_blocks(w.p, w.rows, block, w.columns, w.right,
                                                        order->row, order->column, x)))
        matrix_solve(w.p, w.rows, block, w.columns, w.right, order->row, order->column, x);
    hand_out(&w, x, out);
    return true;
}
