// A fence around a library that this process must not depend on: one that was not made for hostile
// files, or that ends the process where it gets no memory. The work is done in a child process that
// dies alone; what it sends comes back through a pipe. Where it reads a file of somebody else it
// can neither open nor write any file after fence_lock(), has bounds on memory and time, and its
// reader trusts nothing of what it sends.
#ifndef HAMEL_BASE_FENCE_H
#define HAMEL_BASE_FENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t memory;                 // bytes the child may take; 0: no limit, here and below
    uint64_t output;                 // bytes it may send
    double seconds;                  // of the clock
    double asleep;                   // seconds without a sign of life; 0: ten
    const volatile int *interrupted; // set from outside; NULL: never
} fence_limits;

typedef enum {
    FENCE_DONE,
    FENCE_REFUSED, // the work returned false
    FENCE_SYSTEM,  // a call of the system failed, and errno says why
    FENCE_MEMORY,  // it ran out of it
    FENCE_DIED,    // by a signal
    FENCE_TIME,    // it took too long
    FENCE_ASLEEP,  // it waits for what never comes
    FENCE_OUTPUT,  // it sent too much, or the taker wanted no more
    FENCE_INTERRUPTED,
    FENCE_NONE, // no process could be made; errno says why
} fence_outcome;

// In the child: sends bytes to the parent; false if it does not listen any more.
typedef struct fence fence;
bool fence_send(fence *f, const void *bytes, size_t size);
// In the child, before it returns false: a call of the system failed with this error.
void fence_fail(fence *f, int error);
// In the child, once the file is open: from here on nothing can be opened, made or connected to.
void fence_lock(void);

typedef struct {
    bool (*work)(fence *f, void *data); // in the child
    void *data;
    bool (*take)(const void *bytes, size_t size, void *to); // in the parent; false: enough
    void *to;
    bool keeps_files; // what is open stays open, and files may be written: the work is our own
} fence_job;

// A taker: adds all of it to a text.
bool fence_take_text(const void *bytes, size_t size, void *text);

// A child that waits without using the processor is put down, and another one tries if nothing has
// come yet: fork() beside threads copies locks that nobody will open again.
fence_outcome fence_run(const fence_job *job, const fence_limits *most);
const char *fence_words(fence_outcome o); // "it took too long"

#endif
