// The boundary that every public call goes through. It keeps a reserve of memory, sets the recovery
// point of the thread, puts it into the C locale and says what is being done; where memory or the
// budget of the context (base/budget.h) runs out the call returns HAMEL_LIMIT, the context holds a
// diagnostic that says so and nothing else, and each later call on it returns HAMEL_LIMIT at once.
// Calls nest: a callback may call the library.
#ifndef HAMEL_API_CALL_H
#define HAMEL_API_CALL_H

#include "base/context.h"
#include "base/recovery.h"
#include "expr/flint_memory.h"

typedef struct {
    recovery at;
    context *ctx;      // NULL: a call without a context, or one that only reads it
    char **result;     // where text for the caller goes; NULL: there is none
    memory_block own;  // the ring of such a call
    void *own_reserve; // .. and its reserve
    bool jumped;       // it was left, and everything is being given back
    char doing[160];   // "deriving the equations of `maggi`"
} call;

// false: the context is dead, or there is no memory to begin with
bool call_enter(call *c, context *ctx, char **result, const char *doing, ...)
    __attribute__((format(printf, 4, 5)));
hamel_status call_leave(call *c, hamel_status status);
hamel_status call_exhausted(call *c);

// Return the status of `body`, run inside of the boundary: a public call is this and nothing else.
// `result` is NULL or where the body leaves text for the caller; behind it stands what is being
// done, as for printf.
#define API_CALL(context, result, body, ...)                                                       \
    do {                                                                                           \
        call call_now;                                                                             \
        if (!call_enter(&call_now, (context), (result), __VA_ARGS__)) return HAMEL_LIMIT;          \
        if (setjmp(call_now.at.back)) return call_exhausted(&call_now);                            \
        flint_memory_flush();                                                                      \
        return call_leave(&call_now, (body));                                                      \
    } while (0)

// First in a public call: a pointer that must be there. `context` may be NULL, where nobody can be
// told.
hamel_status call_refuse_null(context *ctx, const char *function, const char *argument);
#define API_NEEDS(context, argument)                                                               \
    do {                                                                                           \
        if (!(argument)) return call_refuse_null((context), __func__, #argument);                  \
    } while (0)

// A struct of the caller's, which may be of a later version of the library: HAMEL_USAGE after
// saying so where it has something that is not known here. Inside of the boundary.
#define API_KNOWS(context, asked) call_refuse_later((context), (asked)->later, #asked)
hamel_status call_refuse_later(context *ctx, const void *const later[4], const char *argument);

#endif
