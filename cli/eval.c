// hamel eval: accelerations, multipliers, energy at a state.
#include "session.h"
#include "shared_options.h"

enum { USUAL_DIGITS = 16 };

static const option doubled = {.name = "--double",
                               .kind = VALUE_TEXT,
                               .value = "CONST",
                               .help = "evaluates at N, 2N, 4N and 8N for a `const N` of the "
                                       "model, and says what each step changes"};

static int run(const arguments *a) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    const char *form = given_text(a, &option_form), *at = given_text(a, &option_at),
               *constant = given_text(a, &doubled);
    const unsigned wanted =
        given(a, &option_digits) ? (unsigned)given_whole(a, &option_digits) : USUAL_DIGITS;
    const hamel_format format = given_format(a);
    char *result = NULL;
    const hamel_status evaluated =
        constant ? hamel_model_double(s.model, constant, form, at, wanted, format, &result)
                 : hamel_model_evaluate(s.model, form, at, wanted, format, &result);
    return session_finish(a, &s, evaluated, result);
}

const command command_eval = {
    .name = "eval",
    .purpose =
        "accelerations, multipliers, reactions, energy and residuals at a state, to N digits",
    .description = "What --at leaves out comes from the model's `initial`; dependent coordinates "
                   "and velocities are solved from the constraints. Every number is correct to the "
                   "digits printed.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&option_at, &option_form, &option_digits, &doubled,
                                       &option_json, &option_set, &option_limit, NULL},
    .examples = {{"eval pendulum --at \"x = 1/3\" --digits 30", "thirty correct digits"}},
    .run = run,
};
