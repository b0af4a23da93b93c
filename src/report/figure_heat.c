// Cells of a net in colours, with a key, as SVG.
#include "report/figure_heat.h"

#include "report/figure_pieces.h"

#include <math.h>

enum { LEVELS = 64, TICK_EVERY = 44, MOST_COLUMNS = 5 };
static const double KEY_GAP = 12, BAR = 14, LABEL_GAP = 5, KEY_NAME = 22, KEY_EDGE = 7, SQUARE = 11;
static const char NOTHING[] = "#d9d9d9", NO_VALUE[] = "none";

// --- colours -------------------------------------------------------------------------------------

// Along the colours of viridis (Smith and van der Walt, 2015), which grow lighter evenly and are
// told apart by the colour-blind too
void figure_heat_colour(double part, unsigned char rgb[3]) {
    static const unsigned char at[][3] = {
        {0x44, 0x01, 0x54}, {0x48, 0x28, 0x78}, {0x3e, 0x49, 0x89}, {0x31, 0x68, 0x8e},
        {0x26, 0x82, 0x8e}, {0x1f, 0x9e, 0x89}, {0x35, 0xb7, 0x79}, {0x6e, 0xce, 0x58},
        {0xb5, 0xde, 0x2b}, {0xfd, 0xe7, 0x25}};
    enum { LAST = sizeof at / sizeof *at - 1 };
    const double place = fmin(1, fmax(0, part)) * LAST;
    const int i = place < LAST ? (int)place : LAST - 1;
    for (int k = 0; k < 3; k++)
        rgb[k] = (unsigned char)lround(at[i][k] + (place - i) * (at[i + 1][k] - at[i][k]));
}

void figure_heat_category_colour(uint32_t category, unsigned char rgb[3]) {
    static const unsigned char at[][3] = {
        {0x56, 0xb4, 0xe9}, {0xe6, 0x9f, 0x00}, {0x00, 0x9e, 0x73}, {0xcc, 0x79, 0xa7},
        {0x00, 0x72, 0xb2}, {0xd5, 0x5e, 0x00}, {0xf0, 0xe4, 0x42}, {0x00, 0x00, 0x00}};
    // the next eight are lighter, those after them darker
    enum { COLOURS = sizeof at / sizeof *at, ROUNDS = 3 };
    static const double part[ROUNDS] = {1, 0.5, 0.6}, white[ROUNDS] = {0, 127, 0};
    const uint32_t round = category / COLOURS % ROUNDS;
    for (int k = 0; k < 3; k++)
        rgb[k] = (unsigned char)lround(at[category % COLOURS][k] * part[round] + white[round]);
}

double figure_heat_part(const figure_heat *h, double value) {
    return fmin(1, fmax(0, axis_place(&h->scale, value)));
}

// The cell of n between edges that holds a value; -1: none
static int64_t find_cell(const double *edge, uint32_t n, double value) {
    if (!(value >= edge[0] && value <= edge[n])) return -1;
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (edge[middle] <= value) low = middle;
        else high = middle;
    }
    return low;
}

double figure_heat_at(const figure_heat *h, double x, double y) {
    const int64_t i = find_cell(h->x_edge, h->columns, x), j = find_cell(h->y_edge, h->rows, y);
    return i < 0 || j < 0 ? NAN : h->value[j * h->columns + i];
}

// What is drawn in one colour: a level of the scale, a category; -1 of a gap
static int level_of(const figure_heat *h, double value) {
    if (!isfinite(value)) return -1;
    if (h->category_count) return (int)value;
    return (int)fmin(LEVELS - 1, floor(figure_heat_part(h, value) * LEVELS));
}

static int level_count(const figure_heat *h) {
    return h->category_count ? (int)h->category_count : LEVELS;
}

static void begin_colour(const figure_heat *h, int level, text *out) {
    unsigned char rgb[3];
    if (level < 0) {
        text_format(out, " fill=\"%s\"", NOTHING);
        return;
    }
    if (h->category_count) figure_heat_category_colour((uint32_t)level, rgb);
    else figure_heat_colour((level + 0.5) / LEVELS, rgb);
    text_format(out, " fill=\"#%02x%02x%02x\"", rgb[0], rgb[1], rgb[2]);
}

