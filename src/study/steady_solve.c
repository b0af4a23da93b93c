// Solutions of one equation of low degree, and closed forms substituted into all equations.
#include "study/steady_solve.h"

#include "normal/normal.h"

#include <string.h>

enum { LONGEST = 6000, MOST_TERMS = 3000 }; // of what is simplified

static normal_budget budget_of(void) {
    normal_budget b = normal_budget_default();
    if (b.terms > MOST_TERMS) b.terms = MOST_TERMS;
    return b;
}

// As a polynomial, factored; EXPR_NONE if that is too long
expr closed_solver_factored(closed_solver *w, expr e) {
    const normal_budget b = budget_of();
    if (e == EXPR_ZERO) return e;
    if (expr_is_heavier(w->p, e, LONGEST)) return EXPR_NONE;
    expr out, common;
    if (points_vanish(&w->at, e) == VANISHES_YES) return EXPR_ZERO;
    if (!normal_primitive(w->p, 1, &e, &b, &out, &common)) return EXPR_NONE;
    // a single one is all common: numerator over denominator
    return normal_factored(w->p, expr_mul(w->p, out, common), EXPR_NONE, &b);
}

// The operands of a product that may vanish: not numbers, not denominators
uint32_t closed_solver_factors(closed_solver *w, expr e, uint32_t room, expr *out) {
    uint32_t count = 0;
    expr coefficient, rest;
    expr_split_coefficient(w->p, e, &coefficient, &rest);
    if (expr_kind_of(w->p, rest) != EXPR_PRODUCT) {
        out[count++] = rest;
        return count;
    }
    for (uint32_t i = 0; i + 1 < expr_operand_count(w->p, rest) && count < room; i += 2)
        if (fmpq_sgn(expr_number_value(w->p, expr_operand(w->p, rest, i + 1))) > 0)
            out[count++] = expr_operand(w->p, rest, i);
    return count;
}

expr closed_solver_simplified(closed_solver *w, expr e) {
    const normal_budget b = budget_of();
    return normal_simplify(w->p, e, &b);
}

// a y^4 + b y^2 + c = 0: the square from a quadratic equation, and its roots
static uint32_t solve_biquadratic(closed_solver *w, expr f, expr y, expr *out) {
    expr c[5], rest = f, square[CLOSED_MOST_SOLUTIONS];
    int64_t factorial = 1;
    for (int k = 0; k <= 4; k++) { // c_k = f^(k)(0)/k!
        if (k > 1) factorial *= k;
        c[k] = expr_mul(w->p, expr_rational(w->p, 1, factorial), expr_at_zero(w->p, rest, 1, &y));
        rest = expr_diff(w->p, rest, y);
    }
    for (int k = 1; k < 4; k += 2)
        if (c[k] != EXPR_ZERO && points_vanish(&w->at, c[k]) != VANISHES_YES) return 0;
    const expr z = expr_symbol(w->p, "square", ROLE_LOCAL),
               in_square = expr_add(
                   w->p, c[0], expr_mul(w->p, z, expr_add(w->p, c[2], expr_mul(w->p, z, c[4]))));
    const uint32_t count = closed_solver_polynomial(w, in_square, z, square);
    for (uint32_t k = 0; k < count; k++) {
        out[2 * k + 1] = expr_sqrt(w->p, square[k]);
        out[2 * k] = expr_neg(w->p, out[2 * k + 1]);
    }
    return 2 * count;
}

// Solutions of factor = 0 for y: polynomials of degree 1 and 2, and of degree 2 in the square
uint32_t closed_solver_polynomial(closed_solver *w, expr f, expr y, expr *out) {
    const uint32_t degree = expr_degree(w->p, f, 1, &y, NULL);
    if (degree == 4) return solve_biquadratic(w, f, y, out);
    if (degree < 1 || degree > 2) return 0;
    const expr c = expr_at_zero(w->p, f, 1, &y), slope = expr_diff(w->p, f, y),
               b = expr_at_zero(w->p, slope, 1, &y),
               a = expr_mul(w->p, EXPR_HALF, expr_diff(w->p, slope, y));
    if (a == EXPR_ZERO || points_vanish(&w->at, a) == VANISHES_YES) {
        out[0] = closed_solver_simplified(w, expr_neg(w->p, expr_div(w->p, c, b)));
        return 1;
    }
    const expr square = expr_sub(w->p, expr_square(w->p, b),
                                 expr_mul(w->p, expr_int(w->p, 4), expr_mul(w->p, a, c))),
               root = expr_sqrt(w->p, closed_solver_simplified(w, square)),
               below = expr_mul(w->p, EXPR_TWO, a);
    for (int sign = -1; sign <= 1; sign += 2) // the smaller root first, for a > 0
        out[(sign + 1) / 2] = expr_div(
            w->p, sign < 0 ? expr_sub(w->p, expr_neg(w->p, b), root) : expr_sub(w->p, root, b),
            below);
    return 2;
}

