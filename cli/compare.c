// hamel compare: two mechanics from one initial state.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const hamel_run asked = shared_run(a);
    char *result = NULL;
    const hamel_status compared =
        hamel_model_compare(s.model, a->words[1], a->words[2], &asked, given_format(a), &result);
    return session_finish(a, &s, compared, result);
}

const command command_compare = {
    .name = "compare",
    .purpose = "two forms from one initial state: where and how fast they part",
    .description = "Both motions are compared on the rows of --every. Where the multipliers are "
                   "part of the state (vakonomic), other initial values of them are tried too.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL},
                 {.name = "FORM", .kind = VALUE_FORM},
                 {.name = "FORM", .kind = VALUE_FORM}},
    .options = (const option *const[]){&option_until, &option_tol, &option_every, &option_at,
                                       &option_method, &option_step, &option_exec, &option_json,
                                       &option_set, &option_limit, NULL},
    .examples = {{"compare sleigh maggi vakonomic --until 2 --every 0.5",
                  "the sleigh of nonholonomic and of vakonomic mechanics"}},
    .run = run,
};
