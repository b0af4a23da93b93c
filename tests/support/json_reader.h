// JSON as a test reads it: strictly, so that whatever is not JSON fails the test. Read the whole
// text, ask for members and items, free it.
#ifndef HAMEL_TESTS_JSON_READER_H
#define HAMEL_TESTS_JSON_READER_H

#include <stddef.h>

typedef enum { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } json_kind;

typedef struct json_value {
    json_kind kind;
    double number; // of a bool: 0 or 1
    char *string;
    size_t count;             // of an array or object
    struct json_value *items; // values
    char **keys;              // of an object
} json_value;

json_value *json_read(const char *text); // the whole text; fails the test on anything else
void json_value_free(json_value *v);

// Each fails the test where there is none.
const json_value *json_member(const json_value *object, const char *key);
const json_value *json_item(const json_value *array, size_t index);
// The object in an array whose member `key` is this string; NULL if there is none.
const json_value *json_find(const json_value *array, const char *key, const char *value);

#endif
