// Conditions of stability in closed form.
#include "study/exact_stability.h"

#include "expr/program.h"
#include "expr/vanish.h"
#include "normal/normal.h"

enum { LARGEST_DEGREE = 6, LONGEST = 4000, MOST_CONDITIONS = 16 };

// --- signs ---------------------------------------------------------------------------------------

typedef enum { SIGN_OPEN, SIGN_POSITIVE, SIGN_NEGATIVE, SIGN_NOT_NEGATIVE, SIGN_NOT_POSITIVE } sign;

static sign turned(sign s) {
    static const sign to[] = {SIGN_OPEN, SIGN_NEGATIVE, SIGN_POSITIVE, SIGN_NOT_POSITIVE,
                              SIGN_NOT_NEGATIVE};
    return to[s];
}

static sign sign_of_number(const fmpq_t v) {
    const int s = fmpq_sgn(v);
    return s > 0 ? SIGN_POSITIVE : s < 0 ? SIGN_NEGATIVE : SIGN_NOT_NEGATIVE;
}

// Of a sum of two
static sign sign_of_sum(sign a, sign b) {
    const bool not_negative = (a == SIGN_POSITIVE || a == SIGN_NOT_NEGATIVE) &&
                              (b == SIGN_POSITIVE || b == SIGN_NOT_NEGATIVE),
               not_positive = (a == SIGN_NEGATIVE || a == SIGN_NOT_POSITIVE) &&
                              (b == SIGN_NEGATIVE || b == SIGN_NOT_POSITIVE);
    if (not_negative)
        return a == SIGN_POSITIVE || b == SIGN_POSITIVE ? SIGN_POSITIVE : SIGN_NOT_NEGATIVE;
    if (not_positive)
        return a == SIGN_NEGATIVE || b == SIGN_NEGATIVE ? SIGN_NEGATIVE : SIGN_NOT_POSITIVE;
    return SIGN_OPEN;
}

static sign sign_of_product(sign a, sign b) {
    if (a == SIGN_POSITIVE) return b;
    if (b == SIGN_POSITIVE) return a;
    if (a == SIGN_NEGATIVE) return turned(b);
    if (b == SIGN_NEGATIVE) return turned(a);
    if (!a || !b) return SIGN_OPEN;
    return a == b ? SIGN_NOT_NEGATIVE : SIGN_NOT_POSITIVE;
}

// b^e; what is divided by is not 0
static sign sign_of_power(sign b, const fmpq_t e) {
    const bool whole = fmpz_is_one(fmpq_denref(e)), even = whole && fmpz_is_even(fmpq_numref(e)),
               divides = fmpq_sgn(e) < 0;
    if (whole && !even) {
        if (divides && b == SIGN_NOT_NEGATIVE) return SIGN_POSITIVE;
        if (divides && b == SIGN_NOT_POSITIVE) return SIGN_NEGATIVE;
        return b;
    }
    const bool positive = divides || b == SIGN_POSITIVE || (even && b == SIGN_NEGATIVE);
    return positive ? SIGN_POSITIVE : SIGN_NOT_NEGATIVE;
}

typedef struct {
    const model *m;
    pool *p;
    bool *assumed; // by parameter
    exact_stability out;
    expr positive[MOST_CONDITIONS], nonzero[MOST_CONDITIONS];
} work;

static sign sign_of_symbol(const work *w, expr symbol) {
    for (uint32_t i = 0; i < w->m->parameters_count; i++)
        if (w->m->parameters[i].symbol == symbol)
            return model_constant(w->m, symbol) > 0 ? SIGN_POSITIVE : SIGN_OPEN;
    return SIGN_OPEN;
}

static sign sign_of_instruction(const work *w, const program *prog, const instruction *c,
                                const sign *known) {
    const uint32_t *operand = prog->operands + c->first;
    sign s = SIGN_OPEN;
    switch (c->kind) {
    case EXPR_NUMBER: return sign_of_number(expr_number_value(w->p, c->node));
    case EXPR_SYMBOL: return sign_of_symbol(w, c->node);
    case EXPR_PI:
    case EXPR_EXP:
    case EXPR_COSH: return SIGN_POSITIVE;
    case EXPR_SUM:
        for (uint32_t j = 1; j < c->count; j += 2) {
            const sign term = sign_of_product(known[operand[j]], known[operand[j + 1]]);
            s = j == 1 ? term : sign_of_sum(s, term);
        }
        return prog->code[operand[0]].node == EXPR_ZERO ? s : sign_of_sum(s, known[operand[0]]);
    case EXPR_PRODUCT:
        s = SIGN_POSITIVE;
        for (uint32_t j = 0; j < c->count; j += 2) {
            const fmpq *e = expr_number_value(w->p, prog->code[operand[j + 1]].node);
            s = sign_of_product(s, sign_of_power(known[operand[j]], e));
        }
        return s;
    default: return SIGN_OPEN;
    }
}

