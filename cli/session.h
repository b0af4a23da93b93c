// What a command does around its call of the library: a context with the model loaded before it,
// the result and the diagnostics printed after it. A command opens a session, makes its one call,
// and finishes; its file holds nothing else.
#ifndef HAMEL_CLI_SESSION_H
#define HAMEL_CLI_SESSION_H

#include "command.h"
#include <stdio.h>

typedef struct session {
    hamel_context *ctx;
    hamel_model *model;
} session;

// A context alone, under --limit; where there is no memory for one the program ends with
// HAMEL_LIMIT, with HAMEL_USAGE where limits are larger than can be.
hamel_context *session_context(const arguments *a);

// Its diagnostics to standard error
void session_tell(hamel_context *ctx);

// Context and model, the first word, with --set applied. False after printing the diagnostics and
// destroying everything; *status says why.
bool session_open(const arguments *a, session *out, int *status);

// Print the result and the diagnostics, release everything, return the exit status. With --json and
// no result, what is wrong goes to standard output as a document, too.
int session_finish(const arguments *a, session *s, hamel_status status, char *result);
// .. where standard output is taken
int session_finish_to(const arguments *a, session *s, hamel_status status, char *result, FILE *out);

#endif
