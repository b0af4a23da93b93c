// A figure as SVG.
#include "report/figure_svg.h"

#include "report/figure_areas.h"
#include "base/html.h"
#include "report/figure_heat.h"
#include "report/figure_layout.h"
#include "report/figure_pieces.h"

#include <math.h>
#include <string.h>

static const double MAJOR = 5, MINOR = 2.5;
static const double VISIBLE = 0.05; // pixels: what is nearer to a curve makes no difference

// Okabe and Ito's colours, told apart by the colour-blind too, without the yellow that is too light
// for a line. With dashes of another period, so that 35 curves differ.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000"};
static const char *const dashes[] = {NULL, "7 3", "2 2.5", "9 3 2 3", "4 2"};
// Signs at the points of a curve, around where they stand: a disc, a square, a triangle, a diamond,
// a triangle that points down.
static const char *const signs[] = {"m-2.8 0a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0-5.6 0z",
                                    "m-2.5-2.5h5v5h-5z", "m0-3.4l3.2 5.6h-6.4z",
                                    "m0-3.6l3.6 3.6l-3.6 3.6l-3.6-3.6z", "m0 3.4l3.2-5.6h-6.4z"};
enum {
    COLOURS = sizeof colours / sizeof *colours,
    DASHES = sizeof dashes / sizeof *dashes,
    SIGNS = sizeof signs / sizeof *signs
};

// --- axes ----------------------------------------------------------------------------------------

typedef struct {
    const figure *f;
    const panel *p;
    const panel_layout *l;
    uint32_t index;
    text *out;
} canvas;

static double x_at(const canvas *c, double value) {
    return c->l->frame.left + c->l->frame.width * axis_place(&c->p->x, value);
}
static double y_at(const canvas *c, double value) {
    return c->l->frame.top + c->l->frame.height * (1 - axis_place(&c->p->y, value));
}

static void add_grid(const canvas *c) {
    const rectangle *r = &c->l->frame;
    text_append(c->out, "<path stroke=\"#ddd\" stroke-width=\"0.6\" fill=\"none\" d=\"");
    for (int i = 0; i < c->l->x.count; i++) {
        figure_move_to(c->out, x_at(c, c->l->x.value[i]), r->top);
        text_char(c->out, 'v'), figure_number(c->out, r->height);
    }
    for (int i = 0; i < c->l->y.count; i++) {
        figure_move_to(c->out, r->left, y_at(c, c->l->y.value[i]));
        text_char(c->out, 'h'), figure_number(c->out, r->width);
    }
    text_append(c->out, "\"/>\n");
}

// Inside the frame, on both sides of it.
static void add_tick_lines(const canvas *c, int count, const double *value, double length,
                           bool along_x) {
    const rectangle *r = &c->l->frame;
    for (int i = 0; i < count; i++) {
        const double at = along_x ? x_at(c, value[i]) : y_at(c, value[i]);
        figure_move_to(c->out, along_x ? at : r->left, along_x ? r->top + r->height : at);
        text_char(c->out, along_x ? 'v' : 'h'), figure_number(c->out, along_x ? -length : length);
        figure_move_to(c->out, along_x ? at : r->left + r->width, along_x ? r->top : at);
        text_char(c->out, along_x ? 'v' : 'h'), figure_number(c->out, along_x ? length : -length);
    }
}

static void add_frame(const canvas *c) {
    text_append(c->out, "<path stroke=\"#000\" stroke-width=\"0.8\" fill=\"none\" d=\"");
    add_tick_lines(c, c->l->x.count, c->l->x.value, MAJOR, true);
    add_tick_lines(c, c->l->x.minor_count, c->l->x.minor, MINOR, true);
    add_tick_lines(c, c->l->y.count, c->l->y.value, MAJOR, false);
    add_tick_lines(c, c->l->y.minor_count, c->l->y.minor, MINOR, false);
    text_append(c->out, "\"/>\n");
    figure_rectangle(c->out, &c->l->frame, " stroke=\"#000\" stroke-width=\"0.9\" fill=\"none\"");
}

static void add_tick_labels(const canvas *c) {
    const rectangle *r = &c->l->frame;
    for (int i = 0; i < c->l->y.count; i++) {
        label l = {0};
        figure_tick_label(&c->l->y, i, &l);
        figure_label(c->out, &l, r->left - 6, y_at(c, c->l->y.value[i]) + 0.35 * TICK_SIZE,
                     TICK_SIZE, " text-anchor=\"end\"");
        label_clear(&l);
    }
    for (int i = 0; c->l->has_x_labels && i < c->l->x.count; i++) {
        label l = {0};
        figure_tick_label(&c->l->x, i, &l);
        figure_label(c->out, &l, x_at(c, c->l->x.value[i]), r->top + r->height + 4 + TICK_SIZE,
                     TICK_SIZE, " text-anchor=\"middle\"");
        label_clear(&l);
    }
}

// Several names are left out where there is no room: the legend has them.
static bool is_shown(const axis *a, const label *l, double room) {
    return a->words || a->name_count == 1 || label_width(l, NAME_SIZE) < room;
}

