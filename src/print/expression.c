// Printing one expression: what is known of its nodes, the walk over them, entry points.
#include "print/expression_internal.h"

#include <assert.h>
#include <stdlib.h>

enum {
    DEPTH_LIMIT = 1500,           // deeper trees are not written out: the walk is recursive
    SIZE_LIMIT = 20 * 1000 * 1000 // neither are larger ones
};

// --- a hash table from nodes to numbers: open addressing, linear probing -------------------------

// NULL if it is not there
static uint32_t start(const node_table *t, expr e) {
    return e * 0x9E3779B1u >> 7 & (t->capacity - 1);
}

static void grow(node_table *t) {
    const node_table old = *t;
    t->capacity = old.capacity ? 2 * old.capacity : 64;
    t->slots = memory_array(node_slot, t->capacity);
    for (uint32_t i = 0; i < t->capacity; i++) t->slots[i].node = EXPR_NONE;
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (old.slots[i].node == EXPR_NONE) continue;
        uint32_t at = start(t, old.slots[i].node);
        while (t->slots[at].node != EXPR_NONE) at = (at + 1) & (t->capacity - 1);
        t->slots[at] = old.slots[i];
    }
    memory_free(old.slots);
}

// NULL if it is not there
static uint32_t *table_find(const node_table *t, expr e) {
    if (!t->count) return NULL;
    for (uint32_t at = start(t, e); t->slots[at].node != EXPR_NONE;
         at = (at + 1) & (t->capacity - 1))
        if (t->slots[at].node == e) return &t->slots[at].value;
    return NULL;
}

static void table_add(node_table *t, expr e, uint32_t value) {
    if (2 * (t->count + 1) > t->capacity) grow(t);
    uint32_t at = start(t, e);
    while (t->slots[at].node != EXPR_NONE) at = (at + 1) & (t->capacity - 1);
    t->slots[at] = (node_slot){e, value};
    t->count++;
}

// --- what is known of every node: how fast it moves, how large and how deep its tree is ----------

const node_facts *printer_facts(const printer *pr, expr e) {
    const uint32_t *place = table_find(&pr->known, e);
    assert(place);
    return &pr->facts[*place];
}

static void symbol_facts(const symbol *s, node_facts *f) {
    f->constant = s->role == ROLE_PARAMETER;
    f->multiplier =
        s->role == ROLE_MULTIPLIER || s->role == ROLE_VARIATION || s->role == ROLE_TRANSPOSE;
    if (s->role == ROLE_COORDINATE) f->level = (int16_t)(s->order < 1000 ? s->order : 1000);
    if (s->role == ROLE_QUASI) f->level = (int16_t)(s->order < 1000 ? s->order + 1 : 1000);
}

