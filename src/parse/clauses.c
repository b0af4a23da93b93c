// Parts that several statements share: definitions, lists of expressions, labels, equations.
#include "parse/parser.h"

#include <string.h>

item *parse_item(parser *ps, statement *st) {
    item *it = arena_new(&ps->ctx->arena, item);
    it->at = ps->token.at;
    if (st->last_item) st->last_item->next = it;
    else st->items = it;
    st->last_item = it;
    st->item_count++;
    return it;
}

// label = NAME [ indices ]
const syntax *parse_label(parser *ps, const char *what) {
    const syntax *label = parse_reference(ps, what);
    if (label && label->primes)
        parser_fail(ps, label->at, NULL, "expected %s, found a derivative", what);
    return label;
}

typedef enum { VALUE_NONE, VALUE_OPTIONAL, VALUE_REQUIRED } value_rule;

// definition  = declarator [ "=" expression [ unit ] ]
// definitions = definition { "," definition }
static void parse_list(parser *ps, statement *st, value_rule rule) {
    do {
        item *it = parse_item(ps, st);
        it->target = parse_declarator(ps, "a name");
        if (rule != VALUE_NONE && parser_accept(ps, '=')) it->value = parse_expression(ps);
        else if (rule == VALUE_REQUIRED) parser_unexpected(ps, "`=`");
        else if (parser_sees_word(ps, "from"))
            parser_fail(ps, ps->token.at, "write `given f from \"data.csv\" column f`",
                        "data give functions of time, not numbers or coordinates");
        if (it->target) parse_unit_of_item(ps, st, it);
        if (it->target && st->kind == STATEMENT_CONST) // for `coord q [N]` in other files
            names_put(&ps->shared->constants, it->target->name, 0);
    } while (parser_accept(ps, ','));
}

void parse_names(parser *ps, statement *st) { parse_list(ps, st, VALUE_NONE); }
void parse_definitions(parser *ps, statement *st) { parse_list(ps, st, VALUE_REQUIRED); }
void parse_open_definitions(parser *ps, statement *st) { parse_list(ps, st, VALUE_OPTIONAL); }

// operand = expression
void parse_operand(parser *ps, statement *st) { parse_item(ps, st)->value = parse_expression(ps); }

// equation = expression "=" expression
void parse_equation(parser *ps, item *it) {
    if (!it->value) it->value = parse_expression(ps);
    if (!it->value || !parser_expect(ps, '=', "an operator or `=`")) return;
    it->right = parse_expression(ps);
    if (parser_sees(ps, '=')) parser_fail(ps, ps->token.at, NULL, "an equation has one `=`");
}

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
