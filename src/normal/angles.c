// Which base angles the arguments of sin, sinh and exp are made of; and the addition theorems: sin,
// cos, sinh, cosh and exp of integer combinations of base angles.
#include "normal/ring.h"

#include <assert.h>
#include <flint/fmpq_mat.h>
#include <stdlib.h>

enum {
    PARTS = 24,         // longest argument taken apart
    ARGUMENTS = 40,     // most arguments among which dependence is looked for
    MULTIPLE_LIMIT = 24 // largest multiple of a base angle that is expanded
};

static const argument *find_argument(const ring *R, family f, expr whole) {
    for (uint32_t i = 0; i < R->arguments_count; i++)
        if (R->arguments[i].family == f && R->arguments[i].whole == whole) return &R->arguments[i];
    return NULL;
}

static base_angle *find_angle(const ring *R, family f, expr term) {
    for (uint32_t i = 0; i < R->angles_count; i++)
        if (R->angles[i].family == f && R->angles[i].term == term) return &R->angles[i];
    return NULL;
}

void angles_note(ring *R, family f, expr whole) {
    if (find_argument(R, f, whole)) return;
    list_push(R, arguments, (argument){.family = f, .whole = whole});
}

static void add_part(argument *a, expr term, const fmpq_t coefficient) {
    memory_grow(a->terms, a->count + 1);
    memory_grow(a->coefficients, a->count + 1);
    a->terms[a->count] = term;
    fmpq_init(&a->coefficients[a->count]);
    fmpq_set(&a->coefficients[a->count++], coefficient);
}

static void parts_clear(argument *a) {
    for (uint32_t i = 0; i < a->count; i++) fmpq_clear(&a->coefficients[i]);
    memory_free(a->terms);
    memory_free(a->coefficients);
    *a = (argument){.family = a->family, .whole = a->whole};
}

void angles_clear(ring *R) {
    for (uint32_t i = 0; i < R->arguments_count; i++) parts_clear(&R->arguments[i]);
    for (uint32_t i = 0; i < R->angles_count; i++) fmpz_clear(R->angles[i].divisor);
    memory_free(R->arguments);
    memory_free(R->angles);
}

// u = sum coefficient*term as it is written; the constant has the term 1.
// An overlong sum is one term.
static void take_apart(const pool *p, argument *a) {
    expr u = a->whole;
    if (expr_kind_of(p, u) == EXPR_SUM && expr_operand_count(p, u) < 2 * PARTS) {
        for (uint32_t i = 1; i < expr_operand_count(p, u); i += 2)
            add_part(a, expr_operand(p, u, i + 1), expr_number_value(p, expr_operand(p, u, i)));
        u = expr_operand(p, u, 0);
        if (u == EXPR_ZERO) return;
    }
    if (expr_is_number(p, u)) add_part(a, EXPR_ONE, expr_number_value(p, u));
    else add_part(a, u, expr_number_value(p, EXPR_ONE));
}

// --- a basis among the arguments -----------------------------------------------------------------

// Column order of the matrix below: long sums first, so that x - y is kept
// and x is written by it and y.
static uint32_t order_columns(ring *R, family f, uint32_t *column) {
    uint32_t n = 0;
    for (uint32_t longest = PARTS; longest > 0; longest--)
        for (uint32_t i = 0; i < R->arguments_count; i++) {
            const uint32_t k = R->mode == ANGLES_OTHER_BASIS ? R->arguments_count - 1 - i : i;
            if (R->arguments[k].family == f && R->arguments[k].count == longest) column[n++] = k;
        }
    return n;
}

static uint32_t term_row(expr *rows, uint32_t *count, expr term) {
    for (uint32_t i = 0; i < *count; i++)
        if (rows[i] == term) return i;
    rows[*count] = term;
    return (*count)++;
}

