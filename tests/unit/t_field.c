// A field is the same function from any thread and in any order of freeing: rates, Jacobians and
// Taylor coefficients against closed forms, central differences and precise runs, rows against
// those of a motion, numbers of eight threads against those of one. What motions got with it
// belongs here too: inputs that are held, events by callback, runs that another thread ends.
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "hamel.h"

static hamel_model *read_text(hamel_context *ctx, const char *text) {
    hamel_model *m = NULL;
    if (hamel_model_parse(ctx, "test", text, strlen(text), &m))
        fail_msg("%s", hamel_diagnostics(ctx));
    return m;
}

static hamel_field *field_of(hamel_context *ctx, hamel_model *m, const char *execute,
                             unsigned what) {
    hamel_field *f = NULL;
    if (hamel_model_field(m, &(hamel_run){.execute = execute}, what, &f))
        fail_msg("%s", hamel_diagnostics(ctx));
    assert_int_equal(f->compiled, execute == NULL);
    return f;
}

static const char *const EXECUTE[] = {NULL, "interpreted"};

// --- closed forms --------------------------------------------------------------------------------

// x'' = -w^2 x
static const char SPRING[] = "param w = 3, m = 2, k = m*w^2\ncoord x\nkinetic m*x'^2/2\n"
                             "potential k*x^2/2\ninitial x = 1\nobserve sum = x + x'\n";

static size_t parameter(const hamel_field *f, const char *name) {
    for (size_t i = 0; i < f->parameters; i++)
        if (strcmp(hamel_field_name(f, HAMEL_PARAMETER, i), name) == 0) return i;
    fail_msg("no parameter %s", name);
    return 0;
}

static size_t column(const hamel_field *f, const char *name) {
    for (size_t i = 0; i < f->columns; i++)
        if (strcmp(hamel_field_name(f, HAMEL_COLUMN, i), name) == 0) return i;
    fail_msg("no column %s", name);
    return 0;
}

static void assert_spring(const hamel_field *f, void *work, double w) {
    const double z[2] = {0.5, -0.25};
    double dz[2], j[4], row[20], series[2 * 21], factorial = 1;
    assert_int_equal(f->rate(f, work, 0.3, z, dz), 1);
    assert_true(dz[0] == z[1] && fabs(dz[1] + w * w * z[0]) < 1e-14 * w * w);
    assert_int_equal(f->jacobian(f, work, 0.3, z, j), 1);
    assert_true(j[0] == 0 && j[1] == 1 && fabs(j[2] + w * w) < 1e-14 * w * w && j[3] == 0);
    assert_int_equal(f->values(f, work, 0.3, z, row), 1);
    assert_true(row[column(f, "t")] == 0.3 && row[column(f, "x")] == 0.5);
    assert_true(fabs(row[column(f, "sum")] - 0.25) < 1e-15);
    const double energy = z[1] * z[1] + w * w * z[0] * z[0]; // m = 2
    assert_true(fabs(row[column(f, "energy")] - energy) < 1e-14 * energy);
    assert_int_equal(f->taylor(f, work, 0.3, z, 20, series), 1);
    for (unsigned k = 0; k <= 20; k++) { // x^(k) = w^k times x, v/w, -x, -v/w ..
        const double turn[4] = {z[0], z[1] / w, -z[0], -z[1] / w};
        const double exact = pow(w, k) * turn[k % 4] / factorial;
        assert_true(fabs(series[2 * k] - exact) < 1e-13 * (fabs(exact) + 1e-30));
        factorial *= k + 1;
    }
}

static void a_spring_has_its_closed_form(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        hamel_context *ctx = hamel_context_create();
        hamel_field *f = field_of(ctx, read_text(ctx, SPRING), EXECUTE[i], HAMEL_FIELD_ALL);
        hamel_context_destroy(ctx);
        assert_int_equal(f->size, 2);
        assert_string_equal(hamel_field_name(f, HAMEL_STATE, 0), "x");
        void *a = hamel_field_work(f), *b = hamel_field_work(f);
        assert_spring(f, a, 3);
        assert_int_equal(hamel_field_set(a, parameter(f, "w"), 5), 1);
        assert_spring(f, a, 5); // k follows
        assert_spring(f, b, 3); // the other one has its own
        assert_true(hamel_field_get(a, parameter(f, "k")) == 50);
        assert_true(hamel_field_get(b, parameter(f, "k")) == 18);
        assert_int_equal(hamel_field_set(a, parameter(f, "k"), 8), 1); // w does not follow
        assert_spring(f, a, 2);
        double t, z[2];
        assert_int_equal(hamel_field_start(f, &t, z), 1);
        assert_true(t == 0 && z[0] == 1 && z[1] == 0);
        hamel_field_free(f); // the work areas keep it
        assert_spring(f, b, 3);
        hamel_field_work_free(b), hamel_field_work_free(a);
    }
}

