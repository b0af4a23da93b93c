// JSON as a test reads it.
#include "support/json_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"

static json_value read_value(const char **at);

static void expect(const char **at, const char *word) {
    if (strncmp(*at, word, strlen(word)) != 0) fail_msg("`%s` is missing at: %.40s", word, *at);
    *at += strlen(word);
}

static char *read_string(const char **at) {
    expect(at, "\"");
    char *s = memory_array(char, strlen(*at) + 1), *end = s;
    while (**at && **at != '"') {
        assert_true((unsigned char)**at >= 0x20);
        if (**at != '\\') {
            *end++ = *(*at)++;
        } else if (strncmp(*at, "\\u00", 4) == 0) {
            *end++ = (char)strtol((char[]){(*at)[4], (*at)[5], 0}, NULL, 16);
            *at += 6;
        } else {
            assert_non_null(strchr("\"\\n", (*at)[1])); // the escapes that are written
            *end++ = (*at)[1] == 'n' ? '\n' : (*at)[1];
            *at += 2;
        }
    }
    *end = 0;
    expect(at, "\"");
    return s;
}

// -? (0 | [1-9][0-9]*) (. [0-9]+)? (e [+-]? [0-9]+)?
static double read_number(const char **at) {
    const char *s = *at;
    size_t length = strspn(s, "-") == 1;
    const size_t whole = strspn(s + length, "0123456789");
    assert_true(whole > 0 && (whole == 1 || s[length] != '0'));
    length += whole;
    if (s[length] == '.') {
        const size_t digits = strspn(s + length + 1, "0123456789");
        assert_true(digits > 0);
        length += 1 + digits;
    }
    if (s[length] == 'e') {
        length += 1 + (s[length + 1] == '-' || s[length + 1] == '+');
        const size_t digits = strspn(s + length, "0123456789");
        assert_true(digits > 0);
        length += digits;
    }
    *at += length;
    return strtod(s, NULL);
}

static json_value read_list(const char **at, json_kind kind, const char *close) {
    json_value v = {.kind = kind};
    size_t capacity = 0, key_capacity = 0;
    (*at)++;
    if (**at != *close) do {
            if (kind == JSON_OBJECT) {
                array_reserve(v.keys, v.count, key_capacity);
                v.keys[v.count] = read_string(at);
                expect(at, ":");
            }
            array_reserve(v.items, v.count, capacity);
            const json_value item = read_value(at);
            v.items[v.count++] = item;
        } while (**at == ',' && (*at)++);
    expect(at, close);
    return v;
}

static json_value read_value(const char **at) {
    switch (**at) {
    case '{': return read_list(at, JSON_OBJECT, "}");
    case '[': return read_list(at, JSON_ARRAY, "]");
    case '"': return (json_value){.kind = JSON_STRING, .string = read_string(at)};
    case 'n': expect(at, "null"); return (json_value){.kind = JSON_NULL};
    case 't': expect(at, "true"); return (json_value){.kind = JSON_BOOL, .number = 1};
    case 'f': expect(at, "false"); return (json_value){.kind = JSON_BOOL};
    default: return (json_value){.kind = JSON_NUMBER, .number = read_number(at)};
    }
}

json_value *json_read(const char *text) {
    json_value *v = memory_new(json_value);
    *v = read_value(&text);
    assert_string_equal(text, "");
    return v;
}

static void clear(json_value *v) {
    for (size_t i = 0; i < v->count; i++) {
        clear(&v->items[i]);
        if (v->keys) memory_free(v->keys[i]);
    }
    memory_free(v->items), memory_free(v->keys), memory_free(v->string);
}

void json_value_free(json_value *v) {
    clear(v);
    memory_free(v);
}

const json_value *json_member(const json_value *object, const char *key) {
    assert_int_equal(object->kind, JSON_OBJECT);
    for (size_t i = 0; i < object->count; i++)
        if (strcmp(object->keys[i], key) == 0) return &object->items[i];
    fail_msg("there is no member `%s`", key);
    return NULL;
}

const json_value *json_item(const json_value *array, size_t index) {
    assert_int_equal(array->kind, JSON_ARRAY);
    assert_true(index < array->count);
    return &array->items[index];
}

const json_value *json_find(const json_value *array, const char *key, const char *value) {
    for (size_t i = 0; i < array->count; i++)
        if (strcmp(json_member(&array->items[i], key)->string, value) == 0) return &array->items[i];
    return NULL;
}
