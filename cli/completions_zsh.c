// Completions for zsh: one _arguments call a command.
#include "completions.h"

#include <string.h>

// Inside single quotes; with a backslash before what means something to _arguments and _describe.
static void write_escaped(const char *s, FILE *out) {
    for (; *s; s++) {
        if (*s == '\'') fputs("'\\'", out);
        else if (strchr("[]:\\", *s)) putc('\\', out);
        putc(*s, out);
    }
}

// The values of a kind; what each is stands after a colon for _describe, in brackets for _values.
static void write_list(value_kind kind, FILE *out) {
    const kind_properties *k = kind_of(kind);
    const char *value, *about;
    fprintf(out, "_hamel_%s() {\n    local -a known=(\n", k->id);
    for (size_t i = 0; (value = kind_choice(kind, NULL, i, &about)); i++) {
        fprintf(out, "        '%s", value);
        if (about) {
            putc(k->commas ? '[' : ':', out);
            write_escaped(about, out);
            if (k->commas) putc(']', out);
        }
        fputs("'\n", out);
    }
    if (k->commas) fprintf(out, "    )\n    _values -s , %s $known\n}\n", k->id);
    else fprintf(out, "    )\n    _describe -t %s %s known\n}\n", k->id, k->id);
}

static void write_lists(FILE *out) {
    for (value_kind kind = next_known_kind(VALUE_NONE); kind;
         kind = next_known_kind((value_kind)(kind + 1)))
        write_list(kind, out);
}

// _files -g with "*.h5" or "*.(csv|h5)": around a single ending parentheses mean something else.
static void write_files(const char *quote, const char *endings, FILE *out) {
    const bool several = strchr(endings, ' ');
    fprintf(out, "_files -g %s*.%s", quote, several ? "(" : "");
    for (; *endings; endings++) putc(*endings == ' ' ? '|' : *endings, out);
    fprintf(out, "%s%s", several ? ")" : "", quote);
}

static void write_action(const offer *o, FILE *out) {
    const kind_properties *k = kind_of(o->kind);
    putc(':', out);
    write_escaped(o->name, out);
    putc(':', out);
    if (o->choices) {
        putc('(', out);
        for (size_t i = 0; o->choices[i]; i++) fprintf(out, "%s%s", i ? " " : "", o->choices[i]);
        putc(')', out);
    } else if (k->files && o->endings && k->id) {
        fprintf(out, "{_alternative \"words::_hamel_%s\" \"files::", k->id);
        write_files("\\\"", o->endings, out);
        fputs("\"}", out);
    } else if (k->files && o->endings) {
        write_files("\"", o->endings, out);
    } else if (k->files) {
        fputs("_files", out);
    } else if (k->folders) {
        fputs("_files -/", out);
    } else if (k->id) {
        fprintf(out, "_hamel_%s", k->id);
    } else {
        putc(' ', out); // something, but nothing is known of it
    }
}

static void write_option(const option *o, FILE *out) {
    const char *value = option_takes_value(o) ? "=" : "";
    fputs("        ", out);
    if (o->letter && !o->repeats)
        fprintf(out, "'(%s %s)'{%s,%s%s}'[", o->letter, o->name, o->letter, o->name, value);
    else if (o->letter) fprintf(out, "'*'{%s,%s%s}'[", o->letter, o->name, value);
    else fprintf(out, "'%s%s%s[", o->repeats ? "*" : "", o->name, value);
    write_escaped(o->help, out);
    putc(']', out);
    const offer place = offer_of_option(o);
    if (*value) write_action(&place, out);
    fputs("' \\\n", out);
}

static void write_command(const command *c, FILE *out) {
    fprintf(out, "    %s)\n        _arguments \\\n", c->name);
    for (const option *const *o = c->options; o && *o; o++) write_option(*o, out);
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++) {
        const offer place = offer_of_operand(&c->operands[i]);
        fputs("        '", out);
        if (c->operands[i].repeats) putc('*', out);
        else fprintf(out, "%d", i + 1);
        if (c->operands[i].optional && !c->operands[i].repeats) putc(':', out);
        write_action(&place, out);
        fputs("' \\\n", out);
    }
    fputs("        '(-)'{-h,--help}'[more about this command]'\n        ;;\n", out);
}

void write_zsh_completions(FILE *out) {
    fputs("#compdef hamel\n# Completions of hamel for zsh, made by `hamel completions zsh`.\n\n",
          out);
    write_lists(out);
    fputs("\n_hamel() {\n    local curcontext=$curcontext state line\n    typeset -A opt_args\n"
          "    _arguments -C '(- *)'{-h,--help}'[the commands]' '(- *)--version[the version]' "
          "'1:command:_hamel_command' '*::argument:->rest' && return\n"
          "    [[ $state == rest ]] || return 1\n    case $line[1] in\n",
          out);
    for (int i = 0; commands[i]; i++) write_command(commands[i], out);
    fputs("    esac\n}\n\n_hamel \"$@\"\n", out);
}
