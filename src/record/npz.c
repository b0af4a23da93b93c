// Rows as NumPy's .npz: a zip archive, not compressed, with one array in .npy format 1.0 for each
// column.
//
// How many rows there are is known, so the place of every array is known too: rows are read once,
// block by block, and each block's numbers go to the places of their columns. What stands before an
// array holds its checksum and is written last.
#include "record/sinks.h"

#include "base/bytes.h"
#include "base/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

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
    bytes_put(out, literal.length, 2);
    text_append_n(out, literal.bytes, literal.length);
    text_free(&literal);
}

// What a local header and an entry of the directory have in common. Sizes are in the 64-bit field
// behind the name; the time is that of 1980, which no run changes.
static void entry(text *out, const char *name, uint32_t crc, const uint64_t *wide, int wide_count,
                  bool directory) {
    enum { VERSION = 45, STORED = 0, UTF8 = 1 << 11, DATE = 1 << 5 | 1, IN_WIDE = 0xffff };
    text_append(out, directory ? "PK\1\2" : "PK\3\4");
    if (directory) bytes_put(out, 3 << 8 | VERSION, 2); // made on Unix
    bytes_put(out, VERSION, 2), bytes_put(out, UTF8, 2), bytes_put(out, STORED, 2);
    bytes_put(out, 0, 2), bytes_put(out, DATE, 2); // 00:00 of 1 January 1980
    bytes_put(out, crc, 4), bytes_put(out, UINT32_MAX, 4), bytes_put(out, UINT32_MAX, 4);
    bytes_put(out, strlen(name) + 4, 2), bytes_put(out, 4 + 8 * (uint64_t)wide_count, 2);
    if (directory) {
        // no comment, disk 0, binary
        bytes_put(out, 0, 2), bytes_put(out, 0, 2), bytes_put(out, 0, 2);
        bytes_put(out, (uint64_t)0100644 << 16, 4), bytes_put(out, UINT32_MAX, 4);
    }
    text_format(out, "%s.npy", name);
    bytes_put(out, 1, 2), bytes_put(out, 8 * (uint64_t)wide_count, 2);
    for (int i = 0; i < wide_count; i++) bytes_put(out, wide[i], 8);
}

static void end_of_directory(text *out, uint64_t count, uint64_t start, uint64_t size) {
    text_append(out, "PK\6\6");
    bytes_put(out, 44, 8), bytes_put(out, 3 << 8 | 45, 2), bytes_put(out, 45, 2),
        bytes_put(out, 0, 4), bytes_put(out, 0, 4);
    bytes_put(out, count, 8), bytes_put(out, count, 8), bytes_put(out, size, 8),
        bytes_put(out, start, 8);
    text_append(out, "PK\6\7");
    bytes_put(out, 0, 4), bytes_put(out, start + size, 8), bytes_put(out, 1, 4);
    text_append(out, "PK\5\6");
    bytes_put(out, 0, 4), bytes_put(out, UINT16_MAX, 2), bytes_put(out, UINT16_MAX, 2),
        bytes_put(out, UINT32_MAX, 4), bytes_put(out, UINT32_MAX, 4);
    bytes_put(out, 0, 2);
}

// --- writing -------------------------------------------------------------------------------------

typedef struct {
    const recording *from;
    int file;
    guard open;
    uint64_t *place; // of each array: of the header of its entry
    uint32_t *crc;   // of each array as far as it is written
    text array;      // what every array begins with
} npz;

// The header of a column's entry, with sizes and the sum
static void put_entry(const npz *a, uint32_t i, bool directory, text *out) {
    const uint64_t size = a->array.length + 8 * a->from->rows, wide[] = {size, size, a->place[i]};
    entry(out, a->from->column[i].name, a->crc[i], wide, directory ? 3 : 2, directory);
}

// Where the numbers of each column begin; behind the last one, where the directory does
static uint64_t place_of_numbers(const npz *a, uint32_t i) {
    text head = {0};
    put_entry(a, i, false, &head);
    const uint64_t at = a->place[i] + head.length + a->array.length;
    text_free(&head);
    return at;
}

static uint64_t *find_places(npz *a) {
    const uint32_t count = a->from->column_count;
    uint64_t *numbers = memory_array(uint64_t, count + 1);
    a->place[0] = 0;
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = place_of_numbers(a, i);
        a->place[i + 1] = numbers[i] + 8 * a->from->rows;
        a->crc[i] = (uint32_t)crc32_z(0, (const unsigned char *)a->array.bytes, a->array.length);
    }
    return numbers;
}

// Rows from..from + count - 1 to the places of their columns
static bool write_block(npz *a, uint64_t from, uint64_t count, const uint64_t *numbers,
                        double *value, unsigned char *column) {
    const uint32_t columns = a->from->column_count;
    if (!recording_rows(a->from, from, count, value)) return false;
    for (uint32_t i = 0; i < columns; i++) {
        for (uint64_t k = 0; k < count; k++)
            bytes_store(column + 8 * k, bytes_of_double(value[k * columns + i]), 8);
        a->crc[i] = (uint32_t)crc32_z(a->crc[i], column, 8 * count);
        if (!descriptor_write_at(a->file, numbers[i] + 8 * from, column, 8 * count)) return false;
    }
    return true;
}

static bool write_numbers(npz *a) {
    const uint64_t rows = a->from->rows;
    uint64_t *numbers = find_places(a);
    const uint64_t at_once = recording_rows_at_once(a->from->column_count);
    double *value = memory_array(double, at_once * a->from->column_count);
    unsigned char *column = memory_array(unsigned char, 8 * at_once);
    bool good = true;
    for (uint64_t from = 0; from < rows && good; from += at_once)
        good = write_block(a, from, rows - from < at_once ? rows - from : at_once, numbers, value,
                           column);
    memory_free(numbers), memory_free(value), memory_free(column);
    return good;
}

static bool write_headers(const npz *a) {
    const uint32_t count = a->from->column_count;
    text head = {0}, directory = {0};
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        text_clear(&head);
        put_entry(a, i, false, &head);
        text_append_n(&head, a->array.bytes, a->array.length);
        put_entry(a, i, true, &directory);
        good = descriptor_write_at(a->file, a->place[i], head.bytes, head.length);
    }
    const uint64_t length = directory.length;
    end_of_directory(&directory, count, a->place[count], length);
    good = good && descriptor_write_at(a->file, a->place[count], directory.bytes, directory.length);
    text_free(&head), text_free(&directory);
    return good;
}

static bool write_file(const recording *r, const char *file, text *why) {
    npz a = {.from = r, .file = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    bool good = a.file >= 0;
    if (good) {
        descriptor_guard(&a.open, a.file);
        a.place = memory_zeros(uint64_t, r->column_count + 1);
        a.crc = memory_zeros(uint32_t, r->column_count + 1);
        array_header(r->rows, &a.array);
        good = write_numbers(&a) && write_headers(&a);
        guard_lift(&a.open);
    }
    if (!good) text_append(why, strerror(errno));
    if (a.file >= 0 && close(a.file) != 0 && good) {
        text_append(why, strerror(errno));
        good = false;
    }
    memory_free(a.place), memory_free(a.crc);
    text_free(&a.array);
    return good;
}

const sink_kind sink_npz = {
    .id = "npz",
    .suffix = ".npz",
    .about = "a float64 array for each column, for NumPy",
    .write = write_file,
};
