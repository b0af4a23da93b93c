// Curves of a map of two parameters, followed from their zeros on lines.
#include "study/map_point.h"
#include "study/map_regions.h"

#include <math.h>

enum { LINES = 8, SAMPLES = 64, MOST_POINTS = 4000, MOST_CORRECTIONS = 14 };
static const double LARGEST_STEP = 0.02, SMALLEST_STEP = 1e-5, CLOSE = 1e-13, SIDE = 1e-5;
static const double SAME = 1e-3; // a start so near to a curve is on it

typedef struct {
    map_net *net;
    int test;
    map_curve line; // as it is followed
    uint32_t capacity;
} trace;

static bool value(const trace *t, double u, double v, double *out) {
    return map_net_test(t->net, u, v, t->test, MAP_BITS, out);
}

// (dT/du, dT/dv) by central differences; the values have many more digits than a double
static bool gradient(const trace *t, double u, double v, double g[2]) {
    const double h = 1e-6;
    double a, b, c, d;
    if (!value(t, u - h, v, &a) || !value(t, u + h, v, &b) || !value(t, u, v - h, &c) ||
        !value(t, u, v + h, &d))
        return false;
    g[0] = (b - a) / (2 * h), g[1] = (d - c) / (2 * h);
    return hypot(g[0], g[1]) > 0;
}

// Newton's method along a direction, with the slope of T in it by secants
static bool correct(const trace *t, const double g[2], double x[2]) {
    const double size = hypot(g[0], g[1]), n[2] = {g[0] / size, g[1] / size};
    double here, slope = size, from[2] = {x[0], x[1]};
    if (!value(t, x[0], x[1], &here)) return false;
    for (int i = 0; i < MOST_CORRECTIONS; i++) {
        const double step = -here / slope;
        if (!isfinite(step) || fabs(step) > 4 * LARGEST_STEP) return false;
        x[0] += step * n[0], x[1] += step * n[1];
        double next;
        if (!value(t, x[0], x[1], &next)) return false;
        if (fabs(step) < CLOSE || next == 0)
            return hypot(x[0] - from[0], x[1] - from[1]) < 4 * LARGEST_STEP;
        if (next != here) slope = (next - here) / step;
        here = next;
    }
    return false;
}

static void add_point(trace *t, double u, double v) {
    if (t->line.count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 256;
        memory_grow(t->line.u, t->capacity), memory_grow(t->line.v, t->capacity);
    }
    t->line.u[t->line.count] = u, t->line.v[t->line.count++] = v;
}

static bool is_inside(const double x[2]) {
    return x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[1] <= 1;
}

// Where the curve leaves the rectangle between two points: T = 0 along that edge
static void end_on_edge(trace *t, const double a[2], const double b[2]) {
    double first = 1;
    int axis = 0;
    for (int k = 0; k < 2; k++) {
        const double edge = b[k] < 0 ? 0 : 1, part = (edge - a[k]) / (b[k] - a[k]);
        if ((b[k] < 0 || b[k] > 1) && part <= first) first = part, axis = k;
    }
    double x[2] = {a[0] + first * (b[0] - a[0]), a[1] + first * (b[1] - a[1])}, g[2];
    x[axis] = b[axis] < 0 ? 0 : 1;
    if (!gradient(t, x[0], x[1], g)) return;
    g[axis] = 0;
    if (g[1 - axis] != 0 && correct(t, g, x) && is_inside(x)) add_point(t, x[0], x[1]);
}

// One step of a curve from x along `way`, which it turns to the new tangent
static bool advance(const trace *t, double x[2], double way[2], double step) {
    double next[2] = {x[0] + step * way[0], x[1] + step * way[1]}, g[2];
    if (!gradient(t, next[0], next[1], g) || !correct(t, g, next) ||
        !gradient(t, next[0], next[1], g))
        return false;
    const double size = hypot(g[0], g[1]);
    double tangent[2] = {-g[1] / size, g[0] / size};
    const double turn = tangent[0] * way[0] + tangent[1] * way[1];
    if (fabs(turn) < 0.97) return false;
    for (int k = 0; k < 2; k++) way[k] = turn < 0 ? -tangent[k] : tangent[k], x[k] = next[k];
    return true;
}