static void add_axis_names(const canvas *c) {
    const rectangle *r = &c->l->frame;
    const double middle = r->top + r->height / 2, below = r->top + r->height + 38;
    label l = {0};
    label_add_axis(&l, &c->p->y);
    text turn = {0};
    text_append(&turn, " text-anchor=\"middle\" transform=\"rotate(-90 ");
    figure_number(&turn, c->l->name_line), text_char(&turn, ' '), figure_number(&turn, middle);
    text_append(&turn, ")\"");
    if (is_shown(&c->p->y, &l, r->height))
        figure_label(c->out, &l, c->l->name_line, middle, NAME_SIZE, text_string(&turn));
    text_free(&turn), label_clear(&l);
    if (label_add_ticks_note(&l, &c->l->y))
        figure_label(c->out, &l, r->left, r->top - 5 - c->l->event_line, TICK_SIZE, "");
    label_clear(&l);
    if (!c->l->has_x_labels) return;
    label_add_axis(&l, &c->p->x);
    if (is_shown(&c->p->x, &l, r->width))
        figure_label(c->out, &l, r->left + r->width / 2, below, NAME_SIZE,
                     " text-anchor=\"middle\"");
    label_clear(&l);
    if (label_add_ticks_note(&l, &c->l->x))
        figure_label(c->out, &l, r->left + r->width, below, TICK_SIZE, " text-anchor=\"end\"");
    label_clear(&l);
}

// --- curves --------------------------------------------------------------------------------------

// Curves differ by their signs or by their dashes.
static void add_style(const figure *f, text *out, uint32_t index) {
    text_format(out, " stroke=\"%s\"", colours[index % COLOURS]);
    if (!f->marks && dashes[index % DASHES])
        text_format(out, " stroke-dasharray=\"%s\"", dashes[index % DASHES]);
}

static void add_stroke(text *out, const stroke *s) {
    figure_move_to(out, s->at[0].x, s->at[0].y);
    if (s->count == 1) text_append(out, "h0"); // a dot
    for (uint64_t i = 1; i < s->count; i++) {
        text_char(out, i == 1 ? 'L' : ' ');
        figure_number(out, s->at[i].x), text_char(out, ' '), figure_number(out, s->at[i].y);
    }
}

static void add_curves(const canvas *c) {
    text_format(c->out,
                "<g clip-path=\"url(#frame%u)\" fill=\"none\" stroke-width=\"1.4\" "
                "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n",
                c->index);
    for (uint32_t i = 0; i < c->p->curve_count; i++) {
        if (c->p->curve[i].single) continue;
        strokes s = strokes_of(c->p, &c->p->curve[i], &c->l->frame, VISIBLE);
        text_append(c->out, "<path");
        add_style(c->f, c->out, i);
        text_append(c->out, " d=\"");
        for (uint32_t k = 0; k < s.count; k++) add_stroke(c->out, &s.piece[k]);
        text_append(c->out, "\"/>\n");
        strokes_free(&s);
    }
    text_append(c->out, "</g>\n");
}

static void add_signs(text *out, uint32_t index, const stroke *s) {
    text_format(out, "<path fill=\"%s\" d=\"", colours[index % COLOURS]);
    for (uint64_t i = 0; i < s->count; i++) {
        figure_move_to(out, s->at[i].x, s->at[i].y);
        text_append(out, signs[index % SIGNS]);
    }
    text_append(out, "\"/>\n");
}

static void add_point_signs(const canvas *c) {
    static const double APART = 2; // pixels: nearer signs cover most of each other
    for (uint32_t i = 0; i < c->p->curve_count; i++) {
        if (!c->f->marks && !c->p->curve[i].single) continue;
        stroke s = stroke_spots(c->p, &c->p->curve[i], &c->l->frame, APART);
        add_signs(c->out, i, &s);
        memory_free(s.at);
    }
}

static void add_circle(text *out, spot s, const char *colour) {
    text_append(out, "<circle");
    figure_attribute(out, "cx", s.x), figure_attribute(out, "cy", s.y);
    text_format(out, " r=\"3\" fill=\"#fff\" stroke-width=\"1.2\" stroke=\"%s\"/>\n", colour);
}

// A line at the time of each event, and a circle where the curves are then. Names stand above the
// first of stacked panels, where they have room.
static void add_event_lines(const canvas *c) {
    const rectangle *r = &c->l->frame;
    double end = r->left - r->width;
    for (uint32_t e = 0; e < c->f->event_count; e++) {
        const double x = x_at(c, c->f->event[e].t);
        text_append(c->out, "<path stroke=\"#666\" stroke-width=\"0.7\" stroke-dasharray=\"3 2\" "
                            "fill=\"none\" d=\"");
        figure_move_to(c->out, x, r->top);
        text_char(c->out, 'v'), figure_number(c->out, r->height);
        text_append(c->out, "\"/>\n");
        label l = {0};
        label_add_words(&l, c->f->event[e].name);
        const double half = label_width(&l, TICK_SIZE) / 2;
        const double middle = fmin(x, r->left + r->width - half);
        if (c->l->event_line > 0 && middle - half > end + 4) {
            figure_label(c->out, &l, middle, r->top - 4, TICK_SIZE, " text-anchor=\"middle\"");
            end = middle + half;
        }
        label_clear(&l);
    }
}

