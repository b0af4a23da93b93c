// Completions for fish: a `complete` line for each command, option and argument.
#include "completions.h"

#include <string.h>

// In single quotes, as fish reads them.
static void write_quoted(const char *s, FILE *out) {
    putc('\'', out);
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\') putc('\\', out);
        putc(*s, out);
    }
    putc('\'', out);
}

// The value, and after a tab what it is.
static void write_values(value_kind kind, const char *const *choices, FILE *out) {
    const char *value, *about;
    for (size_t i = 0; (value = kind_choice(kind, choices, i, &about)); i++) {
        putc(' ', out);
        write_quoted(value, out);
        if (about) fputs("\\t", out), write_quoted(about, out);
    }
}

static void write_lists(FILE *out) {
    for (value_kind kind = next_known_kind(VALUE_NONE); kind;
         kind = next_known_kind((value_kind)(kind + 1))) {
        fprintf(out, "function __hamel_%s\n    printf '%%s\\n'", kind_of(kind)->id);
        write_values(kind, NULL, out);
        fputs("\nend\n", out);
    }
}

// The arguments of `complete` after -a, and whether files are offered by it alone.
static void write_offer(const offer *o, FILE *out) {
    const kind_properties *k = kind_of(o->kind);
    fputs(k->files && !o->endings ? " -F -a '" : " -f -a '", out);
    if (o->choices) {
        const char *value;
        for (size_t i = 0; (value = o->choices[i]); i++) fprintf(out, "%s%s", i ? " " : "", value);
    } else if (k->commas) {
        fprintf(out, "(__hamel_%s | __hamel_with_commas)", k->id);
    } else if (k->id) {
        fprintf(out, "(__hamel_%s)", k->id);
    }
    if (k->folders) fputs("(__fish_complete_directories)", out);
    const char *next;
    for (const char *s = o->endings; s && *s; s = *next ? next + 1 : next) {
        next = s + strcspn(s, " ");
        fprintf(out, " (__fish_complete_suffix .%.*s)", (int)(next - s), s);
    }
    putc('\'', out);
}

static void write_valued(FILE *out) {
    fputs(
        "\n# Options that are followed by a value.\nfunction __hamel_valued\n    switch $argv[1]\n",
        out);
    for (int i = 0; commands[i]; i++) {
        fprintf(out, "        case %s\n            printf '%%s\\n' --", commands[i]->name);
        for (const option *const *o = commands[i]->options; o && *o; o++) {
            if (!option_takes_value(*o)) continue;
            fprintf(out, " %s", (*o)->name);
            if ((*o)->letter) fprintf(out, " %s", (*o)->letter);
        }
        putc('\n', out);
    }
    fputs("    end\nend\n", out);
}

static void write_command(const command *c, FILE *out) {
    fprintf(out, "\ncomplete -c hamel -n __hamel_first -f -a %s -d ", c->name);
    write_quoted(c->purpose, out);
    fprintf(out, "\ncomplete -c hamel -n '__hamel_is %s' -s h -l help -f -d 'more about %s'\n",
            c->name, c->name);
    for (const option *const *o = c->options; o && *o; o++) {
        fprintf(out, "complete -c hamel -n '__hamel_is %s' -l %s", c->name, (*o)->name + 2);
        if ((*o)->letter) fprintf(out, " -s %s", (*o)->letter + 1);
        fputs(" -d ", out);
        write_quoted((*o)->help, out);
        const offer place = offer_of_option(*o);
        if (option_takes_value(*o)) fputs(" -r", out), write_offer(&place, out);
        putc('\n', out);
    }
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++) {
        const offer place = offer_of_operand(&c->operands[i]);
        fprintf(out, "complete -c hamel -n '__hamel_at %s %d%s'", c->name, i + 1,
                c->operands[i].repeats ? " or-more" : "");
        write_offer(&place, out);
        putc('\n', out);
    }
}

static const char body[] =
    "\n"
    "function __hamel_first # the command itself is being typed\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "function __hamel_is # .. options of this command\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
    "end\n"
    "function __hamel_at # .. its argument number $argv[2], or one behind it\n"
    "    __hamel_is $argv[1]; or return 1\n"
    "    set -l words (commandline -opc)[3..]\n"
    "    set -l valued (__hamel_valued $argv[1])\n"
    "    set -l place 1\n"
    "    set -l is_value no\n"
    "    for word in $words\n"
    "        if test $is_value = yes\n"
    "            set is_value no\n"
    "        else if contains -- $word $valued\n"
    "            set is_value yes\n"
    "        else if not string match -q -- '-?*' $word\n"
    "            set place (math $place + 1)\n"
    "        end\n"
    "    end\n"
    "    test $is_value = no; or return 1\n"
    "    test $place -eq $argv[2]; or begin\n"
    "        test (count $argv) -gt 2; and test $place -gt $argv[2]\n"
    "    end\n"
    "end\n"
    "function __hamel_with_commas # each line behind what stands before the last comma\n"
    "    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r "
    "'^.*,')\n"
    "    while read -l line\n"
    "        echo \"$before$line\"\n"
    "    end\n"
    "end\n"
    "\n"
    "complete -c hamel -n __hamel_first -l version -f -d 'the version'\n"
    "complete -c hamel -n __hamel_first -s h -l help -f -d 'the commands'\n";

void write_fish_completions(FILE *out) {
    fputs("# Completions of hamel for fish, made by `hamel completions fish`.\n\n", out);
    write_lists(out);
    write_valued(out);
    fputs(body, out);
    for (int i = 0; commands[i]; i++) write_command(commands[i], out);
}
