// hamel steady: motions along which nothing but the symmetries moves.
#include "session.h"
#include "shared_options.h"

static const option option_box = {
    .name = "--box",
    .kind = VALUE_TEXT,
    .value = "RANGES",
    .help = "all steady motions in these ranges, such as \"theta = -1.5 .. 1.5, psi' = 0 .. 3\"",
};
static const option option_solve = {
    .name = "--solve",
    .kind = VALUE_TEXT,
    .value = "NAMES",
    .help = "parameters that are solved for besides, such as \"m, k\"",
};
static const option option_trim = {
    .name = "--trim",
    .kind = VALUE_TEXT,
    .value = "NAMES",
    .help = "inputs that are solved for, such as \"u, w\": the constants that hold the state",
};
static const option option_closed = {
    .name = "--closed",
    .kind = VALUE_NONE,
    .help = "formulas for all steady motions, where the equations have low degree",
};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL;
    const hamel_steady asked = {.at = given_text(a, &option_at),
                                .box = given_text(a, &option_box),
                                .solve = given_text(a, &option_solve),
                                .trim = given_text(a, &option_trim),
                                .closed = given(a, &option_closed)};
    const hamel_status found = hamel_model_steady(s.model, &asked, given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_steady = {
    .name = "steady",
    .purpose = "steady motions near a state or in a box: equilibria, motions a symmetry carries on",
    .description = "Symmetries are found first (hamel check lists them). A motion is steady where "
                   "everything but what they move is constant: rolling straight on, a circle, a "
                   "precession. Values of --at stay as they are while others can be solved for. "
                   "With --box all steady motions in the ranges are listed, and it is proved that "
                   "there are no others where few unknowns are left.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options =
        (const option *const[]){&option_at, &option_box, &option_solve, &option_trim,
                                &option_closed, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"steady rolling_disc --at \"theta = 0.3, psi' = 1\"",
                  "a disc that leans rolls in a circle"},
                 {"steady double_pendulum --box \"theta1 = -1 .. 4, theta2 = -1 .. 4\"",
                  "all four equilibria, and no others"},
                 {"steady cart_pole --trim \"u, w\" --at \"theta = 0.2\"",
                  "the force and the torque that hold a pole that leans"}},
    .run = run,
};
