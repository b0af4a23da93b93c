// The kinds of values that options and operands take: which values are known beforehand, whether
// one is well formed, and what help calls it. Parsing, help, completions and the man page all ask
// here, so that they cannot differ.
#ifndef HAMEL_CLI_KINDS_H
#define HAMEL_CLI_KINDS_H

#include "command.h"
#include <stdio.h>

typedef struct kind_properties {
    const char *id;                  // of a kind whose values are known beforehand, else NULL
    const char *known;               // by hamel_known() under this name
    const char *first, *first_about; // another value before these; NULL: none
    bool commas;                     // several may stand there with commas between
    bool formats;                    // names of a hamel_format
    bool explained;                  // help says of each value what it is; the first is the default
    bool files, folders;             // names of files, of folders
} kind_properties;
const kind_properties *kind_of(value_kind kind);

// The value number `index` that is known beforehand, *about (may be NULL) what it is, or NULL;
// NULL after the last. A library model, a command, an id of a form or method ..
const char *kind_choice(value_kind kind, const char *const *choices, size_t index,
                        const char **about);

// Whether `text` is a value of this option. Ids and files are for the library to judge.
bool kind_accepts(const option *o, const char *text);
// What the option wants, for the error: "a whole number from 1 to 100000".
void kind_wanted(const option *o, FILE *out);

double kind_number(const char *text);
// Adds to what is there; false: one of them is no limit, or no number from 1 on
bool kind_limits(const char *text, hamel_limits *out);
bool kind_size(const char *text, double *width, double *height);
bool kind_format(const char *name, hamel_format *out);

// "ID", "text|latex|json", "N": nothing for a flag.
void kind_name_value(const option *o, FILE *out);

#endif