// Columns are arguments, rows their terms. In the reduced echelon form the pivot
// columns are a basis, taken greedily from the left, and the entries of any other
// column are its coefficients over that basis.
static void find_dependence(ring *R, family f) {
    uint32_t column[ARGUMENTS], rows = 0;
    const uint32_t n = order_columns(R, f, column);
    expr *row = memory_array(expr, (size_t)n * PARTS + 1);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < R->arguments[column[j]].count; i++)
            term_row(row, &rows, R->arguments[column[j]].terms[i]);
    fmpq_mat_t matrix;
    fmpq_mat_init(matrix, (slong)rows, (slong)n);
    for (uint32_t j = 0; j < n; j++) {
        const argument *a = &R->arguments[column[j]];
        for (uint32_t i = 0; i < a->count; i++)
            fmpq_set(fmpq_mat_entry(matrix, (slong)term_row(row, &rows, a->terms[i]), (slong)j),
                     &a->coefficients[i]);
    }
    const slong rank = fmpq_mat_rref(matrix, matrix);
    if (rank < (slong)n) R->dependent = true;
    uint32_t pivot[ARGUMENTS];
    for (slong i = 0, j = 0; i < rank; i++, j++) {
        while (fmpq_is_zero(fmpq_mat_entry(matrix, i, j))) j++;
        pivot[i] = column[j];
    }
    for (uint32_t j = 0; j < n && R->mode != ANGLES_EXPANDED; j++) {
        argument *a = &R->arguments[column[j]];
        parts_clear(a);
        if (R->mode == ANGLES_KEPT) add_part(a, a->whole, expr_number_value(R->p, EXPR_ONE));
        for (slong i = 0; i < rank && R->mode != ANGLES_KEPT; i++)
            if (!fmpq_is_zero(fmpq_mat_entry(matrix, i, (slong)j)))
                add_part(a, R->arguments[pivot[i]].whole, fmpq_mat_entry(matrix, i, (slong)j));
    }
    fmpq_mat_clear(matrix);
    memory_free(row);
}

// --- base angles ---------------------------------------------------------------------------------

// Distinct monomials in symbols are linearly independent over Q, also modulo constants; then their
// exponentials are algebraically independent over the rational functions of the symbols (Ax 1971),
// and so are sines with cosines up to s^2 + c^2 = 1.
static bool is_monomial(const pool *p, expr term) {
    if (expr_kind_of(p, term) == EXPR_SYMBOL) return true;
    if (expr_kind_of(p, term) != EXPR_PRODUCT) return false;
    for (uint32_t i = 0; i < expr_operand_count(p, term); i += 2)
        if (expr_kind_of(p, expr_operand(p, term, i)) != EXPR_SYMBOL ||
            !fmpz_is_one(fmpq_denref(expr_number_value(p, expr_operand(p, term, i + 1)))))
            return false;
    return true;
}

static void add_angle(ring *R, family f, expr term, const fmpq_t coefficient) {
    base_angle *angle = find_angle(R, f, term);
    if (!angle) {
        array_reserve(R->angles, R->angles_count, R->angles_capacity);
        angle = &R->angles[R->angles_count++];
        *angle = (base_angle){.family = f, .term = term};
        fmpz_init_set_ui(angle->divisor, 1);
    }
    fmpz_lcm(angle->divisor, angle->divisor, fmpq_denref(coefficient));
}

void angles_choose(ring *R) {
    for (uint32_t i = 0; i < R->arguments_count; i++) {
        argument *a = &R->arguments[i];
        take_apart(R->p, a);
        for (uint32_t j = 0; j < a->count; j++)
            if (!is_monomial(R->p, a->terms[j])) R->sound = false;
    }
    if (R->arguments_count > ARGUMENTS) R->over = true;
    if (R->over || !R->arguments_count) return;
    find_dependence(R, FAMILY_CIRCULAR);
    find_dependence(R, FAMILY_HYPERBOLIC);
    for (uint32_t i = 0; i < R->arguments_count; i++)
        for (uint32_t j = 0; j < R->arguments[i].count; j++)
            add_angle(R, R->arguments[i].family, R->arguments[i].terms[j],
                      &R->arguments[i].coefficients[j]);
}

// --- addition theorems ---------------------------------------------------------------------------

// The integer coefficient*divisor, or over budget.
static slong multiple(ring *R, const fmpq *coefficient, const base_angle *angle) {
    fmpq_t n;
    fmpq_init(n);
    fmpq_mul_fmpz(n, coefficient, angle->divisor);
    const bool small = fmpz_cmp_si(fmpq_numref(n), MULTIPLE_LIMIT) <= 0 &&
                       fmpz_cmp_si(fmpq_numref(n), -MULTIPLE_LIMIT) >= 0;
    const slong value = small ? fmpz_get_si(fmpq_numref(n)) : 0;
    if (!small) R->over = true;
    fmpq_clear(n);
    return value;
}

