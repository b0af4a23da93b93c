// Statements touch and roll: where a body touches a surface, and that it rolls there.
//
//   roll c: B as SHAPE on SUPPORT
//
// stands for the definitions of touch.h and for the constraint c, whose components are the two
// tangential velocities of the body's point of contact (c.x along c_tangent, c.y along c_across)
// and the distance (c.z). Their multipliers are the components of the force on the body in that
// frame: lambda[c.z] is the normal force.
#include "parse/statement.h"
#include "parse/touch.h"

static void parse_touch(parser *ps, statement *st) {
    touch_words w;
    if (touch_parse(ps, st, "touch", &w)) touch_replace(ps, st, touch_text(&ps->ctx->arena, &w));
}

static void parse_roll(parser *ps, statement *st) {
    touch_words w;
    if (!touch_parse(ps, st, "roll", &w)) return;
    w.holds = true;
    const char *c = w.name, *i = w.index;
    const char *text =
        arena_format(&ps->ctx->arena,
                     "%sconstraint %s%s: (dot(%s_tangent%s, %s_slip%s), "
                     "dot(%s_across%s, %s_slip%s), %s_gap%s) = (0, 0, 0)\n",
                     touch_text(&ps->ctx->arena, &w), c, i, c, i, c, i, c, i, c, i, c, i);
    touch_replace(ps, st, text);
}

const statement_rule statement_touch = {
    .word = "touch",
    .syntax = "touch [NAME:] NAME as SHAPE [at V] on SUPPORT",
    .about = "where a body touches a surface: the point, the normal and the distance",
    .parse = parse_touch,
    .declares = ENTRY_LET,
    .define = touch_define,
    .read = touch_read,
    .is_replaced = true,
};

const statement_rule statement_roll = {
    .word = "roll",
    .syntax = "roll [NAME:] NAME as SHAPE [at V] on SUPPORT [moving V] [along V]",
    .about = "a body rolls on a surface without sliding",
    .parse = parse_roll,
    .declares = ENTRY_LET,
    .define = touch_define,
    .read = touch_read,
    .is_replaced = true,
};
