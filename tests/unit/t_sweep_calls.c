// Sweeps by the library: chunks in any order, by whatever worker, come together to what one call
// gives; callbacks see each run once, may end the sweep, and runs are those of a motion.
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
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "hamel.h"

static const char *const VARY[] = {"theta1=-1..1 count 30", "theta2=0.25..0.5 count 10"};
static const char *const COLLECT[] = {"top = max(theta1), end = final(theta2)"};
enum { RUNS = 300 };
static const hamel_sweep ASKED = {
    .vary = VARY, .vary_count = 2, .collect = COLLECT, .collect_count = 1, .threads = 2};
static const hamel_run RUN = {.until = 1, .tolerance = 1e-8, .execute = "interpreted"};

static hamel_model *open_model(hamel_context *ctx, const char *name) {
    hamel_model *m = NULL;
    assert_int_equal(hamel_model_open(ctx, name, &m), HAMEL_OK);
    return m;
}

static void good(hamel_context *ctx, hamel_status status) {
    if (!status) return;
    char *said = hamel_diagnostics(ctx);
    fail_msg("%s", said);
}

// --- what callbacks see --------------------------------------------------------------------------

typedef struct {
    double value[RUNS][2], number[RUNS][2];
    int seen[RUNS];
    unsigned long long chunks, most; // it ends behind so many; 0: never
} seen_runs;

static int look(const hamel_sweep_chunk *c, void *data) {
    seen_runs *s = data;
    assert_int_equal(c->values, 2);
    assert_int_equal(c->collected, 2);
    for (unsigned long long i = 0; i < c->count; i++) {
        memcpy(s->value[c->first + i], c->value + 2 * i, sizeof s->value[0]);
        memcpy(s->number[c->first + i], c->number + 2 * i, sizeof s->number[0]);
        s->seen[c->first + i]++;
        assert_string_equal(c->ended[i], "end");
        assert_true(c->end[i] == 1);
    }
    return ++s->chunks == s->most;
}

static void all_runs(seen_runs *out) {
    hamel_context *ctx = hamel_context_create();
    hamel_sweep asked = ASKED;
    char *result;
    asked.chunk = look, asked.data = out;
    good(ctx,
         hamel_model_sweep(open_model(ctx, "double_pendulum"), &asked, &RUN, HAMEL_TEXT, &result));
    hamel_free(result);
    hamel_context_destroy(ctx);
}

static void each_run_is_told_once_and_is_that_of_a_motion(void **state) {
    (void)state;
    static seen_runs s;
    hamel_context *ctx = hamel_context_create();
    hamel_motion *w;
    all_runs(&s);
    good(ctx, hamel_model_prepare(open_model(ctx, "double_pendulum"), &RUN, &w));
    for (int i = 0; i < RUNS; i++) {
        char at[100];
        double t, z[4];
        assert_int_equal(s.seen[i], 1);
        if (i % 37) continue;
        snprintf(at, sizeof at, "theta1=%.17g, theta2=%.17g", s.value[i][0], s.value[i][1]);
        assert_int_equal(hamel_motion_start_at(w, at), HAMEL_OK);
        assert_int_equal(hamel_motion_run(w, 1, NULL, 0, NULL, NULL), HAMEL_OK);
        hamel_motion_now(w, &t, z, NULL);
        // %.17g is another rational than the double: the last digit of the start may differ
        assert_true(fabs(z[1] - s.number[i][1]) < 1e-13);
    }
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

static void a_callback_may_end_it(void **state) {
    (void)state;
    static seen_runs s;
    hamel_context *ctx = hamel_context_create();
    hamel_sweep asked = ASKED;
    char *result, *said;
    memset(&s, 0, sizeof s);
    asked.chunk = look, asked.data = &s, s.most = 2;
    assert_int_equal(
        hamel_model_sweep(open_model(ctx, "double_pendulum"), &asked, &RUN, HAMEL_TEXT, &result),
        HAMEL_NUMERICS);
    said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "interrupted"));
    assert_non_null(strstr(result, "of them finished"));
    hamel_free(said), hamel_free(result);
    hamel_context_destroy(ctx);
}

