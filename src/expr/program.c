// Scheduling of a DAG into a program, and counting its operations.
#include "expr/program.h"

#include "expr/pool_internal.h"
#include "expr/spline.h"

program *program_create(pool *p, uint32_t outputs, const expr *output) {
    program *prog = memory_new(program);
    *prog = (program){.pool = p, .output_count = outputs};
    expr *nodes = pool_reachable(p, outputs, output, NULL, &prog->length);
    prog->code = memory_array(instruction, prog->length);
    size_t total = 0;
    for (uint32_t i = 0; i < prog->length; i++) total += node_at(p, nodes[i])->count;
    prog->operands = memory_array(uint32_t, total);
    uint32_t next = 0;
    for (uint32_t i = 0; i < prog->length; i++) {
        const node *n = node_at(p, nodes[i]);
        prog->code[i] = (instruction){(expr_kind)n->kind, n->payload, next, n->count, nodes[i]};
        for (uint32_t j = 0; j < n->count; j++)
            prog->operands[next++] = mark_of(p, p->operands[n->first + j]);
    }
    prog->outputs = memory_array(uint32_t, outputs);
    for (uint32_t i = 0; i < outputs; i++) prog->outputs[i] = mark_of(p, output[i]);
    memory_free(nodes);
    return prog;
}

void program_free(program *prog) {
    if (!prog) return;
    memory_free(prog->code);
    memory_free(prog->operands);
    memory_free(prog->outputs);
    memory_free(prog);
}

static bool is_unit(const fmpq *q) {
    return fmpz_is_pm1(fmpq_numref(q)) && fmpz_is_one(fmpq_denref(q));
}

// Multiplications to raise to |e| by repeated squaring, counting odd powers of
// a root as one more function.
static uint32_t power_cost(uint32_t e) {
    uint32_t cost = 0;
    for (; e > 1; e /= 2) cost += 1 + (e & 1);
    return cost;
}

static void count_product(const program *prog, const instruction *c, operation_counts *n) {
    uint32_t above = 0, below = 0;
    for (uint32_t i = 0; i < c->count; i += 2) {
        const fmpq *e = number_at(prog->pool, prog->code[prog->operands[c->first + i + 1]].node);
        if (fmpq_sgn(e) > 0) above++;
        else below++;
        fmpz_t size;
        fmpz_init(size);
        fmpz_abs(size, fmpq_numref(e));
        if (fmpz_is_one(fmpq_denref(e)))
            n->multiplications += power_cost(fmpz_fits_si(size) ? (uint32_t)fmpz_get_ui(size) : 1);
        else {
            n->powers++; // a root
            if (fmpz_equal_ui(fmpq_denref(e), 2))
                n->multiplications += power_cost((uint32_t)fmpz_get_ui(size));
        }
        fmpz_clear(size);
    }
    if (above > 1) n->multiplications += above - 1;
    if (below) n->divisions++;
    if (below > 1) n->multiplications += below - 1;
}

static void count_sum(const program *prog, const instruction *c, operation_counts *n) {
    uint32_t terms = prog->code[prog->operands[c->first]].node != EXPR_ZERO;
    for (uint32_t i = 1; i < c->count; i += 2) {
        terms++;
        if (!is_unit(number_at(prog->pool, prog->code[prog->operands[c->first + i]].node)))
            n->multiplications++;
    }
    // A negation
    if (terms == 1 && c->count > 1 &&
        prog->code[prog->operands[c->first + 1]].node == EXPR_MINUS_ONE)
        n->additions++;
    n->additions += terms - 1;
}

operation_counts program_count(const program *prog) {
    operation_counts n = {0};
    for (uint32_t i = 0; i < prog->length; i++) {
        const instruction *c = &prog->code[i];
        if (c->kind == EXPR_SUM) count_sum(prog, c, &n);
        else if (c->kind == EXPR_PRODUCT) count_product(prog, c, &n);
        else if (c->kind == EXPR_POWER) n.powers++;
        else if (c->count) n.functions++;
    }
    return n;
}

uint32_t operation_counts_total(operation_counts c) {
    return c.additions + c.multiplications + c.divisions + c.powers + c.functions;
}

uint32_t program_operations(pool *p, uint32_t count, const expr *e) {
    program *prog = program_create(p, count, e);
    const uint32_t total = operation_counts_total(program_count(prog));
    program_free(prog);
    return total;
}

expr program_first_unknown(const program *prog, const bool *known_symbol) {
    for (uint32_t i = 0; i < prog->length; i++) {
        const instruction *c = &prog->code[i];
        uint32_t order;
        const spline *data =
            c->kind == EXPR_APPLY ? expr_spline(prog->pool, c->node, &order) : NULL;
        if ((c->kind == EXPR_APPLY && !(data && order <= spline_degree(data))) ||
            (c->kind == EXPR_SYMBOL && !known_symbol[c->payload]))
            return c->node;
    }
    return EXPR_NONE;
}
