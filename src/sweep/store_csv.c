// Runs of a sweep as comma-separated values: what is varied, what is collected, how each ended.
#include "sweep/store_internal.h"

#include "base/decimal.h"
#include "record/csv_write.h"

#include <errno.h>
#include <string.h>

static void put_names(const sweep_store_request *r, text *line) {
    for (uint32_t i = 0; i < sweep_plan_values(r->plan); i++) {
        csv_put_name(line, sweep_plan_name(r->plan, i));
        text_char(line, ',');
    }
    for (uint32_t i = 0; i < r->collected_count; i++) {
        csv_put_name(line, r->collected_name[i]);
        text_char(line, ',');
    }
    text_append(line, "ended\n");
}

static void put_numbers(uint32_t count, const double *value, text *line) {
    for (uint32_t i = 0; i < count; i++) {
        decimal_append(value[i], line);
        text_char(line, ',');
    }
}

static void put_run(const store_rows *r, uint64_t i, text *line) {
    const sweep_store_request *asked = &r->s->asked;
    const uint32_t varied = sweep_plan_values(asked->plan), collected = asked->collected_count;
    put_numbers(varied, r->varied + i * varied, line);
    put_numbers(collected, r->collected + i * collected, line);
    csv_put_name(line, sweep_end_words(&r->end[i], asked->event_name));
    text_char(line, '\n');
}

static bool send(const byte_writer *to, text *lines) {
    const bool sent = !lines->length || to->write(lines->bytes, lines->length, to->data);
    text_clear(lines);
    return sent;
}

bool sweep_store_write_csv(const sweep_store *s, const byte_writer *to) {
    enum { BLOCK = 1 << 16 };
    text lines = {0};
    store_rows r = {.s = s};
    bool good = true;
    put_names(&s->asked, &lines);
    while (good && store_rows_next(&r))
        for (uint64_t i = 0; i < r.count && good; i++) {
            put_run(&r, i, &lines);
            if (lines.length >= BLOCK) good = send(to, &lines);
        }
    good = good && !r.failure && send(to, &lines);
    if (r.failure) errno = r.failure;
    const int why = errno;
    text_free(&lines);
    store_rows_free(&r);
    errno = why;
    return good;
}

static bool write_file(const void *store, const char *file, text *why) {
    byte_writer to;
    if (!byte_writer_open(file, &to)) {
        text_append(why, strerror(errno));
        return false;
    }
    bool good = sweep_store_write_csv(store, &to);
    if (!good) text_append(why, strerror(errno));
    if (!to.close(to.data) && good) {
        text_append(why, strerror(errno));
        good = false;
    }
    return good;
}

const store_format store_csv = {".csv", write_file};
