// A box of states in which nothing can hide: as wide as it pays.
#include "integrate/clear_box.h"

#include "base/memory.h"
#include "integrate/curve.h"

static const double FIRST_REACH = 4, LEAST_REACH = 1, MOST_REACH = 1e9, GROWTH = 2, LOSS = 2;
enum { MOST_WAIT = 256 };

void clear_box_init(clear_box *w, uint32_t inputs, const bool *matters) {
    *w = (clear_box){.input = memory_array(uint32_t, inputs + 1),
                     .box = memory_array(range, inputs + 1),
                     .reach = FIRST_REACH};
    for (uint32_t i = 0; i < inputs; i++) {
        if (!matters[i]) continue;
        w->box[w->count] = (range){INFINITY, -INFINITY};
        w->input[w->count++] = i;
    }
}

void clear_box_forget(clear_box *w) {
    for (uint32_t k = 0; k < w->count; k++) w->box[k] = (range){INFINITY, -INFINITY};
    w->reach = FIRST_REACH, w->pause = w->wait = 0;
}

void clear_box_free(clear_box *w) { memory_free(w->input), memory_free(w->box); }

bool clear_box_holds(const clear_box *w, const range *value) {
    for (uint32_t k = 0; k < w->count; k++) {
        const range a = value[w->input[k]];
        if (!(a.lo >= w->box[k].lo && a.hi <= w->box[k].hi)) return false;
    }
    return true;
}

// The cubic z + s h f + s^2 h c + s^3 h d, s = 0 .. 1, around its middle: z(1/2), its slope there,
// and |z''| <= |2 c + 6 d s| / h; twice what that adds, for the solution is not the cubic
bool clear_box_holds_ends(const clear_box *w, uint32_t n, double t, double h, const double *z,
                          const double *f, const double *z1, const double *f1) {
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
        if (!(middle - radius >= w->box[k].lo && middle + radius <= w->box[k].hi)) return false;
    }
    return true;
}

bool clear_box_holds_curve(const clear_box *w, uint32_t n, const curve *c, double h) {
    for (uint32_t k = 0; k < w->count; k++) {
        const uint32_t i = w->input[k];
        const range a = i < n ? curve_reach(c, i, h) : (range){c->from, c->from + h};
        if (!(a.lo >= w->box[k].lo && a.hi <= w->box[k].hi)) return false;
    }
    return true;
}

bool clear_box_widen(clear_box *w, range *value) {
    if (w->pause) {
        w->pause--;
        return false;
    }
    for (uint32_t k = 0; k < w->count; k++) {
        range *a = &value[w->input[k]];
        const double more = w->reach * range_width(*a);
        a->lo -= more, a->hi += more;
    }
    return true;
}

void clear_box_learn(clear_box *w, const range *value, bool clear) {
    if (clear) {
        for (uint32_t k = 0; k < w->count; k++) w->box[k] = value[w->input[k]];
        w->reach = fmin(w->reach * GROWTH, MOST_REACH), w->wait = 0;
    } else if (w->reach > LEAST_REACH) {
        w->reach = fmax(w->reach / LOSS, LEAST_REACH);
    } else {
        w->wait = w->wait < MOST_WAIT ? 2 * w->wait + 1 : MOST_WAIT;
        w->pause = w->wait;
    }
}
