// Which base angles the arguments of sin, sinh and exp are made of.
#include "normal/ring.h"

#include <flint/fmpq_mat.h>

enum {
    PARTS = 24,
    ARGUMENTS = 40
}; // longest argument taken apart; most arguments among which dependence is looked for

const argument *arguments_find(const ring *R, family f, expr whole) {
    for (uint32_t i = 0; i < R->argument_count; i++)
        if (R->arguments[i].family == f && R->arguments[i].whole == whole) return &R->arguments[i];
    return NULL;
}

base_angle *arguments_find_angle(const ring *R, family f, expr term) {
    for (uint32_t i = 0; i < R->angle_count; i++)
        if (R->angles[i].family == f && R->angles[i].term == term) return &R->angles[i];
    return NULL;
}

void arguments_note(ring *R, family f, expr whole) {
    if (arguments_find(R, f, whole)) return;
    array_reserve(R->arguments, R->argument_count, R->argument_capacity);
    R->arguments[R->argument_count++] = (argument){.family = f, .whole = whole};
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

void arguments_clear(ring *R) {
    for (uint32_t i = 0; i < R->argument_count; i++) parts_clear(&R->arguments[i]);
    for (uint32_t i = 0; i < R->angle_count; i++) fmpz_clear(R->angles[i].divisor);
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
        for (uint32_t i = 0; i < R->argument_count; i++) {
            const uint32_t k = R->mode == ANGLES_OTHER_BASIS ? R->argument_count - 1 - i : i;
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
    base_angle *angle = arguments_find_angle(R, f, term);
    if (!angle) {
        array_reserve(R->angles, R->angle_count, R->angle_capacity);
        angle = &R->angles[R->angle_count++];
        *angle = (base_angle){.family = f, .term = term};
        fmpz_init_set_ui(angle->divisor, 1);
    }
    fmpz_lcm(angle->divisor, angle->divisor, fmpq_denref(coefficient));
}

void arguments_choose_angles(ring *R) {
    for (uint32_t i = 0; i < R->argument_count; i++) {
        argument *a = &R->arguments[i];
        take_apart(R->p, a);
        for (uint32_t j = 0; j < a->count; j++)
            if (!is_monomial(R->p, a->terms[j])) R->sound = false;
    }
    if (R->argument_count > ARGUMENTS) R->over = true;
    if (R->over || !R->argument_count) return;
    find_dependence(R, FAMILY_CIRCULAR);
    find_dependence(R, FAMILY_HYPERBOLIC);
    for (uint32_t i = 0; i < R->argument_count; i++)
        for (uint32_t j = 0; j < R->arguments[i].count; j++)
            add_angle(R, R->arguments[i].family, R->arguments[i].terms[j],
                      &R->arguments[i].coefficients[j]);
}
