// hamel steady: motions along which nothing but the symmetries moves.
#include "session.h"
#include "shared_options.h"

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_status found =
        hamel_model_steady(s.model, given_text(a, &option_at), given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_steady = {
    .name = "steady",
    .purpose = "the steady motion near a state: equilibria, and motions that a symmetry carries on",
    .description = "Symmetries are found first (hamel check lists them). A motion is steady where "
                   "everything but what they move is constant: rolling straight on, a circle, a "
                   "precession. Values of --at stay as they are while others can be solved for.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_at, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"steady rolling_disc --at \"theta = 0.3, psi' = 1\"",
                  "a disc that leans rolls in a circle"}},
    .run = run,
};
