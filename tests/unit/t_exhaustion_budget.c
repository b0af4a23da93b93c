// Calls that are interrupted, or that reach their limit of memory, at any allocation, also inside
// FLINT: status 6 and a word about it, nothing left behind, and other contexts go on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <malloc.h>

#include <cmocka.h>

#include "base/context.h"
#include "hamel.h"
#include "support/exhaustion.h"
#include "support/random_text.h"
#include "support/support.h"

static void every_call_can_be_interrupted(void **state) {
    exhaust_model(&(exhaustion){.kind = EXHAUST_INTERRUPT,
                                .model = "sleigh",
                                .folder = *state,
                                .cases = run_cases(20, 200)});
}

static void every_call_keeps_within_its_memory(void **state) {
    exhaust_model(&(exhaustion){
        .kind = EXHAUST_LIMIT, .model = "sleigh", .folder = *state, .cases = run_cases(20, 200)});
}

// What the account says is what the blocks in the ring have: those of FLINT, which are counted as
// they were asked for, are not kept between calls but for the numbers of the pool.
static void the_account_of_memory_is_right(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    char *result;
    assert_int_equal(hamel_model_open(ctx, "rolling_disc", &m), HAMEL_OK);
    assert_int_equal(hamel_model_derive(m, "all", HAMEL_TEXT, 0, &result), HAMEL_OK);
    size_t sum = 0;
    for (const memory_block *b = ctx->blocks.after; b != &ctx->blocks; b = b->after)
        sum += malloc_usable_size((void *)(uintptr_t)b);
    assert_true(ctx->budget.held <= sum && ctx->budget.held > sum - sum / 10);
    hamel_free(result);
    hamel_context_destroy(ctx);
}

static void an_interrupted_call_says_so(void **state) {
    (void)state;
    static volatile int interrupted = 1;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    char *result, *said;
    assert_int_equal(hamel_model_open(ctx, "rattleback", &m), HAMEL_OK);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.interrupted = &interrupted}),
                     HAMEL_OK);
    assert_int_equal(hamel_model_derive(m, "all", HAMEL_TEXT, 0, &result), HAMEL_LIMIT);
    assert_null(result);
    said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "interrupted while deriving the equations of `rattleback`"));
    hamel_free(said);
    hamel_context_destroy(ctx);
}

// 10^-9 seconds are over at the first look.
static void time_that_is_over_ends_a_call(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    char *result, *said;
    assert_int_equal(hamel_model_open(ctx, "rattleback", &m), HAMEL_OK);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.time = 1e-9}), HAMEL_OK);
    assert_int_equal(hamel_model_derive(m, "all", HAMEL_TEXT, 0, &result), HAMEL_LIMIT);
    assert_null(result);
    said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "limit reached while deriving the equations of `rattleback`: time "
                                 "(at most 1e-09 s)"));
    assert_int_equal(hamel_model_check(m, HAMEL_TEXT, 0, &result), HAMEL_LIMIT);
    hamel_free(said);
    hamel_context_destroy(ctx);
}

static int take_bytes(const void *bytes, size_t size, void *data) {
    (void)bytes, (void)data;
    *(size_t *)data += size;
    return 1;
}

// What was computed is there, and the context is not closed.
static void a_run_whose_time_is_over_keeps_its_rows(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    hamel_model *m;
    char *result, *said;
    size_t bytes = 0;
    const hamel_run run = {.until = 1e9,
                           .interval = 100,
                           .output = "-",
                           .write = take_bytes,
                           .data = &bytes,
                           .execute = "interpreted",
                           .method = "dop853"};
    assert_int_equal(hamel_model_open(ctx, "pendulum", &m), HAMEL_OK);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.time = 0.5}), HAMEL_OK);
    assert_int_equal(hamel_model_simulate(m, &run, HAMEL_TEXT, &result), HAMEL_LIMIT);
    assert_non_null(result);
    assert_non_null(strstr(result, "limit reached: time (at most 0.5 s)"));
    assert_true(bytes > 100);
    said = hamel_diagnostics(ctx);
    assert_non_null(strstr(said, "--limit time=5"));
    hamel_free(said), hamel_free(result);
    assert_int_equal(hamel_context_limit(ctx, NULL), HAMEL_OK);
    assert_int_not_equal(hamel_model_check(m, HAMEL_TEXT, 0, &result), HAMEL_LIMIT);
    hamel_free(result);
    hamel_context_destroy(ctx);
}

static void limits_beyond_reason_are_refused(void **state) {
    (void)state;
    hamel_context *ctx = hamel_context_create();
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.time = -1}), HAMEL_USAGE);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.nodes = ~0ull}), HAMEL_USAGE);
    assert_int_equal(hamel_context_limit(ctx, &(hamel_limits){.bytes = ~0ull}), HAMEL_USAGE);
    hamel_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_can_be_interrupted),
        cmocka_unit_test(every_call_keeps_within_its_memory),
        cmocka_unit_test(the_account_of_memory_is_right),
        cmocka_unit_test(an_interrupted_call_says_so),
        cmocka_unit_test(time_that_is_over_ends_a_call),
        cmocka_unit_test(a_run_whose_time_is_over_keeps_its_rows),
        cmocka_unit_test(limits_beyond_reason_are_refused),
    };
    return cmocka_run_group_tests(tests, cache_make, cache_remove);
}
