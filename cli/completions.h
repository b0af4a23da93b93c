// Completions of command lines, one script a shell, all made of the descriptors. What may stand at
// a place, after an option or as an operand, is an `offer`; the writers differ only in how their
// shell says it.
#ifndef HAMEL_CLI_COMPLETIONS_H
#define HAMEL_CLI_COMPLETIONS_H

#include "kinds.h"

typedef struct offer {
    const char *name; // what help calls the value
    value_kind kind;
    const char *const *choices; // of the place itself; NULL: those of the kind
    const char *endings;        // of files, as in an option
} offer;

offer offer_of_option(const option *o);
offer offer_of_operand(const operand *o);
bool option_takes_value(const option *o);

// Kinds whose values are known beforehand, each once: the first at or after `from`, VALUE_NONE
// after the last.
value_kind next_known_kind(value_kind from);

void write_bash_completions(FILE *out);
void write_zsh_completions(FILE *out);
void write_fish_completions(FILE *out);

#endif
