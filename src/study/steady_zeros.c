// Proof of a steady motion where there are more rows than unknowns, as for a cart whose drive
// follows the pole: pushing nowhere and standing upright ask for the same angle.
//
// Let Z be the unknowns that were solved for and are 0, R1 the rows that do not vanish identically
// where Z = 0, R0 those that do. With the pivot block regular,
//   d(R1, R0)/d(others, Z) = [dR1/d(others), dR1/dZ; 0, dR0/dZ],
// R1 solved for the others at Z = 0 gives a zero of all rows. If the pivots are all of R1 and |Z|
// rows of R0, then dR0/dZ is regular too: each direction that keeps the rows has dZ = 0, so that it
// keeps those of R0 that are no pivots. That the pivot rows have one zero only was proved before.
#include "normal/normal.h"
#include "study/steady_problem.h"

typedef struct {
    const steady_problem *w;
    const steady_rows *rows;
    const newton_result *result;
    expr *zero, *function, *variable;
    uint32_t zeros, functions, variables;
    uint8_t *rank; // by variable
} reduced;

static bool is_in(uint32_t count, const uint32_t *list, uint32_t item) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == item) return true;
    return false;
}

static bool vanishes(const reduced *r, uint32_t zeros, const expr *zero, uint32_t row) {
    const normal_budget budget = normal_budget_default();
    expr e = r->rows->function[row];
    expr *nothing = arena_array(r->w->arena, expr, zeros + 1);
    expr_substitute(r->w->p, zeros, zero, nothing, 1, &e, &e);
    return e == EXPR_ZERO || normal_is_zero(r->w->p, e, &budget) == NORMAL_YES;
}

// How many rows stay, R1; more than there are if one of them is no pivot
static uint32_t count_rest(const reduced *r, uint32_t zeros, const expr *zero) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->rows->functions; i++) {
        if (vanishes(r, zeros, zero, i)) continue;
        if (!is_in(r->result->rank, r->result->row, i)) return r->rows->functions + 1;
        count++;
    }
    return count;
}

// Z: all that are 0, less those without which no further row stays, until as many rows stay as
// unknowns. False: a row stays that is no pivot.
static bool set_zeros_apart(reduced *r, state *x) {
    const steady_problem *w = r->w;
    r->zero = arena_array(w->arena, expr, w->unknowns);
    for (uint32_t i = 0; i < r->result->rank; i++) {
        const expr e = w->unknown[r->result->column[i]];
        if (arf_cmpabs_2exp_si(arb_midref(state_get(x, e)), -x->precision / 2) < 0)
            r->zero[r->zeros++] = e;
    }
    const uint32_t rows = count_rest(r, r->zeros, r->zero);
    for (uint32_t k = r->zeros; k-- > 0 && rows > r->result->rank - r->zeros;) {
        const expr without = r->zero[k];
        r->zero[k] = r->zero[r->zeros - 1];
        if (count_rest(r, r->zeros - 1, r->zero) == rows) r->zeros--;
        else r->zero[k] = without;
    }
    return rows <= r->rows->functions;
}

// R1 and what it is solved for
static void take_rest(reduced *r, const uint8_t *rank) {
    const steady_problem *w = r->w;
    r->variable = arena_array(w->arena, expr, w->unknowns);
    r->rank = arena_array(w->arena, uint8_t, w->unknowns);
    for (uint32_t i = 0; i < r->result->rank; i++) {
        const uint32_t j = r->result->column[i];
        bool apart = false;
        for (uint32_t k = 0; k < r->zeros; k++) apart = apart || r->zero[k] == w->unknown[j];
        if (apart) continue;
        r->rank[r->variables] = rank[j];
        r->variable[r->variables++] = w->unknown[j];
    }
    r->function = arena_array(w->arena, expr, r->rows->functions + 1);
    for (uint32_t i = 0; i < r->rows->functions; i++)
        if (!vanishes(r, r->zeros, r->zero, i)) r->function[r->functions++] = r->rows->function[i];
}

static bool solve_rest(const reduced *r, const state *at, state *x) {
    newton_result found = {.row = arena_array(r->w->arena, uint32_t, r->functions + 1),
                           .column = arena_array(r->w->arena, uint32_t, r->functions + 1)};
    const newton_problem problem = {.functions = r->functions,
                                    .variables = r->variables,
                                    .function = r->function,
                                    .variable = r->variable,
                                    .fixed = r->rank};
    for (uint32_t j = 0; j < r->zeros; j++) arb_zero(state_get(x, r->zero[j]));
    constraint_newton_solve(x, &problem, &found);
    bool good = found.verified && found.rank == r->functions;
    for (uint32_t j = 0; j < r->variables; j++) // the zero that was enclosed before
        good = good &&
               arb_overlaps(state_get(x, r->variable[j]), state_get((state *)at, r->variable[j]));
    return good;
}

bool steady_zeros_prove(const steady_problem *w, const steady_rows *rows,
                        const newton_result *result, const uint8_t *rank, const state *at) {
    reduced r = {.w = w, .rows = rows, .result = result};
    state x;
    state_copy(at, at->precision, &x);
    bool good = set_zeros_apart(&r, &x);
    if (good) take_rest(&r, rank);
    good = good && r.functions == r.variables && (!r.functions || solve_rest(&r, at, &x));
    state_clear(&x);
    return good;
}
