// Recovery points of calls, what they guard, and the reserve.
#include "base/recovery.h"

#include "base/budget.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

_Thread_local recovery *recovery_now;

void recovery_enter(recovery *r, memory_block *blocks, void **reserve, budget *b) {
    r->outer = recovery_now;
    r->blocks = blocks;
    guard_ring(&r->guards);
    r->reserve = reserve;
    r->due = false;
    memset(r->spare, 0, sizeof r->spare);
    budget_begin(r, b);
    recovery_now = r;
}

void recovery_leave(recovery *r) {
    assert(recovery_now == r && r->guards.older == &r->guards);
    recovery_now = r->outer;
}

_Noreturn void recovery_jump(recovery_reason why) {
    recovery *r = recovery_now;
    assert(r); // memory ran out, and no call of the library is there to say so
    r->why = why;
    r->budget = NULL; // what is done to clean up is not left again
    recovery_free_reserve(r->reserve);
    while (r->guards.older != &r->guards) {
        guard *g = r->guards.older;
        guard_lift(g);
        g->release(g->what);
    }
    longjmp(r->back, 1);
}

// --- guards --------------------------------------------------------------------------------------

void guard_set(guard *g, void (*release)(void *what), void *what) {
    recovery *r = recovery_now;
    *g = (guard){g, g, release, what};
    if (!r) return;
    g->older = r->guards.older;
    g->newer = &r->guards;
    g->older->newer = g->newer->older = g;
}

static void close_file(void *f) { fclose(f); }

void guard_file(guard *g, FILE *f) { guard_set(g, close_file, f); }

void guard_lift(guard *g) {
    g->older->newer = g->newer;
    g->newer->older = g->older;
    g->older = g->newer = g;
}

void guard_ring(guard *head) { head->older = head->newer = head; }

void guard_move_all(guard *from, guard *to) {
    if (from->older == from) return;
    guard *oldest = from->newer, *newest = from->older;
    oldest->older = to->older, to->older->newer = oldest;
    newest->newer = to, to->older = newest;
    guard_ring(from);
}

// --- the reserve ---------------------------------------------------------------------------------

// Below the size from which malloc() maps a block of its own, so that what is given back lies
// where the next block is looked for.
enum { RESERVE = 120 << 10 };

bool recovery_keep_reserve(void **reserve) {
    if (!*reserve) *reserve = malloc(RESERVE);
    return *reserve != NULL;
}

void recovery_free_reserve(void **reserve) {
    if (!reserve) return;
    free(*reserve);
    *reserve = NULL;
}

bool recovery_lend(void) {
    recovery *r = recovery_now;
    if (!r || !r->reserve || !*r->reserve) return false;
    recovery_free_reserve(r->reserve);
    r->due = true;
    return true;
}
