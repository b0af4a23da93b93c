// Tokens: the text cut into names, numbers, strings and marks, one at a time. The parser asks for
// the next token and never looks back; places are kept, so that every error can point.
#ifndef HAMEL_PARSE_TOKEN_H
#define HAMEL_PARSE_TOKEN_H

#include "base/context.h"

// A mark such as '+' or '(' is its own kind.
enum {
    TOKEN_END = 256, // the end of the text
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_PRIMES, // one or more '
    TOKEN_RANGE,  // ..
    TOKEN_BAD,    // already reported
};

typedef struct {
    int kind;
    bool starts_line; // the first token of its line
    uint32_t primes;  // of TOKEN_PRIMES
    span at;
    // of TOKEN_NAME, Greek letters spelled out; of TOKEN_STRING, without the quotes
    const char *name;
} token;

typedef struct {
    context *ctx;
    const source *text;
    uint32_t position;
    bool quiet; // skipping to the next statement: bad characters on the way are not reported
} lexer;

void lexer_init(lexer *lex, context *ctx, const source *text);
token lexer_next(lexer *lex);

// What an error message calls a token: "`x`", "the number `2`", "the end of the file".
const char *token_describe(context *ctx, const token *t);

// Help for a `"` at this place that follows a name: x" was written for x''; else NULL.
const char *token_advise_quote(context *ctx, const source *text, uint32_t offset);

// The English name of a Greek letter, "theta" or "Theta"; NULL for any other character (unicode.c).
const char *unicode_greek(uint32_t code);

#endif
