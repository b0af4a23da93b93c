// Where a film is seen from, as on the page (web/src/camera.js): flat scenes from above without
// perspective, others from the side, so near that all of the motion is seen.
#include "report/film_internal.h"

#include <math.h>

static const double ANGLE = 26;    // degrees, of the perspective
static const double MARGIN = 1.12; // around the scene
static const double DEGREE = 0.017453292519943295;

place place_cross(place a, place b) {
    return (place){{a.at[1] * b.at[2] - a.at[2] * b.at[1], a.at[2] * b.at[0] - a.at[0] * b.at[2],
                    a.at[0] * b.at[1] - a.at[1] * b.at[0]}};
}

place place_unit(place a) {
    const double length = sqrt(place_dot(a, a));
    return length > 0 ? (place){{a.at[0] / length, a.at[1] / length, a.at[2] / length}}
                      : (place){{0, 0, 1}};
}

// The direction towards the eye: azimuth from the x axis, elevation above the plane
static place direction(const scene *s, const film_plan *plan) {
    if (!plan->turned) return s->flat ? (place){{0, -1e-6, 1}} : (place){{0.5, -1, 0.45}};
    const double round = DEGREE * plan->azimuth, most = 89.999,
                 over = DEGREE * fmax(-most, fmin(most, plan->elevation));
    return (place){{cos(over) * cos(round), cos(over) * sin(round), sin(over)}};
}

// A corner of the box around the scene, from its middle, in the axes of the picture
static place corner(const scene *s, const camera *c, int i) {
    place from_middle;
    for (int axis = 0; axis < 3; axis++)
        from_middle.at[axis] = (i >> axis & 1 ? 0.5 : -0.5) * (s->high[axis] - s->low[axis]);
    return (place){{place_dot(from_middle, c->right), place_dot(from_middle, c->up),
                    place_dot(from_middle, c->back)}};
}

// Without perspective: half the height of what is seen
static double half_height(const scene *s, const camera *c, double size) {
    double half = 0.05 * size;
    for (int i = 0; i < 8; i++) {
        const place at = corner(s, c, i);
        half = fmax(half, fmax(fabs(at.at[1]), fabs(at.at[0]) * c->height / c->width));
    }
    return MARGIN * half;
}

// With it: the nearest place of the eye from where the box is seen whole and in the middle, by a
// few steps of an iteration
static void come_near(const scene *s, camera *c, double size) {
    enum { STEPS = 5 };
    const double slope = tan(DEGREE * ANGLE / 2), aspect = c->width / c->height;
    double aim[2] = {0, 0};
    c->distance = size;
    for (int step = 0; step < STEPS; step++) {
        double needed = size / 10, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 8; i++) {
            const place at = corner(s, c, i);
            const double across = fabs(at.at[0] - aim[0]) / aspect, up = fabs(at.at[1] - aim[1]);
            needed = fmax(needed, at.at[2] + MARGIN * fmax(across, up) / slope);
        }
        c->distance = needed;
        for (int i = 0; i < 8; i++)
            for (int axis = 0; axis < 2; axis++) {
                const place at = corner(s, c, i);
                const double seen = (at.at[axis] - aim[axis]) / (c->distance - at.at[2]);
                low[axis] = fmin(low[axis], seen), high[axis] = fmax(high[axis], seen);
            }
        for (int axis = 0; axis < 2; axis++)
            aim[axis] += c->distance * (low[axis] + high[axis]) / 2;
    }
    c->target = place_add(place_add(c->target, aim[0], c->right), aim[1], c->up);
    c->scale = c->height / 2 / slope;
}

camera camera_of(const scene *s, const film_plan *plan) {
    camera c = {.flat = s->flat, .width = plan->width, .height = plan->height};
    double size = 0;
    for (int axis = 0; axis < 3; axis++) {
        c.target.at[axis] = (s->low[axis] + s->high[axis]) / 2;
        size = hypot(size, s->high[axis] - s->low[axis]);
    }
    if (!(size > 0)) size = 1;
    c.back = place_unit(direction(s, plan));
    c.right = place_unit(place_cross((place){{0, 0, 1}}, c.back));
    c.up = place_cross(c.back, c.right);
    c.distance = 10 * size;
    if (c.flat) c.scale = c.height / 2 / half_height(s, &c, size);
    else come_near(s, &c, size);
    return c;
}

seen_spot camera_see(const camera *c, place at) {
    const place from = place_add(at, -1, c->target);
    const double depth = c->distance - place_dot(from, c->back);
    const double scale = c->flat ? c->scale : c->scale / fmax(depth, 1e-3 * c->distance);
    return (seen_spot){c->width / 2 + scale * place_dot(from, c->right),
                       c->height / 2 - scale * place_dot(from, c->up), depth, scale};
}

double camera_light(const camera *c, place normal) {
    // over the shoulder, and some from everywhere
    const place lamp =
        place_add(place_add(place_add((place){{0}}, -1, c->right), 1.5, c->up), 2, c->back);
    return 0.62 + 0.38 * fmax(0, place_dot(place_unit(normal), place_unit(lamp)));
}

bool camera_faces(const camera *c, place at, place normal) {
    if (c->flat) return place_dot(normal, c->back) > 0;
    const place eye = place_add(c->target, c->distance, c->back);
    return place_dot(normal, place_add(eye, -1, at)) > 0;
}
