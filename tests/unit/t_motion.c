// A model made ready once and run many times does what `simulate` does each time: the same rows,
// whatever ran before, with other parameters, from other states, in several threads. The closed
// forms share nothing with it.
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "hamel.h"
#include "support/random_text.h"

static hamel_model *read_text(hamel_context *ctx, const char *text) {
    hamel_model *m = NULL;
    if (hamel_model_parse(ctx, "test", text, strlen(text), &m)) {
        char *said = hamel_diagnostics(ctx);
        fail_msg("%s", said);
    }
    return m;
}

static hamel_motion *prepare(hamel_model *m, hamel_context *ctx, const hamel_run *r) {
    hamel_motion *w = NULL;
    if (hamel_model_prepare(m, r, &w)) {
        char *said = hamel_diagnostics(ctx);
        fail_msg("%s", said);
    }
    return w;
}

// --- rows of `simulate`, as text -----------------------------------------------------------------

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

typedef struct {
    size_t rows, columns;
    double *value;
} numbers;

static numbers simulate(const char *model, const char *set, hamel_run r) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    lines l = {0};
    char *said = NULL;
    if (set) assert_int_equal(hamel_context_set(ctx, set), HAMEL_OK);
    assert_int_equal(hamel_model_open(ctx, model, &m), HAMEL_OK);
    r.output = "-", r.write = gather, r.data = &l;
    const hamel_status status = hamel_model_simulate(m, &r, HAMEL_JSON, &said);
    if (status) fail_msg("%s: %s", model, hamel_diagnostics(ctx));
    hamel_free(said);
    hamel_context_destroy(ctx);
    numbers out = {.columns = 1};
    for (char *c = l.text; *c != '\n'; c++) out.columns += *c == ',';
    size_t capacity = 0, count = 0;
    char *saved, *line = strtok_r(l.text, "\n", &saved);
    while ((line = strtok_r(NULL, "\n", &saved))) {
        for (char *c = line; *c; out.value[count++] = strtod(c, &c), c += *c == ',') {
            if (count < capacity) continue;
            capacity = 2 * capacity + 64;
            out.value = realloc(out.value, capacity * sizeof(double));
        }
        out.rows++;
    }
    free(l.text);
    return out;
}

// The same rows from a motion
static void compare(hamel_motion *w, const numbers *n, const char *model) {
    double *times = malloc(n->rows * sizeof(double)),
           *rows = calloc(n->rows * n->columns, sizeof(double));
    assert_int_equal(hamel_motion_count(w, HAMEL_COLUMN), n->columns);
    for (size_t i = 0; i < n->rows; i++) times[i] = n->value[i * n->columns];
    hamel_outcome o;
    const hamel_status status = hamel_motion_run(w, times[n->rows - 1], times, n->rows, rows, &o);
    if (status) fail_msg("%s: %s", model, o.words);
    assert_int_equal(o.rows, n->rows);
    for (size_t i = 0; i < n->rows * n->columns; i++)
        if (rows[i] != n->value[i])
            fail_msg("%s: row %zu, column %s: %.17g, by simulate %.17g", model, i / n->columns,
                     hamel_motion_name(w, HAMEL_COLUMN, i % n->columns), rows[i], n->value[i]);
    free(times), free(rows);
}

static const char *const MODELS[] = {
    "sleigh",   "knife_edge", "rolling_disc",       "double_pendulum",
    "pendulum", "rattleback", "spherical_pendulum", "snakeboard",
    "neumann",  "suslov",     "constant_speed",     "skier"};
enum { MODEL_COUNT = sizeof MODELS / sizeof *MODELS };

static void a_motion_has_the_rows_of_simulate_again_and_again(void **unused) {
    (void)unused;
    static const char *const methods[] = {"taylor", "dop853", "tsit5", "auto"};
    for (size_t k = 0; k < MODEL_COUNT; k++) {
        const hamel_run r = {
            .execute = "interpreted", .method = methods[k % 4], .until = 1, .interval = 0.125};
        const numbers n = simulate(MODELS[k], NULL, r);
        hamel_context *ctx = hamel_context_create();
        hamel_model *m = NULL;
        assert_int_equal(hamel_model_open(ctx, MODELS[k], &m), HAMEL_OK);
        hamel_motion *w = prepare(m, ctx, &r);
        hamel_context_destroy(ctx); // the motion outlives it
        for (int again = 0; again < 3; again++) {
            assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
            compare(w, &n, MODELS[k]);
        }
        hamel_motion_free(w);
        free(n.value);
    }
}

