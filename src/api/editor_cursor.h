// Where in a statement a place of a text is: the statement, the brackets around, what stands
// before. Completion asks for it; it looks at tokens, so that the statement may be half written.
#ifndef HAMEL_API_EDITOR_CURSOR_H
#define HAMEL_API_EDITOR_CURSOR_H

#include "parse/statement.h"

typedef enum {
    CURSOR_STATEMENT, // a statement may begin here
    CURSOR_VALUE,     // a name or value is expected
    CURSOR_BEHIND,    // behind a value: an operator or a word of the statement
    CURSOR_NEW_NAME,  // a name that is declared here
    CURSOR_BODY,      // the name of a point or body
    CURSOR_CONSTRAINT,
    CURSOR_COORDINATE,
    CURSOR_COMPONENT, // behind a dot
    CURSOR_FORM,
    CURSOR_METHOD,
    CURSOR_NOTHING, // in a comment, a string, a unit
} cursor_place;

typedef struct {
    cursor_place place;
    int statement; // -1: none
    uint32_t from; // where the word begins that is written already
} editor_cursor;

editor_cursor editor_cursor_at(context *ctx, const source *file, size_t offset);

#endif
