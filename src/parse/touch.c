// Reading `B as SHAPE on SUPPORT`, and what its parts may be.
#include "parse/touch.h"

#include "parse/statement.h"

#include <math.h>
#include <string.h>

// --- names ---------------------------------------------------------------------------------------

static const char *index_text(parser *ps, const syntax *node) {
    if (!node->indices) return "";
    const char *bytes = node->at.source->bytes + node->at.offset;
    const size_t skip = strcspn(bytes, "[");
    return arena_copy(&ps->ctx->arena, bytes + skip, node->at.length - skip);
}

static const char *name_text(parser *ps, const syntax *node) {
    return arena_format(&ps->ctx->arena, "%s%s", node->name, index_text(ps, node));
}

// --- clauses -------------------------------------------------------------------------------------

// The value that comes next, to be called NAME_word.
static void read_argument(parser *ps, statement *st, const touch_words *w, const char *word) {
    item *it = parse_item(ps, st);
    const char *name = arena_format(&ps->ctx->arena, "%s_%s%s", w->name, word, w->index);
    parser inside = parser_of_text(ps->shared, name, name, true);
    syntax *target = parse_declarator(&inside, "a name");
    it->word = word;
    it->value = parse_expression(ps);
    if (!target) {
        ps->failed = true;
        return;
    }
    target->at = it->value ? it->value->at : st->at;
    it->target = target;
}

static bool read_clause(parser *ps, statement *st, const touch_words *w, const char *clause,
                        const char *word) {
    if (!parser_accept_word(ps, clause)) return false;
    read_argument(ps, st, w, word);
    return true;
}

// shape = "ball" E | ( "disc" E | "torus" E "," E ) [ "axis" V ] | "ellipsoid" V
static void read_shape(parser *ps, statement *st, touch_words *w) {
    if (!parser_accept_word(ps, "as")) {
        parser_unexpected(ps,
                          "`as` and a shape: `as ball r`, `as disc r`, `as ellipsoid (a, b, c)` "
                          "or `as torus R, r`");
        return;
    }
    static const char *const words[] = {"ball", "disc", "ellipsoid", "torus"};
    int which = 0;
    while (which < 4 && !parser_sees_word(ps, words[which])) which++;
    if (which == 4 && parser_sees_word(ps, "disk")) which = SHAPE_DISC;
    if (which == 4) {
        parser_unexpected(ps, "`ball`, `disc`, `ellipsoid` or `torus`");
        return;
    }
    w->shape = (shape_kind)which;
    parser_advance(ps);
    read_argument(ps, st, w, w->shape == SHAPE_ELLIPSOID ? "axes" : "radius");
    if (w->shape == SHAPE_TORUS) {
        if (!parser_expect(ps, ',', "`,` and the radius of the tube")) return;
        read_argument(ps, st, w, "tube");
    }
    if (w->shape == SHAPE_DISC || w->shape == SHAPE_TORUS)
        w->has_axis = read_clause(ps, st, w, "axis", "axis");
    w->has_offset = read_clause(ps, st, w, "at", "offset");
}

// surface = "surface" "(" label "," label "," label ")" ":" E
static void read_surface(parser *ps, statement *st, touch_words *w) {
    const char *help = "three names for the point of contact, as in `surface (X, Y, Z): Z - X^2`";
    if (!parser_expect(ps, '(', help)) return;
    for (int i = 0; i < 3; i++) {
        if (i && !parser_expect(ps, ',', "`,`")) return;
        const syntax *name = parse_label(ps, "a name");
        if (!name || ps->failed) return;
        w->foot[i] = name_text(ps, name);
        item *it = parse_item(ps, st);
        it->word = "foot", it->value = name;
        for (int j = 0; j < i; j++)
            if (strcmp(w->foot[j], w->foot[i]) == 0)
                parser_fail(ps, name->at, "the three coordinates of a point have three names",
                            "`%s` stands here twice", w->foot[i]);
    }
    if (!parser_expect(ps, ')', "`)`") || !parser_expect(ps, ':', "`:`")) return;
    read_argument(ps, st, w, "surface");
}

