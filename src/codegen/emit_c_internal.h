// What the files that write a tape as C share. Other rooms use emit.h.
#ifndef HAMEL_CODEGEN_EMIT_C_INTERNAL_H
#define HAMEL_CODEGEN_EMIT_C_INTERNAL_H

#include "codegen/emit.h"
#include "codegen/schedule.h"

// What the function that is being written mentions, in the order of its parameters.
typedef enum { USES_T, USES_Z, USES_P, USES_C, USES_KEPT, USES_OUT, USES_COUNT } mention;

typedef enum { ATOM, NEGATION, PRODUCT, SUM } binding; // how loosely an expression binds

// What is being written, in three nested parts: a tape, one of its two bodies, one function of that
// body. 24 members: each statement needs all three, and a struct for each would only be three
// names for one thing.
typedef struct {
    const tape *t;
    const scalar_type *as;
    const char *name;
    const char *const *label; // of the inputs; NULL: z[i], t, p[i]
    text *out;
    const schedule *s;
    uint32_t leaves;
    // the body being written
    bool fixed;
    uint32_t count;
    const uint32_t *order;
    uint32_t *part;      // of each step of the tape; NO_PLACE: not in this body
    uint32_t *last_part; // that names it
    uint32_t *slot;      // in the shared array; NO_PLACE: none
    uint32_t slot_count;
    char **written; // how a step is named by its users in the part
    binding *binds;
    uint32_t *first_output, *next_output; // outputs that are this step, as a list
    // the function being written
    uint32_t now, temporaries, solutions;
    bool uses[USES_COUNT];
    bool *uses_input;
    text body;
} writer;

static inline bool is_step(const writer *w, uint32_t reg) { return reg >= w->leaves; }

// A register as its users name it; a step of its operands (emit_c_expression.c)
binding emit_c_operand(writer *w, uint32_t reg, text *out);
binding emit_c_step(writer *w, const tape_step *s, text *out);

// Which part of a long body computes what (emit_c_parts.c): how many parts there are; then places
// in the array that they share.
uint32_t emit_c_divide(writer *w);
void emit_c_share_array(writer *w, uint32_t parts);

#endif
