// What the translator reads and writes, piece by piece.
#include "print/mathml_internal.h"

#include "base/html.h"

#include <ctype.h>
#include <string.h>

void mathml_write(translator *t, const char *markup) { text_append(t->out, markup); }

void mathml_insert(translator *t, size_t place, const char *markup) {
    const size_t size = strlen(markup), behind = t->out->length - place;
    text_append(t->out, markup);
    memmove(t->out->bytes + place + size, t->out->bytes + place, behind);
    memcpy(t->out->bytes + place, markup, size);
}

double mathml_scale(const translator *t) { return t->script ? 0.7 : 1; }

void mathml_leaf(translator *t, const char *open, const char *content, size_t length,
                 const char *close) {
    mathml_write(t, open);
    html_text_n(content, length, t->out);
    mathml_write(t, close);
    t->width += (double)length * mathml_scale(t);
}

void mathml_character(translator *t, const char *open, const char *content, const char *close) {
    text_format(t->out, "%s%s%s", open, content, close);
    t->width += mathml_scale(t);
}

before mathml_fail(translator *t) {
    t->wrong = true;
    t->at += strlen(t->at);
    return AFTER_NOTHING;
}

bool mathml_skip_blanks(translator *t) {
    const char *start = t->at;
    while (isspace((unsigned char)*t->at)) t->at++;
    return t->at != start;
}

bool mathml_accept(translator *t, const char *word) {
    const size_t length = strlen(word);
    if (strncmp(t->at, word, length) != 0 ||
        (isalpha((unsigned char)word[length - 1]) && isalpha((unsigned char)t->at[length])))
        return false;
    t->at += length;
    return true;
}

void mathml_expect(translator *t, const char *word) {
    if (!t->wrong && !mathml_accept(t, word)) mathml_fail(t);
}

const sign *mathml_next_sign(const translator *t) {
    if (*t->at != '\\') return NULL;
    size_t length = 0;
    while (isalpha((unsigned char)t->at[1 + length])) length++;
    return sign_find(t->at + 1, length ? length : 1);
}
