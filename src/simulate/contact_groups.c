// Which closed contacts act on one another: each group of them is a problem of its own.
#include "simulate/contact_law_parts.h"

#include "base/memory.h"
#include "execute/elimination.h"

#include <math.h>

// Do forces of one contact change rates of the other?
static bool are_coupled(const contact_law *w, uint32_t a, uint32_t b) {
    static const double NOTHING = 1e-14;
    const uint32_t d = w->directions;
    for (uint32_t i = w->first[a]; i <= w->first[a] + w->s->model->contacts[a].tangents; i++)
        for (uint32_t j = w->first[b]; j <= w->first[b] + w->s->model->contacts[b].tangents; j++)
            if (fabs(w->g[i * d + j]) > NOTHING * sqrt(fabs(w->g[i * d + i] * w->g[j * d + j])))
                return true;
    return false;
}

uint32_t contact_law_group(contact_law *w, contact_state *state) {
    uint32_t largest = 0;
    for (uint32_t i = 0; i < w->contacts; i++) {
        uint32_t size = 0;
        state[i].group = i;
        for (uint32_t k = 0; k < i && state[i].is_closed; k++) {
            if (!state[k].is_closed || state[k].group == state[i].group || !are_coupled(w, i, k))
                continue;
            const uint32_t from = state[i].group, to = state[k].group;
            for (uint32_t l = 0; l <= i; l++)
                if (state[l].group == from) state[l].group = to;
        }
        for (uint32_t k = 0; k <= i; k++)
            size += state[k].is_closed && state[k].group == state[i].group;
        largest = size > largest ? size : largest;
    }
    return largest;
}

// Does a contact hold along its line? It sticks, or it is called sliding and does not move: with
// others it holds by as much as its friction can.
static bool holds_along(const contact_law *w, const contact_state *x, uint32_t i) {
    static const double NOTHING = 1e-9;
    if (w->s->model->contacts[i].tangents != 1 || !(w->values[i].hold > 0)) return false;
    const uint32_t at = w->first[i] + 1;
    return x->mode == MODE_STICKING ||
           (x->mode != MODE_FREE && x->mode != MODE_RESTING && !x->slides &&
            fabs(x->rate[1]) <= NOTHING * fmax(w->sizes[at], fabs(w->rate[at])));
}

// The directions in which closed contacts of a group hold: normals and lines, or all of those that
// stick in a plane
static uint32_t list_holding(const contact_law *w, const contact_state *state, uint32_t group,
                             bool sticking, uint32_t *member) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->contacts; i++) {
        if (!state[i].is_closed || state[i].group != group) continue;
        const uint32_t tangents = w->s->model->contacts[i].tangents, first = w->first[i];
        if (!sticking) member[count++] = first;
        if (!sticking && holds_along(w, &state[i], i)) member[count++] = first + 1;
        if (sticking && state[i].mode == MODE_STICKING && tangents == 2)
            for (uint32_t j = 0; j <= tangents; j++) member[count++] = first + j;
    }
    return count;
}

bool contact_law_share_is_open(const contact_law *w, const contact_state *state, bool sticking) {
    double *g = memory_array(double, w->directions * w->directions + 1);
    uint32_t *member = memory_array(uint32_t, w->directions + 1);
    static const double NOTHING = 1e-10;
    bool open = false;
    for (uint32_t group = 0; group < w->contacts && !open; group++) {
        const uint32_t count = list_holding(w, state, group, sticking, member);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < count; j++)
                g[i * count + j] = w->g[member[i] * w->directions + member[j]];
        if (count < 2) continue;
        const pivot_sizes size = elimination_pivots(count, count, g);
        open = !(size.smallest > NOTHING * size.largest);
    }
    memory_free(g), memory_free(member);
    return open;
}