static void what_is_resumed_computes_no_finished_run_again(void **state) {
    (void)state;
    static seen_runs s;
    char folder[] = "/tmp/hamel-sweep-XXXXXX", file[sizeof folder + 10];
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/rows.csv", folder);
    memset(&s, 0, sizeof s);
    for (int attempt = 0; attempt < 2; attempt++) {
        hamel_context *ctx = hamel_context_create();
        hamel_sweep asked = ASKED;
        char *result;
        asked.output = file, asked.resume = attempt;
        asked.chunk = look, asked.data = &s, s.chunks = 0, s.most = attempt ? 0 : 3;
        assert_int_equal(hamel_model_sweep(open_model(ctx, "double_pendulum"), &asked, &RUN,
                                           HAMEL_TEXT, &result),
                         attempt ? HAMEL_OK : HAMEL_NUMERICS);
        assert_true(s.chunks >= 3);
        hamel_free(result);
        hamel_context_destroy(ctx);
    }
    for (int i = 0; i < RUNS; i++) assert_int_equal(s.seen[i], 1);
    remove(file), rmdir(folder);
}

// --- in parts ------------------------------------------------------------------------------------

typedef struct {
    char *text;
    size_t length;
} written;

static int gather(const void *bytes, size_t size, void *data) {
    written *w = data;
    w->text = realloc(w->text, w->length + size + 1);
    memcpy(w->text + w->length, bytes, size);
    w->length += size, w->text[w->length] = '\0';
    return 1;
}

typedef struct {
    hamel_sweep_job *job;
    unsigned worker;
    unsigned long long *chunk, count;
    char *bytes; // of each
} share;

static void *compute(void *of) {
    const share *s = of;
    const size_t size = hamel_sweep_chunk_bytes(s->job);
    for (unsigned long long i = 0; i < s->count; i++)
        if (hamel_sweep_compute(s->job, s->worker, s->chunk[i], s->bytes + i * size)) return of;
    return NULL;
}

static void chunks_in_any_order_come_to_the_same_bytes(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = open_model(ctx, "double_pendulum");
    written whole = {0}, parts = {0};
    hamel_sweep asked = ASKED;
    hamel_run run = RUN;
    hamel_sweep_job *job;
    char *result;
    asked.output = "-", run.write = gather, run.data = &whole;
    good(ctx, hamel_model_sweep(m, &asked, &run, HAMEL_TEXT, &result));
    hamel_free(result);
    run.data = &parts;
    good(ctx, hamel_sweep_prepare(m, &asked, &run, 2, &job));
    hamel_context_destroy(ctx); // the job outlives the model
    const unsigned long long chunks = hamel_sweep_count(job, HAMEL_SWEEP_CHUNKS);
    assert_int_equal(hamel_sweep_count(job, HAMEL_SWEEP_RUNS), RUNS);
    assert_true(chunks > 10);
    assert_string_equal(hamel_sweep_name(job, HAMEL_SWEEP_VARIED, 1), "theta2");
    assert_string_equal(hamel_sweep_name(job, HAMEL_SWEEP_COLLECTED, 1), "end");
    assert_null(hamel_sweep_name(job, HAMEL_SWEEP_COLLECTED, 2));
    const size_t size = hamel_sweep_chunk_bytes(job);
    unsigned long long *order = malloc(sizeof *order * chunks);
    char *bytes = malloc(size * chunks);
    uint64_t stream = 7;
    for (unsigned long long i = 0; i < chunks; i++) {
        const unsigned long long k = random_next(&stream) % (i + 1);
        order[i] = order[k], order[k] = i;
    }
    const unsigned long long half = chunks / 3;
    share first = {job, 0, order, half, bytes},
          second = {job, 1, order + half, chunks - half, bytes + size * half};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, compute, &first), 0);
    assert_null(compute(&second));
    void *failed;
    pthread_join(thread, &failed);
    assert_null(failed);
    for (unsigned long long i = chunks; i-- > 0;) {
        assert_false(hamel_sweep_has(job, order[i]));
        good(hamel_sweep_context(job), hamel_sweep_put(job, order[i], bytes + size * i));
        assert_true(hamel_sweep_has(job, order[i]));
    }
    good(hamel_sweep_context(job), hamel_sweep_finish(job, HAMEL_TEXT, &result));
    hamel_free(result);
    hamel_sweep_free(job);
    assert_string_equal(parts.text, whole.text);
    free(order), free(bytes), free(parts.text), free(whole.text);
}

