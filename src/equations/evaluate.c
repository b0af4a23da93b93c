// Equations at a state. The matrix of an affine system is read off by probing: column j
// = residual(e_j) - residual(0). Rows that share no unknown with others are solved by themselves.
#include "equations/evaluate.h"

#include <arb_mat.h>
#include <string.h>

static program *concrete_program(const equations *eq, const state *x, uint32_t count,
                                 const expr *in, expr *out) {
    model_concrete(eq->system->model, x->generic, count, in, out);
    return program_create(eq->system->pool, count, out);
}

static void set_all(state *x, uint32_t count, const expr *symbol, slong value) {
    arb_t v;
    arb_init(v);
    arb_set_si(v, value);
    for (uint32_t i = 0; i < count; i++) state_set(x, symbol[i], v);
    arb_clear(v);
}

// --- blocks --------------------------------------------------------------------------------------

// The rows and the unknowns of an affine system, those that have to do with one another together.
typedef struct {
    uint32_t n, count, widest;
    uint32_t *row, *column;       // block after block, in their order
    uint32_t *rows, *columns;     // of each block: how many
    uint32_t *row_at, *column_at; // of each block: the first
    uint32_t *memory;
} blocks;

static uint32_t leader(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Joins row i (as i) with unknowns (j as n + j) that stand in it.
static void join_rows(pool *p, uint32_t n, const expr *residual, const expr *unknown,
                      uint32_t *parent) {
    const uint32_t symbols = pool_symbol_count(p);
    uint32_t *which = memory_zeros(uint32_t, symbols), count; // j + 1 of an unknown
    for (uint32_t j = 0; j < n; j++) which[expr_symbol_index(p, unknown[j])] = j + 1;
    for (uint32_t i = 0; i < n; i++) {
        expr *nodes = expr_reachable(p, 1, &residual[i], &count);
        for (uint32_t k = 0; k < count; k++) {
            if (expr_kind_of(p, nodes[k]) != EXPR_SYMBOL) continue;
            const uint32_t j = which[expr_symbol_index(p, nodes[k])];
            if (j) parent[leader(parent, n + j - 1)] = leader(parent, i);
        }
        memory_free(nodes);
    }
    memory_free(which);
}

static blocks blocks_of(pool *p, uint32_t n, const expr *residual, const expr *unknown) {
    blocks b = {.n = n, .memory = memory_zeros(uint32_t, 10 * (size_t)n)};
    b.row = b.memory, b.column = b.row + n, b.rows = b.column + n, b.columns = b.rows + 2 * n;
    b.row_at = b.columns + 2 * n, b.column_at = b.row_at + 2 * n;
    uint32_t *parent = memory_array(uint32_t, 2 * (size_t)n),
             *number = memory_zeros(uint32_t, 2 * (size_t)n); // block + 1, of leaders
    for (uint32_t i = 0; i < 2 * n; i++) parent[i] = i;
    join_rows(p, n, residual, unknown, parent);
    for (uint32_t i = 0; i < 2 * n; i++) {
        uint32_t *which = &number[leader(parent, i)];
        if (!*which) *which = ++b.count;
        const uint32_t size = ++(i < n ? b.rows : b.columns)[*which - 1];
        if (size > b.widest) b.widest = size;
    }
    for (uint32_t k = 1; k < b.count; k++) {
        b.row_at[k] = b.row_at[k - 1] + b.rows[k - 1];
        b.column_at[k] = b.column_at[k - 1] + b.columns[k - 1];
    }
    memset(b.rows, 0, sizeof(uint32_t) * 4 * (size_t)n); // columns are behind them
    for (uint32_t i = 0; i < 2 * n; i++) {
        const uint32_t k = number[leader(parent, i)] - 1;
        if (i < n) b.row[b.row_at[k] + b.rows[k]++] = i;
        else b.column[b.column_at[k] + b.columns[k]++] = i - n;
    }
    memory_free(parent), memory_free(number);
    return b;
}

// --- affine systems ------------------------------------------------------------------------------

// A power of two as large as the largest of these: unknowns of that size are seen beside them.
static slong size_beside(uint32_t n, arb_srcptr base) {
    enum { FEW = 16 }; // bits that may get lost
    slong largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!arb_is_finite(base + i) || arb_is_zero(base + i)) continue;
        const slong bits = arf_abs_bound_lt_2exp_si(arb_midref(base + i));
        if (bits > largest) largest = bits;
    }
    return largest > FEW && largest < ARF_PREC_EXACT ? largest : 0;
}

