// Memory that runs out at any allocation of any public call: the call answers with status 6 and
// says what it was doing, the context closes, nothing stays behind, and other contexts go on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

#include <cmocka.h>

#include "base/random.h"
#include "hamel.h"
#include "support/exhaustion.h"
#include "support/random_text.h"
#include "support/support.h"

static void every_call_answers_when_memory_runs_out(void **state) {
    exhaust_model(
        &(exhaustion){.model = "pendulum", .folder = *state, .cases = run_cases(24, 300)});
}

static void constrained_models_answer_too(void **state) {
    exhaust_model(&(exhaustion){.model = "sleigh", .folder = *state, .cases = run_cases(16, 300)});
}

static void models_with_more_coordinates_answer_too(void **state) {
    static const char *const names[] = {"rolling_disc", "snakeboard", "double_pendulum"};
    for (int i = 0; i < (int)run_size(0, 3); i++)
        exhaust_model(
            &(exhaustion){.model = names[i], .folder = *state, .cases = run_cases(0, 300)});
}

static void doubling_a_constant_answers_too(void **state) {
    exhaust_model(&(exhaustion){.model = "gaponov_machine",
                                .folder = *state,
                                .cases = run_cases(12, 100),
                                .only = "double"});
}

// --- the compiler, and what it made --------------------------------------------------------------

static hamel_status run_compiled_by(const char *compiler, const char *model, const char *set,
                                    char **said) {
    const hamel_run run = {.until = 0.2, .method = "taylor", .execute = "compiled"};
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    char *result;
    assert_int_equal(setenv("CC", compiler, 1), 0);
    if (set) assert_int_equal(hamel_context_set(ctx, set), HAMEL_OK);
    assert_int_equal(hamel_model_open(ctx, model, &m), HAMEL_OK);
    const hamel_status status = hamel_model_simulate(m, &run, HAMEL_TEXT, &result);
    assert_int_equal(unsetenv("CC"), 0);
    *said = hamel_diagnostics(ctx);
    hamel_free(result);
    hamel_context_destroy(ctx);
    return status;
}

