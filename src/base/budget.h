// What a call of the library may spend: seconds, bytes of memory, and until somebody interrupts it.
// The budget is part of the context; each call begins with all of its time (base/recovery.h). Every
// allocation counts, ours and FLINT's, and now and then one of them looks at the clock and at the
// flag: a call whose budget is spent is left from there, as one that gets no memory. A loop that
// can be long without taking memory calls budget_check().
#ifndef HAMEL_BASE_BUDGET_H
#define HAMEL_BASE_BUDGET_H

#include "base/recovery.h"

#include <stddef.h>

typedef struct budget {
    double seconds;                  // of one call; 0: no limit
    size_t memory;                   // bytes held at once
    const volatile int *interrupted; // becomes nonzero to end a call; NULL: never
    size_t held;                     // bytes of the blocks in the ring of the context
    uint64_t work;                   // units done by all calls so far, up to the last look
} budget;

// A flag of the caller's, which another thread or a signal may set at any time; NULL: never
static inline bool budget_flag_is_set(const volatile int *flag) {
    return flag && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0;
}

// Memory of a machine that is a limit for nobody but those who would bring it to a halt.
size_t budget_usual_memory(void);

// A call begins with this budget (NULL: none), inside another one of its context in what that has
// left: by recovery_enter.
void budget_begin(recovery *r, budget *b);

// Now: look at flag and clock, and leave the call if its budget is spent.
void budget_look(void);

// The same, now and then: `work` is about how many blocks of memory take as long.
static inline void budget_check_work(int64_t work) {
    recovery *r = recovery_now;
    if (r && (r->patience -= work) < 0) budget_look();
}
static inline void budget_check(void) { budget_check_work(1); }

// In between the call is not left for time or interrupts, unless it goes on for seconds: the code
// asks budget_spent() itself and ends in good order. Calls nest. Memory that runs out ends a call
// also here.
void budget_hold(void);
void budget_release(void);
recovery_reason budget_spent(void); // RECOVERY_NONE, .._TIME or .._INTERRUPTED
// The call is at its end because its budget is spent: what it has is written, however long that
// takes.
void budget_settle(void);

// Blocks of the heap that come and go, in the call `r` (NULL: in none). budget_ask() before one is
// taken leaves the call where that would be more than its budget has.
enum { BUDGET_UNIT = 4096, BUDGET_STEPS = 8 }; // bytes, steps of a short loop: one unit of work

_Noreturn void budget_refuse(void); // more memory than the budget has

static inline void budget_ask(recovery *r, size_t bytes) {
    const budget *b = r->budget;
    if (!b) return;
    if (bytes > b->memory || b->held > b->memory - bytes) budget_refuse();
    if ((r->patience -= 1 + (int64_t)(bytes / BUDGET_UNIT)) < 0) budget_look();
}

static inline void budget_take(recovery *r, size_t bytes) {
    if (r && r->budget) r->budget->held += bytes;
}

// A block of another context is not in this account.
static inline void budget_give(recovery *r, size_t bytes) {
    budget *b = r ? r->budget : NULL;
    if (b) b->held -= bytes < b->held ? bytes : b->held;
}

#endif
