// Every form of the classical motion, on every library model and every theorem that has values, at
// random admissible states, against the second evaluator, which shares no code with it.
#include "support/typed_agreement.h"

#include "base/embedded.h"

#include <glob.h>
#include <stdio.h>

enum { STATES = 3 };

static void judge(model *m, const char *name, agreement *all) {
    agreement a = {0};
    compare_with_typed(m, mechanics_of(m), STATES, 0, form_is_classical, &a);
    if (a.wrong || a.wide)
        fprintf(stderr, "%s: %u wrong, %u wide: %s\n", name, a.wrong, a.wide, a.why);
    all->compared += a.compared;
    all->wrong += a.wrong;
    all->wide += a.wide;
    all->states += a.states;
}

static void every_form_moves_as_it_was_typed(void **unused) {
    (void)unused;
    agreement all = {0};
    for (unsigned long i = 0; i < embedded_model_count; i++) {
        world w = world_open();
        judge(world_library(&w, embedded_models[i].name), embedded_models[i].name, &all);
        world_close(&w);
    }
    glob_t found;
    assert_int_equal(glob(SOURCE_DIR "/models/theorems/*.ham", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        world w = world_open();
        judge(world_library(&w, found.gl_pathv[i]), found.gl_pathv[i], &all);
        world_close(&w);
    }
    globfree(&found);
    assert_int_equal(all.wrong, 0);
    assert_true(all.wide * 100 <= all.compared);
    assert_true(all.compared >= 2000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_moves_as_it_was_typed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
