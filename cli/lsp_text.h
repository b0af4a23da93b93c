// Texts as an editor counts in them: lines from 0 on, and in a line units of UTF-16, of which most
// characters take one and those beyond U+FFFF two. A line ends at \n, \r\n or \r. Everything else
// of the server counts bytes.
#ifndef HAMEL_CLI_LSP_TEXT_H
#define HAMEL_CLI_LSP_TEXT_H

#include "sent_json.h"

typedef struct { // a character, and the units before it in its line
    size_t offset, unit;
} lsp_mark;

typedef struct {
    const char *bytes;
    size_t size;
    size_t *starts, count; // of lines
    lsp_mark *marks;       // one in each block of bytes, for lines that are long
} lsp_lines;

typedef struct {
    size_t line, unit;
} lsp_position;

lsp_lines lsp_lines_of(const char *bytes, size_t size);
void lsp_lines_release(lsp_lines *l);
lsp_position lsp_position_of(const lsp_lines *l, size_t offset);
// A place beyond the end of a line is its end, one beyond the last line the end of the text; one in
// the middle of a character is its beginning. False where it is no position.
bool lsp_offset_of(const lsp_lines *l, const sent_value *position, size_t *offset);
void lsp_write_range(const lsp_lines *l, size_t offset, size_t length, FILE *out);

// A file behind "file:///a%20b.ham", decoded; other texts are called by their whole URI. The
// caller's, as is the URI of a path.
char *lsp_path_of(const char *uri);
char *lsp_uri_of(const char *path);

void *lsp_memory(size_t size); // zeroed; where there is none the program ends with status 6
char *lsp_copy(const char *bytes, size_t size); // ends in NUL

#endif