// --- models of the library -----------------------------------------------------------------------

static const char *const MODELS[] = {"sleigh",    "rolling_disc", "snakeboard", "rattleback",
                                     "heavy_top", "ziegler",      "bicycle"};
enum { MODEL_COUNT = sizeof MODELS / sizeof *MODELS, MOST = 80 };

static void jacobians_are_those_of_differences(void **state) {
    (void)state;
    for (int i = 0; i < MODEL_COUNT; i++) {
        hamel_context *ctx = hamel_context_create();
        hamel_model *m;
        assert_int_equal(hamel_model_open(ctx, MODELS[i], &m), HAMEL_OK);
        hamel_field *f = field_of(ctx, m, EXECUTE[i % 2], HAMEL_FIELD_RATE | HAMEL_FIELD_JACOBIAN);
        assert_true(!f->values && !f->taylor && f->rate && f->jacobian);
        void *work = hamel_field_work(f);
        const size_t n = f->size;
        double t, z[MOST], j[MOST * MOST], plus[MOST], minus[MOST], scale = 1;
        assert_true(n <= MOST);
        hamel_field_start(f, &t, z);
        for (size_t k = 0; k < n; k++) z[k] += 0.01 * sin(3.0 * (double)k + 1);
        assert_int_equal(f->jacobian(f, work, t, z, j), 1);
        for (size_t k = 0; k < n * n; k++) scale = fmax(scale, fabs(j[k]));
        for (size_t k = 0; k < n; k++) {
            const double h = 1e-5, here = z[k];
            z[k] = here + h, f->rate(f, work, t, z, plus);
            z[k] = here - h, f->rate(f, work, t, z, minus);
            z[k] = here;
            for (size_t r = 0; r < n; r++) {
                const double difference = (plus[r] - minus[r]) / (2 * h);
                if (!(fabs(j[r * n + k] - difference) < 1e-6 * scale))
                    fail_msg("%s: d(%zu)/d(%zu) is %g, not %g", MODELS[i], r, k, j[r * n + k],
                             difference);
            }
        }
        hamel_field_work_free(work), hamel_field_free(f);
        hamel_context_destroy(ctx);
    }
}

static void rows_and_series_are_those_of_a_motion(void **state) {
    (void)state;
    for (int i = 0; i < MODEL_COUNT; i++) {
        hamel_context *ctx = hamel_context_create();
        hamel_model *m;
        hamel_motion *motion;
        hamel_field *f;
        assert_int_equal(hamel_model_open(ctx, MODELS[i], &m), HAMEL_OK);
        const hamel_run run = {.execute = EXECUTE[(i + 1) % 2], .tolerance = 1e-14};
        assert_int_equal(hamel_model_prepare(m, &run, &motion), HAMEL_OK);
        assert_int_equal(hamel_motion_field(motion, HAMEL_FIELD_ALL, &f), HAMEL_OK);
        void *work = hamel_field_work(f);
        double t, z[MOST], later[MOST], row[MOST], own[MOST], dz[MOST], rate[MOST];
        double *series = calloc((size_t)(f->order + 1) * f->size, sizeof *series);
        assert_int_equal(hamel_motion_now(motion, &t, z, row), HAMEL_OK);
        assert_int_equal(f->values(f, work, t, z, own), 1);
        for (size_t k = 0; k < f->columns; k++)
            assert_true(fabs(row[k] - own[k]) <= 1e-14 * fabs(row[k]));
        assert_int_equal(hamel_motion_rate(motion, t, z, rate), HAMEL_OK);
        assert_int_equal(f->rate(f, work, t, z, dz), 1);
        for (size_t k = 0; k < f->size; k++)
            assert_true(fabs(rate[k] - dz[k]) <= 1e-14 * fabs(rate[k]));
        const double h = 1e-3;
        assert_int_equal(f->taylor(f, work, t, z, f->order, series), 1);
        assert_int_equal(hamel_motion_run(motion, t + h, NULL, 0, NULL, NULL), HAMEL_OK);
        assert_int_equal(hamel_motion_now(motion, NULL, later, NULL), HAMEL_OK);
        for (size_t k = 0; k < f->size; k++) {
            double sum = 0;
            for (unsigned p = f->order + 1; p-- > 0;) sum = sum * h + series[p * f->size + k];
            if (!(fabs(sum - later[k]) < 1e-12 * (1 + fabs(sum))))
                fail_msg("%s: z[%zu] is %.17g by its series, not %.17g", MODELS[i], k, sum,
                         later[k]);
        }
        free(series);
        hamel_motion_free(motion);
        hamel_context_destroy(ctx);
        hamel_field_free(f), hamel_field_work_free(work);
    }
}

