// A string that grows. Start from {0}, append, and either free it or release its bytes to the
// caller. It never fails: where memory ends, the call of the library does.
#ifndef HAMEL_BASE_TEXT_H
#define HAMEL_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    char *bytes; // NUL-terminated once anything was appended
    size_t length, capacity;
} text;

void text_free(text *t);
void text_clear(text *t);
void text_append(text *t, const char *string);
void text_append_n(text *t, const char *bytes, size_t length);
void text_char(text *t, char c);
void text_repeat(text *t, char c, size_t times);
void text_format(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_format_list(text *t, const char *format, va_list args);
const char *text_string(const text *t); // "" when empty
char *text_release(text *t);            // the caller frees it; t is empty afterwards

// What stands before the i-th of `count` things in a sentence: "", ", " or " and ".
static inline const char *text_between(uint32_t i, uint32_t count) {
    return !i ? "" : i + 1 < count ? ", " : " and ";
}
bool text_ends_in(const char *string, const char *ending); // with something before it

#endif
