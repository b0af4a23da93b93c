// From the working form back to a program.
#include "expr/pool_internal.h"
#include "expr/share_internal.h"

typedef struct {
    const working *w;
    program *prog;
    uint32_t capacity, operand_count, operand_capacity;
    uint32_t *position; // of parts + 1, 0 while not emitted
    uint32_t *minus;    // of their negatives + 1
    struct {
        expr number;
        uint32_t at;
    } * numbers; // numbers emitted so far
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

static bool is_number(const emitter *e, factor f) { return e->w->parts[f.key].kind == EXPR_NUMBER; }

// The number in a term, with the sign.
static expr coefficient_of(const emitter *e, const term *t) {
    expr c = EXPR_ONE;
    for (uint32_t i = 0; i < t->count; i++)
        if (is_number(e, t->factors[i])) c = e->w->parts[t->factors[i].key].number;
    return t->sign < 0 ? expr_neg(e->w->p, c) : c;
}

// The product of the other factors; UINT32_MAX if there are none.
static uint32_t emit_product(emitter *e, const term *t) {
    pool *p = e->w->p;
    uint32_t others = 0, last = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        if (is_number(e, t->factors[i])) continue;
        others++;
        last = i;
        number_position(e, expr_int(p, t->factors[i].power)); // before the product's own operands
    }
    if (!others) return UINT32_MAX;
    if (others == 1 && t->factors[last].power == 1) return e->position[t->factors[last].key] - 1;
    const uint32_t first = e->operand_count;
    for (uint32_t i = 0; i < t->count; i++) {
        if (is_number(e, t->factors[i])) continue;
        emit_operand(e, e->position[t->factors[i].key] - 1);
        emit_operand(e, number_position(e, expr_int(p, t->factors[i].power)));
    }
    return emit_instruction(
        e, (instruction){EXPR_PRODUCT, 0, first, e->operand_count - first, EXPR_NONE});
}

// constant + c * product + ..
static uint32_t emit_sum(emitter *e, const part *n) {
    uint32_t *product = memory_array(uint32_t, n->term_count);
    expr constant = EXPR_ZERO;
    for (uint32_t i = 0; i < n->term_count; i++) {
        product[i] = emit_product(e, &n->terms[i]);
        const expr c = coefficient_of(e, &n->terms[i]);
        if (product[i] == UINT32_MAX) constant = expr_add(e->w->p, constant, c);
        else number_position(e, c);
    }
    uint32_t at = product[0];
    if (n->term_count > 1 || at == UINT32_MAX || coefficient_of(e, &n->terms[0]) != EXPR_ONE) {
        const uint32_t zero = number_position(e, constant), first = e->operand_count;
        emit_operand(e, zero);
        for (uint32_t i = 0; i < n->term_count; i++) {
            if (product[i] == UINT32_MAX) continue;
            emit_operand(e, number_position(e, coefficient_of(e, &n->terms[i])));
            emit_operand(e, product[i]);
        }
        at = emit_instruction(
            e, (instruction){EXPR_SUM, 0, first, e->operand_count - first, EXPR_NONE});
    }
    memory_free(product);
    return at;
}

// sign * part
static uint32_t emit_link(emitter *e, link l) {
    const part *n = &e->w->parts[l.key];
    if (l.sign > 0) return e->position[l.key] - 1;
    if (n->kind == EXPR_NUMBER) return number_position(e, expr_neg(e->w->p, n->number));
    if (!e->minus[l.key]) {
        const uint32_t zero = number_position(e, EXPR_ZERO),
                       minus = number_position(e, EXPR_MINUS_ONE), first = e->operand_count;
        emit_operand(e, zero);
        emit_operand(e, minus);
        emit_operand(e, e->position[l.key] - 1);
        e->minus[l.key] = emit_instruction(e, (instruction){EXPR_SUM, 0, first, 3, EXPR_NONE}) + 1;
    }
    return e->minus[l.key] - 1;
}

static uint32_t emit_function(emitter *e, const part *n) {
    const bool root = n->kind == EXPR_PRODUCT;
    uint32_t *operand = memory_array(uint32_t, n->link_count);
    for (uint32_t i = 0; i < n->link_count; i++) operand[i] = emit_link(e, n->links[i]);
    const uint32_t exponent = root ? number_position(e, n->number) : 0, first = e->operand_count;
    for (uint32_t i = 0; i < n->link_count; i++) emit_operand(e, operand[i]);
    if (root) emit_operand(e, exponent);
    memory_free(operand);
    return emit_instruction(
        e, (instruction){n->kind, n->payload, first, e->operand_count - first, n->node});
}

static void emit_part(emitter *e, uint32_t key) {
    const part *n = &e->w->parts[key];
    uint32_t at;
    if (n->kind == EXPR_NUMBER) at = number_position(e, n->number);
    else if (n->kind == EXPR_SUM) at = emit_sum(e, n);
    else at = emit_function(e, n);
    e->position[key] = at + 1;
}

static void push(uint32_t key, uint32_t **stack, uint32_t *depth, uint32_t *capacity) {
    array_reserve(*stack, *depth, *capacity);
    (*stack)[(*depth)++] = key;
}

// Operands first, without recursion.
static void emit_below(emitter *e, uint32_t root) {
    uint32_t *stack = NULL, depth = 0, capacity = 0;
    push(root, &stack, &depth, &capacity);
    while (depth) {
        const uint32_t top = stack[depth - 1], before = depth;
        const part *n = &e->w->parts[top];
        for (uint32_t i = 0; i < n->link_count && !e->position[top]; i++)
            if (!e->position[n->links[i].key]) push(n->links[i].key, &stack, &depth, &capacity);
        for (uint32_t i = 0; i < n->term_count && !e->position[top]; i++)
            for (uint32_t j = 0; j < n->terms[i].count; j++)
                if (!e->position[n->terms[i].factors[j].key])
                    push(n->terms[i].factors[j].key, &stack, &depth, &capacity);
        if (depth > before) continue;
        if (!e->position[top]) emit_part(e, top);
        depth--;
    }
    memory_free(stack);
}

program *share_emit(const working *w) {
    program *prog = memory_new(program);
    *prog = (program){.pool = w->p, .output_count = w->output_count};
    emitter e = {.w = w,
                 .prog = prog,
                 .position = memory_zeros(uint32_t, w->count + 1),
                 .minus = memory_zeros(uint32_t, w->count + 1)};
    for (uint32_t i = 0; i < w->output_count; i++) emit_below(&e, w->outputs[i].key);
    prog->outputs = memory_array(uint32_t, w->output_count);
    for (uint32_t i = 0; i < w->output_count; i++) prog->outputs[i] = emit_link(&e, w->outputs[i]);
    memory_free(e.position);
    memory_free(e.minus);
    memory_free(e.numbers);
    return prog;
}
