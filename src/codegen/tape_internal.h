// What the files that make tapes share. Other rooms use tape.h.
#ifndef HAMEL_CODEGEN_TAPE_INTERNAL_H
#define HAMEL_CODEGEN_TAPE_INTERNAL_H

#include "codegen/tape.h"

typedef struct {
    tape *t;
    pool *p;
    const program *prog;
    uint32_t *of;    // register of each instruction, once made
    uint32_t *uses;  // of each instruction, by others
    bool *circle;    // sin and cos of this instruction are both computed
    bool *split;     // .. from those of its two terms
    uint32_t *table; // open addressing: step index + 1 by (operation, a, b)
    uint32_t table_size;
    uint32_t *constant_at; // by expression of the pool: register + 1
    uint32_t constant_capacity;
    uint32_t system_count; // those that are stated; the tape has those that are needed
    const matrix_system *system;
    // by system: the first of its operands among the outputs of the program
    const uint32_t *system_output;
} builder;

// While the tape is made, steps are numbered from 0 and inputs and constants from the top, since
// their number is not known yet.
enum { TAPE_FIRST_LEAF = 0x80000000u };
static inline bool tape_is_leaf(uint32_t reg) { return reg >= TAPE_FIRST_LEAF; }

// A step, or the one that computes the same already.
uint32_t tape_emit(builder *w, tape_operation operation, uint32_t a, uint32_t b);
uint32_t tape_constant_register(builder *w, expr value);
tape_level tape_level_of(const builder *w, uint32_t reg);
void tape_emit_system(builder *w, tape_system *s); // its solution, as steps

// tape_steps.c: where sin and cos come together, where tan is their quotient, which angles are
// split; then the steps of an instruction whose operands are made.
void tape_plan_circular(builder *w);
uint32_t tape_make_step(builder *w, const instruction *c);

void tape_finish(builder *w); // tape_finish.c

#endif
