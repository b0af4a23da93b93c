// hamel compare: two mechanics from one initial state.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    const hamel_run asked = {.method = o->method,
                             .at = o->at,
                             .execute = o->execute,
                             .until = o->until,
                             .tolerance = o->tolerance,
                             .interval = o->every,
                             .step = o->step};
    char *result = NULL;
    const hamel_status s =
        hamel_model_compare(l.model, o->more[0], o->more[1], &asked, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_compare = {
    .name = "compare",
    .usage = "MODEL FORM FORM [--until T] [--tol T] [--every DT] [--at STATE] [--method M] "
             "[--json] [--set name=value]",
    .takes_argument = true,
    .more_arguments = 2,
    .summary = "two forms from one initial state: where and how fast they part",
    .help = "--every     time between the rows on which both motions are compared\n"
            "Where the multipliers are part of the state (vakonomic), other initial values of them "
            "are tried too.\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_AT | OPTION_METHOD | OPTION_TOLERANCE |
               OPTION_UNTIL | OPTION_EVERY | OPTION_STEP | OPTION_EXECUTE,
    .run = run,
};
