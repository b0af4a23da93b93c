// Contacts by cases: each contact open, sticking or sliding, all together a linear system.
#include "simulate/complementarity.h"

#include "base/memory.h"
#include "execute/elimination.h"

#include <math.h>
#include <string.h>

// Numbers this far outside of what the law asks for count as rounding, as a part of the largest
// number of the kind; solutions that differ by more than the other are two.
static const double ROUNDING = 1e-9, DIFFERENT = 1e-6;
// So far beside the rate may the direction be in which a contact begins to slide.
static const double ASKEW = 1e-8;

typedef struct {
    uint32_t count, n;
    const closed_contact *contact;
    const double *g, *c;
    contact_answer *answer; // of the case under way
    double *force, *rate, *matrix;
    double rate_scale, force_scale;
    contact_answer *first;
    bool first_is_free; // of redundancy
    complementarity_result *out;
} work;

// --- one case ------------------------------------------------------------------------------------

// Row i of the system says: y_i = 0, or P_i = 0, or P_i + mu d_i P_n = 0.
static void solve_case(work *w) {
    const uint32_t n = w->n;
    memset(w->matrix, 0, sizeof(double) * n * n);
    for (uint32_t k = 0; k < w->count; k++) {
        const closed_contact *t = &w->contact[k];
        const contact_answer *a = &w->answer[k];
        for (uint32_t i = t->first; i <= t->first + t->tangents; i++) {
            const bool normal = i == t->first;
            if (a->mode == MODE_STICKING || (normal && a->mode != MODE_FREE)) { // G P = -c
                memcpy(w->matrix + i * n, w->g + i * n, sizeof(double) * n);
                w->force[i] = -w->c[i];
                continue;
            }
            w->matrix[i * n + i] = 1, w->force[i] = 0;
            if (a->mode != MODE_FREE) // P_t + mu d P_n = 0
                w->matrix[i * n + t->first] = t->rub * a->along[i - t->first - 1];
        }
    }
    elimination_solve(n, w->matrix, 1, w->force);
    for (uint32_t i = 0; i < n; i++) {
        w->rate[i] = w->c[i];
        for (uint32_t j = 0; j < n; j++) w->rate[i] += w->g[i * n + j] * w->force[j];
    }
}

static double size_of(uint32_t count, const double *v) {
    return count == 0 ? 0 : count == 1 ? fabs(v[0]) : hypot(v[0], v[1]);
}

// Does contact k obey the law with these forces and rates?
static bool obeys(const work *w, uint32_t k) {
    const closed_contact *t = &w->contact[k];
    const contact_answer *a = &w->answer[k];
    const double *p = w->force + t->first, *y = w->rate + t->first,
                 slack = ROUNDING * w->rate_scale, push = ROUNDING * w->force_scale;
    if (a->mode == MODE_FREE) return y[0] >= -slack;
    if (!(fabs(y[0]) <= slack) || !(p[0] >= -push)) return false;
    if (a->mode == MODE_STICKING) {
        for (uint32_t i = 1; i <= t->tangents; i++)
            if (!(fabs(y[i]) <= slack)) return false;
        return size_of(t->tangents, p + 1) <= t->hold * p[0] * (1 + ROUNDING) + push;
    }
    double ahead = 0, across = 0; // the rate along the direction that was supposed, and beside it
    for (uint32_t i = 0; i < t->tangents; i++) ahead += y[1 + i] * a->along[i];
    if (t->tangents == 2) across = a->along[0] * y[2] - a->along[1] * y[1];
    return t->slides || (ahead >= -slack && fabs(across) <= ASKEW * w->rate_scale);
}

static bool differs(const work *w) {
    for (uint32_t i = 0; i < w->n; i++)
        if (fabs(w->rate[i] - w->out->rate[i]) > DIFFERENT * w->rate_scale) return true;
    return false;
}

// A contact that is held by more than what keeps it sliding may stick or slide: it sticks.
static bool is_held_instead(const work *w) {
    for (uint32_t k = 0; k < w->count; k++)
        if (w->first[k].mode == MODE_STICKING && w->answer[k].mode != MODE_STICKING &&
            w->answer[k].mode != MODE_FREE && w->contact[k].hold > w->contact[k].rub)
            return true;
    return false;
}

