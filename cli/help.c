// hamel help [COMMAND]: all commands in a line each, or one in full; --json: all in full.
#include "kinds.h"
#include "shared_options.h"
#include "writing.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, OPTION_COLUMN = 18 };

// --- one command ---------------------------------------------------------------------------------

// A name, and after it what it is; below it where the name is long.
static void write_entry(const char *name, const char *what) {
    int at = printf("  %s", name);
    if (at >= OPTION_COLUMN - 1) putchar('\n'), at = 0;
    at += printf("%*s", OPTION_COLUMN - at, "");
    write_filled(what, at, OPTION_COLUMN, WIDTH, stdout);
}

static void write_options(const command *c) {
    for (const option *const *o = c->options; o && *o; o++) {
        char *usage = option_usage(*o), *help = option_help(*o);
        write_entry(usage, help);
        free(usage), free(help);
    }
}

static int help_on(const char *name) {
    const command *c = command_find(name);
    if (!c) return command_unknown(name);
    char *usage = usage_text(c);
    write_filled(usage, 0, 4, WIDTH, stdout);
    free(usage);
    printf("\n%s\n", c->purpose);
    if (c->description) putchar('\n'), write_filled(c->description, 0, 0, WIDTH, stdout);
    if (c->operands[0].name) puts("\narguments");
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++)
        write_entry(c->operands[i].name, operand_help(&c->operands[i]));
    if (c->options) puts("\noptions");
    write_options(c);
    if (c->examples[0].words) puts("\nexamples");
    for (int i = 0; i < MOST_EXAMPLES && c->examples[i].words; i++)
        printf("  hamel %s\n      %s\n", c->examples[i].words, c->examples[i].what);
    return HAMEL_OK;
}

// --- all, for programs ---------------------------------------------------------------------------

static void write_member(const char *key, const char *value) {
    if (!value) return;
    printf(",\"%s\":", key);
    print_json_string(value);
}

static void write_choices(value_kind kind, const char *const *choices) {
    const char *choice;
    fputs(",\"choices\":[", stdout);
    for (size_t i = 0; (choice = kind_choice(kind, choices, i, NULL)); i++) {
        if (i) putchar(',');
        print_json_string(choice);
    }
    putchar(']');
}

static void write_json_option(const option *o) {
    char *usage = option_usage(o), *about = option_about(o);
    fputs("{\"name\":", stdout);
    print_json_string(o->name);
    write_member("letter", o->letter);
    write_member("usage", usage);
    write_member("help", about);
    write_member("default", option_usual(o));
    printf(",\"takes_value\":%s,\"repeats\":%s",
           o->kind == VALUE_NONE || o->implied ? "false" : "true", o->repeats ? "true" : "false");
    if (!o->implied) write_choices(o->kind, o->choices);
    putchar('}');
    free(usage), free(about);
}

static void write_json_command(const command *c) {
    char *usage = usage_text(c);
    fputs("{\"name\":", stdout);
    print_json_string(c->name);
    write_member("usage", usage + strlen("usage: hamel "));
    write_member("summary", c->purpose);
    write_member("description", c->description);
    fputs(",\"arguments\":[", stdout);
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++) {
        fputs(i ? ",{\"name\":" : "{\"name\":", stdout);
        print_json_string(c->operands[i].name);
        write_member("help", operand_help(&c->operands[i]));
        putchar('}');
    }
    fputs("],\"options\":[", stdout);
    for (const option *const *o = c->options; o && *o; o++) {
        if (o != c->options) putchar(',');
        write_json_option(*o);
    }
    fputs("],\"examples\":[", stdout);
    for (int i = 0; i < MOST_EXAMPLES && c->examples[i].words; i++) {
        fputs(i ? ",{\"words\":" : "{\"words\":", stdout);
        print_json_string(c->examples[i].words);
        write_member("what", c->examples[i].what);
        putchar('}');
    }
    fputs("]}", stdout);
    free(usage);
}

static int list_as_json(void) {
    printf("{\"version\":\"%s\",\"commands\":[", hamel_version());
    for (int i = 0; commands[i]; i++) {
        if (i) putchar(',');
        write_json_command(commands[i]);
    }
    fputs("],\"exit_statuses\":[", stdout);
    for (int i = 0; exit_statuses[i].words; i++) {
        fputs(i ? ",{\"words\":" : "{\"words\":", stdout);
        print_json_string(exit_statuses[i].words);
        write_member("more", exit_statuses[i].more);
        putchar('}');
    }
    puts("]}");
    return HAMEL_OK;
}

// --- the list ------------------------------------------------------------------------------------

static int longest_name(void) {
    size_t longest = 0;
    for (int i = 0; commands[i]; i++)
        if (strlen(commands[i]->name) > longest) longest = strlen(commands[i]->name);
    return (int)longest;
}

static int run(const arguments *a) {
    if (given_format(a) == HAMEL_JSON) return list_as_json();
    if (a->words[0]) return help_on(a->words[0]);
    printf("hamel %s: a compiler and laboratory for constrained mechanics\n\n"
           "usage: hamel COMMAND MODEL [options]\n"
           "MODEL is a file, `-` for standard input, or the name of a library model (`hamel "
           "models`).\n\n",
           hamel_version());
    for (int i = 0; commands[i]; i++)
        printf("  %-*s  %s\n", longest_name(), commands[i]->name, commands[i]->purpose);
    char *ending = NULL;
    text_file made;
    FILE *out = open_text(&made);
    fputs("`hamel help COMMAND` tells more. Exit status: ", out);
    for (int i = 0; exit_statuses[i].words; i++)
        fprintf(out, "%s%d %s", i ? ", " : "", i, exit_statuses[i].words);
    fputs(".", out);
    ending = close_text(&made);
    putchar('\n');
    write_filled(ending, 0, 0, WIDTH, stdout);
    free(ending);
    return HAMEL_OK;
}

const command command_help = {
    .name = "help",
    .purpose = "this page, or more about one command",
    .description = "With --json everything about all commands, for programs.",
    .operands = {{"COMMAND", VALUE_COMMAND, .optional = true}},
    .options = (const option *const[]){&option_json, NULL},
    .examples = {{"help simulate", "what `simulate` does, and its options"}},
    .run = run,
};