static void a_parameter_that_is_set_is_as_one_given_to_the_model(void **unused) {
    (void)unused;
    static const char *const cases[][3] = {{"sleigh", "m", "7/4"},
                                           {"rolling_disc", "r", "0.75"},
                                           {"double_pendulum", "l1", "1.25"},
                                           {"rattleback", "g", "9.5"},
                                           {"pendulum", "g", "2"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const hamel_run r = {.execute = "interpreted", .until = 1, .interval = 0.25};
        hamel_context *ctx = hamel_context_create();
        hamel_model *m = NULL;
        assert_int_equal(hamel_model_open(ctx, cases[k][0], &m), HAMEL_OK);
        hamel_motion *w = prepare(m, ctx, &r);
        size_t which = 0;
        while (hamel_motion_name(w, HAMEL_PARAMETER, which) &&
               strcmp(hamel_motion_name(w, HAMEL_PARAMETER, which), cases[k][1]) != 0)
            which++;
        if (!hamel_motion_name(w, HAMEL_PARAMETER, which))
            fail_msg("%s has no parameter %s", cases[k][0], cases[k][1]);
        const double before = hamel_motion_get(w, which);
        const double value = strcmp(cases[k][2], "7/4") == 0 ? 1.75 : strtod(cases[k][2], NULL);
        char set[100];
        snprintf(set, sizeof set, "%s=%s", cases[k][1], cases[k][2]);
        const numbers usual = simulate(cases[k][0], NULL, r), other = simulate(cases[k][0], set, r);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(hamel_motion_set(w, cases[k][1], value), HAMEL_OK);
            assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
            compare(w, &other, cases[k][0]);
            assert_int_equal(hamel_motion_set(w, cases[k][1], before), HAMEL_OK);
            assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
            compare(w, &usual, cases[k][0]);
        }
        hamel_motion_free(w);
        hamel_context_destroy(ctx);
        free(usual.value), free(other.value);
    }
}

// x'' = -k x with k = w^2: x = a cos(w t) + b/w sin(w t), closed form
static const char OSCILLATOR[] = "system oscillator\n"
                                 "param w = 2\nparam k = w^2\n"
                                 "coord x\n"
                                 "kinetic x'^2/2\npotential k*x^2/2\n"
                                 "initial x = 1\n"
                                 "event turn: x'\n";

