// hamel tour: the main job on the embedded default model, as `make run` shows it.
#include "cli.h"

#include <stdio.h>

static void heading(const char *command, const char *what) {
    printf("\n--- hamel %s sleigh: %s\n\n", command, what);
}

static int show_with(const command *c, const char *what, options o) {
    heading(c->name, what);
    fflush(stdout);
    o.model = "sleigh", o.format = HAMEL_TEXT, o.digits = 16;
    return c->run(&o);
}

static int show(const command *c, const char *what, const char *form) {
    return show_with(c, what, (options){.form = form});
}

static int run(const options *o) {
    (void)o;
    printf("hamel %s\n", hamel_version());
    int status = show(&command_show, "the model", NULL);
    if (!status) status = show(&command_check, "its classification", NULL);
    if (!status)
        status = show(&command_derive, "its equations of motion by every form that applies", "all");
    if (!status)
        status = show(&command_prove, "what can be said of them, proved or refuted", "all");
    if (!status) status = show(&command_eval, "its accelerations at the initial state", "maggi");
    if (!status) status = show_with(&command_simulate, "how it moves", (options){.plot = true});
    if (!status)
        printf("\nNext: `build/hamel report sleigh` makes a page of all this, sleigh.html, to be "
               "opened in a browser; `build/hamel models` lists the library,\n"
               "`build/hamel new NAME` starts a model of your own.\n");
    return status;
}

const command command_tour = {.name = "tour",
                              .usage = "",
                              .summary = "the sleigh from model to motion: what `make run` shows",
                              .run = run};
