// hamel: the program. Finds the subcommand and runs it.
#include "cli.h"

#include <stdio.h>
#include <string.h>

const command *const commands[] = {&command_check,    &command_describe, &command_derive,
                                   &command_prove,    &command_eval,     &command_transpose,
                                   &command_simulate, &command_plot,     &command_compare,
                                   &command_report,   &command_codegen,  &command_forms,
                                   &command_models,   &command_show,     &command_new,
                                   &command_tour,     &command_help,     NULL};

const command *find_command(const char *name) {
    for (int i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0) return commands[i];
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        command_help.run(&(options){0});
        return HAMEL_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("hamel %s\n", hamel_version());
        return HAMEL_OK;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
    const command *c = find_command(name);
    if (!c) {
        fprintf(stderr,
                "hamel: error: there is no command `%s`\n  = `hamel help` lists the commands\n",
                name);
        return HAMEL_USAGE;
    }
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return command_help.run(&(options){.model = name});
    options o;
    const int status = read_options(c, argc - 2, argv + 2, &o);
    return status ? status : c->run(&o);
}
