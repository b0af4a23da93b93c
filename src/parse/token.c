// Tokens: the text cut into names, numbers, strings and marks, one at a time.
#include "parse/token.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

enum { LONGEST_NAME = 200 };

void lexer_init(lexer *lex, context *ctx, const source *text) {
    *lex = (lexer){.ctx = ctx, .text = text};
    // byte order mark
    if (text->length >= 3 && memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0) lex->position = 3;
}

// The byte `ahead` of the position, 0 past the end.
static char peek(const lexer *lex, uint32_t ahead) {
    const size_t i = (size_t)lex->position + ahead;
    return i < lex->text->length ? lex->text->bytes[i] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static span stretch(const lexer *lex, uint32_t from) {
    return (span){lex->text, from, lex->position - from};
}

// Blanks, comments and line ends before a token; returns whether a line
// ended (or the text begins here).
static bool skip_blanks(lexer *lex) {
    bool starts_line =
        lex->position == 0 || (lex->position == 3 && (unsigned char)lex->text->bytes[0] == 0xEF);
    for (;;) {
        const char c = peek(lex, 0);
        if (c == '#') {
            while (lex->position < lex->text->length && peek(lex, 0) != '\n') lex->position++;
        } else if (c == '\n') {
            starts_line = true;
            lex->position++;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            lex->position++;
        } else {
            return starts_line;
        }
    }
}

// NAME = letter { letter | digit | "_" }, where a letter may be Greek
static token lex_name(lexer *lex, token t) {
    char name[LONGEST_NAME + 16];
    size_t length = 0;
    const uint32_t start = lex->position;
    for (;;) {
        const char c = peek(lex, 0);
        uint32_t code = 0;
        uint32_t size = 1;
        const char *greek = NULL;
        if ((unsigned char)c >= 0x80) {
            size = utf8_decode(lex->text->bytes + lex->position, lex->text->length - lex->position,
                               &code);
            greek = size ? unicode_greek(code) : NULL;
            if (!greek) break;
        } else if (!is_letter(c) && !(lex->position > start && (is_digit(c) || c == '_'))) {
            break;
        }
        const size_t more = greek ? strlen(greek) : 1;
        // too long: read on, report below
        if (length + more > LONGEST_NAME) length = LONGEST_NAME + 1;
        else {
            memcpy(name + length, greek ? greek : &c, more);
            length += more;
        }
        lex->position += size;
    }
    t.at = stretch(lex, start);
    t.kind = TOKEN_NAME;
    if (length > LONGEST_NAME) {
        t.kind = TOKEN_BAD;
        if (!lex->quiet)
            diag_error(lex->ctx, t.at, NULL, "a name has at most %d letters", LONGEST_NAME);
    } else {
        t.name = arena_copy(&lex->ctx->arena, name, length);
    }
    return t;
}

// NUMBER = digits [ "." digits ] [ ("e" | "E") [ "+" | "-" ] digits ]
static token lex_number(lexer *lex, token t) {
    const uint32_t start = lex->position;
    while (is_digit(peek(lex, 0))) lex->position++;
    if (peek(lex, 0) == '.' && is_digit(peek(lex, 1))) {
        lex->position++;
        while (is_digit(peek(lex, 0))) lex->position++;
    }
    const char mark = peek(lex, 0), sign = peek(lex, 1);
    if (mark == 'e' || mark == 'E') {
        const uint32_t skip = sign == '+' || sign == '-' ? 2 : 1;
        if (is_digit(peek(lex, skip))) {
            lex->position += skip;
            while (is_digit(peek(lex, 0))) lex->position++;
        }
    }
    t.kind = TOKEN_NUMBER;
    t.at = stretch(lex, start);
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

static void refuse_in_text(const lexer *lex, uint32_t size, uint32_t code) {
    const span at = {lex->text, lex->position, size ? size : 1};
    if (lex->quiet) return;
    if (size) diag_error(lex->ctx, at, NULL, "control character U+%04X in a text", (unsigned)code);
    else diag_error(lex->ctx, at, NULL, "this text is not valid UTF-8");
}

static bool ends_line(const lexer *lex) {
    return peek(lex, 0) == '\n' || (peek(lex, 0) == '\r' && peek(lex, 1) == '\n');
}

// STRING = '"' { any visible character but '"' } '"', in one line
static token lex_string(lexer *lex, token t) {
    const uint32_t start = lex->position++;
    bool bad = false;
    while (lex->position < lex->text->length && peek(lex, 0) != '"' && !ends_line(lex)) {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(lex->text->bytes + lex->position, lex->text->length - lex->position, &code);
        if (!bad && (!size || (utf8_is_hidden(code) && code != '\t'))) {
            refuse_in_text(lex, size, code);
            bad = true; // one report a text
        }
        lex->position += size ? size : 1;
    }
    t.kind = bad ? TOKEN_BAD : TOKEN_STRING;
    t.name = arena_copy(&lex->ctx->arena, lex->text->bytes + start + 1, lex->position - start - 1);
    if (peek(lex, 0) == '"') {
        lex->position++;
    } else {
        t.kind = TOKEN_BAD;
        const char *prime = token_advise_quote(lex->ctx, lex->text, start);
        if (!bad && !lex->quiet && prime)
            diag_error(lex->ctx, (span){lex->text, start, 1}, prime,
                       "expected an operator, found `\"`");
        else if (!bad && !lex->quiet)
            diag_error(lex->ctx, stretch(lex, start), "a text ends on its own line",
                       "missing closing `\"`");
    }
    t.at = stretch(lex, start);
    return t;
}

// What to write instead of a character that looks like a mark of the language; NULL if nothing
// comes to mind.
static const char *advise_character(uint32_t code) {
    switch (code) {
    case ';': return "a statement ends at the end of its line";
    case '!':
    case '<':
    case '>':
        return "there are no comparisons: an equation has `=`, and `sign`, `abs`, `min` and `max` "
               "tell cases apart";
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
    case 0xB0: return "write `deg` for degrees: `30 [deg]`";
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
static token lex_bad(lexer *lex, token t) {
    const uint32_t start = lex->position;
    uint32_t code = 0;
    const uint32_t size = utf8_decode(lex->text->bytes + start, lex->text->length - start, &code);
    lex->position += size ? size : 1;
    t.kind = TOKEN_BAD;
    t.at = stretch(lex, start);
    if (lex->quiet) return t;
    const char *help = size ? advise_character(code) : NULL;
    if (!size)
        diag_error(lex->ctx, t.at, "model files are UTF-8 text", "this byte is not valid UTF-8");
    else if (code == 0)
        diag_error(lex->ctx, t.at, "model files are UTF-8 text", "the text holds a NUL byte");
    else if (utf8_is_hidden(code))
        diag_error(lex->ctx, t.at, "model files are UTF-8 text", "control character U+%04X",
                   (unsigned)code);
    else if (code == '_') diag_error(lex->ctx, t.at, NULL, "a name starts with a letter");
    else
        diag_error(lex->ctx, t.at, help, "unexpected character `%.*s`", (int)size,
                   lex->text->bytes + start);
    return t;
}

// PRIMES = "'" { "'" }, also written with the characters U+2032 and U+2033
static token lex_primes(lexer *lex, token t) {
    const uint32_t start = lex->position;
    for (;;) {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(lex->text->bytes + lex->position, lex->text->length - lex->position, &code);
        if (code != '\'' && code != 0x2032 && code != 0x2033) break;
        t.primes += code == 0x2033 ? 2 : 1;
        lex->position += size;
    }
    t.kind = TOKEN_PRIMES;
    t.at = stretch(lex, start);
    return t;
}

token lexer_next(lexer *lex) {
    token t = {.starts_line = skip_blanks(lex)};
    t.at = (span){lex->text, lex->position, 0};
    if (lex->position >= lex->text->length) {
        t.kind = TOKEN_END;
        t.starts_line = true;
        return t;
    }
    const char c = peek(lex, 0);
    if (is_letter(c)) return lex_name(lex, t);
    if (is_digit(c)) return lex_number(lex, t);
    if (c == '"') return lex_string(lex, t);
    if (c == '\'') return lex_primes(lex, t);
    if ((unsigned char)c >= 0x80) {
        uint32_t code = 0;
        const uint32_t size =
            utf8_decode(lex->text->bytes + lex->position, lex->text->length - lex->position, &code);
        if (size && unicode_greek(code)) return lex_name(lex, t);
        if (size && (code == 0x2032 || code == 0x2033)) return lex_primes(lex, t);
        return lex_bad(lex, t);
    }
    if (c == '.' && peek(lex, 1) == '.') {
        lex->position += 2;
        t.kind = TOKEN_RANGE;
        t.at.length = 2;
        return t;
    }
    if (c != '\0' && strchr("+-*/^()[]{},=:.", c)) {
        lex->position++;
        t.kind = c;
        t.at.length = 1;
        return t;
    }
    return lex_bad(lex, t);
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
