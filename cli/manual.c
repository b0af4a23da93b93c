// hamel manual: the man page hamel(1), in roff, made of the descriptors.
#include "writing.h"

#include <stdlib.h>
#include <string.h>

// --- roff ----------------------------------------------------------------------------------------

// Text as it is, and what stands in backquotes in bold. Nothing in it is a request: no line begins
// with a dot or a quote.
static void write_roff(const char *s) {
    bool bold = false;
    if (*s == '.') fputs("\\&", stdout);
    for (; *s; s++) {
        if (*s == '`') bold = !bold, fputs(bold ? "\\fB" : "\\fP", stdout);
        else if (*s == '\n') fputs("\n.PP\n", stdout);
        else if (*s == '\\') fputs("\\e", stdout);
        else if (*s == '-') fputs("\\-", stdout);
        else if (*s == '\'') fputs("\\(aq", stdout);
        else if (*s == '^') fputs("\\(ha", stdout);
        else if (*s == '~') fputs("\\(ti", stdout);
        else putchar(*s);
    }
}

static void write_paragraph(const char *s) {
    fputs(".PP\n", stdout);
    write_roff(s);
    putchar('\n');
}

// A name in bold with what it is below it.
static void write_entry(const char *name, const char *what) {
    fputs(".TP\n\\fB", stdout);
    write_roff(name);
    fputs("\\fP\n", stdout);
    write_roff(what);
    putchar('\n');
}

// --- sections ------------------------------------------------------------------------------------

static void write_options(const command *c) {
    for (const option *const *o = c->options; o && *o; o++) {
        char *usage = option_usage(*o), *help = option_help(*o);
        write_entry(usage, help);
        free(usage), free(help);
    }
}

static void write_command(const command *c) {
    char *usage = usage_text(c);
    printf(".SS hamel %s\n", c->name);
    write_roff(usage + strlen("usage: "));
    putchar('\n');
    free(usage);
    fputs(".PP\n", stdout);
    write_roff(c->purpose);
    fputs(".\n", stdout);
    if (c->description) write_paragraph(c->description);
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++)
        write_entry(c->operands[i].name, operand_help(&c->operands[i]));
    write_options(c);
    for (int i = 0; i < MOST_EXAMPLES && c->examples[i].words; i++) {
        fputs(".PP\nExample: \\fBhamel ", stdout);
        write_roff(c->examples[i].words);
        fputs("\\fP\n.br\n", stdout);
        write_roff(c->examples[i].what);
        putchar('\n');
    }
}

static void write_rest(void) {
    char number[16];
    fputs(".SH EXIT STATUS\n", stdout);
    for (int i = 0; exit_statuses[i].words; i++) {
        snprintf(number, sizeof number, "%d", i);
        const exit_status *s = &exit_statuses[i];
        write_entry(number, s->words);
        if (s->more) printf(".br\n"), write_roff(s->more), putchar('\n');
    }
    fputs(".SH ENVIRONMENT\n", stdout);
    write_entry("CC", "the C compiler of `--exec compiled`; without it cc");
    write_entry("XDG_CACHE_HOME", "compiled code is kept in its folder hamel; without it in "
                                  "~/.cache/hamel");
    write_entry("COLUMNS", "width of drawings in characters");
    write_entry("NO_COLOR", "if set and not empty, drawings in characters have no colours");
    fputs(".SH SEE ALSO\n", stdout);
    write_roff("The guide, in the folder docs of the sources: the language, the commands, the "
               "formalisms, the integrators, and what a proof means.\n");
}

static int run(const arguments *a) {
    (void)a;
    printf(".\\\" Made by `hamel manual`.\n.TH HAMEL 1 \"\" \"hamel %s\" \"User Commands\"\n"
           ".nh\n.ad l\n"
           ".SH NAME\nhamel \\- a compiler and laboratory for constrained mechanics\n"
           ".SH SYNOPSIS\n\\fBhamel\\fP \\fICOMMAND\\fP \\fIMODEL\\fP [\\fIoptions\\fP]\n"
           ".SH DESCRIPTION\n",
           hamel_version());
    write_roff("MODEL is a file, `-` for standard input, or the name of a library model (`hamel "
               "models` lists them). Options may stand before or after it; `--form maggi` and "
               "`--form=maggi` are the same. Results go to standard output, messages to standard "
               "error.");
    fputs("\n.SH COMMANDS\n", stdout);
    for (int i = 0; commands[i]; i++) write_command(commands[i]);
    write_rest();
    return HAMEL_OK;
}

const command command_manual = {
    .name = "manual",
    .purpose = "the man page hamel(1), in roff",
    .description = "`make install` puts it where man looks for it.",
    .examples = {{"manual", "to be read with `hamel manual | man -l -`"}},
    .run = run,
};
