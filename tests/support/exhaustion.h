// Memory that runs out on request. A test that is linked with the options `exhaustion` of
// tests/CMakeLists.txt takes all memory of hamel, and of FLINT and GMP below it, through here.
#ifndef HAMEL_TESTS_EXHAUSTION_H
#define HAMEL_TESTS_EXHAUSTION_H

#include <stdbool.h>

// On this thread, from here on: the k-th allocation fails, and all behind it where `for_good`;
// 0: none does.
void exhaust_at(long k, bool for_good);
// .. none fails, but at the k-th the flag becomes 1
void exhaust_interrupt_at(long k, volatile int *flag);
long exhaust_count(void);  // allocations since exhaust_at()
long exhaust_living(void); // blocks that this thread took and that nobody has given back
int exhaust_open(void);    // files that the process has open

// Every public call on a model, with failures at the first allocations and at random ones: status 6
// or what the call answers otherwise, a message, a context that closes, nothing left behind.
typedef enum { EXHAUST_MEMORY, EXHAUST_INTERRUPT, EXHAUST_LIMIT } exhaustion_kind;
typedef struct {
    exhaustion_kind kind; // allocations fail; the call is interrupted; its limit of memory is low
    const char *model, *folder; // where files may be written
    long cases;                 // failures, for each call
    const char *only;           // the name of one call; NULL: every call
} exhaustion;
void exhaust_model(const exhaustion *e);

#endif
