// Boxes of states in which nothing can hide: is a step in one of them?
#include "integrate/clear_box.h"

#include "base/memory.h"
#include "integrate/curve.h"

static const double FIRST_REACH = 4;
// Boxes may take as many looks as steps did, or as they have saved, beside some to begin with
enum { FIRST_CREDIT = 64, MOST_CREDIT = 1024, SHARED_CREDIT = 1 << 15, SHARED_PAY = 16 };

void clear_box_init(clear_box *w, uint32_t inputs, const bool *matters, uint32_t numbers) {
    *w = (clear_box){.input = memory_array(uint32_t, inputs + 1),
                     .step = memory_array(range, inputs + 1),
                     .inputs = inputs,
                     .numbers = numbers,
                     .reach = FIRST_REACH,
                     .credit = FIRST_CREDIT,
                     .pay = 1};
    for (uint32_t i = 0; i < inputs; i++)
        if (matters[i]) w->input[w->count++] = i;
}

void clear_box_forget(clear_box *w) {
    w->known = w->now = w->next = 0;
    w->reach = FIRST_REACH, w->credit = FIRST_CREDIT;
}

void clear_box_share(clear_box *w) { w->credit = SHARED_CREDIT, w->pay = SHARED_PAY; }

void clear_box_free(clear_box *w) {
    memory_free(w->input), memory_free(w->step), memory_free(w->box), memory_free(w->held);
    clear_box_growth_free(w->growth);
}

const range *clear_box_now(const clear_box *w) {
    return w->known ? w->box + (size_t)w->now * w->count : NULL;
}

static bool is_in(const clear_box *w, uint32_t which) {
    const range *box = w->box + (size_t)which * w->count;
    for (uint32_t k = 0; k < w->count; k++)
        if (!(w->step[k].lo >= box[k].lo && w->step[k].hi <= box[k].hi)) return false;
    return true;
}

// The box of the step before first
static bool find(clear_box *w) {
    if (w->credit < MOST_CREDIT) w->credit += w->pay;
    if (w->known && is_in(w, w->now)) return true;
    for (uint32_t i = 0; i < w->known; i++)
        if (is_in(w, i)) return w->now = i, true;
    return false;
}

bool clear_box_holds(clear_box *w, const range *value) {
    for (uint32_t k = 0; k < w->count; k++) w->step[k] = value[w->input[k]];
    return find(w);
}

// The cubic z + s h f + s^2 h c + s^3 h d, s = 0 .. 1, around its middle: z(1/2), its slope there,
// and |z''| <= |2 c + 6 d s| / h; twice what that adds, for the solution is not the cubic
bool clear_box_holds_ends(clear_box *w, uint32_t n, double t, double h, const double *z,
                          const double *f, const double *z1, const double *f1) {
    if (!w->known) return false;
    const double over = 1 / h;
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t i = w->input[k];
        double middle = t + h / 2, radius = h / 2;
        if (i < n) {
            const double gap = (z1[i] - z[i]) * over, c = 3 * gap - 2 * f[i] - f1[i],
                         d = f[i] + f1[i] - 2 * gap;
            middle = z[i] + h * (f[i] / 2 + c / 4 + d / 8);
            radius = h * (fabs(f[i] + c + 0.75 * d) / 2 + (2 * fabs(c) + 6 * fabs(d)) / 4) +
                     2e-15 * fabs(middle);
        }
        w->step[k] = range_around(middle, radius);
    }
    return find(w);
}

bool clear_box_holds_curve(clear_box *w, uint32_t n, const curve *c, double h) {
    if (!w->known) return false;
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t i = w->input[k];
        w->step[k] = i < n ? curve_reach(c, i, h) : (range){c->from, c->from + h};
    }
    return find(w);
}
