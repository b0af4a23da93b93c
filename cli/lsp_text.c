// Positions in texts, and the names of files.
#include "lsp_text.h"

#include "hamel.h"

#include <stdlib.h>
#include <string.h>

void *lsp_memory(size_t size) {
    void *block = calloc(1, size ? size : 1);
    if (block) return block;
    fputs("hamel: error: memory exhausted\n", stderr);
    exit(HAMEL_LIMIT);
}

char *lsp_copy(const char *bytes, size_t size) {
    char *copy = lsp_memory(size + 1);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

enum { BLOCK = 256 }; // bytes

// --- lines ---------------------------------------------------------------------------------------

static size_t ending_at(const char *bytes, size_t size, size_t i) {
    if (bytes[i] == '\n') return 1;
    if (bytes[i] != '\r') return 0;
    return i + 1 < size && bytes[i + 1] == '\n' ? 2 : 1;
}

// The bytes of the character, and its units of UTF-16; a byte that is no UTF-8 is one of both
static size_t step(const char *bytes, size_t left, size_t *units) {
    const unsigned char c = (unsigned char)*bytes;
    size_t size = c < 0xC0 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF8 ? 4 : 1;
    for (size_t i = 1; i < size; i++)
        if (i >= left || ((unsigned char)bytes[i] & 0xC0) != 0x80) size = 1;
    *units = size == 4 ? 2 : 1;
    return size;
}

// The first character that begins in each block, or the end of the text
static lsp_mark *marks_of(const lsp_lines *l) {
    lsp_mark *marks = lsp_memory((l->size / BLOCK + 1) * sizeof *marks), at = {0, 0};
    size_t block = 0, line = 0;
    for (size_t units; at.offset < l->size; at.unit += units) {
        if (line + 1 < l->count && l->starts[line + 1] == at.offset) line++, at.unit = 0;
        if (at.offset / BLOCK >= block) marks[block++] = at;
        at.offset += step(l->bytes + at.offset, l->size - at.offset, &units);
    }
    while (block <= l->size / BLOCK) marks[block++] = at;
    return marks;
}

lsp_lines lsp_lines_of(const char *bytes, size_t size) {
    lsp_lines l = {.bytes = bytes, .size = size, .count = 1};
    for (size_t i = 0, n; i < size; i += n ? n : 1) l.count += (n = ending_at(bytes, size, i)) > 0;
    l.starts = lsp_memory(l.count * sizeof *l.starts);
    size_t line = 1;
    for (size_t i = 0, n; i < size; i += n ? n : 1)
        if ((n = ending_at(bytes, size, i)) > 0) l.starts[line++] = i + n;
    l.marks = marks_of(&l);
    return l;
}

void lsp_lines_release(lsp_lines *l) {
    free(l->starts), free(l->marks);
    *l = (lsp_lines){0};
}

lsp_position lsp_position_of(const lsp_lines *l, size_t offset) {
    if (offset > l->size) offset = l->size;
    size_t low = 0, high = l->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (l->starts[middle] <= offset) low = middle;
        else high = middle;
    }
    lsp_position p = {.line = low};
    const lsp_mark near = l->marks[offset / BLOCK];
    size_t i = l->starts[low];
    if (near.offset > i && near.offset <= offset) i = near.offset, p.unit = near.unit;
    for (size_t units; i < offset; p.unit += units) i += step(l->bytes + i, l->size - i, &units);
    return p;
}

bool lsp_offset_of(const lsp_lines *l, const sent_value *position, size_t *offset) {
    static const size_t MOST = 0x7FFFFFFF;
    size_t line, unit;
    if (!sent_whole(sent_member(position, "line"), MOST, &line) ||
        !sent_whole(sent_member(position, "character"), MOST, &unit))
        return false;
    *offset = l->size;
    if (line >= l->count) return true;
    size_t i = l->starts[line];
    for (size_t units; i < l->size && unit && !ending_at(l->bytes, l->size, i); unit -= units) {
        const size_t size = step(l->bytes + i, l->size - i, &units);
        if (units > unit) break; // in the middle of a character
        i += size;
    }
    *offset = i;
    return true;
}

void lsp_write_range(const lsp_lines *l, size_t offset, size_t length, FILE *out) {
    const lsp_position from = lsp_position_of(l, offset), to = lsp_position_of(l, offset + length);
    fprintf(out,
            "{\"start\":{\"line\":%zu,\"character\":%zu},\"end\":{\"line\":%zu,\"character\":%zu}}",
            from.line, from.unit, to.line, to.unit);
}

// --- names of files ------------------------------------------------------------------------------

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

char *lsp_path_of(const char *uri) {
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0) return lsp_copy(uri, strlen(uri));
    const char *from = uri + sizeof scheme - 1;
    if (*from != '/') from += strcspn(from, "/"); // file://host/path
    char *path = lsp_memory(strlen(from) + 1), *out = path;
    for (; *from; from++) {
        const bool coded = *from == '%' && hex(from[1]) >= 0 && hex(from[2]) >= 0;
        const int byte = coded ? hex(from[1]) << 4 | hex(from[2]) : (unsigned char)*from;
        if (coded) from += 2;
        if (byte) *out++ = (char)byte;
    }
    return path;
}

char *lsp_uri_of(const char *path) {
    static const char plain[] = "/-._~!$&'()*+,;=@";
    char *uri = lsp_memory(3 * strlen(path) + sizeof "file://"), *out = uri;
    out += sprintf(out, "file://");
    for (const char *c = path; *c; c++) {
        const bool kept = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                          (*c >= '0' && *c <= '9') || strchr(plain, *c);
        if (kept) *out++ = *c;
        else out += sprintf(out, "%%%02X", (unsigned)(unsigned char)*c);
    }
    return uri;
}
