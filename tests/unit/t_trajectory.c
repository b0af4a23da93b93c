// Trajectories as data hold what `simulate` writes: each number is compared with the CSV text of
// the same run, read by a reader of its own, and what happened with the JSON summary. They outlive
// model and context; what a run could not finish is there up to where it came.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hamel.h"
#include "support/json_reader.h"

typedef struct {
    char *text;
    size_t length;
} lines;

static int gather(const void *bytes, size_t size, void *data) {
    lines *l = data;
    l->text = realloc(l->text, l->length + size + 1);
    memcpy(l->text + l->length, bytes, size);
    l->length += size, l->text[l->length] = '\0';
    return 1;
}

static hamel_model *open_model(hamel_context *ctx, const char *name) {
    hamel_model *m = NULL;
    if (hamel_model_open(ctx, name, &m)) fail_msg("%s: %s", name, hamel_diagnostics(ctx));
    return m;
}

static hamel_model *read_model(hamel_context *ctx, const char *text) {
    hamel_model *m = NULL;
    if (hamel_model_parse(ctx, "test", text, strlen(text), &m))
        fail_msg("%s", hamel_diagnostics(ctx));
    return m;
}

// --- the numbers of the CSV file -----------------------------------------------------------------

// The first line: names between commas, a name with a comma in it in quotes
static const char *next_name(const char *at, char name[200]) {
    size_t length = 0;
    if (*at == '"') {
        for (at++; *at && !(at[0] == '"' && at[1] != '"'); at++) {
            if (*at == '"') at++;
            name[length++] = *at;
        }
        at++;
    } else {
        while (*at && *at != ',' && *at != '\n' && *at != '\r') name[length++] = *at++;
    }
    name[length] = '\0';
    return *at == ',' ? at + 1 : at;
}

static void assert_same_rows(const hamel_trajectory *w, const char *csv, const char *model) {
    const char *at = csv;
    char name[200];
    for (size_t c = 0; c < hamel_trajectory_columns(w); c++) {
        at = next_name(at, name);
        if (strcmp(name, hamel_trajectory_name(w, c)) != 0)
            fail_msg("%s: column %zu is %s, not %s", model, c, hamel_trajectory_name(w, c), name);
    }
    at += strspn(at, "\r\n");
    for (size_t r = 0; r < hamel_trajectory_rows(w); r++)
        for (size_t c = 0; c < hamel_trajectory_columns(w); c++) {
            char *end;
            const double there = strtod(at, &end), here = hamel_trajectory_column(w, c)[r];
            if (end == at || there != here)
                fail_msg("%s: row %zu of %s is %.17g, not %.17g", model, r,
                         hamel_trajectory_name(w, c), here, there);
            at = end + strspn(end, ",\r\n");
        }
    assert_string_equal(at, "");
}

static json_value *read_json(const char *document) {
    char *line = strdup(document);
    line[strcspn(line, "\n")] = '\0';
    json_value *v = json_read(line);
    free(line);
    return v;
}

// Numbers that are no integers stand there as strings.
static double number(const json_value *v) {
    assert_int_equal(v->kind, JSON_STRING);
    return strtod(v->string, NULL);
}

