// One model that nobody would write, through calls of the library with arguments that nobody would
// give. It is made from a seed, and so are the calls. What is wrong ends the process: by the signal
// of a crash, by SIGPROF or SIGALRM where a call does not end, or by WRONG_ANSWER.
#ifndef HAMEL_TESTS_MODEL_CALLS_H
#define HAMEL_TESTS_MODEL_CALLS_H

#include "support/random_text.h"

enum { WRONG_ANSWER = 98 }; // exit status

// How far a process has come, in memory that it shares with the one that started it
typedef struct {
    volatile uint32_t at, end;              // the case it is at
    volatile uint32_t parsed, sound, calls; // models read, found sound by check; calls
    char call[200];                         // the call it is in
    char text[RANDOM_TEXT];                 // of the model
} call_progress;

// Files are written below `folder`.
void model_calls(uint64_t seed, const char *folder, call_progress *p);

#endif
