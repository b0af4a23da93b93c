// Statements: the keyword decides the production; a wrong statement is reported and
// skipped, and reading goes on after it.
#include "parse/parser.h"

#include <string.h>

enum { MOST_PARAMETERS = 64 };

static const char *const words[] = {
#define X(id, word) word,
    STATEMENTS(X)
#undef X
};

const char *statement_word(statement_kind kind) { return words[kind]; }

int statement_find(const char *name) {
    for (int i = 0; i < STATEMENT_KINDS; i++)
        if (strcmp(words[i], name) == 0) return i;
    return -1;
}

item *parse_item(parser *ps, statement *s) {
    item *it = arena_new(&ps->ctx->arena, item);
    it->at = ps->token.at;
    if (s->last_item) s->last_item->next = it;
    else s->items = it;
    s->last_item = it;
    s->item_count++;
    return it;
}

// --- productions ---------------------------------------------------------------------------------

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

// definition = declarator [ parameters ] [ "=" expression ]
typedef enum { VALUE_NONE, VALUE_OPTIONAL, VALUE_REQUIRED } value_rule;

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
static void parse_definitions(parser *ps, statement *s, value_rule rule) {
    const bool function = s->kind == STATEMENT_LET || s->kind == STATEMENT_FUNCTION;
    do {
        item *it = parse_item(ps, s);
        parse_definition(ps, it, rule, function);
        if (!ps->failed && s->kind == STATEMENT_FUNCTION && !it->parameters)
            parser_unexpected(ps, "`(` and the arguments of the function");
    } while (parser_accept(ps, ','));
}

// expressions = expression { "," expression }
static void parse_expressions(parser *ps, statement *s) {
    do {
        item *it = parse_item(ps, s);
        it->value = parse_expression(ps);
    } while (s->kind == STATEMENT_SUPPLEMENTARY && parser_accept(ps, ','));
}

// assignments = reference "=" expression { "," reference "=" expression }
void parse_initial(parser *ps, statement *s) {
    do {
        item *it = parse_item(ps, s);
        it->target = parse_reference(ps, "a coordinate, a velocity or `lambda[..]`");
        if (parser_expect(ps, '=', "`=`")) it->value = parse_expression(ps);
    } while (parser_accept(ps, ','));
}

