// Which closed contacts act on one another: each group of them is a problem of its own.
#include "simulate/contact_law_parts.h"

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
