// What every call has to do with: statuses and formats, contexts with their limits and their
// diagnostics. This is the first part of hamel.h, which says what they are for and includes it;
// programs include that one.
#ifndef HAMEL_CONTEXT_H
#define HAMEL_CONTEXT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(HAMEL_BUILDING) && defined(__GNUC__)
#define HAMEL_API __attribute__((visibility("default")))
#else
#define HAMEL_API
#endif

// The status of a call; also the exit status of the program.
typedef enum {
    HAMEL_OK = 0,
    HAMEL_USAGE = 1,     // wrong usage: an unknown form, a malformed option
    HAMEL_MODEL = 2,     // the model is wrong
    HAMEL_REFUTED = 3,   // something was refuted
    HAMEL_UNDECIDED = 4, // undecided where a verdict was asked
    HAMEL_NUMERICS = 5,  // the numerics failed, or the system refused to read or write a file
    HAMEL_LIMIT = 6      // a resource limit was reached
} hamel_status;

typedef enum {
    HAMEL_TEXT,
    HAMEL_LATEX,
    HAMEL_MARKDOWN,
    HAMEL_JSON,
    HAMEL_SYMPY,
    HAMEL_HTML,   // of hamel_model_report() only
    HAMEL_BIBTEX, // of hamel_references() and hamel_model_references() only
    HAMEL_NUMPY,  // of hamel_model_linearise() and hamel_model_matrices() only, as HAMEL_MATLAB
    HAMEL_MATLAB
} hamel_format;

typedef struct hamel_context hamel_context; // models, with limits and diagnostics of calls on them
typedef struct hamel_model hamel_model;     // a system that was read; its context owns it

HAMEL_API const char *hamel_version(void); // HAMEL_VERSION of the library, "0.1.0"
// The number of the binary interface, which is in the name of the shared library, libhamel.so.0. A
// program runs with every later library of the same number: calls and enumerators are only added,
// and structs keep their size; what they will have more takes the place of words of `later`, which
// callers leave NULL (a call that finds something there was made for a later library, and is
// HAMEL_USAGE).
#define HAMEL_ABI 0
HAMEL_API unsigned hamel_abi_version(void);
// Releases what a call has made for the caller; NULL is nothing.
HAMEL_API void hamel_free(void *result);

// --- contexts and diagnostics --------------------------------------------------------------------

HAMEL_API hamel_context *hamel_context_create(void);      // NULL where memory runs out
HAMEL_API void hamel_context_destroy(hamel_context *ctx); // and its models; NULL is nothing

// Override a `param` or `const` of every model loaded afterwards: "N=10", "m=3/2".
// Fails with HAMEL_USAGE if malformed.
HAMEL_API hamel_status hamel_context_set(hamel_context *ctx, const char *assignment);

// What one call may spend. 0 is the default, which is named behind each. A call that needs more
// returns HAMEL_LIMIT, and a diagnostic says what was being done, which limit it was and how to
// raise it. After `time`, `memory` or `interrupted` the context answers every further call with
// HAMEL_LIMIT: destroy it and make another; only a run ends in good order there, with its rows.
typedef struct hamel_limits {
    double time;                     // seconds of the clock; no limit
    unsigned long long memory;       // bytes held at once; 3/4 of the machine's, 16 GB at most
    unsigned long long nodes;        // of expressions; 8 million
    unsigned long long rows;         // of a run; 10^8. It is refused before it begins
    unsigned long long bytes;        // of rows in memory, 1 GB, or of a file of rows, no limit
    const volatile int *interrupted; // becomes nonzero to end the call; NULL: never
    const void *later[4];            // NULL, for members of later versions
} hamel_limits;
// For all calls on the context from now on. NULL: the defaults. HAMEL_USAGE for a number that is
// none or too large.
HAMEL_API hamel_status hamel_context_limit(hamel_context *ctx, const hamel_limits *limits);

// Errors and warnings reported so far, rendered with file, line, column,
// the line itself and a caret.
HAMEL_API size_t hamel_diagnostic_count(const hamel_context *ctx);
// From here on there are none: for a context that is used again and again. What was wrong in one
// call does not count in the next in any case, unless it is a model that is wrong in itself.
HAMEL_API void hamel_diagnostics_forget(hamel_context *ctx);
HAMEL_API char *hamel_diagnostics(const hamel_context *ctx);
// The same for programs:
// {"status":..,"diagnostics":[{"severity","file","line","column","message","help"}]}.
HAMEL_API char *hamel_diagnostics_json(const hamel_context *ctx, hamel_status status);
// A text of others, such as the name of a file, made safe for a terminal as it is in diagnostics:
// control characters, marks that turn the direction of writing and bytes that are no UTF-8 are
// written as \u009b and \xff. NULL where memory runs out.
HAMEL_API char *hamel_text_show(const char *text);

#ifdef __cplusplus
}
#endif

#endif