// Numbers of the JSON summary, and everything in it that tells what happened
static void assert_same_story(const hamel_trajectory *w, const char *summary) {
    json_value *all = read_json(summary);
    const json_value *events = json_member(all, "events"), *changes = NULL;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->keys[i], "changes") == 0) changes = &all->items[i];
    assert_int_equal((size_t)json_member(all, "rows")->number, hamel_trajectory_rows(w));
    hamel_happening h;
    size_t change = 0, event = 0;
    double before = -INFINITY;
    for (size_t i = 0; hamel_trajectory_event(w, i, &h); i++) {
        assert_true(h.t >= before);
        before = h.t;
        if (strcmp(h.kind, "event") != 0) {
            const json_value *c = json_item(changes, change++);
            assert_string_equal(h.kind, json_member(c, "kind")->string);
            assert_string_equal(h.name, json_member(c, "name")->string);
            assert_true(h.t == number(json_member(c, "t")));
            if (strcmp(h.kind, "mode") == 0) {
                assert_string_equal(h.from, json_member(c, "from")->string);
                assert_string_equal(h.to, json_member(c, "to")->string);
            }
            if (strcmp(h.kind, "impact") == 0) {
                assert_true(h.speed == number(json_member(c, "speed")));
                assert_true(h.lost == number(json_member(c, "lost")));
            }
            continue;
        }
        const json_value *e = json_item(events, event);
        while (strcmp(h.name, json_member(e, "name")->string) != 0 ||
               h.t != number(json_member(e, "t"))) // those that only tell of a change
            e = json_item(events, ++event);
        event++;
        assert_int_equal(h.direction, (int)json_member(e, "direction")->number);
        const json_value *q = json_member(e, "q"), *qd = json_member(e, "qd");
        assert_int_equal(h.state_count, q->count + qd->count);
        for (size_t k = 0; k < q->count; k++) {
            assert_true(h.state[k] == number(json_item(q, k)));
            assert_true(h.state[q->count + k] == number(json_item(qd, k)));
        }
    }
    assert_int_equal(change, changes ? changes->count : 0);
    json_value_free(all);
}

// One run into memory, one as text
static void compare(const char *model, hamel_run run) {
    hamel_context *ctx = hamel_context_create();
    lines csv = {0};
    char *summary = NULL;
    hamel_trajectory *w;
    const hamel_status status = hamel_model_trajectory(open_model(ctx, model), &run, &w);
    if (!w) fail_msg("%s: %s", model, hamel_diagnostics(ctx));
    hamel_context_destroy(ctx); // the rows stay
    ctx = hamel_context_create();
    run.output = "-", run.write = gather, run.data = &csv;
    assert_int_equal(hamel_model_simulate(open_model(ctx, model), &run, HAMEL_JSON, &summary),
                     status);
    assert_same_rows(w, csv.text, model);
    assert_same_story(w, summary);
    assert_string_equal(hamel_trajectory_summary(w, HAMEL_JSON), summary);
    hamel_free(summary);
    hamel_context_destroy(ctx);
    hamel_trajectory_free(w);
    free(csv.text);
}

