// The syntax tree: what was written, with its place in the text; no name is resolved yet.
//
// Nodes live in the arena of the context. A long sum or product is one node with a list of
// operands, so the depth of a tree is bounded by the nesting of brackets, which the parser limits.
#ifndef HAMEL_PARSE_SYNTAX_H
#define HAMEL_PARSE_SYNTAX_H

#include "expr/expr.h"
#include "model/dimension.h"

// --- units ---------------------------------------------------------------------------------------

typedef struct { // what stands in brackets: `[m/s^2]`, `[deg]`
    dimension dimension;
    expr factor;      // its size in SI units: this number, exactly,
    int pi;           // times pi to this power
    const char *text; // as written, without blanks
    span at;          // with the brackets
} unit;

static inline bool unit_is_coherent(const unit *u) { return u->factor == EXPR_ONE && !u->pi; }

// --- expressions ---------------------------------------------------------------------------------

typedef enum {
    SYNTAX_NUMBER,       // number [unit]
    SYNTAX_NAME,         // name [indices] primes
    SYNTAX_TEXT,         // "name", the only operand of a call
    SYNTAX_CALL,         // name [indices] (operands)
    SYNTAX_SUM,          // operands, each joined by '+' or '-'
    SYNTAX_PRODUCT,      // operands, each joined by '*' or '/'
    SYNTAX_NEGATE,       // - operand
    SYNTAX_POWER,        // base ^ exponent
    SYNTAX_TUPLE,        // (operands)
    SYNTAX_COMPONENT,    // operand . name
    SYNTAX_SUM_OVER,     // sum(name in from..to, body)
    SYNTAX_PRODUCT_OVER, // prod(name in from..to, body)
    SYNTAX_RANGE,        // from .. to, as an index of a declaration
    SYNTAX_DATA,         // from "file" column name [linear]: a function of time
} syntax_kind;

// Behind `from`: the text of the file, and which of its columns
typedef struct {
    const source *text;
    const struct syntax *column; // a NAME with indices, or a TEXT
    bool linear;
} data_clause;

typedef struct syntax {
    uint8_t kind;
    char join;       // how this operand joins the ones before it
    uint16_t primes; // of NAME
    uint32_t count;  // of operands
    span at;
    struct syntax *first; // operands, chained by next
    struct syntax *next;
    struct syntax *indices; // chained by next; NULL if none
    union {
        const char *name;
        expr number; // as it stands before its unit
        const data_clause *data;
    };
    const unit *unit; // of NUMBER; of a NAME that is declared; NULL if none
    uint32_t join_at; // offset of the operator in front
} syntax;

// --- statements ----------------------------------------------------------------------------------

typedef enum {
#define STATEMENT(ID, id) STATEMENT_##ID,
#include "parse/statements.def"
#undef STATEMENT
    STATEMENT_KINDS
} statement_kind;

// One entry of a statement: a declaration, an assignment, a clause, an operand.
typedef struct item {
    struct item *next;
    span at;
    const char *word;            // which clause or option: "mass", "tol", "disk"
    const syntax *target;        // what is declared or assigned to; a NAME
    const syntax *parameters;    // names of a function's arguments, chained by next
    const syntax *value, *right; // right: of an equation, or the end of a range
    const char *text;            // a title, an identifier
    const unit *unit;            // of what is declared, where one is stated; NULL if none
} item;

typedef struct statement {
    statement_kind kind;
    span at;                // the keyword
    span whole;             // from the keyword to the last token
    bool flag;              // force on; event .. stop
    int direction;          // event .. up: 1, down: -1
    const syntax *name;     // label of a point, constraint, claim ...; index of `for`; NULL if none
    const char *suffix;     // of the name of a constraint that a contact made: "n"; NULL: none
    const char *identifier; // claim .. under identifier; the label of a touch, roll, orientation
    span identifier_at;     // .. in the text; of a touch, roll or orientation, its label
    bool made;              // it stands for a part of another one, and nobody typed it
    item *items, *last_item;
    uint32_t item_count;
    struct statement *body; // of `for`, of an included file
    uint32_t body_count;
    struct statement *next;
} statement;

int statement_find(const char *word); // -1 if no statement starts with it

#endif
