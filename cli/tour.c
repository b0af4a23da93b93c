// hamel tour: the main job on the embedded default model, as `make run` shows it.
#include "command.h"

#include <stdio.h>

static int show(const command *c, const char *what, int argc, const char *const *argv) {
    printf("\n--- hamel %s %s: %s\n\n", c->name, argv[0], what);
    fflush(stdout);
    arguments a;
    const int status = arguments_read(c, argc, argv, &a);
    return status ? status : c->run(&a);
}

static int run(const arguments *a) {
    (void)a;
    const struct {
        const command *command;
        const char *what;
        int count;
        const char *words[3];
    } stops[] = {
        {&command_show, "the model", 1, {"sleigh"}},
        {&command_check, "its classification", 1, {"sleigh"}},
        {&command_derive,
         "its equations of motion by every form that applies",
         3,
         {"sleigh", "--form", "all"}},
        {&command_prove, "what can be said of them, proved or refuted", 1, {"sleigh"}},
        {&command_eval, "its accelerations at the initial state", 1, {"sleigh"}},
        {&command_simulate, "how it moves", 2, {"sleigh", "--plot"}},
    };
    printf("hamel %s\n", hamel_version());
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        const int status = show(stops[i].command, stops[i].what, stops[i].count, stops[i].words);
        if (status) return status;
    }
    printf("\nNext: `build/hamel report sleigh` makes a page of all this, sleigh.html, to be "
           "opened in a browser; `build/hamel models` lists the library,\n"
           "`build/hamel new NAME` starts a model of your own.\n");
    return HAMEL_OK;
}

const command command_tour = {
    .name = "tour",
    .purpose = "the sleigh from model to motion: what `make run` shows",
    .run = run,
};