static void columns_hold_what_the_csv_file_has(void **state) {
    (void)state;
    static const char *const models[] = {"sleigh", "rolling_disc", "snakeboard", "pendulum",
                                         "rattleback"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        compare(models[i], (hamel_run){.until = 1, .execute = "interpreted"});
    compare("rolling_disc", (hamel_run){.until = 2, .interval = 0.001, .method = "dop853"});
    compare("pendulum", (hamel_run){.until = 2, .precision = "quad"});
}

static void a_run_through_contacts_and_resets_tells_what_happened(void **state) {
    (void)state;
    static const char *const models[] = {"bouncing_ball", "sliding_box", "newtons_cradle",
                                         "rimless_wheel", "bang_bang",   "sampled_cart",
                                         "ball_off_table"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        compare(models[i], (hamel_run){.execute = "interpreted"});
}

static void events_come_with_the_state_there(void **state) {
    (void)state;
    compare("ladder", (hamel_run){.execute = "interpreted"});
    compare("cylinder_on_cylinder", (hamel_run){.execute = "interpreted"});
    compare("crane", (hamel_run){.execute = "interpreted"});
}

// --- what is known of a column -------------------------------------------------------------------

static const char FALLING[] =
    "coord x [m]\nparam m = 2 [kg], g = 9.81 [m/s^2]\n"
    "kinetic m*x'^2/2\npotential m*g*x\ninitial x = 100 [m], x' = 3 [m/s]\n"
    "event high: x - 50 [m]\nsimulate t = 0 .. 6 [s], output = 0.5 [s]\n";

static void columns_have_names_kinds_and_units(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_trajectory *w;
    assert_int_equal(hamel_model_trajectory(read_model(ctx, FALLING), &(hamel_run){0}, &w),
                     HAMEL_OK);
    hamel_context_destroy(ctx);
    assert_int_equal(hamel_trajectory_rows(w), 13);
    const size_t t = hamel_trajectory_find(w, "t"), x = hamel_trajectory_find(w, "x"),
                 v = hamel_trajectory_find(w, "x'"), e = hamel_trajectory_find(w, "energy");
    assert_int_equal(t, 0);
    assert_string_equal(hamel_trajectory_kind(w, t), "time");
    assert_string_equal(hamel_trajectory_kind(w, x), "coordinate");
    assert_string_equal(hamel_trajectory_kind(w, v), "velocity");
    assert_string_equal(hamel_trajectory_kind(w, e), "energy");
    assert_string_equal(hamel_trajectory_unit(w, x), "m");
    assert_string_equal(hamel_trajectory_unit(w, v), "m/s");
    for (size_t i = 0; i < 13; i++) { // x = 100 + 3 t - g t^2 / 2
        const double at = hamel_trajectory_column(w, t)[i];
        assert_true(at == 0.5 * (double)i);
        assert_true(fabs(hamel_trajectory_column(w, x)[i] - (100 + 3 * at - 4.905 * at * at)) <
                    1e-9);
        assert_true(fabs(hamel_trajectory_column(w, v)[i] - (3 - 9.81 * at)) < 1e-9);
    }
    hamel_happening h;
    assert_int_equal(hamel_trajectory_event(w, 0, &h), 1);
    const double there = (3 + sqrt(9 + 4 * 4.905 * 50)) / 9.81;
    assert_true(fabs(h.t - there) < 1e-10);
    assert_int_equal(h.direction, -1);
    assert_int_equal(h.state_count, 2);
    assert_true(fabs(h.state[0] - 50) < 1e-9);
    assert_true(fabs(h.state[1] - (3 - 9.81 * there)) < 1e-9);
    assert_int_equal(hamel_trajectory_event(w, 1, &h), 0);
    hamel_trajectory_free(w);
}

static void what_is_not_there_is_null(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_trajectory *w;
    hamel_happening h;
    hamel_model *m = read_model(ctx, FALLING);
    assert_int_equal(hamel_model_trajectory(m, &(hamel_run){0}, &w), HAMEL_OK);
    const size_t columns = hamel_trajectory_columns(w);
    assert_int_equal(hamel_trajectory_find(w, "y"), SIZE_MAX);
    assert_int_equal(hamel_trajectory_find(w, NULL), SIZE_MAX);
    static const size_t none[] = {SIZE_MAX, SIZE_MAX - 1, 1u << 31};
    for (size_t i = 0; i < 4; i++) {
        const size_t at = i < 3 ? none[i] : columns;
        assert_null(hamel_trajectory_column(w, at));
        assert_null(hamel_trajectory_name(w, at));
        assert_null(hamel_trajectory_kind(w, at));
        assert_null(hamel_trajectory_unit(w, at));
        assert_int_equal(hamel_trajectory_event(w, at, &h), 0);
    }
    assert_int_equal(hamel_trajectory_event(w, 0, NULL), 0);
    assert_null(hamel_trajectory_summary(w, HAMEL_LATEX));
    assert_null(hamel_trajectory_summary(w, (hamel_format)1000));
    assert_null(hamel_trajectory_name(NULL, 0));
    assert_null(hamel_trajectory_kind(NULL, 0));
    assert_null(hamel_trajectory_unit(NULL, 0));
    assert_null(hamel_trajectory_column(NULL, 0));
    assert_null(hamel_trajectory_summary(NULL, HAMEL_TEXT));
    assert_int_equal(hamel_trajectory_rows(NULL), 0);
    assert_int_equal(hamel_trajectory_columns(NULL), 0);
    assert_int_equal(hamel_trajectory_find(NULL, "t"), SIZE_MAX);
    assert_int_equal(hamel_trajectory_event(NULL, 0, &h), 0);
    hamel_trajectory_free(NULL);
    hamel_trajectory_free(w);
    hamel_context_destroy(ctx);
}

// --- runs that end early -------------------------------------------------------------------------

// x' = x^2 from 1: x = 1/(1 - t) has a pole at t = 1
static const char POLE[] =
    "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = x^2\ninitial x = 1\n";

static void rows_up_to_where_a_run_stopped_are_there(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_trajectory *w;
    const hamel_run run = {.until = 2, .interval = 0.01, .execute = "interpreted"};
    assert_int_equal(hamel_model_trajectory(read_model(ctx, POLE), &run, &w), HAMEL_NUMERICS);
    assert_non_null(w);
    char *said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "the run stopped at t = 1"));
    hamel_free(said);
    hamel_context_destroy(ctx);
    const size_t rows = hamel_trajectory_rows(w);
    assert_true(rows > 90 && rows <= 102);
    const double *t = hamel_trajectory_column(w, 0),
                 *x = hamel_trajectory_column(w, hamel_trajectory_find(w, "x"));
    for (size_t i = 0; i < rows && t[i] < 0.95; i++)
        assert_true(fabs(x[i] * (1 - t[i]) - 1) < 1e-6);
    assert_non_null(strstr(hamel_trajectory_summary(w, HAMEL_JSON), "\"cause\""));
    hamel_trajectory_free(w);
}

