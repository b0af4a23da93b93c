// Messages: "Content-Length: N", an empty line, N bytes of JSON.
#include "lsp.h"

#include "writing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_HEADER = 4096, MOST_MESSAGE = 64 << 20 };

void lsp_message_free(lsp_message *m) {
    if (!m) return;
    sent_release(&m->tree);
    free(m->bytes);
    free(m);
}

// --- in ------------------------------------------------------------------------------------------

static void drop(lsp_server *s, size_t count) {
    s->input_size -= count;
    memmove(s->input, s->input + count, s->input_size);
}

void lsp_wire_take(lsp_server *s, const char *bytes, size_t size) {
    const size_t skipped = size < s->skip ? size : s->skip;
    s->skip -= skipped, bytes += skipped, size -= skipped;
    if (s->input_size + size > s->input_room) {
        s->input_room = 2 * (s->input_size + size) + 4096;
        char *more = realloc(s->input, s->input_room);
        if (!more) exit(HAMEL_LIMIT);
        s->input = more;
    }
    if (size) memcpy(s->input + s->input_size, bytes, size);
    s->input_size += size;
}

// The end of the header, behind its empty line; 0: it is not there yet. Lines may end in \n alone.
static size_t header_end(const char *bytes, size_t size) {
    for (size_t i = 0; i + 1 < size && i < MOST_HEADER; i++) {
        if (bytes[i] != '\n') continue;
        if (bytes[i + 1] == '\n') return i + 2;
        if (bytes[i + 1] == '\r' && i + 2 < size && bytes[i + 2] == '\n') return i + 3;
    }
    return 0;
}

// False where the header does not say a length
static bool content_length(const char *bytes, size_t size, size_t *length) {
    static const char name[] = "Content-Length:";
    const size_t named = sizeof name - 1;
    for (size_t i = 0; i < size; i++) {
        if ((i && bytes[i - 1] != '\n') || size - i < named ||
            strncasecmp(bytes + i, name, named) != 0)
            continue;
        i += named;
        while (i < size && (bytes[i] == ' ' || bytes[i] == '\t')) i++;
        const size_t first = i;
        *length = 0;
        for (; i < size && bytes[i] >= '0' && bytes[i] <= '9' && i - first < 15; i++)
            *length = 10 * *length + (size_t)(bytes[i] - '0');
        return i > first && i < size && (bytes[i] == '\r' || bytes[i] == '\n' || bytes[i] == ' ');
    }
    return false;
}

static lsp_message *message_of(const char *bytes, size_t size) {
    lsp_message *m = lsp_memory(sizeof *m);
    m->bytes = lsp_copy(bytes, size);
    m->root = sent_read(m->bytes, size, &m->tree);
    return m;
}

// What is no header is thrown away up to the next one.
static void find_header(lsp_server *s) {
    size_t i = 1;
    while (i < s->input_size && strncasecmp(s->input + i, "Content-",
                                            s->input_size - i < 8 ? s->input_size - i : 8) != 0)
        i++;
    drop(s, i < s->input_size ? i : s->input_size);
}

lsp_message *lsp_wire_next(lsp_server *s) {
    while (s->input_size) {
        size_t length = 0;
        const size_t header = header_end(s->input, s->input_size);
        if (!header && s->input_size < MOST_HEADER) return NULL;
        if (!header || !content_length(s->input, header, &length)) {
            find_header(s);
            lsp_refuse(s, NULL, LSP_PARSE_ERROR, "expected a header with Content-Length");
            continue;
        }
        if (length > MOST_MESSAGE) {
            const size_t here = s->input_size - header < length ? s->input_size - header : length;
            drop(s, header + here);
            s->skip = length - here;
            lsp_refuse(s, NULL, LSP_INVALID_REQUEST, "a message has 64 MB at most");
            continue;
        }
        if (s->input_size - header < length) return NULL;
        lsp_message *m = message_of(s->input + header, length);
        drop(s, header + length);
        return m;
    }
    return NULL;
}

// --- out -----------------------------------------------------------------------------------------

FILE *lsp_open(lsp_out *o) {
    *o = (lsp_out){0};
    o->out = open_memstream(&o->bytes, &o->size);
    if (!o->out) exit(HAMEL_LIMIT);
    fputs("{\"jsonrpc\":\"2.0\",", o->out);
    return o->out;
}

void lsp_close(lsp_server *s, lsp_out *o) {
    putc('}', o->out);
    if (fclose(o->out) != 0) exit(HAMEL_LIMIT);
    char header[64];
    const int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", o->size);
    s->send(header, (size_t)length, s->data);
    s->send(o->bytes, o->size, s->data);
    free(o->bytes);
}

static void write_id(const sent_value *id, FILE *out) {
    if (id && id->kind == SENT_STRING) sent_quote(out, id->text, id->length);
    else if (id && id->kind == SENT_NUMBER) fwrite(id->raw, 1, id->raw_length, out);
    else fputs("null", out);
}

FILE *lsp_open_result(lsp_out *o, const sent_value *id) {
    FILE *out = lsp_open(o);
    fputs("\"id\":", out);
    write_id(id, out);
    fputs(",\"result\":", out);
    return out;
}

void lsp_answer_null(lsp_server *s, const sent_value *id) {
    lsp_out o;
    fputs("null", lsp_open_result(&o, id));
    lsp_close(s, &o);
}

void lsp_refuse(lsp_server *s, const sent_value *id, int code, const char *words) {
    lsp_out o;
    FILE *out = lsp_open(&o);
    fputs("\"id\":", out);
    write_id(id, out);
    fprintf(out, ",\"error\":{\"code\":%d,\"message\":", code);
    sent_quote(out, words, strlen(words));
    putc('}', out);
    lsp_close(s, &o);
}
