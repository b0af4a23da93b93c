// One strange model through calls of the library, drawn with their arguments.
#include "support/model_calls.h"

#include "support/model_mutation.h"
#include "support/strange_models.h"

#include "base/random.h"
#include "hamel.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// Seconds of the processor that one call may take: what users may wait for, and more under
// sanitizers; the clock may show ten times that on a busy machine.
enum { CALL_SECONDS = 60, CLOCK_FACTOR = 10 };

typedef struct {
    uint64_t random;
    hamel_context *ctx;
    hamel_model *m;
    const char *folder; // where files may be written
    char path[2][200];
    call_progress *p;
} attempt;

static uint32_t below(attempt *a, size_t n) { return (uint32_t)(random_next(&a->random) % n); }

// --- calls ---------------------------------------------------------------------------------------

// Starts the clocks of one call, and notes what it is.
static void begin(attempt *a, const char *name, const char *with) {
    const char *patience = getenv("HAMEL_PATIENCE");
    const long seconds = CALL_SECONDS * (patience && atol(patience) > 1 ? atol(patience) : 1);
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
    alarm((unsigned)(seconds * CLOCK_FACTOR));
    snprintf(a->p->call, sizeof a->p->call, "%s (%s)", name, with ? with : "NULL");
    a->p->calls++;
}

static _Noreturn void complain(attempt *a, const char *what) {
    fprintf(stderr, "%s: %s\n", a->p->call, what);
    _exit(WRONG_ANSWER);
}

// What holds of every call: a status that there is, words where it failed.
static void judge(attempt *a, hamel_status status, char **made, bool has_result) {
    char *result = made ? *made : NULL;
    char *said = hamel_diagnostics(a->ctx);
    if ((int)status < HAMEL_OK || status > HAMEL_LIMIT) complain(a, "a status that is none");
    if (!said) complain(a, "no diagnostics");
    if (status == HAMEL_OK && has_result && !result) complain(a, "done, and no result");
    if (status && status != HAMEL_REFUTED && status != HAMEL_UNDECIDED && !*said && !result)
        complain(a, "it failed without a word");
    hamel_free(said);
    hamel_free(result);
}

// Limits that a call may come to: those of a patient user, now and then some that are soon reached
static void bound(attempt *a) {
    hamel_limits l = {.time = 3, .memory = 2ull << 30, .rows = 100000, .bytes = 100 << 20};
    switch (below(a, 30)) {
    case 0: l.time = 1e-3; break;
    case 1: l.memory = 1 << (16 + below(a, 10)); break;
    case 2: l.nodes = 10u << below(a, 12); break;
    case 3: l.rows = 1 + below(a, 4), l.bytes = 100; break;
    }
    judge(a, hamel_context_limit(a->ctx, &l), NULL, false);
}

static const char *form(attempt *a) { return below(a, 6) ? strange_id(&a->random, "forms") : NULL; }

static const char *forms(attempt *a, char out[100]) {
    if (!below(a, 5)) return below(a, 2) ? "all" : NULL;
    snprintf(out, 100, "%s%s%s", strange_id(&a->random, "forms"), below(a, 3) ? "" : ",",
             below(a, 3) ? "" : strange_id(&a->random, "forms"));
    return out;
}

static hamel_format format(attempt *a) { return (hamel_format)below(a, HAMEL_MATLAB + 1); }
static hamel_format usual_format(attempt *a) {
    return below(a, 20) ? below(a, 2) ? HAMEL_TEXT : HAMEL_JSON : format(a);
}

static const char *at(attempt *a, char out[200]) {
    static const char *const names[] = {"x", "y", "x'", "t", "p'", "q[1]", "θ", "lambda[c]", "x''"};
    if (below(a, 3)) return NULL;
    snprintf(out, 200, "%s=%s, %s = %s", names[below(a, 9)], strange_number(&a->random),
             names[below(a, 9)], strange_number(&a->random));
    return out;
}

static const char *path(attempt *a, int slot, const char *name) {
    snprintf(a->path[slot], sizeof a->path[slot], "%s/%s", a->folder, name);
    return a->path[slot];
}

