// What is shown of a model that draws nothing: its masses; else coordinates that are
// a place; else their own space.
#include "report/scene_internal.h"

#include "report/row_values.h"

#include <math.h>
#include <stdlib.h>

static void add_point(scene *s, const char *name, vec3 at) {
    scene_add_vectors(s, SHAPE_POINT, name, 1, &at);
    if (scene_moves(s, at)) scene_add_vectors(s, SHAPE_TRAIL, NULL, 1, &at);
}

// --- bodies --------------------------------------------------------------------------------------

// Its ellipsoid at the first row, turned into its principal axes.
static void add_body(scene *s, const rigid_body *b) {
    expr wanted[7] = {b->mass};
    for (int i = 0; i < 6; i++) wanted[1 + i] = b->inertia[i];
    double known[7], half[3], axes[3][3];
    row_values *first = row_values_create(s->run, 7, wanted);
    row_values_at(first, 0, known);
    row_values_free(first);
    if (!ellipsoid_of_inertia(known[0], known + 1, half, axes)) {
        add_point(s, b->name, b->centre);
        return;
    }
    vec3 inside[3], size;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) inside[j].at[i] = expr_exact(s->p, axes[i][j]);
        size.at[j] = expr_exact(s->p, half[j]);
    }
    scene_add_turning(s, SHAPE_BODY, b, b->centre, inside, size);
    if (scene_moves(s, b->centre)) scene_add_vectors(s, SHAPE_TRAIL, NULL, 1, &b->centre);
}

// --- places --------------------------------------------------------------------------------------

// The larger side of the path in the plane.
static double path_size(const scene *s, const marker *k) {
    double size = 0;
    for (int i = 0; i < 2; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t frame = 0; frame < s->frame_count; frame++) {
            // behind t
            const double v =
                table_at(s->run->rows, scene_row(s, frame), (uint32_t)(1 + k->coordinate[i]));
            low = fmin(low, v), high = fmax(high, v);
        }
        size = fmax(size, high - low);
    }
    return size;
}

static void add_marker(scene *s, const marker *k) {
    static const double SHARE = 0.1; // of the path: the length of the line ahead
    const vec3 at = marker_place(s, k);
    add_point(s, k->name, at);
    if (k->heading == NO_COORDINATE) return;
    const double size = path_size(s, k);
    const expr angle = s->system->q[k->heading],
               length = expr_exact(s->p, size > 0 ? SHARE * size : 1);
    const vec3 ahead = vec3_make(expr_function(s->p, EXPR_COS, &angle),
                                 expr_function(s->p, EXPR_SIN, &angle), EXPR_ZERO);
    scene_add_vectors(s, SHAPE_LINE, NULL, 2,
                      (vec3[]){at, vec3_add(s->p, at, vec3_scale(s->p, length, ahead))});
}

// The first coordinates as axes; of one coordinate, the phase plane.
static void add_configuration(scene *s) {
    const mechanics *w = s->system;
    vec3 at = {{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};
    s->physical = false;
    for (uint32_t i = 0; i < 3; i++) {
        s->axis[i] = i < w->n ? expr_symbol_name(s->p, w->q[i]) : "";
        if (i < w->n) at.at[i] = w->q[i];
    }
    if (w->n == 1) {
        at.at[1] = w->qd[0];
        s->axis[1] = arena_format(&s->m->ctx->arena, "%s'", s->axis[0]);
    }
    add_point(s, s->m->name ? s->m->name : "", at);
}

void scene_default(scene *s) {
    const model *m = s->m;
    for (uint32_t i = 0; i < m->points_count; i++)
        add_point(s, m->points[i].name, m->points[i].position);
    for (uint32_t i = 0; i < m->bodies_count; i++) add_body(s, &m->bodies[i]);
    if (s->items_count) return;
    marker *places = memory_array(marker, s->system->n + 1);
    const uint32_t count = markers_find(s, places);
    for (uint32_t i = 0; i < count; i++) add_marker(s, &places[i]);
    if (!count) add_configuration(s);
    memory_free(places);
}
