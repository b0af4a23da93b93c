// How large a scene is, and whether it lies in a plane.
#include "report/scene_internal.h"

#include <math.h>

static double value(const scene *s, const scene_item *it, uint32_t quantity, uint32_t frame) {
    return s->tracks[it->quantity[quantity]].at[frame];
}

// How far an item reaches along an axis from its centre, which is its first member.
static double reach(const scene *s, const scene_item *it, uint32_t axis, uint32_t frame) {
    double sum = 0;
    switch (it->kind) {
    case SHAPE_SPHERE: return fabs(value(s, it, 3, frame));
    case SHAPE_DISK: { // r sqrt(1 - n_i^2), n the unit normal
        for (uint32_t i = 0; i < 3; i++) sum += pow(value(s, it, 3 + i, frame), 2);
        return sum > 0 ? fabs(value(s, it, 6, frame)) *
                             sqrt(fmax(0, 1 - pow(value(s, it, 3 + axis, frame), 2) / sum))
                       : 0;
    }
    case SHAPE_BODY:
    case SHAPE_ELLIPSOID: // the support function of an ellipsoid: |S R^T e_i|
        for (uint32_t j = 0; j < 3; j++)
            sum += pow(value(s, it, 3 + 3 * axis + j, frame) * value(s, it, 12 + j, frame), 2);
        return sqrt(sum);
    case SHAPE_BOX:
        for (uint32_t j = 0; j < 3; j++)
            sum += fabs(value(s, it, 3 + 3 * axis + j, frame) * value(s, it, 12 + j, frame)) / 2;
        return sum;
    default: return 0;
    }
}

static void take_in(scene *s, const scene_item *it, uint32_t frame) {
    for (uint32_t i = 0; i < it->count; i++) {
        const uint32_t axis = i % 3; // places are vectors, and come first
        if (s->tracks[it->quantity[i]].of != MEASURE_PLACE) break;
        const double at = value(s, it, i, frame), far = reach(s, it, axis, frame);
        if (!isfinite(at) || !isfinite(far)) continue;
        s->low[axis] = fmin(s->low[axis], at - far), s->high[axis] = fmax(s->high[axis], at + far);
    }
}

double scene_size(const scene *s) {
    return fmax(fmax(s->high[0] - s->low[0], s->high[1] - s->low[1]), s->high[2] - s->low[2]);
}

// --- flatness ------------------------------------------------------------------------------------

typedef struct {
    double height; // z of everything so far
    double much;   // a height that differs
    double strong; // a force that counts
    bool flat;
} plane;

static const double TILT = 1e-9;

static void look_at(const scene *s, const scene_item *it, uint32_t frame, plane *seen) {
    const bool turns =
        it->kind == SHAPE_BODY || it->kind == SHAPE_BOX || it->kind == SHAPE_ELLIPSOID;
    for (uint32_t i = 2; i < it->count && s->tracks[it->quantity[i]].of == MEASURE_PLACE; i += 3) {
        const double z = value(s, it, i, frame);
        if (isnan(seen->height)) seen->height = z;
        if (fabs(z - seen->height) > seen->much) seen->flat = false;
    }
    if (it->kind == SHAPE_DISK &&
        hypot(value(s, it, 3, frame), value(s, it, 4, frame)) > TILT * fabs(value(s, it, 5, frame)))
        seen->flat = false;
    // the body's z axis
    if (turns && hypot(value(s, it, 5, frame), value(s, it, 8, frame)) > TILT) seen->flat = false;
    if (it->kind == SHAPE_ARROW && fabs(value(s, it, 5, frame)) > seen->strong) seen->flat = false;
}

void scene_measure(scene *s) {
    for (uint32_t i = 0; i < 3; i++) s->low[i] = INFINITY, s->high[i] = -INFINITY;
    for (uint32_t i = 0; i < s->items_count; i++)
        for (uint32_t frame = 0; frame < s->frame_count; frame++) take_in(s, &s->items[i], frame);
    for (uint32_t i = 0; i < 3; i++) {
        if (fabs(s->low[i]) < TILT * scene_size(s)) s->low[i] = 0;
        if (fabs(s->high[i]) < TILT * scene_size(s)) s->high[i] = 0;
    }
    plane seen = {.height = NAN,
                  .much = TILT * scene_size(s),
                  .strong = TILT * scene_strongest(s),
                  .flat = true};
    for (uint32_t i = 0; i < s->items_count; i++)
        for (uint32_t frame = 0; frame < s->frame_count; frame++)
            look_at(s, &s->items[i], frame, &seen);
    s->flat = seen.flat;
}
