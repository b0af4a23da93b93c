// Memory that runs out at a chosen allocation of every public call: what the call must answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    hamel_trajectory *rows;
    hamel_verdicts *verdicts;
    hamel_equations *equations;
    const char *folder;
    char file[200];
} attempt;

static void release(attempt *a) {
    hamel_free(a->result), a->result = NULL;
    hamel_trajectory_free(a->rows), a->rows = NULL;
    hamel_verdicts_free(a->verdicts), a->verdicts = NULL;
    hamel_equations_free(a->equations), a->equations = NULL;
}

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

static hamel_status set(attempt *a) { return hamel_context_set(a->ctx, "g = 9.81"); }
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
static hamel_status assemble(attempt *a) {
    return hamel_model_assemble(a->m, "t=0", 30, HAMEL_TEXT, &a->result);
}
static hamel_status double_constant(attempt *a) {
    return hamel_model_double(a->m, "N", NULL, NULL, 15, HAMEL_TEXT, &a->result);
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
static hamel_status resume(attempt *a) {
    hamel_run run = short_run;
    run.until = 0.4, run.resume = path(a, "run.h5");
    return hamel_model_simulate(a->m, &run, HAMEL_TEXT, &a->result);
}
static hamel_status compiled(attempt *a) {
    hamel_run run = short_run;
    run.execute = "compiled";
    return hamel_model_simulate(a->m, &run, HAMEL_TEXT, &a->result);
}
static hamel_status plot_file(attempt *a) {
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

static hamel_status steady(attempt *a) {
    return hamel_model_steady(a->m, NULL, HAMEL_TEXT, &a->result);
}
static hamel_status matrices(attempt *a) {
    return hamel_model_matrices(a->m, "multipliers", HAMEL_NUMPY, &a->result);
}
static hamel_status linearise(attempt *a) {
    return hamel_model_linearise(a->m, NULL, NULL, HAMEL_LINEARISE_SYMBOLIC, HAMEL_JSON,
                                 &a->result);
}

static hamel_status section(attempt *a) {
    const hamel_section asked = {.event = "t - 0.05"};
    return hamel_model_section(a->m, &asked, &short_run, HAMEL_JSON, &a->result);
}
static hamel_status stability(attempt *a) {
    return hamel_model_stability(a->m, NULL, "m = 1..2", NULL, HAMEL_JSON, &a->result);
}

static hamel_status follow(attempt *a) {
    const hamel_continue asked = {.vary = "m = 1..2", .branches = 2, .steps = 10};
    return hamel_model_continue(a->m, &asked, HAMEL_JSON, &a->result);
}

static hamel_status follow_orbits(attempt *a) {
    const hamel_continue asked = {
        .vary = "m = 1..2", .orbit = 1, .period = "2*m/m", .branches = 2, .steps = 3};
    return hamel_model_continue(a->m, &asked, HAMEL_JSON, &a->result);
}

static hamel_status sensitivity(attempt *a) {
    return hamel_model_sensitivity(a->m, &short_run, NULL, NULL, 0, HAMEL_TEXT, &a->result);
}
static hamel_status lyapunov(attempt *a) {
    return hamel_model_lyapunov(a->m, &short_run, HAMEL_JSON, &a->result);
}
static hamel_status orbit(attempt *a) {
    return hamel_model_orbit(a->m, &short_run, "0.1*pi/3", HAMEL_JSON, &a->result);
}

static hamel_status trajectory(attempt *a) {
    return hamel_model_trajectory(a->m, &short_run, &a->rows);
}
static hamel_status trajectory_of_csv(attempt *a) {
    return hamel_file_trajectory(a->ctx, path(a, "run.csv"), &a->rows);
}
static hamel_status judge(attempt *a) {
    return hamel_model_judge(a->m, "maggi,multipliers", 1, 0, &a->verdicts);
}
static hamel_status equations(attempt *a) {
    return hamel_model_equations(a->m, NULL, &a->equations);
}

// Both answer with NULL where memory runs out, and the context with HAMEL_LIMIT from then on
static hamel_status unit_and_value(attempt *a) {
    double value;
    const char *name = hamel_model_listed(a->m, "parameters", 0);
    hamel_model_unit(a->m, name), hamel_model_value(a->m, name, &value);
    return hamel_model_name(a->m) ? HAMEL_OK : HAMEL_LIMIT;
}

static hamel_status open_and_write_csv(attempt *a) { return open_model(a) || dop853_to_csv(a); }
static hamel_status open_and_write_hdf5(attempt *a) { return open_model(a) || cvode_to_hdf5(a); }

typedef hamel_status call_made(attempt *a);
static const struct {
    const char *name;
    call_made *make, *before; // what is called first, with memory; NULL: nothing
} CALLS[] = {{"open", open_model, NULL},
             {"set", set, NULL},
             {"check", check, open_model},
             {"check as JSON", check_json, open_model},
             {"describe", describe, open_model},
             {"derive", derive, open_model},
             {"evaluate", evaluate, open_model},
             {"assemble", assemble, open_model},
             {"double", double_constant, open_model},
             {"forms", forms, open_model},
             {"taylor", taylor, open_model},
             {"dop853", dop853_to_csv, open_model},
             {"bdf", cvode_to_hdf5, open_model},
             {"ida", ida_to_npz, open_model},
             {"verified", verified, open_model},
             {"compiled", compiled, open_model},
             {"resume", resume, open_and_write_hdf5},
             {"plot", plot, open_model},
             {"section", section, open_model},
             {"plot of a file", plot_file, open_and_write_csv},
             {"compare", compare, open_model},
             {"report", report, open_model},
             {"codegen", codegen, open_model},
             {"prove", prove, open_model},
             {"transpose", transpose, open_model},
             {"steady", steady, open_model},
             {"linearise", linearise, open_model},
             {"matrices", matrices, open_model},
             {"stability", stability, open_model},
             {"continue", follow, open_model},
             {"continue orbits", follow_orbits, open_model},
             {"sensitivity", sensitivity, open_model},
             {"lyapunov", lyapunov, open_model},
             {"orbit", orbit, open_model},
             {"trajectory", trajectory, open_model},
             {"trajectory of a .csv file", trajectory_of_csv, open_and_write_csv},
             {"judge", judge, open_model},
             {"equations", equations, open_model},
             {"unit and value", unit_and_value, open_model}};
enum { CALL_COUNT = sizeof CALLS / sizeof *CALLS };

// --- one failure ---------------------------------------------------------------------------------

// Runs that memory has ended leave their journal, and the next one would not write over it.
static void remove_journals(attempt *a) {
    static const char *const left[] = {"run.csv.journal", "run.h5.journal", "run.npz.journal"};
    for (int i = 0; i < 3; i++) unlink(path(a, left[i]));
}

static volatile int interrupted;

// From here on the k-th allocation fails, or it is interrupted there, or it may hold k*64 bytes.
static void set_trap(const exhaustion *e, attempt *a, long k, bool for_good) {
    hamel_limits limits = {.interrupted = &interrupted};
    interrupted = 0;
    if (e->kind == EXHAUST_LIMIT) limits.memory = 64 * (unsigned long long)k;
    if (e->kind != EXHAUST_MEMORY) assert_int_equal(hamel_context_limit(a->ctx, &limits), HAMEL_OK);
    if (e->kind == EXHAUST_INTERRUPT) exhaust_interrupt_at(k, &interrupted);
    else exhaust_at(e->kind == EXHAUST_MEMORY ? k : 0, for_good);
}

static const char *const SAID[] = {"memory exhausted while ", "interrupted while ",
                                   "limit reached while "};

// A call made on a model, the k-th allocation failing (0: none); what it took
static hamel_status try_call(const exhaustion *e, int which, long k, bool for_good, long *took) {
    attempt a = {.ctx = hamel_context_create(), .name = e->model, .folder = e->folder};
    assert_non_null(a.ctx);
    remove_journals(&a);
    if (CALLS[which].before && CALLS[which].before(&a))
        fail_msg("%s: nothing to %s", e->model, CALLS[which].name);
    release(&a);
    set_trap(e, &a, k, for_good);
    const hamel_status status = CALLS[which].make(&a);
    *took = exhaust_count();
    exhaust_at(0, false), interrupted = 0;
    char *said = hamel_diagnostics(a.ctx);
    assert_non_null(said);
    if (status == HAMEL_LIMIT) {
        if (!strstr(said, SAID[e->kind])) fail_msg("only this is said: %s", said);
        assert_null(a.result);
        assert_true(!a.rows && !a.verdicts && !a.equations);
        assert_int_equal(set(&a), HAMEL_LIMIT); // from here on at once
        if (CALLS[which].before) assert_int_equal(check(&a), HAMEL_LIMIT);
    }
    hamel_free(said);
    hamel_context_destroy(a.ctx);
    release(&a); // what is the caller's outlives the context
    return status;
}

static void fail_at(const exhaustion *e, int which, hamel_status usual, long k, bool for_good) {
    const long living = exhaust_living();
    const int open = exhaust_open();
    long took;
    const hamel_status status = try_call(e, which, k, for_good, &took);
    char where[160];
    snprintf(where, sizeof where, "%s, %s, allocation %ld%s", e->model, CALLS[which].name, k,
             for_good ? " and all later" : "");
    const bool ended = e->kind == EXHAUST_INTERRUPT && status == HAMEL_NUMERICS; // a run, with rows
    if (status != usual && status != HAMEL_LIMIT && !ended)
        fail_msg("%s: status %d", where, status);
    if (exhaust_living() != living)
        fail_msg("%s: %ld blocks are left behind", where, exhaust_living() - living);
    if (exhaust_open() != open) fail_msg("%s: a file stays open", where);
}

static void exhaust_call(const exhaustion *e, int which, uint64_t *state) {
    long most, ignored;
    const hamel_status usual = try_call(e, which, 0, false, &most);
    const long living = exhaust_living();
    assert_int_equal(try_call(e, which, 0, false, &ignored), usual);
    assert_int_equal(exhaust_living(), living); // nothing is left behind where nothing fails
    if (getenv("HAMEL_VERBOSE"))
        fprintf(stderr, "%s, %s: status %d, %ld\n", e->model, CALLS[which].name, usual, most);
    for (int i = 0; i < e->cases && most && run_has_time(); i++) {
        const long k = 1 + (i < e->cases / 4 ? i : (long)(random_next(state) % (uint64_t)most));
        fail_at(e, which, usual, k, i % 2);
    }
}

void exhaust_model(const exhaustion *e) {
    uint64_t state = run_seed(1);
    bool made = false;
    for (int which = 0; which < CALL_COUNT; which++)
        if (!e->only || strcmp(e->only, CALLS[which].name) == 0)
            exhaust_call(e, which, &state), made = true;
    assert_true(made);
}
