// What the two files of an outline share: the tables of declared names (outline.c), and the walk
// that looks up what is used (outline_walk.c). First all names are declared, then all statements
// are walked, because a name may be used above its declaration.
#ifndef HAMEL_PARSE_OUTLINE_WALK_H
#define HAMEL_PARSE_OUTLINE_WALK_H

#include "parse/outline.h"

enum { OUTLINE_NONE = UINT32_MAX }; // no symbol, no file

typedef struct {
    outline *o;
    const model *m;
    names declared[SPACE_COUNT]; // numbers of symbols
    names contacts;              // .. of `touch` and `roll`
    bool with_observed;          // in `collect`
} outline_walk;

typedef struct outline_local { // innermost first
    const char *name;
    uint32_t symbol;
    const struct outline_local *outer;
} outline_local;

// The number of a text that somebody wrote, the model's own or an included one; OUTLINE_NONE of
// others
uint32_t outline_file_number(const model *m, const source *text);
token outline_first_token(const outline_walk *w, span at);
void outline_add_use(outline_walk *w, span at, uint32_t symbol, bool declares);
uint32_t outline_add_symbol(outline_walk *w, outline_symbol s);
uint32_t outline_find(const names *table, const char *name);
// In which space the label behind the word of a statement is declared, and the names of its items;
// SPACE_COUNT: in none
space outline_label_space(const statement *st);
space outline_item_space(const statement *st);

void outline_walk_statements(outline_walk *w, const statement *first, const outline_local *l);

#endif
