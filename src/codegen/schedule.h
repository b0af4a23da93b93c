// The order in which the steps of a tape are written out: each value close to its use, what depends
// on time only before what depends on the state. A tape is in any order that computes; a schedule
// is the order in which C is written, made once for a tape.
#ifndef HAMEL_CODEGEN_SCHEDULE_H
#define HAMEL_CODEGEN_SCHEDULE_H

#include "codegen/tape.h"

#define NO_PLACE UINT32_MAX

typedef struct {
    // Steps that outputs need, by their number in the tape.
    uint32_t fixed_count, moving_count;
    uint32_t *fixed;  // of parameters only
    uint32_t *moving; // of time, then of the state
    // For each step of the tape:
    uint32_t *uses; // how often steps that are needed, and outputs, name it; 0: nothing needs it
    uint32_t *user; // a step that names it; NO_PLACE: outputs only
    // of a fixed step that others than fixed ones name: its place in c; else NO_PLACE
    uint32_t *place;
    uint32_t place_count;
} schedule;

// An array of `count` times NO_PLACE; the caller frees it.
uint32_t *schedule_places(uint32_t count);

schedule schedule_create(const tape *t);
void schedule_free(schedule *s);

#endif
