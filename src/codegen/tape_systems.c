// Linear systems on a tape: their operands are computed first, then they are solved as a whole,
// then comes what needs their unknowns.
#include "codegen/tape_internal.h"

#include <stdlib.h>
#include <string.h>

uint32_t tape_system_entries(const tape_system *s) {
    return s->symmetric ? s->n * (s->n + 1) / 2 : s->n * s->n;
}
uint32_t tape_system_unknowns(const tape_system *s) { return s->n * s->columns; }
uint32_t tape_system_operands(const tape_system *s) {
    return tape_system_entries(s) + tape_system_unknowns(s);
}

uint32_t tape_operand_count(const tape *t, uint32_t step) {
    const tape_step *s = &t->step[step];
    if (s->operation == TAPE_SOLVED) return s->b ? 0 : tape_system_operands(&t->system[s->a]);
    return tape_is_unary(s->operation) ? 1 : 2;
}

uint32_t tape_operand(const tape *t, uint32_t step, uint32_t which) {
    const tape_step *s = &t->step[step];
    if (s->operation == TAPE_SOLVED) return t->system[s->a].operand[which];
    return which ? s->b : s->a;
}

static tape_system shape_of(const matrix_system *s) {
    return (tape_system){.n = s->n, .columns = s->columns, .symmetric = s->symmetric};
}

expr *tape_list_outputs(uint32_t systems, const matrix_system *system, uint32_t outputs,
                        const expr *output, uint32_t *first, uint32_t *total) {
    uint32_t count = outputs;
    for (uint32_t i = 0; i < systems; i++) {
        const tape_system shape = shape_of(&system[i]);
        first[i] = count;
        count += tape_system_operands(&shape);
    }
    expr *all = memory_array(expr, count + 1), *next = all + outputs;
    if (outputs) memcpy(all, output, sizeof(expr) * outputs);
    for (uint32_t i = 0; i < systems; i++) {
        const matrix_system *s = &system[i];
        for (uint32_t r = 0; r < s->n; r++)
            for (uint32_t c = 0; c < (s->symmetric ? r + 1 : s->n); c++)
                *next++ = s->matrix[r * s->n + c];
        memcpy(next, s->right, sizeof(expr) * s->n * s->columns);
        next += s->n * s->columns;
    }
    *total = count;
    return all;
}

// --- the order of the instructions ---------------------------------------------------------------

// By instruction: how many of the systems must be solved before it, 0 where it holds no unknown
static uint32_t *find_depths(const builder *w) {
    const program *g = w->prog;
    uint32_t *depth = memory_zeros(uint32_t, g->length + 1);
    for (uint32_t i = 0; i < g->length; i++) {
        const instruction *c = &g->code[i];
        for (uint32_t j = 0; j < c->count; j++) {
            const uint32_t below = depth[g->operands[c->first + j]];
            if (below > depth[i]) depth[i] = below;
        }
        const expr node = c->kind == EXPR_SYMBOL ? pool_symbol(w->p, c->payload)->node : EXPR_NONE;
        for (uint32_t k = 0; k < w->system_count && c->kind == EXPR_SYMBOL; k++)
            for (uint32_t j = 0; j < w->system[k].n * w->system[k].columns; j++)
                if (w->system[k].unknown[j] == node) depth[i] = k + 1;
    }
    return depth;
}

void tape_emit_system(builder *w, tape_system *s) {
    tape *t = w->t;
    tape_level level = TAPE_TIMED;
    for (uint32_t k = 0; k < tape_system_operands(s); k++)
        if (tape_level_of(w, s->operand[k]) > level) level = tape_level_of(w, s->operand[k]);
    s->first = t->step_count;
    for (uint32_t k = 0; k < tape_system_unknowns(s); k++) {
        array_reserve(t->step, t->step_count, t->step_capacity);
        t->step[t->step_count++] = (tape_step){TAPE_SOLVED, (uint32_t)(s - t->system), k, level};
    }
}

static void append_system(builder *w, uint32_t which) {
    tape *t = w->t;
    tape_system *s = &t->system[t->system_count++];
    *s = shape_of(&w->system[which]);
    s->operand = memory_array(uint32_t, tape_system_operands(s) + 1);
    for (uint32_t k = 0; k < tape_system_operands(s); k++)
        s->operand[k] = w->of[w->prog->outputs[w->system_output[which] + k]];
    tape_emit_system(w, s);
}

void tape_make_all(builder *w, uint32_t (*make_step)(builder *w, const instruction *c)) {
    const program *g = w->prog;
    uint32_t *depth = find_depths(w);
    w->t->system = memory_array(tape_system, w->system_count + 1);
    for (uint32_t k = 0; k <= w->system_count; k++) {
        for (uint32_t i = 0; i < g->length; i++)
            if (depth[i] == k) w->of[i] = make_step(w, &g->code[i]);
        if (k < w->system_count) append_system(w, k);
    }
    memory_free(depth);
}
