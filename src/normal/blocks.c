// Linear systems block by block. Rows that hold few of the unknowns often close among themselves:
// the four velocities of a quaternion follow from an angular velocity alone. Each such block is
// inverted in normal form, which divides by its determinant and by nothing else; elimination of the
// whole would divide by entries that may vanish where the system is regular.
#include "normal/normal.h"

#include <string.h>

enum { LARGEST_BLOCK = 6, LONGEST_INVERSE = 4000 };

typedef struct {
    pool *p;
    arena *arena;
    uint32_t n, rights;
    const expr *a, *r;
    const uint32_t *row, *column; // pair i: this row is solved for this column
    bool *needs;                  // n x n: pair i needs what pair j gives, directly or not
    bool *done;
    expr *x;
} blocks;

static expr entry(const blocks *w, uint32_t i, uint32_t j) {
    return w->a[(size_t)w->row[i] * w->n + w->column[j]];
}

static void close_needs(blocks *w) {
    const uint32_t n = w->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            w->needs[i * n + j] = i != j && entry(w, i, j) != EXPR_ZERO;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n && w->needs[i * n + k]; j++)
                w->needs[i * n + j] = w->needs[i * n + j] || w->needs[k * n + j];
}

// The pairs that need one another and pair i; their number, 0 if they need others that are not done
static uint32_t block_of(const blocks *w, uint32_t i, uint32_t *member) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < w->n; j++) {
        const bool mutual = j == i || (w->needs[i * w->n + j] && w->needs[j * w->n + i]);
        if (mutual) member[count++] = j;
        else if (w->needs[i * w->n + j] && !w->done[j]) return 0;
    }
    return count;
}

// r - what is known already, for one right-hand side of a row
static expr rest_of(const blocks *w, uint32_t i, uint32_t right) {
    expr rest = w->r[(size_t)w->row[i] * w->rights + right];
    for (uint32_t j = 0; j < w->n; j++)
        if (w->done[j] && entry(w, i, j) != EXPR_ZERO)
            rest = expr_sub(
                w->p, rest,
                expr_mul(w->p, entry(w, i, j), w->x[(size_t)w->column[j] * w->rights + right]));
    return rest;
}

// The inverse of a block, in normal form: solved with symbols on the right
static bool invert(const blocks *w, uint32_t size, const uint32_t *member, expr *inverse) {
    expr unknown[LARGEST_BLOCK], right[LARGEST_BLOCK], residual[LARGEST_BLOCK],
        solution[LARGEST_BLOCK];
    normal_budget budget = normal_budget_default();
    budget.longest = LONGEST_INVERSE;
    for (uint32_t i = 0; i < size; i++) {
        unknown[i] = expr_symbol(w->p, arena_format(w->arena, "unknown %u", i), ROLE_LOCAL);
        right[i] = expr_symbol(w->p, arena_format(w->arena, "right %u", i), ROLE_LOCAL);
    }
    for (uint32_t i = 0; i < size; i++) {
        residual[i] = expr_neg(w->p, right[i]);
        for (uint32_t j = 0; j < size; j++)
            residual[i] = expr_add(w->p, residual[i],
                                   expr_mul(w->p, entry(w, member[i], member[j]), unknown[j]));
    }
    if (!normal_solve(w->p, size, residual, unknown, &budget, solution)) return false;
    for (uint32_t j = 0; j < size; j++)
        for (uint32_t i = 0; i < size; i++)
            inverse[j * size + i] =
                normal_simplify(w->p, expr_diff(w->p, solution[j], right[i]), &budget);
    return true;
}

static bool solve_block(blocks *w, uint32_t size, const uint32_t *member) {
    if (size > LARGEST_BLOCK) return false;
    expr inverse[LARGEST_BLOCK * LARGEST_BLOCK], rest[LARGEST_BLOCK];
    if (size == 1) {
        const expr pivot = entry(w, member[0], member[0]);
        if (pivot == EXPR_ZERO) return false;
        inverse[0] = expr_div(w->p, EXPR_ONE, pivot);
    } else if (!invert(w, size, member, inverse)) return false;
    for (uint32_t c = 0; c < w->rights; c++) {
        for (uint32_t i = 0; i < size; i++) rest[i] = rest_of(w, member[i], c);
        for (uint32_t j = 0; j < size; j++)
            w->x[(size_t)w->column[member[j]] * w->rights + c] =
                expr_dot(w->p, size, inverse + j * size, rest);
    }
    for (uint32_t i = 0; i < size; i++) w->done[member[i]] = true;
    return true;
}

bool normal_solve_blocks(pool *p, uint32_t n, const expr *a, uint32_t rights, const expr *r,
                         const uint32_t *row, const uint32_t *column, expr *x) {
    arena *memory = &pool_context(p)->arena;
    blocks w = {.p = p,
                .arena = memory,
                .n = n,
                .rights = rights,
                .a = a,
                .r = r,
                .row = row,
                .column = column,
                .x = x};
    w.needs = arena_array(memory, bool, (size_t)n *n), w.done = arena_array(memory, bool, n);
    uint32_t *member = arena_array(memory, uint32_t, n), left = n, largest = 0;
    close_needs(&w);
    while (left) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < n && !size; i++)
            if (!w.done[i]) size = block_of(&w, i, member);
        if (!size || !solve_block(&w, size, member)) return false;
        if (size > largest) largest = size;
        left -= size;
    }
    return largest > 1 && largest < n;
}