// Do two contacts push along the same line of the same body: is G the same for both?
static bool push_alike(const work *w, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < w->n; i++) {
        const double first = w->g[i * w->n + a], second = w->g[i * w->n + b],
                     most = sqrt(fabs(w->g[i * w->n + i] * w->g[a * w->n + a]));
        if (fabs(first - second) > ROUNDING * most) return false;
    }
    return true;
}

// Do the contacts hold no more than it takes? Directions in which they hold are independent; of
// those that stick along one line, one counts. A contact that would begin to slide in a plane, and
// does not move, has no direction.
static bool holds_no_more(work *w) {
    static const double NOTHING = 1e-10;
    uint32_t *held = memory_array(uint32_t, w->n + 1), count = 0;
    bool good = true;
    for (uint32_t k = 0; k < w->count; k++) {
        const closed_contact *t = &w->contact[k];
        const contact_mode mode = w->answer[k].mode;
        if (mode == MODE_FREE) continue;
        held[count++] = t->first;
        good = good && (mode != MODE_SLIDING || t->tangents != 2 || t->slides);
        for (uint32_t i = 1; i <= t->tangents && mode == MODE_STICKING; i++) {
            bool known = false;
            for (uint32_t l = 0; l < k && t->tangents == 1; l++)
                known |= w->answer[l].mode == MODE_STICKING && w->contact[l].tangents == 1 &&
                         push_alike(w, w->contact[l].first + 1, t->first + 1);
            if (!known) held[count++] = t->first + i;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < count; j++)
            w->matrix[i * count + j] = w->g[held[i] * w->n + held[j]];
    const pivot_sizes size = elimination_pivots(count, count, w->matrix);
    memory_free(held);
    return good && (!count || size.smallest > NOTHING * size.largest);
}

// Contacts that stick along one line share what they hold: each as much as its normal force allows.
static void share(work *w) {
    for (uint32_t k = 0; k < w->count; k++) {
        const closed_contact *t = &w->contact[k];
        double held = 0, limit = 0;
        if (w->answer[k].mode != MODE_STICKING || t->tangents != 1) continue;
        for (int pass = 0; pass < 2; pass++)
            for (uint32_t l = 0; l < w->count; l++) {
                const closed_contact *o = &w->contact[l];
                if (w->answer[l].mode != MODE_STICKING || o->tangents != 1 ||
                    !push_alike(w, t->first + 1, o->first + 1))
                    continue;
                const double most = o->hold * fmax(w->force[o->first], 0);
                if (!pass) held += w->force[o->first + 1], limit += most;
                else if (limit > 0) w->force[o->first + 1] = held * most / limit;
            }
    }
}

static void take_case(work *w) {
    share(w);
    for (uint32_t k = 0; k < w->count; k++)
        if (!obeys(w, k)) return;
    const bool is_free = holds_no_more(w);
    // of several ways to share a load the first that leaves out what is not needed: each of its
    // forces is determined
    if (!w->out->solutions || (is_free && !w->first_is_free && !differs(w))) {
        w->first_is_free = is_free;
        memcpy(w->out->force, w->force, sizeof(double) * w->n);
        memcpy(w->out->rate, w->rate, sizeof(double) * w->n);
        memcpy(w->first, w->answer, sizeof(contact_answer) * w->count);
        w->out->solutions = w->out->solutions ? w->out->solutions : 1;
    } else if (!is_held_instead(w) && differs(w)) {
        w->out->solutions++;
    }
}

// --- directions of sliding -----------------------------------------------------------------------

// A contact that begins to slide in a plane does so along its own rate: d x y_t(d) = 0 with
// d . y_t(d) > 0. All such d: changes of sign over the circle, halved.
static double across(work *w, uint32_t k, double angle) {
    contact_answer *a = &w->answer[k];
    a->along[0] = cos(angle), a->along[1] = sin(angle);
    solve_case(w);
    const double *y = w->rate + w->contact[k].first + 1;
    return a->along[0] * y[1] - a->along[1] * y[0];
}

static void try_directions(work *w, uint32_t k) {
    enum { PLACES = 180, HALVINGS = 60 };
    const double step = 2 * M_PI / PLACES, offset = 0.0123; // no special direction falls on a place
    double before = across(w, k, offset);
    for (int i = 1; i <= PLACES; i++) {
        double low = offset + (i - 1) * step, high = offset + i * step;
        const double behind = across(w, k, high);
        if ((before > 0) != (behind > 0)) {
            for (int j = 0; j < HALVINGS; j++) {
                const double middle = (low + high) / 2;
                if ((across(w, k, middle) > 0) == (before > 0)) low = middle;
                else high = middle;
            }
            across(w, k, (low + high) / 2);
            take_case(w);
        }
        before = behind;
    }
}

// Several that begin to slide at once: each is turned towards its rate, by a part of the way. The
// largest turn that was left.
static double turn_directions(work *w, double part) {
    double moved = 0;
    solve_case(w);
    for (uint32_t k = 0; k < w->count; k++) {
        const closed_contact *t = &w->contact[k];
        contact_answer *a = &w->answer[k];
        const double *y = w->rate + t->first + 1, size = size_of(t->tangents, y);
        if (a->mode != MODE_SLIDING || t->tangents != 2 || t->slides || !(size > 0)) continue;
        for (int i = 0; i < 2; i++) {
            const double to = y[i] / size;
            moved = fmax(moved, fabs(to - a->along[i]));
            a->along[i] += part * (to - a->along[i]);
        }
        const double length = size_of(2, a->along);
        for (int i = 0; i < 2 && length > 0; i++) a->along[i] /= length;
    }
    return moved;
}

// Again and again until they stay; by smaller parts where they turn to and fro
static void iterate_directions(work *w) {
    enum { ROUNDS = 400 };
    static const double STILL = 1e-14;
    for (double part = 0.5; part > 0.02; part /= 4)
        for (int round = 0; round < ROUNDS / part; round++)
            if (turn_directions(w, part) < STILL) {
                solve_case(w);
                take_case(w);
                return;
            }
}

// --- all cases -----------------------------------------------------------------------------------

static void try_case(work *w) {
    uint32_t open = 0, which = 0; // contacts whose direction is not known
    for (uint32_t k = 0; k < w->count; k++) {
        const closed_contact *t = &w->contact[k];
        if (w->answer[k].mode != MODE_SLIDING || t->tangents != 2 || t->slides) continue;
        open++, which = k;
        const double *c = w->c + t->first + 1, size = size_of(2, c);
        for (int i = 0; i < 2; i++) w->answer[k].along[i] = size > 0 ? c[i] / size : i == 0;
    }
    if (open == 1) try_directions(w, which);
    else if (open) iterate_directions(w);
    else {
        solve_case(w);
        take_case(w);
    }
}

static void try_from(work *w, uint32_t k) {
    // what may be closed or open, with neither force nor rate, is closed
    static const contact_mode order[] = {MODE_STICKING, MODE_SLIDING, MODE_SLIDING_BACK, MODE_FREE};
    if (k == w->count) {
        try_case(w);
        return;
    }
    const closed_contact *t = &w->contact[k];
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        contact_answer *a = &w->answer[k];
        const bool back = order[i] == MODE_SLIDING_BACK;
        if (!t->allowed[order[i]]) continue;
        *a = (contact_answer){.mode = order[i]};
        if (t->slides) memcpy(a->along, t->along, sizeof a->along);
        else a->along[0] = back ? -1 : 1;
        try_from(w, k + 1);
    }
}

void complementarity_solve(uint32_t count, const closed_contact *contact, uint32_t directions,
                           const double *g, const double *c, double size, contact_answer *answer,
                           complementarity_result *out) {
    const uint32_t n = directions;
    double *numbers = memory_array(double, (size_t)n *n + 2 * n + 1);
    contact_answer tried[MOST_CLOSED];
    work w = {.count = count,
              .n = n,
              .contact = contact,
              .g = g,
              .c = c,
              .answer = tried,
              .rate_scale = size,
              .matrix = numbers,
              .force = numbers + n * n,
              .rate = numbers + n * n + n,
              .first = answer,
              .out = out};
    double softest = 0; // the largest of the diagonal of G
    for (uint32_t i = 0; i < n; i++) {
        w.rate_scale = fmax(w.rate_scale, fabs(c[i]));
        softest = fmax(softest, g[i * n + i]);
    }
    w.force_scale = softest > 0 ? w.rate_scale / softest : 0;
    out->solutions = 0;
    try_from(&w, 0);
    memory_free(numbers);
}