static int swallow(const void *bytes, size_t size, void *data) {
    (void)bytes, (void)size, (void)data;
    return 1;
}

static double number(attempt *a) {
    static const double numbers[] = {0, 0.1, 1e-3, 1e-6, 1, -1, 1e300, 1e-300, 3, 0.05};
    return numbers[below(a, 10)];
}

// A short run, asked for in every way
static hamel_run short_run(attempt *a, char state[200]) {
    static const char *const execute[] = {NULL, "auto", "interpreted", "interpreted"},
                             *const precision[] = {NULL, NULL, NULL, "double", "long", "quad"},
                             *const outputs[] = {"run.csv", "run.npz", "run.h5"};
    hamel_run r = {.form = form(a),
                   .method = below(a, 3) ? strange_id(&a->random, "methods") : NULL,
                   .at = at(a, state),
                   .execute = execute[below(a, 4)],
                   .precision = precision[below(a, 6)],
                   .until = 0.05,
                   .interval = 0.02,
                   .write = swallow};
    if (!below(a, 6)) r.tolerance = number(a);
    if (!below(a, 6)) r.step = number(a);
    if (!below(a, 20)) r.until = number(a), r.interval = r.until / 7;
    r.verify = !below(a, 8), r.project = !below(a, 8);
    if (!below(a, 3)) r.output = below(a, 2) ? "-" : path(a, 0, outputs[below(a, 3)]);
    return r;
}

static void check(attempt *a) {
    char *result = NULL;
    begin(a, "check", "");
    const hamel_status s = hamel_model_check(a->m, usual_format(a), below(a, 2), &result);
    if (s == HAMEL_OK) a->p->sound++;
    judge(a, s, &result, true);
}

static void describe(attempt *a) {
    char *result = NULL;
    begin(a, "describe", "");
    const hamel_status s = hamel_model_describe(a->m, usual_format(a), &result);
    judge(a, s, &result, true);
}

static void derive(attempt *a) {
    char *result = NULL, list[100];
    const char *asked = forms(a, list);
    begin(a, "derive", asked);
    const hamel_status s = hamel_model_derive(a->m, asked, format(a), below(a, 16), &result);
    judge(a, s, &result, true);
}

static void evaluate(attempt *a) {
    static const unsigned digits[] = {0, 1, 5, 16, 30, 100};
    char *result = NULL, state[200];
    const char *asked = form(a);
    begin(a, "evaluate", asked);
    const hamel_status s = hamel_model_evaluate(a->m, asked, at(a, state), digits[below(a, 6)],
                                                usual_format(a), &result);
    judge(a, s, &result, true);
}

static void assemble(attempt *a) {
    static const unsigned digits[] = {0, 1, 5, 16, 30, 100};
    char *result = NULL, state[200];
    begin(a, "assemble", "");
    const hamel_status s =
        hamel_model_assemble(a->m, at(a, state), digits[below(a, 6)], usual_format(a), &result);
    judge(a, s, &result, true);
}

static void transpose(attempt *a) {
    char *result = NULL;
    const char *asked = below(a, 2) ? "a-model" : strange_id(&a->random, "forms");
    begin(a, "transpose", asked);
    judge(a, hamel_model_transpose(a->m, asked, format(a), &result), &result, true);
}

static void steady(attempt *a) {
    char *result = NULL, state[200];
    static const char *const BOXES[] = {NULL, NULL, "x = -1 .. 2", "theta = 0 .. pi",
                                        "x' = 1 .. 0"};
    const hamel_steady asked = {.at = at(a, state),
                                .box = BOXES[below(a, 5)],
                                .solve = below(a, 4) ? NULL : "m",
                                .trim = below(a, 4) ? NULL : "u",
                                .closed = below(a, 4) == 0};
    begin(a, "steady", asked.box ? asked.box : "");
    judge(a, hamel_model_steady(a->m, &asked, usual_format(a), &result), &result, true);
}