// From a point of the curve along one of its two ways
static void follow(trace *t, const double start[2], const double first[2]) {
    double x[2] = {start[0], start[1]}, way[2] = {first[0], first[1]}, step = LARGEST_STEP / 2;
    for (uint32_t count = 0; count < MOST_POINTS && step >= SMALLEST_STEP;) {
        const double before[2] = {x[0], x[1]};
        if (!advance(t, x, way, step)) {
            step /= 2;
            continue;
        }
        if (!is_inside(x)) {
            end_on_edge(t, before, x);
            return;
        }
        add_point(t, x[0], x[1]);
        const double back = hypot(x[0] - start[0], x[1] - start[1]),
                     along = (start[0] - x[0]) * way[0] + (start[1] - x[1]) * way[1];
        if (++count > 3 && back < 1.1 * step && along > 0) {
            add_point(t, start[0], start[1]);
            t->line.closed = true;
            return;
        }
        step = fmin(LARGEST_STEP, 1.5 * step);
    }
}

static void reverse(map_curve *c) {
    for (uint32_t i = 0, k = c->count ? c->count - 1 : 0; i < k; i++, k--) {
        const double u = c->u[i], v = c->v[i];
        c->u[i] = c->u[k], c->v[i] = c->v[k], c->u[k] = u, c->v[k] = v;
    }
}

// Does the number of growing eigenvalues change across the curve here?
static bool changes(const trace *t, double u, double v) {
    double g[2];
    uint32_t a, b, rest;
    if (!gradient(t, u, v, g)) return false;
    const double size = hypot(g[0], g[1]), n[2] = {SIDE * g[0] / size, SIDE * g[1] / size};
    return map_net_count(t->net, u - n[0], v - n[1], &a, &rest) &&
           map_net_count(t->net, u + n[0], v + n[1], &b, &rest) && a != b;
}

static void keep(stability_map *m, const trace *t, uint32_t from, uint32_t to) {
    if (to - from < 2) return;
    map_curve c = {.kind = t->test,
                   .count = to - from,
                   .u = memory_array(double, to - from),
                   .v = memory_array(double, to - from),
                   .closed = t->line.closed && from == 0 && to == t->line.count};
    for (uint32_t i = from; i < to; i++) c.u[i - from] = t->line.u[i], c.v[i - from] = t->line.v[i];
    memory_grow(m->curve, m->curves + 1);
    m->curve[m->curves++] = c;
}

// The parts of a curve where something changes
static void keep_parts(stability_map *m, const trace *t) {
    uint32_t from = 0;
    for (uint32_t i = 0; i < t->line.count; i++)
        if (!changes(t, t->line.u[i], t->line.v[i])) keep(m, t, from, i), from = i + 1;
    keep(m, t, from, t->line.count);
}

static bool is_on(const map_curve *c, double u, double v) {
    for (uint32_t i = 0; i + 1 < c->count; i++) {
        const double du = c->u[i + 1] - c->u[i], dv = c->v[i + 1] - c->v[i], a = u - c->u[i],
                     b = v - c->v[i], square = du * du + dv * dv,
                     part = square > 0 ? fmin(1, fmax(0, (a * du + b * dv) / square)) : 0;
        if (hypot(a - part * du, b - part * dv) < SAME) return true;
    }
    return false;
}

typedef struct {
    uint32_t count;
    map_curve *curve; // all that were followed, of one test
} followed;

static void start_at(stability_map *m, map_net *net, int test, double u, double v, followed *all) {
    for (uint32_t i = 0; i < all->count; i++)
        if (is_on(&all->curve[i], u, v)) return;
    trace t = {.net = net, .test = test};
    double g[2], x[2] = {u, v};
    if (!gradient(&t, u, v, g) || !correct(&t, g, x) || !gradient(&t, x[0], x[1], g)) return;
    const double size = hypot(g[0], g[1]), way[2] = {-g[1] / size, g[0] / size},
                 other[2] = {-way[0], -way[1]};
    follow(&t, x, way);
    if (!t.line.closed) {
        reverse(&t.line);
        add_point(&t, x[0], x[1]);
        follow(&t, x, other);
    }
    keep_parts(m, &t);
    memory_grow(all->curve, all->count + 1);
    all->curve[all->count++] = t.line;
}

