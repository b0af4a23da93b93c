// Where everything of a figure stands on a page.
#include "report/figure_layout.h"

#include "report/figure_heat.h"

#include <math.h>

static const double EDGE = 7, TICK_GAP = 6, NAME_LINE = 18, NOTE_LINE = 15, STACK_GAP = 10,
                    TITLE_LINE = 24, X_LABELS = 20;

// --- sizes of what stands around a frame ---------------------------------------------------------

static double tick_width(const ticks *t, int i) {
    label l = {0};
    text words = {0};
    ticks_label(t, i, &words);
    label_add_number(&l, text_string(&words), LEVEL_BASE);
    const double width = label_width(&l, TICK_SIZE);
    label_clear(&l), text_free(&words);
    return width;
}

static double widest_tick(const ticks *t) {
    double widest = 0;
    for (int i = 0; i < t->count; i++) widest = fmax(widest, tick_width(t, i));
    return widest;
}

static double entry_width(const panel *p) {
    double widest = 0;
    for (uint32_t c = 0; c < p->curve_count; c++) {
        label l = {0};
        label_add_curve(&l, &p->curve[c]);
        widest = fmax(widest, label_width(&l, TICK_SIZE));
        label_clear(&l);
    }
    return LEGEND_SAMPLE + LEGEND_GAP + widest;
}

static bool has_note(const ticks *t) {
    label l = {0};
    const bool found = label_add_ticks_note(&l, t);
    label_clear(&l);
    return found;
}

// --- the legend ----------------------------------------------------------------------------------

static bool lies_in(const rectangle *r, spot s) {
    return s.x >= r->left && s.x <= r->left + r->width && s.y >= r->top &&
           s.y <= r->top + r->height;
}

// How much of the curves lies in a box, in steps of a few pixels along them.
static uint64_t hits(const panel *p, const rectangle *frame, const rectangle *box) {
    static const double PACE = 4;
    uint64_t found = 0;
    for (uint32_t c = 0; c < p->curve_count; c++) {
        strokes s = strokes_of(p, &p->curve[c], frame, 0.5);
        for (uint32_t k = 0; k < s.count; k++)
            for (uint64_t i = 0; i < s.piece[k].count; i++) {
                const spot a = s.piece[k].at[i ? i - 1 : 0], b = s.piece[k].at[i];
                const int steps = (int)ceil(hypot(b.x - a.x, b.y - a.y) / PACE);
                for (int n = 0; n <= steps; n++) {
                    const double part = steps ? (double)n / steps : 0;
                    found +=
                        lies_in(box, (spot){a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)});
                }
            }
        strokes_free(&s);
    }
    return found;
}

static rectangle corner_box(const panel *p, const rectangle *frame, legend_place where) {
    static const double INSET = 9;
    const double width = entry_width(p) + 2 * LEGEND_PADDING,
                 height = p->curve_count * LEGEND_LINE + 2;
    const bool left = where == LEGEND_TOP_LEFT || where == LEGEND_BOTTOM_LEFT,
               top = where == LEGEND_TOP_LEFT || where == LEGEND_TOP_RIGHT;
    return (rectangle){left ? frame->left + INSET : frame->left + frame->width - INSET - width,
                       top ? frame->top + INSET : frame->top + frame->height - INSET - height,
                       width, height};
}

static legend_place free_corner(const panel *p, const rectangle *frame) {
    static const legend_place corners[] = {LEGEND_TOP_RIGHT, LEGEND_TOP_LEFT, LEGEND_BOTTOM_RIGHT,
                                           LEGEND_BOTTOM_LEFT};
    for (int i = 0; i < 4; i++) {
        const rectangle box = corner_box(p, frame, corners[i]);
        if (box.width < frame->width * 0.7 && box.height < frame->height * 0.7 &&
            !hits(p, frame, &box))
            return corners[i];
    }
    return LEGEND_ABOVE;
}

static legend_place place_of_legend(const figure *f, const panel *p, const rectangle *frame) {
    if (f->legend != LEGEND_AUTO && p->curve_count) return f->legend;
    if (!p->curve_count) return LEGEND_NONE;
    return p->curve_count > 1 || p->curve[0].label ? free_corner(p, frame) : LEGEND_NONE;
}

static uint32_t legend_columns(const panel *p, double width) {
    const double columns = floor(width / (entry_width(p) + 2 * LEGEND_PADDING));
    return (uint32_t)fmax(1, fmin(columns, p->curve_count));
}

