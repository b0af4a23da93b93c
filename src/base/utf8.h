// UTF-8, one character at a time. The lexer reads names with it, and pages refuse what is no UTF-8.
#ifndef HAMEL_BASE_UTF8_H
#define HAMEL_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

// Decodes one character of at most `length` bytes into *code; returns its size,
// 0 if the bytes are no UTF-8.
uint32_t utf8_decode(const char *bytes, size_t length, uint32_t *code);

#endif
