// Functions of which an integral may be a linear combination.
#include "analyse/ansatz.h"

enum { MOST_ATOMS = 40, MOST_TERMS = 12 };

static bool in_list(uint32_t count, const expr *list, expr e) {
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == e) return true;
    return false;
}

static void add_polynomial(ansatz *a, expr e, uint32_t highest) {
    for (uint32_t i = 0; i < a->polynomials; i++)
        if (a->polynomial[i].value == e) return;
    if (a->polynomials < MOST_ATOMS) a->polynomial[a->polynomials++] = (atom){e, highest};
}

static void add_linear(ansatz *a, expr e) {
    if (a->linears < MOST_ATOMS && !in_list(a->linears, a->linear, e)) a->linear[a->linears++] = e;
}

static void add_rare(ansatz *a, expr e) {
    if (a->rares < MOST_ATOMS && !in_list(a->rares, a->rare, e)) a->rare[a->rares++] = e;
}

// --- what appears in the fields ------------------------------------------------------------------

static bool moves(const ansatz *a, expr e) {
    const mechanics *s = a->d->s;
    return expr_depends_on(s->pool, e, s->n, s->q) || expr_depends_on_time(s->pool, e);
}

// 1/b, log b; atan of a coordinate or of a quotient of two where b may be 1 + x^2 or x^2 + y^2
static void add_denominator(ansatz *a, expr b) {
    const mechanics *s = a->d->s;
    pool *p = s->pool;
    add_rare(a, expr_div(p, EXPR_ONE, b));
    add_rare(a, expr_function(p, EXPR_LOG, &b));
    if (expr_kind_of(p, b) != EXPR_SUM) return;
    expr in[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->n; i++)
        if (expr_depends_on(p, b, 1, &s->q[i]) && count++ < 2) in[count - 1] = s->q[i];
    if (count == 1) add_rare(a, expr_function(p, EXPR_ATAN, in));
    if (count == 2) add_rare(a, expr_function(p, EXPR_ATAN2, (expr[2]){in[1], in[0]}));
}

static void add_factors(ansatz *a, expr product) {
    pool *p = a->d->s->pool;
    for (uint32_t j = 0; j < expr_operand_count(p, product); j += 2) {
        const expr base = expr_operand(p, product, j), e = expr_operand(p, product, j + 1);
        if (!moves(a, base)) continue;
        const fmpq *power = expr_number_value(p, e);
        if (!fmpz_is_one(fmpq_denref(power))) add_polynomial(a, expr_sqrt(p, base), 1);
        if (fmpq_sgn(power) < 0) add_denominator(a, base);
    }
}

// A derivative of an abstract function comes from the function itself.
static void add_abstract(ansatz *a, expr e) {
    pool *p = a->d->s->pool;
    const uint32_t count = expr_operand_count(p, e),
                   base = pool_function_at(p, expr_function_index(p, e))->base;
    expr *argument = memory_array(expr, count + 1);
    for (uint32_t i = 0; i < count; i++) argument[i] = expr_operand(p, e, i);
    add_polynomial(a, expr_apply(p, base, count, argument), 2);
    memory_free(argument);
    add_polynomial(a, e, 2);
}

static void add_node(ansatz *a, expr e) {
    pool *p = a->d->s->pool;
    const expr_kind kind = expr_kind_of(p, e);
    const symbol *v = expr_as_symbol(p, e);
    if (kind == EXPR_PRODUCT) add_factors(a, e);
    if (v && v->role == ROLE_GIVEN)
        for (uint32_t order = 0; order <= v->order; order++)
            add_polynomial(a, expr_symbol_of_order(p, pool_symbol(p, v->base)->node, order), 2);
    if (kind < EXPR_APPLY || !moves(a, e)) return;
    if (kind == EXPR_APPLY) {
        add_abstract(a, e);
        return;
    }
    const expr u = expr_operand(p, e, 0), minus = expr_neg(p, u);
    if (kind == EXPR_SIN || kind == EXPR_COS || kind == EXPR_TAN) {
        add_polynomial(a, expr_function(p, EXPR_SIN, &u), MOST_TERMS);
        const expr cosine = expr_function(p, EXPR_COS, &u);
        add_polynomial(a, cosine, 1);
        if (kind == EXPR_TAN) add_denominator(a, cosine);
    } else if (kind == EXPR_SINH || kind == EXPR_COSH) {
        add_polynomial(a, expr_function(p, EXPR_SINH, &u), MOST_TERMS);
        add_polynomial(a, expr_function(p, EXPR_COSH, &u), 1);
    } else {
        add_polynomial(a, e, 1);
        if (kind == EXPR_EXP) add_rare(a, expr_function(p, EXPR_EXP, &minus));
    }
}

