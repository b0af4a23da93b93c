// The first look of a lookout: over the box of a step, or over boxes of its parts.
#include "integrate/lookout_internal.h"

#include <math.h>

enum {
    PARTS = 8, // at most, where each may be halved ..
    MOST_HALVINGS = 4,
    EASY = 32, // looks that suffice at once, after which half as many parts are tried
};

// .. over the box that is set
static bool box_is_settled(lookout *w) {
    for (const task *k = w->tasks, *end = k + w->task_count; k < end; k++) {
        if (k->judged && !lookout_is_settled(w, k->step)) return false;
        if (k->computed) range_machine_step(&w->at, k->step);
    }
    return true;
}

// What holds all parts so far
static void add_to_hull(lookout *w, bool first) {
    for (uint32_t i = 0; i < w->hulled_count; i++) {
        const uint32_t r = w->hulled[i];
        const range a = w->hull[r], b = w->at.value[r];
        w->hull[r] = first ? b : (range){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
    }
}

static bool hull_is_settled(lookout *w) {
    range *one_box = w->at.value;
    w->at.value = w->hull;
    bool settled = true;
    for (const task *k = w->tasks, *end = k + w->task_count; k < end && settled; k++)
        settled = !k->judged || lookout_is_settled(w, k->step);
    w->at.value = one_box;
    return settled;
}

// Halved until all is settled over each half; false where some part stays unsettled
static bool gather_part(lookout *w, const curve *c, double a, double b, int halvings, bool first) {
    lookout_set_box(w, c, a, b, true);
    if (box_is_settled(w)) {
        add_to_hull(w, first);
        return true;
    }
    const double middle = a + (b - a) / 2;
    return halvings > 0 && gather_part(w, c, a, middle, halvings - 1, first) &&
           gather_part(w, c, middle, b, halvings - 1, false);
}

static bool settled_in_parts(lookout *w, const curve *c, double a, double b, uint32_t parts) {
    int halvings = MOST_HALVINGS;
    for (uint32_t k = parts; k < PARTS; k *= 2) halvings++;
    for (uint32_t i = 0; i < parts; i++)
        if (!gather_part(w, c, a + (b - a) * i / parts, a + (b - a) * (i + 1) / parts, halvings,
                         !i))
            return false;
    return hull_is_settled(w);
}

// More parts see more and cost more: it begins with as many as the look before needed, and with
// fewer now and then. What is settled over few parts is settled over more of them, so that the
// answer does not depend on where it began.
bool lookout_all_settled(lookout *w, const curve *c, double a, double b) {
    const bool fewer = w->parts > 1 && w->easy >= EASY;
    uint32_t parts = fewer ? w->parts / 2 : w->parts;
    bool settled = false;
    if (fewer) w->easy = 0;
    for (w->easy++; parts <= PARTS && !settled; parts *= 2) {
        if (parts == 1) lookout_set_box(w, c, a, b, true);
        settled = parts == 1 ? box_is_settled(w) : settled_in_parts(w, c, a, b, parts);
        if (!settled) w->easy = 0;
        else w->parts = parts;
    }
    if (!settled) w->parts = PARTS;
    return settled;
}

// --- boxes in which all is settled ---------------------------------------------------------------

// What is settled over a box must be settled over each step in it, whose own parts are others: so a
// box is held to somewhat less. And ranges over a part of it may be too wide by what one part of it
// may change, which the whole then has not got to spare.
static const double OF_BOX = 0.9;
static double fold_of_part(double fold) { return sqrt(fold); }

static bool part_is_settled(box_judge *j, const range *value, range *numbers) {
    lookout *w = ((settled_judge *)j)->w;
    const double fold = w->fold;
    bool settled = true;
    w->fold = fold_of_part(fold);
    for (uint32_t k = 0; k < w->clear.count; k++)
        w->at.value[w->clear.input[k]] = value[w->clear.input[k]];
    for (const task *k = w->tasks, *end = k + w->task_count; k < end; k++) {
        settled = settled && (!k->judged || lookout_is_settled(w, k->step));
        if (k->computed) range_machine_step(&w->at, k->step);
    }
    for (uint32_t i = 0; i < w->hulled_count; i++) numbers[i] = w->at.value[w->hulled[i]];
    w->fold = fold;
    return settled;
}

static bool whole_is_settled(box_judge *j, const range *numbers) {
    lookout *w = ((settled_judge *)j)->w;
    const double fold = w->fold;
    w->fold = OF_BOX * fold;
    for (uint32_t i = 0; i < w->hulled_count; i++) w->hull[w->hulled[i]] = numbers[i];
    const bool settled = hull_is_settled(w);
    w->fold = fold;
    return settled;
}

settled_judge lookout_judge_of(lookout *w) {
    return (settled_judge){{part_is_settled, whole_is_settled}, w};
}
