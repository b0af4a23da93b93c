// What the files of a film share: the camera, which turns places into spots of the picture, and the
// parts of one picture, which are sorted from far to near before they are written. film.c goes
// through the pictures, film_camera.c sees, film_items.c draws the items of a scene.
#ifndef HAMEL_REPORT_FILM_INTERNAL_H
#define HAMEL_REPORT_FILM_INTERNAL_H

#include "report/film.h"
#include "report/scene_internal.h"

typedef struct {
    double at[3];
} place;

typedef struct {
    bool flat; // no perspective
    double width, height;
    place target, right, up, back; // the axes of the picture; back: towards the eye
    double distance;               // of the eye from the target
    double scale;                  // flat: pixels a unit; else pixels at the distance 1
} camera;

typedef struct {
    double x, y, depth; // pixels; how far from the eye
    double scale;       // pixels a unit there
} seen_spot;

camera camera_of(const scene *s, const film_plan *plan);
seen_spot camera_see(const camera *c, place at);
// How bright a face with this normal is, 0 .. 1
double camera_light(const camera *c, place normal);
bool camera_faces(const camera *c, place at, place normal); // is its front seen?

static inline place place_add(place a, double k, place b) {
    return (place){{a.at[0] + k * b.at[0], a.at[1] + k * b.at[1], a.at[2] + k * b.at[2]}};
}
static inline double place_dot(place a, place b) {
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}
place place_cross(place a, place b);
place place_unit(place a); // (0, 0, 1) of nothing

// A part of a picture: text from `start` on, drawn after all that is farther
typedef struct {
    double depth;
    uint32_t index;
    size_t start, length;
} film_part;

typedef struct {
    const scene *s;
    const film_plan *plan;
    camera view;
    double size;         // of the scene
    double longest;      // arrow, at any time
    const char **colour; // of each item
    uint32_t frame;      // of the scene, now
    double time;
    text svg; // of all parts
    LIST(film_part, parts);
} film_canvas;

void film_draw_ground(film_canvas *c);
void film_draw_item(film_canvas *c, const scene_item *it, uint32_t index);

static inline double film_value(const film_canvas *c, const scene_item *it, uint32_t i) {
    return c->s->tracks[it->quantity[i]].at[c->frame];
}
static inline place film_place(const film_canvas *c, const scene_item *it, uint32_t i) {
    return (place){{film_value(c, it, i), film_value(c, it, i + 1), film_value(c, it, i + 2)}};
}

#endif
