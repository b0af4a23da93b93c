// What a scene shows: what the model draws. Of a model that draws nothing, its masses; else
// coordinates that are a place; else the space of its coordinates.
#include "report/scene_internal.h"

#include "report/row_values.h"
#include "report/symmetric.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// --- adding --------------------------------------------------------------------------------------

// The quantities are those of the members of the shape, one after the other.
static void add_item(scene *s, shape kind, const char *name, uint32_t count, const expr *value) {
    uint32_t *quantity = scene_push_item(s, kind, name, count), next = 0;
    for (const shape_member *member = scene_shape(kind)->member; next < count; member++) {
        const uint32_t end = member->count ? next + member->count : count;
        assert(member->key && end <= count);
        for (; next < end; next++) quantity[next] = scene_track(s, value[next], member->of);
    }
}

// The same for a shape whose members are vectors.
static void add_vectors(scene *s, shape kind, const char *name, uint32_t count,
                        const vec3 *vectors) {
    expr *value = arena_array(&s->m->ctx->arena, expr, 3 * count);
    for (uint32_t i = 0; i < 3 * count; i++) value[i] = vectors[i / 3].at[i % 3];
    add_item(s, kind, name, 3 * count, value);
}

// A body, box or ellipsoid: 15 quantities from a centre, axes fixed in the body b (columns of the
// rotation) and sizes along these.
static void add_turning(scene *s, shape kind, const rigid_body *b, vec3 centre, const vec3 axes[3],
                        vec3 size) {
    expr value[15];
    for (int j = 0; j < 3; j++) {
        const vec3 axis = rotation_apply(s->p, b->orientation, axes[j]); // column j of the rotation
        for (int i = 0; i < 3; i++) value[3 + 3 * i + j] = axis.at[i];
        value[j] = centre.at[j], value[12 + j] = size.at[j];
    }
    add_item(s, kind, b->name, 15, value);
}

// Does it depend on coordinates or time?
static bool moves(const scene *s, vec3 at) {
    for (int i = 0; i < 3; i++)
        if (expr_order(s->p, at.at[i]) >= 0 || expr_depends_on_time(s->p, at.at[i])) return true;
    return false;
}

// --- the `draw` statements -----------------------------------------------------------------------

// of a curve: each point that moves costs three tracks
enum { STILL_POINTS = 129, MOVING_POINTS = 33 };

// a(s) at s = from + (to - from) i/(count - 1)
static void draw_curve(scene *s, const draw_item *d) {
    pool *p = s->p;
    const uint32_t count = moves(s, d->a) ? MOVING_POINTS : STILL_POINTS;
    const expr length = expr_sub(p, d->to, d->from);
    vec3 *point = arena_array(&s->m->ctx->arena, vec3, count);
    for (uint32_t i = 0; i < count; i++) {
        const expr along =
            expr_add(p, d->from, expr_mul(p, length, expr_rational(p, i, count - 1)));
        expr_substitute(p, 1, &d->local, &along, 3, d->a.at, point[i].at);
    }
    add_vectors(s, SHAPE_CURVE, NULL, count, point);
}

// A box or ellipsoid along the axes of a body.
static void draw_solid(scene *s, shape kind, const draw_item *d) {
    static const vec3 axes[3] = {{{EXPR_ONE, EXPR_ZERO, EXPR_ZERO}},
                                 {{EXPR_ZERO, EXPR_ONE, EXPR_ZERO}},
                                 {{EXPR_ZERO, EXPR_ZERO, EXPR_ONE}}};
    add_turning(s, kind, &s->m->bodies[d->body], d->b, axes, d->a);
}

static void draw(scene *s, const draw_item *d) {
    const expr *a = d->a.at, *b = d->b.at;
    switch (d->kind) {
    case DRAW_LINE: add_vectors(s, SHAPE_LINE, NULL, 2, (vec3[]){d->a, d->b}); break;
    case DRAW_DISK:
        add_item(s, SHAPE_DISK, NULL, 7, (expr[]){a[0], a[1], a[2], b[0], b[1], b[2], d->radius});
        break;
    case DRAW_SPHERE:
        add_item(s, SHAPE_SPHERE, NULL, 4, (expr[]){a[0], a[1], a[2], d->radius});
        break;
    case DRAW_TRAIL: add_vectors(s, SHAPE_TRAIL, NULL, 1, &d->a); break;
    case DRAW_BOX: draw_solid(s, SHAPE_BOX, d); break;
    case DRAW_ELLIPSOID: draw_solid(s, SHAPE_ELLIPSOID, d); break;
    case DRAW_CURVE: draw_curve(s, d); break;
    }
}

static void show_drawings(scene *s) {
    for (uint32_t i = 0; i < s->m->draws_count; i++) draw(s, &s->m->draws[i]);
}

// --- without them: masses ------------------------------------------------------------------------

