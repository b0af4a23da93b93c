// Advice for habits brought from elsewhere: 2x, x**2, x", xdot, ln.
#include "parse/elaborate.h"

#include <ctype.h>
#include <string.h>

// --- while reading -------------------------------------------------------------------------------

static bool continues_name(char c) { return isalnum((unsigned char)c) || (c && strchr("_[],", c)); }

const char *advice_on_quote(context *ctx, const source *text, uint32_t offset) {
    const char *end = text->bytes + offset, *start = end;
    while (start > text->bytes && continues_name(start[-1])) start--;
    // a Greek letter, most likely
    const bool beyond_ascii = start > text->bytes && (unsigned char)start[-1] >= 0x80;
    if (start == end && !beyond_ascii) return NULL;
    const char *closed = memchr(start, ']', (size_t)(end - start)),
               *open = memchr(start, '[', (size_t)(end - start));
    if (beyond_ascii || isdigit((unsigned char)*start) || (closed && (!open || closed < open)))
        return "write `''` for a second derivative";
    return arena_format(&ctx->arena, "write `%.*s''` for the second derivative", (int)(end - start),
                        start);
}

// After a number: 2x, 2 x, 2(x + y). A name before `=` begins the next assignment,
// and a comma is missing instead.
static const char *advice_on_product(const parser *ps) {
    const token *number = &ps->previous, *next = &ps->token;
    if (number->kind != TOKEN_NUMBER || (next->kind != TOKEN_NAME && next->kind != '('))
        return NULL;
    lexer ahead = ps->lexer;
    ahead.quiet = true;
    if (next->kind == TOKEN_NAME && lexer_next(&ahead).kind == '=') return NULL;
    const char *bytes = ps->lexer.text->bytes;
    const bool name = next->kind == TOKEN_NAME;
    return arena_format(&ps->ctx->arena, "write `%.*s*%.*s` for a product", (int)number->at.length,
                        bytes + number->at.offset, name ? (int)next->at.length : 5,
                        name ? bytes + next->at.offset : "(...)");
}

const char *advice_on_token(const parser *ps) {
    if (ps->token.kind == TOKEN_STRING)
        return advice_on_quote(ps->ctx, ps->lexer.text, ps->token.at.offset);
    return advice_on_product(ps);
}

// --- unknown names -------------------------------------------------------------------------------

static const char *advice_on_function(const char *name) {
    static const struct {
        const char *name, *advice;
    } known[] = {
        {"ln", "the natural logarithm is `log`"},
        {"log10", "write `log(...)/log(10)`"},
        {"log2", "write `log(...)/log(2)`"},
        {"arcsin", "the inverse of the sine is `asin`"},
        {"arccos", "the inverse of the cosine is `acos`"},
        {"arctan", "the inverse of the tangent is `atan`"},
        {"arctan2", "the angle of a point (x, y) is `atan2(y, x)`"},
        {"tg", "the tangent is `tan`"},
        {"cot", "write `1/tan(...)`"},
        {"sec", "write `1/cos(...)`"},
        {"csc", "write `1/sin(...)`"},
        {"sgn", "the sign is `sign`"},
        {"pow", "write `^` for a power"},
        {"sqr", "write `^2` for a square"},
        {"square", "write `^2` for a square"},
        {"der",
         "write `x'` for a velocity and `ddt(...)` for the time derivative of an expression"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) return known[i].advice;
    return NULL;
}

static bool has_derivative(elaborator *el, const char *name, bool *family) {
    const entry *e = scope_find(el->scope, SPACE_VALUES, name);
    *family = e && e->kind == ENTRY_FAMILY;
    return e && (e->kind == ENTRY_COORD || e->kind == ENTRY_GIVEN || e->kind == ENTRY_QUASI ||
                 e->kind == ENTRY_LET || e->kind == ENTRY_FAMILY);
}

// theta_dot, xdot, xddot, dx for theta', x', x'', x'
static const char *advice_on_derivative(elaborator *el, const char *name) {
    static const struct {
        const char *ending, *primes;
    } endings[] = {{"_ddot", "''"}, {"ddot", "''"}, {"_dot", "'"}, {"dot", "'"}};
    const size_t length = strlen(name);
    const char *stem = NULL, *primes = "'";
    bool family = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        if (!text_ends_in(name, endings[i].ending)) continue;
        const char *candidate =
            arena_copy(&el->ctx->arena, name, length - strlen(endings[i].ending));
        if (!has_derivative(el, candidate, &family)) continue;
        stem = candidate;
        primes = endings[i].primes;
        break;
    }
    if (!stem && name[0] == 'd' && name[1] && has_derivative(el, name + 1, &family))
        stem = name + 1;
    if (!stem) return NULL;
    return arena_format(&el->ctx->arena, "write `%s%s%s` for the time derivative", stem,
                        family ? "[i]" : "", primes);
}

const char *advice_on_name(elaborator *el, const syntax *s) {
    const char *advice =
        s->kind == SYNTAX_CALL ? advice_on_function(s->name) : advice_on_derivative(el, s->name);
    return advice ? advice : scope_suggest(el->scope, el->ctx, SPACE_VALUES, s->name);
}
