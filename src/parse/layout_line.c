// One line of a text that is laid out: the blanks between its items, and where it is broken.
#include "base/utf8.h"
#include "parse/layout_internal.h"

#include <string.h>

uint32_t layout_columns(const layout *l, const layout_item *it) {
    uint32_t columns = 0;
    for (uint32_t i = 0; i < it->length; columns++) {
        uint32_t code;
        const uint32_t size = utf8_decode(l->text->bytes + it->offset + i, it->length - i, &code);
        i += size ? size : 1;
    }
    return columns;
}

// --- blanks --------------------------------------------------------------------------------------

static bool is_one_of(int kind, const char *marks) {
    return kind > 0 && kind < TOKEN_END && strchr(marks, kind);
}

// x..y or x .. y, as the author likes, but the same on both sides
static uint32_t gap_as_written(const layout *l, uint32_t item) {
    const layout_item *it = l->items + item;
    const bool before = it->lines || it->blanks;
    const bool after = item + 1 < l->items_count && !it[1].lines && it[1].blanks;
    return before || after;
}

// q[i+1], i in 1..n-1, g(m+nu, r): the blanks around this sign are the author's, too
static bool is_free(const layout *l, uint32_t sign) {
    const layout_item *it = l->items + sign;
    if (it->in_indices) return true;
    if (sign < 2 || sign + 2 >= l->items_count) return false;
    const int before = it[-2].kind, after = it[2].kind;
    return before == TOKEN_RANGE || after == TOKEN_RANGE ||
           (is_one_of(before, "(,") && is_one_of(after, ",)"));
}
static uint32_t gap_of_join(const layout *l, uint32_t sign) {
    return is_free(l, sign) ? gap_as_written(l, sign) : 1;
}

// After a sign: one that joins has blanks on both sides, one of a number none behind it
static bool is_sign(const layout_item *it) { return is_one_of(it->kind, "+-"); }
static bool joins(const layout_item *it) { return it->marks & MARK_JOIN; }

static uint32_t gap_before_sign(const layout_item *sign, const layout_item *before) {
    const uint32_t chosen = sign->blanks > 0;
    if (before->kind == TOKEN_NAME && (before->marks & MARK_STATEMENT)) return 1;
    if (is_one_of(before->kind, "([*/^") || (is_sign(before) && !joins(before))) return 0;
    return is_one_of(before->kind, ",=:{") || is_sign(before) ? 1 : chosen;
}

static uint32_t gap_before_bracket(const layout_item *it, const layout_item *before) {
    if (it->kind == '[') return (it->marks & MARK_UNIT) != 0;
    if (it->marks & MARK_CALL) return 0;
    if (before->kind == TOKEN_NAME && (before->marks & MARK_STATEMENT)) return 1;
    if (is_one_of(before->kind, ",=:{") || joins(before)) return 1;
    return it->blanks > 0;
}

// Columns of blanks between an item and the one before it in its line
static uint32_t gap_before(const layout *l, uint32_t item) {
    const layout_item *it = l->items + item, *before = it - 1;
    if (it->kind == TOKEN_RANGE) return gap_as_written(l, item);
    if (it->in_unit && (is_one_of(it->kind, "*/^()-]") || is_one_of(before->kind, "*/^([-")))
        return 0;
    if (before->kind == TOKEN_RANGE) return gap_as_written(l, item - 1);
    if (it->kind == TOKEN_PRIMES) return before->kind == TOKEN_PRIMES;
    if (is_one_of(it->kind, ",:.*/^)]") || is_one_of(before->kind, ".*/^([")) return 0;
    if (joins(it)) return gap_of_join(l, item);
    if (joins(before)) return gap_of_join(l, item - 1);
    if (is_sign(it)) return gap_before_sign(it, before);
    if (is_sign(before)) return 0;
    if (before->kind == ',' && it->in_indices) return it->blanks > 0;
    return is_one_of(it->kind, "([") ? gap_before_bracket(it, before) : 1;
}

// A comment behind a statement stays in its column, if the author set it apart.
static uint32_t gap_of_comment(const layout_item *it, int64_t shift, uint32_t column) {
    if (it->blanks < 2) return 1;
    const int64_t kept = (int64_t)it->column + shift;
    return kept >= (int64_t)column + 2 ? (uint32_t)(kept - column) : 2;
}

// --- breaks --------------------------------------------------------------------------------------

// How much speaks against a break behind an item: the depth of brackets, and a product or an
// equation that is torn. Negative: the text does not go on there.
static int penalty(const layout *l, uint32_t item, uint32_t end, int depth) {
    const layout_item *it = l->items + item, *next = it + 1;
    if (item + 1 == end || next->kind == ITEM_COMMENT || next->is_keyword || it->in_unit) return -1;
    if (it->kind == ',' || joins(it)) return 2 * depth;
    if (is_one_of(it->kind, "=:")) return 2 * depth + 1;
    return is_one_of(it->kind, "*/") ? 2 * depth + 3 : -1;
}

// The last item of a line that begins with `first` at the column `indent`: the best place within
// the goal, or the first beyond it.
static uint32_t find_break(const layout *l, uint32_t first, uint32_t end, uint32_t indent) {
    enum { EARLY = 8 }; // against a line that is hardly begun
    uint32_t column = indent, best = end - 1;
    int depth = 0, least = -1;
    for (uint32_t i = first; i < end; i++) {
        const layout_item *it = l->items + i;
        column += layout_columns(l, it) + (i > first ? gap_before(l, i) : 0);
        depth += is_one_of(it->kind, "([") - is_one_of(it->kind, ")]");
        int cost = penalty(l, i, end, depth);
        if (cost < 0) continue;
        if (column > l->width.goal) return least >= 0 ? best : i;
        if (3 * column < l->width.goal + 2 * indent) cost += EARLY;
        if (least < 0 || cost <= least) best = i, least = cost;
    }
    return best;
}

// Does a line from the column `indent` on go beyond `most`? Looks no further than that.
static bool is_longer(const layout *l, uint32_t first, uint32_t end, uint32_t indent,
                      uint32_t most) {
    uint32_t column = indent;
    for (uint32_t i = first; i < end && column <= most && l->items[i].kind != ITEM_COMMENT; i++)
        column += layout_columns(l, l->items + i) + (i > first ? gap_before(l, i) : 0);
    return column > most;
}

static void write_items(const layout *l, uint32_t first, uint32_t end, uint32_t indent,
                        int64_t shift) {
    uint32_t column = indent;
    text_repeat(l->out, ' ', indent);
    for (uint32_t i = first; i < end; i++) {
        const layout_item *it = l->items + i;
        const uint32_t gap = i == first                 ? 0
                             : it->kind == ITEM_COMMENT ? gap_of_comment(it, shift, column)
                                                        : gap_before(l, i);
        text_repeat(l->out, ' ', gap);
        text_append_n(l->out, l->text->bytes + it->offset, it->length);
        column += gap + layout_columns(l, it);
    }
    text_char(l->out, '\n');
}

void layout_write_line(const layout *l, uint32_t first, uint32_t end, uint32_t indent,
                       uint32_t further, int64_t shift) {
    uint32_t most = l->width.most;
    while (is_longer(l, first, end, indent, most)) {
        const uint32_t last = find_break(l, first, end, indent);
        if (last + 1 >= end) break;
        write_items(l, first, last + 1, indent, shift);
        first = last + 1, indent = further;
        most = l->width.goal;
        shift = INT32_MIN; // a comment does not stay where the line was
    }
    write_items(l, first, end, indent, shift);
}
