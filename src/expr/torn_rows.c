// Sparse elimination with symbolic entries, pivots chosen by their values at a few states.
#include "expr/torn_rows.h"

#include "base/list.h"
#include "expr/program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATES = 8, SHORTEST = 4 }; // entries of a row that may be split
static const double LEAST = 1e-6;       // a pivot, beside the largest entry of its row

typedef struct {
    uint32_t unknown;
    expr value;
    double at[MOST_STATES];
} entry;

typedef struct {
    LIST(entry, entries); // in no order
    expr rest;
    uint64_t key; // of all entries, whatever their order
    bool used;
} row;

typedef struct {
    LIST(uint32_t, rows); // in which it stands, or stood
    uint32_t live;        // rows in which it stands now
    uint32_t pivot;       // row by which it was eliminated + 1
    expr solution;        // EXPR_NONE: not found yet
} column;

struct torn_rows {
    pool *p;
    uint32_t count, states;
    uint32_t equations; // rows and unknowns that are no sums
    row *rows;
    column *columns;
    uint32_t *order; // unknowns as they were eliminated
};

torn_rows *torn_rows_create(pool *p, uint32_t count) {
    torn_rows *r = memory_new(torn_rows);
    *r = (torn_rows){.p = p, .count = count};
    r->rows = memory_zeros(row, count), r->columns = memory_zeros(column, count);
    r->order = memory_zeros(uint32_t, count);
    for (uint32_t i = 0; i < count; i++) r->columns[i].solution = EXPR_NONE;
    return r;
}

void torn_rows_free(torn_rows *r) {
    for (uint32_t i = 0; i < r->count; i++)
        memory_free(r->rows[i].entries), memory_free(r->columns[i].rows);
    memory_free(r->rows), memory_free(r->columns), memory_free(r->order);
    memory_free(r);
}

static entry *find(const torn_rows *r, uint32_t i, uint32_t unknown) {
    const row *a = &r->rows[i];
    for (uint32_t k = 0; k < a->entries_count; k++)
        if (a->entries[k].unknown == unknown) return &a->entries[k];
    return NULL;
}

static void drop(torn_rows *r, uint32_t i, entry *e) {
    row *a = &r->rows[i];
    r->columns[e->unknown].live--;
    *e = a->entries[--a->entries_count];
}

// row i += value * x, whose values are `at`
static void add(torn_rows *r, uint32_t i, uint32_t unknown, expr value, const double *at) {
    entry *e = find(r, i, unknown);
    if (!e) {
        const entry new = {.unknown = unknown, .value = EXPR_ZERO};
        list_push(&r->rows[i], entries, new);
        list_push(&r->columns[unknown], rows, i);
        r->columns[unknown].live++;
        e = &r->rows[i].entries[r->rows[i].entries_count - 1];
    }
    e->value = expr_add(r->p, e->value, value);
    for (uint32_t s = 0; s < r->states; s++) e->at[s] += at[s];
    if (e->value == EXPR_ZERO) drop(r, i, e);
}

void torn_rows_add(torn_rows *r, uint32_t i, uint32_t unknown, expr value) {
    add(r, i, unknown, value, NULL);
}

void torn_rows_add_rest(torn_rows *r, uint32_t i, expr rest) {
    r->rows[i].rest = expr_add(r->p, r->rows[i].rest, rest);
}

// --- sums that have all terms of another ---------------------------------------------------------

static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t h = a * 0x9E3779B97F4A7C15u ^ (b + 0x632BE59BD9B4E019u) * 0xD1342543DE82EF95u;
    h ^= h >> 31;
    return h * 0xBF58476D1CE4E5B9u;
}

static uint64_t key_of(const entry *e) { return mix(e->unknown + 1, e->value); }

// Of all entries but the one of the row's own unknown
static uint64_t key_of_row(const torn_rows *r, uint32_t i) {
    uint64_t key = 0;
    for (uint32_t k = 0; k < r->rows[i].entries_count; k++)
        if (r->rows[i].entries[k].unknown != i) key += key_of(&r->rows[i].entries[k]);
    return key;
}

typedef struct {
    uint32_t *slot, size; // row + 1
} row_table;

static uint32_t find_row(const torn_rows *r, const row_table *t, uint64_t key) {
    uint32_t at = (uint32_t)key & (t->size - 1);
    while (t->slot[at] && r->rows[t->slot[at] - 1].key != key) at = (at + 1) & (t->size - 1);
    return at;
}

