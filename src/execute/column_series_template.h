// The loops of column_series.h, for processors with fused products and without. Included with
//   NAME(x)   the names of the functions
// A vector times a number is added to a vector, and the compiler fuses the two where it may.
#include "execute/column_series.h"

#include <string.h>

typedef double lanes __attribute__((vector_size(8 * COLUMN_LANES), aligned(8), may_alias));

#define AT(p) (*(const lanes *)(p))
#define ADD_TO(p, v) (*(lanes *)(p) += (v))

// Where the sums of a group begin: entries of A at order 0, the columns at order k, and how far the
// next order is from one
typedef struct {
    const double *a, *z;
    size_t a_step, z_step;
    uint32_t k;
} sums;

// to_r += sum_{j=0..k} a_r,j z_{k-j} for some rows r and two vectors of columns
static void add_4(const column_group *g, sums w, double *next) {
    lanes s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, h0 = {0}, h1 = {0}, h2 = {0}, h3 = {0};
    const uint32_t e0 = g->entry[0], e1 = g->entry[1], e2 = g->entry[2], e3 = g->entry[3];
    for (uint32_t j = 0; j <= w.k; j++, w.a += w.a_step, w.z -= w.z_step) {
        const lanes x = AT(w.z), y = AT(w.z + COLUMN_LANES);
        s0 += w.a[e0] * x, h0 += w.a[e0] * y, s1 += w.a[e1] * x, h1 += w.a[e1] * y;
        s2 += w.a[e2] * x, h2 += w.a[e2] * y, s3 += w.a[e3] * x, h3 += w.a[e3] * y;
    }
    ADD_TO(next + g->to[0], s0), ADD_TO(next + g->to[0] + COLUMN_LANES, h0);
    ADD_TO(next + g->to[1], s1), ADD_TO(next + g->to[1] + COLUMN_LANES, h1);
    ADD_TO(next + g->to[2], s2), ADD_TO(next + g->to[2] + COLUMN_LANES, h2);
    ADD_TO(next + g->to[3], s3), ADD_TO(next + g->to[3] + COLUMN_LANES, h3);
}

static void add_3(const column_group *g, sums w, double *next) {
    lanes s0 = {0}, s1 = {0}, s2 = {0}, h0 = {0}, h1 = {0}, h2 = {0};
    const uint32_t e0 = g->entry[0], e1 = g->entry[1], e2 = g->entry[2];
    for (uint32_t j = 0; j <= w.k; j++, w.a += w.a_step, w.z -= w.z_step) {
        const lanes x = AT(w.z), y = AT(w.z + COLUMN_LANES);
        s0 += w.a[e0] * x, h0 += w.a[e0] * y, s1 += w.a[e1] * x, h1 += w.a[e1] * y;
        s2 += w.a[e2] * x, h2 += w.a[e2] * y;
    }
    ADD_TO(next + g->to[0], s0), ADD_TO(next + g->to[0] + COLUMN_LANES, h0);
    ADD_TO(next + g->to[1], s1), ADD_TO(next + g->to[1] + COLUMN_LANES, h1);
    ADD_TO(next + g->to[2], s2), ADD_TO(next + g->to[2] + COLUMN_LANES, h2);
}

// One or two rows have too few sums for a processor to overlap: even and odd j apart
static void add_2(const column_group *g, sums w, double *next) {
    lanes s0 = {0}, s1 = {0}, h0 = {0}, h1 = {0}, t0 = {0}, t1 = {0}, g0 = {0}, g1 = {0};
    const uint32_t e0 = g->entry[0], e1 = g->entry[1];
    uint32_t j = 0;
    for (; j < w.k; j += 2, w.a += 2 * w.a_step, w.z -= 2 * w.z_step) {
        const double *a = w.a + w.a_step, *z = w.z - w.z_step;
        const lanes x = AT(w.z), y = AT(w.z + COLUMN_LANES), u = AT(z), v = AT(z + COLUMN_LANES);
        s0 += w.a[e0] * x, h0 += w.a[e0] * y, t0 += a[e0] * u, g0 += a[e0] * v;
        s1 += w.a[e1] * x, h1 += w.a[e1] * y, t1 += a[e1] * u, g1 += a[e1] * v;
    }
    if (j == w.k) {
        const lanes x = AT(w.z), y = AT(w.z + COLUMN_LANES);
        s0 += w.a[e0] * x, h0 += w.a[e0] * y, s1 += w.a[e1] * x, h1 += w.a[e1] * y;
    }
    ADD_TO(next + g->to[0], s0 + t0), ADD_TO(next + g->to[0] + COLUMN_LANES, h0 + g0);
    ADD_TO(next + g->to[1], s1 + t1), ADD_TO(next + g->to[1] + COLUMN_LANES, h1 + g1);
}