static void matrices(attempt *a) {
    char *result = NULL;
    begin(a, "matrices", "");
    judge(a, hamel_model_matrices(a->m, form(a), format(a), &result), &result, true);
}

static void linearise(attempt *a) {
    char *result = NULL, state[200];
    begin(a, "linearise", "");
    judge(a,
          hamel_model_linearise(a->m, at(a, state), below(a, 3) ? NULL : "x', g", below(a, 2),
                                format(a), &result),
          &result, true);
}

static void stability(attempt *a) {
    char *result = NULL, state[200];
    begin(a, "stability", "");
    judge(a,
          hamel_model_stability(a->m, at(a, state), below(a, 2) ? "m = 1..2" : "x' = 0..1", NULL,
                                usual_format(a), &result),
          &result, true);
}

static void follow(attempt *a) {
    char *result = NULL, state[200];
    begin(a, "continue", "");
    const hamel_continue asked = {.at = at(a, state),
                                  .vary = below(a, 2) ? "m = 1..2" : "x' = 0..1",
                                  .orbit = !below(a, 4),
                                  .branches = 3,
                                  .steps = 30};
    judge(a, hamel_model_continue(a->m, &asked, usual_format(a), &result), &result, true);
}

static void double_constant(attempt *a) {
    char *result = NULL, state[200];
    begin(a, "double", "N");
    judge(a,
          hamel_model_double(a->m, below(a, 4) ? "N" : "a", form(a), at(a, state), 8,
                             usual_format(a), &result),
          &result, true);
}

static void list_forms(attempt *a) {
    char *result = NULL;
    begin(a, "forms", "");
    judge(a, hamel_forms(a->ctx, a->m, usual_format(a), &result), &result, true);
}

static void list_references(attempt *a) {
    char *result = NULL, list[100];
    const char *asked = forms(a, list);
    begin(a, "references", asked);
    judge(a, hamel_model_references(a->m, asked, format(a), &result), &result, true);
}

static void simulate(attempt *a) {
    char *result = NULL, state[200], what[150];
    const hamel_run r = short_run(a, state);
    snprintf(what, sizeof what, "%s, %s, %s", r.form ? r.form : "-", r.method ? r.method : "-",
             r.precision ? r.precision : "-");
    begin(a, "simulate", what);
    judge(a, hamel_model_simulate(a->m, &r, usual_format(a), &result), &result, true);
}

// Every number of it, and every name
static void read_all(attempt *a, const hamel_trajectory *w) {
    double sum = 0;
    hamel_happening h;
    for (size_t c = 0; c < hamel_trajectory_columns(w); c++) {
        const double *x = hamel_trajectory_column(w, c);
        for (size_t i = 0; i < hamel_trajectory_rows(w); i++) sum += x[i] > 0;
        const char *name = hamel_trajectory_name(w, c), *kind = hamel_trajectory_kind(w, c);
        if (!name || !kind || hamel_trajectory_find(w, name) > c) complain(a, "a nameless column");
    }
    for (size_t i = 0; hamel_trajectory_event(w, i, &h); i++)
        if (!h.name || !h.kind) complain(a, "a nameless event");
    if (!hamel_trajectory_summary(w, HAMEL_TEXT) || sum < 0) complain(a, "no summary");
}

static void trajectory(attempt *a) {
    char state[200];
    hamel_trajectory *w;
    const hamel_run r = short_run(a, state);
    begin(a, "trajectory", r.method);
    const hamel_status s = hamel_model_trajectory(a->m, &r, &w);
    if (s == HAMEL_OK && !w) complain(a, "done, and no rows");
    if (w) read_all(a, w);
    judge(a, s, NULL, false);
    hamel_trajectory_free(w);
}

static void judge_as_data(attempt *a) {
    char list[100];
    hamel_verdicts *w;
    hamel_verdict v;
    const char *asked = forms(a, list);
    begin(a, "judge", asked);
    const hamel_status s = hamel_model_judge(a->m, asked, below(a, 2), a->random, &w);
    for (size_t i = 0; hamel_verdicts_at(w, i, &v); i++)
        if (!v.name || !v.kind || !v.verdict) complain(a, "a verdict without words");
    judge(a, s, NULL, false);
    hamel_verdicts_free(w);
}

