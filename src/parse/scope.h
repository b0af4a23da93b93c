// The names of a model: what each one stands for, and what its definition says. Declarations enter
// names first, so that statements may stand in any order; definitions are worked out when a name is
// first asked for, which also finds circles.
#ifndef HAMEL_PARSE_SCOPE_H
#define HAMEL_PARSE_SCOPE_H

#include "base/names.h"
#include "parse/syntax.h"
#include "parse/value.h"

typedef struct binding { // indices of loops and arguments of functions, innermost first
    const char *name;
    value value;
    const struct binding *outer;
} binding;

typedef struct instance { // a statement in one pass of the loops around it
    const statement *statement;
    const binding *bindings;
} instance;

typedef enum {
    ENTRY_NONE,
    ENTRY_CONST,
    ENTRY_PARAM,
    ENTRY_COORD,
    ENTRY_GIVEN,
    ENTRY_INPUT,
    ENTRY_LET,      // also a function with a definition
    ENTRY_FUNCTION, // abstract
    ENTRY_QUASI,
    ENTRY_POINT,
    ENTRY_BODY,
    ENTRY_LABEL,  // of a constraint, claim, event ...
    ENTRY_FAMILY, // q, where q[1] .. q[N] are declared
} entry_kind;

enum { MOST_INDICES = 8, NAME_SIZE = 512 };

typedef enum { ENTRY_FRESH, ENTRY_BUSY, ENTRY_DONE } entry_state;

typedef struct entry {
    entry_kind kind;
    entry_state state;
    const char *name; // "q[3]"
    span at;
    const syntax *definition; // NULL if none
    const syntax *parameters; // of a function
    uint32_t arity;
    const binding *bindings;    // the loops around the definition
    const statement *statement; // that declares it; NULL for labels and families
    bool called;                // a function that was used
    expr symbol;                // PARAM, COORD, GIVEN, INPUT, QUASI
    // its place in the list of the model; of an abstract function, in the pool
    uint32_t index;
    value value;                // CONST, LET, QUASI: once DONE
    expr variation, transposed; // delta(x), transpose(x); EXPR_NONE until asked for
    uint32_t dimensions;        // FAMILY
    int64_t *low, *high;
    const unit *unit;        // where one is stated
    struct measure *measure; // its dimension, where units are checked (dimension_walk.c)
    struct entry *user;      // BUSY: the entry whose definition asked for this one
} entry;

// Names of different things are kept apart: a claim may have the name of a coordinate.
typedef enum {
    SPACE_VALUES,
    SPACE_BODIES,
    SPACE_CONSTRAINTS,
    SPACE_CLAIMS,
    SPACE_INVARIANTS,
    SPACE_OBSERVABLES,
    SPACE_EVENTS,
    SPACE_COLLECTS,
    SPACE_COUNT
} space;

typedef struct scope {
    names tables[SPACE_COUNT];
    names builtins; // functions and constants of the language
    entry **entries;
    uint32_t count, capacity;
} scope;

scope *scope_create(arena *a);
void scope_free(scope *sc);
entry *scope_find(const scope *sc, space where, const char *name);
// The vectors tangent, across and normal (0, 1, 2) of a body that rolls, by the name of one of its
// constraints, "c[2].x": c_tangent[2] ..; NULL if that is no constraint of `roll`.
entry *scope_find_direction(const scope *sc, const char *constraint, int which);
// A new entry; NULL if the name is taken, which is reported with both places.
entry *scope_declare(scope *sc, context *ctx, space where, entry_kind kind, const char *name,
                     span at);
// The same for a member q[2,3] of a family; the family is made, or its ranges widened.
entry *scope_declare_member(scope *sc, context *ctx, space where, entry_kind kind, const char *base,
                            uint32_t count, const int64_t *index, span at);
// "q[2,3]"; "q" without indices
void scope_format(char name[NAME_SIZE], const char *base, uint32_t count, const int64_t *index);
// "did you mean `x`?" for a name that is not known; NULL if nothing is near.
const char *scope_suggest(const scope *sc, context *ctx, space where, const char *name);
const char *scope_noun(entry_kind kind); // "a coordinate"

typedef struct { // a function that is a node of expressions
    const char *name;
    expr_kind kind;
    uint32_t arity;
} elementary;

typedef struct { // a function or constant of the language (words.def)
    const char *name, *written, *about;
} scope_word;

const scope_word *scope_word_at(uint32_t index); // NULL behind the last
const scope_word *scope_find_word(const char *name);
const elementary *scope_find_elementary(const char *name); // `sin`, `atan2`; NULL: there is none
bool scope_is_function(const char *name); // a function of the language: `sin`, `omega`, `sum`

// What stands behind a word ("mass", "at") in the statement of a point or body; NULL: nothing.
const syntax *entry_clause(const entry *e, const char *word);
// The innermost binding of a name; NULL if there is none.
const binding *binding_find(const binding *b, const char *name);

#endif