// Row i = row other + one term: their other terms are the same (the keys say so; each is looked up)
static bool extends(const torn_rows *r, uint32_t i, uint32_t other, const entry *without) {
    const row *a = &r->rows[i], *b = &r->rows[other];
    if (i == other || a->entries_count != b->entries_count + 1) return false;
    for (uint32_t k = 0; k < a->entries_count; k++) {
        const entry *e = &a->entries[k];
        if (e == without || e->unknown == i) continue;
        const entry *same = find(r, other, e->unknown);
        if (!same || same->value != e->value) return false;
    }
    return true;
}

typedef struct {
    uint32_t from; // the row it extends + 1; 0: none
    expr rest;     // what it adds to that one's
    entry term;
} extension;

static extension find_extension(const torn_rows *r, uint32_t i, const row_table *t) {
    const row *a = &r->rows[i];
    for (uint32_t k = 0; k < a->entries_count && a->entries_count >= SHORTEST; k++) {
        if (a->entries[k].unknown == i) continue;
        const uint32_t other = t->slot[find_row(r, t, a->key - key_of(&a->entries[k]))];
        if (other && extends(r, i, other - 1, &a->entries[k]))
            return (extension){other, expr_sub(r->p, a->rest, r->rows[other - 1].rest),
                               a->entries[k]};
    }
    return (extension){0};
}

void torn_rows_split(torn_rows *r, uint32_t first) {
    row_table t = {.size = 16};
    while (t.size < 2 * r->count) t.size *= 2;
    t.slot = memory_zeros(uint32_t, t.size);
    extension *found = memory_zeros(extension, r->count + 1);
    for (uint32_t i = first; i < r->count; i++) {
        r->rows[i].key = key_of_row(r, i);
        t.slot[find_row(r, &t, r->rows[i].key)] = i + 1;
    }
    for (uint32_t i = first; i < r->count; i++) found[i] = find_extension(r, i, &t);
    for (uint32_t i = first; i < r->count; i++) {
        if (!found[i].from) continue;
        while (r->rows[i].entries_count) drop(r, i, r->rows[i].entries);
        r->rows[i].rest = found[i].rest;
        torn_rows_add(r, i, i, EXPR_MINUS_ONE);
        torn_rows_add(r, i, found[i].from - 1, EXPR_ONE);
        torn_rows_add(r, i, found[i].term.unknown, found[i].term.value);
    }
    memory_free(t.slot);
    memory_free(found);
}

// --- elimination ---------------------------------------------------------------------------------

static void evaluate(torn_rows *r, double *const *at) {
    uint32_t total = 0, next = 0;
    for (uint32_t i = 0; i < r->count; i++) total += r->rows[i].entries_count;
    expr *value = memory_array(expr, total + 1);
    double *out = memory_array(double, total + 1);
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < r->rows[i].entries_count; k++)
            value[next++] = r->rows[i].entries[k].value;
    program *prog = program_create(r->p, total, value);
    for (uint32_t s = 0; s < r->states; s++) {
        program_run_double(prog, at[s], out);
        next = 0;
        for (uint32_t i = 0; i < r->count; i++)
            for (uint32_t k = 0; k < r->rows[i].entries_count; k++)
                r->rows[i].entries[k].at[s] = out[next++];
    }
    program_free(prog);
    memory_free(value), memory_free(out);
}

// Of one sign and like size at all states: such a one vanishes nowhere near
static bool is_pivot(const torn_rows *r, const entry *e) {
    double least = INFINITY, most = 0;
    for (uint32_t s = 0; s < r->states; s++) {
        if ((e->at[s] > 0) != (e->at[0] > 0)) return false;
        least = fmin(least, fabs(e->at[s])), most = fmax(most, fabs(e->at[s]));
    }
    return least > LEAST * most && isfinite(most);
}

// Does the definition of a sum lead to an unknown, by way of those of other sums? `seen`: by whom
static bool leads_to(const torn_rows *r, uint32_t sum, uint32_t unknown, uint32_t *seen,
                     uint32_t *stack, uint32_t mark) {
    uint32_t depth = 0;
    stack[depth++] = sum, seen[sum] = mark;
    while (depth) {
        const row *a = &r->rows[stack[--depth]];
        for (uint32_t k = 0; k < a->entries_count; k++) {
            const uint32_t next = a->entries[k].unknown;
            if (next == unknown) return true;
            if (next < r->equations || r->rows[next].used || seen[next] == mark) continue;
            seen[next] = mark, stack[depth++] = next;
        }
    }
    return false;
}

