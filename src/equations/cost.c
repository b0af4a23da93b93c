// Counting what runs at every state.
#include "equations/cost.h"

#include "expr/program.h"
#include "expr/share.h"

enum { DIVISION = 8, ROOT = 6, FUNCTION = 20 }; // in additions, roughly as processors take them

typedef struct {
    const program *g;
    bool *moves;  // depends on more than parameters
    bool *circle; // sin or cos of it is computed
} counter;

static bool is_unit(const counter *w, uint32_t at) {
    const fmpq *q = expr_number_value(w->g->pool, w->g->code[at].node);
    return fmpz_is_pm1(fmpq_numref(q)) && fmpz_is_one(fmpq_denref(q));
}

static uint32_t sum_cost(const counter *w, const instruction *c) {
    const uint32_t *operand = w->g->operands + c->first;
    uint32_t cost = 0, terms = 0;
    bool fixed = w->g->code[operand[0]].node != EXPR_ZERO;
    for (uint32_t i = 1; i < c->count; i += 2) {
        if (!w->moves[operand[i + 1]]) fixed = true;
        else terms++, cost += !is_unit(w, operand[i]);
    }
    return cost + terms + fixed - 1;
}

static uint32_t power_cost(const fmpq *e) {
    fmpz_t size;
    fmpz_init(size);
    fmpz_abs(size, fmpq_numref(e));
    const uint32_t n = fmpz_cmp_si(size, 64) < 0 ? (uint32_t)fmpz_get_ui(size) : 64;
    fmpz_clear(size);
    uint32_t cost = fmpz_is_one(fmpq_denref(e)) ? 0 : ROOT;
    for (uint32_t k = n; k > 1; k /= 2) cost += 1 + (k & 1);
    return cost;
}

static uint32_t product_cost(const counter *w, const instruction *c) {
    const uint32_t *operand = w->g->operands + c->first;
    uint32_t cost = 0, above = 0, below = 0;
    bool fixed = false;
    for (uint32_t i = 0; i < c->count; i += 2) {
        if (!w->moves[operand[i]]) {
            fixed = true;
            continue;
        }
        const fmpq *e = expr_number_value(w->g->pool, w->g->code[operand[i + 1]].node);
        cost += power_cost(e);
        if (fmpq_sgn(e) > 0) above++;
        else below++;
    }
    const uint32_t factors = above + fixed;
    return cost + (factors ? factors - 1 : 0) + (below ? below - 1 + DIVISION : 0);
}

// sin(a + b) costs little beside sin and cos of a and b, and tan(a) is a quotient of those of a.
static uint32_t function_cost(const counter *w, const instruction *c) {
    const uint32_t argument = w->g->operands[c->first];
    const instruction *a = &w->g->code[argument];
    if (c->kind == EXPR_TAN && w->circle[argument]) return DIVISION;
    if ((c->kind != EXPR_SIN && c->kind != EXPR_COS) || a->kind != EXPR_SUM || a->count != 5)
        return FUNCTION;
    const uint32_t *term = w->g->operands + a->first;
    return w->circle[term[2]] && w->circle[term[4]] ? 3 : FUNCTION;
}

static uint32_t instruction_cost(const counter *w, const instruction *c) {
    switch (c->kind) {
    case EXPR_SUM: return sum_cost(w, c);
    case EXPR_PRODUCT: return product_cost(w, c);
    case EXPR_POWER: return 2 * FUNCTION;
    default: return function_cost(w, c);
    }
}

static bool is_moving(const counter *w, const instruction *c) {
    if (c->kind == EXPR_SYMBOL) return pool_symbol(w->g->pool, c->payload)->role != ROLE_PARAMETER;
    for (uint32_t i = 0; i < c->count; i++)
        if (w->moves[w->g->operands[c->first + i]]) return true;
    return false;
}

uint32_t cost_of_running(pool *p, uint32_t count, const expr *output) {
    program *g = program_share(program_create(p, count, output));
    counter w = {g, memory_zeros(bool, g->length + 1), memory_zeros(bool, g->length + 1)};
    for (uint32_t i = 0; i < g->length; i++) {
        w.moves[i] = is_moving(&w, &g->code[i]);
        if (g->code[i].kind == EXPR_SIN || g->code[i].kind == EXPR_COS)
            w.circle[g->operands[g->code[i].first]] = true;
    }
    uint32_t cost = 0;
    for (uint32_t i = 0; i < g->length; i++)
        if (w.moves[i] && g->code[i].count) cost += instruction_cost(&w, &g->code[i]);
    memory_free(w.moves);
    memory_free(w.circle);
    program_free(g);
    return cost;
}
