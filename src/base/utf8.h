// UTF-8, one character at a time, and text of others made safe to show. The lexer reads names with
// it, and pages refuse what is no UTF-8. Names of files and messages about them go to terminals
// through utf8_show(): nothing in them can move the cursor, change colours or turn the direction of
// what follows.
#ifndef HAMEL_BASE_UTF8_H
#define HAMEL_BASE_UTF8_H

#include "base/arena.h"
#include "base/text.h"

#include <stddef.h>
#include <stdint.h>

// Decodes one character of at most `length` bytes into *code; returns its size,
// 0 if the bytes are no UTF-8.
uint32_t utf8_decode(const char *bytes, size_t length, uint32_t *code);

// Characters that act and are not seen: controls (ASCII and U+0080 .. U+009F), marks that turn the
// direction of writing, separators of lines and paragraphs.
bool utf8_is_hidden(uint32_t code);

// The text with hidden characters written as \u009b, and bytes that are no UTF-8 as \xff.
void utf8_show(const char *string, text *out);
void utf8_show_n(const char *bytes, size_t length, text *out);
const char *utf8_shown(arena *a, const char *string); // .. in the arena; NULL for NULL

#endif
