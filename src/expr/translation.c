// Translations, from what a shift of the symbols by v does to every node: a sum gains a linear form
// of v; whatever else is computed has a value of its own for every argument, and so what stands in
// it must gain nothing. The forms that have to vanish are linear equations for v.
#include "expr/translation.h"

#include "expr/program.h"

#include <flint/fmpq_mat.h>

typedef struct {
    const program *prog;
    uint32_t size; // symbols that may move
    // by position: the number of the symbol that stands there, if it may move; else UINT32_MAX
    uint32_t *which;
    fmpq **gain; // by position: the coefficients of the form; NULL for 0
    // forms that vanish, in reduced echelon form: `rank` rows, and one to work in
    fmpq_mat_t vanish;
    uint32_t rank;
} shift;

// --- the equations for v -------------------------------------------------------------------------

static uint32_t leading(const shift *s, uint32_t row) {
    uint32_t j = 0;
    while (fmpq_is_zero(fmpq_mat_entry(s->vanish, row, j))) j++;
    return j;
}

// The form, less what the rows before it say; is anything left?
static bool is_new(shift *s, const fmpq *form) {
    fmpq *rest = fmpq_mat_entry(s->vanish, s->rank, 0);
    bool left = false;
    for (uint32_t j = 0; j < s->size; j++) fmpq_set(rest + j, form + j);
    for (uint32_t i = 0; i < s->rank; i++) {
        fmpq_t factor;
        fmpq_init(factor);
        fmpq_set(factor, rest + leading(s, i));
        if (!fmpq_is_zero(factor))
            for (uint32_t j = 0; j < s->size; j++)
                fmpq_submul(rest + j, factor, fmpq_mat_entry(s->vanish, i, j));
        fmpq_clear(factor);
    }
    for (uint32_t j = 0; j < s->size; j++) left = left || !fmpq_is_zero(rest + j);
    return left;
}

static void must_vanish(shift *s, const fmpq *form) {
    if (form && s->rank < s->size && is_new(s, form))
        s->rank = (uint32_t)fmpq_mat_rref(s->vanish, s->vanish);
}

// --- the nodes -----------------------------------------------------------------------------------

// c0 + c1 t1 + c2 t2 ..
static void gain_of_sum(shift *s, uint32_t at) {
    const instruction *c = &s->prog->code[at];
    const uint32_t *operand = s->prog->operands + c->first;
    for (uint32_t i = 2; i < c->count; i += 2) {
        const fmpq *term = s->gain[operand[i]];
        if (!term) continue;
        if (!s->gain[at]) s->gain[at] = _fmpq_vec_init(s->size);
        const fmpq *number = expr_number_value(s->prog->pool, s->prog->code[operand[i - 1]].node);
        for (uint32_t j = 0; j < s->size; j++) fmpq_addmul(s->gain[at] + j, number, term + j);
    }
}

static void follow(shift *s) {
    for (uint32_t at = 0; at < s->prog->length && s->rank < s->size; at++) {
        const instruction *c = &s->prog->code[at];
        if (s->which[at] < s->size) {
            s->gain[at] = _fmpq_vec_init(s->size);
            fmpq_one(s->gain[at] + s->which[at]);
        } else if (c->kind == EXPR_SUM) {
            gain_of_sum(s, at);
        } else {
            for (uint32_t i = 0; i < c->count; i++)
                must_vanish(s, s->gain[s->prog->operands[c->first + i]]);
        }
    }
    for (uint32_t i = 0; i < s->prog->output_count; i++)
        must_vanish(s, s->gain[s->prog->outputs[i]]);
}

// --- their solutions -----------------------------------------------------------------------------

// One for each column without a leading 1: there it is 1, and at the leading ones what the
// equations say. Column i is that of the symbol moved[i].
static uint32_t solve(const shift *s, const uint32_t *moved, fmpz_mat_t direction) {
    uint32_t count = 0;
    fmpq_mat_t v;
    fmpz_mat_t whole;
    fmpz_t divisor;
    fmpq_mat_init(v, 1, s->size), fmpz_mat_init(whole, 1, s->size), fmpz_init(divisor);
    for (uint32_t column = 0, row = 0; column < s->size; column++) {
        if (row < s->rank && leading(s, row) == column) {
            row++;
            continue;
        }
        fmpq_mat_zero(v);
        fmpq_one(fmpq_mat_entry(v, 0, column));
        for (uint32_t i = 0; i < s->rank; i++)
            fmpq_neg(fmpq_mat_entry(v, 0, leading(s, i)), fmpq_mat_entry(s->vanish, i, column));
        fmpq_mat_get_fmpz_mat_matwise(whole, divisor, v);
        for (uint32_t j = 0; j < s->size; j++)
            fmpz_set(fmpz_mat_entry(direction, count, moved[j]), fmpz_mat_entry(whole, 0, j));
        count++;
    }
    fmpq_mat_clear(v), fmpz_mat_clear(whole), fmpz_clear(divisor);
    return count;
}

// The symbols that occur and may move, in the order they stand in
static void find_movable(shift *s, uint32_t n, const expr *symbol, const bool *fixed,
                         uint32_t *moved) {
    for (uint32_t at = 0; at < s->prog->length; at++) {
        const instruction *c = &s->prog->code[at];
        s->which[at] = UINT32_MAX;
        for (uint32_t i = 0; c->kind == EXPR_SYMBOL && i < n; i++)
            if (expr_symbol_index(s->prog->pool, symbol[i]) == c->payload && !fixed[i])
                s->which[at] = s->size, moved[s->size++] = i;
    }
}

uint32_t expr_translations(pool *p, uint32_t count, const expr *e, uint32_t n, const expr *symbol,
                           const bool *fixed, fmpz_mat_t direction) {
    program *prog = program_create(p, count, e);
    shift s = {.prog = prog, .gain = memory_zeros(fmpq *, prog->length + 1)};
    s.which = memory_array(uint32_t, prog->length + 1);
    uint32_t *moved = memory_array(uint32_t, n + 1);
    fmpz_mat_zero(direction);
    find_movable(&s, n, symbol, fixed, moved);
    fmpq_mat_init(s.vanish, s.size + 1, s.size);
    follow(&s);
    const uint32_t found = solve(&s, moved, direction);
    for (uint32_t i = 0; i < prog->length; i++)
        if (s.gain[i]) _fmpq_vec_clear(s.gain[i], s.size);
    fmpq_mat_clear(s.vanish);
    memory_free(s.gain), memory_free(s.which), memory_free(moved);
    program_free(prog);
    return found;
}
