// The allocators of FLINT and GMP during calls of the library.
//
// A block of ours has a head of three words, so that its address is 8 above a multiple of 16; what
// malloc() returns is such a multiple, so one bit tells our blocks from those that FLINT took
// before the hooks were set or outside of calls. (Allocators that align less, for less than 16
// bytes, are told by the word before the block.)
//
// FLINT must not be left by a jump where it is avoidable: a small block that is not there is taken
// from the reserve, and the jump is made from our own code, at its next allocation. A large one
// jumps at once. What such a jump leaves behind in FLINT 2.9 was read in its source: an array of
// free numbers whose noted capacity is larger than the array, which _fmpz_cleanup_mpz_content()
// sets right; and caches half filled, which flint_cleanup() empties.
//
// What it gives back in a call is kept by size until the call ends and handed out again, which
// saves more work than heads and rings cost; such spare blocks stay in their ring. Under
// AddressSanitizer none are kept, so that it sees each block die.
#include "expr/flint_memory.h"

#include "base/budget.h"
#include "base/memory.h"
#include "base/sanitizer.h"

#include <flint/flint.h>
#include <flint/fmpz.h>
#include <gmp.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    memory_block ring;
    uintptr_t mark; // the address of the head, turned over, and in its last four bits the class
} head;

enum { SMALL = 64 << 10, UNIT = 32, CLASSES = sizeof((recovery){0}).spare / sizeof(void *) };
#ifdef HAMEL_ASAN
enum { MOST_KEPT = 0 };
#else
enum { MOST_KEPT = UNIT * (CLASSES - 1) }; // bytes; a block of class c has UNIT * c, of 0 any
#endif

_Static_assert(sizeof(head) % 16 == 8, "the address of a block tells whether it is ours");

// What was there before, of FLINT and of GMP: constant once the hooks are set.
static struct {
    void *(*take)(size_t), *(*take_zeroed)(size_t, size_t), *(*resize)(void *, size_t);
    void (*release)(void *);
    void *(*gmp_take)(size_t), *(*gmp_resize)(void *, size_t, size_t);
    void (*gmp_release)(void *, size_t);
} before;

static unsigned class_of(const head *h) {
    return (unsigned)(h->mark & (CLASSES - 1)) ^ (CLASSES - 1);
}

static uintptr_t mark_of(const head *h, unsigned class) { return ~((uintptr_t)h + class); }

// What the account of a call has for it
static size_t bytes_of(head *h) {
    const unsigned class = class_of(h);
    return class ? sizeof *h + UNIT * class : malloc_usable_size(h);
}

static head *head_of(void *p) {
    if ((uintptr_t)p % 16 != 8) return NULL;
    head *h = (head *)p - 1;
    return (~h->mark & ~(uintptr_t)(CLASSES - 1)) == (uintptr_t)h ? h : NULL;
}

static void release_spare(recovery *r) {
    for (int i = 0; i < CLASSES; i++)
        for (void *p = r->spare[i], *next; p; p = next) {
            memcpy(&next, p, sizeof next);
            head *h = (head *)p - 1;
            budget_give(r, bytes_of(h));
            memory_unlink(&h->ring);
            free(h);
        }
    memset(r->spare, 0, sizeof r->spare);
}

// A new block, inside of a call. The reserve is for small ones: see above.
static void *take_new(size_t bytes, unsigned class) {
    if (bytes > SIZE_MAX - sizeof(head)) recovery_jump(RECOVERY_NO_MEMORY);
    budget_ask(recovery_now, bytes);
    head *h = malloc(sizeof *h + bytes);
    if (!h) {
        release_spare(recovery_now);
        h = malloc(sizeof *h + bytes);
    }
    if (!h && bytes <= SMALL && recovery_lend()) h = malloc(sizeof *h + bytes);
    if (!h) recovery_jump(RECOVERY_NO_MEMORY);
    h->mark = mark_of(h, class);
    memory_link(&h->ring, recovery_now->blocks);
    budget_take(recovery_now, bytes_of(h));
    return h + 1;
}

