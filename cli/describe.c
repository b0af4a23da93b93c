// hamel describe: what a model says after expansion.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s = hamel_model_describe(l.model, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_describe = {
    .name = "describe",
    .usage = "MODEL [--json] [--set name=value]",
    .takes_argument = true,
    .summary =
        "energies, forces and constraints after expansion: what points, bodies and lets amount to",
    .accepts = OPTION_JSON | OPTION_SET,
    .run = run,
};
