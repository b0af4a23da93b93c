// Claims on what a form lists: for every form and every quantity, true ones are
// proved and false ones refuted.
#include "support/support.h"

#include "base/text.h"
#include "derive/formalism.h"
#include "prove/prove.h"

#include <stdio.h>
#include <string.h>

static const char *const models[] = {
    "param m = 2, k = 3\ncoord x, y, z\nkinetic m/2*(x'^2 + y'^2 + z'^2)\npotential "
    "k*x^2/2\nconstraint c: z' = y*x'\n"
    "initial x = 0.3, y = 0.5, x' = 1, y' = 1\n",
    "param m = 1, J = 2, a = 0.5\ncoord x, y, th\nkinetic m/2*(x'^2 + y'^2) + J/2*th'^2\npotential "
    "x + sin(th)\n"
    "constraint blade: y'*cos(th) - x'*sin(th) - a*th' = 0\nquasi v = x'*cos(th) + "
    "y'*sin(th)\nquasi w = th'\n"
    "initial x = 0.2, th = 0.4, x' = 1, th' = 0.3\n",
    "param m = 2, l = 1, g = 9\ncoord r, th\nkinetic m/2*(r'^2 + (1 + r^2)*th'^2)\npotential "
    "m*g*r^2\n"
    "initial r = 0.5, th = 1, r' = 0.2, th' = 0.7\n",
    "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z\nconstraint c: z' = t*x' + y\n"
    "initial x = 0.1, y = 0.2, z = 0.3, x' = 1, y' = 2\n",
    "param m = 3\ncoord x, y, z\npoint P: mass m at (x, y, z)\ngravity (0, 0, -2)\nconstraint c: "
    "z' = x*y'\n"
    "initial x = 0.6, y = 0.2, x' = 1, y' = -1\n",
    "coord x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential z\nconstraint c: z'^2 = 4*(x'^2 + "
    "y'^2)\n"
    "initial x = 0, y = 0, z = 0, x' = 0.6, y' = 0.8, z' = 2\n",
};
enum { MODELS = sizeof models / sizeof *models };

typedef struct {
    uint32_t quantities, proved, refuted, undecided;
} tally;

static void judge_text(const text *source, tally *t) {
    world w = world_open();
    model *m = world_model(&w, text_string(source));
    mechanics *system;
    assert_int_equal(mechanics_create(m, NULL, &system), HAMEL_OK);
    judgement j = {0};
    const formalism *forms[] = {formalism_find("multipliers")};
    assert_int_equal(prove_model(m, system, &(prove_request){.form_count = 1, .form = forms}, &j),
                     HAMEL_OK);
    for (uint32_t i = 0; i < j.verdicts_count; i++) {
        const verdict *v = &j.verdicts[i];
        if (strcmp(v->kind, "claim") != 0) continue;
        const bool truth = v->name[0] == 't';
        if (truth ? v->verdict == VERDICT_REFUTED : v->verdict == VERDICT_PROVED)
            fail_msg("%s: %s (%s)\n%s", v->name, truth ? "refuted" : "proved",
                     v->remark ? v->remark : "", text_string(source));
        if (v->verdict == VERDICT_UNDECIDED)
            printf("%s undecided: %s\n", v->name, v->remark), t->undecided++;
        else ++*(truth ? &t->proved : &t->refuted);
    }
    judgement_free(&j);
    world_close(&w);
}

