// Pieces of SVG: numbers, rectangles, labels.
#include "report/figure_pieces.h"

#include "base/html.h"

#include <math.h>

static const double SMALL = 0.7; // an index, in sizes of what it belongs to

// To a hundredth of a pixel, as short as possible.
void figure_number(text *out, double value) {
    const double hundredths = round(value * 100);
    text digits = {0};
    text_format(&digits, "%.2f", hundredths == 0 ? 0 : hundredths / 100);
    size_t length = digits.length;
    while (digits.bytes[length - 1] == '0') length--;
    if (digits.bytes[length - 1] == '.') length--;
    text_append_n(out, digits.bytes, length);
    text_free(&digits);
}

void figure_attribute(text *out, const char *name, double value) {
    text_format(out, " %s=\"", name);
    figure_number(out, value);
    text_char(out, '"');
}

void figure_rectangle(text *out, const rectangle *r, const char *more) {
    text_append(out, "<rect");
    figure_attribute(out, "x", r->left), figure_attribute(out, "y", r->top),
        figure_attribute(out, "width", r->width), figure_attribute(out, "height", r->height);
    text_format(out, "%s/>\n", more);
}

void figure_move_to(text *out, double x, double y) {
    text_char(out, 'M');
    figure_number(out, x), text_char(out, ' '), figure_number(out, y);
}

// A mark over the letter before it: back to its middle and up, in the widths that letters have in
// most fonts, and forward again.
static double add_mark(text *out, const label_run *r, double size) {
    static const double BACK = 0.42, UP = 0.24;
    text_append(out, "<tspan");
    figure_attribute(out, "dx", -BACK * size), figure_attribute(out, "dy", -UP * size);
    text_char(out, '>');
    html_text(text_string(&r->words), out);
    text_append(out, "</tspan>");
    return -UP * size;
}

// Indices are set smaller, lower or higher; what follows them comes back to the line.
void figure_label(text *out, const label *l, double x, double y, double size, const char *more) {
    text_append(out, "<text");
    figure_attribute(out, "x", x), figure_attribute(out, "y", y),
        figure_attribute(out, "font-size", size);
    text_format(out, "%s>", more);
    static const double FORWARD = 0.1; // from a mark to the end of its letter
    double shift = 0;
    for (int i = 0; i < l->count; i++) {
        const label_run *r = &l->run[i];
        if (r->is_mark) {
            shift = add_mark(out, r, size);
            continue;
        }
        if (!r->words.length) continue;
        const double wanted = r->level == LEVEL_BELOW   ? 0.25 * size
                              : r->level == LEVEL_ABOVE ? -0.35 * size
                                                        : 0;
        const bool plain = !r->italic && wanted == shift && r->level == LEVEL_BASE;
        if (!plain) {
            text_append(out, "<tspan");
            if (i && l->run[i - 1].is_mark) figure_attribute(out, "dx", FORWARD * size);
            if (wanted != shift) figure_attribute(out, "dy", wanted - shift);
            if (r->level != LEVEL_BASE) figure_attribute(out, "font-size", SMALL * size);
            text_append(out, r->italic ? " font-style=\"italic\">" : ">");
        }
        html_text(text_string(&r->words), out);
        if (!plain) text_append(out, "</tspan>");
        shift = wanted;
    }
    text_append(out, "</text>\n");
}

void figure_tick_label(const ticks *t, int i, label *out) {
    text words = {0};
    if (t->log) {
        text_format(&words, "%lld", (long long)t->number[i]);
        label_add_words(out, "10");
        label_add_number(out, text_string(&words), LEVEL_ABOVE);
    } else {
        ticks_label(t, i, &words);
        label_add_number(out, text_string(&words), LEVEL_BASE);
    }
    text_free(&words);
}