static void a_motion_follows_the_closed_form_for_every_parameter_and_state(void **unused) {
    (void)unused;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w = prepare(read_text(ctx, OSCILLATOR), ctx, &(hamel_run){.tolerance = 1e-14});
    uint64_t random = run_seed(15);
    assert_int_equal(hamel_motion_count(w, HAMEL_STATE), 2);
    assert_string_equal(hamel_motion_name(w, HAMEL_STATE, 0), "x");
    assert_string_equal(hamel_motion_name(w, HAMEL_STATE, 1), "x'");
    for (int i = 0; i < 200; i++) {
        const double omega = 0.5 + (double)(random_next(&random) % 1000) / 300,
                     a = (double)(random_next(&random) % 100) / 50 - 1,
                     b = (double)(random_next(&random) % 100) / 50 - 1,
                     t0 = (double)(random_next(&random) % 10) - 5, z[] = {a, b},
                     times[] = {t0 + 0.3, t0 + 1, t0 + 2.5};
        double rows[3 * 10];
        const size_t columns = hamel_motion_count(w, HAMEL_COLUMN);
        assert_true(columns <= 10);
        assert_int_equal(hamel_motion_set(w, "w", omega), HAMEL_OK);
        assert_int_equal(hamel_motion_start(w, t0, z), HAMEL_OK);
        hamel_outcome o;
        assert_int_equal(hamel_motion_run(w, t0 + 3, times, 3, rows, &o), HAMEL_OK);
        assert_int_equal(o.rows, 3);
        for (int k = 0; k < 3; k++) {
            const double s = times[k] - t0, x = a * cos(omega * s) + b / omega * sin(omega * s),
                         v = -a * omega * sin(omega * s) + b * cos(omega * s);
            assert_true(rows[k * columns] == times[k]);
            assert_true(fabs(rows[k * columns + 1] - x) < 1e-12 * (1 + fabs(x)));
            assert_true(fabs(rows[k * columns + 2] - v) < 1e-12 * (2 + fabs(v)));
        }
        // x' = 0 where tan(w s) = b / (a w)
        for (size_t e = 0; e < o.events; e++) {
            double t;
            size_t which = 9;
            assert_true(hamel_motion_event(w, e, &which, &t, NULL));
            assert_int_equal(which, 0);
            const double s = t - t0;
            assert_true(fabs(-a * omega * sin(omega * s) + b * cos(omega * s)) < 1e-10);
        }
        assert_true(a == 0 || b == 0 || o.events >= (size_t)(3 * omega / M_PI));
        assert_true(!hamel_motion_event(w, o.events, NULL, NULL, NULL));
    }
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

static void steps_are_written_one_by_one_and_the_motion_goes_on(void **unused) {
    (void)unused;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w = prepare(read_text(ctx, OSCILLATOR), ctx,
                              &(hamel_run){.method = "dop853", .tolerance = 1e-9});
    const size_t columns = hamel_motion_count(w, HAMEL_COLUMN);
    double *rows = malloc(1000 * columns * sizeof(double)), one[20];
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    hamel_outcome all, o;
    assert_int_equal(hamel_motion_run(w, 10, NULL, 1000, rows, &all), HAMEL_OK);
    assert_true(all.rows == all.steps && all.steps > 3 && all.t == 10);
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    for (size_t i = 0; i < all.rows; i++) {
        assert_int_equal(hamel_motion_run(w, 10, NULL, 1, one, &o), HAMEL_OK);
        assert_int_equal(o.rows, 1);
        for (size_t k = 0; k < columns; k++) assert_true(one[k] == rows[i * columns + k]);
    }
    assert_true(o.t == 10);
    double t, z[2], row[20];
    assert_int_equal(hamel_motion_now(w, &t, z, row), HAMEL_OK);
    assert_true(t == 10 && row[0] == 10 && row[1] == z[0] && row[2] == z[1]);
    assert_true(fabs(z[0] - cos(20)) < 1e-6);
    free(rows);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

// Rates are those of the equations, written down by hand.
// A run takes whole turns off angles, and common translations off coordinates: z has them again.
static void the_state_has_the_whole_way(void **unused) {
    (void)unused;
    static const char model[] = "param k = 4\ncoord th, x, y\n"
                                "kinetic th'^2/2 + x'^2/2 + y'^2/2\n"
                                "potential cos(th)/100 + k*(x - y)^2/2\n"
                                "initial th = 0, x = 0, y = 0.5, th' = 100, x' = 300, y' = 300\n";
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_motion *w;
    double z[6], row[64], t;
    assert_int_equal(hamel_model_parse(ctx, "way", model, strlen(model), &m), HAMEL_OK);
    assert_int_equal(
        hamel_model_prepare(m, &(hamel_run){.execute = "interpreted", .tolerance = 1e-11}, &w),
        HAMEL_OK);
    for (int leg = 1; leg <= 3; leg++) {
        assert_int_equal(hamel_motion_run(w, 10 * leg, NULL, 0, NULL, NULL), HAMEL_OK);
        assert_int_equal(hamel_motion_now(w, &t, z, row), HAMEL_OK);
        for (int i = 0; i < 3; i++) assert_true(z[i] == row[1 + i]);
        // its speed is between sqrt(100^2 - 0.04) and 100
        assert_true(fabs(z[0] - 100 * t) < 2e-4 * t && fabs(z[1] + z[2] - 600 * t - 0.5) < 1e-6);
        assert_int_equal(hamel_motion_start(w, t, z), HAMEL_OK); // on from what it was said to be
    }
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

static void rates_can_be_had_for_other_integrators(void **unused) {
    (void)unused;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w = prepare(read_text(ctx, OSCILLATOR), ctx, &(hamel_run){0});
    const double z[] = {0.5, -3};
    double dz[2];
    assert_int_equal(hamel_motion_rate(w, 0, z, dz), HAMEL_OK);
    assert_true(dz[0] == -3 && dz[1] == -2);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

// With c = 0 the constraint is 0 = 0, and the particle is free: x = t, y = 0
static void a_constraint_that_a_parameter_takes_away_is_not_kept(void **unused) {
    (void)unused;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = read_text(ctx, "system line\nparam c = 1\ncoord x, y\n"
                                    "kinetic (x'^2 + y'^2)/2\n"
                                    "constraint c*(x' - y') = 0\n"
                                    "initial x' = 1\n");
    hamel_motion *w = prepare(m, ctx, &(hamel_run){.until = 1});
    double row[20];
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_now(w, NULL, NULL, row), HAMEL_OK);
    assert_true(fabs(row[1] - 1) < 1e-14 && fabs(row[2] - 1) < 1e-14);
    assert_int_equal(hamel_motion_set(w, "c", 0), HAMEL_OK);
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_now(w, NULL, NULL, row), HAMEL_OK);
    assert_true(fabs(row[1] - 1) < 1e-14 && fabs(row[2]) < 1e-14);
    assert_int_equal(hamel_motion_set(w, "c", 2), HAMEL_OK);
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_now(w, NULL, NULL, row), HAMEL_OK);
    assert_true(fabs(row[1] - 1) < 1e-14 && fabs(row[2] - 1) < 1e-14);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

static void what_cannot_be_is_refused_and_the_motion_stays_usable(void **unused) {
    (void)unused;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w = prepare(read_text(ctx, OSCILLATOR), ctx, &(hamel_run){0});
    const double falling[] = {1, 0.5}, early[] = {-1}, nothing[] = {NAN, 0};
    double rows[40];
    for (int again = 0; again < 100; again++) {
        assert_int_equal(hamel_motion_set(w, "q", 1), HAMEL_USAGE);
        assert_int_equal(hamel_motion_set(w, "w", NAN), HAMEL_USAGE);
        assert_int_equal(hamel_motion_start(w, NAN, falling), HAMEL_USAGE);
        assert_int_equal(hamel_motion_start(w, 0, nothing), HAMEL_USAGE);
        assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_USAGE);
        assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
        assert_int_equal(hamel_motion_run(w, -1, NULL, 0, NULL, NULL), HAMEL_USAGE);
        assert_int_equal(hamel_motion_run(w, NAN, NULL, 0, NULL, NULL), HAMEL_USAGE);
        assert_int_equal(hamel_motion_run(w, 1, falling, 2, rows, NULL), HAMEL_USAGE);
        assert_int_equal(hamel_motion_run(w, 1, early, 1, rows, NULL), HAMEL_USAGE);
        assert_int_equal(hamel_motion_start_at(w, "y = 1"), HAMEL_MODEL);
        assert_int_equal(hamel_diagnostic_count(hamel_motion_context(w)), 1);
        assert_int_equal(hamel_motion_start_at(w, "x = 2, x' = 0"), HAMEL_OK);
        assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_OK);
        double z[2];
        assert_int_equal(hamel_motion_now(w, NULL, z, NULL), HAMEL_OK);
        assert_true(fabs(z[0] - 2 * cos(2)) < 1e-8);
    }
    assert_int_equal(hamel_motion_run(NULL, 1, NULL, 0, NULL, NULL), HAMEL_USAGE);
    hamel_motion *none = w;
    hamel_model *m = read_text(ctx, OSCILLATOR);
    assert_int_equal(hamel_model_prepare(m, &(hamel_run){.form = "mgagi"}, &none), HAMEL_USAGE);
    assert_null(none);
    char *said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "mgagi"));
    hamel_free(said);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

