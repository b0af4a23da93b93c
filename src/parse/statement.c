// The list of statements, and their sequence in a text: the keyword decides the production; a wrong
// statement is reported and skipped, and reading goes on after it.
#include "parse/statement.h"

#include "parse/outline.h"

#include <string.h>

#define STATEMENT(ID, id) extern const statement_rule statement_##id;
#include "parse/statements.def"
#undef STATEMENT

const statement_rule *const statement_rules[STATEMENT_KINDS] = {
#define STATEMENT(ID, id) &statement_##id,
#include "parse/statements.def"
#undef STATEMENT
};

int statement_find(const char *word) {
    for (int i = 0; i < STATEMENT_KINDS; i++)
        if (strcmp(statement_rules[i]->word, word) == 0) return i;
    return -1;
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
    if (ps->shared->outline)
        outline_add_broken(ps->shared->outline,
                           (span){again.text, from, ps->token.at.offset - from});
    ps->lexer.quiet = false;
    ps->failed = false;
}

// For a statement under the name it has elsewhere; NULL if nothing comes to mind.
static const char *advise_statement(const char *word) {
    static const struct {
        const char *word, *advice;
    } known[] = {
        {"T", "the kinetic energy is `kinetic E`"},
        {"V", "the potential energy is `potential E`"},
        {"U", "the potential energy is `potential E`"},
        {"L", "the Lagrangian is `lagrangian E`"},
        {"Lagrangian", "write `lagrangian E`"},
        {"energy", "write `kinetic E` and `potential E`"},
        {"coords", "write `coord x, y`"},
        {"coordinate", "write `coord x, y`"},
        {"coordinates", "write `coord x, y`"},
        {"variable", "write `coord x` for a coordinate, `param m = 1` for a parameter"},
        {"var", "write `coord x` for a coordinate, `param m = 1` for a parameter"},
        {"params", "write `param m = 1, g = 9.81`"},
        {"parameter", "write `param m = 1, g = 9.81`"},
        {"parameters", "write `param m = 1, g = 9.81`"},
        {"constraints", "write `constraint NAME: E = E`, one a line"},
        {"model", "write `system NAME \"title\"`"},
        {"damping", "write `dissipation E`, or `force x = -c*x'`"},
        {"rotation", "write `body B: mass m at V inertia (Ix, Iy, Iz) rotation R`"},
        {"output", "write `observe NAME = E`"},
        {"if", "`sign`, `abs`, `min` and `max` tell cases apart"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].word, word) == 0) return known[i].advice;
    return NULL;
}

// For a name that is followed by `=`, or by primes and `=`: an equation without its keyword.
static const char *advise_equation(const parser *ps) {
    lexer ahead = ps->lexer;
    ahead.quiet = true;
    token next = lexer_next(&ahead);
    const bool derivative = next.kind == TOKEN_PRIMES;
    if (derivative) next = lexer_next(&ahead);
    if (next.kind != '=') return NULL;
    return derivative ? "equations of motion follow from energies and forces; an equation that "
                        "holds by force is `constraint NAME: ..`, one you believe is `claim NAME: "
                        "..`"
                      : "write `let` before it for an abbreviation, `param` for a parameter";
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
    for (int i = 0; i < STATEMENT_KINDS; i++) names_put(&known, statement_rules[i]->word, 0);
    const char *near = names_nearest(&known, t.name, NULL), *help = advise_statement(t.name);
    names_free(&known);
    if (!help && near) help = arena_format(&ps->ctx->arena, "did you mean `%s`?", near);
    if (!help) help = advise_equation(ps);
    parser_fail(ps, t.at, help, "no statement starts with `%s`", t.name);
}

// statement = KEYWORD operands, ended by the end of the line
static statement *parse_statement(parser *ps) {
    const int kind = ps->token.kind == TOKEN_NAME ? statement_find(ps->token.name) : -1;
    if (kind < 0) {
        unknown_statement(ps);
        return NULL;
    }
    statement *st = arena_new(&ps->ctx->arena, statement);
    st->kind = (statement_kind)kind;
    st->at = ps->token.at;
    parser_mark(ps, st->at.offset, MARK_STATEMENT);
    parser_advance(ps);
    statement_rules[kind]->parse(ps, st);
    if (!ps->failed && !parser_ends_statement(ps))
        parser_unexpected(ps, "an operator or the end of the line");
    st->whole = parser_span(ps, st->at);
    if (ps->failed) return NULL;
    return statement_rules[kind]->is_replaced ? st->body : st;
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
