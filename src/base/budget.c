// Budgets of calls: the clock, the flag, and the bytes that are held.
#include "base/budget.h"

#include "base/clock.h"

#include <unistd.h>

// Units of work between two looks; one is a small block of memory, or 4 KB of a large one. A block
// takes 20 ns at least, a look at the clock about as long.
enum { PATIENCE = 256 };

// Seconds for code that ends by itself: between budget_hold() and budget_release().
static const double GRACE = 2;

size_t budget_usual_memory(void) {
    static const double MOST = 16e9, PART = 0.75;
    const double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    return machine > 0 && PART * machine < MOST ? (size_t)(PART * machine) : (size_t)MOST;
}

void budget_begin(recovery *r, budget *b) {
    r->budget = b;
    r->why = RECOVERY_NONE;
    r->holds = 0, r->settled = false;
    r->patience = PATIENCE;
    r->noticed = 0;
    r->deadline = b && b->seconds > 0 ? clock_seconds() + b->seconds : 0;
    const recovery *outer = r->outer;
    if (outer && outer->budget == b && outer->deadline > 0) r->deadline = outer->deadline;
}

// --- time and interrupts -------------------------------------------------------------------------

static void notice(recovery *r) {
    const budget *b = r->budget;
    if (!b || r->why || r->settled) return;
    if (budget_flag_is_set(b->interrupted)) r->why = RECOVERY_INTERRUPTED;
    else if (r->deadline > 0 && clock_seconds() > r->deadline) r->why = RECOVERY_TIME;
    if (r->why) r->noticed = clock_seconds();
}

void budget_look(void) {
    recovery *r = recovery_now;
    if (!r) return;
    if (r->budget) r->budget->work += (uint64_t)(PATIENCE - r->patience);
    r->patience = PATIENCE;
    notice(r);
    if (r->why && (!r->holds || clock_seconds() > r->noticed + GRACE)) recovery_jump(r->why);
}

void budget_hold(void) {
    if (recovery_now) recovery_now->holds++;
}

void budget_release(void) {
    if (recovery_now) recovery_now->holds--;
}

void budget_settle(void) {
    if (!recovery_now) return;
    recovery_now->why = RECOVERY_NONE;
    recovery_now->settled = true;
}

recovery_reason budget_spent(void) {
    recovery *r = recovery_now;
    if (!r) return RECOVERY_NONE;
    notice(r);
    return r->why;
}

_Noreturn void budget_refuse(void) { recovery_jump(RECOVERY_MEMORY_LIMIT); }
