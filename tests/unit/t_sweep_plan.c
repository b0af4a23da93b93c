// Plans of sweeps: values of runs as pure functions of their numbers.
#include "support/support.h"

#include "sweep/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char PENDULUM[] = "param m = 1, l = 0.5, g = 9.81, k = 2*l\n"
                               "coord th\n"
                               "kinetic m*l^2*th'^2/2\n"
                               "potential -m*g*l*cos(th)\n"
                               "initial th = 1\n"
                               "event low: th up\n";

typedef struct {
    world w;
    model *m;
    sweep_plan *plan;
    const collected *collected;
    uint32_t collected_count;
} planned;

static planned plan_with(const char *statements, const sweep_texts *given) {
    planned p = {.w = world_open()};
    char *text = malloc(sizeof PENDULUM + strlen(statements));
    strcat(strcpy(text, PENDULUM), statements);
    p.m = world_model(&p.w, text);
    p.plan = sweep_plan_create(p.m, given, &p.collected, &p.collected_count);
    free(text);
    return p;
}

static planned plan_of(const char *statements) {
    planned p = plan_with(statements, &(sweep_texts){0});
    if (p.plan) return p;
    char *why = hamel_diagnostics(p.w.ctx);
    print_error("%s", why);
    hamel_free(why);
    fail();
    return p;
}

static void done(planned *p) { world_close(&p->w); }

static void expect_words(planned *p, const char *wanted) {
    text words = {0};
    sweep_plan_words(p->plan, &words);
    assert_string_equal(words.bytes, wanted);
    text_free(&words);
}

static void expect_error(const char *statements, const sweep_texts *given, const char *message) {
    planned p = plan_with(statements, given);
    assert_null(p.plan);
    char *why = hamel_diagnostics(p.w.ctx);
    if (!strstr(why, message)) {
        print_error("wanted: %s\n%s", message, why);
        fail();
    }
    hamel_free(why);
    done(&p);
}

// --- grids ---------------------------------------------------------------------------------------

static void a_grid_has_its_ends_exactly_and_decimals_where_there_are_some(void **s) {
    (void)s;
    planned p = plan_of("sweep g = 0.1 .. 0.9 count 9\n");
    double g;
    assert_int_equal(sweep_plan_runs(p.plan), 9);
    for (int i = 0; i < 9; i++) {
        sweep_plan_find(p.plan, (uint64_t)i, &g);
        assert_true(g == (i + 1) / 10.0); // nearest doubles of 0.1, 0.2 ..
    }
    assert_string_equal(sweep_plan_name(p.plan, 0), "g");
    assert_true(sweep_plan_is_parameter(p.plan, 0));
    done(&p);
    uint64_t state = 1;
    for (int i = 0; i < 2000; i++) { // ends of any size and any count
        const double a = ldexp(random_between(&state, -1, 1),
                               (int)random_between(&state, -900, 900)),
                     b = ldexp(random_between(&state, -1, 1),
                               (int)random_between(&state, -900, 900));
        const uint64_t n = (uint64_t)random_between(&state, 1, 1e6);
        const sweep_axis axis = {.first = a, .second = b, .from = a, .to = b, .scale = 1};
        assert_true(sweep_grid(&axis, 0, n) == a && sweep_grid(&axis, n, n) == b);
        const double x = sweep_grid(&axis, n / 2, n), low = fmin(a, b), high = fmax(a, b),
                     slack = 0x1p-50 * fmax(fabs(a), fabs(b));
        assert_true(x >= low - slack && x <= high + slack);
    }
    const sweep_axis far = {
        .first = -1e308, .second = 1e308, .from = -1e308, .to = 1e308, .scale = 1};
    assert_true(fabs(sweep_grid(&far, 3, 4) - 5e307) < 1e293); // nothing overflows
}