// The sign that e has wherever it is defined and the parameters that it names are positive as their
// values are. Where that says something, they are noted.
static sign find_sign(work *w, expr e) {
    program *prog = program_create(w->p, 1, &e);
    sign *known = memory_array(sign, prog->length + 1);
    for (uint32_t i = 0; i < prog->length; i++)
        known[i] = sign_of_instruction(w, prog, &prog->code[i], known);
    const sign s = known[prog->outputs[0]];
    for (uint32_t k = 0; k < w->m->parameters_count && s; k++)
        if (sign_of_symbol(w, w->m->parameters[k].symbol) &&
            expr_depends_on(w->p, e, 1, &w->m->parameters[k].symbol))
            w->assumed[k] = true;
    memory_free(known);
    program_free(prog);
    return s;
}

// --- one condition -------------------------------------------------------------------------------

static void note(expr *list, uint32_t *count, expr e) {
    for (uint32_t i = 0; i < *count; i++)
        if (list[i] == e) return;
    if (*count < MOST_CONDITIONS) list[(*count)++] = e;
}

static bool is_known_positive(const work *w, expr e) {
    for (uint32_t i = 0; i < w->out.count; i++)
        if (w->positive[i] == e) return true;
    return false;
}

// One factor b^e of a condition: what is left of it, and whether it turns the sign
static expr leave_factor(work *w, expr b, const fmpq_t e, bool *turns) {
    const bool even = fmpz_is_one(fmpq_denref(e)) && fmpz_is_even(fmpq_numref(e));
    const sign s = find_sign(w, b);
    if (s == SIGN_POSITIVE || is_known_positive(w, b)) return EXPR_ONE;
    if (s == SIGN_NEGATIVE || is_known_positive(w, expr_neg(w->p, b))) {
        *turns = *turns != !even;
        return EXPR_ONE;
    }
    if (!even) return b;
    if (fmpq_sgn(e) > 0) note(w->nonzero, &w->out.nonzeros, b);
    return EXPR_ONE;
}

// e > 0, without the factors whose signs are known
static void add_condition(work *w, expr e) {
    const normal_budget budget = normal_budget_default();
    pool *p = w->p;
    if (expr_all_vanish(p, 1, &e)) {
        w->out.never = true;
        return;
    }
    expr number, rest, left = EXPR_ONE;
    expr_split_coefficient(p, normal_factored(p, e, EXPR_NONE, &budget), &number, &rest);
    bool turns = fmpq_sgn(expr_number_value(p, number)) < 0;
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    if (expr_kind_of(p, rest) != EXPR_PRODUCT) left = leave_factor(w, rest, one, &turns);
    else
        for (uint32_t i = 0; i < expr_operand_count(p, rest); i += 2)
            left =
                expr_mul(p, left,
                         leave_factor(w, expr_operand(p, rest, i),
                                      expr_number_value(p, expr_operand(p, rest, i + 1)), &turns));
    fmpq_clear(one);
    if (left == EXPR_ONE) w->out.never = w->out.never || turns;
    else note(w->positive, &w->out.count, turns ? expr_neg(p, left) : left);
}

// --- all of them ---------------------------------------------------------------------------------

// The leading minor of order k of Hurwitz's matrix H_ij = c_(n - 2 j + i): for each set of columns
// the determinant of as many first rows, D(S) = sum_j +- H_(|S|, j) D(S without j).
static expr hurwitz_minor(work *w, uint32_t n, const expr *c, uint32_t k) {
    expr *minor = memory_zeros(expr, 1u << k);
    minor[0] = EXPR_ONE;
    for (uint32_t set = 1; set < 1u << k; set++) {
        const int row = __builtin_popcount(set);
        for (uint32_t j = 1; j <= k; j++) {
            const int at = (int)n - 2 * (int)j + row;
            if (!(set >> (j - 1) & 1) || at < 0 || at > (int)n) continue;
            const bool odd = __builtin_popcount(set >> j) % 2; // columns behind it
            const expr below = minor[set & ~(1u << (j - 1))];
            minor[set] = odd ? expr_sub_product(w->p, minor[set], c[at], below)
                             : expr_add_product(w->p, minor[set], c[at], below);
        }
    }
    const expr all = minor[(1u << k) - 1];
    memory_free(minor);
    return all;
}

// P(x^2) + x P'(x^2)
static void hermite_biehler(work *w, uint32_t degree, expr *c) {
    for (uint32_t k = 2; k <= degree; k += 2)
        c[k - 1] = expr_mul(w->p, expr_int(w->p, k / 2), c[k]);
}

