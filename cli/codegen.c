// hamel codegen: the equations as stand-alone code.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s = hamel_model_codegen(l.model, o->target ? o->target : "c", o->form, o->at,
                                               o->output, &result);
    return finish(o, &l, s, result);
}

const command command_codegen = {
    .name = "codegen",
    .usage = "MODEL [--target c] [-o FOLDER] [--form ID] [--at STATE] [--set name=value]",
    .takes_argument = true,
    .summary = "the equations as a stand-alone C project",
    .help = "--target  c: C99 with libm; NAME.h, NAME.c, main.c, Makefile\n"
            "-o        where it goes (default: NAME-c); a folder that holds something else is left "
            "alone\n",
    .accepts = OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_OUTPUT | OPTION_TARGET,
    .run = run,
};