// Taylor coefficients of a large model lie on the heap, which compiled code takes by itself: of the
// bicycle written out, of a long snake in loops.
static void compiled_code_that_gets_no_memory_ends_the_run(void **state) {
    char header[200], compiler[300], *said;
    snprintf(header, sizeof header, "%s/refused.h", (const char *)*state);
    snprintf(compiler, sizeof compiler, "cc -include %s", header);
    FILE *f = fopen(header, "w");
    assert_non_null(f);
    fputs("#include <stdlib.h>\n#define malloc(bytes) NULL\n"
          "#define aligned_alloc(to, bytes) NULL\n",
          f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(run_compiled_by(compiler, "bicycle", NULL, &said), HAMEL_LIMIT);
    assert_non_null(strstr(said, "memory exhausted while simulating `bicycle`"));
    hamel_free(said);
    assert_int_equal(run_compiled_by(compiler, "snake", "N=16", &said), HAMEL_LIMIT);
    assert_non_null(strstr(said, "memory exhausted while simulating `snake`"));
    hamel_free(said);
    assert_int_equal(run_compiled_by("cc", "bicycle", NULL, &said), HAMEL_OK);
    assert_string_equal(said, "");
    hamel_free(said);
}

// The equations twice from one context, where another one of the thread dies in between or not.
static char *derived_again(bool with_death) {
    hamel_context *lives = hamel_context_create(), *dies = hamel_context_create();
    hamel_model *a, *b;
    char *result, *none;
    assert_int_equal(hamel_model_open(lives, "rolling_disc", &a), HAMEL_OK);
    assert_int_equal(hamel_model_open(dies, "rolling_disc", &b), HAMEL_OK);
    assert_int_equal(hamel_model_derive(a, "all", HAMEL_TEXT, 0, &result), HAMEL_OK);
    hamel_free(result);
    if (with_death) {
        exhaust_at(20000, true);
        assert_int_equal(hamel_model_derive(b, "all", HAMEL_TEXT, 0, &none), HAMEL_LIMIT);
        exhaust_at(0, false);
        assert_null(none);
        assert_int_equal(hamel_model_check(b, HAMEL_TEXT, 0, &none), HAMEL_LIMIT);
    }
    hamel_context_destroy(dies);
    assert_int_equal(hamel_model_derive(a, "all", HAMEL_TEXT, 0, &result), HAMEL_OK);
    hamel_context_destroy(lives);
    return result;
}

static void a_context_goes_on_while_another_dies(void **state) {
    (void)state;
    char *usual = derived_again(false), *found = derived_again(true);
    assert_string_equal(found, usual);
    hamel_free(usual), hamel_free(found);
}

// --- threads -------------------------------------------------------------------------------------

typedef struct {
    bool starves;
    char *result;
    hamel_status status;
} work;

static void *derive_often(void *data) {
    work *w = data;
    for (int i = 0; i < 4; i++) {
        hamel_context *ctx = hamel_context_create();
        hamel_model *m;
        w->status = hamel_model_open(ctx, "rolling_disc", &m);
        hamel_free(w->result);
        exhaust_at(w->starves ? 3000 + 7919 * i : 0, i % 2);
        if (!w->status) w->status = hamel_model_derive(m, "all", HAMEL_TEXT, 0, &w->result);
        exhaust_at(0, false);
        hamel_context_destroy(ctx);
    }
    return NULL;
}

static void a_thread_goes_on_while_another_has_no_memory(void **state) {
    (void)state;
    work alone = {0}, w[2] = {{0}, {.starves = true}};
    derive_often(&alone);
    pthread_t thread[2];
    for (int i = 0; i < 2; i++) assert_false(pthread_create(&thread[i], NULL, derive_often, &w[i]));
    for (int i = 0; i < 2; i++) assert_false(pthread_join(thread[i], NULL));
    assert_int_equal(w[0].status, HAMEL_OK);
    assert_string_equal(w[0].result, alone.result);
    assert_int_equal(w[1].status, HAMEL_LIMIT);
    hamel_free(alone.result), hamel_free(w[0].result), hamel_free(w[1].result);
}

// --- callbacks -----------------------------------------------------------------------------------

static hamel_status inner;

// Calls the library from inside of a run, on another context and on the same.
static int check_inside(const void *bytes, size_t size, void *data) {
    (void)bytes, (void)size;
    char *result;
    exhaust_at(5, true);
    inner = hamel_model_check(data, HAMEL_TEXT, 0, &result);
    exhaust_at(0, false);
    hamel_free(result);
    return 1;
}

static hamel_status run_with_check_inside(hamel_model *runs, hamel_model *checked) {
    const hamel_run run = {.until = 1,
                           .interval = 0.1,
                           .execute = "interpreted",
                           .output = "-",
                           .write = check_inside,
                           .data = checked};
    char *result;
    const hamel_status status = hamel_model_simulate(runs, &run, HAMEL_TEXT, &result);
    hamel_free(result);
    return status;
}

static void a_callback_that_gets_no_memory_hears_it_first(void **state) {
    (void)state;
    hamel_context *outer = hamel_context_create(), *other = hamel_context_create();
    hamel_model *a, *b;
    assert_int_equal(hamel_model_open(outer, "pendulum", &a), HAMEL_OK);
    assert_int_equal(hamel_model_open(other, "pendulum", &b), HAMEL_OK);
    assert_int_equal(run_with_check_inside(a, b), HAMEL_OK);
    assert_int_equal(inner, HAMEL_LIMIT);
    assert_int_equal(run_with_check_inside(a, a), HAMEL_LIMIT);
    assert_int_equal(inner, HAMEL_LIMIT);
    hamel_context_destroy(outer), hamel_context_destroy(other);
}

// --- runs of a sweep in pieces -------------------------------------------------------------------

// Each has a context of its own: one that memory has ended leaves nothing behind, and the next
// attempt finds the same numbers.
static void runs_in_pieces_are_computed_again(void **state) {
    (void)state;
    const char *const vary[] = {"e in {0, 0.5}", "z in {-1, 0.1}"};
    const char *const collect[] = {"top = max(z), n = count(floor.lands), m = mean(x)"};
    const hamel_sweep asked = {
        .vary = vary, .vary_count = 2, .collect = collect, .collect_count = 1, .output = ""};
    const hamel_run run = {.until = 0.5, .tolerance = 1e-6, .execute = "interpreted"};
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    hamel_sweep_job *job;
    assert_int_equal(hamel_model_open(ctx, "bouncing_ball", &m), HAMEL_OK);
    assert_int_equal(hamel_sweep_prepare(m, &asked, &run, 1, &job), HAMEL_OK);
    const size_t size = hamel_sweep_chunk_bytes(job);
    const unsigned chunks = (unsigned)hamel_sweep_count(job, HAMEL_SWEEP_CHUNKS);
    char *first = malloc(size), *again = malloc(size);
    uint64_t seed = run_seed(2);
    for (unsigned chunk = 0; chunk < chunks; chunk++) {
        exhaust_at(0, false);
        assert_int_equal(hamel_sweep_compute(job, 0, chunk, first), HAMEL_OK);
        const uint64_t most = (uint64_t)exhaust_count();
        assert_true(most > 100);
        long ended = 0;
        for (long i = 0; i < run_cases(30, 300); i++) {
            const long living = exhaust_living();
            const int open = exhaust_open();
            exhaust_at(1 + (long)(random_next(&seed) % most), i % 2);
            const hamel_status status = hamel_sweep_compute(job, 0, chunk, again);
            exhaust_at(0, false);
            assert_true(status == HAMEL_OK || status == HAMEL_LIMIT);
            ended += status == HAMEL_LIMIT;
            if (!status) assert_memory_equal(first, again, size);
            assert_int_equal(exhaust_living(), living);
            assert_int_equal(exhaust_open(), open);
        }
        assert_true(ended > 0);
        assert_int_equal(hamel_sweep_compute(job, 0, chunk, again), HAMEL_OK);
        assert_memory_equal(first, again, size);
    }
    free(first), free(again);
    hamel_sweep_free(job);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_answers_when_memory_runs_out),
        cmocka_unit_test(constrained_models_answer_too),
        cmocka_unit_test(models_with_more_coordinates_answer_too),
        cmocka_unit_test(doubling_a_constant_answers_too),
        cmocka_unit_test(compiled_code_that_gets_no_memory_ends_the_run),
        cmocka_unit_test(a_context_goes_on_while_another_dies),
        cmocka_unit_test(a_thread_goes_on_while_another_has_no_memory),
        cmocka_unit_test(a_callback_that_gets_no_memory_hears_it_first),
        cmocka_unit_test(runs_in_pieces_are_computed_again)};
    return cmocka_run_group_tests(tests, cache_make, cache_remove);
}
