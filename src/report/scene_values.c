// The values of a scene, frame by frame: tracks evaluated at the rows of the run, the extent of the
// whole measured, numbers cleaned of noise.
#include "report/scene_internal.h"

#include "report/row_values.h"

#include <math.h>
#include <string.h>

// --- evaluating ----------------------------------------------------------------------------------

static void evaluate_tracks(scene *s) {
    expr *value = memory_array(expr, s->tracks_count + 1);
    double *here = memory_array(double, s->tracks_count + 1);
    uint32_t *from = memory_array(uint32_t, s->tracks_count + 1), count = 0;
    for (uint32_t i = 0; i < s->tracks_count; i++) {
        if (s->tracks[i].value == EXPR_NONE) continue;
        s->tracks[i].at = memory_array(double, s->frame_count);
        value[count] = s->tracks[i].value, from[count++] = i;
    }
    row_values *all = row_values_create(s->run, count, value);
    for (uint32_t frame = 0; frame < s->frame_count; frame++) {
        row_values_at(all, scene_row(s, frame), here);
        for (uint32_t i = 0; i < count; i++) s->tracks[from[i]].at[frame] = here[i];
    }
    row_values_free(all);
    memory_free(value), memory_free(here), memory_free(from);
}

// Has each quantity a value somewhere?
static bool is_seen(const scene *s, const scene_item *it) {
    for (uint32_t i = 0; i < it->count; i++) {
        uint32_t frame = 0;
        while (frame < s->frame_count && !isfinite(s->tracks[it->quantity[i]].at[frame])) frame++;
        if (frame == s->frame_count) return false;
    }
    return true;
}

static void leave_out_the_unseen(scene *s) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->items_count; i++)
        if (is_seen(s, &s->items[i])) s->items[kept++] = s->items[i];
    s->items_count = kept;
}

// --- how large it is -----------------------------------------------------------------------------

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

static double size_of(const scene *s) {
    return fmax(fmax(s->high[0] - s->low[0], s->high[1] - s->low[1]), s->high[2] - s->low[2]);
}

// --- whether it lies in a plane ------------------------------------------------------------------

// The largest component of a force.
static double strongest_force(const scene *s) {
    double largest = 0;
    for (uint32_t i = 0; i < s->tracks_count; i++)
        for (uint32_t frame = 0; frame < s->frame_count && s->tracks[i].of == MEASURE_FORCE;
             frame++)
            largest = fmax(largest, fabs(s->tracks[i].at[frame]));
    return largest;
}

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

static void measure_scene(scene *s) {
    for (uint32_t i = 0; i < 3; i++) s->low[i] = INFINITY, s->high[i] = -INFINITY;
    for (uint32_t i = 0; i < s->items_count; i++)
        for (uint32_t frame = 0; frame < s->frame_count; frame++) take_in(s, &s->items[i], frame);
    for (uint32_t i = 0; i < 3; i++) {
        if (fabs(s->low[i]) < TILT * size_of(s)) s->low[i] = 0;
        if (fabs(s->high[i]) < TILT * size_of(s)) s->high[i] = 0;
    }
    plane seen = {.height = NAN,
                  .much = TILT * size_of(s),
                  .strong = TILT * strongest_force(s),
                  .flat = true};
    for (uint32_t i = 0; i < s->items_count; i++)
        for (uint32_t frame = 0; frame < s->frame_count; frame++)
            look_at(s, &s->items[i], frame, &seen);
    s->flat = seen.flat;
}

// --- cleaning ------------------------------------------------------------------------------------

static const double NOISE = 1e-12; // of the scene: smaller numbers are 0, smaller changes none
enum { KEPT_DIGITS = 7 };          // of numbers as large as the scene

static bool stands_still(const scene *s, const track *t, double noise) {
    double low = t->at[0], high = t->at[0];
    for (uint32_t frame = 0; frame < s->frame_count; frame++) {
        if (!isfinite(t->at[frame])) return false;
        low = fmin(low, t->at[frame]), high = fmax(high, t->at[frame]);
    }
    return high - low <= noise;
}

// Multiples of a power of ten: KEPT_DIGITS digits for a number of this size.
static double rounded(double value, double size) {
    const double unit = pow(10, floor(log10(size)) + 1 - KEPT_DIGITS);
    return unit > 0 && isfinite(unit) ? round(value / unit) * unit : value;
}

// What stands still keeps all its digits; what moves less than can be told afterwards stands still,
// too.
static void clean(const scene *s, track *t, double size) {
    const double noise = NOISE * size;
    t->still = stands_still(s, t, noise);
    for (uint32_t frame = 0; frame < s->frame_count; frame++) {
        double *v = &t->at[frame];
        if (fabs(*v) <= noise) *v = 0;
        else if (!t->still) *v = rounded(*v, size) + 0.0; // -0 is 0
    }
    t->still = t->still || stands_still(s, t, 0);
}

static uint32_t first_like(const scene *s, uint32_t i) {
    const track *t = &s->tracks[i];
    for (uint32_t j = 0; j < i; j++)
        if (!s->tracks[j].still &&
            memcmp(s->tracks[j].at, t->at, sizeof(double) * s->frame_count) == 0)
            return j;
    return i;
}

static void clean_tracks(scene *s) {
    const double size[] = {[MEASURE_PLACE] = size_of(s),
                           [MEASURE_SIZE] = size_of(s),
                           [MEASURE_DIRECTION] = 1,
                           [MEASURE_FORCE] = strongest_force(s)};
    for (uint32_t i = 0; i < s->tracks_count; i++) {
        clean(s, &s->tracks[i], size[s->tracks[i].of]);
        s->tracks[i].same = s->tracks[i].still ? i : first_like(s, i);
    }
}

void scene_evaluate(scene *s) {
    evaluate_tracks(s);
    leave_out_the_unseen(s);
    if (!s->items_count) return;
    measure_scene(s);
    clean_tracks(s);
}
