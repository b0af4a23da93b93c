// A long body in parts: which part computes what, and what they hand on to each other.
#include "codegen/emit_c_internal.h"

// of one function: compilers take more than linear time in the length of a block
enum { PART_STEPS = 1000 };

static void see_use(writer *w, uint32_t reg, uint32_t part) {
    if (!is_step(w, reg)) return;
    const uint32_t i = reg - w->leaves;
    if (w->part[i] != NO_PLACE && part > w->last_part[i]) w->last_part[i] = part;
}

static bool stand_together(const tape_step *before, const tape_step *s) {
    if (s->operation == TAPE_SOLVED) return s->b > 0;
    return s->a == before->a && (s->operation == TAPE_SIN || s->operation == TAPE_COS) &&
           (before->operation == TAPE_SIN || before->operation == TAPE_COS);
}

// Parts of equal length; sin and cos of one argument, and the entries of a solution, are not torn
// apart.
uint32_t emit_c_divide(writer *w) {
    const uint32_t parts = w->count ? (w->count + PART_STEPS - 1) / PART_STEPS : 1,
                   length = (w->count + parts - 1) / parts;
    for (uint32_t i = 0; i < w->t->step_count; i++) w->part[i] = w->slot[i] = NO_PLACE;
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t i = w->order[k], before = k ? w->order[k - 1] : i;
        const bool together = k && stand_together(&w->t->step[before], &w->t->step[i]);
        w->part[i] = w->last_part[i] = together ? w->part[before] : k / length;
    }
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t i = w->order[k];
        for (uint32_t j = 0; j < tape_operand_count(w->t, i); j++)
            see_use(w, tape_operand(w->t, i, j), w->part[i]);
    }
    return parts;
}

// A place in the shared array for each value that a later part needs; it is free again when the
// last such part is over.
void emit_c_share_array(writer *w, uint32_t parts) {
    uint32_t *vacant = memory_array(uint32_t, (size_t)w->count + 1), vacancies = 0;
    uint32_t k = 0;
    w->slot_count = 0;
    for (uint32_t part = 0; part < parts; part++) {
        for (; k < w->count && w->part[w->order[k]] == part; k++) {
            const uint32_t i = w->order[k];
            if (w->last_part[i] > part)
                w->slot[i] = vacancies ? vacant[--vacancies] : w->slot_count++;
        }
        for (uint32_t earlier = 0; earlier < k; earlier++) {
            const uint32_t i = w->order[earlier];
            if (w->slot[i] != NO_PLACE && w->last_part[i] == part) vacant[vacancies++] = w->slot[i];
        }
    }
    memory_free(vacant);
}
