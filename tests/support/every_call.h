// Models through the calls of the library, in processes that may die of them: a crash, a report of
// a sanitizer, a status that is none, a result that is missing or a call that does not end count
// as failures, and the net goes on. A seed says which model is made and which calls it goes
// through with which arguments, so that one case can be run again by its number.
#ifndef HAMEL_TESTS_EVERY_CALL_H
#define HAMEL_TESTS_EVERY_CALL_H

#include <stdint.h>

typedef struct {
    uint32_t tried, failed; // models
    uint32_t parsed;        // of these
    uint32_t sound;         // times that check found nothing wrong
    uint32_t calls;         // made on models that were read
} call_count;

// Cases `from` .. `from + cases - 1` of a run with this seed, on `processes` at once. Each failure
// is told on standard error, with the text of its model.
call_count every_call(uint64_t seed, uint32_t from, uint32_t cases, unsigned processes);

#endif
