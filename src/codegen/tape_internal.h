// What the files that make tapes share.
#ifndef HAMEL_CODEGEN_TAPE_INTERNAL_H
#define HAMEL_CODEGEN_TAPE_INTERNAL_H

#include "codegen/tape.h"

typedef struct {
    tape *t;
    pool *p;
    const program *prog;
    uint32_t *of;       // register of each instruction, once made
    uint32_t *uses;     // of each instruction, by others
    bool *circle;       // sin and cos of this instruction are both computed
    bool *split;        // .. from those of its two terms
    uint32_t *table;    // open addressing: step index + 1 by (operation, a, b)
    uint32_t table_size;
    uint32_t *constant_at; // by expression of the pool: register + 1
    uint32_t constant_capacity;
} builder;

// A step, or the one that computes the same already.
uint32_t tape_emit(builder *w, tape_operation operation, uint32_t a, uint32_t b);
uint32_t tape_emit_unary(builder *w, tape_operation operation, uint32_t a);

// Where sin and cos come together, where tan is their quotient, which angles are split (tape_circular.c).
void plan_circular(builder *w);
uint32_t make_circular(builder *w, const instruction *c);

#endif
