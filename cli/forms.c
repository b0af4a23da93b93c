// hamel forms: the formalisms, and with a model which of them apply.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s = {0};
    int status;
    if (!a->words[0]) s.ctx = session_context(a);
    else if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status listed = hamel_forms(s.ctx, s.model, given_format(a), &result);
    return session_finish(a, &s, listed, result);
}

const command command_forms = {
    .name = "forms",
    .purpose = "every formalism: id, name, source; with a model, whether it applies and why not",
    .operands = {{"MODEL", VALUE_MODEL, .optional = true}},
    .options = (const option *const[]){&option_json, &option_set, &option_limit, NULL},
    .examples = {{"forms sleigh", "which formalisms apply to the sleigh"}},
    .run = run,
};
