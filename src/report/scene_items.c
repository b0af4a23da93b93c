// The items of a scene and the tracks of their quantities: which members a shape has, and adding.
#include "report/scene_internal.h"

const shape_kind *scene_shape(shape kind) {
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
        [SHAPE_CONTACT] = {"contact",
                           true,
                           {{"at", 3, MEASURE_PLACE}, {"mode", 1, MEASURE_DIRECTION}}},
    };
    return &kinds[kind];
}

uint32_t scene_track(scene *s, expr value, measure of) {
    for (uint32_t i = 0; i < s->tracks_count; i++)
        if (s->tracks[i].value == value && s->tracks[i].of == of) return i;
    list_push(s, tracks, (track){.value = value, .of = of});
    return s->tracks_count - 1;
}

uint32_t *scene_push_item(scene *s, shape kind, const char *name, uint32_t count) {
    uint32_t *quantity = arena_array(&s->m->ctx->arena, uint32_t, count);
    list_push(s, items, (scene_item){kind, name, count, quantity});
    return quantity;
}
