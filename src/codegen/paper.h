// What a paper says of a system, as pieces of LaTeX: the caller prints the expressions, a target
// sets them. Long equations are broken by latex_break.h.
#ifndef HAMEL_CODEGEN_PAPER_H
#define HAMEL_CODEGEN_PAPER_H

#include <stdint.h>

typedef struct {
    const char *left, *right; // left = right
} paper_equation;

typedef enum {
    PAPER_ENERGY,
    PAPER_CONSTRAINTS,
    PAPER_QUASI_VELOCITIES,
    PAPER_FORCES,
    PAPER_GIVEN,       // functions of time
    PAPER_NAMES,       // common parts of what follows
    PAPER_INGREDIENTS, // quantities that the formalism is known for
    PAPER_MOTION,
    PAPER_VELOCITIES,
    PAPER_REMAINING,   // constraints that the equations above do not contain
    PAPER_MULTIPLIERS, // what gives them afterwards
    PAPER_INPUTS,
    PAPER_OBSERVED,
    PAPER_INVARIANTS,
    PAPER_EVENTS,
    PAPER_BLOCKS
} paper_block;

typedef struct paper {
    const char *form_id, *form_name, *formula; // of the formalism; the formula in LaTeX
    const char *sources;                       // that it names
    const char *notes;                         // lines of plain text; "": none
    uint32_t coordinates, constraints, freedoms;
    const char *const *coordinate; // as the model calls them
    uint32_t count[PAPER_BLOCKS];
    const paper_equation *equation[PAPER_BLOCKS];
    uint32_t left_out; // equations that are too long for a page
} paper;

#endif
