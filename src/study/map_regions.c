// Strips between curves, joined to regions; one point of each is judged in balls.
#include "study/map_regions.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 240, BITS = 128 };
static const double LEAST = 1e-7; // the height of a strip that is looked at

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Where the curves cross a column
static uint32_t crossings(const stability_map *m, double u, double **out) {
    uint32_t count = 0, capacity = 16;
    double *v = memory_array(double, capacity);
    v[count++] = 0, v[count++] = 1;
    for (uint32_t i = 0; i < m->curves; i++)
        for (uint32_t k = 0; k + 1 < m->curve[i].count; k++) {
            const map_curve *c = &m->curve[i];
            if ((c->u[k] <= u) == (c->u[k + 1] <= u)) continue;
            if (count == capacity) capacity *= 2, memory_grow(v, capacity);
            v[count++] =
                c->v[k] + (u - c->u[k]) / (c->u[k + 1] - c->u[k]) * (c->v[k + 1] - c->v[k]);
        }
    qsort(v, count, sizeof *v, by_size);
    *out = v;
    return count;
}

static stability_verdict verdict_at(map_net *net, double u, double v) {
    stability_verdict verdict;
    if (!map_net_verdict(net, u, v, &verdict)) net->m->lost++;
    return verdict;
}

static void add_strips(stability_map *m, map_net *net, uint32_t column) {
    const double u = (column + 0.5) / COLUMNS;
    double *v;
    const uint32_t count = crossings(m, u, &v);
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (v[i + 1] - v[i] < LEAST) continue;
        memory_grow(m->strip, m->strips + 1);
        m->strip[m->strips++] = (map_strip){(double)column / COLUMNS,
                                            (double)(column + 1) / COLUMNS,
                                            v[i],
                                            v[i + 1],
                                            verdict_at(net, u, (v[i] + v[i + 1]) / 2),
                                            0};
    }
    memory_free(v);
}

// Strips of neighbouring columns that overlap belong together: the smaller number wins, until
// nothing changes.
static void join(stability_map *m) {
    for (uint32_t i = 0; i < m->strips; i++) m->strip[i].region = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < m->strips; i++)
            for (uint32_t k = i + 1; k < m->strips && m->strip[k].u0 <= m->strip[i].u1; k++) {
                map_strip *a = &m->strip[i], *b = &m->strip[k];
                if (a->verdict != b->verdict || a->u0 == b->u0 || a->v1 <= b->v0 || b->v1 <= a->v0)
                    continue;
                if (a->region == b->region) continue;
                const uint32_t least = a->region < b->region ? a->region : b->region;
                a->region = b->region = least, changed = true;
            }
    }
}

static bool is_proved(map_net *net, const map_region *r) {
    path_point at;
    bool proved = map_net_point(net, r->u, r->v, BITS, &at);
    if (proved) path_point_enclose(net->m->path, &at);
    proved = proved && at.proved && path_point_linearise(net->m->path, &at, NULL) &&
             spectrum_judge(&(spectrum){.c = at.polynomial}, net->m->kind, BITS) == r->verdict;
    path_point_clear(&at);
    return proved;
}

void map_regions_find(stability_map *m, map_net *net) {
    for (uint32_t i = 0; i < COLUMNS; i++) add_strips(m, net, i);
    join(m);
    for (uint32_t i = 0; i < m->strips; i++) {
        if (m->strip[i].region != i) continue;
        uint32_t best = i;
        for (uint32_t k = i; k < m->strips; k++)
            if (m->strip[k].region == i &&
                m->strip[k].v1 - m->strip[k].v0 > m->strip[best].v1 - m->strip[best].v0)
                best = k;
        const map_strip *s = &m->strip[best];
        map_region r = {(s->u0 + s->u1) / 2, (s->v0 + s->v1) / 2, s->verdict, false};
        r.proved = s->verdict != STABLE_UNDECIDED && is_proved(net, &r);
        memory_grow(m->region, m->regions + 1);
        m->region[m->regions++] = r;
    }
}
