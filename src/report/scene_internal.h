// A scene while it is made: items of quantities, and the tracks that give these their values.
//
// Items are added first (scene_contents.c), their quantities being expressions; reactions are
// numbers from the start (scene_reactions.c). Then the tracks are evaluated, measured and cleaned
// (scene_values.c), and scene.c writes the whole.
#ifndef HAMEL_REPORT_SCENE_INTERNAL_H
#define HAMEL_REPORT_SCENE_INTERNAL_H

#include "model/mechanics.h"
#include "report/scene.h"

// What a quantity is, hence what is small.
typedef enum { MEASURE_PLACE, MEASURE_SIZE, MEASURE_DIRECTION, MEASURE_FORCE } measure;

typedef struct {
    expr value; // EXPR_NONE: the numbers are given
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
    SHAPE_ARROW,
    SHAPE_CONTACT
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

// The scene of a run, evaluated at this many of its rows at most (scene.c)
scene scene_of(const finished_run *r, uint32_t most_frames);
void scene_free(scene *s);

static inline uint64_t scene_row(const scene *s, uint32_t frame) {
    return spread(frame, s->frame_count, s->run->rows->row_count);
}

// Items and their tracks (scene_items.c).
const shape_kind *scene_shape(shape kind);
uint32_t scene_track(scene *s, expr value, measure of); // the one of this expression
// A new item; the caller fills in the indices of its `count` tracks.
uint32_t *scene_push_item(scene *s, shape kind, const char *name, uint32_t count);

// What there is to see.
void scene_add_contents(scene *s);
void scene_add_reactions(scene *s);

// Numbers frame by frame: evaluated, measured (low, high, flat), cleaned of noise. Items without
// values are dropped.
void scene_evaluate(scene *s);

// Coordinates that are the place of something in space, although no point or body says so
// (scene_markers.c).
enum { NO_COORDINATE = -1 };
typedef struct {
    const char *name;
    int coordinate[3]; // indices; NO_COORDINATE for a third that is not there
    int heading;       // an angle from the x axis in which it looks; NO_COORDINATE: none
} marker;
vec3 marker_place(const scene *s, const marker *k);
uint32_t marker_find(const scene *s, marker *out); // at most one a coordinate

#endif