static void the_last_of_several_grids_runs_fastest(void **s) {
    (void)s;
    planned p = plan_of("sweep l in {3, 1/3}, th' = -1 .. 1 count 3\nsweep th in {2, 1, 2, 5}\n");
    assert_int_equal(sweep_plan_runs(p.plan), 24);
    assert_int_equal(sweep_plan_values(p.plan), 3);
    assert_string_equal(sweep_plan_name(p.plan, 1), "th'");
    assert_false(sweep_plan_is_parameter(p.plan, 1));
    const double l[] = {3, 1.0 / 3}, v[] = {-1, 0, 1}, th[] = {2, 1, 2, 5};
    for (uint64_t i = 0; i < 24; i++) {
        double at[3];
        sweep_plan_find(p.plan, i, at);
        assert_true(at[0] == l[i / 12] && at[1] == v[i / 4 % 3] && at[2] == th[i % 4]);
    }
    done(&p);
}

static void samples_are_the_same_at_every_place_of_a_grid(void **s) {
    (void)s;
    planned p = plan_of("sweep th in normal(0, 0.1), l = 1 .. 2 count 3\nsamples 5 seed 9\n"),
            alone = plan_of("sweep th in normal(0, 0.1)\nsamples 5 seed 9\n");
    assert_int_equal(sweep_plan_runs(p.plan), 15);
    for (uint64_t i = 0; i < 15; i++) {
        double at[2], th;
        sweep_plan_find(p.plan, i, at);
        sweep_plan_find(alone.plan, i % 5, &th);
        assert_true(at[0] == th && at[1] == 1 + 0.5 * (double)(i / 5));
    }
    done(&p), done(&alone);
}

static void a_run_alone_is_the_run_among_all(void **s) {
    (void)s;
    static const char *const ways[] = {"random", "sobol", "latin"};
    for (int k = 0; k < 3; k++) {
        char text[200];
        snprintf(text, sizeof text,
                 "sweep g in uniform(1, 2), th in normal(3, 2), l = 1 .. 2 count 7\n"
                 "samples 1001 %s seed 123456789012\n",
                 ways[k]);
        planned p = plan_of(text), again = plan_of(text);
        double *all = malloc(7007 * 3 * sizeof *all);
        for (uint64_t i = 0; i < 7007; i++) sweep_plan_find(p.plan, i, all + 3 * i);
        uint64_t state = 5;
        for (int i = 0; i < 500; i++) { // in any order, by another plan
            const uint64_t run = (uint64_t)random_between(&state, 0, 7006.99);
            double at[3];
            sweep_plan_find(again.plan, run, at);
            assert_memory_equal(at, all + 3 * run, sizeof at);
        }
        free(all);
        done(&p), done(&again);
    }
}

// --- samples -------------------------------------------------------------------------------------

// kat_vectors of Random123 (D. E. Shaw Research): counter, key, what comes of them
static void philox_gives_the_known_answers(void **s) {
    (void)s;
    static const uint32_t known[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        sweep_philox(known[i], known[i] + 4, out);
        assert_memory_equal(out, known[i] + 6, sizeof out);
    }
}

static void distinct_quantities_seeds_and_samples_have_distinct_values(void **s) {
    (void)s;
    planned p = plan_of("sweep g in uniform(0, 1), l in uniform(0, 1)\nsamples 50 seed 1\n"),
            other = plan_of("sweep g in uniform(0, 1), l in uniform(0, 1)\nsamples 50 seed "
                            "4294967297\n");
    double all[200];
    for (uint64_t i = 0; i < 50; i++) {
        sweep_plan_find(p.plan, i, all + 4 * i);
        sweep_plan_find(other.plan, i, all + 4 * i + 2);
    }
    for (int i = 0; i < 200; i++) {
        assert_true(all[i] > 0 && all[i] < 1);
        for (int k = 0; k < i; k++) assert_true(all[i] != all[k]);
    }
    done(&p), done(&other);
}

