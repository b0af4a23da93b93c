// Trajectories in HDF5 files: read back with HDF5's own calls, cut short,
// killed, and taken up again.
#include "support/support.h"

#include <hdf5.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char PENDULA[] = "system pendula \"Two pendula and a spring\"\n"
                              "param g = 9.81\n"
                              "coord x, y\n"
                              "kinetic (x'^2 + y'^2)/2\n"
                              "potential g*(1 - cos(x)) + 2*g*(1 - cos(y)) + x*y/5\n"
                              "initial x = 1, y = 0.5, y' = 0.2\n"
                              "event turn: x'\n"
                              "observe energy = x\n"
                              "simulate t = 0 .. 20, tol = 1e-9, output = 1/100, method = tsit5\n";

// --- a folder for one test -----------------------------------------------------------------------

static char folder[] = "/tmp/hamel-hdf5-XXXXXX";

static const char *path(const char *name) {
    static char paths[256][80];
    static int next;
    char *p = paths[next++ % 256];
    snprintf(p, sizeof paths[0], "%s/%s", folder, name);
    return p;
}

static int begin(void **s) {
    (void)s;
    strcpy(folder, "/tmp/hamel-hdf5-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **s) {
    (void)s;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void write_file(const char *file, const char *text) {
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

// --- running -------------------------------------------------------------------------------------

static hamel_status simulate_with(const char *text, const char *set, const hamel_run *asked,
                                  char **said) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    if (set) assert_int_equal(hamel_context_set(ctx, set), HAMEL_OK);
    assert_int_equal(hamel_model_parse(ctx, path("pendula.ham"), text, strlen(text), &m), HAMEL_OK);
    char *summary = NULL;
    const hamel_status status = hamel_model_simulate(m, asked, HAMEL_JSON, &summary);
    char *diagnostics = hamel_diagnostics(ctx);
    if (said) *said = diagnostics;
    else hamel_free(diagnostics);
    hamel_free(summary);
    hamel_context_destroy(ctx);
    return status;
}

static hamel_status simulate(const hamel_run *asked) {
    return simulate_with(PENDULA, NULL, asked, NULL);
}

static void assert_refused(const char *text, const char *set, const hamel_run *asked,
                           hamel_status expected, const char *words) {
    char *said;
    assert_int_equal(simulate_with(text, set, asked, &said), expected);
    if (!strstr(said, words)) print_error("`%s` is not in: %s", words, said);
    assert_non_null(strstr(said, words));
    hamel_free(said);
}

// --- reading -------------------------------------------------------------------------------------

typedef struct {
    size_t length;
    double *value;
} numbers;

static hid_t open_file(const char *file) {
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(f >= 0);
    return f;
}

static numbers read_column(hid_t file, const char *name) {
    char where[100];
    snprintf(where, sizeof where, "/trajectory/%s", name);
    const hid_t data = H5Dopen2(file, where, H5P_DEFAULT), space = H5Dget_space(data);
    assert_true(data >= 0);
    numbers n = {(size_t)H5Sget_simple_extent_npoints(space), NULL};
    n.value = calloc(n.length + 1, sizeof(double));
    assert_true(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, n.value) >= 0);
    H5Sclose(space), H5Dclose(data);
    return n;
}

static void assert_text(hid_t file, const char *object, const char *name, const char *expected) {
    const hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT),
                type = H5Aget_type(a);
    char *value = NULL;
    assert_true(a >= 0 && H5Aread(a, type, &value) >= 0);
    assert_string_equal(value, expected);
    H5free_memory(value);
    H5Tclose(type), H5Aclose(a);
}

static double number_of(hid_t file, const char *object, const char *name) {
    const hid_t a = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    double value = -1;
    assert_true(a >= 0 && H5Aread(a, H5T_NATIVE_DOUBLE, &value) >= 0);
    H5Aclose(a);
    return value;
}

static size_t length_of(hid_t file, const char *name) {
    const hid_t data = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(data);
    const size_t length = (size_t)H5Sget_simple_extent_npoints(space);
    H5Sclose(space), H5Dclose(data);
    return length;
}

static const char *const COLUMNS[] = {"t", "x", "y", "x'", "y'", "energy", "observable[energy]"};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

