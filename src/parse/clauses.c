// Statements with a grammar of their own: points and bodies, forces, constraints,
// claims, events, simulate, draw.
#include "parse/parser.h"

#include <string.h>

// label = NAME [ indices ]
static const syntax *parse_label(parser *ps, const char *what) {
    const syntax *label = parse_reference(ps, what);
    if (label && label->primes)
        parser_fail(ps, label->at, NULL, "expected %s, found a derivative", what);
    return label;
}

// point = "point" label ":" { "mass" expression | "at" expression } body  = "body" label ":" {
// "mass" expression | "at" expression | "inertia" tuple | "rotation" expression }
void parse_point_or_body(parser *ps, statement *s) {
    static const char *const clauses[] = {"mass", "at", "inertia", "rotation"};
    const bool body = s->kind == STATEMENT_BODY;
    s->name = parse_label(ps, body ? "the name of the body" : "the name of the point");
    if (!parser_expect(ps, ':', "`:`")) return;
    while (!ps->failed && !parser_ends_statement(ps)) {
        int which = 0;
        while (which < (body ? 4 : 2) && !parser_sees_word(ps, clauses[which])) which++;
        if (which == (body ? 4 : 2)) {
            parser_unexpected(ps,
                              body ? "`mass`, `at`, `inertia` or `rotation`" : "`mass` or `at`");
            return;
        }
        for (const item *other = s->items; other; other = other->next)
            if (strcmp(other->word, clauses[which]) == 0)
                parser_fail(ps, ps->token.at, NULL, "`%s` is given twice", clauses[which]);
        item *it = parse_item(ps, s);
        it->word = clauses[which];
        parser_advance(ps);
        it->value = parse_expression(ps);
    }
    const int needed = body ? 3 : 2;
    for (int i = 0; i < needed && !ps->failed; i++) {
        const item *it = s->items;
        while (it && strcmp(it->word, clauses[i]) != 0) it = it->next;
        if (!it)
            parser_fail(ps, s->name->at,
                        i == 2 ? "write `inertia (Ix, Iy, Iz)`, or make it a `point`" : NULL,
                        "%s `%s` has no `%s`", body ? "body" : "point", s->name->name, clauses[i]);
    }
}

// force = "force" reference "=" expression | "force" "on" label "=" expression ;   torque =
// "torque" "on" label "=" expression
void parse_force(parser *ps, statement *s) {
    item *it = parse_item(ps, s);
    const syntax *first =
        parse_reference(ps, s->kind == STATEMENT_FORCE ? "a coordinate or `on`" : "`on`");
    if (!first) return;
    const bool is_on = strcmp(first->name, "on") == 0 && !first->indices && !first->primes;
    s->flag = is_on && parser_sees(ps, TOKEN_NAME);
    if (s->kind == STATEMENT_TORQUE && !s->flag) {
        if (is_on) parser_unexpected(ps, "the name of a body");
        else
            parser_fail(ps, first->at, "write `torque on B = (0, 0, M)`",
                        "expected `on`, found `%s`", first->name);
        return;
    }
    it->target = s->flag ? parse_label(ps, "the name of a point or body") : first;
    if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
}

// equation = expression "=" expression
static void parse_equation(parser *ps, item *it) {
    it->value = parse_expression(ps);
    if (!it->value || !parser_expect(ps, '=', "an operator or `=`")) return;
    it->right = parse_expression(ps);
    if (parser_sees(ps, '=')) parser_fail(ps, ps->token.at, NULL, "an equation has one `=`");
}

// constraint = "constraint" [ label ":" ] equation
void parse_constraint(parser *ps, statement *s) {
    item *it = parse_item(ps, s);
    const syntax *left = parse_expression(ps);
    if (!left) return;
    if (left->kind == SYNTAX_NAME && !left->primes && parser_accept(ps, ':')) {
        s->name = left;
        it->at = ps->token.at;
        parse_equation(ps, it);
        return;
    }
    it->value = left;
    if (!parser_expect(ps, '=', "an operator or `=`")) return;
    it->right = parse_expression(ps);
    if (parser_sees(ps, '=')) parser_fail(ps, ps->token.at, NULL, "an equation has one `=`");
}

// cartesian = "cartesian" equation
void parse_cartesian(parser *ps, statement *s) { parse_equation(ps, parse_item(ps, s)); }

// identifier = word { "-" word } ;   word = NAME | NUMBER
const char *parse_identifier(parser *ps, const char *what) {
    if (!parser_sees(ps, TOKEN_NAME)) {
        parser_unexpected(ps, what);
        return "";
    }
    const span start = ps->token.at;
    parser_advance(ps);
    while (parser_sees(ps, '-')) {
        parser_advance(ps);
        if (!parser_accept(ps, TOKEN_NAME) && !parser_accept(ps, TOKEN_NUMBER))
            parser_unexpected(ps, what);
    }
    const span whole = parser_span(ps, start);
    char *text = arena_copy(&ps->ctx->arena, whole.source->bytes + whole.offset, whole.length);
    if (strpbrk(text, " \t\r\n#"))
        parser_fail(ps, whole, NULL, "%s is written without blanks", what);
    return text;
}

