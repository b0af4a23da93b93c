// Statements about the text as a whole: system, for.
#include "parse/statement.h"

// system = "system" NAME [ STRING ]
static void parse_system(parser *ps, statement *st) {
    item *it = parse_item(ps, st);
    if (parser_sees(ps, TOKEN_NAME)) {
        it->word = ps->token.name;
        parser_advance(ps);
    } else {
        parser_unexpected(ps, "the name of the system");
    }
    if (parser_sees(ps, TOKEN_STRING)) {
        it->text = ps->token.name;
        parser_advance(ps);
    }
}

static void read_system(elaborator *el, const instance *in) {
    const statement *st = in->statement;
    // the name of an included model does not count where the model has one
    if (st->at.source != el->main && el->has_system) return;
    if (st->at.source == el->main && el->named_by_main)
        diag_error(el->ctx, st->at, NULL, "`system` is given twice");
    el->has_system = true;
    el->named_by_main |= st->at.source == el->main;
    el->model->name = st->items->word;
    el->model->title = st->items->text;
}

const statement_rule statement_system = {
    .word = "system",
    .syntax = "system NAME [\"title\"]",
    .about = "the name of the system and, if you like, a title",
    .parse = parse_system,
    .read = read_system,
};

// for = "for" NAME "in" expression ".." expression "{" { statement } "}"
static void parse_for(parser *ps, statement *st) {
    if (!parser_sees(ps, TOKEN_NAME)) {
        parser_unexpected(ps, "the name of the index");
        return;
    }
    syntax *name = syntax_new(ps, SYNTAX_NAME, ps->token.at);
    name->name = ps->token.name;
    st->name = name;
    parser_advance(ps);
    if (!parser_accept_word(ps, "in")) {
        parser_unexpected(ps, "`in`");
        return;
    }
    item *range = parse_item(ps, st);
    range->value = parse_expression(ps);
    if (!range->value || !parser_expect(ps, TOKEN_RANGE, "`..`")) return;
    range->right = parse_expression(ps);
    if (!range->right) return;
    const span opened = ps->token.at;
    if (!parser_expect(ps, '{', "`{`") || !parser_enter(ps, opened)) return;
    const loop_name index = {name->name, ps->loops};
    ps->loops = &index;
    st->body = parse_statements(ps, true, &st->body_count);
    ps->loops = index.outer;
    ps->depth--;
    if (ps->token.kind == '}') parser_advance(ps);
    else if (!ps->ctx->exhausted) parser_fail(ps, opened, NULL, "this `{` is never closed");
}

const statement_rule statement_for = {
    .word = "for",
    .syntax = "for NAME in E .. E { .. }",
    .about = "the statements inside, once for each whole number of the range",
    .parse = parse_for,
};