// Zeros of T between samples along a line, by bisection as far as Newton's method needs it
static void look_along(stability_map *m, map_net *net, int test, const double from[2],
                       const double to[2], followed *all) {
    double before = 0;
    bool known = false;
    for (int i = 0; i <= SAMPLES; i++) {
        // nowhere special inside, so that a zero at a round value is between two
        const double s = i == 0 || i == SAMPLES ? (double)i / SAMPLES : (i + 0.137) / SAMPLES;
        double now;
        const bool good = map_net_test(net, from[0] + s * (to[0] - from[0]),
                                       from[1] + s * (to[1] - from[1]), test, 53, &now);
        if (good && known && (before > 0) != (now > 0)) {
            double a = i == 1 ? 0 : (i - 1 + 0.137) / SAMPLES, b = s;
            for (int k = 0; k < 12; k++) {
                const double c = (a + b) / 2;
                double there;
                if (!map_net_test(net, from[0] + c * (to[0] - from[0]),
                                  from[1] + c * (to[1] - from[1]), test, 53, &there))
                    break;
                if ((there > 0) == (before > 0)) a = c;
                else b = c;
            }
            start_at(m, net, test, from[0] + (a + b) / 2 * (to[0] - from[0]),
                     from[1] + (a + b) / 2 * (to[1] - from[1]), all);
        }
        known = good, before = now;
    }
}

static void find_curves(stability_map *m, map_net *net, int test) {
    followed all = {0};
    for (int line = 0; line <= LINES; line++) {
        const double c = line == 0 || line == LINES ? (double)line / LINES : (line + 0.03) / LINES;
        look_along(m, net, test, (double[]){c, 0}, (double[]){c, 1}, &all);
        look_along(m, net, test, (double[]){0, c}, (double[]){1, c}, &all);
    }
    for (uint32_t i = 0; i < all.count; i++)
        memory_free(all.curve[i].u), memory_free(all.curve[i].v);
    memory_free(all.curve);
}

// --- tests that say nothing ----------------------------------------------------------------------

enum { PLACES = 3 };
static const double PLACE[PLACES][2] = {
    {0.236067, 0.618033}, {0.541196, 0.306563}, {0.854101, 0.70710}}; // nowhere special

// Is a motion found in many digits too?
static bool has_values(map_net *net) {
    double v;
    for (int i = 0; i < PLACES; i++)
        if (map_net_test(net, PLACE[i][0], PLACE[i][1], TEST_ZERO, MAP_BITS, &v)) return true;
    return false;
}

// 0 at these places, to half of the digits
static bool vanishes(map_net *net, int test) {
    uint32_t zeros = 0, known = 0;
    for (int i = 0; i < PLACES; i++) {
        double v;
        if (!map_net_test(net, PLACE[i][0], PLACE[i][1], test, MAP_BITS, &v)) continue;
        known++, zeros += fabs(v) < 1e-28;
    }
    return known && zeros == known;
}

bool stability_map_create(steady_path *path, const double low[2], const double high[2],
                          const double start[2], bool even, stability_map *out) {
    *out = (stability_map){.path = path};
    for (int k = 0; k < 2; k++) out->low[k] = low[k], out->high[k] = high[k];
    map_net *net = memory_array(map_net, 1);
    const bool good = map_net_create(out, start, net) && has_values(net);
    if (good) {
        while (out->kind.zeros < out->eigenvalues && vanishes(net, TEST_ZERO)) out->kind.zeros++;
        out->kind.even = even && (out->eigenvalues - out->kind.zeros) % 2 == 0;
        for (int t = 0; t < TESTS && out->kind.zeros < out->eigenvalues; t++) {
            const bool asked = t == TEST_ZERO || (t == TEST_DOUBLE) == out->kind.even;
            if (asked && !vanishes(net, t)) find_curves(out, net, t);
        }
        map_regions_find(out, net);
    }
    map_net_clear(net);
    memory_free(net);
    return good;
}

void stability_map_clear(stability_map *m) {
    for (uint32_t i = 0; i < m->curves; i++) memory_free(m->curve[i].u), memory_free(m->curve[i].v);
    memory_free(m->curve), memory_free(m->region), memory_free(m->strip);
}
