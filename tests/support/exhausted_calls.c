// Memory that runs out at a chosen allocation of every public call: what the call must answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "expr/program.h"
#include "hamel.h"
#include "support/exhaustion.h"
#include "support/random_text.h"

// --- every public call ---------------------------------------------------------------------------

typedef struct {
    hamel_context *ctx;
    hamel_model *m;
    const char *name;
    char *result;
    const char *folder;
    char file[200];
} attempt;

static const char *path(attempt *a, const char *name) {
    snprintf(a->file, sizeof a->file, "%s/%s", a->folder, name);
    return a->file;
}

static int take_bytes(const void *bytes, size_t size, void *data) {
    (void)bytes, (void)size, (void)data;
    return 1;
}

static const hamel_run short_run = {
    .until = 0.2, .interval = 0.1, .execute = "interpreted", .write = take_bytes};

static hamel_status open_model(attempt *a) { return hamel_model_open(a->ctx, a->name, &a->m); }
static hamel_status check(attempt *a) { return hamel_model_check(a->m, HAMEL_TEXT, 0, &a->result); }
static hamel_status check_json(attempt *a) {
    return hamel_model_check(a->m, HAMEL_JSON, 0, &a->result);
}
static hamel_status describe(attempt *a) {
    return hamel_model_describe(a->m, HAMEL_JSON, &a->result);
}
static hamel_status derive(attempt *a) {
    return hamel_model_derive(a->m, "all", HAMEL_LATEX, HAMEL_DERIVE_STATS, &a->result);
}
static hamel_status evaluate(attempt *a) {
    return hamel_model_evaluate(a->m, NULL, "t=0", 30, HAMEL_TEXT, &a->result);
}
static hamel_status forms(attempt *a) { return hamel_forms(a->ctx, a->m, HAMEL_JSON, &a->result); }
static hamel_status simulate_to(attempt *a, const char *method, const char *output) {
    hamel_run run = short_run;
    run.method = method, run.output = output;
    return hamel_model_simulate(a->m, &run, HAMEL_TEXT, &a->result);
}
static hamel_status taylor(attempt *a) { return simulate_to(a, "taylor", "-"); }
static hamel_status dop853_to_csv(attempt *a) {
    return simulate_to(a, "dop853", path(a, "run.csv"));
}
static hamel_status cvode_to_hdf5(attempt *a) { return simulate_to(a, "bdf", path(a, "run.h5")); }
static hamel_status ida_to_npz(attempt *a) { return simulate_to(a, "ida", path(a, "run.npz")); }
static hamel_status verified(attempt *a) {
    hamel_run run = short_run;
    run.verify = 1;
    return hamel_model_simulate(a->m, &run, HAMEL_JSON, &a->result);
}
static hamel_status plot(attempt *a) {
    const hamel_plot to_file = {.output = path(a, "run.svg")};
    return hamel_model_plot(a->m, &short_run, &to_file, &a->result);
}
static hamel_status plot_file(attempt *a) { // of the rows that dop853_to_csv() has written
    const hamel_plot drawn = {0};
    return hamel_file_plot(a->ctx, path(a, "run.csv"), &drawn, NULL, NULL, &a->result);
}
static hamel_status compare(attempt *a) {
    return hamel_model_compare(a->m, "maggi", "multipliers", &short_run, HAMEL_TEXT, &a->result);
}
static hamel_status report(attempt *a) {
    return hamel_model_report(a->m, "maggi", &short_run, HAMEL_HTML, &a->result);
}
static hamel_status codegen(attempt *a) {
    return hamel_model_codegen(a->m, "c", NULL, NULL, path(a, "code"), &a->result);
}
static hamel_status prove(attempt *a) {
    return hamel_model_prove(a->m, "all", 1, HAMEL_TEXT, &a->result);
}
static hamel_status transpose(attempt *a) {
    return hamel_model_transpose(a->m, "a-model", HAMEL_TEXT, &a->result);
}

static hamel_status (*const CALLS[])(attempt *a) = {
    open_model, check,         check_json,    describe,   derive,   evaluate, forms,
    taylor,     dop853_to_csv, cvode_to_hdf5, ida_to_npz, verified, plot,     plot_file,
    compare,    report,        codegen,       prove,      transpose};
enum { CALL_COUNT = sizeof CALLS / sizeof *CALLS, ROWS_WRITTEN = 8 };

// --- one failure ---------------------------------------------------------------------------------

// A model with the call made on it, the k-th allocation failing (0: none); what it took
static hamel_status try_call(const exhaustion *e, int which, long k, bool for_good, long *took) {
    attempt a = {.ctx = hamel_context_create(), .name = e->model, .folder = e->folder};
    assert_non_null(a.ctx);
    if (which && open_model(&a)) fail_msg("%s does not open", e->model);
    exhaust_at(k, for_good);
    const hamel_status status = CALLS[which](&a);
    *took = exhaust_count();
    exhaust_at(0, false);
    char *said = hamel_diagnostics(a.ctx);
    assert_non_null(said);
    if (status == HAMEL_LIMIT) {
        if (!strstr(said, "memory exhausted while ")) fail_msg("only this is said: %s", said);
        assert_null(a.result);
        if (which) assert_int_equal(check(&a), HAMEL_LIMIT); // from here on at once
    }
    hamel_free(said);
    hamel_free(a.result);
    hamel_context_destroy(a.ctx);
    return status;
}

static void fail_at(const exhaustion *e, int which, hamel_status usual, long k, bool for_good) {
    const long living = exhaust_living();
    const int open = exhaust_open();
    long took;
    const hamel_status status = try_call(e, which, k, for_good, &took);
    if (status != usual && status != HAMEL_LIMIT)
        fail_msg("%s, call %d, allocation %ld%s: status %d", e->model, which, k,
                 for_good ? " and all later" : "", status);
    if (exhaust_living() != living)
        fail_msg("%s, call %d, allocation %ld%s: %ld blocks are left behind", e->model, which, k,
                 for_good ? " and all later" : "", exhaust_living() - living);
    if (exhaust_open() != open)
        fail_msg("%s, call %d, allocation %ld: a file stays open", e->model, which, k);
}

void exhaust_model(const exhaustion *e) {
    uint64_t state = run_seed(1);
    for (int which = 0; which < CALL_COUNT; which++) {
        long most, ignored;
        if (CALLS[which] == plot_file) try_call(e, ROWS_WRITTEN, 0, false, &ignored);
        const hamel_status usual = try_call(e, which, 0, false, &most);
        const long living = exhaust_living();
        assert_int_equal(try_call(e, which, 0, false, &ignored), usual);
        assert_int_equal(exhaust_living(), living); // nothing is left behind where nothing fails
        if (getenv("HAMEL_VERBOSE")) fprintf(stderr, "%s %d: %ld\n", e->model, which, most);
        for (int i = 0; i < e->cases; i++) {
            const long k =
                1 + (i < e->cases / 4 ? i : (long)(random_next(&state) % (uint64_t)most));
            fail_at(e, which, usual, k, i % 2);
        }
    }
}

void exhaust_remove(const char *folder) {
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}
