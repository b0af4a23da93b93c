// Statements force and torque.
#include "parse/statement.h"

#include <string.h>

// force  = "force" reference "=" expression | "force" "on" label "=" expression
// torque = "torque" "on" label "=" expression
static void parse_force(parser *ps, statement *st) {
    item *it = parse_item(ps, st);
    const syntax *first =
        parse_reference(ps, st->kind == STATEMENT_FORCE ? "a coordinate or `on`" : "`on`");
    if (!first) return;
    const bool is_on = strcmp(first->name, "on") == 0 && !first->indices && !first->primes;
    st->flag = is_on && parser_sees(ps, TOKEN_NAME);
    if (st->kind == STATEMENT_TORQUE && !st->flag) {
        if (is_on) parser_unexpected(ps, "the name of a body");
        else
            parser_fail(ps, first->at, "write `torque on B = (0, 0, M)`",
                        "expected `on`, found `%s`", first->name);
        return;
    }
    it->target = st->flag ? parse_label(ps, "the name of a point or body") : first;
    if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
}

static void read_force(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    const item *it = st->items;
    model *m = el->model;
    if (!st->flag) {
        const entry *e =
            elab_find_coordinate(el, it->target, in->bindings,
                                 "a force acts on a coordinate, `force x = E`, or at a point or "
                                 "body, `force on P = (Fx, Fy, Fz)`");
        expr v;
        if (!elab_scalar(el, it->value, in->bindings, &v) || !e) return;
        if (!elab_expect_order(el, v, it->value->at, 1, "a force")) return;
        list_push(m, generalised_forces,
                  (assignment){.symbol = e->symbol, .value = v, .at = st->whole});
        return;
    }
    const entry *e = elab_find_body(el, it->target, in->bindings);
    vec3 v;
    if (!elab_vector(el, it->value, in->bindings, &v) || !e) return;
    for (int i = 0; i < 3; i++)
        if (!elab_expect_order(el, v.at[i], it->value->at, 1,
                               st->kind == STATEMENT_TORQUE ? "a torque" : "a force"))
            return;
    if (st->kind == STATEMENT_TORQUE && e->kind != ENTRY_BODY) {
        diag_error(el->ctx, it->target->at, NULL, "`%s` is a point and takes no torque", e->name);
    } else if (st->kind == STATEMENT_TORQUE) {
        list_push(m, torques, (applied_torque){v, e->index, st->whole});
    } else {
        const vec3 place =
            e->kind == ENTRY_BODY ? m->bodies[e->index].centre : m->points[e->index].position;
        list_push(m, forces, (applied_force){v, place, st->whole});
    }
}

const statement_rule statement_force = {
    .word = "force",
    .syntax = "force NAME = E | force on NAME = V",
    .about = "a force on a coordinate, or at a point or the centre of a body",
    .parse = parse_force,
    .read = read_force,
    .fit = dim_fit_force,
};

const statement_rule statement_torque = {
    .word = "torque",
    .syntax = "torque on NAME = V",
    .about = "a moment on a body",
    .parse = parse_force,
    .read = read_force,
    .fit = dim_fit_torque,
};
