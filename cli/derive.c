// hamel derive: equations of motion.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    const unsigned flags = (o->stats ? HAMEL_DERIVE_STATS : 0u) | (o->raw ? HAMEL_DERIVE_RAW : 0u) |
                           (o->full ? HAMEL_DERIVE_FULL : 0u);
    char *result = NULL;
    const hamel_status s = hamel_model_derive(l.model, o->form, o->format, flags, &result);
    return finish(o, &l, s, result);
}

const command command_derive = {
    .name = "derive",
    .usage = "MODEL [--form ID[,ID..]|all] [--format text|latex|markdown|json|sympy] [--stats] "
             "[--raw] [--full] [--set name=value]",
    .takes_argument = true,
    .summary = "equations of motion by one or more formalisms (default: maggi)",
    .help = "--stats  adds the number of operations after sharing, which is what generated code "
            "would execute\n"
            "--raw    skips simplification: every common subexpression gets a name\n"
            "--full   lists every quantity of a form; without it those that are too long are named "
            "only\n"
            "--json   the same as --format json\n",
    .accepts = OPTION_JSON | OPTION_SET | OPTION_FORM | OPTION_FORMAT | OPTION_STATS | OPTION_RAW |
               OPTION_FULL,
    .run = run,
};