// Every other row that holds the unknown gets rid of it: row -= (its entry/pivot) * pivot row
static void eliminate(torn_rows *r, uint32_t i) {
    row *a = &r->rows[i];
    const entry pivot = *find(r, i, i);
    a->used = true;
    r->columns[i].pivot = i + 1;
    const uint32_t rows = r->columns[i].rows_count;
    for (uint32_t n = 0; n < rows; n++) {
        const uint32_t other = r->columns[i].rows[n];
        entry *e = r->rows[other].used ? NULL : find(r, other, i);
        if (!e) continue;
        const expr factor = expr_neg(r->p, expr_div(r->p, e->value, pivot.value));
        double size[MOST_STATES], part[MOST_STATES];
        for (uint32_t s = 0; s < r->states; s++) size[s] = -e->at[s] / pivot.at[s];
        drop(r, other, e);
        for (uint32_t k = 0; k < a->entries_count; k++) {
            if (a->entries[k].unknown == i) continue;
            for (uint32_t s = 0; s < r->states; s++) part[s] = size[s] * a->entries[k].at[s];
            add(r, other, a->entries[k].unknown, expr_mul(r->p, factor, a->entries[k].value), part);
        }
        torn_rows_add_rest(r, other, expr_mul(r->p, factor, a->rest));
    }
    for (uint32_t k = 0; k < a->entries_count; k++) r->columns[a->entries[k].unknown].live--;
}

static bool take(torn_rows *r, uint32_t i, uint32_t *done) {
    const entry *e = r->rows[i].used ? NULL : find(r, i, i);
    if (!e || !is_pivot(r, e)) return false;
    r->order[(*done)++] = i;
    eliminate(r, i);
    return true;
}

typedef struct {
    uint32_t unknown, sums;
} rank;

static int by_sums(const void *a, const void *b) {
    const rank *x = a, *y = b;
    if (x->sums != y->sums) return x->sums < y->sums ? -1 : 1;
    return (x->unknown > y->unknown) - (x->unknown < y->unknown);
}

// From the far end of the chain inwards: of an equation those sums are put in that lead to its own
// unknown, and only they. Then its pivot is the second derivative of an energy, with what is left
// held fixed, and positive (d'Alembert and Gauss; the inertia of an articulated body).
static bool go_inwards(torn_rows *r, uint32_t *done) {
    uint32_t *seen = memory_zeros(uint32_t, 2 * (size_t)r->count + 2), *stack = seen + r->count + 1,
             mark = 0;
    rank *order = memory_array(rank, r->equations + 1);
    for (uint32_t j = 0; j < r->equations; j++) {
        order[j] = (rank){j, 0};
        for (uint32_t v = r->equations; v < r->count; v++)
            order[j].sums += leads_to(r, v, j, seen, stack, ++mark);
    }
    qsort(order, r->equations, sizeof(rank), by_sums);
    bool good = true;
    for (uint32_t n = 0; n < r->equations && good; n++) {
        const uint32_t j = order[n].unknown;
        for (uint32_t k = 0; k < r->rows[j].entries_count && good;) {
            const uint32_t v = r->rows[j].entries[k].unknown;
            if (v < r->equations || !leads_to(r, v, j, seen, stack, ++mark)) k++;
            else good = take(r, v, done), k = 0;
        }
        good = good && take(r, j, done);
    }
    memory_free(seen);
    memory_free(order);
    return good;
}

bool torn_rows_eliminate(torn_rows *r, uint32_t equations, uint32_t states, double *const *at) {
    uint32_t done = 0;
    r->equations = equations;
    r->states = states < MOST_STATES ? states : MOST_STATES;
    evaluate(r, at);
    if (!go_inwards(r, &done)) return false;
    for (uint32_t i = equations; i < r->count; i++)
        if (!r->rows[i].used && !take(r, i, &done)) return false;
    for (uint32_t n = r->count; n-- > 0;) { // x = -(rest + sum of the others)/pivot
        const uint32_t i = r->order[n];
        const row *a = &r->rows[i];
        expr sum = a->rest;
        for (uint32_t k = 0; k < a->entries_count; k++)
            if (a->entries[k].unknown != i)
                sum = expr_add_product(r->p, sum, a->entries[k].value,
                                       r->columns[a->entries[k].unknown].solution);
        r->columns[i].solution = expr_neg(r->p, expr_div(r->p, sum, find(r, i, i)->value));
    }
    return true;
}

expr torn_rows_solution(const torn_rows *r, uint32_t unknown) {
    return r->columns[unknown].solution;
}
