// How boxes grow in which nothing can hide. A step that leaves all of them is taken into the
// nearest one, if that can be widened so far, or has a new one made around it; what is added is
// halved into parts until each of them is clear.
#include "integrate/clear_box.h"

#include "base/memory.h"

#include <string.h>

static const double LEAST_REACH = 1, MOST_REACH = 1e9;
// How far a box goes beyond a step that leaves it, in its own widths: the first that is clear
static const double BEYOND[] = {1, 0x1p-2, 0x1p-4, 0x1p-6, 0};
enum {
    AIMS = sizeof BEYOND / sizeof *BEYOND,
    KEPT = 16,
    MOST_PARTS = 64, // of what is added at a time
    DEEPEST = 12     // halvings
};

struct box_growth {
    box_judge *judge;
    range *value;                   // of all inputs, over a part
    range *held, *with_part, *part; // the numbers of what has been added; with one part more; its
    range *added, *whole, *place, *aim; // what is added to a box, the box with it, a place of it ..
    range *half;                        // .. and, at each depth, a part
    double *weight; // of each input: what its width does to those of the numbers
    uint32_t left;  // parts that may be looked at
    bool weighed;
};

static struct box_growth *growth_create(const clear_box *w) {
    struct box_growth *g = memory_new(struct box_growth);
    const size_t n = w->count, m = w->numbers;
    g->value = memory_zeros(range, w->inputs + 4 * (m + 1) + (DEEPEST + 5) * (n + 1));
    g->held = g->value + w->inputs;
    g->with_part = g->held + m + 1, g->part = g->with_part + m + 1;
    g->added = g->part + 2 * (m + 1), g->whole = g->added + n + 1, g->place = g->whole + n + 1;
    g->aim = g->place + n + 1, g->half = g->aim + n + 1;
    g->weight = memory_zeros(double, n + 1);
    return g;
}

void clear_box_growth_free(struct box_growth *g) {
    if (!g) return;
    memory_free(g->value), memory_free(g->weight);
    memory_free(g);
}

// --- parts ---------------------------------------------------------------------------------------

static bool look_at_part(clear_box *w, const range *part, range *numbers) {
    struct box_growth *g = w->growth;
    w->credit--;
    for (uint32_t k = 0; k < w->count; k++) g->value[w->input[k]] = part[k];
    if (g->left) g->left--;
    return g->judge->part(g->judge, g->value, numbers);
}

// Is all clear together with this part?
static bool is_clear_with(clear_box *w, const range *part) {
    struct box_growth *g = w->growth;
    if (!look_at_part(w, part, g->part)) return false;
    for (uint32_t i = 0; i < w->numbers; i++) {
        const range a = g->held[i], b = g->part[i];
        g->with_part[i] = (range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    }
    return !g->judge->whole || g->judge->whole(g->judge, g->with_part);
}

// How much narrower the numbers, which g->part has, become with half the width of each input
static void weigh(clear_box *w, const range *part) {
    struct box_growth *g = w->growth;
    range *half = g->place, *numbers = g->part + w->numbers + 1;
    memcpy(half, part, sizeof(range) * w->count);
    for (uint32_t k = 0; k < w->count; k++) {
        const double width = range_width(part[k]);
        double narrower = 0;
        g->weight[k] = 0;
        if (!(width > 0)) continue;
        half[k] = (range){part[k].lo + width / 4, part[k].hi - width / 4};
        look_at_part(w, half, numbers);
        half[k] = part[k];
        for (uint32_t i = 0; i < w->numbers; i++) {
            const double was = range_width(g->part[i]), is = range_width(numbers[i]);
            if (is < was) narrower += isfinite(was) ? 1 - is / was : 1;
        }
        g->weight[k] = (narrower + 0.01) / width;
    }
    g->weighed = true;
}

static uint32_t heaviest(const clear_box *w, const range *part) {
    uint32_t best = 0;
    double most = -1;
    for (uint32_t k = 0; k < w->count; k++) {
        const double x = w->growth->weight[k] * range_width(part[k]);
        if (x > most) best = k, most = x;
    }
    return best;
}

// Into what has been added, halved where it must be
static bool add(clear_box *w, const range *part, uint32_t depth) {
    struct box_growth *g = w->growth;
    if (!g->left) return false;
    if (is_clear_with(w, part)) {
        memcpy(g->held, g->with_part, sizeof(range) * w->numbers);
        return true;
    }
    if (depth == DEEPEST) return false;
    if (!g->weighed) weigh(w, part);
    range *half = g->half + depth * (w->count + 1);
    memcpy(half, part, sizeof(range) * w->count);
    const uint32_t k = heaviest(w, part);
    const double middle = part[k].lo + range_width(part[k]) / 2;
    if (!(middle > part[k].lo && middle < part[k].hi)) return false;
    half[k].hi = middle;
    if (!add(w, half, depth + 1)) return false;
    half[k] = (range){middle, part[k].hi};
    return add(w, half, depth + 1);
}

static void begin(const clear_box *w, const range *held) {
    struct box_growth *g = w->growth;
    g->left = MOST_PARTS, g->weighed = false;
    for (uint32_t i = 0; i < w->numbers; i++)
        g->held[i] = held ? held[i] : (range){INFINITY, -INFINITY};
}

static bool is_bounded(const clear_box *w, const range *box) {
    for (uint32_t k = 0; k < w->count; k++)
        if (!isfinite(range_width(box[k]))) return false;
    return true;
}

static void keep(clear_box *w, uint32_t which) {
    const struct box_growth *g = w->growth;
    memcpy(w->box + (size_t)which * w->count, g->whole, sizeof(range) * w->count);
    memcpy(w->held + (size_t)which * w->numbers, g->held, sizeof(range) * w->numbers);
    w->now = which;
}

// --- a wider box ---------------------------------------------------------------------------------

// How far a box is from the step, in lengths of the step
static double distance(const clear_box *w, uint32_t which) {
    const range *box = w->box + (size_t)which * w->count;
    double sum = 0;
    for (uint32_t k = 0; k < w->count; k++) {
        const range a = w->step[k];
        sum += (fmax(box[k].lo - a.lo, 0) + fmax(a.hi - box[k].hi, 0)) /
               (range_width(a) + 1e-12 * range_size(a) + 1e-300);
    }
    return sum;
}

static uint32_t nearest(const clear_box *w) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < w->known; i++)
        if (distance(w, i) < distance(w, best)) best = i;
    return best;
}

