// Memory for FLINT, Arb and GMP, which abort the process when they get none. Their hooks for
// allocators belong to the process: they are set once, by the first context, and where no call of
// hamel is active on the thread they hand on to what was there before. During a call a block
// goes into the ring of its context (base/recovery.h), as ours do. FLINT keeps numbers and
// constants for its next user in each thread; flint_memory_flush() at both ends of a call sees to
// it that no call leaves any of them to another.
#ifndef HAMEL_EXPR_FLINT_MEMORY_H
#define HAMEL_EXPR_FLINT_MEMORY_H

void flint_memory_install(void);
void flint_memory_flush(void);
void flint_memory_repair(void); // after a jump, the part that asks for no memory

#endif
