// Random expressions and models as text, for comparisons between two ways of evaluating them. A
// seed gives a text; shrink_text() makes one that fails short enough for a person to read.
#ifndef HAMEL_TESTS_RANDOM_TEXT_H
#define HAMEL_TESTS_RANDOM_TEXT_H

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

// The seed of a run: $HAMEL_SEED or the default; and the number of cases:
// $HAMEL_CASES or the default.
uint64_t run_seed(uint64_t fallback);
uint32_t run_cases(uint32_t fallback);
uint64_t case_seed(uint64_t run, uint32_t i);

#endif