static void many_rates_come_in_one_call(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *motion;
    const char text[] = "coord x\nkinetic x'^2/2\npotential x*log(x)\ninitial x = 1\n";
    assert_int_equal(
        hamel_model_prepare(read_text(ctx, text), &(hamel_run){.execute = "interpreted"}, &motion),
        HAMEL_OK);
    const double t[3] = {0, 1, 2}, z[6] = {1, 5, -1, 6, 2, 7}; // no force at x < 0
    double dz[6] = {0};
    assert_int_equal(hamel_motion_rates(motion, 3, t, z, dz), HAMEL_NUMERICS);
    assert_true(dz[0] == 5 && fabs(dz[1] + 1) < 1e-15 && isnan(dz[2]) && isnan(dz[3]));
    assert_true(dz[4] == 7 && fabs(dz[5] + 1 + log(2)) < 1e-15);
    assert_int_equal(hamel_motion_rates(motion, 1, t, z, dz), HAMEL_OK);
    assert_int_equal(hamel_motion_rates(motion, 0, NULL, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_rates(motion, 1, NULL, z, dz), HAMEL_USAGE);
    assert_int_equal(hamel_motion_rates(motion, 1, t, NULL, dz), HAMEL_USAGE);
    assert_int_equal(hamel_motion_rates(motion, 1, t, z, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_motion_rates(NULL, 1, t, z, dz), HAMEL_USAGE);
    hamel_motion_free(motion);
    hamel_context_destroy(ctx);
}

// --- threads -------------------------------------------------------------------------------------

enum { THREADS = 8, ROUNDS = 200 };

typedef struct {
    const hamel_field *f;
    int number;
    double sum; // of all that was computed
} share;

// A walk through states by Euler's rule, with all functions on the way
static void *walk(void *data) {
    share *s = data;
    const hamel_field *f = s->f;
    double t, z[MOST], dz[MOST], row[MOST], j[MOST * MOST],
        *series = calloc((size_t)(f->order + 1) * f->size, sizeof *series);
    void *work = hamel_field_work(f);
    hamel_field_start(f, &t, z);
    hamel_field_set(work, 0, hamel_field_get(work, 0) * (1 + 0.01 * s->number));
    s->sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (!f->rate(f, work, t, z, dz) || !f->values(f, work, t, z, row)) break;
        if (i % 20 == 0 && f->taylor(f, work, t, z, 5, series)) s->sum += series[5 * f->size];
        if (i % 20 == 7 && f->jacobian(f, work, t, z, j)) s->sum += j[f->size];
        for (size_t k = 0; k < f->size; k++) z[k] += 1e-3 * dz[k], s->sum += dz[k];
        for (size_t k = 0; k < f->columns; k++) s->sum += row[k];
        t += 1e-3;
    }
    free(series);
    hamel_field_work_free(work);
    return NULL;
}

static void threads_find_what_one_thread_finds(void **state) {
    (void)state;
    static const char *const models[] = {"rolling_disc", "measured_road"}; // one with data
    for (int i = 0; i < 4; i++) {
        hamel_context *ctx = hamel_context_create();
        hamel_model *m;
        assert_int_equal(hamel_model_open(ctx, models[i / 2], &m), HAMEL_OK);
        hamel_field *f = field_of(ctx, m, EXECUTE[i % 2], HAMEL_FIELD_ALL);
        share alone[THREADS], together[THREADS];
        pthread_t thread[THREADS];
        for (int k = 0; k < THREADS; k++) alone[k] = together[k] = (share){.f = f, .number = k};
        for (int k = 0; k < THREADS; k++) walk(&alone[k]);
        for (int k = 0; k < THREADS; k++)
            assert_int_equal(pthread_create(&thread[k], NULL, walk, &together[k]), 0);
        for (int k = 0; k < THREADS; k++) assert_int_equal(pthread_join(thread[k], NULL), 0);
        for (int k = 0; k < THREADS; k++) {
            assert_true(alone[k].sum != 0 && alone[k].sum == together[k].sum);
            assert_true(!k || alone[k].sum != alone[0].sum);
        }
        hamel_field_free(f);
        hamel_context_destroy(ctx);
    }
}

// --- wrong uses ----------------------------------------------------------------------------------

static void wrong_uses_are_answered(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = read_text(ctx, SPRING);
    hamel_field *f = field_of(ctx, m, "interpreted", HAMEL_FIELD_ALL), *none = f,
                *other = field_of(ctx, m, "interpreted", HAMEL_FIELD_RATE);
    void *work = hamel_field_work(f), *strange = hamel_field_work(other);
    const double z[2] = {1, 2}, bad[2] = {1, NAN};
    double out[80];
    assert_int_equal(f->rate(f, NULL, 0, z, out), 0);
    assert_int_equal(f->rate(f, work, 0, NULL, out), 0);
    assert_int_equal(f->rate(f, work, 0, z, NULL), 0);
    assert_int_equal(f->rate(NULL, work, 0, z, out), 0);
    assert_int_equal(f->rate(f, strange, 0, z, out), 0);
    assert_int_equal(f->rate(f, work, 0, bad, out), 0);
    assert_int_equal(f->taylor(f, work, 0, z, 31, out), 0);
    assert_int_equal(f->taylor(f, work, 0, z, UINT32_MAX, out), 0);
    assert_int_equal(f->taylor(f, strange, 0, z, 1, out), 0);
    assert_null(other->jacobian);
    assert_int_equal(hamel_field_set(work, SIZE_MAX, 1), 0);
    assert_int_equal(hamel_field_set(work, 0, INFINITY), 0);
    assert_int_equal(hamel_field_set(NULL, 0, 1), 0);
    assert_true(isnan(hamel_field_get(work, SIZE_MAX)) && isnan(hamel_field_get(NULL, 0)));
    assert_null(hamel_field_name(f, HAMEL_EVENT, 0));
    assert_null(hamel_field_name(f, HAMEL_COLUMN, SIZE_MAX));
    assert_null(hamel_field_name(NULL, HAMEL_COLUMN, 0));
    assert_null(hamel_field_work(NULL));
    assert_int_equal(hamel_field_start(NULL, NULL, NULL), 0);
    assert_int_equal(hamel_field_start(f, NULL, NULL), 1);
    hamel_field_free(NULL), hamel_field_work_free(NULL);
    assert_int_equal(hamel_model_field(m, NULL, 0, &none), HAMEL_USAGE);
    assert_null(none);
    assert_int_equal(hamel_model_field(m, NULL, 16, &none), HAMEL_USAGE);
    assert_int_equal(hamel_model_field(m, NULL, 1, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_model_field(NULL, NULL, 1, &none), HAMEL_USAGE);
    assert_int_equal(hamel_motion_field(NULL, 1, &none), HAMEL_USAGE);
    assert_int_equal(hamel_model_field(m, &(hamel_run){.form = "no"}, 1, &none), HAMEL_USAGE);
    assert_null(none);
    const char in_pieces[] = "coord x\nkinetic x'^2/2\npotential 10*x\ninitial x = 1\n"
                             "contact floor: x\n";
    hamel_model *contact = NULL;
    if (hamel_model_parse(ctx, "c", in_pieces, strlen(in_pieces), &contact) == HAMEL_OK)
        assert_int_equal(hamel_model_field(contact, NULL, 1, &none), HAMEL_USAGE);
    hamel_field_work_free(strange), hamel_field_free(other);
    hamel_field_free(f), hamel_field_work_free(work);
    hamel_context_destroy(ctx);
}

static void data_have_an_end(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    assert_int_equal(hamel_model_open(ctx, "measured_road", &m), HAMEL_OK);
    hamel_field *f = field_of(ctx, m, "interpreted", HAMEL_FIELD_RATE);
    void *work = hamel_field_work(f);
    double t, z[MOST], dz[MOST], again[MOST];
    hamel_field_start(f, &t, z);
    assert_int_equal(f->rate(f, work, t, z, dz), 1);
    assert_int_equal(f->rate(f, work, t + 1e6, z, again), 0);
    assert_int_equal(f->rate(f, work, t - 1e6, z, again), 0);
    assert_int_equal(f->rate(f, work, NAN, z, again), 0);
    assert_int_equal(f->rate(f, work, t, z, again), 1);
    assert_memory_equal(dz, again, f->size * sizeof *dz);
    hamel_field_work_free(work), hamel_field_free(f);
    hamel_context_destroy(ctx);
}

// --- inputs that are held ------------------------------------------------------------------------

static const char PUSHED[] = "param m = 2\ncoord x\ninput u = -x\nkinetic m*x'^2/2\nforce x = u\n"
                             "initial x = 1\nobserve push = u\n";

static void run_to(hamel_motion *w, double until, double z[2]) {
    assert_int_equal(hamel_motion_run(w, until, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_now(w, NULL, z, NULL), HAMEL_OK);
}

static void an_input_is_held_at_a_value(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w, *copy;
    const hamel_run run = {.execute = "interpreted", .tolerance = 1e-13};
    assert_int_equal(hamel_model_prepare(read_text(ctx, PUSHED), &run, &w), HAMEL_OK);
    double z[2];
    assert_int_equal(hamel_motion_count(w, HAMEL_PARAMETER), 1);
    run_to(w, 1, z); // the law of the model: x = cos(t/sqrt(2))
    assert_true(fabs(z[0] - cos(sqrt(0.5))) < 1e-11);
    assert_int_equal(hamel_motion_set(w, "u", 3), HAMEL_OK);
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_count(w, HAMEL_PARAMETER), 2);
    run_to(w, 1, z); // x = 1 + 3/2 t^2/2
    assert_true(fabs(z[0] - 1.75) < 1e-12 && fabs(z[1] - 1.5) < 1e-12);
    assert_int_equal(hamel_motion_set(w, "u", -4), HAMEL_OK); // another one, and another m
    assert_int_equal(hamel_motion_set(w, "m", 4), HAMEL_OK);
    assert_int_equal(hamel_motion_start(w, 1, z), HAMEL_OK);
    assert_int_equal(hamel_motion_copy(w, &copy), HAMEL_OK);
    double there[2] = {z[0], z[1]};
    run_to(w, 2, z);
    assert_true(fabs(z[0] - (1.75 + 1.5 - 0.5)) < 1e-12 && fabs(z[1] - 0.5) < 1e-12);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
    assert_int_equal(hamel_motion_start(copy, 1, there), HAMEL_OK);
    run_to(copy, 2, z);
    assert_true(fabs(z[0] - (1.75 + 1.5 - 0.5)) < 1e-12);
    hamel_field *f;
    assert_int_equal(hamel_motion_field(copy, HAMEL_FIELD_ALL, &f), HAMEL_OK);
    hamel_motion_free(copy);
    void *work = hamel_field_work(f);
    double dz[2], row[20];
    assert_int_equal(f->rate(f, work, 0, z, dz), 1);
    assert_true(dz[1] == -1); // -4/4
    assert_int_equal(hamel_field_set(work, parameter(f, "u"), 10), 1);
    assert_int_equal(f->rate(f, work, 0, z, dz), 1);
    assert_true(dz[1] == 2.5);
    assert_int_equal(f->values(f, work, 0, z, row), 1);
    assert_true(row[column(f, "push")] == 10);
    hamel_field_free(f), hamel_field_work_free(work);
}

static void what_is_no_input_is_told(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w;
    const hamel_run run = {.execute = "interpreted"};
    assert_int_equal(hamel_model_prepare(read_text(ctx, PUSHED), &run, &w), HAMEL_OK);
    assert_int_equal(hamel_motion_set(w, "v", 3), HAMEL_USAGE);
    assert_int_equal(hamel_motion_set(w, "u", NAN), HAMEL_USAGE);
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_count(w, HAMEL_PARAMETER), 1); // nothing was held
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

// --- events by callback --------------------------------------------------------------------------

typedef struct {
    hamel_motion *motion;
    int count, most;
    double t[20], x[20];
    int direction[20];
    hamel_status inner;
} listener;

static int note(void *data, size_t which, double t, int direction, const double *row) {
    listener *l = data;
    double now;
    assert_int_equal(which, 0);
    assert_true(row[0] == t);
    l->t[l->count] = t, l->direction[l->count] = direction, l->x[l->count] = row[1];
    l->inner = hamel_motion_now(l->motion, &now, NULL, NULL);
    return ++l->count == l->most;
}

static void events_are_told_and_can_end_a_run(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w;
    const char text[] = "coord x\nkinetic x'^2/2\npotential x^2/2\ninitial x' = 1\n"
                        "event half: x - 1/2\n"; // x = sin t
    assert_int_equal(
        hamel_model_prepare(read_text(ctx, text), &(hamel_run){.execute = "interpreted"}, &w),
        HAMEL_OK);
    listener l = {.motion = w, .most = 5};
    hamel_outcome outcome;
    const double pi = acos(-1);
    assert_int_equal(hamel_motion_on_event(w, note, &l), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 100, NULL, 0, NULL, &outcome), HAMEL_OK);
    assert_int_equal(l.count, 5);
    for (int i = 0; i < 5; i++) {
        const double exact = 2 * pi * (i / 2) + (i % 2 ? 5 : 1) * pi / 6;
        assert_true(fabs(l.t[i] - exact) < 1e-9 && fabs(l.x[i] - 0.5) < 1e-9);
        assert_int_equal(l.direction[i], i % 2 ? -1 : 1);
    }
    assert_true(fabs(outcome.t - l.t[4]) < 1e-12);
    assert_int_equal(outcome.events, 5);
    assert_int_equal(l.inner, HAMEL_USAGE); // the motion is running
    assert_int_equal(hamel_motion_on_event(w, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 20, NULL, 0, NULL, &outcome), HAMEL_OK); // it goes on
    assert_true(outcome.t == 20);
    assert_int_equal(l.count, 5);
    assert_int_equal(hamel_motion_on_event(NULL, note, &l), HAMEL_USAGE);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

// --- runs that another thread ends ---------------------------------------------------------------

static void *raise_flag(void *flag) {
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    __atomic_store_n((int *)flag, 1, __ATOMIC_RELAXED);
    return NULL;
}

static void another_thread_can_end_a_run(void **state) {
    (void)state;
    volatile int flag = 0;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w;
    hamel_model *m = read_text(ctx, SPRING);
    const hamel_run run = {.execute = "interpreted", .method = "dop853", .interrupted = &flag};
    assert_int_equal(hamel_model_prepare(m, &run, &w), HAMEL_OK);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, raise_flag, (void *)&flag), 0);
    hamel_outcome outcome;
    assert_int_equal(hamel_motion_run(w, 1e9, NULL, 0, NULL, &outcome), HAMEL_NUMERICS);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_string_equal(outcome.words, "interrupted");
    assert_true(outcome.t > 0 && outcome.t < 1e9);
    flag = 0; // and it goes on from there
    assert_int_equal(hamel_motion_run(w, outcome.t + 1, NULL, 0, NULL, &outcome), HAMEL_OK);
    assert_int_equal(pthread_create(&thread, NULL, raise_flag, (void *)&flag), 0);
    hamel_trajectory *rows;
    const hamel_run long_run = {
        .execute = "interpreted", .until = 1e9, .interval = 1e6, .interrupted = &flag};
    assert_int_equal(hamel_model_trajectory(m, &long_run, &rows), HAMEL_NUMERICS);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_non_null(strstr(hamel_trajectory_summary(rows, HAMEL_TEXT), "interrupted"));
    hamel_trajectory_free(rows);
    hamel_motion_free(w);
    flag = 0; // of a context: whatever it is doing
    hamel_equations *eq;
    hamel_model *large;
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.interrupted = &flag}), HAMEL_OK);
    assert_int_equal(hamel_model_open(ctx, "bicycle", &large), HAMEL_OK);
    flag = 1;
    assert_int_equal(hamel_model_equations(large, NULL, &eq), HAMEL_LIMIT);
    assert_null(eq);
    hamel_context_destroy(ctx);
}