// Points of scipy.stats.qmc.Sobol(128, scramble=False, bits=30) by 2^30; a run of ours is
// shifted: what it differs by from run 0 is the point itself, to 52 bits
static void sobols_points_are_those_of_joe_and_kuo(void **s) {
    (void)s;
    static const struct {
        uint32_t dimension;
        uint32_t run, point;
    } known[] = {
        {0, 1, 0x20000000u},        {1, 1, 0x20000000u},        {2, 1, 0x20000000u},
        {11, 1, 0x20000000u},       {36, 1, 0x20000000u},       {63, 1, 0x20000000u},
        {127, 1, 0x20000000u},      {0, 2, 0x30000000u},        {1, 2, 0x10000000u},
        {2, 2, 0x10000000u},        {11, 2, 0x30000000u},       {36, 2, 0x10000000u},
        {63, 2, 0x30000000u},       {127, 2, 0x10000000u},      {0, 5, 0x38000000u},
        {1, 5, 0x38000000u},        {2, 5, 0x8000000u},         {11, 5, 0x38000000u},
        {36, 5, 0x8000000u},        {63, 5, 0x28000000u},       {127, 5, 0x8000000u},
        {0, 1000, 0xe100000u},      {1, 1000, 0x6300000u},      {2, 1000, 0x21300000u},
        {11, 1000, 0x10500000u},    {36, 1000, 0x36500000u},    {63, 1000, 0x1c900000u},
        {127, 1000, 0x22d00000u},   {0, 123456, 0x1b22000u},    {1, 123456, 0xbb22000u},
        {2, 123456, 0x13aa2000u},   {11, 123456, 0x31fee000u},  {36, 123456, 0xc12e000u},
        {63, 123456, 0x3cefe000u},  {127, 123456, 0x25186000u}, {0, 1999999, 0x98e200u},
        {1, 1999999, 0x25cd4200u},  {2, 1999999, 0x233cda00u},  {11, 1999999, 0x26cc4200u},
        {36, 1999999, 0x2a89fa00u}, {63, 1999999, 0xa982600u},  {127, 1999999, 0x266d4200u},
    };
    enum { DIMENSIONS = 128 };
    char *text = malloc(DIMENSIONS * 60), *to = text;
    to += sprintf(to, "coord ");
    for (int i = 0; i < DIMENSIONS; i++) to += sprintf(to, "%sq%d", i ? ", " : "", i);
    to += sprintf(to, "\nsweep ");
    for (int i = 0; i < DIMENSIONS; i++)
        to += sprintf(to, "%sq%d in uniform(0, 1)", i ? ", " : "", i);
    sprintf(to, "\nsamples 2000000 sobol seed 3\n");
    planned p = plan_of(text);
    double *first = malloc(2 * DIMENSIONS * sizeof *first), *at = first + DIMENSIONS;
    sweep_plan_find(p.plan, 0, first);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        sweep_plan_find(p.plan, known[i].run, at);
        const uint32_t d = known[i].dimension;
        const uint64_t a = (uint64_t)(at[d] * 0x1p52), b = (uint64_t)(first[d] * 0x1p52);
        assert_true((a ^ b) == (uint64_t)known[i].point << 22);
    }
    free(first), free(text);
    done(&p);
}

static void sobols_points_fill_every_box_of_the_net(void **s) {
    (void)s;
    planned p =
        plan_of("sweep g in uniform(0, 1), l in uniform(0, 1)\nsamples 4096 sobol seed 77\n");
    // the first two dimensions: a (0, 12, 2)-net, one point in each box of area 2^-12
    for (int a = 0; a <= 12; a++) {
        static uint8_t count[4096];
        memset(count, 0, sizeof count);
        for (uint64_t i = 0; i < 4096; i++) {
            double at[2];
            sweep_plan_find(p.plan, i, at);
            const int x = (int)ldexp(at[0], a), y = (int)ldexp(at[1], 12 - a);
            count[x << (12 - a) | y]++;
        }
        for (int i = 0; i < 4096; i++) assert_int_equal(count[i], 1);
    }
    done(&p);
}