// Each block's matrix, row by row, and right-hand side of residual = matrix*unknown - rhs at the
// state. Blocks do not see one another: the k-th columns of all are probed at once.
static void probe(const program *prog, state *x, const blocks *b, const expr *unknown,
                  arb_mat_t *matrix, arb_ptr rhs) {
    const uint32_t n = b->n;
    arb_ptr column = _arb_vec_init(n);
    set_all(x, n, unknown, 0);
    program_run_arb(prog, x->value, x->precision, rhs);
    const slong size = size_beside(n, rhs);
    for (uint32_t j = 0; j < b->widest; j++) {
        for (uint32_t k = 0; k < b->count; k++) {
            if (j >= b->columns[k]) continue;
            arb_ptr u = state_get(x, unknown[b->column[b->column_at[k] + j]]);
            arb_one(u);
            arb_mul_2exp_si(u, u, size);
        }
        program_run_arb(prog, x->value, x->precision, column);
        set_all(x, n, unknown, 0);
        for (uint32_t k = 0; k < b->count; k++) {
            for (uint32_t i = 0; i < b->rows[k] && j < b->columns[k]; i++) {
                const uint32_t row = b->row[b->row_at[k] + i];
                arb_ptr entry = arb_mat_entry(matrix[k], i, j);
                arb_sub(entry, column + row, rhs + row, x->precision);
                arb_mul_2exp_si(entry, entry, -size);
            }
        }
    }
    _arb_vec_neg(rhs, rhs, n);
    _arb_vec_clear(column, n);
}

static bool is_finite(const arb_mat_t a) {
    for (slong i = 0; i < arb_mat_nrows(a); i++)
        for (slong j = 0; j < arb_mat_ncols(a); j++)
            if (!arb_is_finite(arb_mat_entry(a, i, j))) return false;
    return true;
}

// Solve the k-th block and store its unknowns in the state.
static evaluate_status solve_block(const blocks *b, uint32_t k, const arb_mat_t matrix,
                                   arb_srcptr rhs, const expr *unknown, state *x) {
    const uint32_t size = b->rows[k], *row = b->row + b->row_at[k];
    if (size != b->columns[k]) return EVALUATE_SINGULAR;
    arb_mat_t right, solution;
    arb_mat_init(right, size, 1), arb_mat_init(solution, size, 1);
    for (uint32_t i = 0; i < size; i++) arb_set(arb_mat_entry(right, i, 0), rhs + row[i]);
    const bool solved = arb_mat_solve(solution, matrix, right, x->precision);
    for (uint32_t i = 0; i < size && solved; i++)
        state_set(x, unknown[b->column[b->column_at[k] + i]], arb_mat_entry(solution, i, 0));
    arb_mat_clear(right), arb_mat_clear(solution);
    return solved ? EVALUATE_OK : EVALUATE_SINGULAR;
}