static void *take(recovery *r, size_t bytes) {
    if (bytes > MOST_KEPT) return take_new(bytes, 0);
    const unsigned class = (unsigned)(bytes + UNIT - 1) / UNIT | !bytes;
    void *p = r->spare[class];
    if (!p) return take_new(UNIT * class, class);
    if (--r->patience < 0) budget_look();
    memcpy(&r->spare[class], p, sizeof p); // the first word of a spare block is the next one
    return p;
}

static void release(head *h) {
    recovery *r = recovery_now;
    const unsigned class = class_of(h);
    if (r && class) {
        memcpy(h + 1, &r->spare[class], sizeof(void *));
        r->spare[class] = h + 1;
    } else {
        budget_give(r, bytes_of(h));
        memory_unlink(&h->ring);
        free(h);
    }
}

// NULL only outside of calls
static void *resize(head *h, size_t bytes) {
    const unsigned class = class_of(h);
    if (class && bytes <= UNIT * class) return h + 1;
    if (class && recovery_now) {
        void *p = take(recovery_now, bytes);
        memcpy(p, h + 1, UNIT * class);
        release(h);
        return p;
    }
    if (bytes > SIZE_MAX - sizeof(head)) recovery_jump(RECOVERY_NO_MEMORY);
    if (recovery_now) budget_ask(recovery_now, bytes);
    memory_block *const neighbour = h->ring.before;
    const size_t old = bytes_of(h);
    memory_unlink(&h->ring); // a block of ours is never alone: the head of its ring is there
    head *moved = realloc(h, sizeof *h + bytes);
    if (!moved && bytes <= SMALL && recovery_lend()) moved = realloc(h, sizeof *h + bytes);
    if (!moved) {
        memory_link(&h->ring, neighbour);
        if (recovery_now) recovery_jump(RECOVERY_NO_MEMORY);
        return NULL;
    }
    moved->mark = mark_of(moved, 0);
    budget_give(recovery_now, old), budget_take(recovery_now, bytes_of(moved));
    memory_link(&moved->ring, neighbour);
    return moved + 1;
}

// --- as FLINT and as GMP call them ---------------------------------------------------------------

static void *flint_take(size_t bytes) {
    recovery *r = recovery_now;
    return r ? take(r, bytes) : before.take(bytes);
}

static void *flint_take_zeroed(size_t count, size_t size) {
    if (!recovery_now) return before.take_zeroed(count, size);
    if (size && count > SIZE_MAX / size) recovery_jump(RECOVERY_NO_MEMORY);
    return memset(take(recovery_now, count * size), 0, count * size);
}

static void *flint_resize(void *p, size_t bytes) {
    if (!p) return flint_take(bytes);
    head *h = head_of(p);
    if (h) return resize(h, bytes);
    void *moved = before.resize(p, bytes);
    if (!moved && recovery_now) recovery_jump(RECOVERY_NO_MEMORY);
    return moved;
}

static void flint_release(void *p) {
    head *h = head_of(p);
    if (h) release(h);
    else before.release(p);
}

static void *gmp_take(size_t bytes) {
    recovery *r = recovery_now;
    return r ? take(r, bytes) : before.gmp_take(bytes);
}

static void *gmp_resize(void *p, size_t old, size_t bytes) {
    head *h = head_of(p);
    return h ? resize(h, bytes) : before.gmp_resize(p, old, bytes);
}

static void gmp_release(void *p, size_t bytes) {
    head *h = head_of(p);
    if (h) release(h);
    else before.gmp_release(p, bytes);
}

// FLINT gives up, after a line of its own about why.
__attribute__((noreturn)) static void give_up(void) { // clang wants it in the type
    if (recovery_now) recovery_jump(RECOVERY_FLINT);
    abort();
}

static void install(void) {
    __flint_get_memory_functions(&before.take, &before.take_zeroed, &before.resize,
                                 &before.release);
    mp_get_memory_functions(&before.gmp_take, &before.gmp_resize, &before.gmp_release);
    __flint_set_memory_functions(flint_take, flint_take_zeroed, flint_resize, flint_release);
    mp_set_memory_functions(gmp_take, gmp_resize, gmp_release);
    flint_set_abort(give_up);
}

void flint_memory_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void flint_memory_repair(void) { _fmpz_cleanup_mpz_content(); }

void flint_memory_flush(void) {
    flint_memory_repair();
    flint_cleanup();
    if (recovery_now) release_spare(recovery_now);
}
