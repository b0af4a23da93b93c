// hamel orbit: a periodic orbit near a state, with its Floquet multipliers.
#include "session.h"
#include "shared_options.h"

static const option period = {.name = "--period",
                              .kind = VALUE_TEXT,
                              .value = "T",
                              .usual = "the time after which the motion comes near to its start",
                              .help =
                                  "a guess of the period; where the equations depend on time, "
                                  "the period itself; a number, or an expression of parameters: "
                                  "\"2*pi/w\""};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const hamel_run asked = shared_run(a);
    char *result = NULL;
    const hamel_status found =
        hamel_model_orbit(s.model, &asked, given_text(a, &period), given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_orbit = {
    .name = "orbit",
    .purpose = "a periodic orbit near a state: period, Floquet multipliers",
    .description = "Where no orbit closes near the state, one that closes up to the symmetries is "
                   "looked for (hamel check lists them). Of a family the nearest one is found. "
                   "Multipliers that are 1 for a reason, along the motion, by a symmetry or by a "
                   "first integral, are named apart.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options =
        (const option *const[]){&option_at, &period, &option_until, &option_tol, &option_form,
                                &option_exec, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"orbit pendulum", "the period of a swing"}},
    .run = run,
};