// Of a node whose operands are known. A named operand has the size and depth of its name.
static node_facts find_facts(const printer *pr, expr e) {
    node_facts f = {.constant = true, .size = 1, .depth = 1};
    const symbol *s = expr_as_symbol(pr->p, e);
    if (s) symbol_facts(s, &f);
    for (uint32_t i = 0; i < expr_operand_count(pr->p, e); i++) {
        const expr operand = expr_operand(pr->p, e, i);
        const node_facts *g = printer_facts(pr, operand);
        const bool named = table_find(&pr->named, operand) != NULL;
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

static void visit(printer *pr, node_list *fresh, expr e) {
    if (table_find(&pr->known, e)) return;
    table_add(&pr->known, e, UINT32_MAX);
    array_reserve(fresh->items, fresh->count, fresh->capacity);
    fresh->items[fresh->count++] = e;
}

// Everything below the root that no earlier print has met; operands come first in index order.
static void gather(printer *pr, expr root) {
    node_list fresh = {0};
    visit(pr, &fresh, root);
    for (uint32_t i = 0; i < fresh.count; i++)
        for (uint32_t j = 0; j < expr_operand_count(pr->p, fresh.items[i]); j++)
            visit(pr, &fresh, expr_operand(pr->p, fresh.items[i], j));
    if (fresh.count) qsort(fresh.items, fresh.count, sizeof *fresh.items, by_node);
    for (uint32_t i = 0; i < fresh.count; i++) {
        array_reserve(pr->facts, pr->fact_count, pr->fact_capacity);
        pr->facts[pr->fact_count] = find_facts(pr, fresh.items[i]);
        *table_find(&pr->known, fresh.items[i]) = pr->fact_count++;
    }
    memory_free(fresh.items);
}

// --- the walk ------------------------------------------------------------------------------------

const char *printer_name_of(const printer *pr, expr e) {
    if (e == pr->root) return NULL;
    const uint32_t *place = table_find(&pr->named, e);
    return place ? pr->names[*place] : NULL;
}

static void print_number(printer *pr, expr e, place where) {
    const fmpq *value = expr_number_value(pr->p, e);
    const bool minus = fmpq_sgn(value) < 0, fraction = !fmpz_is_one(fmpq_denref(value));
    const bool brackets = (minus && where >= PLACE_TERM) || (fraction && where == PLACE_BASE) ||
                          (fraction && where == PLACE_FACTOR && pr->style != STYLE_LATEX);
    if (brackets) print_open(pr);
    if (minus) text_char(pr->out, '-');
    print_scaled(pr, value, EXPR_ONE);
    if (brackets) print_close(pr);
}

// b^e with an exponent that is no number.
static void print_power(printer *pr, expr e, place where) {
    if (where == PLACE_BASE) print_open(pr);
    const expr exponent = expr_operand(pr->p, e, 1);
    print_node(pr, expr_operand(pr->p, e, 0), PLACE_BASE);
    text_append(pr->out, pr->style == STYLE_LATEX ? "^{" : pr->style == STYLE_SYMPY ? "**" : "^");
    print_node(pr, exponent, pr->style == STYLE_LATEX ? PLACE_OPEN : PLACE_BASE);
    if (pr->style == STYLE_LATEX) text_char(pr->out, '}');
    if (where == PLACE_BASE) print_close(pr);
}

static void print_product(printer *pr, expr e, place where) {
    const bool brackets =
        where == PLACE_BASE || (where == PLACE_FACTOR && pr->style != STYLE_LATEX);
    if (brackets) print_open(pr);
    print_scaled(pr, expr_number_value(pr->p, EXPR_ONE), e);
    if (brackets) print_close(pr);
}

void print_node(printer *pr, expr e, place where) {
    const char *name = printer_name_of(pr, e);
    if (name) {
        print_name(name, 0, pr->style == STYLE_LATEX ? STYLE_LATEX : STYLE_TEXT, pr->out);
        return;
    }
    switch (expr_kind_of(pr->p, e)) {
    case EXPR_NUMBER: print_number(pr, e, where); return;
    case EXPR_SYMBOL: {
        // A raised derivative mark, x^{(4)}, cannot take an exponent as it stands.
        const bool brackets =
            pr->style == STYLE_LATEX && where == PLACE_BASE && expr_as_symbol(pr->p, e)->order > 3;
        if (brackets) print_open(pr);
        print_symbol_name(pr->p, e, pr->style, pr->out);
        if (brackets) print_close(pr);
        return;
    }
    case EXPR_PI: text_append(pr->out, pr->style == STYLE_LATEX ? "\\pi" : "pi"); return;
    case EXPR_SUM: print_sum(pr, e, where, false); return;
    case EXPR_PRODUCT: print_product(pr, e, where); return;
    case EXPR_POWER: print_power(pr, e, where); return;
    default: break;
    }
    const bool brackets = pr->style == STYLE_LATEX && where == PLACE_BASE;
    if (brackets) print_open(pr);
    print_call(pr, e, NULL);
    if (brackets) print_close(pr);
}

// --- entry points --------------------------------------------------------------------------------

printer *printer_create(pool *p, const expr *named, const char *const *names, uint32_t count) {
    printer *pr = memory_new(printer);
    *pr = (printer){.p = p, .names = names};
    for (uint32_t i = 0; i < count; i++)
        if (!table_find(&pr->named, named[i])) table_add(&pr->named, named[i], i);
    return pr;
}

void printer_print(printer *pr, expr e, print_style style, text *out) {
    pr->root = e;
    pr->style = style;
    pr->out = out;
    gather(pr, e);
    const node_facts *f = printer_facts(pr, e);
    if (f->depth > DEPTH_LIMIT || f->size > SIZE_LIMIT)
        text_format(out, "<an expression of %u symbols>", f->size);
    else print_node(pr, e, PLACE_OPEN);
}

void printer_free(printer *pr) {
    if (!pr) return;
    memory_free(pr->named.slots);
    memory_free(pr->known.slots);
    memory_free(pr->facts);
    memory_free(pr);
}

void print_expression(pool *p, expr e, print_style style, text *out) {
    printer *pr = printer_create(p, NULL, NULL, 0);
    printer_print(pr, e, style, out);
    printer_free(pr);
}