// --- random models -------------------------------------------------------------------------------

// The end of a run of a text that is read with these values; false if there is none
static bool end_by_simulate(const char *text, size_t count, char set[][100], double *z) {
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    hamel_motion *w = NULL;
    for (size_t i = 0; i < count; i++) hamel_context_set(ctx, set[i]);
    bool good = !hamel_model_parse(ctx, "random", text, strlen(text), &m);
    lines l = {0};
    char *said = NULL;
    const hamel_run r = {.execute = "interpreted",
                         .method = "dop853",
                         .until = 0.1,
                         .interval = 0.1,
                         .output = "-",
                         .write = gather,
                         .data = &l};
    good = good && !hamel_model_simulate(m, &r, HAMEL_JSON, &said);
    if (good) {
        char *last = strrchr(l.text, '\n');
        while (last > l.text && last[-1] != '\n') last--;
        for (size_t i = 0; *last && *last != '\n'; i++)
            z[i] = strtod(last, &last), last += *last == ',';
    }
    free(l.text);
    hamel_free(said);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
    return good;
}

// A motion whose parameters were changed and changed back and changed ends where a model does that
// was read with these values.
static void random_models_end_alike_with_other_parameters(void **unused) {
    enum { MOST = 4, COLUMNS = 300 };
    (void)unused;
    const uint64_t seed = run_seed(150);
    unsigned compared = 0, failed = 0;
    for (uint32_t i = 0; i < run_cases(60, 600); i++) {
        char text[RANDOM_TEXT], set[MOST][100];
        uint64_t random = case_seed(seed, i);
        random_model(random, text);
        hamel_context *ctx = hamel_context_create();
        hamel_model *m = NULL;
        hamel_motion *w = NULL;
        if (!hamel_model_parse(ctx, "random", text, strlen(text), &m) &&
            !hamel_model_prepare(m, &(hamel_run){.execute = "interpreted", .method = "dop853"},
                                 &w) &&
            hamel_motion_count(w, HAMEL_COLUMN) <= COLUMNS) {
            size_t count = hamel_motion_count(w, HAMEL_PARAMETER);
            if (count > MOST) count = MOST;
            double row[COLUMNS], other[COLUMNS];
            bool good = true;
            for (int round = 0; round < 3; round++) {
                for (size_t k = 0; k < count; k++) {
                    const double value = 0.25 * (double)(1 + random_next(&random) % 12);
                    const char *name = hamel_motion_name(w, HAMEL_PARAMETER, k);
                    snprintf(set[k], sizeof set[k], "%s=%g", name, value);
                    assert_int_equal(hamel_motion_set(w, name, value), HAMEL_OK);
                }
                good = !hamel_motion_start(w, 0, NULL) &&
                       !hamel_motion_run(w, 0.1, NULL, 0, NULL, NULL) &&
                       !hamel_motion_now(w, NULL, NULL, row);
            }
            const bool same = end_by_simulate(text, count, set, other);
            bool equal = good == same;
            for (size_t k = 0; good && same && k < hamel_motion_count(w, HAMEL_COLUMN); k++)
                equal = equal && fabs(row[k] - other[k]) <= 1e-7 * (1 + fabs(other[k]));
            compared += good && same;
            if (!equal) {
                failed++;
                print_message("case %u of seed %llu: %s\n", i, (unsigned long long)seed, text);
                for (size_t k = 0; k < count; k++) print_message("  --set %s\n", set[k]);
                for (size_t k = 0; good && same && k < hamel_motion_count(w, HAMEL_COLUMN); k++)
                    print_message("  %s: %.12g, read so %.12g\n",
                                  hamel_motion_name(w, HAMEL_COLUMN, k), row[k], other[k]);
                if (good != same)
                    print_message("  only %s ran\n", good ? "the motion" : "simulate");
            }
        }
        hamel_motion_free(w);
        hamel_context_destroy(ctx);
    }
    print_message("net: motions of random models with other parameters: %u tried, %u failed\n",
                  compared, failed);
    assert_int_equal(failed, 0);
    assert_true(compared > 0);
}

