// Statements point and body: masses in space.
#include "parse/statement.h"

#include <string.h>

// point = "point" label ":" { "mass" expression | "at" expression }
// body  = "body" label ":" { "mass" expression | "at" expression | "inertia" tuple
//                          | "rotation" expression }
static void parse_point_or_body(parser *ps, statement *s) {
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

static void declare_point(elaborator *el, const statement *s, const binding *b) {
    elab_declare_body(el, s, b, ENTRY_POINT);
}

static void declare_body(elaborator *el, const statement *s, const binding *b) {
    elab_declare_body(el, s, b, ENTRY_BODY);
}

const statement_rule statement_point = {
    .word = "point",
    .syntax = "point NAME: mass E at V",
    .about = "a mass point",
    .parse = parse_point_or_body,
    .declare = declare_point,
};

const statement_rule statement_body = {
    .word = "body",
    .syntax = "body NAME: mass E at V inertia V [rotation R]",
    .about = "a rigid body",
    .parse = parse_point_or_body,
    .declare = declare_body,
};
