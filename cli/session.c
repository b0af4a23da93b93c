// A context with a model, and how a command ends.
#include "session.h"
#include "shared_options.h"

#include <stdlib.h>

static const char NO_MEMORY[] = "hamel: error: memory exhausted\n"
                                "  = allow the process more memory\n";

void session_tell(hamel_context *ctx) {
    char *text = hamel_diagnostics(ctx);
    fputs(text ? text : NO_MEMORY, stderr);
    hamel_free(text);
}

static void print_diagnostics(const arguments *a, hamel_context *ctx, int status, bool has_result) {
    session_tell(ctx);
    if (given_format(a) != HAMEL_JSON || has_result) return;
    char *text = hamel_diagnostics_json(ctx, (hamel_status)status);
    if (text) fputs(text, stdout);
    hamel_free(text);
}

hamel_context *session_context(const arguments *a) {
    hamel_context *ctx = hamel_context_create();
    if (!ctx) {
        fputs(NO_MEMORY, stderr);
        exit(HAMEL_LIMIT);
    }
    const hamel_limits limits = given_limits(a, &option_limit);
    const hamel_status status = hamel_context_limit(ctx, &limits);
    if (!status) return ctx;
    print_diagnostics(a, ctx, status, false);
    hamel_context_destroy(ctx);
    exit(status);
}

bool session_open(const arguments *a, session *out, int *status) {
    *out = (session){session_context(a), NULL};
    *status = HAMEL_OK;
    for (int i = 0; i < a->given_count && !*status; i++)
        if (a->given[i].option == &option_set)
            *status = hamel_context_set(out->ctx, a->given[i].text);
    if (!*status) *status = hamel_model_open(out->ctx, a->words[0], &out->model);
    if (!*status) return true;
    print_diagnostics(a, out->ctx, *status, false);
    hamel_context_destroy(out->ctx);
    return false;
}

int session_finish(const arguments *a, session *s, hamel_status status, char *result) {
    return session_finish_to(a, s, status, result, stdout);
}

int session_finish_to(const arguments *a, session *s, hamel_status status, char *result,
                      FILE *out) {
    int code = (int)status;
    if (result) fputs(result, out);
    print_diagnostics(a, s->ctx, code, result != NULL);
    hamel_free(result);
    hamel_context_destroy(s->ctx);
    return code; // whether all of it was written, main() looks
}
