// Pieces with their checksums: see sealed.h.
#include "record/sealed.h"

#include "base/bytes.h"
#include "base/descriptor.h"

#include <errno.h>
#include <zlib.h>

enum { BLOCK = 1 << 16 };

void sealed_put_head(unsigned char *head, const char *kind, uint64_t length, const void *content) {
    memcpy(head, kind, 4);
    bytes_store(head + 8, length, 8);
    uLong sum = crc32(0, head, 4);
    sum = crc32(sum, head + 8, 8);
    bytes_store(head + 4, crc32_z(sum, content, length), 4);
}

size_t sealed_begin(text *out) {
    const size_t begin = out->length;
    text_repeat(out, 0, SEALED_HEAD);
    return begin;
}

void sealed_end(text *out, size_t begin, const char *kind) {
    unsigned char *head = (unsigned char *)out->bytes + begin;
    sealed_put_head(head, kind, out->length - begin - SEALED_HEAD, head + SEALED_HEAD);
}

static bool fetch(int file, uint64_t at, void *bytes, size_t size, int *unreadable) {
    if (descriptor_read_at(file, at, bytes, size)) return true;
    *unreadable = errno;
    return false;
}

bool sealed_is_whole(int file, const sealed *p, int *unreadable) {
    unsigned char head[SEALED_HEAD], block[BLOCK];
    bytes_store(head + 8, p->length, 8);
    uLong sum = crc32(0, (const unsigned char *)p->kind, 4);
    sum = crc32(sum, head + 8, 8);
    for (uint64_t done = 0; done < p->length;) {
        const uint64_t left = p->length - done, count = left < BLOCK ? left : BLOCK;
        if (!fetch(file, p->at + done, block, count, unreadable)) return false;
        sum = crc32_z(sum, block, count);
        done += count;
    }
    return sum == p->sum;
}

bool sealed_find(int file, uint64_t at, uint64_t size, sealed *out, int *unreadable) {
    unsigned char head[SEALED_HEAD];
    if (at > size || size - at < SEALED_HEAD) return false;
    if (!fetch(file, at, head, SEALED_HEAD, unreadable)) return false;
    *out = (sealed){.sum = (uint32_t)bytes_load(head + 4, 4),
                    .at = at + SEALED_HEAD,
                    .length = bytes_load(head + 8, 8)};
    memcpy(out->kind, head, 4);
    return out->length <= size - out->at;
}