// Does X > 0 follow from Y > 0? It does where X - t Y is not negative, for a t > 0: one with which
// a term that both have cancels is tried.
static bool follows_from(work *w, expr x, expr y) {
    const normal_budget budget = normal_budget_default();
    pool *p = w->p;
    if (expr_kind_of(p, x) != EXPR_SUM || expr_kind_of(p, y) != EXPR_SUM) return false;
    for (uint32_t i = 1; i < expr_operand_count(p, x); i += 2)
        for (uint32_t k = 1; k < expr_operand_count(p, y); k += 2) {
            if (expr_operand(p, x, i + 1) != expr_operand(p, y, k + 1)) continue;
            const expr t = expr_div(p, expr_operand(p, x, i), expr_operand(p, y, k));
            if (fmpq_sgn(expr_number_value(p, t)) < 0) continue;
            const sign s = find_sign(w, normal_simplify(p, expr_sub_product(p, x, t, y), &budget));
            if (s == SIGN_POSITIVE || s == SIGN_NOT_NEGATIVE) return true;
        }
    return false;
}

// f != 0 follows where Y is not positive without f.
static void leave_out_what_follows(work *w) {
    pool *p = w->p;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->out.count; i++) {
        bool follows = false;
        for (uint32_t k = 0; k < w->out.count && !follows; k++)
            follows = k != i && w->positive[k] != EXPR_NONE &&
                      follows_from(w, w->positive[i], w->positive[k]);
        if (follows) w->positive[i] = EXPR_NONE;
    }
    for (uint32_t i = 0; i < w->out.count; i++)
        if (w->positive[i] != EXPR_NONE) w->positive[kept++] = w->positive[i];
    w->out.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < w->out.nonzeros; i++) {
        bool follows = false;
        for (uint32_t k = 0; k < w->out.count && expr_as_symbol(p, w->nonzero[i]); k++) {
            const sign s = find_sign(w, expr_at_zero(p, w->positive[k], 1, &w->nonzero[i]));
            follows = follows || s == SIGN_NEGATIVE || s == SIGN_NOT_POSITIVE;
        }
        if (!follows) w->nonzero[kept++] = w->nonzero[i];
    }
    w->out.nonzeros = kept;
}

// Products once more, when all that is positive by itself is known
static void divide_by_others(work *w) {
    expr all[MOST_CONDITIONS];
    const uint32_t count = w->out.count;
    w->out.count = 0;
    for (uint32_t i = 0; i < count; i++) all[i] = w->positive[i];
    for (int products = 0; products < 2; products++)
        for (uint32_t i = 0; i < count; i++)
            if ((expr_kind_of(w->p, all[i]) == EXPR_PRODUCT) == products) add_condition(w, all[i]);
}

static void add_conditions(work *w, uint32_t degree, const expr *coefficient) {
    const normal_budget budget = normal_budget_default();
    expr c[LARGEST_DEGREE + 1];
    for (uint32_t k = 0; k <= degree; k++) c[k] = normal_simplify(w->p, coefficient[k], &budget);
    if (w->out.even) hermite_biehler(w, degree, c);
    for (uint32_t k = 0; k < degree && !w->out.never; k += 2) add_condition(w, c[k]);
    for (uint32_t k = degree % 2 ? 2 : 1; k < degree && !w->out.never; k += 2) {
        const expr minor = hurwitz_minor(w, degree, c, k);
        if (expr_is_heavier(w->p, minor, LONGEST)) {
            w->out.refusal = "a condition is too long to be written";
            return;
        }
        add_condition(w, minor);
    }
    divide_by_others(w);
    leave_out_what_follows(w);
}

exact_stability exact_stability_create(const model *m, uint32_t degree, const expr *coefficient,
                                       bool even) {
    work w = {.m = m, .p = m->pool, .out = {.even = even}};
    arena *a = &m->ctx->arena;
    if (degree > LARGEST_DEGREE) {
        w.out.refusal = "there are too many eigenvalues for conditions in closed form";
        return w.out;
    }
    w.assumed = arena_array(a, bool, m->parameters_count + 1);
    add_conditions(&w, degree, coefficient);
    expr *positive = arena_array(a, expr, MOST_CONDITIONS),
         *nonzero = arena_array(a, expr, MOST_CONDITIONS),
         *assumption = arena_array(a, expr, m->parameters_count + 1);
    for (uint32_t i = 0; i < w.out.count; i++) positive[i] = w.positive[i];
    for (uint32_t i = 0; i < w.out.nonzeros; i++) nonzero[i] = w.nonzero[i];
    for (uint32_t i = 0; i < m->parameters_count; i++)
        if (w.assumed[i]) assumption[w.out.assumed++] = m->parameters[i].symbol;
    w.out.positive = positive, w.out.nonzero = nonzero, w.out.assumption = assumption;
    return w.out;
}
