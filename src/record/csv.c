// Rows as comma-separated values: a line of names, then numbers with as few digits as name a
// double, or with all those of a wider number.
#include "record/csv_read.h"

#include "base/decimal.h"
#include "record/csv_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1 << 16 };

void csv_put_name(text *line, const char *name) {
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

static void put_names(text *line, uint32_t count, const column *c) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_char(line, ',');
        csv_put_name(line, c[i].name);
    }
    text_char(line, '\n');
}

static void put_numbers(text *line, uint32_t count, const double *value) {
    for (uint32_t i = 0; i < count; i++) {
        if (i) text_char(line, ',');
        decimal_append(value[i], line);
    }
    text_char(line, '\n');
}

static void put_line(const sink_request *r, const double *value, text *out) {
    if (!r->put_exact) {
        put_numbers(out, r->sim->column_count, value);
        return;
    }
    for (uint32_t i = 0; i < r->sim->column_count; i++) {
        if (i) text_char(out, ',');
        r->put_exact(r->exact, i, out);
    }
    text_char(out, '\n');
}

// --- to standard output, while the run goes on ---------------------------------------------------

typedef struct {
    sink base;
    sink_request asked;
    text lines; // whole ones, not sent yet
} csv;

static bool send(csv *c) {
    const byte_writer *to = &c->asked.to;
    const bool sent = !c->lines.length || to->write(c->lines.bytes, c->lines.length, to->data);
    text_clear(&c->lines);
    return sent;
}

static bool row(sink *s, const double *value) {
    csv *c = (csv *)s;
    put_line(&c->asked, value, &c->lines);
    return c->lines.length < BLOCK || send(c);
}

static bool save(sink *s, const run_position *here) {
    (void)here;
    return send((csv *)s);
}

static bool finish(sink *s, const run_position *here, const char *outcome, text *why) {
    (void)here, (void)outcome;
    csv *c = (csv *)s;
    const bool good = send(c);
    if (!good) text_append(why, strerror(errno));
    text_free(&c->lines);
    memory_free(c);
    return good;
}

static sink *stream(const sink_request *r, text *why) {
    csv *c = memory_new(csv);
    *c = (csv){.base = {.row = row, .save = save, .finish = finish}, .asked = *r};
    put_names(&c->lines, r->sim->column_count, r->sim->column);
    if (send(c)) return &c->base;
    finish(&c->base, NULL, NULL, why);
    text_append(why, strerror(errno));
    return NULL;
}

// --- a file, from a run on record ----------------------------------------------------------------

typedef struct {
    const recording *from;
    byte_writer to;
    text lines;
} csv_file;

static bool send_to_file(csv_file *f) {
    const bool sent = f->to.write(f->lines.bytes, f->lines.length, f->to.data);
    text_clear(&f->lines);
    return sent;
}

static bool write_numbers(csv_file *f, const row_block *b, double *value) {
    const recording *r = f->from;
    const uint64_t at_once = recording_rows_at_once(r->column_count);
    for (uint64_t done = 0; done < b->rows;) {
        const uint64_t count = b->rows - done < at_once ? b->rows - done : at_once;
        if (!recording_rows(r, b->first_row + done, count, value)) return false;
        for (uint64_t i = 0; i < count; i++)
            put_numbers(&f->lines, r->column_count, value + i * r->column_count);
        if (!send_to_file(f)) return false;
        done += count;
    }
    return true;
}

static bool write_lines(csv_file *f, const row_block *b) {
    if (!recording_lines(f->from, b, &f->lines)) return false;
    return send_to_file(f);
}

static bool write_file(const recording *r, const char *file, text *why) {
    csv_file f = {.from = r};
    if (!byte_writer_open(file, &f.to)) {
        text_append(why, strerror(errno));
        return false;
    }
    const uint64_t at_once = recording_rows_at_once(r->column_count);
    double *value = memory_array(double, at_once * r->column_count);
    put_names(&f.lines, r->column_count, r->column);
    bool good = send_to_file(&f);
    for (uint32_t i = 0; i < r->blocks_count && good; i++)
        good = r->blocks[i].lines_size ? write_lines(&f, &r->blocks[i])
                                       : write_numbers(&f, &r->blocks[i], value);
    if (!good) text_append(why, strerror(errno));
    if (!f.to.close(f.to.data) && good) {
        text_append(why, strerror(errno));
        good = false;
    }
    text_free(&f.lines);
    memory_free(value);
    return good;
}

const sink_kind sink_csv = {
    .id = "csv",
    .suffix = ".csv",
    .about = "a line of names, then numbers with all their digits; for everybody",
    .write = write_file,
    .stream = stream,
    .put_line = put_line,
    .read = csv_read,
};
