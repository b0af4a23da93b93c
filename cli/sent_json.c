// JSON that others send, read into a tree.
#include "sent_json.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_VALUES = 4000000 };

typedef struct {
    const char *at, *end;
    sent_value *values;
    size_t count, room;
    char *strings; // where the next one goes
    int depth;
} reader;

// --- strings -------------------------------------------------------------------------------------

static char *put_utf8(char *out, uint32_t code) {
    if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
        *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12);
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18);
        *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

static bool read_hex(reader *r, uint32_t *out) {
    *out = 0;
    if (r->end - r->at < 4) return false;
    for (int i = 0; i < 4; i++) {
        const char c = *r->at++;
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0) return false;
        *out = *out << 4 | (uint32_t)digit;
    }
    return true;
}

// Behind `\u`: a character, of two escapes where the first is half of one
static bool read_escaped(reader *r, uint32_t *code) {
    uint32_t low;
    if (!read_hex(r, code)) return false;
    if (*code < 0xD800 || *code >= 0xDC00 || r->end - r->at < 6 || r->at[0] != '\\' ||
        r->at[1] != 'u')
        return true;
    const char *before = r->at;
    r->at += 2;
    if (!read_hex(r, &low)) return false;
    if (low >= 0xDC00 && low < 0xE000) *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    else r->at = before;
    return true;
}

// From the opening quote on; what is decoded is never longer than what was sent.
static bool read_string(reader *r, const char **text, size_t *length) {
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *out = r->strings;
    *text = out;
    r->at++;
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 0x20) return false;
        if (*r->at != '\\') {
            *out++ = *r->at++;
            continue;
        }
        if (++r->at == r->end) return false;
        const char c = *r->at++;
        const char *known = c ? strchr(escapes, c) : NULL;
        uint32_t code = 0;
        if (known) *out++ = meant[known - escapes];
        else if (c != 'u' || !read_escaped(r, &code)) return false;
        else out = put_utf8(out, code);
    }
    if (r->at == r->end) return false;
    r->at++;
    *length = (size_t)(out - *text);
    *out++ = '\0';
    r->strings = out;
    return true;
}

// --- values --------------------------------------------------------------------------------------

