// Reading tokens: where a statement ends, what was expected, how deep the brackets go.
#include "parse/parser.h"

#include "parse/scope.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void parser_init(parser *ps, reader *shared, const source *text, bool value_only) {
    *ps = (parser){.shared = shared, .ctx = shared->ctx, .value_only = value_only};
    lexer_init(&ps->lexer, shared->ctx, text);
    ps->token = lexer_next(&ps->lexer);
    if (value_only) ps->previous = (token){.kind = '=', .at = {text, 0, 0}};
}

parser parser_of_text(reader *shared, const char *name, const char *text, bool value_only) {
    source *made = arena_new(&shared->ctx->arena, source);
    *made = (source){.name = name, .bytes = text, .length = strlen(text)};
    parser inside;
    parser_init(&inside, shared, made, value_only);
    return inside;
}

void parser_advance(parser *ps) {
    ps->previous = ps->token;
    ps->token = lexer_next(&ps->lexer);
}

// A line that ends in one of these goes on in the next.
static bool continues_line(int kind) {
    return kind == TOKEN_RANGE || (kind > 0 && kind < TOKEN_END && strchr("+-*/^,=:", kind));
}

// Does a statement begin at a new line, although a bracket is open or an operator stands before it?
// Two values never stand side by side in an expression, so `potential x` is a statement; `mass` or
// `point*2` goes on with the expression.
static bool looks_like_statement(const parser *ps) {
    if (ps->value_only || ps->token.kind != TOKEN_NAME || statement_find(ps->token.name) < 0)
        return false;
    lexer ahead = ps->lexer;
    ahead.quiet = true;
    const token next = lexer_next(&ahead);
    if (next.starts_line) return false;
    const bool apart = next.at.offset > ps->token.at.offset + ps->token.at.length;
    return next.kind == TOKEN_NAME || next.kind == TOKEN_NUMBER || next.kind == TOKEN_STRING ||
           (next.kind == '(' && apart);
}

bool parser_ends_statement(const parser *ps) {
    if (ps->token.kind == TOKEN_END || ps->token.kind == '}') return true;
    if (!ps->token.starts_line) return false;
    return (!ps->brackets && !continues_line(ps->previous.kind)) || looks_like_statement(ps);
}

bool parser_sees(const parser *ps, int kind) {
    return !ps->failed && ps->token.kind == kind && !parser_ends_statement(ps);
}

bool parser_sees_word(const parser *ps, const char *word) {
    return parser_sees(ps, TOKEN_NAME) && strcmp(ps->token.name, word) == 0;
}

bool parser_accept(parser *ps, int kind) {
    if (!parser_sees(ps, kind)) return false;
    parser_advance(ps);
    return true;
}

bool parser_accept_word(parser *ps, const char *word) {
    if (!parser_sees_word(ps, word)) return false;
    parser_advance(ps);
    return true;
}

void parser_fail(parser *ps, span at, const char *help, const char *format, ...) {
    if (ps->failed) return;
    ps->failed = true;
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    diag_error(ps->ctx, at, help, "%s", message);
}

// For a product without `*`: 2x, 2 x, 2(x + y). None where `=` follows the name: that begins the
// next assignment, and a comma is missing.
static const char *advise_product(const parser *ps) {
    const token *number = &ps->previous, *next = &ps->token;
    if (number->kind != TOKEN_NUMBER || (next->kind != TOKEN_NAME && next->kind != '('))
        return NULL;
    lexer ahead = ps->lexer;
    ahead.quiet = true;
    if (next->kind == TOKEN_NAME && lexer_next(&ahead).kind == '=') return NULL;
    const char *bytes = ps->lexer.text->bytes;
    const bool name = next->kind == TOKEN_NAME;
    const char *product =
        arena_format(&ps->ctx->arena, "write `%.*s*%.*s` for a product", (int)number->at.length,
                     bytes + number->at.offset, name ? (int)next->at.length : 5,
                     name ? bytes + next->at.offset : "(...)");
    const char *unit = name ? parse_bare_unit(ps) : NULL;
    return unit ? arena_format(&ps->ctx->arena, "write `%.*s [%s]` for a number with a unit; %s",
                               (int)number->at.length, bytes + number->at.offset, unit, product)
                : product;
}