static void add_point(scene *s, const char *name, vec3 at) {
    add_vectors(s, SHAPE_POINT, name, 1, &at);
    if (moves(s, at)) add_vectors(s, SHAPE_TRAIL, NULL, 1, &at);
}

// Its ellipsoid at the first row, turned into its principal axes.
static void add_body(scene *s, const rigid_body *b) {
    expr wanted[7] = {b->mass};
    for (int i = 0; i < 6; i++) wanted[1 + i] = b->inertia[i];
    double known[7], half[3], axes[3][3];
    row_values *first = row_values_create(s->run, 7, wanted);
    row_values_at(first, 0, known);
    row_values_free(first);
    if (!symmetric_inertia_ellipsoid(known[0], known + 1, half, axes)) {
        add_point(s, b->name, b->centre);
        return;
    }
    vec3 inside[3], size;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) inside[j].at[i] = expr_exact(s->p, axes[i][j]);
        size.at[j] = expr_exact(s->p, half[j]);
    }
    add_turning(s, SHAPE_BODY, b, b->centre, inside, size);
    if (moves(s, b->centre)) add_vectors(s, SHAPE_TRAIL, NULL, 1, &b->centre);
}

// --- without masses: places ----------------------------------------------------------------------

// The larger side of the path in the plane.
static double path_size(const scene *s, const marker *k) {
    double size = 0;
    for (int i = 0; i < 2; i++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t frame = 0; frame < s->frame_count; frame++) {
            // column 0 is t, then come the coordinates
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
               length = expr_exact(s->p, size > 0 && isfinite(size) ? SHARE * size : 1);
    const vec3 ahead = vec3_make(expr_function(s->p, EXPR_COS, &angle),
                                 expr_function(s->p, EXPR_SIN, &angle), EXPR_ZERO);
    add_vectors(s, SHAPE_LINE, NULL, 2,
                (vec3[]){at, vec3_add(s->p, at, vec3_scale(s->p, length, ahead))});
}

// The first coordinates as axes; of one coordinate, the phase plane.
static void add_configuration(scene *s) {
    const mechanics *system = s->system;
    vec3 at = {{EXPR_ZERO, EXPR_ZERO, EXPR_ZERO}};
    s->physical = false;
    for (uint32_t i = 0; i < 3; i++) {
        s->axis[i] = i < system->n ? expr_symbol_name(s->p, system->q[i]) : "";
        if (i < system->n) at.at[i] = system->q[i];
    }
    if (system->n == 1) {
        at.at[1] = system->qd[0];
        s->axis[1] = arena_format(&s->m->ctx->arena, "%s'", s->axis[0]);
    }
    add_point(s, s->m->name ? s->m->name : "", at);
}

static void show_defaults(scene *s) {
    const model *m = s->m;
    for (uint32_t i = 0; i < m->points_count; i++)
        add_point(s, m->points[i].name, m->points[i].position);
    for (uint32_t i = 0; i < m->bodies_count; i++) add_body(s, &m->bodies[i]);
    if (s->items_count) return;
    marker *places = memory_array(marker, s->system->n + 1);
    const uint32_t count = marker_find(s, places);
    for (uint32_t i = 0; i < count; i++) add_marker(s, &places[i]);
    if (!count) add_configuration(s);
    memory_free(places);
}

// --- contacts ------------------------------------------------------------------------------------

// The column "mode[floor]"; UINT32_MAX: there is none
static uint32_t mode_column(const scene *s, const contact *c) {
    const simulation *sim = s->run->sim;
    const char *name = arena_format(&s->m->ctx->arena, "mode[%s]", c->name);
    for (uint32_t i = 0; i < sim->column_count; i++)
        if (sim->column[i].kind == COLUMN_CONTACT && strcmp(sim->column[i].name, name) == 0)
            return i;
    return UINT32_MAX;
}

// Where a contact is, and its mode there frame by frame: seen where it is closed
static void add_contact(scene *s, const contact *c) {
    const uint32_t column = mode_column(s, c);
    if (!c->has_place || column == UINT32_MAX) return;
    double *mode = memory_array(double, s->frame_count + 1);
    bool closes = false;
    for (uint32_t frame = 0; frame < s->frame_count; frame++) {
        mode[frame] = table_at(s->run->rows, scene_row(s, frame), column);
        closes = closes || mode[frame] != 0;
    }
    if (!closes) {
        memory_free(mode);
        return;
    }
    uint32_t *quantity = scene_push_item(s, SHAPE_CONTACT, c->name, 4);
    for (int i = 0; i < 3; i++) quantity[i] = scene_track(s, c->place.at[i], MEASURE_PLACE);
    quantity[3] = s->tracks_count;
    list_push(s, tracks, ((track){.value = EXPR_NONE, .of = MEASURE_DIRECTION, .at = mode}));
}

void scene_add_contents(scene *s) {
    if (s->m->draws_count) show_drawings(s);
    else show_defaults(s);
    for (uint32_t i = 0; i < s->m->contacts_count && s->physical; i++)
        add_contact(s, &s->m->contacts[i]);
}
