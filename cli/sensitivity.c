// hamel sensitivity: derivatives of a motion by parameters and by values at the start.
#include "session.h"
#include "shared_options.h"

static const option of = {.name = "--of",
                          .kind = VALUE_TEXT,
                          .value = "E, ..",
                          .usual = "all coordinates, velocities and quasi-velocities",
                          .help = "observables by their names, or expressions"};
static const option to = {.name = "--to",
                          .kind = VALUE_TEXT,
                          .value = "NAME, ..",
                          .usual = "all parameters and all free values at the start",
                          .help = "what derivatives are taken by: parameters, and coordinates, "
                                  "velocities and quasi-velocities at the start"};
static const option second = {.name = "--second",
                              .help = "second derivatives too, by at most 20 of them"};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const hamel_run asked = shared_run(a);
    char *result = NULL;
    const hamel_status found =
        hamel_model_sensitivity(s.model, &asked, given_text(a, &of), given_text(a, &to),
                                given(a, &second), given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_sensitivity = {
    .name = "sensitivity",
    .purpose = "derivatives of a motion by parameters and by values at the start",
    .description = "The variational equations are integrated along with the motion, so that the "
                   "derivatives are as exact as the motion itself. At an event of the model the "
                   "derivative of its time is part of them. What a start leaves to the constraints "
                   "follows the values that were given.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&of, &to, &second, &option_until, &option_at, &option_tol,
                                       &option_form, &option_method, &option_exec, &option_json,
                                       &option_set, &option_limit, NULL},
    .examples = {{"sensitivity pendulum --of x --to \"g, x'\" --until 2",
                  "how a pendulum answers to gravity and to its start"}},
    .run = run,
};
