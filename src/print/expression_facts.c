// What the printer needs to know of every node before it starts: how fast it moves, how large and how deep its tree is.
#include "print/expression_internal.h"

#include <assert.h>
#include <stdlib.h>

// --- a set of nodes
// ----------------------------------------------------------------------------------------------------------

typedef struct {
    expr *items;
    uint32_t count, capacity;
    uint32_t *slots; // item + 1
    uint32_t slot_count;
} node_set;

static void set_grow(node_set *s) {
    s->slot_count = s->slot_count ? 2 * s->slot_count : 64;
    free(s->slots);
    s->slots = memory_resize(NULL, sizeof(uint32_t) * s->slot_count);
    for (uint32_t i = 0; i < s->slot_count; i++) s->slots[i] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = s->items[i] * 0x9E3779B1u & (s->slot_count - 1);
        while (s->slots[at]) at = (at + 1) & (s->slot_count - 1);
        s->slots[at] = i + 1;
    }
}

static void set_add(node_set *s, expr e) {
    if (2 * (s->count + 1) > s->slot_count) set_grow(s);
    uint32_t at = e * 0x9E3779B1u & (s->slot_count - 1);
    for (; s->slots[at]; at = (at + 1) & (s->slot_count - 1))
        if (s->items[s->slots[at] - 1] == e) return;
    array_reserve(s->items, s->count, s->capacity);
    s->items[s->count++] = e;
    s->slots[at] = s->count;
}

// --- facts
// -------------------------------------------------------------------------------------------------------------------

static int by_node(const void *a, const void *b) {
    const expr x = ((const node_facts *)a)->node, y = ((const node_facts *)b)->node;
    return (x > y) - (x < y);
}

const node_facts *printer_facts(const printer *w, expr e) {
    const node_facts wanted = {.node = e};
    const node_facts *found = bsearch(&wanted, w->facts, w->fact_count, sizeof *w->facts, by_node);
    assert(found);
    return found;
}

static void symbol_facts(const symbol *s, node_facts *f) {
    f->constant = s->role == ROLE_PARAMETER;
    f->multiplier = s->role == ROLE_MULTIPLIER || s->role == ROLE_VARIATION || s->role == ROLE_TRANSPOSE;
    if (s->role == ROLE_COORDINATE) f->level = (int16_t)(s->order < 1000 ? s->order : 1000);
    if (s->role == ROLE_QUASI) f->level = (int16_t)(s->order < 1000 ? s->order + 1 : 1000);
}

static void find_facts(printer *w, node_facts *f) {
    const symbol *s = expr_as_symbol(w->p, f->node);
    f->constant = true;
    f->size = f->depth = 1;
    if (s) symbol_facts(s, f);
    if (printer_name_of(w, f->node)) return;
    for (uint32_t i = 0; i < expr_operand_count(w->p, f->node); i++) {
        const node_facts *g = printer_facts(w, expr_operand(w->p, f->node, i));
        if (g->level > f->level) f->level = g->level;
        if (g->depth >= f->depth) f->depth = g->depth + 1;
        f->multiplier = f->multiplier || g->multiplier;
        f->constant = f->constant && g->constant;
        f->size = f->size > UINT32_MAX - g->size ? UINT32_MAX : f->size + g->size;
    }
}

// Everything below the root down to named nodes; operands come first in index order.
void printer_gather(printer *w) {
    node_set set = {0};
    set_add(&set, w->root);
    for (uint32_t i = 0; i < set.count; i++) {
        const expr e = set.items[i];
        if (printer_name_of(w, e)) continue;
        for (uint32_t j = 0; j < expr_operand_count(w->p, e); j++) set_add(&set, expr_operand(w->p, e, j));
    }
    w->facts = memory_resize(NULL, sizeof *w->facts * set.count);
    w->fact_count = set.count;
    for (uint32_t i = 0; i < set.count; i++) w->facts[i] = (node_facts){.node = set.items[i]};
    qsort(w->facts, w->fact_count, sizeof *w->facts, by_node);
    for (uint32_t i = 0; i < w->fact_count; i++) find_facts(w, &w->facts[i]);
    free(set.items);
    free(set.slots);
}