static void set_flag(double fraction, void *data) {
    if (fraction > 0) *(volatile int *)data = 1;
}

static void an_interrupted_run_keeps_its_rows(void **state) {
    (void)state;
    volatile int flag = 0;
    hamel_context *ctx = hamel_context_create();
    hamel_trajectory *w;
    const hamel_run run = {.until = 1e5,
                           .interval = 0.1,
                           .execute = "interpreted",
                           .progress = set_flag,
                           .data = (void *)&flag,
                           .interrupted = &flag};
    assert_int_equal(hamel_model_trajectory(open_model(ctx, "pendulum"), &run, &w), HAMEL_NUMERICS);
    assert_non_null(w);
    assert_true(hamel_trajectory_rows(w) > 0 && hamel_trajectory_rows(w) < 1000000);
    assert_non_null(strstr(hamel_trajectory_summary(w, HAMEL_TEXT), "interrupted at t = "));
    hamel_trajectory_free(w);
    hamel_context_destroy(ctx);
}

static void limits_are_heeded(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = open_model(ctx, "pendulum");
    hamel_trajectory *w;
    const hamel_run run = {.until = 10, .interval = 1e-5, .execute = "interpreted"};
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.bytes = 1 << 20}), HAMEL_OK);
    assert_int_equal(hamel_model_trajectory(m, &run, &w), HAMEL_LIMIT); // before it begins
    assert_null(w);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.rows = 1000}), HAMEL_OK);
    assert_int_equal(hamel_model_trajectory(m, &run, &w), HAMEL_LIMIT);
    assert_null(w);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.time = 1}), HAMEL_OK);
    assert_int_equal(hamel_model_trajectory(m, &(hamel_run){.until = 1e9, .interval = 1000}, &w),
                     HAMEL_LIMIT); // in good order
    assert_non_null(w);
    assert_true(hamel_trajectory_rows(w) > 0);
    hamel_trajectory_free(w);
    hamel_context_destroy(ctx);
    ctx = hamel_context_create();
    m = open_model(ctx, "pendulum");
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.memory = 10 << 20}), HAMEL_OK);
    assert_int_equal(hamel_model_trajectory(m, &run, &w), HAMEL_LIMIT); // on the way: it is dead
    assert_null(w);
    assert_int_equal(hamel_model_trajectory(m, &run, &w), HAMEL_LIMIT);
    assert_null(hamel_model_listed(m, "coordinates", 0));
    hamel_context_destroy(ctx);
}

