// Rows as NumPy's .npz: a zip archive, not compressed, with one array in .npy
// format 1.0 for each column.
//
// The length of an array stands before it, so rows wait in an unnamed file beside the result, in
// blocks that hold one column after the other; memory holds one block. The archive is written at
// the end under the name FILE.part and then renamed: a killed run leaves no FILE at all.
#include "record/sinks.h"

#include "base/recovery.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_ROWS = 4096 };

typedef struct {
    sink base;
    const simulation *sim;
    char *name, *part;
    FILE *waiting, *out; // out: the file `part`, while it is written
    guard waits, written;
    unsigned char *block; // column by column, BLOCK_ROWS numbers each
    uint64_t rows;
} npz;

// --- bytes ---------------------------------------------------------------------------------------

static void put_bytes(text *out, uint64_t value, int count) {
    for (int i = 0; i < count; i++) text_char(out, (char)(value >> 8 * i & 0xff));
}

static void store_double(unsigned char *to, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(bits >> 8 * i);
}

// CRC-32 of ISO 3309, as in zip, four bits at a time: continues from `crc`, 0 at the start.
static uint32_t crc32(uint32_t crc, const void *bytes, size_t size) {
    static const uint32_t part[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                      0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                      0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                      0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    crc = ~crc;
    for (const unsigned char *b = bytes; size--; b++) {
        crc = crc >> 4 ^ part[(crc ^ *b) & 15];
        crc = crc >> 4 ^ part[(crc ^ *b >> 4) & 15];
    }
    return ~crc;
}

// --- rows ----------------------------------------------------------------------------------------

static size_t block_bytes(const npz *a) { return (size_t)a->sim->column_count * BLOCK_ROWS * 8; }

static bool row(sink *s, const double *value) {
    npz *a = (npz *)s;
    const size_t at = a->rows % BLOCK_ROWS;
    for (uint32_t i = 0; i < a->sim->column_count; i++)
        store_double(a->block + (i * (size_t)BLOCK_ROWS + at) * 8, value[i]);
    return ++a->rows % BLOCK_ROWS ||
           fwrite(a->block, 1, block_bytes(a), a->waiting) == block_bytes(a);
}

// Calls take() with the bytes of one column, piece by piece.
static bool each_piece(npz *a, uint32_t column, unsigned char *piece,
                       bool (*take)(void *to, const void *bytes, size_t size), void *to) {
    const uint64_t blocks = a->rows / BLOCK_ROWS;
    for (uint64_t b = 0; b < blocks; b++) {
        const off_t at = (off_t)(b * block_bytes(a) + (uint64_t)column * BLOCK_ROWS * 8);
        if (fseeko(a->waiting, at, SEEK_SET) != 0 ||
            fread(piece, 8, BLOCK_ROWS, a->waiting) != BLOCK_ROWS ||
            !take(to, piece, 8 * BLOCK_ROWS))
            return false;
    }
    return take(to, a->block + (size_t)column * BLOCK_ROWS * 8, a->rows % BLOCK_ROWS * 8);
}

static bool take_crc(void *to, const void *bytes, size_t size) {
    *(uint32_t *)to = crc32(*(uint32_t *)to, bytes, size);
    return true;
}

static bool take_bytes(void *to, const void *bytes, size_t size) {
    return fwrite(bytes, 1, size, to) == size;
}

// --- the archive ---------------------------------------------------------------------------------

// "\x93NUMPY", version 1.0, length of what follows: a Python literal, padded so that the
// data begin at a multiple of 64.
static void array_header(uint64_t rows, text *out) {
    text literal = {0};
    text_format(&literal, "{'descr': '<f8', 'fortran_order': False, 'shape': (%llu,), }",
                (unsigned long long)rows);
    text_repeat(&literal, ' ', 63 - (10 + literal.length) % 64);
    text_char(&literal, '\n');
    text_append_n(out, "\x93NUMPY\x01\x00", 8);
    put_bytes(out, literal.length, 2);
    text_append_n(out, literal.bytes, literal.length);
    text_free(&literal);
}

// What a local header and an entry of the directory have in common. Sizes are in the 64-bit field
// behind the name; the time is that of 1980, which no run changes.
static void entry(text *out, const char *name, uint32_t crc, const uint64_t *wide, int wide_count,
                  bool directory) {
    enum { VERSION = 45, STORED = 0, UTF8 = 1 << 11, DATE = 1 << 5 | 1, IN_WIDE = 0xffff };
    text_append(out, directory ? "PK\1\2" : "PK\3\4");
    if (directory) put_bytes(out, 3 << 8 | VERSION, 2); // made on Unix
    put_bytes(out, VERSION, 2), put_bytes(out, UTF8, 2), put_bytes(out, STORED, 2);
    put_bytes(out, 0, 2), put_bytes(out, DATE, 2); // 00:00 of 1 January 1980
    put_bytes(out, crc, 4), put_bytes(out, UINT32_MAX, 4), put_bytes(out, UINT32_MAX, 4);
    put_bytes(out, strlen(name) + 4, 2), put_bytes(out, 4 + 8 * (uint64_t)wide_count, 2);
    if (directory) {
        // no comment, disk 0, binary
        put_bytes(out, 0, 2), put_bytes(out, 0, 2), put_bytes(out, 0, 2);
        put_bytes(out, (uint64_t)0100644 << 16, 4), put_bytes(out, UINT32_MAX, 4);
    }
    text_format(out, "%s.npy", name);
    put_bytes(out, 1, 2), put_bytes(out, 8 * (uint64_t)wide_count, 2);
    for (int i = 0; i < wide_count; i++) put_bytes(out, wide[i], 8);
}

static void end_of_directory(text *out, uint64_t count, uint64_t start, uint64_t size) {
    text_append(out, "PK\6\6");
    put_bytes(out, 44, 8), put_bytes(out, 3 << 8 | 45, 2), put_bytes(out, 45, 2),
        put_bytes(out, 0, 4), put_bytes(out, 0, 4);
    put_bytes(out, count, 8), put_bytes(out, count, 8), put_bytes(out, size, 8),
        put_bytes(out, start, 8);
    text_append(out, "PK\6\7");
    put_bytes(out, 0, 4), put_bytes(out, start + size, 8), put_bytes(out, 1, 4);
    text_append(out, "PK\5\6");
    put_bytes(out, 0, 4), put_bytes(out, UINT16_MAX, 2), put_bytes(out, UINT16_MAX, 2),
        put_bytes(out, UINT32_MAX, 4), put_bytes(out, UINT32_MAX, 4);
    put_bytes(out, 0, 2);
}

static bool write_archive(npz *a, FILE *out) {
    text directory = {0}, head = {0};
    unsigned char *piece = memory_array(unsigned char, 8 * BLOCK_ROWS);
    uint64_t at = 0;
    bool good = fflush(a->waiting) == 0;
    for (uint32_t i = 0; i < a->sim->column_count && good; i++) {
        const char *name = a->sim->column[i].name;
        text array = {0};
        array_header(a->rows, &array);
        uint32_t crc = crc32(0, array.bytes, array.length);
        good = each_piece(a, i, piece, take_crc, &crc);
        const uint64_t size = array.length + 8 * a->rows, wide[] = {size, size, at};
        text_clear(&head);
        entry(&head, name, crc, wide, 2, false);
        entry(&directory, name, crc, wide, 3, true);
        good = good && take_bytes(out, head.bytes, head.length) &&
               take_bytes(out, array.bytes, array.length) &&
               each_piece(a, i, piece, take_bytes, out);
        at += head.length + size;
        text_free(&array);
    }
    const uint64_t length = directory.length;
    end_of_directory(&directory, a->sim->column_count, at, length);
    good = good && take_bytes(out, directory.bytes, directory.length);
    text_free(&directory), text_free(&head);
    memory_free(piece);
    return good;
}

static void release(npz *a) {
    if (a->waiting) guard_lift(&a->waits), fclose(a->waiting);
    memory_free(a->block), memory_free(a->name), memory_free(a->part);
    memory_free(a);
}

static void abandon(void *what) {
    npz *a = what;
    fclose(a->out);
    remove(a->part);
}

static bool finish(sink *s, const run_position *here, const char *outcome) {
    (void)here, (void)outcome;
    npz *a = (npz *)s;
    a->out = fopen(a->part, "wb");
    if (a->out) guard_set(&a->written, abandon, a);
    bool good = a->out && write_archive(a, a->out);
    if (a->out) guard_lift(&a->written);
    if (a->out && fclose(a->out) != 0) good = false;
    good = good && rename(a->part, a->name) == 0;
    if (a->out && !good) remove(a->part);
    release(a);
    return good;
}

// --- the beginning -------------------------------------------------------------------------------

static char *joined(const char *a, const char *b) {
    text t = {0};
    text_format(&t, "%s%s", a, b);
    return text_release(&t);
}

// A file without a name, on the disk where the result will be.
static FILE *unnamed_file(const char *beside) {
    char *name = joined(beside, ".XXXXXX");
    const int file = mkstemp(name);
    FILE *f = file < 0 ? NULL : fdopen(file, "w+b");
    if (file >= 0) unlink(name);
    memory_free(name);
    return f;
}

static sink *open_npz(const sink_request *r, text *why) {
    const char *file = r->file;
    npz *a = memory_new(npz);
    *a = (npz){.base = {.row = row, .finish = finish},
               .sim = r->sim,
               .name = joined(file, ""),
               .part = joined(file, ".part")};
    struct stat there;
    const bool taken = stat(file, &there) == 0 && !S_ISREG(there.st_mode);
    a->waiting = taken ? NULL : unnamed_file(file);
    if (a->waiting) {
        guard_file(&a->waits, a->waiting);
        a->block = memory_array(unsigned char, block_bytes(a));
        return &a->base;
    }
    text_append(why, taken ? "it is there, and no regular file" : strerror(errno));
    release(a);
    return NULL;
}

const sink_kind sink_npz = {
    .id = "npz",
    .suffix = ".npz",
    .about = "a float64 array for each column, for NumPy",
    .open = open_npz,
};