// --- cells ---------------------------------------------------------------------------------------

// Cells of one colour are one path; what lies side by side in a row is one rectangle.
static void add_level(const figure_heat *h, const panel *p, const rectangle *frame, int level,
                      text *out) {
    bool begun = false;
    for (uint32_t j = 0; j < h->rows; j++)
        for (uint32_t i = 0; i < h->columns;) {
            uint32_t end = i;
            while (end < h->columns && level_of(h, h->value[j * h->columns + end]) == level) end++;
            if (end == i) {
                i++;
                continue;
            }
            const spot a = spot_of(p, frame, h->x_edge[i], h->y_edge[j + 1]),
                       b = spot_of(p, frame, h->x_edge[end], h->y_edge[j]);
            if (!begun) text_append(out, "<path"), begin_colour(h, level, out);
            if (!begun) text_append(out, " d=\"");
            begun = true;
            figure_move_to(out, a.x, a.y);
            text_char(out, 'H'), figure_number(out, b.x);
            text_char(out, 'V'), figure_number(out, b.y);
            text_char(out, 'H'), figure_number(out, a.x);
            text_char(out, 'z');
            i = end;
        }
    if (begun) text_append(out, "\"/>\n");
}

void figure_heat_svg(const panel *p, const rectangle *frame, text *out) {
    const figure_heat *h = p->heat;
    text_append(out, "<g class=\"heat\" shape-rendering=\"crispEdges\">\n");
    for (int level = -1; level < level_count(h); level++) add_level(h, p, frame, level, out);
    text_append(out, "</g>\n");
}

// --- the key -------------------------------------------------------------------------------------

static bool has_gaps(const figure_heat *h) {
    for (uint64_t i = 0; i < (uint64_t)h->columns * h->rows; i++)
        if (!isfinite(h->value[i])) return true;
    return false;
}

static double words_width(const char *words) {
    label l = {0};
    label_add_words(&l, words);
    const double width = label_width(&l, TICK_SIZE);
    label_clear(&l);
    return width;
}

static double bar_height(const figure_heat *h, double frame_height) {
    return has_gaps(h) ? fmax(SQUARE, frame_height - 2 * LEGEND_LINE) : frame_height;
}

static ticks bar_ticks(const figure_heat *h, double frame_height) {
    return axis_ticks(&h->scale, (int)floor(bar_height(h, frame_height) / TICK_EVERY));
}

static double widest_label(const ticks *t) {
    double widest = 0;
    for (int i = 0; i < t->count; i++) {
        label l = {0};
        figure_tick_label(t, i, &l);
        widest = fmax(widest, label_width(&l, TICK_SIZE));
        label_clear(&l);
    }
    return widest;
}

// Entries of categories stand below their heading, and in further columns where they do not fit.
typedef struct {
    uint32_t entries, lines, columns;
    double width; // of a column
} key_columns;

static key_columns columns_of(const figure_heat *h, double frame_height) {
    key_columns c = {.entries = h->category_count + has_gaps(h)};
    double words = fmax(words_width(NO_VALUE), words_width(h->scale.words) - SQUARE);
    for (uint32_t i = 0; i < h->category_count; i++)
        words = fmax(words, words_width(h->category[i]));
    c.lines = (uint32_t)fmax(1, floor(frame_height / LEGEND_LINE) - 1);
    c.columns = (c.entries + c.lines - 1) / c.lines;
    if (c.columns > MOST_COLUMNS) c.columns = MOST_COLUMNS, c.entries = c.lines * MOST_COLUMNS;
    c.width = SQUARE + LABEL_GAP + words + KEY_EDGE;
    return c;
}

double figure_heat_width(const figure_heat *h, double frame_height) {
    if (h->category_count) {
        const key_columns c = columns_of(h, frame_height);
        return KEY_GAP + c.columns * c.width;
    }
    const double words = has_gaps(h) ? words_width(NO_VALUE) : 0;
    const ticks t = bar_ticks(h, frame_height);
    return KEY_GAP + BAR + LABEL_GAP + fmax(widest_label(&t) + KEY_NAME, words) + KEY_EDGE;
}