// Each node is made of nodes before it, and what stands in the equations has words.
static void equations(attempt *a) {
    hamel_equations *w;
    hamel_node node;
    const char *asked = form(a);
    begin(a, "equations", asked);
    const hamel_status s = hamel_model_equations(a->m, asked, &w);
    for (hamel_expr e = 0; hamel_equations_node(w, e, &node); e++)
        for (size_t i = 0; i < node.operand_count; i++)
            if (node.operands[i] >= e) complain(a, "a node made of later ones");
    for (int part = HAMEL_COORDINATES; part <= HAMEL_STARTS; part++) {
        const size_t count = hamel_equations_count(w, (hamel_part)part);
        if (!count) continue;
        const hamel_expr e = hamel_equations_at(w, (hamel_part)part, below(a, count));
        char *words = hamel_equations_text(w, e, (hamel_format)below(a, 2));
        if (!words) complain(a, "an expression without words");
        hamel_free(words);
    }
    judge(a, s, NULL, false);
    hamel_equations_free(w);
}

static void field(attempt *a) {
    char state[200];
    hamel_field *f;
    const hamel_run r = {.form = form(a), .at = at(a, state), .execute = "interpreted"};
    begin(a, "field", r.form);
    const hamel_status s = hamel_model_field(a->m, &r, 1 + below(a, 15), &f);
    judge(a, s, NULL, false);
    void *work = hamel_field_work(f);
    if (f && !work) complain(a, "a field without a work area");
    if (f) {
        const size_t n = f->size;
        double t, *z = calloc(n + 1, sizeof *z),
                  *out = calloc((n + f->columns + 4) * (n + 1), sizeof *out);
        hamel_field_start(f, &t, z);
        for (int i = 0; i < 3; i++) {
            if (f->rate) f->rate(f, work, t, z, out);
            if (f->jacobian) f->jacobian(f, work, t, z, out);
            if (f->values) f->values(f, work, t, z, out);
            if (f->taylor) f->taylor(f, work, t, z, 3, out);
            if (f->parameters) hamel_field_set(work, below(a, f->parameters), number(a));
            if (n) z[below(a, n)] = number(a);
        }
        free(z), free(out);
    }
    hamel_field_free(f), hamel_field_work_free(work);
}

static void names(attempt *a) {
    static const char *const kinds[] = {
        "coordinates", "quasi-velocities", "parameters",  "inputs",   "functions",
        "bodies",      "points",           "constraints", "contacts", "events",
        "resets",      "invariants",       "observables", "claims"};
    begin(a, "names", "");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char *name;
        double value;
        for (size_t i = 0; (name = hamel_model_listed(a->m, kinds[k], i)); i++)
            hamel_model_unit(a->m, name), hamel_model_value(a->m, name, &value);
    }
    judge(a, HAMEL_OK, NULL, false);
}

static void sensitivity(attempt *a) {
    static const char *const of[] = {NULL, "x", "x'^2, t", "no", "", "lambda", "x,", "sign(x)"},
                             *const to[] = {NULL, "x", "m, x'", "no", "", "x, x", "a"};
    char *result = NULL, state[200];
    const hamel_run r = short_run(a, state);
    const char *what = of[below(a, 8)], *by = to[below(a, 7)];
    begin(a, "sensitivity", what ? what : "-");
    judge(a,
          hamel_model_sensitivity(a->m, &r, what, by, below(a, 4) == 0, usual_format(a), &result),
          &result, true);
}

static void lyapunov(attempt *a) {
    char *result = NULL, state[200];
    const hamel_run r = short_run(a, state);
    begin(a, "lyapunov", "");
    judge(a, hamel_model_lyapunov(a->m, &r, usual_format(a), &result), &result, true);
}

static void orbit(attempt *a) {
    static const char *const period[] = {NULL, "0.1", "2*pi", "-1", "1e300", "g", "t", "1/"};
    char *result = NULL, state[200];
    const hamel_run r = short_run(a, state);
    begin(a, "orbit", "");
    judge(a, hamel_model_orbit(a->m, &r, period[below(a, 8)], usual_format(a), &result), &result,
          true);
}

