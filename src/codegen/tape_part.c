// The part of a tape that computes some of its registers.
#include "codegen/tape.h"

#include <string.h>

// The steps that the registers need, by number; false where a linear system is among them.
static bool mark_needed(const tape *t, uint32_t leaves, uint32_t count, const uint32_t *reg,
                        bool *needed) {
    for (uint32_t i = 0; i < count; i++)
        if (reg[i] >= leaves) needed[reg[i] - leaves] = true;
    for (uint32_t i = t->step_count; i-- > 0;) {
        if (!needed[i]) continue;
        if (t->step[i].operation == TAPE_SOLVED) return false;
        for (uint32_t k = 0; k < tape_operand_count(t, i); k++)
            if (tape_operand(t, i, k) >= leaves) needed[tape_operand(t, i, k) - leaves] = true;
    }
    return true;
}

tape *tape_part(const tape *t, uint32_t count, const uint32_t *reg) {
    const uint32_t leaves = t->input_count + t->constant_count;
    bool *needed = memory_zeros(bool, t->step_count + 1);
    tape *part = NULL;
    if (mark_needed(t, leaves, count, reg, needed)) {
        uint32_t *now = memory_array(uint32_t, leaves + t->step_count + 1); // by old register
        for (uint32_t i = 0; i < leaves; i++) now[i] = i;
        part = memory_new(tape);
        *part = *t;
        expr *input = memory_array(expr, t->input_count + 1);
        if (t->input_count) memcpy(input, t->input, sizeof(expr) * t->input_count);
        part->input = input;
        part->constant = memory_array(expr, t->constant_count + 1);
        if (t->constant_count)
            memcpy(part->constant, t->constant, sizeof(expr) * t->constant_count);
        part->step = memory_array(tape_step, t->step_count + 1);
        part->step_count = part->system_count = 0, part->system = NULL;
        for (uint32_t i = 0; i < t->step_count; i++) {
            if (!needed[i]) continue;
            tape_step s = t->step[i];
            s.a = now[s.a], s.b = now[s.b];
            now[leaves + i] = leaves + part->step_count;
            part->step[part->step_count++] = s;
        }
        part->step_capacity = part->step_count;
        part->output = memory_array(uint32_t, count + 1);
        part->output_count = count;
        for (uint32_t i = 0; i < count; i++) part->output[i] = now[reg[i]];
        memory_free(now);
    }
    memory_free(needed);
    return part;
}
