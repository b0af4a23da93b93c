// Rows as comma-separated values: a line of names, then numbers with all the digits a double has.
#include "simulate/sinks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    sink base;
    const simulation *s;
    byte_writer to;
    text line;
} csv;

static bool send(csv *c) {
    text_char(&c->line, '\n');
    const bool sent = c->to.write(c->line.bytes, c->line.length, c->to.data);
    text_clear(&c->line);
    return sent;
}

// A name with a comma or a quote in it is quoted: "q[1,2]".
static void add_name(text *line, const char *name) {
    if (!strpbrk(name, ",\"\n")) {
        text_append(line, name);
        return;
    }
    text_char(line, '"');
    for (; *name; name++) {
        if (*name == '"') text_char(line, '"');
        text_char(line, *name);
    }
    text_char(line, '"');
}

static bool row(sink *s, const double *value) {
    csv *c = (csv *)s;
    for (uint32_t i = 0; i < c->s->column_count; i++) text_format(&c->line, "%s%.17g", i ? "," : "", value[i]);
    return send(c);
}

static bool finish(sink *s) {
    csv *c = (csv *)s;
    const bool good = !c->to.close || c->to.close(c->to.data);
    text_free(&c->line);
    free(c);
    return good;
}

sink *sink_csv(const simulation *s, byte_writer to) {
    csv *c = memory_resize(NULL, sizeof *c);
    *c = (csv){.base = {.row = row, .finish = finish}, .s = s, .to = to};
    for (uint32_t i = 0; i < s->column_count; i++) {
        if (i) text_char(&c->line, ',');
        add_name(&c->line, s->column[i].name);
    }
    if (send(c)) return &c->base;
    finish(&c->base);
    return NULL;
}

// --- files -----------------------------------------------------------------------------------------------------------------------

static int write_file(const void *bytes, size_t size, void *data) { return fwrite(bytes, 1, size, data) == size; }
static bool close_file(void *data) { return fclose(data) == 0; }

bool open_file_writer(const char *name, byte_writer *out) {
    FILE *f = fopen(name, "wb");
    *out = (byte_writer){write_file, close_file, f};
    return f != NULL;
}