static void plot(attempt *a) {
    static const char *const panels[] = {"x",   "t:y", "x:y",    "error(energy)",
                                         "x,y", "no",  "\"x'\"", ""},
                             *const log[] = {NULL, "y", "xy", "none", "q"};
    char *result = NULL, state[200];
    hamel_run r = short_run(a, state);
    r.output = NULL;
    const char *asked[] = {panels[below(a, 8)], panels[below(a, 8)]};
    const hamel_plot drawn = {.panels = asked,
                              .panel_count = below(a, 3),
                              .output = below(a, 2) ? "-" : NULL,
                              .title = below(a, 2) ? "<&\x01%" : NULL,
                              .log = log[below(a, 5)],
                              .unicode = below(a, 2),
                              .grid = below(a, 2),
                              .events = below(a, 2),
                              .marks = below(a, 2),
                              .spectrum = !below(a, 4),
                              .recurrence = !below(a, 4),
                              .near = below(a, 3) ? 0 : 0.1,
                              .json = !below(a, 4)};
    begin(a, "plot", asked[0]);
    const bool text = !drawn.output;
    judge(a, hamel_model_plot(a->m, &r, &drawn, &result), &result, text);
}

static void section(attempt *a) {
    static const char *const events[] = {"t - 0.01", "x", "e", "x' - y", "1/x", "x''", "x +", "0"},
                             *const directions[] = {NULL, "up", "down", "both", "left"};
    char *result = NULL, state[200];
    hamel_run r = short_run(a, state);
    r.output = NULL;
    const hamel_plot drawn = {.output = below(a, 2) ? "-" : NULL};
    const hamel_section asked = {.event = events[below(a, 8)],
                                 .direction = directions[below(a, 5)],
                                 .count = below(a, 5),
                                 .plot = below(a, 3) ? NULL : &drawn};
    begin(a, "section", asked.event);
    judge(a, hamel_model_section(a->m, &asked, &r, usual_format(a), &result), &result, true);
}

static void sweep(attempt *a) {
    static const char *const vary[] = {"a = 1..2 count 3", "x in {0, 1, t}", "x' in normal(0, 1)",
                                       "y = 0..1 count 0", "x = 1..",        "a = 1..1e9 count 2"},
                             *const collect[] = {"m = max(x)", "k = mean(1/x), f = final(t)",
                                                 "c = count(e)", "l = min(x'') + 1"};
    char *result = NULL, state[200];
    const hamel_run r = short_run(a, state);
    const hamel_sweep asked = {.vary = vary + below(a, 6),
                               .vary_count = below(a, 4) > 0,
                               .collect = collect + below(a, 4),
                               .collect_count = below(a, 4) > 0,
                               .samples = below(a, 3) ? "3 sobol" : NULL,
                               .output = path(a, 0, "rows.csv"),
                               .threads = 1 + below(a, 2)};
    begin(a, "sweep", asked.vary[0]);
    judge(a, hamel_model_sweep(a->m, &asked, &r, below(a, 2) ? HAMEL_TEXT : HAMEL_JSON, &result),
          &result, true);
}

static void compare(attempt *a) {
    char *result = NULL, state[200];
    hamel_run r = short_run(a, state);
    const char *other = strange_id(&a->random, "forms");
    begin(a, "compare", other);
    judge(a, hamel_model_compare(a->m, r.form, other, &r, usual_format(a), &result), &result, true);
}

static void report(attempt *a) {
    char *result = NULL, list[100], state[200];
    const hamel_run r = short_run(a, state);
    const char *asked = forms(a, list);
    begin(a, "report", asked);
    judge(a,
          hamel_model_report(a->m, asked, below(a, 4) ? &r : NULL,
                             below(a, 2) ? HAMEL_HTML : HAMEL_JSON, &result),
          &result, true);
}