// system = "system" NAME [ STRING ]
static void parse_system(parser *ps, statement *s) {
    item *it = parse_item(ps, s);
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

// for = "for" NAME "in" expression ".." expression "{" { statement } "}"
static void parse_for(parser *ps, statement *s) {
    if (!parser_sees(ps, TOKEN_NAME)) {
        parser_unexpected(ps, "the name of the index");
        return;
    }
    syntax *name = syntax_new(ps, SYNTAX_NAME, ps->token.at);
    name->name = ps->token.name;
    s->name = name;
    parser_advance(ps);
    if (!parser_accept_word(ps, "in")) {
        parser_unexpected(ps, "`in`");
        return;
    }
    item *range = parse_item(ps, s);
    range->value = parse_expression(ps);
    if (!range->value || !parser_expect(ps, TOKEN_RANGE, "`..`")) return;
    range->right = parse_expression(ps);
    if (!range->right) return;
    const span opened = ps->token.at;
    if (!parser_expect(ps, '{', "`{`") || !parser_enter(ps, opened)) return;
    s->body = parse_statements(ps, true, &s->body_count);
    ps->depth--;
    if (ps->token.kind == '}') parser_advance(ps);
    else if (!ps->ctx->exhausted) parser_fail(ps, opened, NULL, "this `{` is never closed");
}

// include = "include" STRING
static statement *parse_include_statement(parser *ps, statement *s) {
    const token file = ps->token;
    if (!parser_expect(ps, TOKEN_STRING, "the name of a file in double quotes")) return NULL;
    if (ps->depth) {
        parser_fail(ps, s->at, NULL, "`include` may not stand inside `for`");
        return NULL;
    }
    return parse_include(ps, file.at, file.name);
}

static void parse_operands(parser *ps, statement *s) {
    switch (s->kind) {
    case STATEMENT_SYSTEM: parse_system(ps, s); break;
    case STATEMENT_PARAM:
    case STATEMENT_GIVEN:
    case STATEMENT_FUNCTION: parse_definitions(ps, s, VALUE_OPTIONAL); break;
    case STATEMENT_COORD:
    case STATEMENT_INDEPENDENT: parse_definitions(ps, s, VALUE_NONE); break;
    case STATEMENT_CONST:
    case STATEMENT_LET:
    case STATEMENT_QUASI:
    case STATEMENT_INVARIANT:
    case STATEMENT_OBSERVE: parse_definitions(ps, s, VALUE_REQUIRED); break;
    case STATEMENT_FOR: parse_for(ps, s); break;
    case STATEMENT_KINETIC:
    case STATEMENT_POTENTIAL:
    case STATEMENT_LAGRANGIAN:
    case STATEMENT_DISSIPATION:
    case STATEMENT_GRAVITY:
    case STATEMENT_SUPPLEMENTARY: parse_expressions(ps, s); break;
    case STATEMENT_POINT:
    case STATEMENT_BODY: parse_point_or_body(ps, s); break;
    case STATEMENT_FORCE:
    case STATEMENT_TORQUE: parse_force(ps, s); break;
    case STATEMENT_CONSTRAINT: parse_constraint(ps, s); break;
    case STATEMENT_CARTESIAN: parse_cartesian(ps, s); break;
    case STATEMENT_INITIAL: parse_initial(ps, s); break;
    case STATEMENT_SIMULATE: parse_simulate(ps, s); break;
    case STATEMENT_EVENT: parse_event(ps, s); break;
    case STATEMENT_CLAIM: parse_claim(ps, s); break;
    case STATEMENT_DRAW: parse_draw(ps, s); break;
    case STATEMENT_INCLUDE:
    case STATEMENT_KINDS: break;
    }
}

// --- the sequence of statements ------------------------------------------------------------------

// Skip what is left of a wrong statement: to the end of its line or, from inside
// brackets, to the next line with a keyword. Its names are remembered as suspects: they
// may be declarations that got lost.
static void recover(parser *ps, uint32_t from) {
    const bool in_brackets = ps->brackets > 0;
    uint32_t open = 0; // brackets skipped: there is a limit to these, too
    ps->brackets = 0;
    ps->lexer.quiet = true;
    while (ps->token.kind != TOKEN_END && open <= ps->ctx->limits.nesting) {
        const token t = ps->token;
        const bool keyword = t.kind == TOKEN_NAME && statement_find(t.name) >= 0;
        if (t.at.offset > from && t.starts_line &&
            (keyword || (!in_brackets && parser_ends_statement(ps))))
            break;
        if (t.kind == '(' || t.kind == '[') open++;
        if ((t.kind == ')' || t.kind == ']') && open) open--;
        if (open > ps->ctx->limits.nesting)
            context_exhaust(ps->ctx, t.at, "depth of nesting", ps->ctx->limits.nesting);
        if (t.kind == '{') ps->orphans++;
        if (t.kind == '}') {
            if (ps->orphans) ps->orphans--;
            else if (ps->depth) break;
        }
        parser_advance(ps);
    }
    lexer again = {.ctx = ps->ctx, .text = ps->lexer.text, .position = from, .quiet = true};
    for (token t = lexer_next(&again); t.at.offset < ps->token.at.offset && t.kind != TOKEN_END;
         t = lexer_next(&again))
        if (t.kind == TOKEN_NAME) names_put(&ps->shared->suspects, t.name, 0);
    ps->lexer.quiet = false;
    ps->failed = false;
}

static void unknown_statement(parser *ps) {
    const token t = ps->token;
    if (t.kind != TOKEN_NAME) {
        const bool joins = t.kind < TOKEN_END && t.kind > 0 && strchr("+-*/^,=:.", t.kind);
        if (t.kind == TOKEN_BAD) ps->failed = true;
        else if (joins)
            parser_fail(ps, t.at, "to go on in the next line, end the line above with the operator",
                        "expected a statement, found %s", token_describe(ps->ctx, &t));
        else
            parser_fail(ps, t.at, NULL, "expected a statement, found %s",
                        token_describe(ps->ctx, &t));
        return;
    }
    names known = {0};
    for (int i = 0; i < STATEMENT_KINDS; i++) names_put(&known, words[i], 0);
    const char *near = names_nearest(&known, t.name, NULL);
    names_free(&known);
    const char *help = near ? arena_format(&ps->ctx->arena, "did you mean `%s`?", near) : NULL;
    parser_fail(ps, t.at, help, "no statement starts with `%s`", t.name);
}

// statement = KEYWORD operands, ended by the end of the line
static statement *parse_statement(parser *ps) {
    const int kind = ps->token.kind == TOKEN_NAME ? statement_find(ps->token.name) : -1;
    if (kind < 0) {
        unknown_statement(ps);
        return NULL;
    }
    statement *s = arena_new(&ps->ctx->arena, statement);
    s->kind = (statement_kind)kind;
    s->at = ps->token.at;
    parser_advance(ps);
    statement *included = NULL;
    if (kind == STATEMENT_INCLUDE) included = parse_include_statement(ps, s);
    else parse_operands(ps, s);
    if (!ps->failed && !parser_ends_statement(ps))
        parser_unexpected(ps, "an operator or the end of the line");
    s->whole = parser_span(ps, s->at);
    if (ps->failed) return NULL;
    return kind == STATEMENT_INCLUDE ? included : s;
}

static bool gives_up(const parser *ps) {
    return ps->ctx->exhausted || ps->ctx->error_count >= ps->ctx->limits.errors;
}

statement *parse_statements(parser *ps, bool block, uint32_t *count) {
    statement *first = NULL, **end = &first;
    const uint32_t depth = ps->depth;
    while (ps->token.kind != TOKEN_END && !gives_up(ps)) {
        if (ps->token.kind == '}' && ps->orphans) {
            ps->orphans--;
            parser_advance(ps);
            continue;
        }
        if (ps->token.kind == '}' && block) break;
        const uint32_t from = ps->token.at.offset;
        *end = parse_statement(ps);
        for (; *end; end = &(*end)->next) ++*count; // an include gives many
        if (!ps->failed) continue;
        ps->depth = depth;
        recover(ps, from);
    }
    return first;
}
