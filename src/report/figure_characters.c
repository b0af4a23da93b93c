// A figure in characters: dots of braille patterns, or a sign for each curve.
#include "report/figure_characters.h"

#include "report/figure_heat.h"

#include "report/stroke.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { NOBODY = -1, LEAST_WIDTH = 10 };
static const char signs[] = "*+ox#@%&";
static const int colours[] = {34, 31, 32, 35, 33, 36}; // SGR
// At the points of a curve, as in an SVG.
static const char *const shapes[] = {"\xE2\x97\x8F", "\xE2\x96\xA0", "\xE2\x96\xB2", "\xE2\x97\x86",
                                     "\xE2\x96\xBC"};
enum {
    SIGNS = sizeof signs - 1,
    COLOURS = sizeof colours / sizeof *colours,
    SHAPES = sizeof shapes / sizeof *shapes
};

typedef struct {
    const panel *p;
    const character_page *page;
    uint32_t width, height; // in characters
    uint32_t margin;        // of the labels on the left
    ticks x, y;
    unsigned char *dots; // of each character, as braille has them
    int *owner;          // the curve that drew there last
    bool marks;
    bool *is_point; // of that curve
    int *end;       // the curve whose name stands at the end of each line
    text *out;
} canvas;

// --- drawing -------------------------------------------------------------------------------------

static uint32_t dots_across(const canvas *c) { return c->page->unicode ? 2 : 1; }
static uint32_t dots_down(const canvas *c) { return c->page->unicode ? 4 : 1; }

static rectangle dot_frame(const canvas *c) {
    return (rectangle){0, 0, dots_across(c) * c->width - 1, dots_down(c) * c->height - 1};
}

static uint32_t cell_of(const canvas *c, spot s) {
    return (uint32_t)lround(s.y) / dots_down(c) * c->width + (uint32_t)lround(s.x) / dots_across(c);
}

static void set_dot(canvas *c, double x, double y, int curve) {
    static const unsigned char bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    const uint32_t column = (uint32_t)lround(x), line = (uint32_t)lround(y),
                   across = dots_across(c), down = dots_down(c);
    const uint32_t cell = cell_of(c, (spot){x, y});
    c->dots[cell] |= bit[line % down][column % across];
    c->owner[cell] = curve;
}

static void draw_line(canvas *c, spot a, spot b, int curve) {
    const double steps = fmax(1, ceil(fmax(fabs(b.x - a.x), fabs(b.y - a.y))));
    for (double i = 0; i <= steps; i++)
        set_dot(c, a.x + i / steps * (b.x - a.x), a.y + i / steps * (b.y - a.y), curve);
}

static void draw_curves(canvas *c) {
    const rectangle frame = dot_frame(c);
    for (uint32_t k = 0; k < c->p->curve_count; k++) {
        strokes s = strokes_of(c->p, &c->p->curve[k], &frame, 0.1);
        for (uint32_t i = 0; i < s.count; i++)
            for (uint64_t n = 0; n < s.piece[i].count; n++)
                draw_line(c, s.piece[i].at[n ? n - 1 : 0], s.piece[i].at[n], (int)k);
        strokes_free(&s);
    }
}

static void draw_points(canvas *c) {
    const rectangle frame = dot_frame(c);
    for (uint32_t k = 0; k < c->p->curve_count; k++) {
        if (!c->marks && !c->p->curve[k].single) continue;
        stroke s = stroke_spots(c->p, &c->p->curve[k], &frame, 1);
        for (uint64_t i = 0; i < s.count; i++) {
            set_dot(c, s.at[i].x, s.at[i].y, (int)k);
            c->is_point[cell_of(c, s.at[i])] = true;
        }
        memory_free(s.at);
    }
}

// --- words around it -----------------------------------------------------------------------------

// A power of ten stands in each label; with a number that they count from, once in a note.
static void tick_words(const ticks *t, int i, text *out) {
    if (t->shared && !t->offset) text_format(out, "%.12g", t->value[i]);
    else ticks_label(t, i, out);
}

// "×1e-10 + 0.6": a value is its label times this power and this number. "" where labels say all.
static void tick_note(const canvas *c, const ticks *t, text *out) {
    if (t->log || !t->offset) return;
    if (t->shared) text_format(out, "%s1e%d ", c->page->unicode ? "\xC3\x97" : "x", t->shared);
    if (t->offset > 0) text_append(out, "+ ");
    ticks_offset(t, out);
}

static uint32_t widest_tick(const ticks *t) {
    size_t widest = 0;
    for (int i = 0; i < t->count; i++) {
        text words = {0};
        tick_words(t, i, &words);
        if (words.length > widest) widest = words.length;
        text_free(&words);
    }
    return (uint32_t)widest;
}

static const char *name_of(const curve *c) { return c->label ? c->label : c->y_name; }

// Names stand at the ends of the curves where several run over time; else they are told apart by
// the line above.
static bool has_end_names(const panel *p) { return p->curve_count > 1 && p->x.is_time; }