static void add_event_marks(const canvas *c) {
    for (uint32_t i = 0; i < c->p->mark_count; i++) {
        const double x = c->p->mark_x[i], y = c->p->mark_y[i];
        if (axis_can_show(&c->p->x, x) && axis_can_show(&c->p->y, y))
            add_circle(c->out, spot_of(c->p, &c->l->frame, x, y),
                       colours[i / c->f->event_count % COLOURS]);
    }
}

static void add_legend(const canvas *c) {
    const rectangle *r = &c->l->legend_box;
    if (c->l->legend == LEGEND_NONE) return;
    if (c->l->legend != LEGEND_ABOVE)
        figure_rectangle(c->out, r, " fill=\"#fff\" fill-opacity=\"0.85\"");
    const double cell = r->width / c->l->legend_columns;
    for (uint32_t i = 0; i < c->p->curve_count; i++) {
        const double left = r->left + LEGEND_PADDING + cell * (i % c->l->legend_columns),
                     middle = r->top + LEGEND_LINE * (i / c->l->legend_columns + 0.5);
        const bool single = c->p->curve[i].single;
        text_append(c->out, "<path fill=\"none\" stroke-width=\"1.4\" stroke-linecap=\"round\"");
        add_style(c->f, c->out, i);
        text_append(c->out, " d=\"");
        figure_move_to(c->out, left + (single ? LEGEND_SAMPLE / 2 : 0), middle);
        text_char(c->out, 'h'), figure_number(c->out, single ? 0 : LEGEND_SAMPLE);
        text_append(c->out, "\"/>\n");
        if (c->f->marks || single)
            add_signs(c->out, i, &(stroke){1, &(spot){left + LEGEND_SAMPLE / 2, middle}});
        label l = {0};
        label_add_curve(&l, &c->p->curve[i]);
        figure_label(c->out, &l, left + LEGEND_SAMPLE + LEGEND_GAP, middle + 0.35 * TICK_SIZE,
                     TICK_SIZE, "");
        label_clear(&l);
    }
}

// --- the whole -----------------------------------------------------------------------------------

// Stretches behind everything else
static void add_stretches(const canvas *c) {
    const rectangle *r = &c->l->frame;
    for (uint32_t i = 0; i < c->f->stretch_count; i++) {
        const double left = fmax(r->left, x_at(c, c->f->stretch[i][0])),
                     right = fmin(r->left + r->width, x_at(c, c->f->stretch[i][1]));
        if (right > left)
            figure_rectangle(c->out, &(rectangle){left, r->top, right - left, r->height},
                             " fill=\"#009e73\" fill-opacity=\"0.13\"");
    }
}

static void add_panel(const canvas *c) {
    text_format(c->out, "<g>\n<clipPath id=\"frame%u\">", c->index);
    figure_rectangle(c->out, &c->l->frame, "");
    text_append(c->out, "</clipPath>\n");
    if (c->p->x.is_time) add_stretches(c);
    figure_areas_svg(c->f, c->p, &c->l->frame, c->out);
    if (c->p->heat) figure_heat_svg(c->p, &c->l->frame, c->out);
    figure_bands_svg(c->p, &c->l->frame, c->out);
    if (c->f->grid) add_grid(c);
    if (c->p->x.is_time) add_event_lines(c);
    add_curves(c);
    add_point_signs(c);
    add_event_marks(c);
    add_frame(c);
    add_tick_labels(c);
    add_axis_names(c);
    add_legend(c);
    if (c->p->heat) figure_heat_key_svg(c->p->heat, &c->l->frame, c->out);
    text_append(c->out, "</g>\n");
}

static void open_document(const figure *f, const figure_layout *l, text *out) {
    text_append(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\"");
    figure_attribute(out, "width", l->width), figure_attribute(out, "height", l->height);
    text_append(out, " viewBox=\"0 0 ");
    figure_number(out, l->width), text_char(out, ' '), figure_number(out, l->height);
    text_append(out, "\" xml:space=\"preserve\" font-family=\"'STIX Two Text','Latin Modern "
                     "Roman','Times New Roman',Times,'DejaVu Serif',serif\">\n");
    if (f->title)
        text_append(out, "<title>"), html_text(f->title, out), text_append(out, "</title>\n");
    text_append(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    if (!f->title) return;
    label words = {0};
    label_add_words(&words, f->title);
    figure_label(out, &words, l->width / 2, TITLE_SIZE + 6, TITLE_SIZE, " text-anchor=\"middle\"");
    label_clear(&words);
}

void figure_svg(figure *f, arena *a, text *out) {
    figure_layout l = {0};
    figure_lay_out(f, a, &l);
    open_document(f, &l, out);
    for (uint32_t i = 0; i < f->panel_count; i++)
        add_panel(&(canvas){.f = f, .p = &f->panel[i], .l = &l.panel[i], .index = i, .out = out});
    text_append(out, "</svg>\n");
}
