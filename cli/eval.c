// hamel eval: accelerations, multipliers, energy at a state.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s = hamel_model_evaluate(l.model, o->form, o->at, o->digits, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_eval = {
    .name = "eval",
    .usage = "MODEL [--at \"t=0, x=1, x'=2\"] [--form ID] [--digits N] [--json] [--set name=value]", .takes_argument = true,
    .summary = "accelerations, multipliers, reactions, energy and residuals at a state, to N digits",
    .help = "What --at leaves out comes from the model's `initial`; dependent coordinates and velocities are solved from the\n"
            "constraints. Every number is correct to the digits printed (default 16).\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_DIGITS,
    .run = run,
};
