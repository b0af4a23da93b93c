// Heap memory for what lives shorter than a context or grows: taken here, given back with
// memory_free() by the file that took it. No call returns NULL, so callers have no error path:
// where memory runs out the call of the library is left, with status 6 (base/recovery.h). Counts
// are of elements, and 0 of them have an address too.
#ifndef HAMEL_BASE_MEMORY_H
#define HAMEL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// one object, zeroed
#define memory_new(type) ((type *)memory_zeroed(1, sizeof(type)))
// contents undefined
#define memory_array(type, count) ((type *)memory_unset((size_t)(count), sizeof(type)))
#define memory_zeros(type, count) ((type *)memory_zeroed((size_t)(count), sizeof(type)))
#define memory_grow(items, count)                                                                  \
    ((items) = memory_resize((items), (size_t)(count), sizeof *(items)))
void memory_free(void *p); // NULL is nothing

// Behind the macros.
void *memory_unset(size_t count, size_t size) __attribute__((returns_nonnull));
void *memory_zeroed(size_t count, size_t size) __attribute__((returns_nonnull));
void *memory_resize(void *old, size_t count, size_t size) __attribute__((returns_nonnull));

// For the rooms that set recovery points. Whose a block is: what is taken in a call is in the ring
// of its context.
struct memory_block;
void *memory_try(size_t bytes);           // zeroed, of no context; NULL: there is none
bool memory_has(size_t bytes);            // now, in one piece
void memory_disown(void *p);              // of no context from here on; NULL is nothing
void memory_hand_over(void *p);           // .. to the caller of the call that ends
void memory_ring(struct memory_block *b); // alone
void memory_link(struct memory_block *b, struct memory_block *before); // behind another
void memory_unlink(struct memory_block *b);
void memory_let_go(struct memory_block *ring); // its blocks belong to nobody from here on
void memory_drop(struct memory_block *ring);   // free all but the head of a ring

// Room for one more element in an array {items, count, capacity}.
#define array_reserve(items, count, capacity)                                                      \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            memory_grow((items), (capacity) ? 2 * (capacity) : 8);                                 \
            (capacity) = (capacity) ? 2 * (capacity) : 8;                                          \
        }                                                                                          \
    } while (0)

#endif
