// Where names are declared and used, for editors: a walk through the syntax of a text and of all
// that it includes. Names are looked up as elaboration does (resolve.c), but by their first part,
// q of q[i]', and without unrolling loops, so that what stands in an empty loop or in a text with
// errors is found, too. parse_for_editor() makes one beside the model.
#ifndef HAMEL_PARSE_OUTLINE_H
#define HAMEL_PARSE_OUTLINE_H

#include "base/list.h"
#include "parse/elaborate.h"

typedef struct { // a name that is declared, or what has none: a constraint without a label
    const char *name;
    entry_kind kind; // LABEL: of a constraint, claim ..; NONE: the index of a loop, an argument
    space where;
    span at, whole; // the name; its statement, or what a local name holds in
    const statement *statement;
    const item *item; // that declares it; NULL: the statement does, or a loop
    bool is_local;
    bool has_name;   // is `at` a name, or the word of a statement without one?
    bool is_contact; // of `touch` or `roll`: names such as c_point begin with it
} outline_symbol;

typedef struct { // one place where the name of a symbol stands, without indices and primes
    span at;
    uint32_t symbol;
    bool declares;
} outline_use;

typedef struct { // the string behind `include`, and the file it leads to
    span at;
    const char *path;
} outline_include;

typedef struct outline {
    LIST(outline_symbol, symbols);
    LIST(outline_use, uses); // in the order of files, and of the text in each
    LIST(span, broken);      // statements that could not be read
    LIST(outline_include, includes);
    // The text of a file as an editor has it; NULL: it is read from the disk
    const char *(*read)(const char *path, size_t *size, void *data);
    void *data;
} outline;

// Reads a model as parse_model() does, and fills the outline. There is a model even where the text
// has errors, for those who ask about its names; it is good for nothing else then.
hamel_status parse_for_editor(context *ctx, pool *p, const source *text, uint32_t overrides,
                              const parse_override *override, outline *o, model **out);

void outline_add_broken(outline *o, span at);
// All names of the statements, once the model is read; the lists are in the arena from here on.
void outline_fill(outline *o, const model *m, const statement *first);

#endif