static void add_entry(const figure_heat *h, int level, const char *words, double left,
                      double middle, text *out) {
    label l = {0};
    text more = {0};
    begin_colour(h, level, &more);
    figure_rectangle(out, &(rectangle){left, middle - SQUARE / 2, SQUARE, SQUARE},
                     text_string(&more));
    label_add_words(&l, words);
    figure_label(out, &l, left + SQUARE + LABEL_GAP, middle + 0.35 * TICK_SIZE, TICK_SIZE, "");
    label_clear(&l), text_free(&more);
}

static void add_bar_labels(const figure_heat *h, const rectangle *bar, const ticks *t, text *out) {
    const double right = bar->left + bar->width;
    text_append(out, "<path stroke=\"#000\" stroke-width=\"0.8\" fill=\"none\" d=\"");
    for (int i = 0; i < t->count; i++) {
        figure_move_to(out, right,
                       bar->top + bar->height * (1 - axis_place(&h->scale, t->value[i])));
        text_append(out, "h-4");
    }
    text_append(out, "\"/>\n");
    for (int i = 0; i < t->count; i++) {
        label l = {0};
        figure_tick_label(t, i, &l);
        figure_label(out, &l, right + LABEL_GAP,
                     bar->top + bar->height * (1 - axis_place(&h->scale, t->value[i])) +
                         0.35 * TICK_SIZE,
                     TICK_SIZE, "");
        label_clear(&l);
    }
}

static void add_bar_name(const figure_heat *h, const rectangle *bar, const ticks *t, text *out) {
    const double x = bar->left + bar->width + LABEL_GAP + widest_label(t) + KEY_NAME - 6,
                 middle = bar->top + bar->height / 2;
    label l = {0};
    text turn = {0};
    label_add_axis(&l, &h->scale);
    text_append(&turn, " text-anchor=\"middle\" transform=\"rotate(-90 ");
    figure_number(&turn, x), text_char(&turn, ' '), figure_number(&turn, middle);
    text_append(&turn, ")\"");
    figure_label(out, &l, x, middle, NAME_SIZE, text_string(&turn));
    text_free(&turn), label_clear(&l);
    if (label_add_ticks_note(&l, t)) figure_label(out, &l, bar->left, bar->top - 5, TICK_SIZE, "");
    label_clear(&l);
}

static void add_categories(const figure_heat *h, const rectangle *frame, text *out) {
    const key_columns c = columns_of(h, frame->height);
    const double left = frame->left + frame->width + KEY_GAP;
    label l = {0};
    label_add_words(&l, h->scale.words);
    figure_label(out, &l, left, frame->top + 0.8 * TICK_SIZE, TICK_SIZE, "");
    label_clear(&l);
    for (uint32_t i = 0; i < c.entries; i++) {
        const bool gap = i == h->category_count,
                   more = i + 1 == c.entries && i + 1 < h->category_count;
        add_entry(h, gap ? -1 : (int)i,
                  gap    ? NO_VALUE
                  : more ? ".."
                         : h->category[i],
                  left + i / c.lines * c.width, frame->top + LEGEND_LINE * (i % c.lines + 1.5),
                  out);
    }
}

void figure_heat_key_svg(const figure_heat *h, const rectangle *frame, text *out) {
    if (h->category_count) {
        add_categories(h, frame, out);
        return;
    }
    const double left = frame->left + frame->width + KEY_GAP;
    if (has_gaps(h)) add_entry(h, -1, NO_VALUE, left, frame->top + frame->height - SQUARE / 2, out);
    const rectangle bar = {left, frame->top, BAR, bar_height(h, frame->height)};
    const double step = bar.height / LEVELS;
    text_append(out, "<g shape-rendering=\"crispEdges\">\n");
    for (int i = 0; i < LEVELS; i++) {
        text more = {0};
        begin_colour(h, i, &more);
        figure_rectangle(out, &(rectangle){left, bar.top + bar.height - (i + 1) * step, BAR, step},
                         text_string(&more));
        text_free(&more);
    }
    text_append(out, "</g>\n");
    figure_rectangle(out, &bar, " stroke=\"#000\" stroke-width=\"0.8\" fill=\"none\"");
    const ticks t = bar_ticks(h, frame->height);
    add_bar_labels(h, &bar, &t, out);
    add_bar_name(h, &bar, &t, out);
}
