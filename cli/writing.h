// Text made of descriptors, for errors and help: how a command is used, an option in one line,
// paragraphs filled to a width. Strings that are returned are the caller's, to be freed.
#ifndef HAMEL_CLI_WRITING_H
#define HAMEL_CLI_WRITING_H

#include "command.h"
#include <stdio.h>

// Text that is written like a file and then had as a string, the caller's. Where memory runs out
// the program ends with status 6.
typedef struct {
    FILE *out;
    char *text;
    size_t size;
} text_file;
FILE *open_text(text_file *t);
char *close_text(text_file *t);

bool ends_with(const char *s, const char *end);
// folder/swing.ham becomes swing.html, in the working directory
void name_after_model(const char *path, const char *ending, char *name, size_t size);
void write_shown(const char *text, FILE *out); // what the user gave, safe for a terminal
void print_json_string(const char *s);         // quoted and escaped, to standard output

// What each exit status means, from 0 on: in a word or two, and more (may be NULL). Ends with NULL.
typedef struct exit_status {
    const char *words, *more;
} exit_status;
extern const exit_status exit_statuses[];

char *usage_text(const command *c);        // "usage: hamel check MODEL [--json] [--set name=value]"
char *option_text(const option *o);        // "--digits N: digits of every number (default: 16)"
char *option_usage(const option *o);       // "-o, --output FILE.csv"
char *option_help(const option *o);        // what it is good for, and what holds without it
char *option_about(const option *o);       // what it is good for, with what is known of its values
const char *option_usual(const option *o); // what holds without it; NULL: nothing to say
const char *operand_help(const operand *o);

// The words of `text`, the first at column `at`, the lines below at `indent`, none beyond `width`
// unless a word is longer; ends the line. A '\n' in the text begins a new paragraph.
void write_filled(const char *text, int at, int indent, int width, FILE *out);

#endif
