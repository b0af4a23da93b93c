// The statement draw: what an animation shows.
#include "parse/statement.h"

#include <assert.h>
#include <string.h>

// The shapes by their words, and how many expressions each has.
static const struct {
    const char *word;
    uint32_t operands;
} shapes[] = {
    [DRAW_LINE] = {"line", 2},   [DRAW_DISK] = {"disk", 3}, [DRAW_SPHERE] = {"sphere", 2},
    [DRAW_TRAIL] = {"trail", 1}, [DRAW_BOX] = {"box", 1},   [DRAW_ELLIPSOID] = {"ellipsoid", 1},
    [DRAW_CURVE] = {"curve", 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static bool is_solid(draw_kind kind) { return kind == DRAW_BOX || kind == DRAW_ELLIPSOID; }

// draw = "draw" ( "line" V "," V | "disk" V "," V "," E | "sphere" V "," E | "trail" V
//               | ( "box" | "ellipsoid" ) label V [ "at" V ] | "curve" V "in" NAME "=" E ".." E )
static void parse_draw(parser *ps, statement *st) {
    uint32_t which = 0;
    while (which < SHAPES && !parser_sees_word(ps, shapes[which].word)) which++;
    if (which == SHAPES) {
        parser_unexpected(ps, "`line`, `disk`, `sphere`, `trail`, `box`, `ellipsoid` or `curve`");
        return;
    }
    st->identifier = shapes[which].word;
    parser_advance(ps);
    if (is_solid(which)) st->name = parse_label(ps, "the name of a body");
    for (uint32_t i = 0; i < shapes[which].operands; i++) {
        if (i && !parser_expect(ps, ',', "an operator or `,`")) return;
        parse_operand(ps, st);
    }
    if (is_solid(which) && parser_accept_word(ps, "at")) parse_operand(ps, st);
    if (which != DRAW_CURVE) return;
    if (!parser_accept_word(ps, "in")) {
        parser_unexpected(ps, "`in` and the range of the curve");
        return;
    }
    st->name = parse_label(ps, "the name that runs along the curve");
    item *range = parse_item(ps, st);
    if (!parser_expect(ps, '=', "`=`")) return;
    range->value = parse_expression(ps);
    if (range->value && parser_expect(ps, TOKEN_RANGE, "an operator or `..`"))
        range->right = parse_expression(ps);
}

static draw_kind kind_of(const char *word) {
    int i = 0;
    while (strcmp(shapes[i].word, word) != 0) i++;
    return (draw_kind)i;
}

// What parse_draw() read at that place: a statement without it is not given a meaning.
static const item *operand(const statement *st, uint32_t place) {
    const item *it = st->items;
    while (it && place--) it = it->next;
    assert(it);
    return it;
}

static bool read_curve(elaborator *el, const instance *in, draw_item *d) {
    const statement *st = in->statement;
    const item *range = operand(st, 1);
    bool good = elab_constant(el, range->value, in->bindings, &d->from);
    good &= elab_constant(el, range->right, in->bindings, &d->to);
    d->local = expr_symbol(el->pool, st->name->name, ROLE_LOCAL);
    const binding along = {st->name->name, value_scalar(d->local), in->bindings};
    return elab_vector(el, st->items->value, &along, &d->a) && good;
}

// A box or ellipsoid that turns with a body, around its centre or around the place behind `at`.
static bool read_solid(elaborator *el, const instance *in, draw_item *d) {
    const statement *st = in->statement;
    const entry *e = elab_find_body(el, st->name, in->bindings);
    if (e && e->kind != ENTRY_BODY) {
        diag_error(el->ctx, st->name->at, NULL, "`%s` is a point: %s needs a body", e->name,
                   d->kind == DRAW_BOX ? "a box" : "an ellipsoid");
        e = NULL;
    }
    if (e) d->body = e->index, d->b = el->model->bodies[e->index].centre;
    const item *centre = st->items->next;
    const bool good = !centre || elab_vector(el, centre->value, in->bindings, &d->b);
    return elab_vector(el, st->items->value, in->bindings, &d->a) && good && e;
}

static void read_draw(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    draw_item d = {.kind = kind_of(st->identifier),
                   .radius = EXPR_NONE,
                   .local = EXPR_NONE,
                   .from = EXPR_NONE,
                   .to = EXPR_NONE,
                   .at = st->whole};
    bool good = true;
    if (d.kind == DRAW_CURVE) good = read_curve(el, in, &d);
    else if (is_solid(d.kind)) good = read_solid(el, in, &d);
    else good = elab_vector(el, st->items->value, in->bindings, &d.a);
    if (d.kind == DRAW_LINE || d.kind == DRAW_DISK)
        good &= elab_vector(el, operand(st, 1)->value, in->bindings, &d.b);
    if (d.kind == DRAW_DISK)
        good &= elab_scalar(el, operand(st, 2)->value, in->bindings, &d.radius);
    if (d.kind == DRAW_SPHERE)
        good &= elab_scalar(el, operand(st, 1)->value, in->bindings, &d.radius);
    if (good) list_push(el->model, draws, d);
}

const statement_rule statement_draw = {
    .word = "draw",
    .syntax = "draw line V, V | disk V, V, E | sphere V, E | trail V | box NAME V [at V] | "
              "ellipsoid NAME V [at V] | curve V in NAME = E .. E",
    .about = "what an animation shows",
    .parse = parse_draw,
    .read = read_draw,
    .fit = dim_fit_draw,
};
