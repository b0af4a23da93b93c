// Rows of CSV files: what is read, what is refused and where, and that no bytes
// at all can break the reader.
#include "support/support.h"

#include "record/stored.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- a file for each test ------------------------------------------------------------------------

static char folder[40], file[60];

static int begin(void **s) {
    (void)s;
    strcpy(folder, "/tmp/hamel-stored-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    snprintf(file, sizeof file, "%s/rows.csv", folder);
    return 0;
}

static int end(void **s) {
    (void)s;
    return remove(file) || rmdir(folder);
}

static void write_bytes(const char *bytes, size_t length) {
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    fclose(f);
}

typedef struct {
    hamel_context *ctx;
    hamel_status status;
    stored_rows kept;
} reading;

static reading read_text(const char *words) {
    write_bytes(words, strlen(words));
    reading r = {.ctx = hamel_context_create()};
    r.status = stored_read(r.ctx, file, &r.kept);
    return r;
}

static void close_reading(reading *r) {
    table_free(&r->kept.rows);
    hamel_context_destroy(r->ctx);
}

// --- what is read --------------------------------------------------------------------------------

static void cells_are_numbers_and_empty_ones_gaps(void **s) {
    (void)s;
    reading r = read_text("a,b,c\n1,-2.5e3,\n,nan,0x10\n");
    assert_int_equal(r.status, HAMEL_OK);
    const table *t = &r.kept.rows;
    assert_int_equal(t->row_count, 2);
    assert_int_equal(t->column_count, 3);
    assert_true(table_at(t, 0, 0) == 1 && table_at(t, 0, 1) == -2500 && isnan(table_at(t, 0, 2)));
    assert_true(isnan(table_at(t, 1, 0)) && isnan(table_at(t, 1, 1)) && table_at(t, 1, 2) == 16);
    close_reading(&r);
}

static void names_may_be_quoted(void **s) {
    (void)s;
    reading r = read_text("\"q[1,2]\",\"say \"\"x\"\"\", c \n\"1\",2, 3 \n");
    assert_int_equal(r.status, HAMEL_OK);
    assert_string_equal(r.kept.column[0].name, "q[1,2]");
    assert_string_equal(r.kept.column[1].name, "say \"x\"");
    assert_string_equal(r.kept.column[2].name, "c");
    assert_true(table_at(&r.kept.rows, 0, 0) == 1 && table_at(&r.kept.rows, 0, 2) == 3);
    close_reading(&r);
}

static void a_mark_carriage_returns_and_empty_lines_are_left_out(void **s) {
    (void)s;
    reading r = read_text("\xEF\xBB\xBF"
                          "a,b\r\n\r\n1,2\r\n  \n3,4");
    assert_int_equal(r.status, HAMEL_OK);
    assert_string_equal(r.kept.column[0].name, "a");
    assert_string_equal(r.kept.column[1].name, "b");
    assert_int_equal(r.kept.rows.row_count, 2);
    assert_true(table_at(&r.kept.rows, 1, 1) == 4);
    close_reading(&r);
}

static void columns_of_a_run_are_known_by_their_names(void **s) {
    (void)s;
    reading r = read_text("t,x,x',speed\n0,1,2,3\n");
    assert_int_equal(r.kept.column[0].kind, COLUMN_TIME);
    assert_int_equal(r.kept.column[1].kind, COLUMN_COORDINATE);
    assert_int_equal(r.kept.column[2].kind, COLUMN_VELOCITY);
    assert_int_equal(r.kept.column[3].kind, COLUMN_OBSERVABLE);
    close_reading(&r);
}

// --- what is refused -----------------------------------------------------------------------------

static void check_refused(const char *words, uint32_t line, uint32_t column, const char *why) {
    reading r = read_text(words);
    assert_int_equal(r.status, HAMEL_USAGE);
    assert_int_equal(r.ctx->diagnostic_count, 1);
    const diagnostic *d = &r.ctx->diagnostics[0];
    uint32_t found_line, found_column;
    source_position(d->at.source, d->at.offset, &found_line, &found_column);
    assert_int_equal(found_line, line);
    assert_int_equal(found_column, column);
    assert_non_null(strstr(d->message, why));
    close_reading(&r);
}

static void what_is_wrong_is_said_with_its_place(void **s) {
    (void)s;
    check_refused("a,b\n1,2\n3,four\n", 3, 3, "expected a number in the column `b`");
    check_refused("a,b\n1,2 3\n", 2, 3, "expected a number");
    check_refused("a,b\n1,2\n3\n", 3, 1,
                  "expected 2 cells in this line, as many as there are names, and found 1");
    check_refused("a,b\n1,2,3,4\n", 2, 1, "and found 4");
    check_refused("", 1, 1, "found nothing");
    check_refused("1,2\n3,4\n", 1, 1, "found numbers");
    check_refused("a,b,a\n", 1, 5, "already");
    check_refused("a,\"b\n1,2\n", 1, 3, "never closed");
    check_refused("a,\"b\"c\n", 1, 6, "expected a comma");
    check_refused("a,\xFF\n", 1, 3, "UTF-8");
    check_refused("a,\x1B[31m\n", 1, 3, "control");
}

static void long_names_are_refused(void **s) {
    (void)s;
    char words[STORED_LONGEST_NAME + 8];
    memset(words, 'a', sizeof words);
    strcpy(words + STORED_LONGEST_NAME, ",b\n");
    reading r = read_text(words);
    assert_int_equal(r.status, HAMEL_OK);
    close_reading(&r);
    memset(words, 'a', sizeof words);
    strcpy(words + STORED_LONGEST_NAME + 1, ",b\n");
    check_refused(words, 1, 1, "at most");
}

static void more_rows_than_the_limit_are_refused(void **s) {
    (void)s;
    write_bytes("a\n1\n2\n3\n4\n5\n", 12);
    reading r = {.ctx = hamel_context_create()};
    r.ctx->limits.table_bytes = 4 * sizeof(double);
    r.status = stored_read(r.ctx, file, &r.kept);
    assert_int_equal(r.status, HAMEL_LIMIT);
    close_reading(&r);
    r = (reading){.ctx = hamel_context_create()};
    r.ctx->limits.table_bytes = 11;
    r.status = stored_read(r.ctx, file, &r.kept);
    assert_int_equal(r.status, HAMEL_LIMIT);
    close_reading(&r);
}

// --- anything at all -----------------------------------------------------------------------------

enum { TRIALS = 600, LONGEST = 400 };

// Bytes that mean something to the reader more often than others.
static size_t random_bytes(uint64_t *state, char *out) {
    static const char likely[] = ",,,,\n\n\n\"\"\r 0123456789.-+eE'[]()tnaif:=\xEF\xBB\xBF\xC3";
    const size_t length = (size_t)random_between(state, 0, LONGEST);
    const double noise = random_between(state, 0, 0.3);
    for (size_t i = 0; i < length; i++)
        out[i] = random_between(state, 0, 1) < noise
                     ? (char)random_between(state, 0, 256)
                     : likely[(size_t)random_between(state, 0, sizeof likely - 1)];
    return length;
}

// A good file with a few bytes changed: names and numbers that are not what they seem.
static size_t damaged_file(uint64_t *state, char *out) {
    static const char good[] =
        "t,x,y,x',y',\"q[1,2]\",error(x)\n0,1,2,3,4,5,6\n1,2,,4,5,6,7\n2,1e300,-1e-300,1,1,1,1\n";
    memcpy(out, good, sizeof good);
    for (int changes = (int)random_between(state, 1, 6); changes; changes--) {
        char noise[LONGEST];
        random_bytes(state, noise);
        out[(size_t)random_between(state, 0, sizeof good - 1)] = noise[0];
    }
    return sizeof good - 1;
}

static int keep_nothing(const void *bytes, size_t size, void *data) {
    *(size_t *)data += bytes ? size : 0;
    return 1;
}

static void no_bytes_break_a_figure(void **s) {
    (void)s;
    uint64_t state = 2026;
    uint32_t drawn = 0, refused = 0;
    for (uint32_t i = 0; i < TRIALS; i++) {
        char bytes[LONGEST] = "";
        const size_t length = i % 2 ? random_bytes(&state, bytes) : damaged_file(&state, bytes);
        write_bytes(bytes, length);
        hamel_context *ctx = hamel_context_create();
        size_t written = 0;
        char *result = NULL;
        const hamel_plot plot = {.output = i % 3 ? "-" : NULL,
                                 .marks = i % 5 == 0,
                                 .columns = 40,
                                 .lines = 8,
                                 .unicode = i % 2};
        const hamel_status status =
            hamel_file_plot(ctx, file, &plot, keep_nothing, &written, &result);
        if (status == HAMEL_OK) assert_true(written > 0 || (result && *result)), drawn++;
        else assert_true(hamel_diagnostic_count(ctx) > 0), refused++;
        char *said = hamel_diagnostics(ctx);
        hamel_free(said), hamel_free(result);
        hamel_context_destroy(ctx);
    }
    assert_true(drawn > TRIALS / 20); // else the damage was too great to see anything but refusals
    assert_true(refused > TRIALS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cells_are_numbers_and_empty_ones_gaps, begin, end),
        cmocka_unit_test_setup_teardown(names_may_be_quoted, begin, end),
        cmocka_unit_test_setup_teardown(a_mark_carriage_returns_and_empty_lines_are_left_out, begin,
                                        end),
        cmocka_unit_test_setup_teardown(columns_of_a_run_are_known_by_their_names, begin, end),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_said_with_its_place, begin, end),
        cmocka_unit_test_setup_teardown(long_names_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(more_rows_than_the_limit_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(no_bytes_break_a_figure, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
