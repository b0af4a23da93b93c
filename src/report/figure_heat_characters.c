// Cells of a net in a terminal: as colours, two to a character, or as signs that grow darker.
#include "report/figure_heat.h"

#include "base/decimal.h"

#include <math.h>
#include <string.h>

static const char shades[] = ".:-=+*#%@", letters[] = "abcdefghijklmnopqrstuvwxyz";
enum { SHADES = sizeof shades - 1, LETTERS = sizeof letters - 1 };

// Of a terminal's 256 colours the nearest in the cube of 6 x 6 x 6; -1 for no value
static int colour_of(const figure_heat *h, double value) {
    unsigned char rgb[3];
    if (!isfinite(value)) return -1;
    if (h->category_count) figure_heat_category_colour((uint32_t)value, rgb);
    else figure_heat_colour(figure_heat_part(h, value), rgb);
    int index = 16;
    for (int k = 0, each = 36; k < 3; k++, each /= 6)
        index += each * (rgb[k] < 48 ? 0 : rgb[k] < 115 ? 1 : (rgb[k] - 35) / 40);
    return index;
}

static char sign_of(const figure_heat *h, double value) {
    if (!isfinite(value)) return ' ';
    if (h->category_count) return letters[(uint32_t)value % LETTERS];
    return shades[(int)fmin(SHADES - 1, floor(figure_heat_part(h, value) * SHADES))];
}

static void set_colour(text *out, int layer, int colour) {
    if (colour < 0) text_format(out, "\033[%dm", layer + 1); // 39, 49: as it was
    else text_format(out, "\033[%d;5;%dm", layer, colour);
}

void figure_heat_line(const panel *p, const character_page *page, uint32_t line, uint32_t width,
                      uint32_t height, text *out) {
    const figure_heat *h = p->heat;
    const bool halves = page->colour && page->unicode;
    for (uint32_t i = 0; i < width; i++) {
        const double x = axis_value(&p->x, (i + 0.5) / width);
        double value[2];
        for (int k = 0; k < 2; k++) {
            const double down = (line + (halves ? 0.25 + 0.5 * k : 0.5)) / height;
            value[k] = figure_heat_at(h, x, axis_value(&p->y, 1 - down));
        }
        if (!page->colour) {
            text_char(out, sign_of(h, value[0]));
            continue;
        }
        const int upper = colour_of(h, value[0]), lower = colour_of(h, value[1]);
        if (halves && upper != lower && upper >= 0) {
            set_colour(out, 38, upper), set_colour(out, 48, lower), text_append(out, "▀");
        } else if (halves && upper != lower) {
            set_colour(out, 38, lower), set_colour(out, 48, -1), text_append(out, "▄");
        } else {
            set_colour(out, 48, upper), text_char(out, ' ');
        }
    }
    if (page->colour) text_append(out, "\033[0m");
}

static void add_name(const axis *a, text *out) {
    text_append(out, a->words ? a->words : a->name_count ? a->name[0] : "");
    if (axis_unit(a)) text_format(out, " [%s]", axis_unit(a));
}

// "top [deg] over l [m] against g"
void figure_heat_heading(const panel *p, text *out) {
    add_name(&p->heat->scale, out);
    text_append(out, " over "), add_name(&p->y, out);
    text_append(out, " against "), add_name(&p->x, out);
    text_char(out, '\n');
}

static void add_sample(const figure_heat *h, const character_page *page, double value, text *out) {
    if (!page->colour) {
        text_char(out, sign_of(h, value));
        return;
    }
    set_colour(out, 48, colour_of(h, value));
    text_append(out, "  \033[0m");
}

// ". 0.1 .. @ 2.5", "a end  b fell"
void figure_heat_key(const figure_heat *h, const character_page *page, text *out) {
    for (uint32_t i = 0; i < h->category_count; i++) {
        if (i) text_append(out, "  ");
        add_sample(h, page, i, out);
        text_format(out, " %s", h->category[i]);
    }
    if (!h->category_count) {
        const double low = h->scale.low, high = h->scale.high;
        text_format(out, "%.4g ", low);
        for (int i = 0; i < SHADES; i++)
            add_sample(h, page, low + (high - low) * (i + 0.5) / SHADES, out);
        text_format(out, " %.4g", high);
    }
    text_char(out, '\n');
}
