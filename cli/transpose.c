// hamel transpose: transpositional relations.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s =
        hamel_model_transpose(l.model, o->form ? o->form : "a-model", o->format, &result);
    return finish(o, &l, s, result);
}

const command command_transpose = {
    .name = "transpose",
    .usage = "MODEL [--form ID] [--format text|latex|json] [--set name=value]",
    .takes_argument = true,
    .summary = "transpositional relations with W, E(L), A and det W (default: a-model)",
    .help = "delta(dx/dt) - d/dt delta(x) for free variations, and reduced to the independent ones "
            "by Chetaev's conditions.\n"
            "--form   a-model, a-model-b, voronets-chaplygin-g ..; `supplementary` in the model "
            "states the rows that complete W\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_FORMAT,
    .run = run,
};