// cos(a + b) = cos a cos b - sin a sin b, sin(a + b) = sin a cos b + cos a sin b; for the
// hyperbolic pair the minus is a plus.
static void turn(ring *R, family f, slong first, bool backwards, fmpz_mpoly_t sine,
                 fmpz_mpoly_t cosine) {
    if (!ring_charge(R, 4.0 * (double)(sine->length + cosine->length))) return;
    fmpz_mpoly_t s, c, ss, cs, scale;
    fmpz_mpoly_init(s, R->ctx), fmpz_mpoly_init(c, R->ctx), fmpz_mpoly_init(scale, R->ctx);
    fmpz_mpoly_init(ss, R->ctx), fmpz_mpoly_init(cs, R->ctx);
    fmpz_mpoly_gen(s, first, R->ctx);
    fmpz_mpoly_gen(c, first + 1, R->ctx);
    if (backwards) fmpz_mpoly_neg(s, s, R->ctx);
    fmpz_mpoly_mul(ss, sine, s, R->ctx);
    fmpz_mpoly_mul(cs, cosine, s, R->ctx);
    fmpz_mpoly_mul(cosine, cosine, c, R->ctx);
    fmpz_mpoly_mul(sine, sine, c, R->ctx);
    if (f == FAMILY_CIRCULAR) fmpz_mpoly_sub(cosine, cosine, ss, R->ctx);
    else fmpz_mpoly_add(cosine, cosine, ss, R->ctx);
    fmpz_mpoly_add(sine, sine, cs, R->ctx);
    fmpz_mpoly_one(scale, R->ctx); // pairs have polynomial relations: the scale stays 1
    ring_reduce(R, sine, scale);
    ring_reduce(R, cosine, scale);
    if (sine->length > (slong)R->budget.terms || cosine->length > (slong)R->budget.terms)
        R->over = true;
    fmpz_mpoly_clear(s, R->ctx), fmpz_mpoly_clear(c, R->ctx), fmpz_mpoly_clear(scale, R->ctx);
    fmpz_mpoly_clear(ss, R->ctx), fmpz_mpoly_clear(cs, R->ctx);
}

void angles_sine_cosine(ring *R, family f, expr whole, fmpz_mpoly_t sine, fmpz_mpoly_t cosine) {
    fmpz_mpoly_zero(sine, R->ctx);
    fmpz_mpoly_one(cosine, R->ctx);
    const argument *a = find_argument(R, f, whole);
    assert(a); // noted before the ring was made
    for (uint32_t i = 0; i < a->count && !R->over; i++) {
        const base_angle *angle = find_angle(R, f, a->terms[i]);
        assert(angle);
        const slong k = multiple(R, &a->coefficients[i], angle);
        for (slong j = 0; j < labs(k) && !R->over; j++)
            turn(R, f, angle->first, k < 0, sine, cosine);
    }
}

// exp(n1*b1 + n2*b2 ...) = E1^n1 * E2^n2 ...
void angles_exponential(ring *R, expr whole, fraction *out) {
    fmpz_mpoly_q_one(out, R->ctx);
    const argument *a = find_argument(R, FAMILY_EXPONENTIAL, whole);
    assert(a);
    fmpz_mpoly_t power;
    fmpz_mpoly_init(power, R->ctx);
    for (uint32_t i = 0; i < a->count && !R->over; i++) {
        const base_angle *angle = find_angle(R, FAMILY_EXPONENTIAL, a->terms[i]);
        assert(angle);
        const slong k = multiple(R, &a->coefficients[i], angle);
        fmpz_mpoly_gen(power, angle->first, R->ctx);
        fmpz_mpoly_pow_ui(power, power, (ulong)labs(k), R->ctx);
        fmpz_mpoly_struct *side = k > 0 ? fmpz_mpoly_q_numref(out) : fmpz_mpoly_q_denref(out);
        fmpz_mpoly_mul(side, side, power, R->ctx);
    }
    fmpz_mpoly_clear(power, R->ctx);
}
