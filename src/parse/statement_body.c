// Statements point and body: masses in space.
#include "parse/statement.h"

#include <string.h>

// point = "point" label ":" { "mass" expression | "at" expression }
// body  = "body" label ":" { "mass" expression | "at" expression | "inertia" tuple
//                          | "rotation" expression }
static void parse_point_or_body(parser *ps, statement *st) {
    static const char *const clauses[] = {"mass", "at", "inertia", "rotation"};
    const bool body = st->kind == STATEMENT_BODY;
    st->name = parse_label(ps, body ? "the name of the body" : "the name of the point");
    if (!parser_expect(ps, ':', "`:`")) return;
    while (!ps->failed && !parser_ends_statement(ps)) {
        int which = 0;
        while (which < (body ? 4 : 2) && !parser_sees_word(ps, clauses[which])) which++;
        if (which == (body ? 4 : 2)) {
            parser_unexpected(ps,
                              body ? "`mass`, `at`, `inertia` or `rotation`" : "`mass` or `at`");
            return;
        }
        for (const item *other = st->items; other; other = other->next)
            if (strcmp(other->word, clauses[which]) == 0)
                parser_fail(ps, ps->token.at, NULL, "`%s` is given twice", clauses[which]);
        item *it = parse_item(ps, st);
        it->word = clauses[which];
        parser_advance(ps);
        it->value = parse_expression(ps);
    }
    const int needed = body ? 3 : 2;
    for (int i = 0; i < needed && !ps->failed; i++) {
        const item *it = st->items;
        while (it && strcmp(it->word, clauses[i]) != 0) it = it->next;
        if (!it)
            parser_fail(ps, st->name->at,
                        i == 2 ? "write `inertia (Ix, Iy, Iz)`, or make it a `point`" : NULL,
                        "%s `%s` has no `%s`", body ? "body" : "point", st->name->name, clauses[i]);
    }
}

// --- what a point or body is ---------------------------------------------------------------------

static bool expect_static_vector(elaborator *el, const vec3 *v, span at, const char *what) {
    bool good = true;
    for (int i = 0; i < 3 && good; i++) good = elab_expect_order(el, v->at[i], at, 0, what);
    return good;
}

static bool define_place(elaborator *el, const entry *e, expr *mass, vec3 *place) {
    const syntax *heavy = entry_clause(e, "mass"), *at = entry_clause(e, "at");
    bool good = elab_scalar(el, heavy, e->bindings, mass) &&
                elab_expect_order(el, *mass, heavy->at, 0, "a mass");
    good &= elab_vector(el, at, e->bindings, place) &&
            expect_static_vector(el, place, at->at, "a place");
    return good;
}

static bool define_inertia(elaborator *el, const entry *e, expr inertia[6]) {
    const syntax *node = entry_clause(e, "inertia");
    const span at = node->at;
    for (int i = 0; i < 6; i++) inertia[i] = EXPR_ZERO;
    if (node->kind == SYNTAX_TUPLE && node->count == 6) {
        bool good = true;
        int i = 0;
        for (node = node->first; node; node = node->next)
            good &= elab_scalar(el, node, e->bindings, &inertia[i++]);
        return good;
    }
    if (node->kind == SYNTAX_TUPLE && node->count != 3) {
        diag_error(el->ctx, at, NULL,
                   "expected `(Ix, Iy, Iz)` or `(Ix, Iy, Iz, Ixy, Ixz, Iyz)`, found %u values",
                   node->count);
        return false;
    }
    vec3 v;
    const bool good = elab_vector(el, node, e->bindings, &v);
    for (int i = 0; i < 3; i++) inertia[i] = v.at[i];
    return good;
}

static bool define_rotation(elaborator *el, const entry *e, rotation *r) {
    const syntax *node = entry_clause(e, "rotation");
    *r = rotation_identity();
    if (!node) return true;
    const value v = elab_evaluate(el, node, e->bindings);
    if (!value_expect(el->ctx, v, VALUE_ROTATION, node->at)) return false;
    *r = v.rotation;
    bool good = true;
    for (uint32_t i = 0; i < r->count && good; i++)
        good = elab_expect_order(el, r->factors[i].angle, node->at, 0, "the angle of a rotation") &&
               expect_static_vector(el, &r->factors[i].axis, node->at, "the axis of a rotation");
    return good;
}

static void enter_point(elaborator *el, entry *e) {
    e->index = el->model->points_count;
    list_push(el->model, points, (mass_point){.name = e->name, .at = e->at});
}

static value define_point(elaborator *el, const entry *e) {
    expr mass;
    vec3 place;
    if (!define_place(el, e, &mass, &place)) return value_void();
    mass_point *point = &el->model->points[e->index];
    point->mass = mass;
    point->position = place;
    return value_vector(place);
}

const statement_rule statement_point = {
    .word = "point",
    .syntax = "point NAME: mass E at V",
    .about = "a mass point",
    .parse = parse_point_or_body,
    .declares = ENTRY_POINT,
    .enter = enter_point,
    .define = define_point,
};

static void enter_body(elaborator *el, entry *e) {
    e->index = el->model->bodies_count;
    list_push(el->model, bodies, (rigid_body){.name = e->name, .at = e->at});
}

static value define_body(elaborator *el, const entry *e) {
    rigid_body body = el->model->bodies[e->index];
    bool good = define_place(el, e, &body.mass, &body.centre);
    bool inert = define_inertia(el, e, body.inertia);
    for (int i = 0; i < 6 && inert; i++)
        inert = elab_expect_order(el, body.inertia[i], entry_clause(e, "inertia")->at, 0,
                                  "a moment of inertia");
    good &= inert;
    good &= define_rotation(el, e, &body.orientation);
    if (!good) return value_void();
    el->model->bodies[e->index] = body;
    return value_vector(body.centre);
}

const statement_rule statement_body = {
    .word = "body",
    .syntax = "body NAME: mass E at V inertia V [rotation R]",
    .about = "a rigid body",
    .parse = parse_point_or_body,
    .declares = ENTRY_BODY,
    .enter = enter_body,
    .define = define_body,
};
