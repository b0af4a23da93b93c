// hamel forms: the formalisms, and with a model which of them apply.
#include "cli.h"

static int run(const options *o) {
    loaded l = {0};
    int status;
    if (!o->model) l.ctx = hamel_context_create();
    else if (!load_model(o, &l, &status)) return status;
    char *result = NULL;
    const hamel_status s = hamel_forms(l.ctx, l.model, o->format, &result);
    return finish(o, &l, s, result);
}

const command command_forms = {
    .name = "forms",
    .usage = "[MODEL] [--json] [--set name=value]",
    .takes_argument = true,
    .summary = "every formalism: id, name, source; with a model, whether it applies and why not",
    .accepts = OPTION_JSON | OPTION_SET,
    .run = run,
};
