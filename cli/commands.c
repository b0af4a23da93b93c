// The list of commands, and finding one by its name.
#include "command.h"
#include "writing.h"

#include <stdio.h>
#include <string.h>

const command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "commands.def"
#undef COMMAND
    NULL};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands - 1 };

const command *command_find(const char *name) {
    for (int i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0 ||
            (commands[i]->also && strcmp(commands[i]->also, name) == 0))
            return commands[i];
    return NULL;
}

int command_unknown(const char *name) {
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i]->name;
    const char *near = hamel_nearest(name, names, COMMAND_COUNT);
    fputs("hamel: error: there is no command `", stderr);
    write_shown(name, stderr);
    fputs("`\n", stderr);
    if (near) fprintf(stderr, "  = did you mean `hamel %s`?\n", near);
    fputs("  = `hamel help` lists the commands\n", stderr);
    return HAMEL_USAGE;
}