// --- threads -------------------------------------------------------------------------------------

enum { THREADS = 4, RUNS = 40 };

typedef struct {
    hamel_motion *w;
    double end[RUNS][20];
    bool good;
} task;

static void *sweep(void *data) {
    task *t = data;
    t->good = true;
    for (int i = 0; i < RUNS; i++) {
        t->good &= !hamel_motion_set(t->w, "m", 1 + 0.1 * i) &&
                   !hamel_motion_start(t->w, 0, NULL) &&
                   !hamel_motion_run(t->w, 0.5, NULL, 0, NULL, NULL) &&
                   !hamel_motion_now(t->w, NULL, NULL, t->end[i]);
    }
    return NULL;
}

static void copies_run_in_threads_and_agree(void **unused) {
    (void)unused;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    assert_int_equal(hamel_model_open(ctx, "sleigh", &m), HAMEL_OK);
    static task tasks[THREADS];
    pthread_t thread[THREADS];
    tasks[0].w = prepare(m, ctx, &(hamel_run){.execute = "interpreted"});
    assert_true(hamel_motion_count(tasks[0].w, HAMEL_COLUMN) <= 20);
    for (int i = 1; i < THREADS; i++)
        assert_int_equal(hamel_motion_copy(tasks[0].w, &tasks[i].w), HAMEL_OK);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, sweep, &tasks[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        assert_true(tasks[i].good);
        assert_memory_equal(tasks[i].end, tasks[0].end, sizeof tasks[0].end);
        hamel_motion_free(tasks[i].w);
    }
    assert_true(tasks[0].end[0][1] != tasks[0].end[RUNS - 1][1]);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_motion_has_the_rows_of_simulate_again_and_again),
        cmocka_unit_test(a_parameter_that_is_set_is_as_one_given_to_the_model),
        cmocka_unit_test(a_motion_follows_the_closed_form_for_every_parameter_and_state),
        cmocka_unit_test(steps_are_written_one_by_one_and_the_motion_goes_on),
        cmocka_unit_test(the_state_has_the_whole_way),
        cmocka_unit_test(rates_can_be_had_for_other_integrators),
        cmocka_unit_test(a_constraint_that_a_parameter_takes_away_is_not_kept),
        cmocka_unit_test(what_cannot_be_is_refused_and_the_motion_stays_usable),
        cmocka_unit_test(random_models_end_alike_with_other_parameters),
        cmocka_unit_test(copies_run_in_threads_and_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