// --- what appears in the forms -------------------------------------------------------------------

static void add_terms(ansatz *a, expr coefficient, expr x) {
    pool *p = a->d->s->pool;
    if (expr_kind_of(p, coefficient) != EXPR_SUM) {
        if (coefficient != EXPR_ZERO) add_linear(a, expr_mul(p, coefficient, x));
        return;
    }
    const uint32_t count = expr_operand_count(p, coefficient);
    for (uint32_t j = 1; j < count && j < 2 * MOST_TERMS; j += 2)
        add_linear(a, expr_mul(p, expr_operand(p, coefficient, j + 1), x));
}

ansatz ansatz_create(const directions *d, uint32_t forms, const expr *form) {
    const mechanics *s = d->s;
    pool *p = s->pool;
    arena *room = &s->model->ctx->arena;
    ansatz a = {.d = d,
                .polynomial = arena_array(room, atom, MOST_ATOMS),
                .linear = arena_array(room, expr, MOST_ATOMS),
                .rare = arena_array(room, expr, MOST_ATOMS)};
    const uint32_t entries = d->fields * d->width;
    bool time = false;
    for (uint32_t j = 0; j <= s->n; j++) {
        bool known = false;
        const expr x = j < s->n ? s->q[j] : s->model->time;
        for (uint32_t i = 0; i < entries && !known; i++)
            known = expr_depends_on(p, d->field[i], 1, &x);
        for (uint32_t nu = 0; nu < forms; nu++)
            time = time || form[nu * d->width + s->n] != EXPR_ZERO;
        if (known) add_polynomial(&a, x, MOST_TERMS);
        else if (j < s->n || time) add_linear(&a, x);
    }
    uint32_t count;
    expr *node = expr_reachable(p, entries, d->field, &count);
    for (uint32_t i = 0; i < count; i++) add_node(&a, node[i]);
    memory_free(node);
    for (uint32_t nu = 0; nu < forms; nu++)
        for (uint32_t j = 0; j <= s->n; j++)
            add_terms(&a, form[nu * d->width + j], j < s->n ? s->q[j] : s->model->time);
    return a;
}

// --- functions -----------------------------------------------------------------------------------

// All monomials of this degree in the atoms from `first` on, times `factor`; false if there is no
// room.
static bool add_monomials(const ansatz *a, uint32_t degree, uint32_t first, expr factor,
                          expr *column, uint32_t *count) {
    if (!degree) {
        if (*count == MOST_COLUMNS) return false;
        column[(*count)++] = factor;
        return true;
    }
    for (uint32_t i = first; i < a->polynomials; i++) {
        expr power = factor;
        for (uint32_t e = 1; e <= degree && e <= a->polynomial[i].highest; e++) {
            power = expr_mul(a->d->s->pool, power, a->polynomial[i].value);
            if (!add_monomials(a, degree - e, i + 1, power, column, count)) return false;
        }
    }
    return true;
}

uint32_t ansatz_columns(const ansatz *a, uint32_t stage, expr *column) {
    uint32_t count = 0;
    if (!add_monomials(a, 1, 0, EXPR_ONE, column, &count)) return 0;
    for (uint32_t i = 0; i < a->linears && count < MOST_COLUMNS; i++)
        if (!in_list(count, column, a->linear[i])) column[count++] = a->linear[i];
    for (uint32_t degree = 2; degree <= stage + 1; degree++)
        if (!add_monomials(a, degree, 0, EXPR_ONE, column, &count)) return 0;
    bool room = true; // for what is rare only as far as there is
    for (uint32_t degree = 0; degree <= stage && room; degree++)
        for (uint32_t i = 0; i < a->rares && room; i++)
            room = add_monomials(a, degree, 0, a->rare[i], column, &count);
    return count;
}
