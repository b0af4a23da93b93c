// Changes to the text of a model that leave most of it a model: a number for a number, a name for a
// name, an operator, a prime more or less, a bracket for a bracket, lines in another order, a
// statement more. For the fuzzers and for the net of every call, both of which learn little from
// texts that cannot be read.
#ifndef HAMEL_TESTS_MODEL_MUTATION_H
#define HAMEL_TESTS_MODEL_MUTATION_H

#include <stddef.h>
#include <stdint.h>

// `changes` changes to text[0 .. size), which may grow to `most` bytes; the new size.
size_t model_mutate(char *text, size_t size, size_t most, int changes, uint64_t seed);

#endif
