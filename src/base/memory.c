// Heap memory that is always there: where there is none the call of the library is left, by
// base/recovery.h.
#include "base/memory.h"

#include "base/budget.h"

#include <malloc.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

// What lies before the bytes that are handed out: a place in a ring, and what alignment asks for.
typedef union {
    memory_block ring;
    max_align_t aligned;
} head;

static memory_block *block_of(void *p) { return &((head *)p - 1)->ring; }

void memory_ring(memory_block *b) { b->before = b->after = b; }

void memory_link(memory_block *b, memory_block *before) {
    b->before = before;
    b->after = before->after;
    b->before->after = b->after->before = b;
}

void memory_unlink(memory_block *b) {
    b->before->after = b->after;
    b->after->before = b->before;
}

// Bytes with their head; jumps where they are too many, or where a jump is due.
static size_t bytes_of(size_t count, size_t size) {
    recovery *r = recovery_now;
    if (r && r->due) recovery_jump(r->why ? r->why : RECOVERY_NO_MEMORY);
    if (count > (SIZE_MAX - sizeof(head)) / size) recovery_jump(RECOVERY_NO_MEMORY);
    const size_t bytes = sizeof(head) + count * size;
    if (r) budget_ask(r, bytes);
    return bytes;
}

static void *handed_out(head *h) {
    if (!h) recovery_jump(RECOVERY_NO_MEMORY);
    recovery *const r = recovery_now;
    if (r) {
        memory_link(&h->ring, r->blocks);
        budget_take(r, malloc_usable_size(h));
    } else {
        memory_ring(&h->ring);
    }
    return h + 1;
}

void *memory_unset(size_t count, size_t size) { return handed_out(malloc(bytes_of(count, size))); }
void *memory_zeroed(size_t count, size_t size) {
    return handed_out(calloc(1, bytes_of(count, size)));
}

void *memory_resize(void *old, size_t count, size_t size) {
    if (!old) return memory_unset(count, size);
    const size_t bytes = bytes_of(count, size);
    head *h = (head *)old - 1;
    memory_block *const before = h->ring.before;
    const bool alone = before == &h->ring;
    if (!alone) { // a block that moves leaves its ring and comes back
        memory_unlink(&h->ring);
        budget_give(recovery_now, malloc_usable_size(h));
    }
    head *moved = realloc(h, bytes);
    head *now = moved ? moved : h;
    if (alone) {
        memory_ring(&now->ring);
    } else {
        memory_link(&now->ring, before);
        budget_take(recovery_now, malloc_usable_size(now));
    }
    if (!moved) recovery_jump(RECOVERY_NO_MEMORY);
    return now + 1;
}

void memory_free(void *p) {
    if (!p) return;
    memory_block *const b = block_of(p);
    recovery *const r = recovery_now;
    if (r && b->before != b) budget_give(r, malloc_usable_size(b));
    memory_unlink(b);
    free(b);
}

void *memory_try(size_t bytes) {
    head *h = calloc(1, sizeof *h + bytes);
    if (!h) return NULL;
    memory_ring(&h->ring);
    return h + 1;
}

bool memory_has(size_t bytes) {
    void *p = malloc(bytes);
    free(p);
    return p != NULL;
}

void memory_disown(void *p) {
    if (!p) return;
    memory_unlink(block_of(p));
    memory_ring(block_of(p));
}

void memory_hand_over(void *p) {
    if (p) budget_give(recovery_now, malloc_usable_size(block_of(p)));
    memory_disown(p);
}

void memory_let_go(memory_block *ring) {
    memory_unlink(ring);
    memory_ring(ring);
}

void memory_drop(memory_block *ring) {
    for (memory_block *b = ring->after, *next; b != ring; b = next) {
        next = b->after;
        free(b);
    }
    memory_ring(ring);
}
