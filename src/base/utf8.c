// UTF-8, one character at a time.
#include "base/utf8.h"

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
