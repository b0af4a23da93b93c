// What the printer needs to know of every node before it starts: how fast it moves, how
// large and how deep its tree is.
#include "print/expression_internal.h"

#include <assert.h>
#include <stdlib.h>

const node_facts *printer_facts(const printer *w, expr e) {
    const uint32_t *place = table_find(&w->known, e);
    assert(place);
    return &w->facts[*place];
}

static void symbol_facts(const symbol *s, node_facts *f) {
    f->constant = s->role == ROLE_PARAMETER;
    f->multiplier =
        s->role == ROLE_MULTIPLIER || s->role == ROLE_VARIATION || s->role == ROLE_TRANSPOSE;
    if (s->role == ROLE_COORDINATE) f->level = (int16_t)(s->order < 1000 ? s->order : 1000);
    if (s->role == ROLE_QUASI) f->level = (int16_t)(s->order < 1000 ? s->order + 1 : 1000);
}

// Of a node whose operands are known. A named operand has the size and depth of its name.
static node_facts find_facts(const printer *w, expr e) {
    node_facts f = {.constant = true, .size = 1, .depth = 1};
    const symbol *s = expr_as_symbol(w->p, e);
    if (s) symbol_facts(s, &f);
    for (uint32_t i = 0; i < expr_operand_count(w->p, e); i++) {
        const expr operand = expr_operand(w->p, e, i);
        const node_facts *g = printer_facts(w, operand);
        const bool named = table_find(&w->named, operand) != NULL;
        const uint32_t depth = named ? 1 : g->depth, size = named ? 1 : g->size;
        if (g->level > f.level) f.level = g->level;
        if (depth >= f.depth) f.depth = depth + 1;
        f.multiplier = f.multiplier || g->multiplier;
        f.constant = f.constant && g->constant;
        f.size = f.size > UINT32_MAX - size ? UINT32_MAX : f.size + size;
    }
    return f;
}

static int by_node(const void *a, const void *b) {
    const expr x = *(const expr *)a, y = *(const expr *)b;
    return (x > y) - (x < y);
}

typedef struct {
    expr *items;
    uint32_t count, capacity;
} node_list;

static void visit(printer *w, node_list *fresh, expr e) {
    if (table_find(&w->known, e)) return;
    table_add(&w->known, e, UINT32_MAX);
    array_reserve(fresh->items, fresh->count, fresh->capacity);
    fresh->items[fresh->count++] = e;
}

// Everything below the root that no earlier print has met; operands come first in index order.
void printer_gather(printer *w, expr root) {
    node_list fresh = {0};
    visit(w, &fresh, root);
    for (uint32_t i = 0; i < fresh.count; i++)
        for (uint32_t j = 0; j < expr_operand_count(w->p, fresh.items[i]); j++)
            visit(w, &fresh, expr_operand(w->p, fresh.items[i], j));
    if (fresh.count) qsort(fresh.items, fresh.count, sizeof *fresh.items, by_node);
    for (uint32_t i = 0; i < fresh.count; i++) {
        array_reserve(w->facts, w->fact_count, w->fact_capacity);
        w->facts[w->fact_count] = find_facts(w, fresh.items[i]);
        *table_find(&w->known, fresh.items[i]) = w->fact_count++;
    }
    memory_free(fresh.items);
}
