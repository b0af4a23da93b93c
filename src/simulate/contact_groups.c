// Which closed contacts act on one another: each group of them is a problem of its own.
#include "simulate/contact_law_parts.h"

#include "base/memory.h"

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

// Is the symmetric matrix of `count` rows, positive semidefinite, singular? Its largest remaining
// pivot falls to rounding before the end. It is overwritten.
static bool is_singular(uint32_t count, double *g) {
    static const double NOTHING = 1e-10;
    double first = 0;
    for (uint32_t step = 0; step < count; step++) {
        uint32_t p = step;
        for (uint32_t i = step; i < count; i++)
            if (g[i * count + i] > g[p * count + p]) p = i;
        const double pivot = g[p * count + p];
        if (!step) first = pivot;
        if (!(pivot > NOTHING * first)) return true;
        for (uint32_t i = 0; i < count; i++) { // rows, then columns change places
            const double kept = g[step * count + i];
            g[step * count + i] = g[p * count + i], g[p * count + i] = kept;
        }
        for (uint32_t i = 0; i < count; i++) {
            const double kept = g[i * count + step];
            g[i * count + step] = g[i * count + p], g[i * count + p] = kept;
        }
        for (uint32_t i = step + 1; i < count; i++)
            for (uint32_t j = step + 1; j < count; j++)
                g[i * count + j] -= g[i * count + step] * g[step * count + j] / pivot;
    }
    return false;
}

// The directions in which closed contacts of a group hold: normals, or all of those that stick in
// a plane
static uint32_t list_holding(const contact_law *w, const contact_state *state, uint32_t group,
                             bool sticking, uint32_t *member) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->contacts; i++) {
        if (!state[i].is_closed || state[i].group != group) continue;
        if (!sticking) member[count++] = w->first[i];
        else if (state[i].mode == MODE_STICKING && w->s->model->contacts[i].tangents == 2)
            for (uint32_t j = 0; j < 3; j++) member[count++] = w->first[i] + j;
    }
    return count;
}

bool contact_law_share_is_open(const contact_law *w, const contact_state *state, bool sticking) {
    double *g = memory_array(double, w->directions * w->directions + 1);
    uint32_t *member = memory_array(uint32_t, w->directions + 1);
    bool open = false;
    for (uint32_t group = 0; group < w->contacts && !open; group++) {
        const uint32_t count = list_holding(w, state, group, sticking, member);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t j = 0; j < count; j++)
                g[i * count + j] = w->g[member[i] * w->directions + member[j]];
        open = count > 1 && is_singular(count, g);
    }
    memory_free(g), memory_free(member);
    return open;
}
