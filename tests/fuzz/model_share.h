// How many of the inputs of a fuzz target could be read as models: said when the process ends, for
// a fuzzer whose inputs cannot be read tries nothing but the messages.
#ifndef HAMEL_TESTS_MODEL_SHARE_H
#define HAMEL_TESTS_MODEL_SHARE_H

#include <stdbool.h>

void model_share_count(bool read);

#endif
