// Calls about points and bodies: places, velocities, rotations, momentum and inertia.
#include "model/mechanics.h"
#include "parse/elaborate.h"

#include <string.h>

static bool position_of(elaborator *el, const syntax *node, const binding *b, vec3 *position) {
    const entry *e = elab_find_body(el, node, b);
    if (!e) return false;
    *position = e->kind == ENTRY_BODY ? el->model->bodies[e->index].centre
                                      : el->model->points[e->index].position;
    return true;
}

static const rigid_body *body_of(elaborator *el, const syntax *node, const binding *b) {
    const entry *e = elab_find_body(el, node, b);
    if (!e) return NULL;
    if (e->kind == ENTRY_BODY) {
        const rigid_body *body = &el->model->bodies[e->index];
        // what follows goes through its rotations one by one
        el->steps += 16 * (uint64_t)body->orientation.count;
        return body;
    }
    diag_error(el->ctx, node->at, NULL, "`%s` is a point and does not rotate: expected a body",
               e->name);
    return NULL;
}

value elab_call_pos(elaborator *el, const syntax *node, const binding *b) {
    vec3 r;
    return position_of(el, node->first, b, &r) ? value_vector(r) : value_void();
}

value elab_call_vel(elaborator *el, const syntax *node, const binding *b) {
    vec3 r;
    return position_of(el, node->first, b, &r) ? value_vector(vec3_ddt(el->pool, r)) : value_void();
}

value elab_call_acc(elaborator *el, const syntax *node, const binding *b) {
    vec3 r;
    if (!position_of(el, node->first, b, &r)) return value_void();
    return value_vector(vec3_ddt(el->pool, vec3_ddt(el->pool, r)));
}

value elab_call_omega(elaborator *el, const syntax *node, const binding *b) {
    const rigid_body *body = body_of(el, node->first, b);
    return body ? value_vector(rotation_omega(el->pool, body->orientation)) : value_void();
}

value elab_call_frame(elaborator *el, const syntax *node, const binding *b) {
    const rigid_body *body = body_of(el, node->first, b);
    return body ? value_rotation(body->orientation) : value_void();
}

// velat(B, p) = centre' + omega x (p - centre)
value elab_call_velat(elaborator *el, const syntax *node, const binding *b) {
    const rigid_body *found = body_of(el, node->first, b);
    // a copy: the list of bodies may move in memory while the place is worked out
    const rigid_body body = found ? *found : (rigid_body){0};
    vec3 place;
    if (!elab_vector(el, node->first->next, b, &place) || !found) return value_void();
    const vec3 arm = vec3_sub(el->pool, place, body.centre);
    const vec3 turning = vec3_cross(el->pool, rotation_omega(el->pool, body.orientation), arm);
    return value_vector(vec3_add(el->pool, vec3_ddt(el->pool, body.centre), turning));
}

// inertia(B): the tensor R I R^T, to be multiplied by a vector of space
value elab_call_inertia(elaborator *el, const syntax *node, const binding *b) {
    const rigid_body *body = body_of(el, node->first, b);
    if (!body) return value_void();
    inertia_tensor *t = arena_new(&el->ctx->arena, inertia_tensor);
    t->orientation = body->orientation;
    memcpy(t->entry, body->inertia, sizeof t->entry);
    return value_tensor(t);
}

// momentum(B, P) = I omega + m (centre - P) x centre'; of a point the second part alone
value elab_call_momentum(elaborator *el, const syntax *node, const binding *b) {
    const entry *e = elab_find_body(el, node->first, b);
    vec3 about;
    if (!elab_vector(el, node->first->next, b, &about) || !e) return value_void();
    pool *p = el->pool;
    const bool turns = e->kind == ENTRY_BODY;
    const rigid_body body = turns ? el->model->bodies[e->index] : (rigid_body){0};
    const vec3 place = turns ? body.centre : el->model->points[e->index].position;
    const expr mass = turns ? body.mass : el->model->points[e->index].mass;
    const vec3 moment = vec3_cross(p, vec3_sub(p, place, about), vec3_ddt(p, place));
    vec3 sum = vec3_scale(p, mass, moment);
    if (turns) {
        el->steps += 16 * (uint64_t)body.orientation.count;
        const vec3 w = rotation_omega_body(p, body.orientation);
        const vec3 spin = model_inertia_times(p, body.inertia, w);
        sum = vec3_add(p, sum, rotation_apply(p, body.orientation, spin));
    }
    return value_vector(sum);
}
