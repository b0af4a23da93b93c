// Parts that several statements share: definitions, lists of expressions, labels, equations.
#include "parse/parser.h"

#include <string.h>

enum { MOST_PARAMETERS = 64 };

item *parse_item(parser *ps, statement *s) {
    item *it = arena_new(&ps->ctx->arena, item);
    it->at = ps->token.at;
    if (s->last_item) s->last_item->next = it;
    else s->items = it;
    s->last_item = it;
    s->item_count++;
    return it;
}

// label = NAME [ indices ]
const syntax *parse_label(parser *ps, const char *what) {
    const syntax *label = parse_reference(ps, what);
    if (label && label->primes)
        parser_fail(ps, label->at, NULL, "expected %s, found a derivative", what);
    return label;
}

// parameters = "(" NAME { "," NAME } ")"
static void parse_parameters(parser *ps, item *it) {
    const span opened = ps->token.at;
    parser_open(ps);
    const syntax **end = &it->parameters;
    uint32_t count = 0;
    do {
        if (++count > MOST_PARAMETERS) {
            parser_fail(ps, ps->token.at, NULL, "a function has at most %d arguments",
                        MOST_PARAMETERS);
            return;
        }
        if (!parser_sees(ps, TOKEN_NAME)) {
            parser_unexpected(ps, "the name of an argument");
            return;
        }
        for (const syntax *other = it->parameters; other; other = other->next)
            if (strcmp(other->name, ps->token.name) == 0)
                parser_fail(ps, ps->token.at, NULL, "two arguments are called `%s`", other->name);
        syntax *name = syntax_new(ps, SYNTAX_NAME, ps->token.at);
        name->name = ps->token.name;
        *end = name;
        end = (const syntax **)&name->next;
        parser_advance(ps);
    } while (parser_accept(ps, ','));
    parser_close(ps, ')', opened);
}

typedef enum { VALUE_NONE, VALUE_OPTIONAL, VALUE_REQUIRED } value_rule;

// definition = declarator [ parameters ] [ "=" expression ]
static void parse_definition(parser *ps, item *it, value_rule rule, bool function) {
    it->target = parse_declarator(ps, "a name");
    if (!it->target) return;
    if (function && parser_sees(ps, '(')) parse_parameters(ps, it);
    if (ps->failed) return;
    if (parser_sees(ps, '=') && rule != VALUE_NONE) {
        parser_advance(ps);
        it->value = parse_expression(ps);
    } else if (rule == VALUE_REQUIRED) {
        parser_unexpected(ps, "`=`");
    }
}

// definitions = definition { "," definition }
static void parse_list(parser *ps, statement *s, value_rule rule, bool function) {
    do {
        item *it = parse_item(ps, s);
        parse_definition(ps, it, rule, function);
        if (!ps->failed && function && rule == VALUE_OPTIONAL && !it->parameters)
            parser_unexpected(ps, "`(` and the arguments of the function");
    } while (parser_accept(ps, ','));
}

void parse_names(parser *ps, statement *s) { parse_list(ps, s, VALUE_NONE, false); }
void parse_definitions(parser *ps, statement *s) { parse_list(ps, s, VALUE_REQUIRED, false); }
void parse_open_definitions(parser *ps, statement *s) { parse_list(ps, s, VALUE_OPTIONAL, false); }
void parse_functions(parser *ps, statement *s, bool open) {
    parse_list(ps, s, open ? VALUE_OPTIONAL : VALUE_REQUIRED, true);
}

// operand = expression
void parse_operand(parser *ps, statement *s) { parse_item(ps, s)->value = parse_expression(ps); }

// equation = expression "=" expression
void parse_equation(parser *ps, item *it) {
    it->value = parse_expression(ps);
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

// NAME "=" expression { "," NAME "=" expression }, each an item with the word given
void parse_settings(parser *ps, statement *s, const char *word, const char *what) {
    do {
        item *it = parse_item(ps, s);
        it->word = word;
        it->target = parse_label(ps, what);
        if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
    } while (parser_accept(ps, ','));
}