// What was handed over does not count as the context's any more.
static void a_context_can_make_any_number_of_them(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = open_model(ctx, "pendulum");
    const hamel_run run = {.until = 1, .interval = 1e-4, .execute = "interpreted"};
    hamel_trajectory *w[40];
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.memory = 12 << 20}), HAMEL_OK);
    for (int i = 0; i < 40; i++) assert_int_equal(hamel_model_trajectory(m, &run, &w[i]), HAMEL_OK);
    for (int i = 39; i >= 0; i--) hamel_trajectory_free(w[i]);
    hamel_context_destroy(ctx);
}

static void wrong_runs_are_told(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = open_model(ctx, "pendulum");
    hamel_trajectory *w = (hamel_trajectory *)&ctx;
    assert_int_equal(hamel_model_trajectory(m, &(hamel_run){.method = "no"}, &w), HAMEL_USAGE);
    assert_null(w);
    assert_int_equal(hamel_model_trajectory(m, &(hamel_run){.until = -1}, &w), HAMEL_USAGE);
    assert_int_equal(hamel_model_trajectory(m, &(hamel_run){.later = {"x"}}, &w), HAMEL_USAGE);
    char *said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "later version"));
    hamel_free(said);
    hamel_context_destroy(ctx);
}

// --- rows of a file ------------------------------------------------------------------------------

static void rows_of_a_file_are_those_of_the_run(void **state) {
    (void)state;
    static const char *const endings[] = {".csv", ".h5"};
    for (int i = 0; i < 2; i++) {
        char file[100], *summary = NULL;
        snprintf(file, sizeof file, "/tmp/hamel-trajectory-%ld%s", (long)getpid(), endings[i]);
        hamel_context *ctx = hamel_context_create();
        hamel_model *m = open_model(ctx, "ladder");
        hamel_run run = {.execute = "interpreted", .output = file};
        assert_int_equal(hamel_model_simulate(m, &run, HAMEL_TEXT, &summary), HAMEL_OK);
        hamel_free(summary);
        hamel_trajectory *made, *read;
        assert_int_equal(hamel_model_trajectory(m, &run, &made), HAMEL_OK);
        assert_int_equal(hamel_file_trajectory(ctx, file, &read), HAMEL_OK);
        unlink(file);
        hamel_context_destroy(ctx);
        const size_t rows = hamel_trajectory_rows(made), columns = hamel_trajectory_columns(made);
        assert_int_equal(hamel_trajectory_rows(read), rows);
        assert_int_equal(hamel_trajectory_columns(read), columns);
        for (size_t c = 0; c < columns; c++) {
            assert_string_equal(hamel_trajectory_name(read, c), hamel_trajectory_name(made, c));
            assert_memory_equal(hamel_trajectory_column(read, c), hamel_trajectory_column(made, c),
                                rows * sizeof(double));
        }
        assert_null(hamel_trajectory_summary(read, HAMEL_TEXT));
        hamel_happening a, b;
        assert_int_equal(hamel_trajectory_event(read, 0, &b), i);
        if (i) {
            assert_int_equal(hamel_trajectory_event(made, 0, &a), 1);
            assert_string_equal(a.name, b.name);
            assert_true(a.t == b.t && a.direction == b.direction);
        }
        hamel_trajectory_free(made), hamel_trajectory_free(read);
    }
}

static void a_file_that_is_none_is_told(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_trajectory *w;
    assert_int_equal(hamel_file_trajectory(ctx, "no/such.csv", &w), HAMEL_USAGE);
    assert_null(w);
    assert_int_equal(hamel_file_trajectory(ctx, "rows.txt", &w), HAMEL_USAGE);
    assert_int_equal(hamel_file_trajectory(ctx, NULL, &w), HAMEL_USAGE);
    assert_int_equal(hamel_file_trajectory(ctx, "x.csv", NULL), HAMEL_USAGE);
    assert_int_equal(hamel_file_trajectory(NULL, "x.csv", &w), HAMEL_USAGE);
    hamel_context_destroy(ctx);
}

// --- names ---------------------------------------------------------------------------------------