// Everything that the form lists on the model, in a true claim and in a false one.
static void judge_listed(const char *source, const char *form, tally *t) {
    text with_claims = {0};
    text_append(&with_claims, source);
    world w = world_open();
    model *m = world_model(&w, source);
    mechanics *system;
    assert_int_equal(mechanics_create(m, NULL, &system), HAMEL_OK);
    const formalism *f = formalism_find(form);
    uint32_t count = 0;
    if (!formalism_refusal(f, system)) {
        equations *eq = formalism_derive(f, system);
        for (uint32_t i = 0; i < eq->definitions_count; i++) {
            const char *d = eq->definitions[i].name;
            if (strchr(d, '"')) continue;
            text_format(&with_claims,
                        "claim t%u under %s: quantity(\"%s\")*(quantity(\"%s\") + 2) = "
                        "(quantity(\"%s\") + 1)^2 - 1\n",
                        count, form, d, d, d);
            text_format(&with_claims,
                        "claim f%u under %s: quantity(\"%s\")*(quantity(\"%s\") + 2) = "
                        "(quantity(\"%s\") + 1)^2\n",
                        count, form, d, d, d);
            count++;
        }
        equations_free(eq);
    }
    world_close(&w);
    t->quantities += count;
    if (count) judge_text(&with_claims, t);
    text_free(&with_claims);
}

static void every_listed_quantity_can_be_spoken_of(void **unused) {
    (void)unused;
    tally t = {0};
    for (uint32_t f = 0; f < formalism_count(); f++)
        for (uint32_t i = 0; i < MODELS; i++) judge_listed(models[i], formalism_at(f)->id, &t);
    printf("%u quantities: %u proved, %u refuted, %u undecided\n", t.quantities, t.proved,
           t.refuted, t.undecided);
    assert_true(t.quantities > 100);
    assert_int_equal(t.undecided, 0);
    assert_int_equal(t.proved, t.quantities);
    assert_int_equal(t.refuted, t.quantities);
}

// Energies have the value they have whatever they are written in; a
// thousandth of x more is another one.
static void energies_are_what_they_are_in_every_form(void **unused) {
    (void)unused;
    static const struct {
        uint32_t model;
        const char *form, *quantity, *value;
    } known[] = {
        {0, "hamilton", "H", "m/2*(x'^2 + y'^2 + z'^2) + k*x^2/2"},
        {0, "hamilton", "H~", "m/2*(x'^2 + y'^2 + z'^2) + k*x^2/2"},
        {0, "hamilton", "p[x]", "m*x'"},
        {0, "hamilton", "p~[x]", "m*(x' + y*z')"},
        {0, "hamilton", "J[p~[x],p~[y]]", "m*x'*y"},
        {0, "hamel", "T~", "m/2*(x'^2 + y'^2 + z'^2)"},
        {1, "hamilton", "H", "m/2*(x'^2 + y'^2) + J/2*th'^2 + x + sin(th)"},
        {1, "hamel", "T~", "m/2*(x'^2 + y'^2) + J/2*th'^2"},
        {2, "hamilton", "H", "m/2*(r'^2 + (1 + r^2)*th'^2) + m*g*r^2"},
        {2, "hamilton", "p[th]", "m*(1 + r^2)*th'"},
        {3, "hamilton", "H", "(x'^2 + y'^2 + z'^2)/2 + z"},
        {3, "hamel", "T~", "(x'^2 + y'^2 + z'^2)/2"},
        {4, "chaplygin", "T*", "m/2*(x'^2 + y'^2 + z'^2)"},
        {5, "hamilton", "H", "(x'^2 + y'^2 + z'^2)/2 + z"},
    };
    enum { KNOWN = sizeof known / sizeof *known };
    tally t = {0};
    for (uint32_t i = 0; i < KNOWN; i++) {
        text source = {0};
        text_append(&source, models[known[i].model]);
        const char *first = known[i].model == 2 ? "r" : "x";
        text_format(&source, "claim t%u under %s: quantity(\"%s\") = %s\n", i, known[i].form,
                    known[i].quantity, known[i].value);
        text_format(&source, "claim f%u under %s: quantity(\"%s\") = %s + %s/1000\n", i,
                    known[i].form, known[i].quantity, known[i].value, first);
        judge_text(&source, &t);
        text_free(&source);
    }
    assert_int_equal(t.proved, KNOWN);
    assert_int_equal(t.refuted, KNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_listed_quantity_can_be_spoken_of),
        cmocka_unit_test(energies_are_what_they_are_in_every_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
