// How equations are shown: what is solved for, what is simplified, what is named. All formats print
// this one object.
#ifndef HAMEL_PRINT_PRESENTATION_H
#define HAMEL_PRINT_PRESENTATION_H

#include "equations/equations.h"

typedef enum { LINE_MOTION, LINE_VELOCITY, LINE_CONSTRAINT } line_kind;

typedef struct {
    line_kind kind;
    expr left, right; // left = right; a solved line has its unknown on the left
    bool solved;
} line;

typedef struct {
    const equations *eq;
    LIST(line, lines);
    LIST(definition, definitions); // those of the equations, simplified
    struct normal_memory *memory;  // of simplifications, while the presentation is made
    bool named;                    // common subexpressions have names
    // because the caller wanted it so; otherwise because it was too long
    bool asked;
    bool solved; // solved for the accelerations
    // the named nodes, in an order in which each uses only earlier ones
    expr *name_of;
    char **names;
    uint32_t name_count;
    struct printer *printer; // knows the names
} presentation;

presentation presentation_create(const equations *eq, bool raw);
void presentation_free(presentation *p);

// Which of the names these expressions use, by themselves or through other names: uses[i] becomes
// true for name i, and others stay as they are. How many they use.
uint32_t presentation_mark_names(const presentation *p, uint32_t count, const expr *e, bool *uses);

#endif
