// Tapes as statements of a language without types: Python, Octave, Julia, Modelica.
//
// A `dialect` says how the language writes what a tape does. A `script_body` is a tape in it: the
// statements that compute common parts, r1 = .., and the outputs as expressions, which a target
// puts where its language wants them. The order of operations is that of the tape, as in C.
#ifndef HAMEL_CODEGEN_SCRIPT_H
#define HAMEL_CODEGEN_SCRIPT_H

#include "codegen/tape.h"

#include "base/text.h"

// In patterns \1, \2 .. stand for what is written there.
typedef struct {
    const char *times, *over;     // "*", ".*"
    const char *call[TAPE_KINDS]; // "sin(\1)"; NULL for those that have signs
    const char *statement;        // \1 is the name, \2 its value: "    \1 = \2\n"
    const char *declaration;      // of the name \1; NULL: names need none
    const char *list_declaration; // of a list \1 with \2 entries
    const char *kept;             // what was computed once: "c[\1]"
    const char *solution;         // entry \2 of the list \1: "\1[\2]"
    uint32_t first;               // what the first entry of a list is called: 0 or 1
    // The solution of an n x n system with so many columns as statements, a list called `name`,
    // column after column. Entries of the matrix row by row, then of the columns.
    void (*solve)(const char *name, uint32_t n, uint32_t columns, char *const *entry, text *out);
} dialect;

typedef enum {
    SCRIPT_ALL,
    SCRIPT_FIXED, // what depends on parameters only; it is what is kept
    SCRIPT_MOVING // the rest, with what was kept
} script_part;

typedef struct {
    text statements, declarations;
    uint32_t output_count;
    char **output;
    uint32_t input_count;
    bool *uses_input; // by register: z, t, parameters
} script_body;

// label[i] is the name of input i; names of temporaries begin with `prefix`.
script_body script_body_create(const tape *t, const dialect *as, script_part part,
                               const char *const *label, const char *prefix);
void script_body_free(script_body *b);

// A pattern with its parts put in.
void script_fill(const char *pattern, const char *first, const char *second, text *out);
// A double as the C-like languages have it: 2.0, 1e-05
void script_number(double value, text *out);
// Lines of text as comments: `lead` stands before each. No line ends in a backslash.
void script_comment(const char *lead, const char *words, text *out);
// "quoted", with a backslash before `"` and itself, which is Python, Julia and Modelica
void script_string(const char *words, text *out);

#endif