static void what_there_is_not_is_refused(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = open_model(ctx, "double_pendulum");
    hamel_sweep asked = ASKED;
    hamel_sweep_job *job;
    char *result;
    double row[100];
    const double now[] = {0};
    asked.output = "";
    good(ctx, hamel_sweep_prepare(m, &asked, &RUN, 1, &job));
    char *bytes = malloc(hamel_sweep_chunk_bytes(job));
    const unsigned long long chunks = hamel_sweep_count(job, HAMEL_SWEEP_CHUNKS);
    assert_int_equal(hamel_sweep_compute(job, 1, 0, bytes), HAMEL_USAGE);
    assert_int_equal(hamel_sweep_compute(job, 0, chunks, bytes), HAMEL_USAGE);
    assert_int_equal(hamel_sweep_compute(job, 0, chunks - 1, bytes), HAMEL_OK);
    assert_int_equal(hamel_sweep_put(job, 0, bytes), HAMEL_USAGE); // it computes only
    assert_int_equal(hamel_sweep_trajectories(job, 0, RUNS, 1, now, 1, row), HAMEL_USAGE);
    assert_int_equal(hamel_sweep_trajectories(job, 0, RUNS + 1, 0, now, 1, row), HAMEL_USAGE);
    assert_int_equal(hamel_sweep_compute(NULL, 0, 0, bytes), HAMEL_USAGE);
    assert_int_equal(hamel_sweep_put(job, 0, NULL), HAMEL_USAGE);
    assert_int_equal(hamel_sweep_count(NULL, HAMEL_SWEEP_RUNS), 0);
    assert_int_equal(hamel_sweep_has(NULL, 0), 0);
    hamel_sweep_free(job);
    hamel_sweep_free(NULL);
    free(bytes);
    asked.collect_count = 0;
    assert_int_equal(hamel_model_sweep(m, &asked, &RUN, HAMEL_TEXT, &result), HAMEL_USAGE);
    asked = ASKED, asked.vary_count = 0;
    assert_int_equal(hamel_model_sweep(m, &asked, &RUN, HAMEL_TEXT, &result), HAMEL_USAGE);
    const char *const none[] = {NULL};
    for (int i = 0; i < 4; i++) { // lists that are not there, and texts in them
        asked = ASKED;
        if (i % 2) asked.vary = i < 2 ? NULL : none, asked.vary_count = 1;
        else asked.collect = i < 2 ? NULL : none, asked.collect_count = 1;
        assert_int_equal(hamel_model_sweep(m, &asked, &RUN, HAMEL_TEXT, &result), HAMEL_USAGE);
        assert_int_equal(hamel_sweep_prepare(m, &asked, &RUN, 1, &job), HAMEL_USAGE);
    }
    hamel_context_destroy(ctx);
}

