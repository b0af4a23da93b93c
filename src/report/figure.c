// Panels, axes and their ranges.
#include "report/figure.h"

#include <math.h>
#include <string.h>

static const double LARGEST = 1e300; // beyond it differences overflow
static const double MARGIN = 0.05;   // of the range, on both sides of what is not time
// a range below this part of its values is rounding: the value is a constant
static const double ROUNDING = 1e-12;
static const double SMALLEST = 1e-280;

// --- axes ----------------------------------------------------------------------------------------

bool axis_can_show(const axis *a, double value) {
    return fabs(value) <= LARGEST && (!a->log || value >= SMALLEST);
}

double axis_place(const axis *a, double value) {
    return a->log ? log10(value / a->low) / log10(a->high / a->low)
                  : (value - a->low) / (a->high - a->low);
}

double axis_value(const axis *a, double place) {
    return a->log ? a->low * pow(a->high / a->low, place) : a->low + place * (a->high - a->low);
}

ticks axis_ticks(const axis *a, int wanted) {
    return a->log ? ticks_log(a->low, a->high, wanted) : ticks_linear(a->low, a->high, wanted);
}

// Whole decades, at least one.
static void round_to_decades(axis *a) {
    const double first = floor(log10(a->low) + ROUNDING), last = ceil(log10(a->high) - ROUNDING);
    a->low = ticks_value(1, (int)first);
    a->high = ticks_value(1, (int)(last > first ? last : first + 1));
}

static void set_margins(axis *a) {
    if (a->log) {
        round_to_decades(a);
        return;
    }
    const double size = fmax(fabs(a->low), fabs(a->high)), range = a->high - a->low;
    if (range <= ROUNDING * size || range < SMALLEST) {
        const double middle = a->low + range / 2, half = size > SMALLEST ? size / 10 : 1;
        // not in the very middle, which may lie between two dots of a terminal: rounding would be
        // seen as a step
        a->low = middle - half, a->high = middle + 1.1 * half;
    } else if (!a->is_time) {
        a->low -= MARGIN * range, a->high += MARGIN * range;
    }
}

static void include(axis *a, double value) {
    a->low = fmin(a->low, value), a->high = fmax(a->high, value);
}

// --- panels --------------------------------------------------------------------------------------

bool panel_set_range(panel *p) {
    p->x.low = p->y.low = INFINITY, p->x.high = p->y.high = -INFINITY;
    for (uint32_t c = 0; c < p->curve_count; c++)
        for (uint64_t i = 0; i < p->curve[c].count; i++) {
            const double x = p->curve[c].x[i], y = p->curve[c].y[i];
            const bool shown = axis_can_show(&p->x, x) && axis_can_show(&p->y, y);
            if (shown) include(&p->y, y);
            if (shown || (p->x.is_time && axis_can_show(&p->x, x)))
                include(&p->x, x); // the whole run, also where nothing can be shown
        }
    for (uint32_t b = 0; b < p->band_count; b++)
        for (uint64_t i = 0; i < p->band[b].count; i++) {
            const double low = p->band[b].low[i], high = p->band[b].high[i];
            if (axis_can_show(&p->y, low)) include(&p->y, low);
            if (axis_can_show(&p->y, high)) include(&p->y, high);
        }
    const bool empty = p->y.low > p->y.high;
    if (empty && !p->heat) return false;
    if (!empty) set_margins(&p->x), set_margins(&p->y);
    const double *frame = p->frame;
    if (!frame) return true;
    p->x.low = frame[0], p->x.high = frame[1], p->y.low = frame[2], p->y.high = frame[3];
    axis *const axes[] = {&p->x, &p->y};
    for (int i = 0; i < 2; i++) {
        if (!axis_can_show(axes[i], axes[i]->low)) return false;
        if (axes[i]->log) round_to_decades(axes[i]);
    }
    return true;
}

static void widen(axis *a, double range) {
    const double middle = a->low + (a->high - a->low) / 2;
    a->low = middle - range / 2, a->high = middle + range / 2;
}

void panel_hold_areas(panel *p, uint32_t count, const figure_area *area) {
    for (uint32_t i = 0; i < count; i++) {
        p->x.low = fmin(p->x.low, area[i].x0), p->x.high = fmax(p->x.high, area[i].x1);
        p->y.low = fmin(p->y.low, area[i].y0), p->y.high = fmax(p->y.high, area[i].y1);
    }
}

void panel_set_equal(panel *p, double width, double height) {
    const double unit = fmax((p->x.high - p->x.low) / width, (p->y.high - p->y.low) / height);
    widen(&p->x, unit * width), widen(&p->y, unit * height);
}

// --- events --------------------------------------------------------------------------------------

// The value between rows i and i + 1 of `values` at a part of the way.
static double between(const double *values, uint64_t i, double part) {
    return values[i] + part * (values[i + 1] - values[i]);
}

static void mark(const curve *c, const double *t, double when, double *x, double *y) {
    *x = *y = NAN;
    if (c->count < 2 || when < t[0]) return;
    uint64_t low = 0, high = c->count - 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (t[middle] <= when) low = middle;
        else high = middle;
    }
    const double part = fmin(1, (when - t[low]) / (t[high] - t[low]));
    *x = between(c->x, low, part), *y = between(c->y, low, part);
}

void figure_mark_events(figure *f, arena *a, const double *t) {
    for (uint32_t k = 0; k < f->panel_count; k++) {
        panel *p = &f->panel[k];
        p->mark_x = arena_array(a, double, p->curve_count * f->event_count);
        p->mark_y = arena_array(a, double, p->curve_count * f->event_count);
        for (uint32_t c = 0; c < p->curve_count; c++)
            for (uint32_t e = 0; e < f->event_count; e++) {
                mark(&p->curve[c], t, f->event[e].t, &p->mark_x[p->mark_count],
                     &p->mark_y[p->mark_count]);
                p->mark_count++;
            }
    }
}

// --- units ---------------------------------------------------------------------------------------

const char *axis_unit(const axis *a) {
    const char *all = a->name_count && a->unit && !a->words ? a->unit[0] : NULL;
    for (uint32_t i = 1; i < a->name_count && all; i++)
        if (!a->unit[i] || strcmp(a->unit[i], all) != 0) all = NULL;
    return all;
}
