// Tokens: the text cut into names, numbers, strings and marks, one at a time.
#include "parse/token.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 200 };

void lexer_init(lexer *l, context *ctx, const source *text) {
    *l = (lexer){.ctx = ctx, .text = text};
    // byte order mark
    if (text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0) l->position = 3;
}

// The byte `ahead` of the position, 0 past the end.
static char peek(const lexer *l, uint32_t ahead) {
    const size_t i = (size_t)l->position + ahead;
    return i < l->text->length ? l->text->bytes[i] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static span stretch(const lexer *l, uint32_t from) {
    return (span){l->text, from, l->position - from};
}

// Blanks, comments and line ends before a token; returns whether a line
// ended (or the text begins here).
static bool skip_blanks(lexer *l) {
    bool starts_line =
        l->position == 0 || (l->position == 3 && (unsigned char)l->text->bytes[0] == 0xEF);
    for (;;) {
        const char c = peek(l, 0);
        if (c == '#') {
            while (l->position < l->text->length && peek(l, 0) != '\n') l->position++;
        } else if (c == '\n') {
            starts_line = true;
            l->position++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            l->position++;
        } else {
            return starts_line;
        }
    }
}

// NAME = letter { letter | digit | "_" }, where a letter may be Greek
static token lex_name(lexer *l, token t) {
    char name[LONGEST_NAME + 16];
    size_t length = 0;
    const uint32_t start = l->position;
    for (;;) {
        const char c = peek(l, 0);
        uint32_t code = 0;
        uint32_t size = 1;
        const char *greek = NULL;
        if ((unsigned char)c >= 0x80) {
            size = utf8_decode(l->text->bytes + l->position, l->text->length - l->position, &code);
            greek = size ? unicode_greek(code) : NULL;
            if (!greek) break;
        } else if (!is_letter(c) && !(l->position > start && (is_digit(c) || c == '_'))) {
            break;
        }
        const size_t more = greek ? strlen(greek) : 1;
        // too long: read on, report below
        if (length + more > LONGEST_NAME) length = LONGEST_NAME + 1;
        else {
            memcpy(name + length, greek ? greek : &c, more);
            length += more;
        }
        l->position += size;
    }
    t.at = stretch(l, start);
    t.kind = TOKEN_NAME;
    if (length > LONGEST_NAME) {
        t.kind = TOKEN_BAD;
        if (!l->quiet)
            diag_error(l->ctx, t.at, NULL, "a name has at most %d letters", LONGEST_NAME);
    } else {
        t.name = arena_copy(&l->ctx->arena, name, length);
    }
    return t;
}

// NUMBER = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
static token lex_number(lexer *l, token t) {
    const uint32_t start = l->position;
    while (is_digit(peek(l, 0))) l->position++;
    if (peek(l, 0) == '.' && is_digit(peek(l, 1))) {
        l->position++;
        while (is_digit(peek(l, 0))) l->position++;
    }
    const char mark = peek(l, 0), sign = peek(l, 1);
    if (mark == 'e' || mark == 'E') {
        const uint32_t skip = sign == '+' || sign == '-' ? 2 : 1;
        if (is_digit(peek(l, skip))) {
            l->position += skip;
            while (is_digit(peek(l, 0))) l->position++;
        }
    }
    t.kind = TOKEN_NUMBER;
    t.at = stretch(l, start);
    return t;
}

static bool continues_name(char c) { return isalnum((unsigned char)c) || (c && strchr("_[],", c)); }

const char *token_advise_quote(context *ctx, const source *text, uint32_t offset) {
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

// STRING = '"' { any character but '"' and the end of the line } '"'
static token lex_string(lexer *l, token t) {
    const uint32_t start = l->position++;
    bool bad = false;
    while (l->position < l->text->length && peek(l, 0) != '"' && peek(l, 0) != '\n') {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(l->text->bytes + l->position, l->text->length - l->position, &code);
        if (!bad && (!size || (code < 0x20 && code != '\t' && code != '\r') || code == 0x7F)) {
            const span at = {l->text, l->position, 1};
            if (!l->quiet)
                diag_error(l->ctx, at, NULL,
                           size ? "control character in a text" : "this text is not valid UTF-8");
            bad = true; // one report a text
        }
        l->position += size ? size : 1;
    }
    t.kind = bad ? TOKEN_BAD : TOKEN_STRING;
    t.name = arena_copy(&l->ctx->arena, l->text->bytes + start + 1, l->position - start - 1);
    if (peek(l, 0) == '"') {
        l->position++;
    } else {
        t.kind = TOKEN_BAD;
        const char *prime = token_advise_quote(l->ctx, l->text, start);
        if (!bad && !l->quiet && prime)
            diag_error(l->ctx, (span){l->text, start, 1}, prime,
                       "expected an operator, found `\"`");
        else if (!bad && !l->quiet)
            diag_error(l->ctx, stretch(l, start), "a text ends on its own line",
                       "missing closing `\"`");
    }
    t.at = stretch(l, start);
    return t;
}

// What to write instead of a character that looks like a mark of the language; NULL if nothing
// comes to mind.
static const char *advise_character(uint32_t code) {
    switch (code) {
    case ';': return "a statement ends at the end of its line";
    case '!':
    case '<':
    case '>': return "the language has equations only: write `=`";
    case '&':
    case '|': return "the language has no logical operators";
    case '@':
    case '$':
    case '%':
    case '?':
    case '~':
    case '\\':
    case '`': return "names are made of letters, digits and `_`";
    case 0x2212:
    case 0x2013:
    case 0x2014: return "write `-` for minus";
    case 0xB7:
    case 0xD7:
    case 0x2219:
    case 0x22C5: return "write `*` for a product";
    case 0xF7:
    case 0x2215: return "write `/` for a quotient";
    case 0xB2: return "write `^2` for a square";
    case 0xB3: return "write `^3` for a cube";
    case 0x221A: return "write `sqrt(...)` for a root";
    case 0x2211: return "write `sum(i in 1..N, ...)` for a sum";
    case 0x2018:
    case 0x2019: return "write ' for a time derivative";
    case 0x201C:
    case 0x201D: return "write \" around a text";
    case 0x2026: return "write `..` for a range";
    default: return NULL;
    }
}

// Something no token starts with.
static token lex_bad(lexer *l, token t) {
    const uint32_t start = l->position;
    uint32_t code = 0;
    const uint32_t size = utf8_decode(l->text->bytes + start, l->text->length - start, &code);
    l->position += size ? size : 1;
    t.kind = TOKEN_BAD;
    t.at = stretch(l, start);
    if (l->quiet) return t;
    const char *help = size ? advise_character(code) : NULL;
    if (!size)
        diag_error(l->ctx, t.at, "model files are UTF-8 text", "this byte is not valid UTF-8");
    else if (code == 0)
        diag_error(l->ctx, t.at, "model files are UTF-8 text", "the text holds a NUL byte");
    else if (code < 0x20 || code == 0x7F)
        diag_error(l->ctx, t.at, "model files are UTF-8 text", "control character 0x%02X",
                   (unsigned)code);
    else if (code == '_') diag_error(l->ctx, t.at, NULL, "a name starts with a letter");
    else
        diag_error(l->ctx, t.at, help, "unexpected character `%.*s`", (int)size,
                   l->text->bytes + start);
    return t;
}

// PRIMES = "'" { "'" }, also written with the characters U+2032 and U+2033
static token lex_primes(lexer *l, token t) {
    const uint32_t start = l->position;
    for (;;) {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(l->text->bytes + l->position, l->text->length - l->position, &code);
        if (code != '\'' && code != 0x2032 && code != 0x2033) break;
        t.primes += code == 0x2033 ? 2 : 1;
        l->position += size;
    }
    t.kind = TOKEN_PRIMES;
    t.at = stretch(l, start);
    return t;
}

token lexer_next(lexer *l) {
    token t = {.starts_line = skip_blanks(l)};
    t.at = (span){l->text, l->position, 0};
    if (l->position >= l->text->length) {
        t.kind = TOKEN_END;
        t.starts_line = true;
        return t;
    }
    const char c = peek(l, 0);
    if (is_letter(c)) return lex_name(l, t);
    if (is_digit(c)) return lex_number(l, t);
    if (c == '"') return lex_string(l, t);
    if (c == '\'') return lex_primes(l, t);
    if ((unsigned char)c >= 0x80) {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(l->text->bytes + l->position, l->text->length - l->position, &code);
        if (size && unicode_greek(code)) return lex_name(l, t);
        if (size && (code == 0x2032 || code == 0x2033)) return lex_primes(l, t);
        return lex_bad(l, t);
    }
    if (c == '.' && peek(l, 1) == '.') {
        l->position += 2;
        t.kind = TOKEN_RANGE;
        t.at.length = 2;
        return t;
    }
    if (c != '\0' && strchr("+-*/^()[]{},=:.", c)) {
        l->position++;
        t.kind = c;
        t.at.length = 1;
        return t;
    }
    return lex_bad(l, t);
}

const char *token_describe(context *ctx, const token *t) {
    if (t->kind == TOKEN_END) return "the end of the file";
    const char *bytes = t->at.source->bytes + t->at.offset;
    int shown = t->at.length > 40 ? 40 : (int)t->at.length;
    while (shown < (int)t->at.length && shown > 0 && ((unsigned char)bytes[shown] & 0xC0) == 0x80)
        shown--;
    const char *kind = t->kind == TOKEN_NUMBER   ? "the number "
                       : t->kind == TOKEN_STRING ? "the text "
                                                 : "";
    return arena_format(&ctx->arena, "%s`%.*s`", kind, shown, bytes);
}
