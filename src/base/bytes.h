// Numbers as bytes of a file, little-endian on every machine: appended to a text, and read back
// from a stretch of memory that may hold anything. A reader never leaves its stretch: what is not
// there reads as 0 and makes it `short_of`, which is looked at once, at the end.
#ifndef HAMEL_BASE_BYTES_H
#define HAMEL_BASE_BYTES_H

#include "base/text.h"

#include <stdint.h>
#include <string.h>

static inline void bytes_store(unsigned char *to, uint64_t value, int count) {
    for (int i = 0; i < count; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t bytes_load(const unsigned char *from, int count) {
    uint64_t value = 0;
    for (int i = 0; i < count; i++) value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static inline uint64_t bytes_of_double(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double bytes_to_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void bytes_put(text *out, uint64_t value, int count) {
    unsigned char bytes[8];
    bytes_store(bytes, value, count);
    text_append_n(out, (const char *)bytes, (size_t)count);
}

static inline void bytes_put_double(text *out, double value) {
    bytes_put(out, bytes_of_double(value), 8);
}

// A length of 4 bytes, then the letters.
static inline void bytes_put_string(text *out, const char *string) {
    const size_t length = strlen(string);
    bytes_put(out, length, 4);
    text_append_n(out, string, length);
}

typedef struct {
    const unsigned char *at, *end;
    bool short_of; // something was asked for that is not there
} byte_reader;

// The next `count` bytes; NULL if there are not so many.
static inline const unsigned char *bytes_take(byte_reader *r, uint64_t count) {
    if (r->short_of || (uint64_t)(r->end - r->at) < count) {
        r->short_of = true;
        return NULL;
    }
    const unsigned char *here = r->at;
    r->at += count;
    return here;
}

static inline uint64_t bytes_get(byte_reader *r, int count) {
    const unsigned char *here = bytes_take(r, (uint64_t)count);
    return here ? bytes_load(here, count) : 0;
}

static inline double bytes_get_double(byte_reader *r) { return bytes_to_double(bytes_get(r, 8)); }

#endif