static evaluate_status solve_blocks(const blocks *b, const program *prog, const expr *unknown,
                                    state *x) {
    arb_mat_t *matrix = memory_array(arb_mat_t, b->count);
    arb_ptr rhs = _arb_vec_init(b->n);
    for (uint32_t k = 0; k < b->count; k++) arb_mat_init(matrix[k], b->rows[k], b->columns[k]);
    probe(prog, x, b, unknown, matrix, rhs);
    bool finite = _arb_vec_is_finite(rhs, b->n);
    for (uint32_t k = 0; k < b->count; k++) finite = finite && is_finite(matrix[k]);
    evaluate_status status = finite ? EVALUATE_OK : EVALUATE_OUTSIDE_DOMAIN;
    for (uint32_t k = 0; k < b->count && !status; k++)
        status = solve_block(b, k, matrix[k], rhs, unknown, x);
    for (uint32_t k = 0; k < b->count; k++) arb_mat_clear(matrix[k]);
    _arb_vec_clear(rhs, b->n);
    memory_free(matrix);
    return status;
}

// Solve residual = 0 for the unknowns and store them in the state.
static evaluate_status solve_affine(const equations *eq, state *x, uint32_t n, const expr *residual,
                                    const expr *unknown, expr *missing) {
    if (!n) return EVALUATE_OK;
    expr *row = memory_array(expr, n);
    program *prog = concrete_program(eq, x, n, residual, row);
    state_reserve(x);
    set_all(x, n, unknown, 0);
    *missing = program_first_unknown(prog, x->known);
    evaluate_status status = EVALUATE_NO_VALUE;
    if (*missing == EXPR_NONE) {
        blocks b = blocks_of(eq->system->pool, n, row, unknown);
        status = solve_blocks(&b, prog, unknown, x);
        memory_free(b.memory);
    }
    program_free(prog);
    memory_free(row);
    return status;
}

// --- the equations -------------------------------------------------------------------------------

void equations_values(const equations *eq, state *x, uint32_t count, const expr *in, arb_ptr out) {
    expr *concrete = memory_array(expr, count);
    program *prog = concrete_program(eq, x, count, in, concrete);
    state_reserve(x);
    program_run_arb(prog, x->value, x->precision, out);
    program_free(prog);
    memory_free(concrete);
}

// h = sum q'_i dL/dq'_i - L
static void energy(const equations *eq, state *x, arb_t out) {
    const mechanics *s = eq->system;
    expr *p = memory_array(expr, s->n);
    expr_gradient(s->pool, s->lagrangian, s->n, s->qd, p);
    const expr h = expr_sub(s->pool, expr_dot(s->pool, s->n, s->qd, p), s->lagrangian);
    equations_values(eq, x, 1, &h, out);
    memory_free(p);
}

static void evaluation_init(evaluation *e, const mechanics *s) {
    *e = (evaluation){.n = s->n, .m = s->m, .k = s->k + s->h};
    e->acceleration = _arb_vec_init(s->n);
    e->eta = _arb_vec_init(s->m);
    e->eta_rate = _arb_vec_init(s->m);
    e->multiplier = _arb_vec_init(e->k);
    e->multiplier_rate = _arb_vec_init(e->k);
    e->reaction = _arb_vec_init(s->n);
    e->residual = _arb_vec_init(e->k);
    arb_init(e->energy);
}

void evaluation_clear(evaluation *e) {
    if (!e->acceleration) return;
    _arb_vec_clear(e->acceleration, e->n);
    _arb_vec_clear(e->eta, e->m);
    _arb_vec_clear(e->eta_rate, e->m);
    _arb_vec_clear(e->multiplier, e->k);
    _arb_vec_clear(e->multiplier_rate, e->k);
    _arb_vec_clear(e->reaction, e->n);
    _arb_vec_clear(e->residual, e->k);
    arb_clear(e->energy);
    *e = (evaluation){0};
}

// The unknowns of the form, from its residuals.
static evaluate_status solve_motion(const equations *eq, state *x, expr *missing) {
    expr *value = memory_array(expr, eq->unknown_count);
    for (uint32_t i = 0; i < eq->unknown_count; i++) value[i] = eq->residual[i].value;
    const evaluate_status status =
        solve_affine(eq, x, eq->unknown_count, value, eq->unknown, missing);
    memory_free(value);
    return status;
}

