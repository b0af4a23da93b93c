// Sentences with mathematics in them.
#include "report/phrase.h"

#include "base/html.h"
#include "print/expression.h"
#include "print/mathml.h"

#include <stdarg.h>
#include <stdio.h>

static void append(phrase *p, const char *words) {
    if (p->style == PHRASE_HTML) html_text(words, &p->out);
    else text_append(&p->out, words);
}

void phrase_words(phrase *p, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    char *words = memory_array(char, length + 1);
    vsnprintf(words, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    append(p, words);
    memory_free(words);
}

static print_style style_of(const phrase *p) {
    return p->style == PHRASE_HTML ? STYLE_LATEX : STYLE_TEXT;
}

static void append_mathematics(phrase *p, const text *written) {
    if (p->style == PHRASE_HTML) mathml_inline(text_string(written), &p->out);
    else text_append(&p->out, text_string(written));
}

void phrase_expression(phrase *p, expr e) {
    text written = {0};
    print_expression(p->m->pool, e, style_of(p), &written);
    append_mathematics(p, &written);
    text_free(&written);
}

void phrase_equation(phrase *p, const char *name, uint32_t primes, expr value) {
    text written = {0};
    print_name(name, primes, style_of(p), &written);
    text_append(&written, " = ");
    print_expression(p->m->pool, value, style_of(p), &written);
    append_mathematics(p, &written);
    text_free(&written);
}

void phrase_name(phrase *p, const char *name, uint32_t primes) {
    text written = {0};
    print_name(name, primes, style_of(p), &written);
    append_mathematics(p, &written);
    text_free(&written);
}

void phrase_formula(phrase *p, const char *plain, const char *latex) {
    if (p->style == PHRASE_HTML && latex) mathml_block(latex, &p->out);
    else append(p, plain);
}

const char *phrase_take(phrase *p) {
    const char *taken = arena_copy(&p->m->ctx->arena, text_string(&p->out), p->out.length);
    text_free(&p->out);
    return taken;
}
