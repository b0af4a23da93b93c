// Random expressions and models as text, for comparisons between two ways of evaluating them. A
// seed gives a text; shrink_text() makes one that fails short enough for a person to read.
#ifndef HAMEL_TESTS_RANDOM_TEXT_H
#define HAMEL_TESTS_RANDOM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANDOM_TEXT = 16384 };

// Names that random expressions may use; each text ends in a newline. `random_scalars`: no vectors,
// points or bodies, no derivatives of anything but names, for readers that know scalars only.
extern const char *const random_declarations;
void random_expression(uint64_t seed, char out[RANDOM_TEXT]);
void random_scalar_expression(uint64_t seed, char out[RANDOM_TEXT]);
// A whole model: energies, points, bodies, forces, 1 to 3 constraints of
// every kind, quasi-velocities.
void random_model(uint64_t seed, char out[RANDOM_TEXT]);

// Makes a text that `fails` shorter while it still does: brackets are
// emptied, lines and operands go.
void shrink_text(char text[RANDOM_TEXT], int (*fails)(const char *text, void *data), void *data);

// The size of a test: `full` if $HAMEL_LONG is set (make test-long), else `usual`. run_cases() is
// the number of cases: $HAMEL_CASES, else run_size(), of which a quarter if $HAMEL_SANITIZED is
// set. tests/CMakeLists.txt adds a test NAME_long for every source that calls one of them. The
// seed is $HAMEL_SEED, or `usual`.
uint32_t run_size(uint32_t usual, uint32_t full);
uint32_t run_cases(uint32_t usual, uint32_t full);
uint64_t run_seed(uint64_t usual);
uint64_t case_seed(uint64_t run, uint32_t i);

// Returns false once the process and its children have used $HAMEL_SECONDS of processor time: a
// random test then stops, with cases left. Always true if the variable is not set.
bool run_has_time(void);

#endif
