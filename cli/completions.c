// hamel completions: scripts that complete command lines in bash, zsh and fish.
#include "completions.h"

#include <string.h>

// --- what may stand where ------------------------------------------------------------------------

offer offer_of_option(const option *o) {
    const char *endings = o->endings ? o->endings : o->kind == VALUE_MODEL ? "ham" : NULL;
    return (offer){o->value ? o->value : "value", o->kind, o->choices, endings};
}

offer offer_of_operand(const operand *o) {
    const char *endings = o->endings ? o->endings : o->kind == VALUE_MODEL ? "ham" : NULL;
    return (offer){o->name, o->kind, o->choices, endings};
}

bool option_takes_value(const option *o) { return o->kind != VALUE_NONE && !o->implied; }

value_kind next_known_kind(value_kind from) {
    for (int kind = (int)from; kind <= VALUE_COMMAND; kind++)
        if (kind_of((value_kind)kind)->id) return (value_kind)kind;
    return VALUE_NONE;
}

// --- the command ---------------------------------------------------------------------------------

static const struct {
    const char *shell;
    void (*write)(FILE *out);
} shells[] = {{"bash", write_bash_completions},
              {"zsh", write_zsh_completions},
              {"fish", write_fish_completions}};

static int run(const arguments *a) {
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].shell, a->words[0]) != 0) continue;
        shells[i].write(stdout);
        return HAMEL_OK;
    }
    return complain(a, HAMEL_USAGE, "there are: bash, zsh, fish",
                    "there are no completions for `%s`", a->words[0]);
}

const command command_completions = {
    .name = "completions",
    .purpose = "a script that completes command lines in bash, zsh or fish",
    .description =
        "`make install` puts the three where the shells look for them. By hand: in bash `source "
        "<(hamel completions bash)`, in zsh `hamel completions zsh >_hamel` in a folder of $fpath, "
        "in fish `hamel completions fish >~/.config/fish/completions/hamel.fish`.",
    .operands = {{"SHELL", VALUE_CHOICE, "bash, zsh or fish",
                  .choices = (const char *const[]){"bash", "zsh", "fish", NULL}}},
    .examples = {{"completions bash", "the script for bash"}},
    .run = run,
};