// For an argument without brackets: cos th
static const char *advise_brackets(const parser *ps) {
    const token *function = &ps->previous, *argument = &ps->token;
    if (function->kind != TOKEN_NAME || !scope_is_function(function->name) ||
        (argument->kind != TOKEN_NAME && argument->kind != TOKEN_NUMBER))
        return NULL;
    return arena_format(&ps->ctx->arena, "write `%s(%.*s)`", function->name,
                        (int)argument->at.length, ps->lexer.text->bytes + argument->at.offset);
}

// Advice where an operator was expected: for x", for 2x and for cos x; NULL if there is none.
static const char *advise_operator(const parser *ps) {
    if (ps->token.kind == TOKEN_STRING)
        return token_advise_quote(ps->ctx, ps->lexer.text, ps->token.at.offset);
    if (ps->token.kind == '[')
        return "a unit stands behind a number, `3 [m]`, or behind a name that is declared";
    const char *advice = advise_product(ps);
    return advice ? advice : advise_brackets(ps);
}

void parser_unexpected_with(parser *ps, const char *help, const char *what) {
    if (ps->failed) return;
    if (ps->token.kind == TOKEN_BAD) { // the lexer has said why
        ps->failed = true;
        return;
    }
    if (!parser_ends_statement(ps) || ps->token.kind == '}') {
        if (!help && strstr(what, "operator")) help = advise_operator(ps);
        parser_fail(ps, ps->token.at, help, "expected %s, found %s", what,
                    token_describe(ps->ctx, &ps->token));
        return;
    }
    // The line is over: point just behind its last token, not at whatever comes next.
    const span after = {ps->previous.at.source, ps->previous.at.offset + ps->previous.at.length, 0};
    const bool nothing_read = !ps->previous.at.source;
    const bool open =
        ps->token.kind == TOKEN_END && (ps->brackets || continues_line(ps->previous.kind));
    parser_fail(ps, nothing_read ? ps->token.at : after, help,
                "expected %s, found the end of the %s", what,
                ps->value_only ? "value"
                : open         ? "file"
                               : "line");
}

void parser_unexpected(parser *ps, const char *what) { parser_unexpected_with(ps, NULL, what); }

bool parser_expect(parser *ps, int kind, const char *what) {
    if (parser_accept(ps, kind)) return true;
    parser_unexpected(ps, what);
    return false;
}

bool parser_enter(parser *ps, span at) {
    if (ps->depth >= ps->ctx->limits.nesting) {
        context_exhaust(ps->ctx, at, "depth of nesting", ps->ctx->limits.nesting);
        ps->failed = true;
        return false;
    }
    ps->depth++;
    return true;
}

void parser_open(parser *ps) {
    ps->brackets++;
    parser_advance(ps);
}

bool parser_close(parser *ps, int kind, span opened) {
    if (ps->failed) return false;
    if (ps->token.kind == kind) {
        ps->brackets--;
        parser_advance(ps);
        return true;
    }
    const char mark = ps->lexer.text->bytes[opened.offset];
    if (ps->token.kind == TOKEN_END || ps->token.kind == '}') {
        parser_fail(ps, opened, NULL, "this `%c` is never closed", mark);
    } else if (ps->token.starts_line &&
               ps->token.kind == TOKEN_NAME) { // most likely forgotten on the line before
        parser_fail(ps, opened, NULL, "this `%c` is not closed before the next line", mark);
    } else {
        parser_unexpected(ps, kind == ')' ? "`)` or an operator" : "`]` or an operator");
    }
    return false;
}

span parser_span(const parser *ps, span from) {
    const span last = ps->previous.at;
    if (last.source == from.source && last.offset + last.length > from.offset)
        from.length = last.offset + last.length - from.offset;
    return from;
}

void parser_mark(const parser *ps, uint32_t offset, layout_mark mark) {
    const layout_marks *marks = ps->shared->marks;
    if (marks && marks->text == ps->lexer.text) marks->at[offset] |= (uint8_t)mark;
}