// Is it written as (E, 0, 0)? Then the x axis is no tangent.
static bool is_along_x(const parser *ps, const syntax *v) {
    if (!v || v->kind != SYNTAX_TUPLE || v->count < 2) return false;
    for (const syntax *c = v->first->next; c; c = c->next)
        if (c->kind != SYNTAX_NUMBER || c->number != expr_int(ps->shared->pool, 0)) return false;
    return true;
}

// support = "plane" { "through" V | "normal" V } | "surface" ..
//         | ( "sphere" E | "cylinder" E ) { "around" V | "axis" V | "inside" }
static void read_support(parser *ps, statement *st, touch_words *w) {
    if (!parser_accept_word(ps, "on")) {
        parser_unexpected(ps, "`on` and what it touches: `on plane`, `on sphere R`, `on cylinder "
                              "R` or `on surface (X, Y, Z): E`");
        return;
    }
    static const char *const words[] = {"plane", "sphere", "cylinder", "surface"};
    int which = 0;
    const span at = ps->token.at;
    while (which < 4 && !parser_sees_word(ps, words[which])) which++;
    if (which == 4) {
        parser_unexpected(ps, "`plane`, `sphere`, `cylinder` or `surface`");
        return;
    }
    w->support = (support_kind)which;
    parser_advance(ps);
    const bool round = w->support == SUPPORT_SPHERE || w->support == SUPPORT_CYLINDER;
    if (round && w->shape != SHAPE_BALL) {
        parser_fail(ps, at,
                    "write it as `surface (X, Y, Z): X^2 + Y^2 + Z^2 - R^2`: then X, Y, Z are "
                    "coordinates of the point of contact",
                    "on a %s only a ball has its point of contact in closed form", words[which]);
        return;
    }
    if (w->support == SUPPORT_SURFACE) read_surface(ps, st, w);
    if (round) read_argument(ps, st, w, "size");
    for (bool more = true; more && !ps->failed;) {
        more = false;
        if (w->support == SUPPORT_PLANE) {
            if (!w->has_through && read_clause(ps, st, w, "through", "through"))
                w->has_through = more = true;
            if (!w->has_up && read_clause(ps, st, w, "normal", "up")) {
                w->has_up = more = true;
                w->normal_is_x = is_along_x(ps, st->last_item->value);
            }
        }
        if (round && !w->has_around && read_clause(ps, st, w, "around", "around"))
            w->has_around = more = true;
        if (w->support == SUPPORT_CYLINDER && !w->has_line &&
            read_clause(ps, st, w, "axis", "line"))
            w->has_line = more = true;
        if (round && !w->inside && parser_accept_word(ps, "inside"))
            w->inside = st->flag = more = true;
    }
}

static bool name_is_free(parser *ps, const statement *st, const touch_words *w) {
    const char *name = arena_format(&ps->ctx->arena, "%s%s", w->name, w->index);
    const char *word = statement_rules[st->kind]->word;
    if (ps->depth && !*w->index)
        parser_fail(
            ps, st->at,
            arena_format(&ps->ctx->arena, "give it the index of the loop: `%s c[i]: ..`", word),
            "`%s` inside `for` needs a name with an index", word);
    else if (names_get(&ps->shared->contacts, name))
        parser_fail(ps, st->at, arena_format(&ps->ctx->arena, "write `%s NAME: ..`", word),
                    "a contact is called `%s` already", name);
    else names_put(&ps->shared->contacts, name, 0);
    return !ps->failed;
}

// What touch_read() is to look at: the body, and the names that are made. They declare nothing.
static void read_references(parser *ps, statement *st, const touch_words *w, const syntax *body) {
    static const char *const made[] = {"point", "normal", "tangent", "across", "gap"};
    item *it = parse_item(ps, st);
    it->word = "body", it->value = body;
    const char *own = arena_format(&ps->ctx->arena, "%s%s", w->name, w->index);
    parser label = parser_of_text(ps->shared, own, own, true);
    it->right = parse_expression(&label);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        const char *name = arena_format(&ps->ctx->arena, "%s_%s%s", w->name, made[i], w->index);
        parser inside = parser_of_text(ps->shared, name, name, true);
        it = parse_item(ps, st);
        it->word = made[i], it->value = parse_expression(&inside);
        if (!it->value) ps->failed = true;
    }
}

