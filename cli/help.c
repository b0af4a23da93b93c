// hamel help [COMMAND].
#include "cli.h"

#include <stdio.h>

static int help_on(const char *name) {
    const command *c = find_command(name);
    if (!c) {
        fprintf(stderr,
                "hamel: error: there is no command `%s`\n  = `hamel help` lists the commands\n",
                name);
        return HAMEL_USAGE;
    }
    printf("hamel %s %s\n\n%s\n", c->name, c->usage, c->summary);
    if (c->help) printf("\n%s", c->help);
    return HAMEL_OK;
}

static int list_as_json(void) {
    printf("{\"version\":\"%s\",\"commands\":[", hamel_version());
    for (int i = 0; commands[i]; i++) {
        printf("%s{\"name\":\"%s\",\"usage\":", i ? "," : "", commands[i]->name);
        print_json_string(commands[i]->usage);
        printf(",\"summary\":");
        print_json_string(commands[i]->summary);
        putchar('}');
    }
    puts("]}");
    return HAMEL_OK;
}

static int run(const options *o) {
    if (o->format == HAMEL_JSON) return list_as_json();
    if (o->model) return help_on(o->model);
    printf("hamel %s: a compiler and laboratory for constrained mechanics\n\n"
           "usage: hamel COMMAND MODEL [options]\n"
           "MODEL is a file, `-` for standard input, or the name of a library model (`hamel "
           "models`).\n\n",
           hamel_version());
    for (int i = 0; commands[i]; i++)
        printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
    printf("\n`hamel help COMMAND` tells more. Exit status: 0 done, 1 wrong usage, 2 the model is "
           "wrong, 3 refuted,\n"
           "4 undecided, 5 the numerics failed, 6 a resource limit was reached.\n");
    return HAMEL_OK;
}

const command command_help = {.name = "help",
                              .usage = "[COMMAND] [--json]",
                              .takes_argument = true,
                              .summary = "this page, or more about one command",
                              .accepts = OPTION_JSON,
                              .run = run};
