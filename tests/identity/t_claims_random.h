// Random claims, invariants and solutions of an oscillator in the plane with a third coordinate
// rolling along, true or false by construction: closed forms tell, never the judge. Kinks, jumps,
// 0/0, branches, special values, big integers.
#ifndef HAMEL_TESTS_CLAIMS_RANDOM_H
#define HAMEL_TESTS_CLAIMS_RANDOM_H

#include "support/random_text.h"
#include "support/support.h"

#include "base/text.h"
#include "derive/formalism.h"
#include "expr/program.h"
#include "prove/prove.h"

#include <stdio.h>
#include <string.h>

// What is true of x'' = -x, y'' = -4 y (potential x^2/2 + 2 y^2), z' = y x', written in many ways;
// A and B are constants of the motion, U a function that vanishes on the constraint, R a number.
typedef struct {
    const char *text; // %s: a random positive factor or number
    bool truth;       // else it is false, or has no value: proved must not be said
    char kind;        // c: claim, i: invariant, s: solution (of the free system)
} pattern;

static const pattern patterns[] = {
    // constants of the motion
    {"y'^2 + 4*y^2", true, 'i'},
    {"%s*(y'^2 + 4*y^2)", true, 'i'},
    {"(y'^2 + 4*y^2)*y/y", true, 'i'},
    {"(y'^2 + 4*y^2)^%s", true, 'i'},
    {"y'^2 + 4*abs(y)^2", true, 'i'},
    {"sign(y'^2 + 4*y^2 + %s)", true, 'i'},
    {"exp(log(y'^2 + 4*y^2 + %s))", true, 'i'},
    {"sqrt(y'^2 + 4*y^2 + %s)", true, 'i'},
    {"max(y'^2 + 4*y^2, %s)", true, 'i'},
    // functions with rate zero that jump
    {"sign(y)", false, 'i'},
    {"%s*sign(y - 1/%s)", false, 'i'},
    {"abs(y')/y'", false, 'i'},
    {"atan(%s*y) + atan(1/(%s*y))", false, 'i'},
    {"sqrt(y^2)/y", false, 'i'},
    {"y/sqrt(y^2)*(y'^2 + 4*y^2 + %s)", false, 'i'},
    {"atan(tan(%s*y)) - %s*y", false, 'i'},
    {"max(y, -y)/y", false, 'i'},
    {"min(y, 0)/y", false, 'i'},
    {"sign(y)*(y'^2 + 4*y^2) + %s", false, 'i'},
    // near misses
    {"y'^2 + 4*y^2 + y/10^%s", false, 'i'},
    {"y'^2 + 4*y^2*(1 + 1/10^%s)", false, 'i'},
    {"(y'^2 + 4*y^2)^2 + x'", false, 'i'},
    // claims on the constraint
    {"z' = y*x'", true, 'c'},
    {"%s*z' = %s*y*x'", true, 'c'},
    {"(z' - y*x')/(x^2 + %s) = 0", true, 'c'},
    {"z''*x' = y'*x'^2 + y*x''*x'", true, 'c'},
    {"sqrt((z' - y*x')^2) = 0", true, 'c'},
    {"y'' + 4*y = z' - y*x'", true, 'c'},
    {"(z' - y*x')^2/(z' - y*x') = 0", false, 'c'},
    {"%s*(z' - y*x')/(z' - y*x') = %s", false, 'c'},
    {"(z' - y*x' + x)/(z' - y*x') = 1", false, 'c'},
    {"z' = y*x' + 1/10^%s", false, 'c'},
    {"z' = abs(y*x')", false, 'c'},
    {"sqrt(z'^2) = y*x'", false, 'c'},
    {"y'' = 4*abs(y)", false, 'c'},
    {"sign(y) = 1", false, 'c'},
    {"sign(x')^2*y'' = -4*y", true, 'c'},
    {"log(exp(y)) = y", true, 'c'},
    {"sqrt(y^2)^2 = y^2", true, 'c'},
    {"%s^20*y'' = -4*%s^20*y", true, 'c'},
    {"%s^20*y'' = -4*(%s^20 + 1)*y", false, 'c'},
    {"k*y'' = -4*k*y", true, 'c'},
    {"y'' = -4*k*y", true, 'c'}, // for k = 1, which the model states
    {"y'' = -4*(k + 1/10^%s)*y", false, 'c'},
    {"(y'' + 4*y)/(y'' + 4*y) = 1", false, 'c'},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

typedef struct {
    uint32_t proved[2], refuted[2], undecided[2]; // by truth
    uint32_t wrong;
} claim_tally;

// The pattern with the same random number in every place.
static void say_pattern(const pattern *p, uint64_t *random, text *out) {
    char number[24];
    const unsigned long n = 2 + (unsigned long)(random_next(random) % 30);
    if (strstr(p->text, "10^") || strstr(p->text, ")^%s"))
        snprintf(number, sizeof number, "%lu", 2 + n % 28);
    else if (random_next(random) % 2) snprintf(number, sizeof number, "%lu", n);
    else
        snprintf(number, sizeof number, "(%lu/%lu)", n,
                 1 + (unsigned long)(random_next(random) % 7));
    for (const char *s = p->text; *s; s++) {
        if (s[0] == '%' && s[1] == 's') text_append(out, number), s++;
        else text_char(out, *s);
    }
}

static void judge_random_claims(uint64_t seed, uint32_t claims, claim_tally *t) {
    uint64_t random = seed * 0x9E3779B97F4A7C15u + 7;
    text source = {0};
    const pattern *used[64];
    text_format(&source,
                "param k = 1\ncoord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential 2*y^2\n"
                "force y = y*0 - x'*z'*0\nconstraint c: z' = y*x'\n"
                "initial x = %u/16, y = 0.%u, x' = 1, y' = 0.%u\n",
                (unsigned)(random_next(&random) % 40), 1 + (unsigned)(random_next(&random) % 9),
                1 + (unsigned)(random_next(&random) % 9));
    uint32_t count = 0;
    while (count < claims) {
        const pattern *p = &patterns[random_next(&random) % PATTERNS];
        text_format(&source, p->kind == 'i' ? "invariant n%u = " : "claim n%u: ", count);
        say_pattern(p, &random, &source);
        text_char(&source, '\n');
        used[count++] = p;
    }
    world w = world_open();
    model *m = world_model(&w, text_string(&source));
    mechanics *system;
    assert_int_equal(mechanics_create(m, NULL, &system), HAMEL_OK);
    judgement j = {0};
    const formalism *forms[] = {formalism_find("maggi")};
    assert_int_equal(prove_model(m, system, &(prove_request){.form_count = 1, .form = forms}, &j),
                     HAMEL_OK);
    for (uint32_t i = 0; i < j.verdicts_count; i++) {
        const verdict *v = &j.verdicts[i];
        unsigned number;
        if (v->name[0] != 'n' || sscanf(v->name, "n%u", &number) != 1) continue;
        const pattern *p = used[number];
        uint32_t *column = v->verdict == VERDICT_PROVED    ? t->proved
                           : v->verdict == VERDICT_REFUTED ? t->refuted
                                                           : t->undecided;
        column[p->truth]++;
        const bool wrong = p->truth ? v->verdict == VERDICT_REFUTED : v->verdict == VERDICT_PROVED;
        const bool internal = v->remark && strncmp(v->remark, "internal error", 14) == 0;
        t->wrong += wrong || internal;
        if (wrong || internal)
            fprintf(stderr, "seed %llu, %s `%s`: %s (%s)\n%s\n", (unsigned long long)seed, v->name,
                    p->text, wrong ? "wrong" : "internal error", v->remark ? v->remark : v->method,
                    text_string(&source));
    }
    judgement_free(&j);
    world_close(&w);
    text_free(&source);
}

static void judge_many(uint64_t first, uint32_t systems, uint32_t claims) {
    claim_tally t = {0};
    uint32_t count = 0;
    for (; count < systems && run_has_time(); count++)
        judge_random_claims(first + count, claims, &t);
    printf("seeds %llu..: true %u proved, %u refuted, %u undecided; false %u proved, %u refuted, "
           "%u undecided\n",
           (unsigned long long)first, t.proved[1], t.refuted[1], t.undecided[1], t.proved[0],
           t.refuted[0], t.undecided[0]);
    assert_int_equal(t.wrong, 0);
    const uint32_t judged =
        t.proved[0] + t.proved[1] + t.refuted[0] + t.refuted[1] + t.undecided[0] + t.undecided[1];
    assert_int_equal(judged, count * claims);
    assert_true(t.proved[1] > 2 * t.undecided[1]);  // most truths are proved,
    assert_true(t.refuted[0] > 2 * t.undecided[0]); // most others refuted
}

#endif
