// What the model's `draw` statements show.
#include "report/scene_internal.h"

// of a curve: each point that moves costs three tracks
enum { STILL_POINTS = 129, MOVING_POINTS = 33 };

// a(s) at s = from + (to - from) i/(count - 1)
static void draw_curve(scene *s, const draw_item *d) {
    pool *p = s->p;
    const uint32_t count = scene_moves(s, d->a) ? MOVING_POINTS : STILL_POINTS;
    const expr length = expr_sub(p, d->to, d->from);
    vec3 *point = arena_array(&s->m->ctx->arena, vec3, count);
    for (uint32_t i = 0; i < count; i++) {
        const expr along =
            expr_add(p, d->from, expr_mul(p, length, expr_rational(p, i, count - 1)));
        expr_substitute(p, 1, &d->local, &along, 3, d->a.at, point[i].at);
    }
    scene_add_vectors(s, SHAPE_CURVE, NULL, count, point);
}

// A box or ellipsoid along the axes of a body.
static void draw_solid(scene *s, shape kind, const draw_item *d) {
    static const vec3 axes[3] = {{{EXPR_ONE, EXPR_ZERO, EXPR_ZERO}},
                                 {{EXPR_ZERO, EXPR_ONE, EXPR_ZERO}},
                                 {{EXPR_ZERO, EXPR_ZERO, EXPR_ONE}}};
    scene_add_turning(s, kind, &s->m->bodies[d->body], d->b, axes, d->a);
}

static void draw(scene *s, const draw_item *d) {
    const expr *a = d->a.at, *b = d->b.at;
    switch (d->kind) {
    case DRAW_LINE: scene_add_vectors(s, SHAPE_LINE, NULL, 2, (vec3[]){d->a, d->b}); break;
    case DRAW_DISK:
        scene_add(s, SHAPE_DISK, NULL, 7, (expr[]){a[0], a[1], a[2], b[0], b[1], b[2], d->radius});
        break;
    case DRAW_SPHERE:
        scene_add(s, SHAPE_SPHERE, NULL, 4, (expr[]){a[0], a[1], a[2], d->radius});
        break;
    case DRAW_TRAIL: scene_add_vectors(s, SHAPE_TRAIL, NULL, 1, &d->a); break;
    case DRAW_BOX: draw_solid(s, SHAPE_BOX, d); break;
    case DRAW_ELLIPSOID: draw_solid(s, SHAPE_ELLIPSOID, d); break;
    case DRAW_CURVE: draw_curve(s, d); break;
    }
}

void scene_draw(scene *s) {
    for (uint32_t i = 0; i < s->m->draws_count; i++) draw(s, &s->m->draws[i]);
}