static const char NAMES[] =
    "system all \"All kinds\"\nparam a = 3/2, b = 2*a, c\ncoord x, y, theta\n"
    "given f = sin(t)\ninput u\nkinetic (x'^2 + y'^2 + theta'^2)/2\nforce x = u + f\n"
    "quasi v = x'*cos(theta) + y'*sin(theta)\nquasi w = theta'\n"
    "constraint blade: x'*sin(theta) = y'*cos(theta)\nevent far: x - 1\n"
    "invariant I = theta'\nobserve o = x^2\nclaim k: x = x\n";

static void assert_list(hamel_model *m, const char *kind, const char *all) {
    char found[200] = "";
    const char *name;
    for (size_t i = 0; (name = hamel_model_listed(m, kind, i)); i++)
        strcat(strcat(found, i ? " " : ""), name);
    assert_string_equal(found, all);
    assert_null(hamel_model_listed(m, kind, SIZE_MAX));
}

static void a_model_lists_what_it_names(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    assert_int_equal(hamel_context_set(ctx, "a=7/4"), HAMEL_OK);
    hamel_model *m = read_model(ctx, NAMES);
    assert_list(m, "coordinates", "x y theta");
    assert_list(m, "quasi-velocities", "v w");
    assert_list(m, "parameters", "a b c");
    assert_list(m, "inputs", "u");
    assert_list(m, "functions", "f");
    assert_list(m, "constraints", "blade");
    assert_list(m, "events", "far");
    assert_list(m, "invariants", "I");
    assert_list(m, "observables", "o");
    assert_list(m, "claims", "k");
    assert_list(m, "contacts", "");
    assert_list(m, "no such kind", "");
    assert_null(hamel_model_listed(NULL, "coordinates", 0));
    assert_null(hamel_model_listed(m, NULL, 0));
    double value = 0;
    assert_int_equal(hamel_model_value(m, "a", &value), 1);
    assert_true(value == 1.75);
    assert_int_equal(hamel_model_value(m, "b", &value), 1);
    assert_true(value == 3.5);
    assert_int_equal(hamel_model_value(m, "c", &value), 0); // symbolic
    assert_int_equal(hamel_model_value(m, "x", &value), 0);
    assert_int_equal(hamel_model_value(m, "a", NULL), 0);
    assert_int_equal(hamel_model_value(NULL, "a", &value), 0);
    assert_string_equal(hamel_model_name(m), "all");
    assert_string_equal(hamel_model_title(m), "All kinds");
    assert_null(hamel_model_name(NULL));
    assert_null(hamel_model_title(NULL));
    assert_null(hamel_model_unit(m, "x"));
    hamel_context_destroy(ctx);
    ctx = hamel_context_create();
    m = read_model(ctx, FALLING);
    assert_string_equal(hamel_model_unit(m, "x"), "m");
    assert_string_equal(hamel_model_unit(m, "x'"), "m/s");
    assert_string_equal(hamel_model_unit(m, "g"), "m/s^2");
    assert_string_equal(hamel_model_unit(m, "t"), "s");
    assert_null(hamel_model_unit(m, "no"));
    assert_null(hamel_model_unit(m, NULL));
    assert_null(hamel_model_unit(NULL, "x"));
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_hold_what_the_csv_file_has),
        cmocka_unit_test(a_run_through_contacts_and_resets_tells_what_happened),
        cmocka_unit_test(events_come_with_the_state_there),
        cmocka_unit_test(columns_have_names_kinds_and_units),
        cmocka_unit_test(what_is_not_there_is_null),
        cmocka_unit_test(rows_up_to_where_a_run_stopped_are_there),
        cmocka_unit_test(an_interrupted_run_keeps_its_rows),
        cmocka_unit_test(limits_are_heeded),
        cmocka_unit_test(a_context_can_make_any_number_of_them),
        cmocka_unit_test(wrong_runs_are_told),
        cmocka_unit_test(rows_of_a_file_are_those_of_the_run),
        cmocka_unit_test(a_file_that_is_none_is_told),
        cmocka_unit_test(a_model_lists_what_it_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
