// Compiled code and the interpreter, on models of the library that have values (one in six; all of
// them in t_compiled_long.c): the same bits.
#include "support/random_text.h"
#include "support/support.h"

#include "api/api_internal.h"
#include "derive/formalism.h"
#include "execute/compiled.h"
#include "integrate/integrator.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    STATES = 5,
    LEAST_MODELS = 40, // of the whole library
    SMALL = 500,
    TRIALS = 100 // calls after which even long rates are compiled
};

static char directory[] = "/tmp/hamel-test-XXXXXX";

static int remove_file(const char *name, const struct stat *is, int kind, struct FTW *at) {
    (void)is, (void)kind, (void)at;
    return remove(name);
}

static int set_up(void **state) {
    (void)state;
    unsetenv("CC");
    return mkdtemp(directory) && setenv("XDG_CACHE_HOME", directory, 1) == 0 ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    return nftw(directory, remove_file, 8, FTW_DEPTH | FTW_PHYS);
}

typedef struct {
    world w;
    equations *eq;
    simulation *s;
} running;

// False: the model has something without a value, or no form applies.
static bool start(running *r, const char *name, const char *text, size_t size) {
    *r = (running){.w = world_open()};
    hamel_model *m;
    const mechanics *system;
    if (hamel_model_parse(r->w.ctx, name, text, size, &m) || api_mechanics(m, &system))
        return false;
    const formalism *form = formalism_default(system);
    if (formalism_refusal(form, system)) return false;
    r->eq = formalism_derive(form, system);
    const completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    return !context_status(r->w.ctx) && !simulation_create(m, system, r->eq, &where, &r->s);
}

static void end(running *r) {
    simulation_free(r->s);
    equations_free(r->eq);
    world_close(&r->w);
}

typedef bool (*evaluation)(field *f, double t, const double *z, double *out);

static void assert_same(const char *model, const char *what, evaluation of_a, field *a,
                        evaluation of_b, field *b, uint32_t count, double t, const double *z) {
    double *x = calloc(2 * (size_t)count + 1, sizeof *x), *y = x + count;
    const bool fine = of_a(a, t, z, x), also = of_b(b, t, z, y);
    bool same = fine == also;
    for (uint32_t i = 0; i < count && fine && same; i++) {
        same = memcmp(x + i, y + i, sizeof *x) == 0;
        if (!same)
            fprintf(stderr, "%s, %s %u: interpreted %a, compiled %a\n", model, what, i, x[i], y[i]);
    }
    if (!same) fail_msg("%s: %s differ", model, what);
    free(x);
}

static void compare(const char *name, simulation *s, field *a, field *b) {
    uint64_t random = 20261115;
    double *z = calloc(s->o->size + 1, sizeof *z);
    for (int k = 0; k < TRIALS && s->o->size; k++) b->rate(b, s->t0, s->z0, z);
    for (int k = 0; k < STATES; k++) {
        const double t = s->t0 + (k ? random_between(&random, 0, 2) : 0);
        for (uint32_t i = 0; i < s->o->size; i++)
            z[i] = s->z0[i] + (k ? random_between(&random, -0.3, 0.3) : 0);
        assert_same(name, "rates", a->rate, a, b->rate, b, s->o->size, t, z);
        assert_same(name, "columns", a->columns, a, b->columns, b, s->column_count, t, z);
        if (s->events)
            assert_same(name, "events", a->events, a, b->events, b, s->events->output_count, t, z);
        if (simulation_jacobian(s)->step_count < SMALL)
            assert_same(name, "slopes", a->jacobian, a, b->jacobian, b, s->o->size * s->o->size, t,
                        z);
    }
    free(z);
}

// --- steps of Runge-Kutta pairs ------------------------------------------------------------------

enum { ROOM = 4096, ASKED = 20000000 }; // numbers of a step; attempts until it pays to compile them

// What an attempt leaves behind: stages, argument, solution, size
typedef struct {
    double k[ROOM], work[ROOM / MOST_STAGES], z1[ROOM / MOST_STAGES], size;
} step;

static step step_by(field *f, const integrator *by, double t, const double *z, double h) {
    step s = {.size = -1};
    const bool compiled = f->attempt != NULL;
    f->rate(f, t, z, s.k);
    f->rate_calls = 0;
    if (!compiled) {
        s.size = by->attempt(f, t, z, h, 1e-6, s.k, s.work, s.z1);
        return s;
    }
    for (int i = 0; i < ASKED && s.size < 0; i++)
        f->attempt(f, by->tableau, t, z, h, 1e-6, s.k, s.work, s.z1, &s.size);
    return s;
}

static void assert_same_steps(const char *name, const integrator *by, double t, const double *z,
                              field *a, field *b) {
    static const double steps[] = {1e-3, 0.02, 0.3, 5};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const step x = step_by(a, by, t, z, steps[i]), y = step_by(b, by, t, z, steps[i]);
        if (y.size < 0) fail_msg("%s: there is no code of a step", name);
        assert_int_equal(isfinite(x.size), isfinite(y.size));
        assert_int_equal(a->rate_calls, b->rate_calls);
        if (isfinite(x.size) && memcmp(&x, &y, sizeof x))
            fail_msg("%s: steps by %s differ, sizes %a and %a", name, by->id, x.size, y.size);
    }
}

