// Inputs for the targets that read models: changes token by token and statement by statement, so
// that most of what is tried is a model, and two models joined.
#define _GNU_SOURCE // memmem
#include "support/model_mutation.h"

#include <hamel.h>

#include <stdbool.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed);

// A model of the library that fits and stands alone; false: this one does not.
static bool begin_anew(uint8_t *data, size_t *size, size_t most, unsigned seed) {
    size_t length;
    const char *model = hamel_library_text(seed % hamel_library_count(), &length);
    if (length > most || memmem(model, length, "include ", 8)) return false;
    memcpy(data, model, length);
    *size = length;
    return true;
}

// The corpus fills with texts that found a new message; half of the inputs start from a model.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    enum { BYTES_EVERY = 16 }; // now and then bytes are changed, without regard to words
    if (seed % BYTES_EVERY == 0) return LLVMFuzzerMutate(data, size, most);
    if (seed & 1) (void)begin_anew(data, &size, most, seed / BYTES_EVERY);
    return model_mutate((char *)data, size, most, 1 + (int)(seed / 2 % 2), seed);
}

// The end of the line in which place `at` is
static size_t line_end(const uint8_t *text, size_t size, size_t at) {
    while (at < size && text[at] != '\n') at++;
    return at < size ? at + 1 : size;
}

// The lines of one model up to some place, and one line of another
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t most, unsigned seed) {
    if (!other_size) return 0;
    const size_t from = line_end(other, other_size, seed % other_size),
                 length = line_end(other, other_size, from) - from;
    if (!length || one_size + length > most) return 0;
    const size_t place = one_size ? line_end(one, one_size, seed / 7 % one_size) : 0;
    memcpy(out, one, place);
    memcpy(out + place, other + from, length);
    memcpy(out + place + length, one + place, one_size - place);
    return one_size + length;
}
