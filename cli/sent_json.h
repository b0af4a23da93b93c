// JSON that others send, read into a tree: for `hamel lsp`. What is no JSON, too deep or too long
// is refused as a whole; half a character of UTF-16 becomes U+FFFD. A tree is two blocks of memory,
// given back together. No library does this: one that is linked would be loaded by every command.
#ifndef HAMEL_CLI_SENT_JSON_H
#define HAMEL_CLI_SENT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef enum {
    SENT_NULL,
    SENT_FALSE,
    SENT_TRUE,
    SENT_NUMBER,
    SENT_STRING,
    SENT_ARRAY,
    SENT_OBJECT
} sent_kind;

typedef struct sent_value {
    sent_kind kind;
    const char *key;  // in an object; else NULL
    const char *text; // of a STRING: ends in NUL, and may hold others
    size_t length;
    double number;
    const char *raw; // as it was sent
    size_t raw_length;
    const struct sent_value *first, *next; // members, or elements
} sent_value;

typedef struct {
    sent_value *values;
    char *strings;
} sent_tree;

// NULL: it is no JSON. The bytes must live as long as the tree.
const sent_value *sent_read(const char *bytes, size_t size, sent_tree *tree);
void sent_release(sent_tree *tree);

// Of an object, also of NULL or of something else: NULL, "" or `otherwise` where there is none
const sent_value *sent_member(const sent_value *v, const char *key);
// .. along members: sent_at(v, "textDocument", "uri", NULL)
const sent_value *sent_at(const sent_value *v, ...) __attribute__((sentinel));
const char *sent_text(const sent_value *v); // NULL where it is no string
// A whole number from 0 to `most`; false where it is none
bool sent_whole(const sent_value *v, size_t most, size_t *out);

void sent_quote(FILE *out, const char *text, size_t length); // quoted and escaped

#endif
