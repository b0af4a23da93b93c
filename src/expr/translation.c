// Translations, from what a shift of the symbols by v does to every node: a sum gains a linear form of v; whatever else
// is computed has a value of its own for every argument, and so what stands in it must gain nothing. The forms that
// have to vanish are linear equations for v.
#include "expr/translation.h"

#include "expr/program.h"

#include <flint/fmpq_mat.h>
#include <stdlib.h>

typedef struct {
    const program *prog;
    uint32_t n;
    fmpq **gain;       // by position: the form's n coefficients; NULL for 0
    fmpq_mat_t vanish; // forms that vanish, in reduced echelon form: `rank` rows, and one to work in
    uint32_t rank;
} shift;

// --- the equations for v
// -----------------------------------------------------------------------------------------------------

static void must_vanish(shift *s, const fmpq *form) {
    if (!form || s->rank == s->n) return;
    for (uint32_t j = 0; j < s->n; j++) fmpq_set(fmpq_mat_entry(s->vanish, s->rank, j), form + j);
    s->rank = (uint32_t)fmpq_mat_rref(s->vanish, s->vanish);
}

static void symbol_stays(shift *s, uint32_t i) {
    fmpq *form = _fmpq_vec_init(s->n);
    fmpq_one(form + i);
    must_vanish(s, form);
    _fmpq_vec_clear(form, s->n);
}

// --- the nodes
// ---------------------------------------------------------------------------------------------------------------

// c0 + c1 t1 + c2 t2 ..
static void gain_of_sum(shift *s, uint32_t at) {
    const instruction *c = &s->prog->code[at];
    const uint32_t *operand = s->prog->operands + c->first;
    for (uint32_t i = 2; i < c->count; i += 2) {
        const fmpq *term = s->gain[operand[i]];
        if (!term) continue;
        if (!s->gain[at]) s->gain[at] = _fmpq_vec_init(s->n);
        for (uint32_t j = 0; j < s->n; j++)
            fmpq_addmul(s->gain[at] + j, expr_number_value(s->prog->pool, s->prog->code[operand[i - 1]].node),
                        term + j);
    }
}

static uint32_t which(const pool *p, const instruction *c, uint32_t n, const expr *symbol) {
    uint32_t i = 0;
    while (i < n && expr_symbol_index(p, symbol[i]) != c->payload) i++;
    return i;
}

static void follow(shift *s, const expr *symbol, bool *occurs) {
    for (uint32_t at = 0; at < s->prog->length && s->rank < s->n; at++) {
        const instruction *c = &s->prog->code[at];
        if (c->kind == EXPR_SYMBOL) {
            const uint32_t i = which(s->prog->pool, c, s->n, symbol);
            if (i == s->n) continue;
            s->gain[at] = _fmpq_vec_init(s->n);
            fmpq_one(s->gain[at] + i), occurs[i] = true;
        } else if (c->kind == EXPR_SUM) {
            gain_of_sum(s, at);
        } else {
            for (uint32_t i = 0; i < c->count; i++) must_vanish(s, s->gain[s->prog->operands[c->first + i]]);
        }
    }
    for (uint32_t i = 0; i < s->prog->output_count; i++) must_vanish(s, s->gain[s->prog->outputs[i]]);
}

// --- their solutions
// ---------------------------------------------------------------------------------------------------------

static uint32_t leading(const shift *s, uint32_t row) {
    uint32_t j = 0;
    while (fmpq_is_zero(fmpq_mat_entry(s->vanish, row, j))) j++;
    return j;
}

// One for each column without a leading 1: there it is 1, and at the leading ones what the equations say.
static uint32_t solve(const shift *s, fmpz_mat_t direction) {
    uint32_t count = 0;
    fmpq_mat_t v;
    fmpq_mat_init(v, 1, s->n);
    for (uint32_t free_column = 0, row = 0; free_column < s->n; free_column++) {
        if (row < s->rank && leading(s, row) == free_column) {
            row++;
            continue;
        }
        fmpq_mat_zero(v);
        fmpq_one(fmpq_mat_entry(v, 0, free_column));
        for (uint32_t i = 0; i < s->rank; i++)
            fmpq_neg(fmpq_mat_entry(v, 0, leading(s, i)), fmpq_mat_entry(s->vanish, i, free_column));
        fmpz_mat_t whole;
        fmpz_t divisor;
        fmpz_mat_init(whole, 1, s->n), fmpz_init(divisor);
        fmpq_mat_get_fmpz_mat_matwise(whole, divisor, v);
        for (uint32_t j = 0; j < s->n; j++) fmpz_set(fmpz_mat_entry(direction, count, j), fmpz_mat_entry(whole, 0, j));
        fmpz_mat_clear(whole), fmpz_clear(divisor);
        count++;
    }
    fmpq_mat_clear(v);
    return count;
}

uint32_t expr_translations(pool *p, uint32_t count, const expr *e, uint32_t n, const expr *symbol, const bool *fixed,
                           fmpz_mat_t direction) {
    program *prog = program_create(p, count, e);
    shift s = {.prog = prog, .n = n, .gain = calloc(prog->length + 1, sizeof(fmpq *))};
    bool *occurs = calloc(n + 1, sizeof *occurs);
    fmpq_mat_init(s.vanish, n + 1, n);
    for (uint32_t i = 0; i < n; i++)
        if (fixed[i]) symbol_stays(&s, i);
    follow(&s, symbol, occurs);
    for (uint32_t i = 0; i < n; i++)
        if (!occurs[i]) symbol_stays(&s, i);
    const uint32_t found = solve(&s, direction);
    for (uint32_t i = 0; i < prog->length; i++)
        if (s.gain[i]) _fmpq_vec_clear(s.gain[i], n);
    fmpq_mat_clear(s.vanish);
    free(s.gain), free(occurs);
    program_free(prog);
    return found;
}