// The rows of `a`, but for the last ones that it alone has, are the first ones of `b`, bit by bit;
// all of them if there are to be as many.
static void assert_rows_begin(const char *a, size_t own, const char *b, bool as_many) {
    const hid_t f = open_file(a), g = open_file(b);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        const numbers u = read_column(f, COLUMNS[i]), v = read_column(g, COLUMNS[i]);
        if (as_many) assert_int_equal(u.length, v.length);
        assert_true(u.length > 1 + own && u.length <= v.length);
        assert_memory_equal(u.value, v.value, sizeof(double) * (u.length - own));
        free(u.value), free(v.value);
    }
    if (as_many) assert_int_equal(length_of(f, "/events"), length_of(g, "/events"));
    H5Fclose(f), H5Fclose(g);
}

static void assert_same_rows(const char *a, const char *b, bool as_many) {
    assert_rows_begin(a, 0, b, as_many);
}

// --- what is in a file ---------------------------------------------------------------------------

static void a_trajectory_says_what_it_is_and_how_it_was_made(void **s) {
    (void)s;
    const char *file = path("a.h5");
    assert_int_equal(simulate_with(PENDULA, "g=9.8",
                                   &(hamel_run){.output = file, .at = "x = 1.1", .until = 5}, NULL),
                     HAMEL_OK);
    const hid_t f = open_file(file);
    assert_text(f, "/", "model", PENDULA);
    assert_text(f, "/", "system", "pendula");
    assert_text(f, "/", "title", "Two pendula and a spring");
    assert_text(f, "/", "version", HAMEL_VERSION);
    assert_text(f, "/", "form", "maggi");
    assert_text(f, "/", "set", "g = 9.8");
    assert_text(f, "/", "at", "x = 1.1");
    assert_text(f, "/", "outcome", "the end was reached");
    assert_true(number_of(f, "/", "tolerance") == 1e-9);
    assert_true(number_of(f, "/", "interval") == 0.01);
    assert_true(number_of(f, "/", "until") == 5 && number_of(f, "/", "t") == 5 &&
                number_of(f, "/", "rows") == 501);
    assert_true(number_of(f, "/trajectory/energy", "drift") > 0);
    assert_text(f, "/trajectory/x'", "name", "x'");
    assert_text(f, "/trajectory/x'", "kind", "velocity");
    assert_text(f, "/trajectory/x'", "unit", "");
    assert_text(f, "/trajectory/observable[energy]", "kind", "observable");
    assert_true(length_of(f, "/events") > 2);
    H5Fclose(f);
}

typedef struct {
    char *bytes;
    size_t length;
} gathered;

static int collect(const void *bytes, size_t size, void *data) {
    gathered *c = data;
    c->bytes = realloc(c->bytes, c->length + size + 1);
    memcpy(c->bytes + c->length, bytes, size);
    c->bytes[c->length += size] = 0;
    return 1;
}

static void its_columns_are_those_of_the_csv_to_the_last_bit(void **s) {
    (void)s;
    gathered csv = {0};
    assert_int_equal(simulate(&(hamel_run){.output = "-", .write = collect, .data = &csv}),
                     HAMEL_OK);
    assert_int_equal(simulate(&(hamel_run){.output = path("a.h5")}), HAMEL_OK);
    const hid_t f = open_file(path("a.h5"));
    numbers column[COLUMN_COUNT];
    for (int i = 0; i < COLUMN_COUNT; i++) column[i] = read_column(f, COLUMNS[i]);
    const char *at = strchr(csv.bytes, '\n') + 1;
    for (size_t r = 0; r < column[0].length; r++) {
        for (int i = 0; i < COLUMN_COUNT; i++) {
            char *next;
            assert_true(strtod(at, &next) == column[i].value[r]);
            at = next + 1;
        }
    }
    assert_int_equal(column[0].length, 2001);
    assert_int_equal(*at, 0);
    for (int i = 0; i < COLUMN_COUNT; i++) free(column[i].value);
    free(csv.bytes);
    H5Fclose(f);
}

static void equal_runs_make_equal_files(void **s) {
    (void)s;
    assert_int_equal(simulate(&(hamel_run){.output = path("a.h5"), .until = 3000}), HAMEL_OK);
    assert_int_equal(simulate(&(hamel_run){.output = path("b.h5"), .until = 3000}), HAMEL_OK);
    char command[250];
    snprintf(command, sizeof command, "cmp %s %s", path("a.h5"), path("b.h5"));
    assert_int_equal(system(command), 0);
}

// --- going on ------------------------------------------------------------------------------------