// The flag of a run is the one that its motion looks at, whatever became of the model's.
static void a_motion_has_a_flag_of_its_own(void **state) {
    (void)state;
    volatile int models = 0, own = 0;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w, *copy;
    hamel_field *f;
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.interrupted = &models}), HAMEL_OK);
    const hamel_run run = {.execute = "interpreted", .interrupted = &own};
    assert_int_equal(hamel_model_prepare(read_text(ctx, SPRING), &run, &w), HAMEL_OK);
    hamel_context_destroy(ctx);
    models = 1;
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_copy(w, &copy), HAMEL_OK);
    assert_int_equal(hamel_motion_field(w, HAMEL_FIELD_ALL, &f), HAMEL_OK);
    own = 1;
    assert_int_equal(hamel_motion_run(w, 2, NULL, 0, NULL, NULL), HAMEL_NUMERICS);
    assert_int_equal(hamel_motion_run(copy, 2, NULL, 0, NULL, NULL), HAMEL_NUMERICS);
    hamel_motion_free(w);
    hamel_motion_free(copy);
    hamel_field_free(f);
}

static void one_step_after_another_is_the_run(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_motion *w;
    double whole[MOST], steps[MOST], row[MOST];
    assert_int_equal(hamel_model_open(ctx, "sleigh", &m), HAMEL_OK);
    const hamel_run run = {.execute = "interpreted", .method = "dop853", .tolerance = 1e-12};
    assert_int_equal(hamel_model_prepare(m, &run, &w), HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 3, NULL, 0, NULL, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_now(w, NULL, whole, NULL), HAMEL_OK);
    assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
    hamel_outcome outcome = {0};
    double before = 0;
    int count = 0;
    for (; outcome.t < 3; count++) {
        assert_int_equal(hamel_motion_run(w, 3, NULL, 1, row, &outcome), HAMEL_OK);
        assert_true(outcome.t > before && row[0] == outcome.t && outcome.rows == 1);
        before = outcome.t;
    }
    assert_true(count > 5);
    assert_int_equal(hamel_motion_now(w, NULL, steps, NULL), HAMEL_OK);
    for (size_t i = 0; i < hamel_motion_count(w, HAMEL_STATE); i++)
        assert_true(fabs(steps[i] - whole[i]) < 1e-10);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

static void a_call_heeds_the_limits_of_its_motion(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w;
    hamel_outcome outcome;
    const hamel_run run = {.execute = "interpreted", .method = "dop853"};
    assert_int_equal(hamel_model_prepare(read_text(ctx, SPRING), &run, &w), HAMEL_OK);
    assert_int_equal(hamel_context_limit(hamel_motion_context(w), &(hamel_limits){.time = 0.5}),
                     HAMEL_OK);
    assert_int_equal(hamel_motion_run(w, 1e9, NULL, 0, NULL, &outcome), HAMEL_LIMIT);
    assert_true(outcome.t > 0 && outcome.t < 1e9);
    assert_int_equal(hamel_motion_run(w, outcome.t + 1, NULL, 0, NULL, &outcome), HAMEL_OK);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spring_has_its_closed_form),
        cmocka_unit_test(jacobians_are_those_of_differences),
        cmocka_unit_test(rows_and_series_are_those_of_a_motion),
        cmocka_unit_test(many_rates_come_in_one_call),
        cmocka_unit_test(threads_find_what_one_thread_finds),
        cmocka_unit_test(wrong_uses_are_answered),
        cmocka_unit_test(data_have_an_end),
        cmocka_unit_test(an_input_is_held_at_a_value),
        cmocka_unit_test(what_is_no_input_is_told),
        cmocka_unit_test(events_are_told_and_can_end_a_run),
        cmocka_unit_test(another_thread_can_end_a_run),
        cmocka_unit_test(a_motion_has_a_flag_of_its_own),
        cmocka_unit_test(one_step_after_another_is_the_run),
        cmocka_unit_test(a_call_heeds_the_limits_of_its_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
