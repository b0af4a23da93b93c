// The part of a curve that can be seen.
#include "report/stroke.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- many points in one column of the page
//
// Of the points of a function of x that fall into one narrow column, the first, the lowest, the
// highest and the last cover what all of them do (Jugel, Jerzak, Hackenbroich and Markl, "M4",
// 2014).

static bool is_monotone(const stroke *s) {
    for (uint64_t i = 1; i < s->count; i++)
        if (s->at[i].x < s->at[i - 1].x) return false;
    return true;
}

static int by_index(const void *a, const void *b) {
    const uint64_t i = *(const uint64_t *)a, j = *(const uint64_t *)b;
    return (i > j) - (i < j);
}

static uint64_t column_end(const stroke *s, uint64_t begin, double width) {
    const double column = floor(s->at[begin].x / width);
    uint64_t end = begin + 1;
    while (end < s->count && floor(s->at[end].x / width) == column) end++;
    return end;
}

static void thin_columns(stroke *s, double width) {
    uint64_t kept = 0;
    for (uint64_t begin = 0, end; begin < s->count; begin = end) {
        end = column_end(s, begin, width);
        uint64_t of[] = {begin, begin, begin, end - 1};
        for (uint64_t i = begin; i < end; i++) {
            if (s->at[i].y < s->at[of[1]].y) of[1] = i;
            if (s->at[i].y > s->at[of[2]].y) of[2] = i;
        }
        qsort(of, 4, sizeof *of, by_index);
        for (int k = 0; k < 4; k++)
            if (!k || of[k] != of[k - 1]) s->at[kept++] = s->at[of[k]];
    }
    s->count = kept;
}

// --- points on a straight line
//
// Douglas and Peucker (1973): between two points that are kept, the farthest from the line through
// them is kept too if it is farther than the tolerance. In blocks of bounded length, that begin and
// end at kept points; the extremes of the piece are among these.

enum { BLOCK = 1024 };

static double distance(spot p, spot a, spot b) {
    const double dx = b.x - a.x, dy = b.y - a.y, length = dx * dx + dy * dy;
    const double part =
        length > 0 ? fmin(1, fmax(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length)) : 0;
    return hypot(p.x - a.x - part * dx, p.y - a.y - part * dy);
}

static void keep_between(const stroke *s, uint64_t first, uint64_t last, double tolerance,
                         bool *keep) {
    struct {
        uint64_t first, last;
    } waiting[BLOCK + 1];
    uint32_t count = 0;
    waiting[count].first = first, waiting[count++].last = last;
    while (count) {
        const uint64_t a = waiting[--count].first, b = waiting[count].last;
        uint64_t farthest = a;
        double most = tolerance;
        for (uint64_t i = a + 1; i < b; i++) {
            const double d = distance(s->at[i], s->at[a], s->at[b]);
            if (d > most) most = d, farthest = i;
        }
        if (farthest == a) continue;
        keep[farthest] = true;
        waiting[count].first = a, waiting[count++].last = farthest;
        waiting[count].first = farthest, waiting[count++].last = b;
    }
}

static void keep_extremes(const stroke *s, bool *keep) {
    uint64_t left = 0, right = 0, top = 0, bottom = 0;
    for (uint64_t i = 1; i < s->count; i++) {
        if (s->at[i].x < s->at[left].x) left = i;
        if (s->at[i].x > s->at[right].x) right = i;
        if (s->at[i].y < s->at[top].y) top = i;
        if (s->at[i].y > s->at[bottom].y) bottom = i;
    }
    keep[left] = keep[right] = keep[top] = keep[bottom] = true;
}

static void thin_lines(stroke *s, double tolerance) {
    if (s->count < 3) return;
    bool *keep = memory_zeros(bool, s->count);
    for (uint64_t i = 0; i < s->count; i += BLOCK) keep[i] = true;
    keep[s->count - 1] = true;
    keep_extremes(s, keep);
    for (uint64_t first = 0, last; first + 1 < s->count; first = last) {
        for (last = first + 1; !keep[last];) last++;
        keep_between(s, first, last, tolerance, keep);
    }
    uint64_t kept = 0;
    for (uint64_t i = 0; i < s->count; i++)
        if (keep[i]) s->at[kept++] = s->at[i];
    s->count = kept;
    memory_free(keep);
}

// --- pieces --------------------------------------------------------------------------------------

static bool is_shown(const panel *p, const curve *c, uint64_t i) {
    return axis_can_show(&p->x, c->x[i]) && axis_can_show(&p->y, c->y[i]);
}

static stroke piece_from(const panel *p, const curve *c, const rectangle *frame, uint64_t begin,
                         uint64_t end) {
    stroke s = {.count = end - begin, .at = memory_array(spot, end - begin)};
    for (uint64_t i = begin; i < end; i++) s.at[i - begin] = spot_of(p, frame, c->x[i], c->y[i]);
    return s;
}

strokes strokes_of(const panel *p, const curve *c, const rectangle *frame, double tolerance) {
    static const double COLUMN = 0.25; // of a pixel
    strokes found = {0};
    for (uint64_t begin = 0, end; begin < c->count; begin = end) {
        for (end = begin; end < c->count && is_shown(p, c, end);) end++;
        if (end == begin) {
            end++;
            continue;
        }
        stroke s = piece_from(p, c, frame, begin, end);
        if (is_monotone(&s)) thin_columns(&s, COLUMN);
        thin_lines(&s, tolerance);
        array_reserve(found.piece, found.count, found.capacity);
        found.piece[found.count++] = s;
    }
    return found;
}

stroke stroke_spots(const panel *p, const curve *c, const rectangle *frame, double apart) {
    stroke found = {.at = memory_array(spot, c->count)};
    for (uint64_t i = 0; i < c->count; i++) {
        if (!is_shown(p, c, i)) continue;
        const spot here = spot_of(p, frame, c->x[i], c->y[i]),
                   *last = found.count ? &found.at[found.count - 1] : NULL;
        if (!last || hypot(here.x - last->x, here.y - last->y) >= apart)
            found.at[found.count++] = here;
    }
    return found;
}

void strokes_free(strokes *s) {
    for (uint32_t i = 0; i < s->count; i++) memory_free(s->piece[i].at);
    memory_free(s->piece);
    *s = (strokes){0};
}
