// hamel check: parse, classify, warn.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s = hamel_model_check(l.model, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_check = {
    .name = "check",
    .usage = "MODEL [--json] [--set name=value]",
    .takes_argument = true,
    .summary = "parse a model, classify it, warn of what is wrong with it",
    .accepts = OPTION_JSON | OPTION_SET,
    .run = run,
};
