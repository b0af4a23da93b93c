// hamel eval: accelerations, multipliers, energy at a state.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s =
        o->doubled
            ? hamel_model_double(l.model, o->doubled, o->form, o->at, o->digits, o->format, &result)
            : hamel_model_evaluate(l.model, o->form, o->at, o->digits, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_eval = {
    .name = "eval",
    .usage = "MODEL [--at \"t=0, x=1, x'=2\"] [--form ID] [--digits N] [--double CONST] [--json] "
             "[--set name=value]",
    .takes_argument = true,
    .summary =
        "accelerations, multipliers, reactions, energy and residuals at a state, to N digits",
    .help = "What --at leaves out comes from the model's `initial`; dependent coordinates and "
            "velocities are solved from the\n"
            "constraints. Every number is correct to the digits printed (default 16).\n"
            "--double N evaluates at N, 2N, 4N and 8N for a `const N` of the model, and says what "
            "each step changes.\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_DIGITS | OPTION_DOUBLE,
    .run = run,
};
