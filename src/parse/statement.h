// A statement of the language: one descriptor (in a statement_*.c) and one line in statements.def.
//
// The descriptor says with which word the statement begins, how it is read into a syntax tree,
// which names it declares and what these mean, and what else it adds to the model. The keywords of
// highlighting, the errors that suggest one and the table of docs/language.md come from the list.
#ifndef HAMEL_PARSE_STATEMENT_H
#define HAMEL_PARSE_STATEMENT_H

#include "parse/dimension_check.h"
#include "parse/elaborate.h"

// All declarations come first. Then statements are read in the order of the text: the constraints
// before all others, because claims and initial values name their multipliers; last those of
// sweeps, which name events.
typedef enum { PHASE_USUAL, PHASE_CONSTRAINTS, PHASE_LAST } statement_phase;

typedef struct statement_rule {
    const char *word;   // "coord"
    const char *syntax; // how it is written, one line: E a scalar, V a vector, R a rotation
    const char *about;  // what it says, one line
    void (*parse)(parser *ps, statement *st); // what stands behind the word
    // The names it declares: its label if it has one (`point`, `body`), else those of its items.
    entry_kind declares; // ENTRY_NONE: no names
    bool comes_first;    // declared before loops are unrolled, because their ranges need it
    // Is there room for so many more names? Reports if not; NULL: always.
    bool (*admit)(elaborator *el, uint64_t more, span at);
    // A new name, into the model; NULL: the model does not list it.
    void (*enter)(elaborator *el, entry *e);
    // What the name means, when that is first asked for; NULL: it stands for itself.
    value (*define)(elaborator *el, const entry *e);
    // What else the statement adds to the model, in one pass of the loops around it; NULL: nothing.
    void (*read)(elaborator *el, const instance *in);
    statement_phase phase; // of read
    // What must agree in it, in a model with units; NULL: nothing
    void (*fit)(struct dim_check *ck, const instance *in, const struct dim_binding *b);
    bool is_replaced; // by the statements of its body, as `include` is
} statement_rule;

extern const statement_rule *const statement_rules[STATEMENT_KINDS];

#endif
