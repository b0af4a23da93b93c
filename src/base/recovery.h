// What happens when memory runs out, or the budget of a call (base/budget.h). A call of the library
// (api/call.h) sets a recovery point for its thread; an allocation that fails inside of it closes
// what is open (guards) and jumps back there, so that no other code has an error path for memory.
// What the call had taken lies in a ring of the context and is released with it, without
// destructors. The pointer to the recovery point of a thread is the one variable of the library
// that is no constant and in no context.
#ifndef HAMEL_BASE_RECOVERY_H
#define HAMEL_BASE_RECOVERY_H

#include <locale.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// In front of each block of the heap: its neighbours in a ring; a block of no context is alone.
typedef struct memory_block {
    struct memory_block *before, *after;
} memory_block;

// Something open that is no memory of ours: a file, a child process, an object of a library that
// has its own heap. It lies in the object that it guards, or beside it on the stack.
//     guard g;  guard_set(&g, close_it, it);  ...  guard_lift(&g);
typedef struct guard {
    struct guard *older, *newer;
    void (*release)(void *what);
    void *what;
} guard;

// Why a call is left.
typedef enum {
    RECOVERY_NONE,
    RECOVERY_NO_MEMORY,    // the machine or the process has no more
    RECOVERY_MEMORY_LIMIT, // the budget of the call has no more
    RECOVERY_TIME,
    RECOVERY_INTERRUPTED,
    RECOVERY_FLINT, // FLINT gave up: something no code of ours should have asked of it
} recovery_reason;

struct budget;

typedef struct recovery {
    struct recovery *outer; // of the call in which this one was made: a callback's
    memory_block *blocks;   // the ring of what is taken; its head is no block itself
    guard guards;           // a ring as well
    void **reserve;         // memory kept for the last moment; see recovery_lend
    void *spare[16];        // blocks that FLINT gave back, by size (expr/flint_memory.c)
    locale_t callers;       // locale of the thread outside of the call, also in callbacks
    bool due;               // memory ran out inside another library: jump from our own code
    recovery_reason why;    // .. or time did, where the call could not be left at once
    struct budget *budget;  // NULL: there is none
    int64_t patience;       // work until the next look at clock and flag
    double deadline;        // on the clock, in seconds; 0: none
    double noticed;         // when it was seen that time is over
    uint32_t holds;         // see budget_hold
    bool settled;           // see budget_settle
    jmp_buf back;
} recovery;

extern _Thread_local recovery *recovery_now; // NULL outside of calls

void recovery_enter(recovery *r, memory_block *blocks, void **reserve, struct budget *b);
void recovery_leave(recovery *r);

// Release what is guarded, newest first, and jump to recovery_now, which must be.
_Noreturn void recovery_jump(recovery_reason why);

// The reserve of a context: taken before a call begins (false: there is not even that), and given
// to a library that must not be left in the middle of its work: it goes on with that, and the jump
// is made as soon as it has returned. False: the reserve is spent.
bool recovery_keep_reserve(void **reserve);
void recovery_free_reserve(void **reserve);
bool recovery_lend(void);

// Outside of calls (in tests) nothing is done.
void guard_set(guard *g, void (*release)(void *what), void *what);
void guard_file(guard *g, FILE *f); // closed
void guard_lift(guard *g);
// What stays open between calls: all guards of the ring `from` go to the ring `to`.
void guard_ring(guard *head); // empty
void guard_move_all(guard *from, guard *to);

#endif