bool touch_parse(parser *ps, statement *st, const char *usual, touch_words *out) {
    *out = (touch_words){.name = usual, .index = ""};
    const syntax *body = parse_label(ps, "the name of a body");
    st->identifier = usual;
    if (body && parser_accept(ps, ':')) {
        out->name = body->name, out->index = index_text(ps, body);
        st->identifier = body->name, st->identifier_at = body->at;
        body = parse_label(ps, "the name of a body");
    }
    if (!body || ps->failed || !name_is_free(ps, st, out)) return false;
    out->body = name_text(ps, body);
    read_shape(ps, st, out);
    if (!ps->failed) read_support(ps, st, out);
    for (bool more = true; more && !ps->failed;) {
        more = false;
        if (!out->has_moving && read_clause(ps, st, out, "moving", "moving"))
            out->has_moving = more = true;
        if (!out->has_along && read_clause(ps, st, out, "along", "along"))
            out->has_along = more = true;
    }
    if (!ps->failed) read_references(ps, st, out, body);
    return !ps->failed;
}

// What is said of an expression that was made points at the author's line.
static void move_to(syntax *node, span where) {
    for (; node; node = node->next) {
        node->at = where, node->join_at = where.offset;
        move_to(node->indices, where);
        move_to(node->first, where);
    }
}

void touch_replace(parser *ps, statement *st, const char *text) {
    const span whole = parser_span(ps, st->at);
    parser inside = parser_of_text(ps->shared, statement_rules[st->kind]->word, text, false);
    uint32_t count = 0;
    st->body = parse_statements(&inside, false, &count);
    if (!st->body) { // out of memory or of nodes: that was said
        ps->failed = true;
        return;
    }
    statement *last = st->body;
    for (statement *made = st->body; made; made = made->next) {
        made->at = made->whole = whole, made->made = true;
        move_to((syntax *)made->name, whole);
        if (made->kind == STATEMENT_LET) made->kind = st->kind; // defined by touch_define()
        for (item *it = made->items; it; it = it->next) {
            it->at = whole;
            move_to((syntax *)it->target, whole);
            move_to((syntax *)it->value, whole);
            move_to((syntax *)it->right, whole);
        }
        last = made;
    }
    last->next = st; // it stays in the list itself: it declares what the author wrote
}

// --- what the parts mean -------------------------------------------------------------------------

static const item *item_of(const entry *e) {
    const item *it = e->statement->items;
    while (it && it->value != e->definition) it = it->next;
    return it;
}

static bool is_zero(pool *p, vec3 v) { return vec3_dot(p, v, v) == EXPR_ZERO; }

// Definitions that were made, where they fail for good: a contact that has no point or no frame.
static value check_made(elaborator *el, const entry *e, value v) {
    const item *it = item_of(e);
    const char *part = strrchr(it->target->name, '_');
    const span at = e->statement->whole;
    if (v.type != VALUE_VECTOR || el->ctx->exhausted) return v;
    if (strcmp(part, "_level") == 0 && is_zero(el->pool, v.vector)) {
        diag_error(el->ctx, at,
                   "its axis is (0, 0, 1) in the axes of the body: `axis V` behind the shape says "
                   "another one, `rotation` of the body turns it",
                   "it lies flat, and all points of its rim touch: there is no point of contact");
        return value_void();
    }
    if (strcmp(part, "_slope") == 0 && is_zero(el->pool, v.vector)) {
        diag_error(el->ctx, at, "write `surface (X, Y, Z): E`, and X, Y, Z in E",
                   "the function of the surface does not depend on its coordinates");
        return value_void();
    }
    if (strcmp(part, "_beside") == 0 && is_zero(el->pool, v.vector)) {
        diag_error(el->ctx, at, "add `along V`, another direction for its first tangent",
                   "the first tangent has no direction: it would lie along the normal");
        return value_void();
    }
    return v;
}

// Radii, half axes and such are positive: what is 0 or less, and no symbol, is refused here.
static bool expect_positive(elaborator *el, const item *it, expr e) {
    if (!expr_is_number(el->pool, e) || fmpq_sgn(expr_number_value(el->pool, e)) > 0) return true;
    diag_error(el->ctx, it->value->at, NULL, "%s must be greater than 0",
               strcmp(it->word, "axes") == 0   ? "a half axis of the ellipsoid"
               : strcmp(it->word, "tube") == 0 ? "the radius of the tube"
                                               : "a radius");
    return false;
}