static void fill_rest(const equations *eq, state *x, evaluation *out) {
    const mechanics *s = eq->system;
    pool *p = s->pool;
    expr *work = memory_array(expr, s->n + s->m + out->k);
    for (uint32_t i = 0; i < s->m; i++) work[i] = expr_ddt(p, s->psi[i]);
    equations_values(eq, x, s->m, work, out->eta_rate);
    equations_values(eq, x, s->m, s->psi, out->eta);
    for (uint32_t i = 0; i < out->k; i++) {
        const constraint *c = &s->model->constraints[s->constraint[i]];
        work[i] = c->order == 0 ? c->phi : s->phi[i];
        arb_set(out->multiplier + i, state_get(x, s->multiplier[i]));
        if (equations_multiplier_is_state(eq, i))
            arb_set(out->multiplier_rate + i,
                    state_get(x, expr_symbol_derivative(p, s->multiplier[i])));
    }
    equations_values(eq, x, out->k, work, out->residual);
    for (uint32_t i = 0; i < s->n; i++) work[i] = equations_acting_reaction(eq, i);
    equations_values(eq, x, s->n, work, out->reaction);
    energy(eq, x, out->energy);
    memory_free(work);
}

// Momenta and other state variables, from (q, q', t).
static void set_auxiliaries(const equations *eq, state *x, evaluation *out) {
    arb_t value;
    arb_init(value);
    for (uint32_t i = 0; i < eq->auxiliaries_count; i++) {
        const expr symbol = eq->auxiliaries[i].symbol;
        equations_values(eq, x, 1, &eq->auxiliaries[i].value, value);
        const bool is_velocity = expr_as_symbol(eq->system->pool, symbol)->role == ROLE_COORDINATE;
        out->velocities_replaced |= is_velocity && !arb_overlaps(value, state_get(x, symbol));
        state_set(x, symbol, value);
    }
    arb_clear(value);
}

// Multipliers that are state are free initial values; those nobody gave are 0.
static void set_state_multipliers(const equations *eq, state *x) {
    arb_t zero;
    arb_init(zero);
    for (uint32_t i = 0; i < eq->multiplier_count; i++) {
        if (!equations_multiplier_is_state(eq, i)) continue;
        state_get(x, eq->multiplier[i]);
        if (!x->known[expr_symbol_index(eq->system->pool, eq->multiplier[i])])
            state_set(x, eq->multiplier[i], zero);
    }
    arb_clear(zero);
}

// q''' where the form knows it, from the state and the unknowns
static void set_jerk(const equations *eq, state *x) {
    const mechanics *s = eq->system;
    if (!eq->jerk) return;
    arb_ptr value = _arb_vec_init(s->n);
    equations_values(eq, x, s->n, eq->jerk, value);
    for (uint32_t i = 0; i < s->n; i++)
        state_set(x, expr_symbol_of_order(s->pool, s->q[i], 3), value + i);
    _arb_vec_clear(value, s->n);
}

evaluate_status equations_evaluate(const equations *eq, state *x, evaluation *out, expr *missing) {
    const mechanics *s = eq->system;
    evaluation_init(out, s);
    set_auxiliaries(eq, x, out);
    set_state_multipliers(eq, x);
    evaluate_status status = solve_motion(eq, x, missing);
    if (status) return status;
    equations_values(eq, x, s->n, eq->acceleration, out->acceleration);
    for (uint32_t i = 0; i < s->n; i++) state_set(x, s->qdd[i], out->acceleration + i);
    set_jerk(eq, x);
    if (eq->recovery && !eq->multipliers_are_state)
        status = solve_affine(eq, x, out->k, eq->recovery, s->multiplier, missing);
    if (!status) fill_rest(eq, x, out);
    return status;
}

bool equations_are_regular(const equations *eq, state *x) {
    expr missing;
    evaluation scratch = {0};
    set_auxiliaries(eq, x, &scratch);
    return solve_motion(eq, x, &missing) == EVALUATE_OK;
}
