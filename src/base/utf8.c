// UTF-8, one character at a time, and what of it can be shown.
#include "base/utf8.h"

#include <string.h>

uint32_t utf8_decode(const char *bytes, size_t length, uint32_t *code) {
    // a longer encoding than needed is invalid
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (!length) return 0;
    const unsigned char first = (unsigned char)bytes[0];
    const uint32_t size = first < 0x80   ? 1
                          : first < 0xC0 ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF8 ? 4
                                         : 0;
    if (!size || size > length) return 0;
    uint32_t c = size == 1 ? first : first & (0x7Fu >> size);
    for (uint32_t i = 1; i < size; i++) {
        const unsigned char next = (unsigned char)bytes[i];
        if ((next & 0xC0) != 0x80) return 0;
        c = c << 6 | (next & 0x3Fu);
    }
    if (c < least[size] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
    *code = c;
    return size;
}

bool utf8_is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

void utf8_show_n(const char *bytes, size_t length, text *out) {
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        const uint32_t size = utf8_decode(bytes + i, length - i, &code);
        if (!size) text_format(out, "\\x%02x", (unsigned)(unsigned char)bytes[i]);
        else if (utf8_is_hidden(code)) text_format(out, "\\u%04x", (unsigned)code);
        else text_append_n(out, bytes + i, size);
        i += size ? size : 1;
    }
}

void utf8_show(const char *string, text *out) { utf8_show_n(string, strlen(string), out); }

const char *utf8_shown(arena *a, const char *string) {
    if (!string) return NULL;
    text shown = {0};
    utf8_show(string, &shown);
    const char *kept = arena_copy(a, text_string(&shown), shown.length);
    text_free(&shown);
    return kept;
}
