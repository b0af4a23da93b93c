// Inputs for the targets that read models: changes token by token and statement by statement, and
// two models joined. Most of what is tried is a model: a change that makes a text unreadable is
// mostly made otherwise.
#define _GNU_SOURCE // memmem
#include "support/model_mutation.h"

#include <hamel.h>

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// Can the text be read? libFuzzer does not know of this text yet: where reading breaks, it lies in
// tried.ham of the working directory.
static bool reads(const uint8_t *data, size_t size) {
    const int kept = open("tried.ham", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (kept >= 0 && write(kept, data, size) < 0) abort();
    if (kept >= 0) close(kept);
    hamel_context *context = hamel_context_create();
    if (!context) return false;
    (void)hamel_context_limit(context, &(hamel_limits){.time = 2, .memory = 1 << 30});
    hamel_model *model = NULL;
    const hamel_status status = hamel_model_parse(context, "fuzz.ham", data, size, &model);
    hamel_context_destroy(context);
    return status == HAMEL_OK;
}

enum {
    BYTES_EVERY = 16, // now and then bytes are changed, without regard to words
    ANY_EVERY = 8,    // and a text stays whether it can be read or not
    TRIES = 4,
};

// The corpus fills with texts that found a new message: half of the changes start from a model of
// the library, and all that are made once more.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    if (seed % BYTES_EVERY == 0) return LLVMFuzzerMutate(data, size, most);
    const bool stays = seed % ANY_EVERY == 1;
    for (unsigned i = 0;; i++, seed = seed * 1664525u + 1013904223u) {
        if (i || seed & 1) (void)begin_anew(data, &size, most, seed / BYTES_EVERY);
        size = model_mutate((char *)data, size, most, 1 + (int)(seed / 2 % 2), seed);
        if (stays || i + 1 == TRIES || reads(data, size)) return size;
    }
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
    return seed % ANY_EVERY == 1 || reads(out, one_size + length) ? one_size + length : 0;
}
