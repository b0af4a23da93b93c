// Rows as comma-separated values: a line of names, then numbers with all the digits that a
// double, or a wider number, has.
#include "record/sinks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

typedef struct {
    sink base;
    const simulation *s;
    const extended *exact; // NULL: the values are doubles
    byte_writer to;
    text lines; // whole ones, not sent yet
} csv;

static bool send(csv *c) {
    const bool sent = !c->lines.length || c->to.write(c->lines.bytes, c->lines.length, c->to.data);
    text_clear(&c->lines);
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

// 15 digits where they name the number, as in 0.05, else the 17 that always do.
static void add_number(text *line, double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.15g", value);
    if (strtod(digits, NULL) != value) snprintf(digits, sizeof digits, "%.17g", value);
    text_append(line, digits);
}

static bool row(sink *s, const double *value) {
    csv *c = (csv *)s;
    for (uint32_t i = 0; i < c->s->column_count; i++) {
        if (i) text_char(&c->lines, ',');
        if (c->exact) c->exact->put(c->exact, i, &c->lines);
        else add_number(&c->lines, value[i]);
    }
    text_char(&c->lines, '\n');
    return c->lines.length < BLOCK || send(c);
}

static bool pulse(sink *s) { return send((csv *)s); }

static bool finish(sink *s, const char *outcome) {
    (void)outcome;
    csv *c = (csv *)s;
    bool good = send(c);
    if (c->to.close && !c->to.close(c->to.data)) good = false;
    text_free(&c->lines);
    memory_free(c);
    return good;
}

sink *sink_csv(const simulation *s, const extended *exact, byte_writer to) {
    csv *c = memory_new(csv);
    *c = (csv){
        .base = {.row = row, .pulse = pulse, .finish = finish}, .s = s, .exact = exact, .to = to};
    for (uint32_t i = 0; i < s->column_count; i++) {
        if (i) text_char(&c->lines, ',');
        add_name(&c->lines, s->column[i].name);
    }
    text_char(&c->lines, '\n');
    if (send(c)) return &c->base;
    finish(&c->base, NULL);
    return NULL;
}

// --- files ---------------------------------------------------------------------------------------

static int write_file(const void *bytes, size_t size, void *data) {
    return fwrite(bytes, 1, size, data) == size && fflush(data) == 0;
}
static bool close_file(void *data) { return fclose(data) == 0; }

bool open_file_writer(const char *name, byte_writer *out) {
    FILE *f = fopen(name, "wb");
    *out = (byte_writer){write_file, close_file, f};
    return f != NULL;
}
