// What tests share.
#include "support/support.h"

#include "derive/formalism.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

world world_open(void) {
    hamel_context *ctx = hamel_context_create();
    return (world){ctx, ctx->pool};
}

void world_close(world *w) { hamel_context_destroy(w->ctx); }

model *world_model(world *w, const char *text) {
    hamel_model *m = NULL;
    if (hamel_model_parse(w->ctx, "test.ham", text, strlen(text), &m)) {
        char *why = hamel_diagnostics(w->ctx);
        fprintf(stderr, "%s", why);
        hamel_free(why);
        fail();
    }
    return m;
}

model *world_library(world *w, const char *name) {
    hamel_model *m = NULL;
    assert_int_equal(hamel_model_open(w->ctx, name, &m), HAMEL_OK);
    return m;
}

mechanics *mechanics_of(model *m) {
    mechanics *s;
    assert_int_equal(mechanics_create(m, NULL, &s), HAMEL_OK);
    return s;
}

simulation *simulation_of(model *m) {
    mechanics *s = mechanics_of(m);
    simulation *made = NULL;
    const completion_request where = {.mode = COMPLETE_STRICT, .zero_defaults = true};
    assert_int_equal(
        simulation_create(m, s, formalism_derive(formalism_default(s), s), &where, &made),
        HAMEL_OK);
    return made;
}

void simulation_and_equations_free(simulation *s) {
    equations *eq = s->eq;
    simulation_free(s);
    equations_free(eq);
}

bool same_function(pool *p, expr a, expr b) {
    enum { POINTS = 3, MOST_TRIES = 400 };
    const expr gap = expr_sub(p, a, b);
    program *prog = program_create(p, 1, &gap);
    uint64_t random = 20261115;
    const uint32_t symbols = pool_symbol_count(p);
    mp_limb_t *value = malloc(sizeof(mp_limb_t) * (symbols ? symbols : 1));
    int points = 0;
    bool same = true;
    for (int i = 0; i < MOST_TRIES && points < POINTS && same; i++) {
        const modular_point at = modular_point_random(modular_angles_of(p), &random);
        for (uint32_t j = 0; j < symbols; j++) value[j] = random_next(&random) % at.prime;
        mp_limb_t out = 1;
        if (program_run_modular(prog, &at, value, &out) != MODULAR_OK) continue;
        points++;
        same = out == 0;
    }
    free(value);
    program_free(prog);
    return same && points == POINTS;
}

double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * (double)(random_next(state) >> 11) * 0x1p-53;
}

void expr_value_arb(pool *p, expr e, arb_srcptr symbols, slong precision, arb_t out) {
    program *prog = program_create(p, 1, &e);
    program_run_arb(prog, symbols, precision, out);
    program_free(prog);
}

int cache_make(void **state) {
    static char folder[] = "/tmp/hamel-cache-XXXXXX";
    *state = mkdtemp(folder);
    return *state == NULL || setenv("XDG_CACHE_HOME", folder, 1);
}

int cache_remove(void **state) {
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return system(command);
}