static void a_latin_hypercube_has_one_sample_in_each_stratum(void **s) {
    (void)s;
    static const uint32_t counts[] = {1, 2, 3, 5, 64, 100, 1000, 4097};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        char text[200];
        const uint32_t n = counts[k];
        snprintf(text, sizeof text,
                 "sweep g in uniform(0, 1), l in uniform(0, 1), th in uniform(0, 1)\n"
                 "samples %u latin seed 5\n",
                 n);
        planned p = plan_of(text);
        uint32_t *seen = calloc(3 * (size_t)n, sizeof *seen), alike = 0;
        for (uint64_t i = 0; i < n; i++) {
            double at[3];
            sweep_plan_find(p.plan, i, at);
            uint32_t stratum[3];
            for (int d = 0; d < 3; d++) {
                stratum[d] = (uint32_t)(at[d] * n);
                assert_true(at[d] > 0 && at[d] < 1 && stratum[d] < n);
                assert_int_equal(seen[d * n + stratum[d]]++, 0);
            }
            alike += stratum[0] == stratum[1];
        }
        if (n >= 100) assert_true(alike < 12); // Poisson with mean 1: 12 has probability 1e-9
        free(seen);
        done(&p);
    }
}

// Every permutation of few things comes about as often as the others
static void permutations_of_strata_are_uniform(void **s) {
    (void)s;
    enum { SEEDS = 24000, KINDS = 24 };
    static uint32_t seen[256];
    memset(seen, 0, sizeof seen);
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        const sweep_layout p = {.key = {seed, 0}};
        uint32_t round[PERMUTATION_ROUNDS], code = 0;
        for (uint32_t i = 0; i < PERMUTATION_ROUNDS; i++)
            round[i] = (uint32_t)sweep_bits(&p, i, 0, STREAM_PERMUTATION);
        for (uint64_t x = 0; x < 4; x++) code = code << 2 | (uint32_t)sweep_permute(x, 4, 3, round);
        seen[code]++;
    }
    double chi = 0;
    int kinds = 0;
    for (int i = 0; i < 256; i++) {
        if (!seen[i]) continue;
        kinds++;
        chi += pow(seen[i] - SEEDS / (double)KINDS, 2) / (SEEDS / (double)KINDS);
    }
    assert_int_equal(kinds, KINDS);
    assert_true(chi < 60); // 23 degrees of freedom: beyond it once in 40000 times
}

static void a_billion_runs_need_no_memory(void **s) {
    (void)s;
    planned p = plan_of("sweep g in uniform(1, 2), th = 0 .. 1 count 1000000\n"
                        "samples 1000000000 latin seed 2\n");
    assert_true(sweep_plan_runs(p.plan) == 1000000000000000);
    double at[2];
    sweep_plan_find(p.plan, 999999999999999, at);
    assert_true(at[0] > 1 && at[0] < 2 && at[1] == 1);
    done(&p);
}

// --- what is said --------------------------------------------------------------------------------

static void options_take_the_place_of_statements(void **s) {
    (void)s;
    static const char STATED[] = "sweep g = 1 .. 2 count 3, th in uniform(0, 1)\n"
                                 "samples 10 latin seed 4\ncollect top = max(th)\n";
    static const char *const vary[] = {"l=0.5..3 count 200", "th' in normal(0, m), th in {1, 2}"},
                             *const collect[] = {"end = final(th), n = count(low)"};
    planned p = plan_of(STATED);
    expect_words(&p, "sweep g = 1 .. 2 count 3\nsweep th in uniform(0, 1)\n"
                     "samples 10 latin seed 4\n");
    assert_int_equal(p.collected_count, 1);
    done(&p);
    p = plan_with(STATED, &(sweep_texts){.vary_count = 2,
                                         .vary = vary,
                                         .collect_count = 1,
                                         .collect = collect,
                                         .samples = "50",
                                         .seed = "6"});
    assert_non_null(p.plan);
    expect_words(&p, "sweep l = 0.5 .. 3 count 200\nsweep th' in normal(0, 1)\n"
                     "sweep th in {1, 2}\nsamples 50 latin seed 6\n");
    assert_int_equal(p.collected_count, 2);
    assert_string_equal(p.collected[1].name, "n");
    assert_int_equal(p.collected[1].kind, COLLECT_COUNT);
    assert_int_equal(p.collected[1].event, 0);
    assert_int_equal(p.m->sweeps_count, 2); // the model is as it was
    done(&p);
    p = plan_with(STATED, &(sweep_texts){.vary_count = 1, .vary = vary}); // draws nothing
    expect_words(&p, "sweep l = 0.5 .. 3 count 200\n");
    done(&p);
    p = plan_with(STATED, &(sweep_texts){.samples = "7 sobol seed 8"});
    expect_words(&p, "sweep g = 1 .. 2 count 3\nsweep th in uniform(0, 1)\n"
                     "samples 7 sobol seed 8\n");
    done(&p);
}

