// The layout of a text: its items, one line of the author's after the other, each with its
// indentation.
#include "parse/layout.h"

#include "parse/layout_internal.h"
#include "parse/statement.h"

#include <assert.h>
#include <string.h>

enum { MOST_SHIFT = 60 }; // of a line that goes on: what the author chose, up to this

// --- items ---------------------------------------------------------------------------------------

// Goes over the text before an item: line ends, and the column where the item stands.
static void pass_blanks(const source *text, uint32_t *at, uint32_t to, uint32_t *column,
                        layout_item *it) {
    const uint32_t start = *column;
    for (; *at < to; ++*at) {
        const char c = text->bytes[*at];
        if (c == '\n') it->lines++, *column = 0;
        else if (c == '\t') *column += LAYOUT_TAB - *column % LAYOUT_TAB;
        else if (c == ' ') ++*column;
    }
    it->column = *column;
    it->blanks = it->lines ? 0 : *column - start;
}

static void push_item(layout *l, uint32_t *at, uint32_t *column, layout_item it) {
    const uint32_t end = it.offset + it.length;
    pass_blanks(l->text, at, it.offset, column, &it);
    list_push(l, items, it);
    *column += layout_columns(l, &it);
    *at = end;
}

// The comments between two tokens
static void push_comments(layout *l, uint32_t *at, uint32_t to, uint32_t *column) {
    const char *bytes = l->text->bytes;
    for (uint32_t i = *at; i < to;) {
        if (bytes[i] != '#') {
            i++;
            continue;
        }
        const char *end = memchr(bytes + i, '\n', l->text->length - i);
        uint32_t stop = end ? (uint32_t)(end - bytes) : (uint32_t)l->text->length;
        const uint32_t next = stop;
        while (strchr(" \t\r", bytes[stop - 1]) && bytes[stop - 1]) stop--;
        push_item(l, at, column,
                  (layout_item){.kind = ITEM_COMMENT, .offset = i, .length = stop - i});
        i = next;
    }
}

static void find_items(layout *l, context *ctx, const uint8_t *marks) {
    lexer lex;
    lexer_init(&lex, ctx, l->text);
    lex.quiet = true;
    uint32_t at = lex.position, column = 0;
    uint32_t squares = 0; // open [
    bool in_unit = false;
    for (token t = lexer_next(&lex);; t = lexer_next(&lex)) {
        push_comments(l, &at, t.at.offset, &column);
        if (t.kind == TOKEN_END) return;
        push_item(l, &at, &column,
                  (layout_item){.kind = t.kind,
                                .offset = t.at.offset,
                                .length = t.at.length,
                                .marks = marks[t.at.offset],
                                .in_unit = in_unit,
                                .in_indices = squares > 0 && !in_unit,
                                .is_keyword = t.kind == TOKEN_NAME && statement_find(t.name) >= 0});
        if (marks[t.at.offset] & MARK_UNIT) in_unit = true;
        if (t.kind == '[') squares++;
        if (t.kind == ']' && squares) squares--, in_unit = false;
    }
}

// --- lines ---------------------------------------------------------------------------------------

typedef struct {
    uint32_t depth;  // of blocks
    uint32_t indent; // of the line where the statement under way begins
    uint32_t column; // .. and where the author put that line
    bool opened;     // the line before ends in {
} place;

// Is the line one of its own, and not a part of a statement that began before?
static bool stands_alone(const layout *l, uint32_t first) {
    while (first < l->items_count && l->items[first].kind == ITEM_COMMENT) first++;
    if (first == l->items_count) return true;
    return l->items[first].kind == '}' || (l->items[first].marks & MARK_STATEMENT);
}

static uint32_t indent_of(const layout *l, const place *at, uint32_t first, bool alone) {
    if (alone) {
        const uint32_t closed = l->items[first].kind == '}';
        return LAYOUT_INDENT * (at->depth - (closed && at->depth));
    }
    const uint32_t column = l->items[first].column;
    uint32_t further = column > at->column ? column - at->column : 0;
    if (further < LAYOUT_INDENT) further = LAYOUT_INDENT;
    if (further > MOST_SHIFT) further = MOST_SHIFT;
    return at->indent + further;
}

// One blank line where the author left some, but none beside the brackets of a block
static bool leaves_blank(const layout *l, const place *at, uint32_t first) {
    return first && l->items[first].lines > 1 && !at->opened && l->items[first].kind != '}';
}

static void write_lines(layout *l) {
    place at = {0};
    for (uint32_t first = 0, end; first < l->items_count; first = end) {
        const bool alone = stands_alone(l, first);
        const uint32_t column = l->items[first].column, indent = indent_of(l, &at, first, alone);
        if (leaves_blank(l, &at, first)) text_char(l->out, '\n');
        if (alone) at.indent = indent, at.column = column;
        for (end = first; end < l->items_count && (end == first || !l->items[end].lines); end++) {
            if (l->items[end].kind == '{') at.depth++;
            if (l->items[end].kind == '}' && at.depth) at.depth--;
            if (l->items[end].kind != ITEM_COMMENT) at.opened = l->items[end].kind == '{';
        }
        if (l->items[end - 1].kind == ITEM_COMMENT) at.opened = false;
        layout_write_line(l, first, end, indent, alone ? indent + LAYOUT_INDENT : indent,
                          (int64_t)indent - column);
    }
}

hamel_status parse_layout(context *ctx, pool *p, const source *from, layout_width width,
                          text *out) {
    layout_marks marks = {from, arena_array(&ctx->arena, uint8_t, from->length + 1)};
    memset(marks.at, 0, from->length + 1);
    reader shared = {.ctx = ctx, .pool = p, .marks = &marks};
    shared.model = model_create(ctx, p);
    parse_text(&shared, from);
    names_free(&shared.suspects);
    names_free(&shared.contacts);
    names_free(&shared.constants);
    model_free(shared.model);
    if (context_status(ctx) != HAMEL_OK) return context_status(ctx);
    layout l = {.text = from, .width = width, .out = out};
    find_items(&l, ctx, marks.at);
    write_lines(&l);
    memory_free(l.items);
    return context_status(ctx);
}
