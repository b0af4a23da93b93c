// What a session owns: its arena, its source texts, its diagnostics and the limits it works under.
// Every call has a context; errors are reported to it with diag_error() and its like, and
// context_status() says at the end of a phase whether anything went wrong. The limits make sure
// that no input can exhaust the machine: what would is reported and ends in HAMEL_LIMIT.
#ifndef HAMEL_BASE_CONTEXT_H
#define HAMEL_BASE_CONTEXT_H

#include "base/arena.h"
#include "base/budget.h"
#include "base/text.h"
#include "hamel_context.h"

#include <stdbool.h>
#include <stdint.h>

// A text that diagnostics can point into.
typedef struct source {
    const char *name; // as shown to the user
    const char *bytes;
    size_t length;
    // an include from outside of the model's folder, perhaps no model at all: diagnostics say where
    // something is wrong in it, and show nothing of it
    bool is_outside;
    bool is_data; // comma-separated values that the model takes functions from: no statements
} source;

// A stretch of a source; source == NULL means "nowhere in particular".
typedef struct {
    const source *source;
    uint32_t offset, length;
} span;

typedef enum { DIAG_ERROR, DIAG_WARNING, DIAG_NOTE } diag_severity;

typedef struct {
    diag_severity severity;
    span at;
    const char *message;
    const char *help; // what to do about it; may be NULL
} diagnostic;

// Bounds on work, so that no input can end the process. All are named in the
// message when they are hit.
typedef struct {
    uint32_t nodes;        // expression nodes in the pool
    uint32_t operands;     // operands of all nodes together
    uint32_t nesting;      // depth of brackets, includes and nested statements
    uint32_t iterations;   // unrolled passes of for, sum and prod in one model
    uint32_t source_bytes; // one source file
    uint64_t rows;         // of a run
    uint64_t table_bytes;  // of rows in memory, and of a file that they are read from
    uint64_t file_bytes;   // of the numbers in a file that rows are written to; 0: no limit
    uint32_t coordinates;  // coordinates of one system
    uint32_t errors;       // errors reported before giving up
} limits;

struct hamel_context {
    arena arena;
    limits limits;
    diagnostic *diagnostics;
    uint32_t diagnostic_count, diagnostic_capacity;
    uint32_t error_count;   // of this call
    uint32_t first_of_call; // diagnostic
    bool refused;           // by the system: see context_refuse()
    const char *exhausted;  // sentence naming the limit that was hit; NULL while none was
    struct pool *pool;      // created by the api room
    uint64_t seed;          // of every random point: made of what was read (context_stir)
    memory_block blocks;    // the ring of the heap blocks that calls on this context have taken
    void *reserve;          // see recovery_lend
    budget budget;          // of time and memory; `limits` has what is counted
    bool skips_sweeps;      // statements `sweep`, of which a single run needs none, are not read
    bool keeps_open;        // what a call leaves open (compiled code) is there in the next one:
    guard open;             // .. it is in this ring between calls
    bool dead;              // a call was left: what remains is the arena and the diagnostics
    char last_words[256];   // the message about that, which can ask for no memory
    char last_help[128];
};
typedef struct hamel_context context;

void context_init(context *ctx);
// What the caller of the library allows; 0 there is the default.
void context_limit(context *ctx, const hamel_limits *allowed);
void context_free(context *ctx);

// Diagnostics. The message is copied; `help` may be NULL.
void diag_error(context *ctx, span at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(context *ctx, span at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(context *ctx, span at, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Room for one more diagnostic, and behind it for that of context_die().
void diag_reserve(context *ctx);

// A limit was hit: sticky, reported once as an error; everything built afterwards is void. Where
// the user can raise it, `key` is its name in --limit; else NULL.
void context_exhaust(context *ctx, span at, const char *what, uint64_t limit);
void context_exhaust_limit(context *ctx, span at, const char *key, const char *what,
                           uint64_t limit);

// The system refused to `what` ("read", "write") a file, with this error: an error that says so.
// Returns HAMEL_NUMERICS; where there was no memory the call is left.
hamel_status context_refuse(context *ctx, span at, const char *what, const char *file, int error);
// What the user is told of an error of the system by: HAMEL_USAGE where a name leads to no file,
// else HAMEL_NUMERICS.
hamel_status context_status_of(int error);

// A call was left while it was doing something: everything but arena and diagnostics is released,
// and a sentence that says why is the last diagnostic.
void context_die(context *ctx, recovery_reason why, const char *doing);

// Stir bytes into the seed of everything random: the text of a model, a number that the user gives.
// The same bytes give the same points again; nobody can choose a text for its points.
void context_stir(context *ctx, const void *bytes, size_t length);

// HAMEL_OK, HAMEL_MODEL if errors were reported, HAMEL_NUMERICS if the system refused something,
// HAMEL_LIMIT if a limit was hit.
hamel_status context_status(const context *ctx);

// Diagnostics of earlier calls are gone, and do not count any more.
void context_forget(context *ctx);
// The same text in this context
const source *source_copy(context *ctx, const source *text);

// "file:line:col: error: message", the quoted line, a caret, the help.
void diag_render(const diagnostic *d, text *out);
void source_position(const source *s, uint32_t offset, uint32_t *line, uint32_t *column);

#endif
