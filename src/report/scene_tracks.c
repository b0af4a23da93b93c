// The tracks of a scene: quantities frame by frame, each once.
#include "report/scene_internal.h"

#include "report/row_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double NOISE = 1e-12; // of the scene: smaller numbers are 0, smaller changes none
enum { KEPT_DIGITS = 7 };          // of numbers as large as the scene

uint32_t scene_track(scene *s, expr value, measure of) {
    for (uint32_t i = 0; i < s->tracks_count; i++)
        if (s->tracks[i].value == value && s->tracks[i].of == of) return i;
    list_push(s, tracks, (track){.value = value, .of = of});
    return s->tracks_count - 1;
}

void scene_evaluate(scene *s) {
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

// --- cleaning ------------------------------------------------------------------------------------

double scene_strongest(const scene *s) {
    double largest = 0;
    for (uint32_t i = 0; i < s->tracks_count; i++)
        for (uint32_t frame = 0; frame < s->frame_count && s->tracks[i].of == MEASURE_FORCE;
             frame++)
            largest = fmax(largest, fabs(s->tracks[i].at[frame]));
    return largest;
}

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

// What stands still keeps all its digits; what moves less than can be told
// afterwards stands still, too.
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

void scene_clean(scene *s) {
    const double size[] = {[MEASURE_PLACE] = scene_size(s),
                           [MEASURE_SIZE] = scene_size(s),
                           [MEASURE_DIRECTION] = 1,
                           [MEASURE_FORCE] = scene_strongest(s)};
    for (uint32_t i = 0; i < s->tracks_count; i++) {
        clean(s, &s->tracks[i], size[s->tracks[i].of]);
        s->tracks[i].same = s->tracks[i].still ? i : first_like(s, i);
    }
}
