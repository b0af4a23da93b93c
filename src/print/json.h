// A JSON writer: commas and escapes are its business, structure is the caller's. Every --json
// document is written through it: open, add members, close.
#ifndef HAMEL_PRINT_JSON_H
#define HAMEL_PRINT_JSON_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    text *out;
    bool needs_comma;
} json;

// `key` is NULL inside arrays and for the document itself.
void json_open(json *j, const char *key, char bracket); // '{' or '['
void json_close(json *j, char bracket);                 // '}' or ']'
void json_string(json *j, const char *key, const char *value);
void json_text(json *j, const char *key, const text *value);
void json_integer(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);
void json_null(json *j, const char *key);
// A decimal string with all its digits; null where it is not a number
void json_number(json *j, const char *key, double value);
// A number of JSON with so many significant digits, in few characters; with 17, as few as
// distinguish it from every other double.
void json_decimal(json *j, const char *key, double value, int digits);

#endif