static uint32_t legend_lines(const panel *p, double width) {
    const uint32_t columns = legend_columns(p, width);
    return (p->curve_count + columns - 1) / columns;
}

static void place_legend(const panel *p, panel_layout *l) {
    l->legend_columns = l->legend == LEGEND_ABOVE ? legend_columns(p, l->frame.width) : 1;
    if (l->legend == LEGEND_NONE) return;
    if (l->legend != LEGEND_ABOVE) {
        l->legend_box = corner_box(p, &l->frame, l->legend);
        return;
    }
    const double height = legend_lines(p, l->frame.width) * LEGEND_LINE,
                 above = l->event_line + (has_note(&l->y) ? NOTE_LINE : 0);
    const double width = l->legend_columns * (entry_width(p) + 2 * LEGEND_PADDING);
    l->legend_box = (rectangle){l->frame.left + (l->frame.width - width) / 2,
                                l->frame.top - above - height - 4, width, height};
}

// --- rows and columns ----------------------------------------------------------------------------

typedef struct {
    double left, right, top, bottom;
} margins;

typedef struct {
    figure *f;
    uint32_t columns, rows;
    double frame_width;
    double *frame_height; // of each row
    margins *around;      // of each panel
    figure_layout *out;
} plan;

// Both over the same stretch of time: they may share an axis.
static bool share_time(const panel *p, const panel *q) {
    return p->x.is_time && q->x.is_time && p->x.log == q->x.log && p->x.low == q->x.low &&
           p->x.high == q->x.high;
}

static uint32_t count_columns(const figure *f) {
    bool stacked = true;
    for (uint32_t i = 1; i < f->panel_count; i++)
        stacked = stacked && share_time(&f->panel[0], &f->panel[i]);
    return stacked ? 1 : f->panel_count <= 4 ? 2 : 3;
}

// Times about 5:3, flatter where several share an axis; curves in the plane as their extent says,
// within reason.
static double wanted_height(const plan *p, const panel *q) {
    const double extent = (q->y.high - q->y.low) / (q->x.high - q->x.low);
    if (q->equal) return p->frame_width * fmin(p->f->panel_count == 1 ? 1.8 : 1, fmax(0.4, extent));
    return p->frame_width * (p->columns == 1 && p->rows > 1 ? 0.4 : p->columns == 1 ? 0.62 : 0.75);
}

static void set_free_frames(plan *p) {
    static const double widths[] = {0, 400, 320, 280};
    const panel *first = &p->f->panel[0];
    const double extent = (first->y.high - first->y.low) / (first->x.high - first->x.low);
    p->frame_width = widths[p->columns];
    // tall and alone
    if (p->f->panel_count == 1 && first->equal && extent > 1) p->frame_width /= fmin(extent, 1.8);
    for (uint32_t i = 0; i < p->f->panel_count; i++)
        p->frame_height[i / p->columns] =
            fmax(p->frame_height[i / p->columns], wanted_height(p, &p->f->panel[i]));
}

static margins margins_of(const plan *p, uint32_t i) {
    const panel *q = &p->f->panel[i];
    const panel_layout *l = &p->out->panel[i];
    margins m = {.left = EDGE + NAME_LINE + TICK_GAP + widest_tick(&l->y),
                 .right = fmax(14, tick_width(&l->x, l->x.count - 1) / 2 + EDGE),
                 .top = EDGE + 4};
    m.bottom = l->has_x_labels ? X_LABELS + NAME_LINE + EDGE : STACK_GAP;
    if (has_note(&l->y)) m.top += NOTE_LINE;
    if (q->heat)
        m.right = fmax(m.right, figure_heat_width(q->heat, p->frame_height[i / p->columns]));
    if (l->legend == LEGEND_ABOVE) m.top += legend_lines(q, p->frame_width) * LEGEND_LINE + 4;
    m.top += l->event_line;
    return m;
}

static double column_left(const plan *p, uint32_t column) {
    double most = 0;
    for (uint32_t i = column; i < p->f->panel_count; i += p->columns)
        most = fmax(most, p->around[i].left);
    return most;
}

static double column_right(const plan *p, uint32_t column) {
    double most = 0;
    for (uint32_t i = column; i < p->f->panel_count; i += p->columns)
        most = fmax(most, p->around[i].right);
    return most;
}