// NAME "=" expression { "," NAME "=" expression }, each an item with the word given
static void parse_settings(parser *ps, statement *s, const char *word, const char *what) {
    do {
        item *it = parse_item(ps, s);
        it->word = word;
        it->target = parse_label(ps, what);
        if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// claimed = equation | "classical" | "solution" NAME "=" expression { "," NAME "=" expression }
// Neither word can begin an equation so: a name is followed by an operator there.
static void parse_claimed(parser *ps, statement *s, item *claimed) {
    const bool classical = parser_sees_word(ps, "classical"),
               solution = parser_sees_word(ps, "solution");
    parser after = *ps;
    after.lexer.quiet = true;
    if (classical || solution) parser_advance(&after);
    if (classical && parser_ends_statement(&after)) {
        claimed->word = "classical";
        parser_advance(ps);
    } else if (solution && parser_sees(&after, TOKEN_NAME)) {
        claimed->word = "solution";
        parser_advance(ps);
        parse_settings(ps, s, "solution", "a coordinate");
    } else {
        parse_equation(ps, claimed);
    }
}

// claim = "claim" label [ "under" identifier [ "with" NAME "=" expression { "," NAME
// "=" expression } ] ] ":" claimed
void parse_claim(parser *ps, statement *s) {
    s->name = parse_label(ps, "the name of the claim");
    item *claimed = parse_item(ps, s);
    if (parser_accept_word(ps, "under")) {
        s->identifier = parse_identifier(ps, "the name of a mechanics");
        if (parser_accept_word(ps, "with")) parse_settings(ps, s, "with", "the name of an option");
    }
    if (!parser_expect(ps, ':', "`:` and the equation claimed")) return;
    claimed->at = ps->token.at;
    parse_claimed(ps, s, claimed);
}

// event = "event" label ":" expression [ "up" | "down" ] [ "stop" ]
void parse_event(parser *ps, statement *s) {
    s->name = parse_label(ps, "the name of the event");
    if (!parser_expect(ps, ':', "`:`")) return;
    item *it = parse_item(ps, s);
    it->value = parse_expression(ps);
    s->direction = parser_accept_word(ps, "up") ? 1 : parser_accept_word(ps, "down") ? -1 : 0;
    s->flag = parser_accept_word(ps, "stop");
}

// simulate = "simulate" option { "," option } option = "t" "=" expression ".." expression | ("tol"
// | "output") "=" expression | ("method" | "form") "=" identifier
void parse_simulate(parser *ps, statement *s) {
    static const char *const options[] = {"t", "tol", "output", "method", "form"};
    do {
        int which = 0;
        while (which < 5 && !parser_sees_word(ps, options[which])) which++;
        if (which == 5) {
            parser_unexpected(ps, "`t`, `tol`, `output`, `method` or `form`");
            return;
        }
        for (const item *other = s->items; other; other = other->next)
            if (other->word == options[which])
                parser_fail(ps, ps->token.at, NULL, "`%s` is given twice", options[which]);
        item *it = parse_item(ps, s);
        it->word = options[which];
        parser_advance(ps);
        if (!parser_expect(ps, '=', "`=`")) return;
        if (which >= 3) {
            it->text =
                parse_identifier(ps, which == 3 ? "the name of a method" : "the name of a form");
            continue;
        }
        it->value = parse_expression(ps);
        if (which == 0 && it->value && parser_expect(ps, TOKEN_RANGE, "an operator or `..`"))
            it->right = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// draw = "draw" ( "line" V "," V | "disk" V "," V "," E | "sphere" V "," E | "trail" V
//               | ( "box" | "ellipsoid" ) label V [ "at" V ] | "curve" V "in" NAME "=" E ".." E )
void parse_draw(parser *ps, statement *s) {
    static const struct {
        const char *word;
        uint32_t operands;
    } shapes[] = {{"line", 2}, {"disk", 3},      {"sphere", 2}, {"trail", 1},
                  {"box", 1},  {"ellipsoid", 1}, {"curve", 1}};
    enum { BOX = 4, ELLIPSOID, CURVE, SHAPES };
    uint32_t which = 0;
    while (which < SHAPES && !parser_sees_word(ps, shapes[which].word)) which++;
    if (which == SHAPES) {
        parser_unexpected(ps, "`line`, `disk`, `sphere`, `trail`, `box`, `ellipsoid` or `curve`");
        return;
    }
    s->identifier = shapes[which].word;
    parser_advance(ps);
    const bool of_a_body = which == BOX || which == ELLIPSOID;
    if (of_a_body) s->name = parse_label(ps, "the name of a body");
    for (uint32_t i = 0; i < shapes[which].operands; i++) {
        if (i && !parser_expect(ps, ',', "an operator or `,`")) return;
        item *it = parse_item(ps, s);
        it->value = parse_expression(ps);
    }
    if (of_a_body && parser_accept_word(ps, "at")) {
        item *centre = parse_item(ps, s);
        centre->value = parse_expression(ps);
    }
    if (which != CURVE) return;
    if (!parser_accept_word(ps, "in")) {
        parser_unexpected(ps, "`in` and the range of the curve");
        return;
    }
    s->name = parse_label(ps, "the name that runs along the curve");
    item *range = parse_item(ps, s);
    if (!parser_expect(ps, '=', "`=`")) return;
    range->value = parse_expression(ps);
    if (range->value && parser_expect(ps, TOKEN_RANGE, "an operator or `..`"))
        range->right = parse_expression(ps);
}