static void codegen(attempt *a) {
    char *result = NULL, state[200];
    const char *asked = form(a);
    begin(a, "codegen", asked);
    judge(a,
          hamel_model_codegen(a->m, below(a, 4) ? "c" : NULL, asked, at(a, state),
                              path(a, 0, "code"), &result),
          &result, true);
}

static void prove(attempt *a) {
    char *result = NULL, list[100];
    const char *asked = forms(a, list);
    begin(a, "prove", asked);
    judge(a,
          hamel_model_prove_seeded(a->m, asked ? asked : "maggi", below(a, 2),
                                   below(a, 2) ? 0 : a->random, usual_format(a), &result),
          &result, true);
}

static void (*const CALLS[])(attempt *) = {
    check,     describe,        derive,    evaluate, transpose, double_constant, list_forms,
    derive,    list_references, simulate,  simulate, plot,      compare,         report,
    codegen,   prove,           evaluate,  steady,   linearise, section,         matrices,
    stability, sensitivity,     lyapunov,  orbit,    follow,    assemble,        trajectory,
    names,     judge_as_data,   equations, field,    sweep};
enum { CALL_COUNT = sizeof CALLS / sizeof *CALLS, CALLS_A_MODEL = 3 };

// --- texts ---------------------------------------------------------------------------------------

// Can it be read? The text lies where it is found if this kills the process.
static bool reads(const char *text, void *data) {
    call_progress *p = data;
    if (text != p->text) snprintf(p->text, RANDOM_TEXT, "%s", text);
    hamel_context *ctx = hamel_context_create();
    hamel_model *m = NULL;
    char *result = NULL;
    const bool can = hamel_model_parse(ctx, "strange.ham", text, strlen(text), &m) == HAMEL_OK &&
                     hamel_model_describe(m, HAMEL_TEXT, &result) == HAMEL_OK;
    hamel_free(result);
    hamel_context_destroy(ctx);
    return can;
}

// A model of the library, changed in some places; a change that makes it unreadable seldom stays.
static void change_library_model(uint64_t *random, call_progress *p) {
    size_t size;
    const size_t index = (size_t)(random_next(random) % hamel_library_count());
    const char *library = hamel_library_text(index, &size);
    if (strstr(library, "include \""))
        library = "coord x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y' = x*x'\n",
        size = strlen(library);
    char before[RANDOM_TEXT];
    if (size >= RANDOM_TEXT) size = RANDOM_TEXT - 1;
    memcpy(p->text, library, size);
    for (uint64_t left = 1 + random_next(random) % 6; left; left--) {
        p->text[size] = '\0';
        memcpy(before, p->text, size + 1);
        size = model_mutate(p->text, size, RANDOM_TEXT - 1, 1, random_next(random));
        p->text[size] = '\0';
        if (random_next(random) % 20 && !reads(p->text, p))
            memcpy(p->text, before, sizeof before), size = strlen(before);
    }
}

void model_calls(uint64_t seed, const char *folder, call_progress *p) {
    attempt a = {.random = seed, .folder = folder, .p = p};
    begin(&a, "parse", "in the making");
    if (below(&a, 10) < 6) {
        char text[RANDOM_TEXT];
        strange_model(random_next(&a.random), reads, p, text);
        memcpy(p->text, text, sizeof text);
    } else {
        change_library_model(&a.random, p);
    }
    a.ctx = hamel_context_create();
    begin(&a, "parse", "");
    bound(&a);
    if (!below(&a, 10))
        judge(&a, hamel_context_set(a.ctx, below(&a, 2) ? "a=0" : "N=1e3"), NULL, false);
    const hamel_status status =
        hamel_model_parse(a.ctx, "strange.ham", p->text, strlen(p->text), &a.m);
    judge(&a, status, NULL, false);
    if (status == HAMEL_OK && a.m) {
        p->parsed++;
        check(&a);
        for (int i = 0; i < CALLS_A_MODEL; i++) CALLS[below(&a, CALL_COUNT)](&a);
    }
    hamel_free(hamel_diagnostics_json(a.ctx, status));
    begin(&a, "destroy", "");
    hamel_context_destroy(a.ctx);
}