static void add_1(const column_group *g, sums w, double *next) {
    lanes s = {0}, h = {0}, t = {0}, f = {0};
    const uint32_t e = g->entry[0];
    uint32_t j = 0;
    for (; j < w.k; j += 2, w.a += 2 * w.a_step, w.z -= 2 * w.z_step) {
        const double *a = w.a + w.a_step, *z = w.z - w.z_step;
        s += w.a[e] * AT(w.z), h += w.a[e] * AT(w.z + COLUMN_LANES);
        t += a[e] * AT(z), f += a[e] * AT(z + COLUMN_LANES);
    }
    if (j == w.k) s += w.a[e] * AT(w.z), h += w.a[e] * AT(w.z + COLUMN_LANES);
    ADD_TO(next + g->to[0], s + t), ADD_TO(next + g->to[0] + COLUMN_LANES, h + f);
}

// The last vector, where their number is odd
static void add_half(uint32_t e, sums w, double *to) {
    lanes s = {0}, t = {0};
    uint32_t j = 0;
    for (; j < w.k; j += 2, w.a += 2 * w.a_step, w.z -= 2 * w.z_step)
        s += w.a[e] * AT(w.z), t += w.a[w.a_step + e] * AT(w.z - w.z_step);
    if (j == w.k) s += w.a[e] * AT(w.z);
    ADD_TO(to, s + t);
}

static void add_group(const column_series *w, const column_group *g, uint32_t k, double *next) {
    const size_t step = (size_t)w->rows * w->width;
    sums at = {.a = w->a, .z = w->z + k * step + g->of, .a_step = w->room, .z_step = step, .k = k};
    uint32_t left = w->width;
    for (; left >= 2 * COLUMN_LANES; left -= 2 * COLUMN_LANES) {
        switch (g->count) {
        case 4: add_4(g, at, next); break;
        case 3: add_3(g, at, next); break;
        case 2: add_2(g, at, next); break;
        default: add_1(g, at, next); break;
        }
        at.z += 2 * COLUMN_LANES, next += 2 * COLUMN_LANES;
    }
    for (uint32_t r = 0; r < g->count && left; r++) add_half(g->entry[r], at, next + g->to[r]);
}

bool NAME(column_series_run)(const column_series *w, uint32_t order) {
    const uint32_t step = w->rows * w->width;
    lanes finite = {0}; // 0 x is 0 where x is finite, else not a number
    for (uint32_t k = 0; k < order; k++) {
        const double *now = w->z + (size_t)k * step, over = 1 / (double)(k + 1);
        double *next = w->z + (size_t)(k + 1) * step;
        memset(next, 0, sizeof(double) * step);
        for (uint32_t i = 0; i < w->owns; i++)
            next[w->own[i].to] = w->a[(size_t)k * w->room + w->own[i].entry];
        for (uint32_t i = 0; i < w->fixed_count; i++) {
            const double a = w->a[w->fixed[i].entry], *from = now + w->fixed[i].of;
            double *to = next + w->fixed[i].to;
            for (uint32_t c = 0; c < w->width; c += COLUMN_LANES) ADD_TO(to + c, a * AT(from + c));
        }
        for (uint32_t i = 0; i < w->groups; i++) add_group(w, &w->group[i], k, next);
        for (uint32_t i = 0; i < step; i += COLUMN_LANES) {
            const lanes x = AT(next + i) * over;
            *(lanes *)(next + i) = x, finite += 0 * x;
        }
    }
    return finite[0] + finite[1] + (finite[2] + finite[3]) == 0;
}
