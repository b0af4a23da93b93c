// The items of a scene: which members each shape has, adding and writing them.
#include "report/scene_internal.h"

#include <assert.h>
#include <math.h>

const shape_kind *shape_of(shape kind) {
    static const shape_kind kinds[] = {
        [SHAPE_POINT] = {"point", true, {{"at", 3, MEASURE_PLACE}}},
        [SHAPE_BODY] = {"body",
                        true,
                        {{"at", 3, MEASURE_PLACE},
                         {"rotation", 9, MEASURE_DIRECTION},
                         {"size", 3, MEASURE_SIZE}}},
        [SHAPE_LINE] = {"line", false, {{"from", 3, MEASURE_PLACE}, {"to", 3, MEASURE_PLACE}}},
        [SHAPE_DISK] = {"disk",
                        false,
                        {{"centre", 3, MEASURE_PLACE},
                         {"normal", 3, MEASURE_DIRECTION},
                         {"radius", 1, MEASURE_SIZE}}},
        [SHAPE_SPHERE] = {"sphere",
                          false,
                          {{"centre", 3, MEASURE_PLACE}, {"radius", 1, MEASURE_SIZE}}},
        [SHAPE_TRAIL] = {"trail", false, {{"at", 3, MEASURE_PLACE}}},
        [SHAPE_BOX] = {"box",
                       false,
                       {{"at", 3, MEASURE_PLACE},
                        {"rotation", 9, MEASURE_DIRECTION},
                        {"size", 3, MEASURE_SIZE}}},
        [SHAPE_ELLIPSOID] = {"ellipsoid",
                             false,
                             {{"at", 3, MEASURE_PLACE},
                              {"rotation", 9, MEASURE_DIRECTION},
                              {"size", 3, MEASURE_SIZE}}},
        [SHAPE_CURVE] = {"curve", false, {{"points", 0, MEASURE_PLACE}}},
        [SHAPE_ARROW] = {"arrow", true, {{"at", 3, MEASURE_PLACE}, {"vector", 3, MEASURE_FORCE}}},
    };
    return &kinds[kind];
}

static uint32_t *push_item(scene *s, shape kind, const char *name, uint32_t count) {
    uint32_t *quantity = arena_array(&s->m->ctx->arena, uint32_t, count);
    list_push(s, items, (scene_item){kind, name, count, quantity});
    return quantity;
}

void scene_add(scene *s, shape kind, const char *name, uint32_t count, const expr *value) {
    uint32_t *quantity = push_item(s, kind, name, count), next = 0;
    for (const shape_member *member = shape_of(kind)->member; next < count; member++) {
        const uint32_t end = member->count ? next + member->count : count;
        assert(member->key && end <= count);
        for (; next < end; next++) quantity[next] = scene_track(s, value[next], member->of);
    }
}

void scene_add_vectors(scene *s, shape kind, const char *name, uint32_t count,
                       const vec3 *vectors) {
    expr *value = arena_array(&s->m->ctx->arena, expr, 3 * count);
    for (uint32_t i = 0; i < 3 * count; i++) value[i] = vectors[i / 3].at[i % 3];
    scene_add(s, kind, name, 3 * count, value);
}

void scene_add_turning(scene *s, shape kind, const rigid_body *b, vec3 centre, const vec3 axes[3],
                       vec3 size) {
    expr value[15];
    for (int j = 0; j < 3; j++) {
        const vec3 axis = rotation_apply(s->p, b->orientation, axes[j]); // column j of the rotation
        for (int i = 0; i < 3; i++) value[3 + 3 * i + j] = axis.at[i];
        value[j] = centre.at[j], value[12 + j] = size.at[j];
    }
    scene_add(s, kind, b->name, 15, value);
}

void scene_add_arrow(scene *s, const char *name, vec3 at, double *const vector[3]) {
    uint32_t *quantity = push_item(s, SHAPE_ARROW, name, 6);
    for (uint32_t i = 0; i < 3; i++) {
        quantity[i] = scene_track(s, at.at[i], MEASURE_PLACE);
        quantity[3 + i] = s->tracks_count;
        list_push(s, tracks, (track){.value = EXPR_NONE, .of = MEASURE_FORCE, .at = vector[i]});
    }
}

bool scene_moves(const scene *s, vec3 at) {
    for (int i = 0; i < 3; i++)
        if (expr_order(s->p, at.at[i]) >= 0 || expr_depends_on_time(s->p, at.at[i])) return true;
    return false;
}

bool scene_shows(const scene *s, const scene_item *it) {
    for (uint32_t i = 0; i < it->count; i++) {
        uint32_t frame = 0;
        while (frame < s->frame_count && !isfinite(s->tracks[it->quantity[i]].at[frame])) frame++;
        if (frame == s->frame_count) return false;
    }
    return true;
}

// --- writing -------------------------------------------------------------------------------------

enum { QUANTITY_DIGITS = 12 }; // scene_clean() has left fewer

static void write_quantity(const scene *s, uint32_t index, const uint32_t *number, const char *key,
                           json *out) {
    const track *t = &s->tracks[index];
    if (t->still) {
        json_decimal(out, key, t->at[0], QUANTITY_DIGITS);
        return;
    }
    json_open(out, key, '[');
    json_integer(out, NULL, number[t->same]);
    json_close(out, ']');
}

static void write_quantities(const scene *s, uint32_t count, const uint32_t *quantity,
                             const uint32_t *number, const char *key, json *out) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < count; i++) write_quantity(s, quantity[i], number, NULL, out);
    json_close(out, ']');
}

static void write_points(const scene *s, const scene_item *it, const uint32_t *number,
                         const char *key, json *out) {
    json_open(out, key, '[');
    for (uint32_t i = 0; i < it->count; i += 3)
        write_quantities(s, 3, it->quantity + i, number, NULL, out);
    json_close(out, ']');
}

void scene_write_item(const scene *s, const scene_item *it, const uint32_t *number, json *out) {
    const shape_kind *kind = shape_of(it->kind);
    const uint32_t *next = it->quantity;
    json_open(out, NULL, '{');
    json_string(out, "kind", kind->word);
    if (kind->named) json_string(out, "name", it->name);
    for (const shape_member *member = kind->member; next < it->quantity + it->count;
         next += member->count ? member->count : it->count, member++) {
        if (!member->count) write_points(s, it, number, member->key, out);
        else if (member->count == 1) write_quantity(s, *next, number, member->key, out);
        else write_quantities(s, member->count, next, number, member->key, out);
    }
    json_close(out, '}');
}