// Each end that the step passes is moved, and what is between is added
static bool add_to_ends(clear_box *w) {
    struct box_growth *g = w->growth;
    for (uint32_t k = 0; k < w->count; k++) {
        const range was = g->whole[k], is = g->aim[k];
        for (int end = 0; end < 2; end++) {
            const range beside = end ? (range){was.hi, is.hi} : (range){is.lo, was.lo};
            if (!(beside.lo < beside.hi)) continue;
            memcpy(g->added, g->whole, sizeof(range) * w->count);
            g->added[k] = beside;
            if (!add(w, g->added, 0)) return false;
            if (end) g->whole[k].hi = is.hi;
            else g->whole[k].lo = is.lo;
        }
    }
    return true;
}

// .. by so many widths of the box beyond the step
static bool widen(clear_box *w, uint32_t which, double beyond) {
    struct box_growth *g = w->growth;
    const range *box = w->box + (size_t)which * w->count;
    begin(w, w->held + (size_t)which * w->numbers);
    for (uint32_t k = 0; k < w->count; k++) {
        const range a = w->step[k];
        const double more = beyond * range_width(box[k]), middle = a.lo + range_width(a) / 2;
        g->aim[k] = g->whole[k] = box[k];
        g->place[k] = range_of(middle);
        if (a.lo < box[k].lo) g->aim[k].lo = a.lo - more, g->place[k] = range_of(a.lo - more);
        if (a.hi > box[k].hi) g->aim[k].hi = a.hi + more, g->place[k] = range_of(a.hi + more);
    }
    // The far end first: most often what is in the way shows there
    if (!is_bounded(w, g->aim) || !is_clear_with(w, g->place) || !add_to_ends(w)) return false;
    keep(w, which);
    return true;
}

// --- a new box -----------------------------------------------------------------------------------

static uint32_t free_place(clear_box *w) {
    if (!w->box) {
        w->box = memory_array(range, (size_t)KEPT * w->count + 1);
        w->held = memory_array(range, (size_t)KEPT * w->numbers + 1);
    }
    if (w->known < KEPT) return w->known++;
    const uint32_t oldest = w->next;
    w->next = (oldest + 1) % KEPT;
    return oldest;
}

static bool found_around(clear_box *w, double reach) {
    struct box_growth *g = w->growth;
    begin(w, NULL);
    for (uint32_t k = 0; k < w->count; k++) {
        const range a = w->step[k];
        const double more = reach * range_width(a);
        g->whole[k] = (range){a.lo - more, a.hi + more};
    }
    if (!is_bounded(w, g->whole)) return false;
    for (int end = 0; end < 2; end++) {
        for (uint32_t k = 0; k < w->count; k++)
            g->place[k] = range_of(end ? g->whole[k].hi : g->whole[k].lo);
        if (!is_clear_with(w, g->place)) return false;
    }
    return add(w, g->whole, 0);
}

// --- growing -------------------------------------------------------------------------------------

static void grow(clear_box *w) {
    const uint32_t which = w->known ? nearest(w) : 0;
    for (int i = 0; w->known && i < AIMS; i++)
        if (widen(w, which, BEYOND[i])) return;
    if (found_around(w, w->reach)) {
        keep(w, free_place(w));
        w->reach = fmin(2 * w->reach, MOST_REACH);
        return;
    }
    w->reach = fmax(w->reach / 2, LEAST_REACH);
    if (found_around(w, 0)) keep(w, free_place(w));
}

void clear_box_grow(clear_box *w, const range *value, box_judge *j) {
    w->credit += w->pay;
    if (w->credit < 0) return;
    for (uint32_t k = 0; k < w->count; k++) w->step[k] = value[w->input[k]];
    if (!w->growth) w->growth = growth_create(w);
    w->growth->judge = j;
    grow(w);
}
