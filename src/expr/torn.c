// Affine equations solved with the sums that they share as further unknowns.
#include "expr/torn.h"

#include "expr/program.h"
#include "expr/torn_rows.h"

#include <string.h>

// --- from expressions to rows --------------------------------------------------------------------

typedef struct {
    pool *p;
    expr *nodes; // below the equations, operands first
    uint32_t nodes_count;
    uint32_t *position; // by expression: in nodes
    uint32_t *variable; // of a node: UINT32_MAX if no unknown stands in it; else, of an unknown
                        // and of a sum, its number
    torn_rows *rows;
} reader;

enum { NOT_LIVE = UINT32_MAX, LIVE = UINT32_MAX - 1 };

static bool is_live(const reader *w, expr e) {
    return w->variable[w->position[e]] != (uint32_t)NOT_LIVE;
}

// Unknowns are the variables 0 .. count - 1, sums in which some stand those from there on.
static bool number_variables(reader *w, uint32_t count, const expr *unknown, uint32_t *variables) {
    for (uint32_t i = 0; i < w->nodes_count; i++) w->variable[i] = NOT_LIVE;
    for (uint32_t j = 0; j < count; j++) {
        if (unknown[j] >= pool_size(w->p) || w->position[unknown[j]] == UINT32_MAX) return false;
        w->variable[w->position[unknown[j]]] = j;
    }
    *variables = count;
    for (uint32_t i = 0; i < w->nodes_count; i++) {
        const expr e = w->nodes[i];
        bool live = false;
        for (uint32_t k = 0; k < expr_operand_count(w->p, e) && !live; k++)
            live = is_live(w, expr_operand(w->p, e, k));
        if (!live) continue;
        if (expr_kind_of(w->p, e) == EXPR_SUM) w->variable[i] = (*variables)++;
        else if (expr_kind_of(w->p, e) == EXPR_PRODUCT) w->variable[i] = LIVE;
        else return false;
    }
    return true;
}

// row += c*e; false where e is not affine in the unknowns
static bool add_to_row(reader *w, uint32_t row, expr c, expr e) {
    pool *p = w->p;
    if (!is_live(w, e)) {
        torn_rows_add_rest(w->rows, row, expr_mul(p, c, e));
        return true;
    }
    if (expr_kind_of(p, e) != EXPR_PRODUCT) {
        torn_rows_add(w->rows, row, w->variable[w->position[e]], c);
        return true;
    }
    expr live = EXPR_NONE;
    for (uint32_t i = 0; i < expr_operand_count(p, e); i += 2) {
        const expr b = expr_operand(p, e, i), power = expr_operand(p, e, i + 1);
        if (is_live(w, power)) return false;
        if (!is_live(w, b)) c = expr_mul(p, c, expr_pow(p, b, power));
        else if (live != EXPR_NONE || power != EXPR_ONE) return false;
        else live = b;
    }
    return add_to_row(w, row, c, live);
}

// 0 = -sum + c0 + c1*t1 + ..
static bool define_sum(reader *w, uint32_t row, expr sum) {
    pool *p = w->p;
    torn_rows_add(w->rows, row, w->variable[w->position[sum]], EXPR_MINUS_ONE);
    torn_rows_add_rest(w->rows, row, expr_operand(p, sum, 0));
    for (uint32_t i = 1; i < expr_operand_count(p, sum); i += 2)
        if (!add_to_row(w, row, expr_operand(p, sum, i), expr_operand(p, sum, i + 1))) return false;
    return true;
}

// Rows 0 .. count - 1 are the equations; then the definitions of the sums, by their numbers.
static bool read_rows(reader *w, uint32_t count, const expr *f) {
    for (uint32_t i = 0; i < count; i++)
        if (!add_to_row(w, i, EXPR_ONE, f[i])) return false;
    for (uint32_t i = 0; i < w->nodes_count; i++) {
        const uint32_t v = w->variable[i];
        if (v >= count && v < (uint32_t)LIVE && !define_sum(w, v, w->nodes[i])) return false;
    }
    return true;
}

bool torn_solve(pool *p, uint32_t count, const expr *f, const expr *unknown, uint32_t states,
                double *const *at, expr *x) {
    reader w = {.p = p};
    w.nodes = expr_reachable(p, count, f, &w.nodes_count);
    w.position = memory_array(uint32_t, pool_size(p) + 1);
    w.variable = memory_array(uint32_t, w.nodes_count + 1);
    memset(w.position, 0xff, sizeof(uint32_t) * pool_size(p));
    for (uint32_t i = 0; i < w.nodes_count; i++) w.position[w.nodes[i]] = i;
    uint32_t variables;
    bool good = number_variables(&w, count, unknown, &variables);
    if (good) {
        w.rows = torn_rows_create(p, variables);
        good = read_rows(&w, count, f);
        torn_rows_split(w.rows, count);
        good =
            good && torn_rows_eliminate(w.rows, count, states, at) && !pool_context(p)->exhausted;
        for (uint32_t i = 0; i < count && good; i++) x[i] = torn_rows_solution(w.rows, i);
        torn_rows_free(w.rows);
    }
    memory_free(w.nodes);
    memory_free(w.position);
    memory_free(w.variable);
    return good;
}