static void a_run_interrupted_at_every_step_gives_the_rows_of_one_that_was_not(void **s) {
    (void)s;
    const int stop = 1;
    assert_int_equal(simulate(&(hamel_run){.output = path("whole.h5")}), HAMEL_OK);
    assert_int_equal(simulate(&(hamel_run){.output = path("parts.h5"), .interrupted = &stop}),
                     HAMEL_NUMERICS);
    for (int i = 0; i < 20; i++) {
        const hid_t f = open_file(path("parts.h5"));
        assert_text(f, "/", "outcome", "interrupted");
        assert_true(number_of(f, "/", "steps") == i + 1);
        const numbers t = read_column(f, "t"); // the last row is where the run stands
        assert_true(t.value[t.length - 1] == number_of(f, "/", "t"));
        free(t.value);
        H5Fclose(f);
        assert_int_equal(simulate(&(hamel_run){.resume = path("parts.h5"), .interrupted = &stop}),
                         HAMEL_NUMERICS);
    }
    assert_rows_begin(path("parts.h5"), 1, path("whole.h5"), false);
    assert_int_equal(simulate(&(hamel_run){.resume = path("parts.h5")}), HAMEL_OK);
    assert_same_rows(path("parts.h5"), path("whole.h5"), true);
    const hid_t f = open_file(path("parts.h5")), g = open_file(path("whole.h5"));
    assert_text(f, "/", "outcome", "the end was reached");
    assert_true(number_of(f, "/", "steps") == number_of(g, "/", "steps"));
    assert_true(number_of(f, "/trajectory/energy", "drift") ==
                number_of(g, "/trajectory/energy", "drift"));
    assert_true(number_of(f, "/trajectory/energy", "drift_at") ==
                number_of(g, "/trajectory/energy", "drift_at"));
    H5Fclose(f), H5Fclose(g);
}

static void the_end_between_two_rows_has_one_that_is_dropped_where_the_run_goes_on(void **s) {
    (void)s;
    static const double ENDS[] = {2.005, 2.0071, 2.5, 3};
    const char *parts = path("parts.h5"), *whole = path("whole.h5");
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        const hamel_run first = {.output = parts, .until = ENDS[i], .interval = 0.01},
                        next = {.resume = parts, .until = ENDS[i]};
        assert_int_equal(simulate(i ? &next : &first), HAMEL_OK);
        const hid_t f = open_file(parts);
        const numbers t = read_column(f, "t");
        assert_true(t.value[t.length - 1] == ENDS[i]);
        for (size_t k = 0; k + 1 < t.length; k++) assert_true(t.value[k] == (double)k / 100);
        free(t.value);
        H5Fclose(f);
    }
    const hamel_run straight = {.output = whole, .until = 3, .interval = 0.01};
    assert_int_equal(simulate(&straight), HAMEL_OK);
    const hid_t f = open_file(parts), g = open_file(whole);
    assert_int_equal(length_of(f, "/trajectory/t"), length_of(g, "/trajectory/t"));
    H5Fclose(f), H5Fclose(g);
}

static void a_finished_run_goes_on_to_a_later_end_and_to_no_earlier_one(void **s) {
    (void)s;
    const char *file = path("a.h5");
    assert_int_equal(simulate(&(hamel_run){.output = file, .until = 2}), HAMEL_OK);
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file}, HAMEL_USAGE,
                   "the run would end at t = 2, and it stands at t = 2");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file, .until = 1}, HAMEL_USAGE,
                   "give a later end with --until");
    assert_int_equal(simulate(&(hamel_run){.resume = file, .until = 3}), HAMEL_OK);
    const hid_t f = open_file(file);
    const numbers t = read_column(f, "t");
    assert_int_equal(t.length, 301);
    for (size_t i = 0; i < t.length; i++) assert_true(t.value[i] == (double)i / 100);
    assert_true(number_of(f, "/", "until") == 3);
    free(t.value);
    H5Fclose(f);
}

static void a_run_does_not_go_on_as_another_one(void **s) {
    (void)s;
    const char *file = path("a.h5");
    const int stop = 1;
    assert_int_equal(simulate(&(hamel_run){.output = file, .interrupted = &stop}), HAMEL_NUMERICS);
    char other[sizeof PENDULA];
    strcpy(other, PENDULA);
    *strstr(other, "x*y/5\n") = 'y';
    assert_refused(other, NULL, &(hamel_run){.resume = file}, HAMEL_MODEL,
                   "is of another model: the text of the model differs");
    assert_refused(PENDULA, "g=9.8", &(hamel_run){.resume = file}, HAMEL_USAGE, "another --set");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file, .tolerance = 1e-6}, HAMEL_USAGE,
                   "made with `--tol 1e-09`");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file, .interval = 1}, HAMEL_USAGE,
                   "made with `--every 0.01`");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file, .at = "x = 2"}, HAMEL_USAGE,
                   "made without --at");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file, .form = "hamilton"}, HAMEL_USAGE,
                   "made with `--form maggi`");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = file, .output = path("b.h5")}, HAMEL_USAGE,
                   "leave out -o");
    assert_int_equal(
        simulate(&(hamel_run){.resume = file, .tolerance = 1e-9, .form = "maggi", .output = file}),
        HAMEL_OK);
}

