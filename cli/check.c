// hamel check: parse, classify, warn.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    status = hamel_model_check(s.model, given_format(a), &result);
    return session_finish(a, &s, (hamel_status)status, result);
}

const command command_check = {
    .name = "check",
    .purpose = "parse a model, classify it, warn of what is wrong with it",
    .operands = {{"MODEL", VALUE_MODEL}},
    .options = (const option *const[]){&option_json, &option_set, NULL},
    .examples = {{"check sleigh", "degrees of freedom, and what kind of constraints there are"}},
    .run = run,
};
