// Expressions with values: givens replaced by their definitions, and stand-ins
// for functions that have none.
#include "model/state.h"

// The stand-in of an abstract function f(z1..zr): 1 + sum over r waves of sin(w1*z1 + ..
// + phase)/4, differentiated as often as f is. Smooth, different for each f, with
// gradients of different functions that are not parallel and second derivatives of full
// rank; never used to compute a result.
static expr stand_in(pool *p, uint32_t function_index, uint32_t count, const expr *arguments) {
    const function f = *pool_function_at(p, function_index);
    uint32_t order = 0;
    for (uint32_t i = 0; i < count; i++) order += f.orders[i];
    expr sum = order ? EXPR_ZERO : EXPR_ONE;
    for (uint32_t wave = 0; wave < count; wave++) {
        expr argument = expr_rational(p, 7 * (int64_t)f.base + 5 * (int64_t)wave + 3, 11),
             scale = expr_rational(p, 1, 4);
        for (uint32_t i = 0; i < count; i++) {
            const int64_t spread = (int64_t)(f.base + 1) * (i + 2) * (i + 3 + wave) % 11;
            const expr w = expr_rational(p, 5 + 2 * (int64_t)i + spread + (i == wave ? 6 : 0),
                                         4 + (int64_t)f.base);
            argument = expr_add(p, argument, expr_mul(p, w, arguments[i]));
            for (uint32_t d = 0; d < f.orders[i]; d++) scale = expr_mul(p, scale, w);
        }
        const expr value = expr_mul(p, order % 4 >= 2 ? expr_neg(p, scale) : scale,
                                    expr_function(p, order % 2 ? EXPR_COS : EXPR_SIN, &argument));
        sum = expr_add(p, sum, value);
    }
    return sum;
}

// An undefined given is an abstract function of t alone.
static expr given_value(const model *m, const given_function *g, bool generic, uint32_t index) {
    if (g->definition != EXPR_NONE) return g->definition;
    if (!generic) return EXPR_NONE;
    pool *p = m->pool;
    const expr argument = expr_add(p, expr_mul(p, expr_rational(p, 6, 5), m->time),
                                   expr_rational(p, 2 * (int64_t)index + 1, 7));
    return expr_add(p, EXPR_ONE,
                    expr_mul(p, expr_rational(p, 1, 4), expr_function(p, EXPR_SIN, &argument)));
}

static bool is_given_in(pool *p, uint32_t count, const expr *roots) {
    uint32_t n;
    bool found = false;
    expr *nodes = expr_reachable(p, count, roots, &n);
    for (uint32_t i = 0; i < n && !found; i++) {
        const symbol *s = expr_as_symbol(p, nodes[i]);
        found = s && s->role == ROLE_GIVEN;
    }
    memory_free(nodes);
    return found;
}

// Givens and their derivatives with what they stand for, in heap arrays the caller frees. The
// derivative of one may be the first to use that of another: then once more.
static uint32_t list_givens(const model *m, bool generic, expr **from, expr **to) {
    pool *p = m->pool;
    uint32_t pairs, symbols;
    do {
        pairs = 0, symbols = pool_symbol_count(p);
        memory_grow(*from, symbols);
        memory_grow(*to, symbols);
        for (uint32_t g = m->givens_count;
             g-- > 0;) { // those that use others are mostly behind them
            expr value = given_value(m, &m->givens[g], generic, g);
            const uint32_t base = expr_symbol_index(p, m->givens[g].symbol);
            for (uint32_t s = base; s < symbols && value != EXPR_NONE;
                 s = pool_symbol(p, s)->next) {
                (*from)[pairs] = pool_symbol(p, s)->node;
                (*to)[pairs++] = s == base ? value : (value = expr_ddt(p, value));
            }
        }
    } while (pool_symbol_count(p) != symbols && !m->ctx->exhausted);
    return pairs;
}

static void replace_givens(const model *m, bool generic, uint32_t count, expr *roots) {
    expr *from = NULL, *to = NULL;
    const uint32_t pairs = list_givens(m, generic, &from, &to);
    expr_resolve(m->pool, pairs, from, to); // a given may use another one
    expr_substitute(m->pool, pairs, from, to, count, roots, roots);
    memory_free(from);
    memory_free(to);
}

// Stand-ins for all applications that hold no other application; returns how many there were.
static uint32_t replace_innermost(pool *p, uint32_t count, expr *roots) {
    enum { MOST_ARGUMENTS = 16 };
    uint32_t n, found = 0;
    expr *nodes = expr_reachable(p, count, roots, &n);
    bool *holds = memory_zeros(bool, pool_size(p)); // an application, itself or below
    expr *from = memory_array(expr, 2 * (n + 1)), *to = from + n + 1;
    for (uint32_t i = 0; i < n; i++) { // operands come before their users
        const uint32_t operands = expr_operand_count(p, nodes[i]);
        for (uint32_t j = 0; j < operands; j++)
            holds[nodes[i]] |= holds[expr_operand(p, nodes[i], j)];
        uint32_t order;
        if (expr_kind_of(p, nodes[i]) != EXPR_APPLY || expr_spline(p, nodes[i], &order)) continue;
        if (!holds[nodes[i]]) from[found++] = nodes[i];
        holds[nodes[i]] = true;
    }
    for (uint32_t i = 0; i < found; i++) {
        expr arguments[MOST_ARGUMENTS];
        const uint32_t operands = expr_operand_count(p, from[i]),
                       arity = operands < MOST_ARGUMENTS ? operands : MOST_ARGUMENTS;
        for (uint32_t j = 0; j < arity; j++) arguments[j] = expr_operand(p, from[i], j);
        to[i] = stand_in(p, expr_function_index(p, from[i]), arity, arguments);
    }
    if (found) expr_substitute(p, found, from, to, count, roots, roots);
    memory_free(nodes);
    memory_free(holds);
    memory_free(from);
    return found;
}

void model_concrete(const model *m, bool generic, uint32_t count, const expr *in, expr *out) {
    for (uint32_t i = 0; i < count; i++) out[i] = in[i];
    if (m->givens_count && is_given_in(m->pool, count, out)) replace_givens(m, generic, count, out);
    while (generic && replace_innermost(m->pool, count, out)) {} // a(b(z)) needs two passes
}
