// What the files of the layout share: a text as a list of items, tokens and comments, each with
// what stood before it. layout.c makes the list and goes through it line by line; layout_line.c
// writes a line, with the blanks between its items, and breaks it where it is long.
#ifndef HAMEL_PARSE_LAYOUT_INTERNAL_H
#define HAMEL_PARSE_LAYOUT_INTERNAL_H

#include "base/list.h"
#include "parse/layout.h"
#include "parse/parser.h"

enum { ITEM_COMMENT = TOKEN_BAD + 1 }; // behind the kinds of tokens
enum { LAYOUT_INDENT = 2, LAYOUT_TAB = 8 };

typedef struct {
    int kind;
    uint32_t offset, length; // in the text
    uint32_t lines;          // line ends before it
    uint32_t blanks;         // columns of blanks before it, if it does not begin a line
    uint32_t column;         // where it stood, counted from 0
    uint8_t marks;
    bool in_unit;    // between the brackets of a unit, or its ]
    bool in_indices; // between other square brackets
    bool is_keyword; // a name with which statements begin
} layout_item;

typedef struct {
    const source *text;
    layout_width width;
    LIST(layout_item, items);
    text *out;
} layout;

// The columns that a stretch of text fills
uint32_t layout_columns(const layout *l, const layout_item *it);
// Writes the items from `first` to before `end`, one line of the author's, with so many blanks
// before it, and before the lines that it is broken into; `shift`: how far the line has moved.
void layout_write_line(const layout *l, uint32_t first, uint32_t end, uint32_t indent,
                       uint32_t further, int64_t shift);

#endif