static void skip_blanks(reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool accept(reader *r, char c) {
    skip_blanks(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool is_digit(const reader *r) { return r->at < r->end && *r->at >= '0' && *r->at <= '9'; }

static bool read_digits(reader *r) {
    if (!is_digit(r)) return false;
    while (is_digit(r)) r->at++;
    return true;
}

// The number itself is used where it is a whole one: digits, without the locale.
static bool read_number(reader *r, sent_value *v) {
    const bool negative = *r->at == '-';
    bool whole = true;
    if (negative) r->at++;
    const char *digits = r->at;
    if (!read_digits(r)) return false;
    if (*digits == '0' && r->at - digits > 1) return false;
    for (const char *d = digits; d < r->at; d++) v->number = 10 * v->number + (*d - '0');
    if (r->at < r->end && *r->at == '.') {
        r->at++, whole = false;
        if (!read_digits(r)) return false;
    }
    if (r->at < r->end && (*r->at == 'e' || *r->at == 'E')) {
        r->at++, whole = false;
        if (r->at < r->end && (*r->at == '+' || *r->at == '-')) r->at++;
        if (!read_digits(r)) return false;
    }
    v->kind = SENT_NUMBER;
    if (negative) v->number = -v->number;
    if (!whole) v->number = -1; // no position, no version
    return true;
}

static bool read_word(reader *r, sent_value *v) {
    static const struct {
        const char *word;
        sent_kind kind;
    } words[] = {{"null", SENT_NULL}, {"true", SENT_TRUE}, {"false", SENT_FALSE}};
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(words[i].word);
        if ((size_t)(r->end - r->at) < length || memcmp(r->at, words[i].word, length) != 0)
            continue;
        r->at += length;
        v->kind = words[i].kind;
        return true;
    }
    return false;
}

static sent_value *read_value(reader *r);

static bool read_members(reader *r, sent_value *v, char close) {
    v->kind = close == '}' ? SENT_OBJECT : SENT_ARRAY;
    const sent_value **end = &v->first;
    r->at++;
    if (accept(r, close)) return true;
    do {
        const char *key = NULL;
        size_t length;
        skip_blanks(r);
        if (close == '}' &&
            (r->at == r->end || *r->at != '"' || !read_string(r, &key, &length) || !accept(r, ':')))
            return false;
        sent_value *member = read_value(r);
        if (!member) return false;
        member->key = key;
        *end = member;
        end = &member->next;
    } while (accept(r, ','));
    return accept(r, close);
}

static sent_value *read_value(reader *r) {
    skip_blanks(r);
    if (r->at == r->end || r->count == r->room || r->depth == MOST_DEPTH) return NULL;
    sent_value *v = &r->values[r->count++];
    v->raw = r->at;
    r->depth++;
    const char c = *r->at;
    const bool good = c == '{'                  ? read_members(r, v, '}')
                      : c == '['                ? read_members(r, v, ']')
                      : c == '"'                ? read_string(r, &v->text, &v->length)
                      : c == '-' || is_digit(r) ? read_number(r, v)
                                                : read_word(r, v);
    r->depth--;
    if (c == '"') v->kind = SENT_STRING;
    v->raw_length = (size_t)(r->at - v->raw);
    return good ? v : NULL;
}

// A value follows each comma and each opening bracket, and there is the whole one.
const sent_value *sent_read(const char *bytes, size_t size, sent_tree *tree) {
    size_t room = 1;
    for (size_t i = 0; i < size; i++) room += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{';
    *tree = (sent_tree){NULL, NULL};
    if (room > MOST_VALUES) return NULL;
    tree->values = calloc(room, sizeof *tree->values);
    tree->strings = malloc(size + 1);
    if (!tree->values || !tree->strings) return NULL;
    reader r = {bytes, bytes + size, tree->values, 0, room, tree->strings, 0};
    const sent_value *root = read_value(&r);
    skip_blanks(&r);
    return r.at == r.end ? root : NULL;
}

void sent_release(sent_tree *tree) {
    free(tree->values);
    free(tree->strings);
    *tree = (sent_tree){NULL, NULL};
}

// --- looking things up ---------------------------------------------------------------------------

const sent_value *sent_member(const sent_value *v, const char *key) {
    if (!v || v->kind != SENT_OBJECT) return NULL;
    const sent_value *m = v->first;
    while (m && strcmp(m->key, key) != 0) m = m->next;
    return m;
}

const sent_value *sent_at(const sent_value *v, ...) {
    va_list keys;
    va_start(keys, v);
    for (const char *key; v && (key = va_arg(keys, const char *));) v = sent_member(v, key);
    va_end(keys);
    return v;
}

const char *sent_text(const sent_value *v) { return v && v->kind == SENT_STRING ? v->text : NULL; }

bool sent_whole(const sent_value *v, size_t most, size_t *out) {
    if (!v || v->kind != SENT_NUMBER || !(v->number >= 0) || v->number > (double)most) return false;
    *out = (size_t)v->number;
    return true;
}

// --- writing -------------------------------------------------------------------------------------

// How many of the bytes are one character of UTF-8; 0: they are none
static size_t character(const unsigned char *s, size_t length) {
    const size_t size = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (!size || s[0] > 0xF4 || size > length) return 0;
    for (size_t i = 1; i < size; i++)
        if ((s[i] & 0xC0) != 0x80) return 0;
    if (size == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))) return 0;
    if (size == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))) return 0;
    return size;
}

void sent_quote(FILE *out, const char *text, size_t length) {
    const unsigned char *s = (const unsigned char *)text;
    putc('"', out);
    for (size_t i = 0; i < length;) {
        const size_t size = character(s + i, length - i);
        if (!size) fputs("\\ufffd", out);
        else if (s[i] == '"' || s[i] == '\\') fprintf(out, "\\%c", s[i]);
        else if (s[i] == '\n') fputs("\\n", out);
        else if (s[i] < 0x20 || s[i] == 0x7F) fprintf(out, "\\u%04x", s[i]);
        else fwrite(s + i, 1, size, out);
        i += size ? size : 1;
    }
    putc('"', out);
}
