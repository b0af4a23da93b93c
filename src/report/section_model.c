// What the model says: its text, the values of its parameters, where it starts.
#include "report/page.h"

#include "base/html.h"
#include "parse/syntax.h"
#include "parse/token.h"
#include "print/expression.h"

#include <string.h>

// --- the text, its words told apart by spans -----------------------------------------------------

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
    return (source){.name = given->name, .bytes = bytes, .length = length};
}

static void write_highlighted(context *ctx, const source *text_of_model, text *out) {
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

static void write_sources(const model *m, text *out) {
    text_append(out, "<pre class=\"source\">");
    write_highlighted(m->ctx, m->text, out);
    text_append(out, "</pre>\n");
    for (uint32_t i = 0; i < m->included_count; i++) {
        if (m->included[i]->is_data) continue; // numbers, perhaps a million of them
        page_write_element("h3", m->included[i]->name, out);
        text_append(out, "\n<pre class=\"source\">");
        write_highlighted(m->ctx, m->included[i], out);
        text_append(out, "</pre>\n");
    }
}

// --- values --------------------------------------------------------------------------------------

static void write_expression(const model *m, expr e, text *out) {
    text latex = {0};
    print_expression(m->pool, e, STYLE_LATEX, &latex);
    page_write_math(text_string(&latex), out);
    text_free(&latex);
}

// As it was typed: 9.81, not 981/100; 1e-4 as 1 . 10^-4.
static void write_decimal(const char *typed, text *out) {
    text latex = {0};
    const size_t mantissa = strcspn(typed, "eE");
    text_append_n(&latex, typed, mantissa);
    if (typed[mantissa]) text_format(&latex, " \\cdot 10^{%s}", typed + mantissa + 1);
    page_write_math(text_string(&latex), out);
    text_free(&latex);
}

static void open_table(const char *class, const char *caption, text *out) {
    text_format(out,
                "<table class=\"%s\"><caption>%s</caption><thead><tr><th>name</th><th>value</th>"
                "</tr></thead><tbody>\n",
                class, caption);
}

static void write_row(const model *m, expr symbol, expr value, const char *decimal, text *out) {
    text_append(out, "<tr><th scope=\"row\">");
    write_expression(m, symbol, out);
    text_append(out, "</th><td>");
    if (value == EXPR_NONE) text_append(out, "symbolic: it has no value");
    else if (decimal) write_decimal(decimal, out);
    else write_expression(m, value, out);
    if (model_unit(m, symbol)) {
        text_append(out, " ");
        html_text(model_unit(m, symbol), out);
    }
    text_append(out, "</td></tr>\n");
}

static void write_parameters(const model *m, text *out) {
    if (!m->parameters_count) return;
    open_table("parameters", "Parameters", out);
    for (uint32_t i = 0; i < m->parameters_count; i++)
        write_row(m, m->parameters[i].symbol, m->parameters[i].value, m->parameters[i].decimal,
                  out);
    text_append(out, "</tbody></table>\n");
}

static void write_initial(const model *m, text *out) {
    if (!m->initial_count) return;
    open_table("initial", "Initial state", out);
    for (uint32_t i = 0; i < m->initial_count; i++)
        write_row(m, m->initial[i].symbol, m->initial[i].value, m->initial[i].decimal, out);
    text_append(out, "</tbody></table>\n");
}

void section_model(const report *r, text *out) {
    const model *m = r->known.m;
    text_append(out, "<section id=\"model\"><h2>Model</h2>\n");
    write_sources(m, out);
    text_append(out, "<div class=\"values\">");
    write_parameters(m, out);
    write_initial(m, out);
    text_append(out, "</div></section>\n");
}
