// Functions that are given by data: their place in the pool, and as polynomials on one piece.
#include "expr/pool_internal.h"
#include "expr/spline.h"

#include <assert.h>

uint32_t pool_tabulate(pool *p, const char *name, spline *data) {
    static const char *const part[SPLINE_PIECE] = {"from", "c0", "c1", "c2", "c3"};
    const uint32_t index = pool_function(p, name, 1);
    p->functions[index].data = data;
    data->name = p->functions[index].name;
    list_push(p, splines, data);
    for (int i = 0; i < SPLINE_PIECE; i++)
        data->piece[i] =
            expr_symbol(p, arena_format(&p->ctx->arena, "%s.%s", name, part[i]), ROLE_PARAMETER);
    return index;
}

uint32_t pool_spline_count(const pool *p) { return p->splines_count; }
spline *pool_spline_at(const pool *p, uint32_t index) { return p->splines[index]; }

spline *expr_spline(const pool *p, expr e, uint32_t *order) {
    if (e == EXPR_NONE || node_at(p, e)->kind != EXPR_APPLY) return NULL;
    const function *f = &p->functions[node_at(p, e)->payload];
    *order = f->arity ? f->orders[0] : 0;
    return f->data;
}

// d^order/dt^order of sum_j c_j x^j, x = t - from, by Horner's rule
static expr polynomial(pool *p, const spline *f, uint32_t order, expr t) {
    const expr x = expr_sub(p, t, f->piece[0]);
    expr sum = EXPR_ZERO;
    for (uint32_t j = spline_degree(f) + 1; j-- > order;) {
        int64_t factor = 1; // j (j - 1) .. (j - order + 1)
        for (uint32_t k = 0; k < order; k++) factor *= (int64_t)(j - k);
        const expr term = expr_mul(p, expr_int(p, factor), f->piece[1 + j]);
        sum = expr_add(p, term, expr_mul(p, x, sum));
    }
    return sum;
}

void expr_in_pieces(pool *p, uint32_t count, const expr *in, expr *out) {
    if (in != out)
        for (uint32_t i = 0; i < count; i++) out[i] = in[i];
    if (!p->splines_count || !count) return;
    uint32_t n, found = 0;
    expr *nodes = expr_reachable(p, count, out, &n);
    expr *from = memory_array(expr, 2 * (size_t)(n + 1)), *to = from + n + 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t order;
        const spline *f = expr_spline(p, nodes[i], &order);
        if (!f || order > spline_degree(f)) continue;
        const symbol *t = expr_as_symbol(p, expr_operand(p, nodes[i], 0));
        if (!t || t->role != ROLE_TIME) continue;
        from[found] = nodes[i], to[found++] = polynomial(p, f, order, t->node);
    }
    if (found) expr_substitute(p, found, from, to, count, out, out);
    memory_free(nodes);
    memory_free(from);
}