// The state must have a padding of 0 behind it
static void compare_steps(const char *name, simulation *s, const integrator *by, field *a) {
    if (!s->o->size || s->o->size >= ROOM / MOST_STAGES - 1 || s->rate->step_count > SMALL) return;
    double z[ROOM / MOST_STAGES] = {0};
    uint64_t random = 20261116;
    field *b = field_asked_for(s, "compiled", s->t0 + 1e9);
    for (int k = 0; k < STATES; k++) {
        for (uint32_t i = 0; i < s->o->size; i++)
            z[i] = s->z0[i] + (k ? random_between(&random, -0.3, 0.3) : 0);
        assert_same_steps(name, by, s->t0, z, a, b);
    }
    field_free(b);
}

static const char EDGES[] = "coord x, y\nkinetic (x'^2 + y'^2)/2\n"
                            "force x = sqrt(1 - x) - 1/y^2\nforce y = log(2 - y)*exp(x)\n"
                            "initial x = 0.9, y = 0.4, x' = 0.3, y' = 1.2\n";

static void steps_that_leave_where_rates_have_values_are_told(void **state) {
    (void)state;
    running r;
    assert_true(start(&r, "edges", EDGES, strlen(EDGES)));
    field *a = field_interpreted(r.s);
    compare_steps("edges", r.s, integrator_find("dop853"), a);
    compare_steps("edges", r.s, integrator_find("tsit5"), a);
    field_free(a);
    end(&r);
}

// --- the library ---------------------------------------------------------------------------------

static void models_give_the_same_bits_compiled_and_interpreted(void **state) {
    (void)state;
    uint32_t compared = 0;
    const uint32_t every = run_size(6, 1);
    for (size_t i = 0; i < hamel_library_count(); i += every) {
        size_t size;
        const char *name = hamel_library_name(i), *text = hamel_library_text(i, &size);
        running r;
        if (start(&r, name, text, size)) {
            field *a = field_interpreted(r.s), *b = field_asked_for(r.s, "compiled", r.s->t0 + 10);
            if (strcmp(b->how, "compiled") != 0) fail_msg("%s: %s", name, b->how);
            compare(name, r.s, a, b);
            compare_steps(name, r.s, integrator_find(compared % 2 ? "tsit5" : "dop853"), a);
            compared++;
            field_free(a), field_free(b);
        }
        end(&r);
    }
    assert_true(compared >= LEAST_MODELS / every);
}

// A compiler that evaluates sinh(2) rounds it correctly; the library does not always.
static const char PENDULUM[] = "system pendulum\nparam c = 7/10\ncoord x\nkinetic x'^2/2\n"
                               "potential -cos(sinh(2)*x)*exp(c)*2^(1/3)\nevent half: x\ninitial x "
                               "= 1\nsimulate t = 0 .. 10\n";

static void what_depends_on_nothing_is_not_computed_with_other_digits(void **state) {
    (void)state;
    running r;
    assert_true(start(&r, "pendulum", PENDULUM, strlen(PENDULUM)));
    field *a = field_interpreted(r.s), *b = field_asked_for(r.s, "compiled", r.s->t0 + 10);
    assert_string_equal(b->how, "compiled");
    compare("pendulum", r.s, a, b);
    field_free(a), field_free(b);
    end(&r);
}

// Rates along the way from 0 to 10, one at each of n times; how the field says it was run.
static const char *walk(simulation *s, double to, uint32_t n, double *sum) {
    double dz[2];
    field *f = field_asked_for(s, "auto", 10);
    *sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        f->rate(f, to * i / n, s->z0, dz);
        *sum += dz[1];
    }
    const char *how = f->how;
    field_free(f);
    return how;
}

static void the_choice_is_to_compile_where_much_is_left_to_do(void **state) {
    (void)state;
    enum { FEW = 100, MANY = 4000000 };
    running r;
    double few, many, again;
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    assert_true(start(&r, "pendulum", PENDULUM, strlen(PENDULUM)));
    assert_string_equal(walk(r.s, 10, FEW, &few), "interpreted");
    assert_string_equal(walk(r.s, 1, MANY, &many), "interpreted, then compiled");
    setenv("CC", "/nonexistent", 1);
    assert_string_equal(walk(r.s, 1, MANY, &again),
                        "interpreted: there is no C compiler `/nonexistent`");
    unsetenv("CC");
    setenv("XDG_CACHE_HOME", directory, 1); // where the test above has left the code
    assert_true(many == again);
    assert_string_equal(walk(r.s, 10, FEW, &again), "compiled");
    assert_true(few == again);
    end(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_give_the_same_bits_compiled_and_interpreted),
        cmocka_unit_test(steps_that_leave_where_rates_have_values_are_told),
        cmocka_unit_test(what_depends_on_nothing_is_not_computed_with_other_digits),
        cmocka_unit_test(the_choice_is_to_compile_where_much_is_left_to_do),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
