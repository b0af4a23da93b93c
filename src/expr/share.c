// Into the working form and back, and the choice between two orders of work.
#include "expr/share_internal.h"

#include "expr/pool_internal.h"

#include <stdlib.h>
#include <string.h>

// --- bags --------------------------------------------------------------------------------------------------------------------

uint32_t bag_create(working *w, expr_kind kind) {
    array_reserve(w->nodes, w->count, w->capacity);
    w->nodes[w->count] = (part_node){.kind = kind};
    return w->count++;
}

// Add to a bag; an item with the same key absorbs the weight.
void bag_add(working *w, uint32_t node, uint32_t key, expr weight) {
    part_node *b = &w->nodes[node];
    for (uint32_t i = 0; i < b->count && (b->kind == EXPR_SUM || b->kind == EXPR_PRODUCT); i++) {
        if (b->items[i].key != key) continue;
        b->items[i].weight = expr_add(w->p, b->items[i].weight, weight);
        if (b->items[i].weight == EXPR_ZERO) b->items[i] = b->items[--b->count];
        return;
    }
    array_reserve(b->items, b->count, b->capacity);
    b->items[b->count++] = (item){key, weight};
}

static int by_key(const void *a, const void *b) {
    const item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

void bag_sort(working *w, uint32_t node) {
    if (w->nodes[node].count) qsort(w->nodes[node].items, w->nodes[node].count, sizeof(item), by_key);
}

void count_uses(working *w) {
    for (uint32_t i = 0; i < w->count; i++) w->nodes[i].uses = 0;
    bool *live = calloc(w->count ? w->count : 1, sizeof *live);
    uint32_t *stack = memory_resize(NULL, sizeof(uint32_t) * (w->count + w->output_count)), depth = 0;
    for (uint32_t i = 0; i < w->output_count; i++) {
        w->nodes[w->outputs[i]].uses++;
        if (!live[w->outputs[i]]) stack[depth++] = w->outputs[i];
        live[w->outputs[i]] = true;
    }
    while (depth) {
        const part_node *n = &w->nodes[stack[--depth]];
        for (uint32_t i = 0; i < n->count; i++) {
            w->nodes[n->items[i].key].uses++;
            if (!live[n->items[i].key]) stack[depth++] = n->items[i].key;
            live[n->items[i].key] = true;
        }
    }
    free(live);
    free(stack);
}

// --- in ----------------------------------------------------------------------------------------------------------------------

static void load_sum(working *w, uint32_t to, const program *prog, const instruction *c) {
    const expr constant = prog->code[prog->operands[c->first]].node;
    if (constant != EXPR_ZERO) bag_add(w, to, w->one, constant);
    for (uint32_t j = 1; j < c->count; j += 2)
        bag_add(w, to, prog->operands[c->first + j + 1] + 1, prog->code[prog->operands[c->first + j]].node);
}

// Node i + 1 of the working form is instruction i; node 0 is the number 1.
static working load(const program *prog) {
    working w = {.p = (pool *)prog->pool, .output_count = prog->output_count};
    w.one = bag_create(&w, EXPR_NUMBER);
    w.nodes[w.one].node = EXPR_ONE;
    for (uint32_t i = 0; i < prog->length; i++) {
        const instruction *c = &prog->code[i];
        const uint32_t to = bag_create(&w, c->kind);
        w.nodes[to].payload = c->payload;
        w.nodes[to].node = c->node;
        if (c->kind == EXPR_SUM) load_sum(&w, to, prog, c);
        for (uint32_t j = 0; j < c->count && c->kind != EXPR_SUM; j += c->kind == EXPR_PRODUCT ? 2 : 1)
            bag_add(&w, to, prog->operands[c->first + j] + 1,
                    c->kind == EXPR_PRODUCT ? prog->code[prog->operands[c->first + j + 1]].node : EXPR_ONE);
        if (c->kind == EXPR_SUM || c->kind == EXPR_PRODUCT) bag_sort(&w, to);
    }
    w.outputs = memory_resize(NULL, sizeof(uint32_t) * (prog->output_count ? prog->output_count : 1));
    for (uint32_t i = 0; i < prog->output_count; i++) w.outputs[i] = prog->outputs[i] + 1;
    return w;
}

static void working_free(working *w) {
    for (uint32_t i = 0; i < w->count; i++) free(w->nodes[i].items);
    free(w->nodes);
    free(w->outputs);
}

// --- out ---------------------------------------------------------------------------------------------------------------------

typedef struct {
    const working *w;
    program *prog;
    uint32_t capacity, operand_count, operand_capacity;
    uint32_t *position; // of working nodes + 1, 0 while not emitted
    struct {
        expr number;
        uint32_t at;
    } *numbers; // numbers emitted so far
    uint32_t number_count, number_capacity;
} emitter;

static uint32_t emit_instruction(emitter *e, instruction c) {
    array_reserve(e->prog->code, e->prog->length, e->capacity);
    e->prog->code[e->prog->length] = c;
    return e->prog->length++;
}

static void emit_operand(emitter *e, uint32_t position) {
    array_reserve(e->prog->operands, e->operand_count, e->operand_capacity);
    e->prog->operands[e->operand_count++] = position;
}

static uint32_t number_position(emitter *e, expr number) {
    for (uint32_t i = e->number_count; i-- > 0;)
        if (e->numbers[i].number == number) return e->numbers[i].at;
    const uint32_t at = emit_instruction(e, (instruction){EXPR_NUMBER, 0, 0, 0, number});
    array_reserve(e->numbers, e->number_count, e->number_capacity);
    e->numbers[e->number_count].number = number;
    e->numbers[e->number_count++].at = at;
    return at;
}

static void emit_node(emitter *e, uint32_t index) {
    const part_node *n = &e->w->nodes[index];
    if (n->kind == EXPR_NUMBER) {
        e->position[index] = number_position(e, n->node) + 1;
        return;
    }
    expr constant = EXPR_ZERO;
    for (uint32_t i = 0; i < n->count; i++) {
        if (n->kind == EXPR_SUM && n->items[i].key == e->w->one) constant = n->items[i].weight;
        if (n->kind == EXPR_SUM || n->kind == EXPR_PRODUCT) number_position(e, n->items[i].weight);
    }
    if (n->kind == EXPR_SUM) number_position(e, constant);
    const uint32_t first = e->operand_count;
    if (n->kind == EXPR_SUM) emit_operand(e, number_position(e, constant));
    for (uint32_t i = 0; i < n->count; i++) {
        const uint32_t operand = e->position[n->items[i].key] - 1;
        if (n->kind == EXPR_SUM && n->items[i].key == e->w->one) continue;
        if (n->kind == EXPR_SUM) emit_operand(e, number_position(e, n->items[i].weight));
        emit_operand(e, operand);
        if (n->kind == EXPR_PRODUCT) emit_operand(e, number_position(e, n->items[i].weight));
    }
    const expr node = n->kind == EXPR_SUM || n->kind == EXPR_PRODUCT ? EXPR_NONE : n->node;
    e->position[index] = emit_instruction(e, (instruction){n->kind, n->payload, first, e->operand_count - first, node}) + 1;
}

// Operands first, without recursion.
static void emit_below(emitter *e, uint32_t root) {
    uint32_t *stack = NULL, depth = 0, capacity = 0;
    array_reserve(stack, depth, capacity);
    stack[depth++] = root;
    while (depth) {
        const uint32_t top = stack[depth - 1];
        bool ready = true;
        for (uint32_t i = 0; i < e->w->nodes[top].count && !e->position[top]; i++) {
            const uint32_t key = e->w->nodes[top].items[i].key;
            if (e->position[key]) continue;
            array_reserve(stack, depth, capacity);
            stack[depth++] = key;
            ready = false;
        }
        if (!ready) continue;
        if (!e->position[top]) emit_node(e, top);
        depth--;
    }
    free(stack);
}

static program *emit(const working *w) {
    program *prog = memory_resize(NULL, sizeof *prog);
    *prog = (program){.pool = w->p, .output_count = w->output_count};
    emitter e = {.w = w, .prog = prog, .position = calloc(w->count, sizeof(uint32_t))};
    for (uint32_t i = 0; i < w->output_count; i++) emit_below(&e, w->outputs[i]);
    prog->outputs = memory_resize(NULL, sizeof(uint32_t) * (w->output_count ? w->output_count : 1));
    for (uint32_t i = 0; i < w->output_count; i++) prog->outputs[i] = e.position[w->outputs[i]] - 1;
    free(e.position);
    free(e.numbers);
    return prog;
}

// --- the whole ---------------------------------------------------------------------------------------------------------------

static program *improve(const program *prog, bool factor_first) {
    working w = load(prog);
    split_powers(&w);
    if (factor_first) factor_sums(&w);
    share_pairs(&w, EXPR_PRODUCT);
    if (!factor_first) factor_sums(&w);
    share_pairs(&w, EXPR_SUM);
    share_pairs(&w, EXPR_PRODUCT);
    program *better = emit(&w);
    working_free(&w);
    return better;
}

program *program_share(program *prog) {
    program *best = prog;
    for (int order = 0; order < 2; order++) {
        program *candidate = improve(prog, order == 0);
        if (operation_total(program_count(candidate)) < operation_total(program_count(best))) {
            if (best != prog) program_free(best);
            best = candidate;
        } else {
            program_free(candidate);
        }
    }
    if (best != prog) program_free(prog);
    return best;
}
