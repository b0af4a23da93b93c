// A zip archive in memory (APPNOTE 6.3, sections 4.3 and 4.4), deflated by zlib.
#include "base/zip.h"

#include "base/bytes.h"
#include "base/memory.h"

#include <limits.h>
#include <zlib.h>

enum { VERSION = 20, DEFLATED = 8, UTF8 = 1 << 11, DATE = 1 << 5 | 1, MADE_ON_UNIX = 3 };

// The bytes without zlib's frame; the memory is the caller's. 0 bytes: refused
static size_t deflate_all(const void *bytes, size_t size, unsigned char **packed) {
    enum { RAW = -15, MEMORY = 9 };
    z_stream s = {0};
    if (deflateInit2(&s, Z_BEST_COMPRESSION, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    const uLong most = deflateBound(&s, (uLong)size);
    *packed = memory_array(unsigned char, most + 1);
    s.next_in = (z_const Bytef *)bytes, s.avail_in = (uInt)size;
    s.next_out = *packed, s.avail_out = (uInt)most;
    const bool done = deflate(&s, Z_FINISH) == Z_STREAM_END;
    const size_t length = done ? s.total_out : 0;
    deflateEnd(&s);
    return length;
}

// What a local header and an entry of the directory have in common
static void put_common(text *out, uint32_t crc, size_t packed, size_t size, const char *name) {
    bytes_put(out, VERSION, 2), bytes_put(out, UTF8, 2), bytes_put(out, DEFLATED, 2);
    bytes_put(out, 0, 2), bytes_put(out, DATE, 2); // 00:00 of 1 January 1980
    bytes_put(out, crc, 4), bytes_put(out, packed, 4), bytes_put(out, size, 4);
    bytes_put(out, strlen(name), 2), bytes_put(out, 0, 2);
}

bool zip_add(zip *z, const char *name, const void *bytes, size_t size, bool is_program) {
    unsigned char *packed = NULL;
    const size_t start = z->out.length;
    if (size > INT32_MAX || start > INT32_MAX || z->count == UINT16_MAX) return false;
    const size_t length = deflate_all(bytes, size, &packed);
    const uint32_t crc = (uint32_t)crc32_z(0, bytes, size);
    if (length) {
        text_append_n(&z->out, "PK\3\4", 4);
        put_common(&z->out, crc, length, size, name);
        text_append(&z->out, name);
        text_append_n(&z->out, (const char *)packed, length);
        text_append_n(&z->directory, "PK\1\2", 4);
        bytes_put(&z->directory, MADE_ON_UNIX << 8 | VERSION, 2);
        put_common(&z->directory, crc, length, size, name);
        bytes_put(&z->directory, 0, 2), bytes_put(&z->directory, 0, 2); // no comment, disk 0
        bytes_put(&z->directory, 0, 2);
        bytes_put(&z->directory, (uint64_t)(is_program ? 0100755 : 0100644) << 16, 4);
        bytes_put(&z->directory, start, 4);
        text_append(&z->directory, name);
        z->count++;
    }
    memory_free(packed);
    return length > 0;
}

bool zip_end(zip *z, const char *comment) {
    const size_t start = z->out.length;
    if (start + z->directory.length > UINT32_MAX) return false;
    text_append_n(&z->out, text_string(&z->directory), z->directory.length);
    text_append_n(&z->out, "PK\5\6", 4);
    bytes_put(&z->out, 0, 4), bytes_put(&z->out, z->count, 2), bytes_put(&z->out, z->count, 2);
    bytes_put(&z->out, z->directory.length, 4), bytes_put(&z->out, start, 4);
    bytes_put(&z->out, strlen(comment), 2);
    text_append(&z->out, comment);
    return true;
}

void zip_free(zip *z) { text_free(&z->out), text_free(&z->directory); }