static bool expect_direction(elaborator *el, const item *it, vec3 v) {
    if (!is_zero(el->pool, v)) return true;
    diag_error(el->ctx, it->value->at, NULL, "a direction is needed, and this vector is 0");
    return false;
}

static bool is_one_of(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

static const item *find_item(const statement *st, const char *word) {
    const item *it = st->items;
    while (it && (!it->word || strcmp(it->word, word) != 0)) it = it->next;
    return it;
}

value touch_define(elaborator *el, const entry *e) {
    static const char *const sizes[] = {"radius", "tube", "size", NULL}, *const directions[] = {
                                                                             "axis", "up", "line",
                                                                             "along", NULL};
    const item *it = item_of(e);
    const value v = elab_evaluate(el, e->definition, e->bindings);
    if (!it->word) return check_made(el, e, v);
    const bool scalar = is_one_of(it->word, sizes) || strcmp(it->word, "surface") == 0;
    if (!value_expect(el->ctx, v, scalar ? VALUE_SCALAR : VALUE_VECTOR, it->value->at))
        return value_void();
    bool good = true;
    if (is_one_of(it->word, sizes)) good = expect_positive(el, it, v.scalar);
    if (is_one_of(it->word, directions)) good = expect_direction(el, it, v.vector);
    for (int i = 0; i < 3 && good && strcmp(it->word, "axes") == 0; i++)
        good = expect_positive(el, it, v.vector.at[i]);
    const int most = strcmp(it->word, "moving") == 0 ? 1 : 0;
    for (int i = 0; i < (scalar ? 1 : 3) && good; i++)
        good = elab_expect_order(el, scalar ? v.scalar : v.vector.at[i], it->value->at, most,
                                 most ? "the velocity of the support" : "the shape of a contact");
    return good ? v : value_void();
}

// --- the contact in the model --------------------------------------------------------------------

// With the values that parameters have; NAN where one has none
static double size_of(elaborator *el, const instance *in, const char *word) {
    const item *it = find_item(in->statement, word);
    const value v = it ? elab_evaluate(el, it->value, in->bindings) : value_void();
    return v.type == VALUE_SCALAR ? model_constant(el->model, v.scalar) : NAN;
}

// Reports radii that are not positive for the values of the parameters, and a ball that is too big
// for the hollow it lies in.
static bool sizes_can_be(elaborator *el, const instance *in) {
    static const char *const sizes[] = {"radius", "tube", "size"};
    for (int i = 0; i < 3; i++) {
        const item *it = find_item(in->statement, sizes[i]);
        const value v = it ? elab_evaluate(el, it->value, in->bindings) : value_void();
        if (v.type != VALUE_SCALAR || expr_is_number(el->pool, v.scalar)) continue; // looked at
        if (!(size_of(el, in, sizes[i]) <= 0)) continue;
        diag_error(
            el->ctx, it->value->at, NULL,
            "a radius must be greater than 0, and this is %g for the values of the parameters",
            size_of(el, in, sizes[i]));
        return false;
    }
    const double ball = size_of(el, in, "radius"), hollow = size_of(el, in, "size");
    if (!in->statement->flag || !(ball >= hollow)) return true;
    diag_error(el->ctx, find_item(in->statement, "size")->value->at,
               "it rolls inside where its radius is the smaller one",
               "a ball of radius %g does not roll inside a hollow of radius %g", ball, hollow);
    return false;
}

void touch_read(elaborator *el, const instance *in) {
    const item *body = find_item(in->statement, "body"), *it = body;
    if (!body) return; // one of the definitions
    const entry *e = elab_find_body(el, body->value, in->bindings);
    if (!e || e->kind != ENTRY_BODY) return; // a point: velat() said that it does not rotate
    if (!sizes_can_be(el, in)) return;
    touching t = {.body = e->index, .at = in->statement->whole};
    vec3 *const vectors[] = {&t.point, &t.normal, &t.tangent, &t.across};
    bool good = true;
    for (int i = 0; i < 4; i++) {
        it = it->next;
        good &= elab_vector(el, it->value, in->bindings, vectors[i]);
    }
    good &= elab_scalar(el, it->next->value, in->bindings, &t.gap);
    t.name = elab_label(el, body->right, in->bindings, NULL);
    if (good && t.name) list_push(el->model, touches, t);
}
