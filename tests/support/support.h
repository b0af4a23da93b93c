// What tests share: a context with a pool, models from text, numbers at a random point. A test
// opens a world, makes models in it, and closes it; what fails says so through cmocka.
#ifndef HAMEL_TESTS_SUPPORT_H
#define HAMEL_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "expr/program.h"
#include "hamel.h"
#include "model/mechanics.h"
#include "execute/simulation.h"

typedef struct {
    hamel_context *ctx;
    pool *p;
} world;

world world_open(void);
void world_close(world *w);

// A model from its text; fails the test with the diagnostics if there are any errors.
model *world_model(world *w, const char *text);
model *world_library(world *w, const char *name);

// What a model says, by its own choice of velocities; and that ready to run from its
// initial state, by the default form.
mechanics *mechanics_of(model *m);
simulation *simulation_of(model *m);
void simulation_and_equations_free(simulation *s);

// Are two expressions equal as functions? Decided in F_p at several random
// points; never by structure.
bool same_function(pool *p, expr a, expr b);

double random_between(uint64_t *state, double low, double high);

// Group fixtures of tests that compile: an empty cache of their own, in which equal code is
// compiled once. *state is its folder.
int cache_make(void **state);
int cache_remove(void **state);

// The value of an expression in balls, symbols by their indices.
void expr_value_arb(pool *p, expr e, arb_srcptr symbols, slong precision, arb_t out);

#endif
