// hamel check: parse, classify, warn.
#include "session.h"
#include "shared_options.h"

static const option all = {.name = "--long",
                           .help = "writes every formula in full, and the equations of special "
                                   "cases; without it long ones are cut short"};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status checked = hamel_model_check(s.model, given_format(a),
                                                   given(a, &all) ? HAMEL_CHECK_LONG : 0u, &result);
    return session_finish(a, &s, checked, result);
}

const command command_check = {
    .name = "check",
    .purpose = "parse a model, classify it, warn of what is wrong with it",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&all, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"check sleigh", "degrees of freedom, and what kind of constraints there are"}},
    .run = run,
};