static uint32_t end_width(const panel *p) {
    size_t widest = 0;
    for (uint32_t i = 0; has_end_names(p) && i < p->curve_count; i++)
        widest =
            strlen(name_of(&p->curve[i])) + 1 > widest ? strlen(name_of(&p->curve[i])) + 1 : widest;
    return (uint32_t)widest;
}

static uint32_t line_of(const canvas *c, double value) {
    const double place = (1 - axis_place(&c->p->y, value)) * dot_frame(c).height;
    return (uint32_t)lround(fmin(dot_frame(c).height, fmax(0, place))) / dots_down(c);
}

static uint32_t column_of(const canvas *c, double value) {
    return (uint32_t)lround(axis_place(&c->p->x, value) * dot_frame(c).width) / dots_across(c);
}

// The line nearest to where a curve ends that has no name yet; -1 if all have one.
static int free_line(const canvas *c, uint32_t wanted) {
    for (uint32_t away = 0; away < c->height; away++) {
        if (wanted + away < c->height && c->end[wanted + away] == NOBODY)
            return (int)(wanted + away);
        if (wanted >= away && c->end[wanted - away] == NOBODY) return (int)(wanted - away);
    }
    return -1;
}

static void name_ends(canvas *c) {
    for (uint32_t k = 0; has_end_names(c->p) && k < c->p->curve_count; k++) {
        const curve *of = &c->p->curve[k];
        uint64_t last = of->count;
        while (last && !axis_can_show(&c->p->y, of->y[last - 1])) last--;
        const int line = last ? free_line(c, line_of(c, of->y[last - 1])) : -1;
        if (line >= 0) c->end[line] = (int)k;
    }
}

// --- writing -------------------------------------------------------------------------------------

static void begin_colour(const canvas *c, int curve) {
    if (c->page->colour && c->p->curve_count > 1)
        text_format(c->out, "\033[%dm", colours[curve % COLOURS]);
}

static void end_colour(const canvas *c) {
    if (c->page->colour && c->p->curve_count > 1) text_append(c->out, "\033[0m");
}

static void write_cell(const canvas *c, uint32_t cell) {
    const unsigned char d = c->dots[cell];
    assert(!d || c->owner[cell] >= 0); // NOBODY has dots
    if (!d) text_char(c->out, ' ');
    else if (!c->page->unicode)
        text_char(c->out, c->marks && !c->is_point[cell] ? '.' : signs[c->owner[cell] % SIGNS]);
    else if (c->is_point[cell]) text_append(c->out, shapes[c->owner[cell] % SHAPES]);
    else
        text_char(c->out, (char)0xE2), text_char(c->out, (char)(0xA0 | d >> 6)),
            text_char(c->out, (char)(0x80 | (d & 0x3F))); // U+2800 + d
}

static void write_cells(const canvas *c, uint32_t line, uint32_t width) {
    int colour = NOBODY;
    for (uint32_t i = line * c->width; i < line * c->width + width; i++) {
        const int owner = c->dots[i] ? c->owner[i] : colour;
        if (owner != colour) {
            if (colour != NOBODY) end_colour(c);
            begin_colour(c, owner);
        }
        colour = owner;
        write_cell(c, i);
    }
    if (colour != NOBODY) end_colour(c);
}

// The width of a line without the blanks at its end, unless a name stands there.
static uint32_t used_width(const canvas *c, uint32_t line) {
    uint32_t width = c->width;
    while (c->end[line] == NOBODY && width && !c->dots[line * c->width + width - 1]) width--;
    return width;
}

static int tick_on(const canvas *c, const ticks *t, uint32_t at, bool on_lines) {
    for (int i = 0; i < t->count; i++)
        if ((on_lines ? line_of(c, t->value[i]) : column_of(c, t->value[i])) == at) return i;
    return NOBODY;
}

static void write_line(const canvas *c, uint32_t line) {
    const int tick = tick_on(c, &c->y, line, true);
    text words = {0};
    if (tick != NOBODY) tick_words(&c->y, tick, &words);
    text_format(c->out, "%*s ", (int)c->margin, text_string(&words));
    text_free(&words);
    text_append(c->out,
                c->page->unicode ? (tick == NOBODY ? "│" : "┤") : (tick == NOBODY ? "|" : "+"));
    if (c->p->heat) figure_heat_line(c->p, c->page, line, c->width, c->height, c->out);
    else write_cells(c, line, used_width(c, line));
    if (c->end[line] != NOBODY) {
        begin_colour(c, c->end[line]);
        text_format(c->out, " %s", name_of(&c->p->curve[c->end[line]]));
        end_colour(c);
    }
    text_char(c->out, '\n');
}

