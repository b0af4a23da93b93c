// hamel describe: what a model says after expansion.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status described = hamel_model_describe(s.model, given_format(a), &result);
    return session_finish(a, &s, described, result);
}

const command command_describe = {
    .name = "describe",
    .purpose =
        "energies, forces and constraints after expansion: what points, bodies and lets amount to",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_json, &option_set, &option_limit, NULL},
    .examples = {{"describe pendulum", "T, U and the constraint"}},
    .run = run,
};