static void trajectories_are_those_of_a_motion(void **state) {
    (void)state;
    enum { TIMES = 5, FIRST = 120, COUNT = 3 };
    const double times[TIMES] = {0, 0.25, 0.5, 0.75, 1};
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = open_model(ctx, "double_pendulum");
    hamel_sweep asked = ASKED;
    hamel_sweep_job *job;
    hamel_motion *w;
    asked.output = "";
    good(ctx, hamel_sweep_prepare(m, &asked, &RUN, 1, &job));
    good(ctx, hamel_model_prepare(m, &RUN, &w));
    const size_t columns = (size_t)hamel_sweep_count(job, HAMEL_SWEEP_COLUMNS);
    assert_int_equal(columns, hamel_motion_count(w, HAMEL_COLUMN));
    assert_string_equal(hamel_sweep_name(job, HAMEL_SWEEP_COLUMNS, 1), "theta1");
    double *rows = malloc(sizeof(double) * columns * TIMES * COUNT),
           *alone = malloc(sizeof(double) * columns * TIMES);
    assert_int_equal(hamel_sweep_trajectories(job, 0, FIRST, COUNT, times, TIMES, rows), HAMEL_OK);
    for (size_t i = 0; i < COUNT; i++) {
        // starts at rest: the start of the row is all there is to know
        const double *row = rows + i * TIMES * columns, z[4] = {row[1], row[2], row[3], row[4]};
        assert_int_equal(hamel_motion_start(w, 0, z), HAMEL_OK);
        assert_int_equal(hamel_motion_run(w, 1, times, TIMES, alone, NULL), HAMEL_OK);
        assert_memory_equal(alone, row, sizeof(double) * columns * TIMES);
    }
    assert_true(rows[1] != rows[TIMES * columns + 1] || rows[2] != rows[TIMES * columns + 2]);
    free(rows), free(alone);
    hamel_sweep_free(job);
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

static void a_motion_begins_when_its_parameters_say(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_motion *w;
    static const char late[] = "param a = 1\ncoord x\nkinetic x'^2/2\npotential x^2/2\n"
                               "initial x = 1\nsimulate t = a .. a + 3\n";
    good(ctx, hamel_model_parse(ctx, "late", late, sizeof late - 1, &m));
    good(ctx, hamel_model_prepare(m, &(hamel_run){.tolerance = 1e-8}, &w));
    for (double a = 1; a < 4; a++) {
        double t = NAN, row[3];
        assert_int_equal(hamel_motion_set(w, "a", a), HAMEL_OK);
        assert_int_equal(hamel_motion_start(w, 0, NULL), HAMEL_OK);
        assert_int_equal(hamel_motion_now(w, &t, NULL, NULL), HAMEL_OK);
        assert_true(t == a);
        assert_int_equal(hamel_motion_run(w, 5, (const double[]){5}, 1, NULL, NULL), HAMEL_OK);
        assert_int_equal(hamel_motion_now(w, NULL, row, NULL), HAMEL_OK);
        assert_true(fabs(row[0] - cos(5 - a)) < 1e-7);
    }
    hamel_motion_free(w);
    hamel_context_destroy(ctx);
}

// Height of a ball that was dropped from h, by the parabolas between its bounces
static double height(double h, double e, double t) {
    const double g = 9.81, t1 = sqrt(2 * h / g);
    double v = sqrt(2 * g * h), from = t1;
    if (t < t1) return h - g * t * t / 2;
    while (v > 1e-11) {
        v *= e;
        if (t < from + 2 * v / g) return v * (t - from) - g * (t - from) * (t - from) / 2;
        from += 2 * v / g;
    }
    return 0;
}

static void trajectories_follow_contacts(void **state) {
    (void)state;
    enum { TIMES = 9, COUNT = 8 };
    static const double times[2][TIMES] = {{0, 0.1, 0.6, 0.7, 1.1, 1.9, 2.3, 2.75, 4},
                                           {1e-3, 0.2, 0.5, 0.8, 1.3, 2, 2.25, 3.5, 4.75}};
    const char *const vary[] = {"z in {-1, 0.5, 1, 2}", "e in {0.25, 0.85}"};
    const char *const collect[] = {"end = final(z)"};
    const hamel_sweep asked = {
        .vary = vary, .vary_count = 2, .collect = collect, .collect_count = 1, .output = ""};
    const double h[] = {-1, 0.5, 1, 2}, e[] = {0.25, 0.85};
    hamel_context *ctx = hamel_context_create();
    hamel_sweep_job *job;
    good(ctx,
         hamel_sweep_prepare(open_model(ctx, "bouncing_ball"), &asked, &(hamel_run){0}, 2, &job));
    const size_t columns = (size_t)hamel_sweep_count(job, HAMEL_SWEEP_COLUMNS);
    double *rows = malloc(sizeof(double) * columns * TIMES * COUNT);
    for (unsigned k = 0; k < 2; k++) {
        good(ctx, hamel_sweep_trajectories(job, k, 0, COUNT, times[k], TIMES, rows));
        for (size_t i = 0; i < COUNT * TIMES; i++) {
            const double *row = rows + i * columns, t = times[k][i % TIMES], z = h[i / TIMES / 2];
            if (z < 0) assert_true(isnan(row[0]) && isnan(row[2])); // it begins below the floor
            else assert_true(row[0] == t);
            if (z >= 0) assert_true(fabs(row[2] - height(z, e[i / TIMES % 2], t)) < 1e-9);
        }
    }
    free(rows);
    hamel_sweep_free(job);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_is_told_once_and_is_that_of_a_motion),
        cmocka_unit_test(a_callback_may_end_it),
        cmocka_unit_test(what_is_resumed_computes_no_finished_run_again),
        cmocka_unit_test(chunks_in_any_order_come_to_the_same_bytes),
        cmocka_unit_test(what_there_is_not_is_refused),
        cmocka_unit_test(trajectories_are_those_of_a_motion),
        cmocka_unit_test(a_motion_begins_when_its_parameters_say),
        cmocka_unit_test(trajectories_follow_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