static void a_run_that_an_event_stopped_has_ended(void **s) {
    (void)s;
    char text[sizeof PENDULA + 10];
    const char *after = strstr(PENDULA, "turn: x'") + 8;
    snprintf(text, sizeof text, "%.*s stop%s", (int)(after - PENDULA), PENDULA, after);
    assert_int_equal(simulate_with(text, NULL, &(hamel_run){.output = path("a.h5")}, NULL),
                     HAMEL_OK);
    assert_refused(text, NULL, &(hamel_run){.resume = path("a.h5")}, HAMEL_USAGE,
                   "was stopped by an event at t = ");
}

static void a_changed_include_is_another_model(void **s) {
    (void)s;
    const int stop = 1;
    char text[sizeof PENDULA + 40];
    snprintf(text, sizeof text, "include \"more.ham\"\n%s", PENDULA);
    write_file(path("more.ham"), "param k = 1\n");
    assert_int_equal(
        simulate_with(text, NULL, &(hamel_run){.output = path("a.h5"), .interrupted = &stop}, NULL),
        HAMEL_NUMERICS);
    write_file(path("more.ham"), "param k = 2\n");
    assert_refused(text, NULL, &(hamel_run){.resume = path("a.h5")}, HAMEL_MODEL,
                   "the text of an included file differs");
    write_file(path("more.ham"), "param k = 1\n");
    assert_int_equal(simulate_with(text, NULL, &(hamel_run){.resume = path("a.h5")}, NULL),
                     HAMEL_OK);
}

// --- trouble -------------------------------------------------------------------------------------

static herr_t loud(hid_t stack, void *data) {
    (void)stack;
    ++*(int *)data;
    return 0;
}