// The same for a sine or a cosine of y, where y stands in nothing else
uint32_t closed_solver_circular(closed_solver *w, expr f, expr y, expr *left, expr *out) {
    static const expr_kind KINDS[] = {EXPR_COS, EXPR_SIN};
    for (int k = 0; k < 2; k++) {
        const expr circular = expr_function(w->p, KINDS[k], &y),
                   name = expr_symbol(w->p, "circular", ROLE_LOCAL),
                   g = expr_replace(w->p, f, 1, &circular, &name);
        if (expr_depends_on(w->p, g, 1, &y)) continue;
        const uint32_t count = closed_solver_polynomial(w, g, name, out);
        *left = circular;
        if (count) return count;
    }
    // a sin(y) + b cos(y) = 0
    const expr sine = expr_function(w->p, EXPR_SIN, &y), cosine = expr_function(w->p, EXPR_COS, &y),
               both[2] = {sine, cosine},
               name[2] = {expr_symbol(w->p, "s", ROLE_LOCAL), expr_symbol(w->p, "c", ROLE_LOCAL)};
    const expr g = expr_replace(w->p, f, 2, both, name);
    if (expr_depends_on(w->p, g, 1, &y) || expr_degree(w->p, g, 2, name, NULL) != 1 ||
        expr_at_zero(w->p, g, 2, name) != EXPR_ZERO)
        return 0;
    *left = expr_function(w->p, EXPR_TAN, &y);
    out[0] = closed_solver_simplified(w, expr_neg(w->p, expr_div(w->p, expr_diff(w->p, g, name[1]),
                                                                 expr_diff(w->p, g, name[0]))));
    return 1;
}

// sin(y) = 0 and cos(y) = 0: the values themselves, 2 of them modulo 2 pi
uint32_t closed_solver_plain(closed_solver *w, expr f, expr *y, expr *out) {
    const expr_kind kind = expr_kind_of(w->p, f);
    if (kind != EXPR_SIN && kind != EXPR_COS) return 0;
    *y = expr_operand(w->p, f, 0);
    if (!expr_as_symbol(w->p, *y)) return 0;
    const expr pi = expr_pi(w->p), half = expr_mul(w->p, EXPR_HALF, pi);
    out[0] = kind == EXPR_SIN ? EXPR_ZERO : half;
    out[1] = kind == EXPR_SIN ? pi : expr_neg(w->p, half);
    return 2;
}

// --- substituting it back ------------------------------------------------------------------------

// Expressions with the values of a branch put in, and those of `last` besides. False where an
// unknown that has a value stands in them still.
static bool put_in(closed_solver *w, uint32_t values, const closed_solution *value,
                   const closed_solution *last, uint32_t rows, expr *row) {
    for (uint32_t i = 0; i < values; i++) { // each in what is left
        const closed_solution *v = &value[i];
        if (expr_as_symbol(w->p, v->left))
            expr_substitute(w->p, 1, &v->left, &v->right, rows, row, row);
    }
    for (uint32_t i = 0; i <= values; i++) {
        const closed_solution *v = i < values ? &value[i] : last;
        if (!v || (i < values && expr_as_symbol(w->p, v->left))) continue;
        expr from[2], to[2];
        from[0] = v->left, to[0] = v->right, from[1] = to[1] = EXPR_ZERO;
        uint32_t count = 1;
        if (!expr_as_symbol(w->p, v->left)) {
            const expr y = expr_operand(w->p, v->left, 0), one = EXPR_ONE,
                       square = expr_square(w->p, v->right);
            const expr_kind kind = expr_kind_of(w->p, v->left);
            from[0] = expr_function(w->p, EXPR_SIN, &y),
            from[1] = expr_function(w->p, EXPR_COS, &y);
            const expr other = expr_sqrt(w->p, expr_sub(w->p, one, square)),
                       cosine = expr_div(w->p, one, expr_sqrt(w->p, expr_add(w->p, one, square)));
            to[0] = kind == EXPR_SIN   ? v->right
                    : kind == EXPR_COS ? other
                                       : expr_mul(w->p, v->right, cosine);
            to[1] = kind == EXPR_COS ? v->right : kind == EXPR_SIN ? other : cosine;
            count = 2;
        }
        expr_substitute(w->p, count, from, to, rows, row, row);
        const expr y = count == 2 ? expr_operand(w->p, v->left, 0) : v->left;
        if (expr_any_depends_on(w->p, rows, row, 1, &y)) return false;
    }
    return true;
}

// Nothing that the rows or the values divide by vanishes, as it does where attracting bodies meet.
bool closed_solver_is_defined(closed_solver *w, uint32_t values, const closed_solution *value,
                              const closed_solution *last) {
    uint32_t count;
    expr *whole = arena_array(w->a, expr, w->rows + values + 1);
    memcpy(whole, w->row, sizeof *whole * w->rows);
    for (uint32_t i = 0; i < values; i++) whole[w->rows + i] = value[i].right;
    expr *divisor = expr_denominators(w->p, w->rows + values, whole, &count);
    bool good = put_in(w, values, value, last, count, divisor);
    for (uint32_t i = 0; i < count && good; i++)
        good = points_vanish(&w->at, divisor[i]) == VANISHES_NO;
    memory_free(divisor);
    return good;
}

bool closed_solver_verify(closed_solver *w, uint32_t values, const closed_solution *value,
                          const closed_solution *last) {
    expr *row = arena_array(w->a, expr, w->rows);
    memcpy(row, w->row, sizeof *row * w->rows);
    if (!put_in(w, values, value, last, w->rows, row)) return false;
    for (uint32_t i = 0; i < w->rows; i++)
        if (points_vanish(&w->at, row[i]) != VANISHES_YES) return false;
    return closed_solver_is_defined(w, values, value, last);
}
