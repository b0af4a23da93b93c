// A command: one file with one `const command`, and one line in commands.def. From the descriptor
// come parsing, `hamel help`, errors, shell completions, the man page and docs/commands.md. An
// option is a `const option`: those that several commands share are in shared_options.h, the others
// stand in the file of their command. The function of a command finds what was typed in an
// `arguments`, by the option itself: given_text(a, &option_form).
#ifndef HAMEL_CLI_COMMAND_H
#define HAMEL_CLI_COMMAND_H

#include "hamel.h"
#include <stdbool.h>

// What may stand in the place of a value; kinds.c says how each is read, checked and completed.
typedef enum {
    VALUE_NONE,                 // the option is a flag
    VALUE_TEXT,                 // anything
    VALUE_WHOLE,                // a whole number from `least` to `most`
    VALUE_NUMBER,               // a number other than 0
    VALUE_POSITIVE,             // a number above 0
    VALUE_SIZE,                 // WIDTHxHEIGHT, each from `least` to `most`
    VALUE_LIMITS,               // time=60,memory=2G: what a hamel_limits has
    VALUE_CHOICE,               // one of `choices`
    VALUE_FORMAT,               // a name of a hamel_format that equations can be written in
    VALUE_TRANSPOSITION_FORMAT, // .. transpositional relations
    VALUE_SOURCE_FORMAT,        // .. sources
    VALUE_MATRIX_FORMAT,        // .. matrices
    VALUE_FORM,   // id of a formalism; the library judges it, as it does all that follow
    VALUE_FORMS,  // ids with commas between, or `all`
    VALUE_METHOD, // id of an integrator, or `auto`
    VALUE_TARGET, // of generated code
    VALUE_FILE,
    VALUE_FOLDER,
    VALUE_MODEL,         // a file, `-`, or the name of a library model
    VALUE_LIBRARY_MODEL, // such a name
    VALUE_COMMAND
} value_kind;

typedef struct option {
    const char *name;   // "--digits"
    const char *letter; // "-o"; NULL: none
    value_kind kind;
    const char *value;          // what help calls it: "N"; NULL: the choices, or nothing
    const char *implied;        // the value it stands for without one: "json" of --json
    const char *const *choices; // of VALUE_CHOICE; ends with NULL
    unsigned long long least, most;
    const char *endings; // of files that are read: "csv h5"; NULL: any file
    const char *usual;   // what holds without it, in words; NULL: nothing to say
    const char *help;    // begins with a small letter, has no full stop
    bool of_run;         // asks something of a run: means nothing where there is none
    bool repeats;        // every one counts; of others the last
} option;

// An argument that is no option.
typedef struct operand {
    const char *name; // "MODEL"
    value_kind kind;
    const char *help;           // NULL: what the kind says
    const char *const *choices; // of VALUE_CHOICE
    const char *endings;        // as in an option
    bool optional, repeats;     // only after those that are not; only the last
} operand;

typedef struct example {
    const char *words; // after `hamel`
    const char *what;
} example;

enum { MOST_OPERANDS = 4, MOST_EXAMPLES = 4, MOST_WORDS = 65, MOST_GIVEN = 128 };

typedef struct arguments arguments;

typedef struct command {
    const char *name;
    const char *also;                // another spelling; NULL: none
    const char *purpose;             // one line: begins with a small letter, has no full stop
    const char *description;         // the rest, in sentences; a new line is a new paragraph
    operand operands[MOST_OPERANDS]; // ends with a name that is NULL
    const option *const *options;    // ends with NULL; itself NULL: none
    example examples[MOST_EXAMPLES]; // likewise; each ends in status 0, which a test looks at
    int (*run)(const arguments *a);  // returns the exit status
} command;

extern const command *const commands[]; // in the order of commands.def; ends with NULL
const command *command_find(const char *name);
// After saying that there is no such command; the status.
int command_unknown(const char *name);

#define COMMAND(name) extern const command command_##name;
#include "commands.def"
#undef COMMAND

// --- what was typed ------------------------------------------------------------------------------

struct arguments {
    const command *command;
    const char *words[MOST_WORDS]; // operands, in order; those after word_count are NULL
    int word_count;
    struct {
        const option *option;
        const char *text; // NULL for a flag
    } given[MOST_GIVEN];  // options, in order
    int given_count;
    bool asks_json; // --json stands anywhere, even after what is wrong
};

// HAMEL_OK, or HAMEL_USAGE after saying what is wrong.
int arguments_read(const command *c, int argc, const char *const *argv, arguments *out);

// Of an option that was not given, or that the command does not have: false, NULL, 0.
bool given(const arguments *a, const option *o);
const char *given_text(const arguments *a, const option *o);
double given_number(const arguments *a, const option *o);
unsigned long long given_whole(const arguments *a, const option *o);
void given_size(const arguments *a, const option *o, double *width, double *height);
hamel_limits given_limits(const arguments *a, const option *o); // every one counts
hamel_format given_format(const arguments *a); // by --format or --json, the last; else text
const option *given_last(const arguments *a, const option *o, const option *other);

// Says what is wrong and what to do (NULL: nothing more) on standard error, with --json as a
// document on standard output too. Returns the status.
int complain(const arguments *a, int status, const char *help, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
