// A scene while it is made: items of quantities, and the tracks that give these their values.
//
// Items are added first (scene_draw.c, scene_default.c), their quantities being expressions;
// reactions are numbers from the start (scene_reactions.c). Then the tracks are evaluated and
// cleaned (scene_tracks.c), the whole is measured (scene_extent.c) and written.
#ifndef HAMEL_REPORT_SCENE_INTERNAL_H
#define HAMEL_REPORT_SCENE_INTERNAL_H

#include "model/mechanics.h"
#include "report/scene.h"

// What a quantity is, hence what is small.
typedef enum { MEASURE_PLACE, MEASURE_SIZE, MEASURE_DIRECTION, MEASURE_FORCE } measure;

typedef struct {
    expr value; // EXPR_NONE: the numbers stand already
    measure of;
    double *at;    // one number a frame
    bool still;    // it does not change: the first number says all
    uint32_t same; // an earlier track with the same numbers, or this one
} track;

typedef enum {
    SHAPE_POINT,
    SHAPE_BODY,
    SHAPE_LINE,
    SHAPE_DISK,
    SHAPE_SPHERE,
    SHAPE_TRAIL,
    SHAPE_BOX,
    SHAPE_ELLIPSOID,
    SHAPE_CURVE,
    SHAPE_ARROW
} shape;

typedef struct {
    const char *key;
    uint32_t count; // quantities; 0: all there are, three for each point of a curve
    measure of;
} shape_member;

typedef struct {
    const char *word;
    bool named;
    shape_member member[3]; // until a key is NULL
} shape_kind;

const shape_kind *shape_of(shape kind);

typedef struct {
    shape kind;
    const char *name; // NULL: none
    uint32_t count;
    const uint32_t *quantity; // tracks, member after member
} scene_item;

typedef struct {
    const finished_run *run;
    const mechanics *system;
    const model *m;
    pool *p;
    bool physical; // space; otherwise the coordinates are the axes
    const char *axis[3];
    uint32_t frame_count;
    LIST(track, tracks);
    LIST(scene_item, items);
    bool flat;
    double low[3], high[3];
} scene;

static inline uint64_t scene_row(const scene *s, uint32_t frame) {
    return spread(frame, s->frame_count, s->run->rows->row_count);
}

// Items (scene_items.c). The quantities are those of the shape's members, one after the other.
void scene_add(scene *s, shape kind, const char *name, uint32_t count, const expr *quantity);
// The same for a shape whose members are vectors.
void scene_add_vectors(scene *s, shape kind, const char *name, uint32_t count, const vec3 *vectors);
// takes the numbers, one a frame
void scene_add_arrow(scene *s, const char *name, vec3 at, double *const vector[3]);
// A body, box or ellipsoid: 15 quantities from a centre, axes fixed in the body b (columns of
// the rotation) and sizes along these.
void scene_add_turning(scene *s, shape kind, const rigid_body *b, vec3 centre, const vec3 axes[3],
                       vec3 size);
bool scene_moves(const scene *s, vec3 at);              // does it depend on coordinates or time?
bool scene_shows(const scene *s, const scene_item *it); // has each quantity a value somewhere?
// number[i]: of track i among those written
void scene_write_item(const scene *s, const scene_item *it, const uint32_t *number, json *out);

// What there is to see.
void scene_draw(scene *s);
void scene_default(scene *s);
void scene_add_reactions(scene *s);

// Half axes (all positive) and axes, one a column, of the solid ellipsoid with this mass and
// inertia (scene_ellipsoid.c). False if it has no extent.
bool ellipsoid_of_inertia(double mass, const double inertia[6], double half[3], double axes[3][3]);

// Coordinates that are the place of something in space, although no point or
// body says so (scene_markers.c).
enum { NO_COORDINATE = -1 };
typedef struct {
    const char *name;
    int coordinate[3]; // indices; NO_COORDINATE for a third that is not there
    int heading;       // an angle from the x axis in which it looks; NO_COORDINATE: none
} marker;
vec3 marker_place(const scene *s, const marker *k);
uint32_t markers_find(const scene *s, marker *out); // at most one a coordinate

// Tracks (scene_tracks.c).
uint32_t scene_track(scene *s, expr value, measure of); // the one of this expression
void scene_evaluate(scene *s);
double scene_strongest(const scene *s); // the largest component of a force
// once the extent is known: noise, rounding, what stands still, what is the same
void scene_clean(scene *s);

void scene_measure(scene *s); // low, high, flat (scene_extent.c)
double scene_size(const scene *s);

#endif
