// The statement orientation: four coordinates of a unit quaternion as the rotation of a body.
//
//   orientation p of B
//
// stands for `coord p[0..3]`, the constraint p: p[0]^2 + .. + p[3]^2 = 1, and the clause `rotation
// quat(p[0], p[1], p[2], p[3])` of body B. No angle can fail, wherever the body turns.
#include "parse/statement.h"

#include <string.h>

// orientation = "orientation" NAME "of" NAME
static void parse_orientation(parser *ps, statement *st) {
    const syntax *p = parse_reference(ps, "a name for the four coordinates");
    if (!p) return;
    if (ps->depth) {
        parser_fail(ps, st->at, NULL, "`orientation` may not stand inside `for`");
        return;
    }
    if (p->indices || p->primes) {
        parser_fail(ps, p->at, "write `orientation p of B`",
                    "the coordinates of an orientation are called by a plain name");
        return;
    }
    if (!parser_accept_word(ps, "of")) {
        parser_unexpected(ps, "`of` and the name of a body");
        return;
    }
    st->name = parse_label(ps, "the name of a body");
    if (!st->name) return;
    st->identifier = p->name, st->identifier_at = p->at;
    arena *a = &ps->ctx->arena;
    const char *q = p->name, *shown = arena_format(a, "orientation %s of %s", q, st->name->name);
    parser inside =
        parser_of_text(ps->shared, shown,
                       arena_format(a,
                                    "coord %s[0..3]\n"
                                    "constraint %s: %s[0]^2 + %s[1]^2 + %s[2]^2 + %s[3]^2 "
                                    "= 1\n"
                                    "guess %s[0] = 1\n",
                                    q, q, q, q, q, q, q),
                       false);
    uint32_t count = 0;
    st->body = parse_statements(&inside, false, &count);
    parser value = parser_of_text(
        ps->shared, shown, arena_format(a, "quat(%s[0], %s[1], %s[2], %s[3])", q, q, q, q), true);
    item *turn = parse_item(ps, st);
    turn->word = "rotation", turn->value = parse_expression(&value);
    statement *last = st->body;
    for (statement *made = st->body; made; made = made->next) made->made = true, last = made;
    if (!last || !turn->value) { // out of memory or of nodes: that was said
        ps->failed = true;
        return;
    }
    last->flag = true; // the guess gives way to what the model says
    last->next = st;   // it stays in the list itself, for parse_attach_orientations()
}

static statement *find_body(statement *first, const char *name) {
    for (statement *st = first; st; st = st->next)
        if (st->kind == STATEMENT_BODY && !st->name->indices && strcmp(st->name->name, name) == 0)
            return st;
    return NULL;
}

void parse_attach_orientations(context *ctx, statement *first) {
    for (statement *st = first; st; st = st->next) {
        if (st->kind != STATEMENT_ORIENTATION) continue;
        statement *body = find_body(first, st->name->name);
        const item *other = body ? body->items : NULL;
        while (other && strcmp(other->word, "rotation") != 0) other = other->next;
        if (!body)
            diag_error(ctx, st->name->at, "declare it by `body`, without an index",
                       "there is no body `%s`", st->name->name);
        else if (other)
            diag_error(ctx, st->at, "leave out `rotation`, or this orientation",
                       "body `%s` has a rotation already", st->name->name);
        if (!body || other) continue;
        body->last_item->next = st->items;
        body->last_item = st->items;
        body->item_count++;
    }
}

const statement_rule statement_orientation = {
    .word = "orientation",
    .syntax = "orientation NAME of NAME",
    .about = "four coordinates, a unit quaternion, as the rotation of a body",
    .parse = parse_orientation,
    .is_replaced = true,
};