static void write_axis(const canvas *c) {
    text_repeat(c->out, ' ', c->margin + 1);
    text_append(c->out, c->page->unicode ? "└" : "+");
    for (uint32_t i = 0; i < c->width; i++) {
        const bool tick = tick_on(c, &c->x, i, false) != NOBODY;
        text_append(c->out, c->page->unicode ? (tick ? "┬" : "─") : (tick ? "+" : "-"));
    }
    text_char(c->out, '\n');
    uint32_t written = 0;
    for (int i = 0; i < c->x.count; i++) {
        text words = {0};
        tick_words(&c->x, i, &words);
        const uint32_t middle = c->margin + 2 + column_of(c, c->x.value[i]),
                       half = (uint32_t)words.length / 2;
        const uint32_t begin = middle > half ? middle - half : 0;
        if (begin > written || !written) {
            text_repeat(c->out, ' ', begin - written);
            text_append(c->out, text_string(&words));
            written = begin + (uint32_t)words.length;
        }
        text_free(&words);
    }
    text note = {0};
    tick_note(c, &c->x, &note);
    text_format(c->out, "%s%s\n", note.length ? "  " : "", text_string(&note));
    text_free(&note);
}

static void write_unit(text *out, const axis *a) {
    if (axis_unit(a)) text_format(out, " [%s]", axis_unit(a));
}

// Where the curves have different ones
static void write_own_unit(text *out, const axis *a, const char *name) {
    for (uint32_t i = 0; i < a->name_count && a->unit && !a->words && !axis_unit(a); i++)
        if (a->unit[i] && strcmp(a->name[i], name) == 0) text_format(out, " [%s]", a->unit[i]);
}

static void write_names(const canvas *c) {
    for (uint32_t i = 0; i < c->p->curve_count; i++) {
        const curve *of = &c->p->curve[i];
        if (i) text_append(c->out, ", ");
        begin_colour(c, (int)i);
        if (c->p->curve_count > 1 && !c->page->unicode)
            text_format(c->out, "%c ", signs[i % SIGNS]);
        else if (c->p->curve_count > 1 && (c->marks || of->single))
            text_format(c->out, "%s ", shapes[i % SHAPES]);
        text_append(c->out, name_of(of));
        end_colour(c);
        write_own_unit(c->out, &c->p->y, of->y_name);
        if (c->p->x.name_count > 1 && !of->label) text_format(c->out, ":%s", of->x_name);
    }
    write_unit(c->out, &c->p->y);
}

// "x, y against t", "adams, bdf: work against error"
static void write_heading(const canvas *c) {
    const panel *p = c->p;
    text_repeat(c->out, ' ', c->margin + 2);
    if (p->heat) {
        figure_heat_heading(p, c->out);
        return;
    }
    if (p->curve_count > 1 || !p->y.words) write_names(c);
    if (p->y.words) text_format(c->out, "%s%s", p->curve_count > 1 ? ": " : "", p->y.words);
    if (p->x.words || p->x.name_count == 1)
        text_format(c->out, " against %s", p->x.words ? p->x.words : p->x.name[0]);
    if (p->x.name_count == 1) write_unit(c->out, &p->x);
    text_char(c->out, '\n');
    text note = {0};
    tick_note(c, &c->y, &note);
    if (note.length) text_format(c->out, "%s\n", text_string(&note));
    text_free(&note);
}

static void write_panel(panel *p, bool marks, const character_page *page, text *out) {
    canvas c = {.p = p, .marks = marks, .page = page, .height = page->lines, .out = out};
    c.y = axis_ticks(&p->y, (int)page->lines / 3);
    c.margin = widest_tick(&c.y);
    const uint32_t around = c.margin + 2 + end_width(p);
    c.width = page->columns > around + LEAST_WIDTH ? page->columns - around : LEAST_WIDTH;
    if (p->equal) { // a character is twice as high as wide
        const double width = 2.0 * c.height * (p->x.high - p->x.low) / (p->y.high - p->y.low);
        if (width < c.width) c.width = width > LEAST_WIDTH * 3 ? (uint32_t)width : LEAST_WIDTH * 3;
        panel_set_equal(p, c.width, 2.0 * c.height);
        c.y = axis_ticks(&p->y, (int)page->lines / 3), c.margin = widest_tick(&c.y);
    }
    c.x = axis_ticks(&p->x, (int)c.width / 12);
    c.dots = memory_array(unsigned char, c.width *c.height);
    c.owner = memory_array(int, c.width *c.height);
    c.end = memory_array(int, c.height);
    c.is_point = memory_array(bool, c.width *c.height);
    memset(c.dots, 0, c.width * c.height * sizeof *c.dots);
    memset(c.is_point, 0, c.width * c.height * sizeof *c.is_point);
    for (uint32_t i = 0; i < c.height; i++) c.end[i] = NOBODY;
    draw_curves(&c);
    draw_points(&c);
    name_ends(&c);
    write_heading(&c);
    for (uint32_t line = 0; line < c.height; line++) write_line(&c, line);
    write_axis(&c);
    if (p->heat) text_repeat(out, ' ', c.margin + 2), figure_heat_key(p->heat, page, out);
    memory_free(c.dots), memory_free(c.owner), memory_free(c.is_point), memory_free(c.end);
}

void figure_characters(figure *f, const character_page *page, text *out) {
    if (f->title) text_format(out, "%s\n", f->title);
    for (uint32_t i = 0; i < f->panel_count; i++) {
        if (i) text_char(out, '\n');
        write_panel(&f->panel[i], f->marks, page, out);
    }
}