static void what_makes_no_plan_is_said(void **s) {
    (void)s;
    static const sweep_texts none = {0};
    expect_error("", &none, "nothing is varied");
    expect_error("sweep g in uniform(1, 2)\n", &none, "how many values are to be drawn of `g`?");
    expect_error("sweep g = 1 .. 2 count 3\nsamples 3\n", &none, "nothing is drawn");
    expect_error("sweep g = 1 .. 1 count 3\n", &none, "both ends of the grid of `g` are 1");
    expect_error("sweep g in uniform(2, 1)\nsamples 3\n", &none, "nothing to draw `g` from");
    expect_error("sweep g in normal(2, 0)\nsamples 3\n", &none,
                 "deviation of `g` must be positive");
    expect_error("sweep l = 1 .. 2 count 3, g = 0 .. k count 3\n", &none,
                 "the values of `g` depend on a parameter that is varied too");
    expect_error("sweep g = 0 .. 1/(l - 1/2) count 3\n", &none, "are no finite numbers");
    expect_error("sweep g = 0 .. 1 count 10^8, l = 1 .. 2 count 10^8\n", &none,
                 "more than 10^15 runs");
    expect_error("sweep th = 0 .. 1 count 3\ncollect th = max(th)\n", &none,
                 "`th` is varied: two columns");
    expect_error("", &(sweep_texts){.vary_count = 1, .vary = (const char *const[]){"g=1..2"}},
                 "--vary:1:7: error: expected an operator, or `count`");
    expect_error("", &(sweep_texts){.vary_count = 1, .vary = (const char *const[]){""}},
                 "expected a parameter, a coordinate or a velocity");
    expect_error(
        "", &(sweep_texts){.vary_count = 2, .vary = (const char *const[]){"g in {1}", "g in {2}"}},
        "`g` is varied twice");
    expect_error("sweep g in {1}\n",
                 &(sweep_texts){.collect_count = 2,
                                .collect = (const char *const[]){"a = max(th)", "a = min(th)"}},
                 "`a` is collected twice");
    expect_error("sweep g in {1}\n", &(sweep_texts){.seed = "x"}, "--seed:1:1: error");
    expect_error("sweep g in {1}\n", &(sweep_texts){.samples = "10 20"}, "--samples:1:4: error");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_its_ends_exactly_and_decimals_where_there_are_some),
        cmocka_unit_test(the_last_of_several_grids_runs_fastest),
        cmocka_unit_test(samples_are_the_same_at_every_place_of_a_grid),
        cmocka_unit_test(a_run_alone_is_the_run_among_all),
        cmocka_unit_test(philox_gives_the_known_answers),
        cmocka_unit_test(distinct_quantities_seeds_and_samples_have_distinct_values),
        cmocka_unit_test(sobols_points_are_those_of_joe_and_kuo),
        cmocka_unit_test(sobols_points_fill_every_box_of_the_net),
        cmocka_unit_test(a_latin_hypercube_has_one_sample_in_each_stratum),
        cmocka_unit_test(permutations_of_strata_are_uniform),
        cmocka_unit_test(a_billion_runs_need_no_memory),
        cmocka_unit_test(options_take_the_place_of_statements),
        cmocka_unit_test(what_makes_no_plan_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