static void what_hdf5_cannot_do_is_a_diagnostic_and_nothing_else(void **s) {
    (void)s;
    int printed = 0;
    H5E_auto2_t before, after;
    void *before_data, *after_data;
    H5Eget_auto2(H5E_DEFAULT, &before, &before_data);
    H5Eset_auto2(H5E_DEFAULT, loud, &printed);
    assert_refused(PENDULA, NULL, &(hamel_run){.output = path("none/a.h5")}, HAMEL_NUMERICS,
                   "a.h5`: No such file or directory");
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = path("none.h5")}, HAMEL_USAGE,
                   "none.h5`: No such file or directory");
    write_file(path("text.h5"), PENDULA);
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = path("text.h5")}, HAMEL_USAGE,
                   "it is no trajectory of hamel");
    H5Fclose(H5Fcreate(path("empty.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_refused(PENDULA, NULL, &(hamel_run){.resume = path("empty.h5")}, HAMEL_USAGE,
                   "it is no trajectory of hamel");
    assert_int_equal(simulate(&(hamel_run){.output = path("a.h5")}), HAMEL_OK);
    assert_int_equal(printed, 0);
    H5Eget_auto2(H5E_DEFAULT, &after, &after_data);
    assert_true(after == loud && after_data == &printed);
    H5Eset_auto2(H5E_DEFAULT, before, before_data);
}

static const char *journal_of(const char *file) {
    return path(strcat(strcpy((char[80]){0}, strrchr(file, '/') + 1), ".journal"));
}

// Starts `hamel simulate` without an end in sight, and kills it when its
// journal has reached some size.
static void run_and_kill(const char *model, const char *file, off_t size) {
    const char *hamel = getenv("HAMEL"), *journal = journal_of(file);
    assert_non_null(hamel);
    remove(file), remove(journal);
    const pid_t child = fork();
    if (!child) {
        execl(hamel, hamel, "simulate", model, "-o", file, "--until", "9e5", "--every", "0.01",
              (char *)NULL);
        _exit(127);
    }
    struct stat now = {0};
    int status;
    while ((stat(journal, &now) != 0 || now.st_size < size) &&
           waitpid(child, &status, WNOHANG) == 0)
        poll(NULL, 0, 1);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static hamel_status recover(const char *file) {
    hamel_context *ctx = hamel_context_create();
    char *said = NULL;
    const hamel_status status = hamel_recover(ctx, file, HAMEL_TEXT, &said);
    hamel_free(said);
    hamel_context_destroy(ctx);
    return status;
}

static void copy_file(const char *from, const char *to) {
    char command[250];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    assert_int_equal(system(command), 0);
}

static void a_killed_run_leaves_a_journal_that_is_recovered_and_that_goes_on(void **s) {
    (void)s;
    enum { KILLS = 4 };
    const char *model = path("pendula.ham");
    write_file(model, PENDULA);
    for (int i = 0; i < KILLS; i++) {
        const char *file = path("killed.h5"), *whole = path("whole.h5"), *saved = path("saved.h5");
        run_and_kill(model, file, 1000000 * (i + 1) + 123457 * i);
        assert_int_equal(access(file, F_OK), -1); // whole, or not there
        copy_file(journal_of(file), journal_of(saved));
        assert_int_equal(recover(saved), HAMEL_OK);
        assert_int_equal(access(journal_of(saved), F_OK), -1);
        const hid_t f = open_file(saved);
        assert_text(f, "/", "outcome", "unfinished");
        assert_text(f, "/", "model", PENDULA);
        const numbers t = read_column(f, "t");
        for (size_t j = 0; j < t.length; j++) assert_true(t.value[j] == (double)j / 100);
        const double until = t.value[t.length - 1] + 10;
        free(t.value);
        H5Fclose(f);
        assert_int_equal(simulate(&(hamel_run){.output = whole, .until = until, .interval = 0.01}),
                         HAMEL_OK);
        assert_same_rows(saved, whole, false);
        assert_int_equal(simulate(&(hamel_run){.resume = file, .until = until}), HAMEL_OK);
        assert_same_rows(file, whole, true);
        assert_int_equal(simulate(&(hamel_run){.resume = saved, .until = until}), HAMEL_OK);
        assert_same_rows(saved, whole, true);
    }
}

static void rows_that_nobody_has_elsewhere_are_not_overwritten(void **s) {
    (void)s;
    const char *model = path("pendula.ham"), *file = path("a.csv");
    write_file(model, PENDULA);
    run_and_kill(model, file, 100000);
    assert_refused(PENDULA, NULL, &(hamel_run){.output = file}, HAMEL_NUMERICS,
                   "an earlier run was cut short");
    assert_int_equal(recover(file), HAMEL_OK);
    assert_int_equal(simulate(&(hamel_run){.output = file}), HAMEL_OK);
    write_file(journal_of(file), "mine\n");
    assert_refused(PENDULA, NULL, &(hamel_run){.output = file}, HAMEL_NUMERICS,
                   "is no journal of hamel");
}

typedef struct {
    const char *file;
    bool refused;
} second_run;

// In the middle of a run another one is to write the same file.
static void try_second(double done, void *data) {
    second_run *second = data;
    (void)done;
    if (!second->refused)
        assert_refused(PENDULA, NULL, &(hamel_run){.output = second->file}, HAMEL_NUMERICS,
                       "another run is writing it");
    second->refused = true;
}

static void two_runs_do_not_write_one_file(void **s) {
    (void)s;
    second_run second = {.file = path("a.h5")};
    assert_int_equal(simulate(&(hamel_run){.output = path("b.h5"), .until = 2000}), HAMEL_OK);
    assert_int_equal(
        simulate(&(hamel_run){
            .output = second.file, .until = 2000, .progress = try_second, .data = &second}),
        HAMEL_OK);
    assert_true(second.refused);
    assert_same_rows(second.file, path("b.h5"), true);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(a_trajectory_says_what_it_is_and_how_it_was_made),
        TEST(its_columns_are_those_of_the_csv_to_the_last_bit),
        TEST(equal_runs_make_equal_files),
        TEST(a_run_interrupted_at_every_step_gives_the_rows_of_one_that_was_not),
        TEST(the_end_between_two_rows_has_one_that_is_dropped_where_the_run_goes_on),
        TEST(a_finished_run_goes_on_to_a_later_end_and_to_no_earlier_one),
        TEST(a_run_does_not_go_on_as_another_one),
        TEST(a_run_that_an_event_stopped_has_ended),
        TEST(a_changed_include_is_another_model),
        TEST(what_hdf5_cannot_do_is_a_diagnostic_and_nothing_else),
        TEST(a_killed_run_leaves_a_journal_that_is_recovered_and_that_goes_on),
        TEST(rows_that_nobody_has_elsewhere_are_not_overwritten),
        TEST(two_runs_do_not_write_one_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
