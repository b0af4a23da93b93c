// A string that grows.
#include "base/text.h"

#include "base/memory.h"
#include "base/recovery.h"

#include <stdio.h>
#include <string.h>

static void reserve(text *t, size_t extra) {
    size_t need = t->length + extra + 1;
    if (t->bytes && need <= t->capacity) return;
    size_t capacity = t->capacity ? t->capacity : 64;
    while (capacity < need) capacity *= 2;
    memory_grow(t->bytes, capacity);
    t->capacity = capacity;
}

void text_free(text *t) {
    memory_free(t->bytes);
    *t = (text){0};
}

void text_clear(text *t) {
    t->length = 0;
    if (t->bytes) t->bytes[0] = '\0';
}

void text_append_n(text *t, const char *bytes, size_t length) {
    reserve(t, length);
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
}

void text_append(text *t, const char *string) { text_append_n(t, string, strlen(string)); }

void text_char(text *t, char c) { text_append_n(t, &c, 1); }

void text_repeat(text *t, char c, size_t times) {
    while (times--) text_char(t, c);
}

void text_format_list(text *t, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0) { // else printf() got no memory: it takes some for many digits
        reserve(t, (size_t)length);
        length = vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    if (length < 0) recovery_jump(RECOVERY_NO_MEMORY);
    t->length += (size_t)length;
}

void text_format(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_format_list(t, format, args);
    va_end(args);
}

const char *text_string(const text *t) { return t->bytes ? t->bytes : ""; }

char *text_release(text *t) {
    if (!t->bytes) text_append(t, "");
    char *bytes = t->bytes;
    *t = (text){0};
    return bytes;
}

bool text_ends_in(const char *string, const char *ending) {
    const size_t length = strlen(string), size = strlen(ending);
    return length > size && strcmp(string + length - size, ending) == 0;
}
