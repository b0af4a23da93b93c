// A motion with a function from data, made ready once: rows, rates at any time, other parameters
// and copies, against the closed form. The data rise from 0 to 1 and fall again, in straight lines,
// and x'' = k f.
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

static const double CLOSE = 1e-12;

static double force(double t) { return t < 1 ? t : 2 - t; }
// From rest
static double place(double k, double t) {
    const double late = t - 1;
    return k *
           (t < 1 ? t * t * t / 6 : 1.0 / 6 + late / 2 + late * late / 2 - late * late * late / 6);
}

static char folder[] = "/tmp/t_motion_data_XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

typedef struct {
    hamel_context *ctx;
    hamel_model *m;
    hamel_motion *w;
} motion;

static motion open_motion(void) {
    motion o = {.ctx = hamel_context_create()};
    char path[256];
    snprintf(path, sizeof path, "%s/model.ham", folder);
    if (hamel_model_open(o.ctx, path, &o.m) || hamel_model_prepare(o.m, &(hamel_run){0}, &o.w))
        fail_msg("%s", hamel_diagnostics(o.ctx));
    return o;
}

static void close_motion(motion *o) {
    hamel_motion_free(o->w);
    hamel_context_destroy(o->ctx);
}

static void runs_and_rates_take_the_piece_of_their_time(void **unused) {
    (void)unused;
    motion o = open_motion();
    double row[8], rate[2];
    const double rest[2] = {0, 0};
    for (int pass = 0; pass < 3; pass++) {
        const double k = 1 + pass;
        assert_int_equal(hamel_motion_set(o.w, "k", k), HAMEL_OK);
        assert_int_equal(hamel_motion_start(o.w, 0, NULL), HAMEL_OK);
        for (double t = 0.37; t <= 2; t += 0.37) {
            const double elsewhere = 2 - t;
            assert_int_equal(hamel_motion_run(o.w, t, &t, 1, row, NULL), HAMEL_OK);
            assert_true(fabs(row[1] - place(k, t)) < CLOSE * (1 + fabs(row[1])));
            // at another time, between two runs
            assert_int_equal(hamel_motion_rate(o.w, elsewhere, rest, rate), HAMEL_OK);
            assert_true(fabs(rate[1] - k * force(elsewhere)) < CLOSE);
            assert_int_equal(hamel_motion_now(o.w, NULL, NULL, row), HAMEL_OK);
            assert_true(fabs(row[1] - place(k, t)) < CLOSE * (1 + fabs(row[1])));
        }
    }
    close_motion(&o);
}

static void a_copy_has_the_data_whatever_became_of_the_file(void **unused) {
    (void)unused;
    motion o = open_motion();
    write_file("data.csv", "nothing any more\n");
    hamel_motion *copy = NULL;
    assert_int_equal(hamel_motion_copy(o.w, &copy), HAMEL_OK);
    double row[8], end = 2;
    assert_int_equal(hamel_motion_run(copy, end, &end, 1, row, NULL), HAMEL_OK);
    assert_true(fabs(row[1] - place(1, end)) < CLOSE * (1 + fabs(row[1])));
    hamel_motion_free(copy);
    close_motion(&o);
}

static void nothing_is_computed_beyond_the_data(void **unused) {
    (void)unused;
    write_file("data.csv", "t,f\n0,0\n1,1\n2,0\n");
    motion o = open_motion();
    double rate[2];
    const double rest[2] = {0, 0};
    assert_int_equal(hamel_motion_rate(o.w, 2.5, rest, rate), HAMEL_USAGE);
    assert_int_equal(hamel_motion_run(o.w, 2.5, NULL, 0, NULL, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_motion_run(o.w, 2, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_start(o.w, -1, rest), HAMEL_OK);
    assert_int_equal(hamel_motion_run(o.w, 1, NULL, 0, NULL, NULL), HAMEL_USAGE);
    close_motion(&o);
}

static int make_files(void **unused) {
    (void)unused;
    if (!mkdtemp(folder)) return 1;
    write_file("data.csv", "t,f\n0,0\n1,1\n2,0\n");
    write_file("model.ham", "param k = 1\ncoord x\ngiven f from \"data.csv\" column f linear\n"
                            "kinetic x'^2/2\nforce x = k*f\ninitial x = 0\n"
                            "simulate t = 0 .. 2, tol = 1e-13\n");
    return 0;
}

static int remove_files(void **unused) {
    (void)unused;
    char path[256];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, i ? "model.ham" : "data.csv");
        unlink(path);
    }
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_and_rates_take_the_piece_of_their_time),
        cmocka_unit_test(a_copy_has_the_data_whatever_became_of_the_file),
        cmocka_unit_test(nothing_is_computed_beyond_the_data),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