static margins row_margins(const plan *p, uint32_t row) {
    margins m = {0};
    for (uint32_t i = row * p->columns; i < (row + 1) * p->columns && i < p->f->panel_count; i++)
        m.top = fmax(m.top, p->around[i].top), m.bottom = fmax(m.bottom, p->around[i].bottom);
    return m;
}

// The size asked for, less what stands around the frames, is theirs in equal parts.
static void set_asked_frames(plan *p) {
    static const double SMALLEST_FRAME = 30;
    double width = p->f->width, height = p->f->height - (p->f->title ? TITLE_LINE : 0);
    for (uint32_t c = 0; c < p->columns; c++) width -= column_left(p, c) + column_right(p, c);
    for (uint32_t r = 0; r < p->rows; r++)
        height -= row_margins(p, r).top + row_margins(p, r).bottom;
    p->frame_width = fmax(SMALLEST_FRAME, width / p->columns);
    for (uint32_t r = 0; r < p->rows; r++)
        p->frame_height[r] = fmax(SMALLEST_FRAME, height / p->rows);
}

static int ticks_for(double length, double each) { return (int)floor(length / each); }

static rectangle frame_of(const plan *p, uint32_t i) {
    return (rectangle){0, 0, p->frame_width, p->frame_height[i / p->columns]};
}

// Ranges and ticks for frames of this size.
static void fit(plan *p) {
    for (uint32_t i = 0; i < p->f->panel_count; i++) {
        panel *q = &p->f->panel[i];
        const rectangle frame = frame_of(p, i);
        panel_set_range(q);
        panel_hold_areas(q, p->f->area_count, p->f->area);
        if (q->equal) panel_set_equal(q, frame.width, frame.height);
        p->out->panel[i].x = axis_ticks(&q->x, ticks_for(frame.width, 58));
        p->out->panel[i].y = axis_ticks(&q->y, ticks_for(frame.height, 44));
    }
}

// What stands around them.
static void surround(plan *p) {
    for (uint32_t i = 0; i < p->f->panel_count; i++) {
        const rectangle frame = frame_of(p, i);
        const bool is_below_another = p->columns == 1 && i > 0;
        p->out->panel[i].has_x_labels = !(p->columns == 1 && i + 1 < p->f->panel_count);
        p->out->panel[i].event_line =
            p->f->panel[i].x.is_time && p->f->event_count && !is_below_another ? NOTE_LINE : 0;
        p->out->panel[i].legend = place_of_legend(p->f, &p->f->panel[i], &frame);
        p->around[i] = margins_of(p, i);
    }
}

static void place(plan *p) {
    double top = p->f->title ? TITLE_LINE : 0, right = 0;
    for (uint32_t r = 0; r < p->rows; r++) {
        const margins m = row_margins(p, r);
        double left = 0;
        for (uint32_t c = 0; c < p->columns && r * p->columns + c < p->f->panel_count; c++) {
            panel_layout *l = &p->out->panel[r * p->columns + c];
            l->name_line = left + EDGE + NAME_SIZE * 0.75;
            left += column_left(p, c);
            l->frame = (rectangle){left, top + m.top, p->frame_width, p->frame_height[r]};
            left += p->frame_width + column_right(p, c);
            place_legend(&p->f->panel[r * p->columns + c], l);
        }
        right = fmax(right, left);
        top += m.top + p->frame_height[r] + m.bottom;
    }
    p->out->width = p->f->width > 0 ? p->f->width : ceil(right);
    p->out->height = p->f->width > 0 ? p->f->height : ceil(top);
}

enum { PASSES = 3 };

void figure_lay_out(figure *f, arena *a, figure_layout *out) {
    plan p = {.f = f, .out = out, .columns = count_columns(f)};
    p.rows = (f->panel_count + p.columns - 1) / p.columns;
    p.frame_height = arena_array(a, double, p.rows);
    p.around = arena_array(a, margins, f->panel_count);
    out->panel = arena_array(a, panel_layout, f->panel_count);
    set_free_frames(&p);
    fit(&p), surround(&p);
    for (int pass = 0; f->width > 0 && pass < PASSES;
         pass++) { // the frames depend on what is around them, and that on their size
        set_asked_frames(&p), fit(&p);
        if (pass + 1 < PASSES) surround(&p);
    }
    place(&p);
}
