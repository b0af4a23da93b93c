// The text of a model with its words told apart.
#include "report/sections.h"

#include "base/html.h"
#include "parse/syntax.h"
#include "parse/token.h"

#include <string.h>

static void write_span(const char *class, const char *bytes, size_t length, text *out) {
    text_format(out, "<span class=\"%s\">", class);
    html_text_n(bytes, length, out);
    text_append(out, "</span>");
}

// Between two tokens there are blanks and comments.
static void write_gap(const char *bytes, size_t length, text *out) {
    while (length) {
        const char *mark = memchr(bytes, '#', length);
        const size_t blanks = mark ? (size_t)(mark - bytes) : length;
        html_text_n(bytes, blanks, out);
        bytes += blanks, length -= blanks;
        const char *end = length ? memchr(bytes, '\n', length) : NULL;
        const size_t comment = end ? (size_t)(end - bytes) : length;
        if (comment) write_span("comment", bytes, comment, out);
        bytes += comment, length -= comment;
    }
}

static const char *class_of(const token *t) {
    switch (t->kind) {
    case TOKEN_NAME: return t->starts_line && statement_find(t->name) >= 0 ? "keyword" : "name";
    case TOKEN_NUMBER: return "number";
    case TOKEN_STRING: return "string";
    default: return "operator";
    }
}

// Line ends as a page has them: the carriage returns of other systems are left out.
static source without_returns(context *ctx, const source *given) {
    char *bytes = arena_copy(&ctx->arena, given->bytes, given->length);
    size_t length = 0;
    for (size_t i = 0; i < given->length; i++)
        if (given->bytes[i] != '\r') bytes[length++] = given->bytes[i];
    return (source){given->name, bytes, length};
}

void write_highlighted(context *ctx, const source *text_of_model, text *out) {
    source *clean = arena_new(&ctx->arena, source);
    *clean = without_returns(ctx, text_of_model);
    lexer l;
    lexer_init(&l, ctx, clean);
    l.quiet = true; // the text was read before: nothing is wrong with it
    size_t position = l.position;
    for (token t = lexer_next(&l);; t = lexer_next(&l)) {
        write_gap(clean->bytes + position, t.at.offset - position, out);
        if (t.kind == TOKEN_END) return;
        write_span(class_of(&t), clean->bytes + t.at.offset, t.at.length, out);
        position = t.at.offset + t.at.length;
    }
}
