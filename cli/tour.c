// hamel tour: the main job on the embedded default model, as `make run` shows it.
#include "cli.h"

#include <stdio.h>

static void heading(const char *command, const char *what) { printf("\n--- hamel %s sleigh: %s\n\n", command, what); }

static int show(const command *c, const char *what, const char *form) {
    heading(c->name, what);
    fflush(stdout);
    const options o = {.model = "sleigh", .form = form, .format = HAMEL_TEXT, .digits = 16};
    return c->run(&o);
}

static int run(const options *o) {
    (void)o;
    printf("hamel %s\n", hamel_version());
    int status = show(&command_show, "the model", NULL);
    if (!status) status = show(&command_check, "its classification", NULL);
    if (!status) status = show(&command_derive, "its equations of motion by every form that applies", "all");
    if (!status) status = show(&command_prove, "what can be said of them, proved or refuted", "all");
    if (!status) status = show(&command_eval, "its accelerations at the initial state", "maggi");
    if (!status) printf("\nNext: `build/hamel models` lists the library, `build/hamel new NAME` starts a model of your own.\n");
    return status;
}

const command command_tour = {.name = "tour", .usage = "", .summary = "the sleigh from model to accelerations: what `make run` shows", .run = run};
