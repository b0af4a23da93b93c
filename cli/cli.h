// What the subcommands share: options, loading a model, reporting.
#ifndef HAMEL_CLI_H
#define HAMEL_CLI_H

#include "hamel.h"
#include <stdbool.h>
#include <stdio.h>

// The options a command may accept.
enum {
    OPTION_JSON = 1,
    OPTION_SET = 2,
    OPTION_FORM = 4,
    OPTION_FORMAT = 8,
    OPTION_AT = 16,
    OPTION_DIGITS = 32,
    OPTION_STATS = 64,
    OPTION_RAW = 128,
    OPTION_CERTIFY = 256,
    OPTION_DOUBLE = 512,
    OPTION_OUTPUT = 1024, // -o, --output
    OPTION_METHOD = 2048,
    OPTION_TOLERANCE = 4096,
    OPTION_UNTIL = 8192,
    OPTION_EVERY = 16384,
    OPTION_STEP = 32768,
    OPTION_EXECUTE = 65536,
    OPTION_VERIFY = 131072,
    OPTION_PROJECT = 262144,
    OPTION_RESUME = 524288,
    OPTION_TARGET = 1048576,
    OPTION_PRECISION = 2097152,
    OPTION_PLOT = 4194304,
    // --log, --equal, --no-equal, --size, --title, --legend, --grid, --events,
    // --marks, --xlabel, --ylabel
    OPTION_FIGURE = 8388608,
    OPTION_SEED = 16777216,
    OPTION_FULL = 268435456
};

enum { MOST_SETS = 64, MOST_MORE = 64 };

typedef struct {
    const char *model;           // the first argument that is no option; NULL if there is none
    const char *more[MOST_MORE]; // the arguments behind it
    int more_count;
    const char *form, *at, *doubled, *output, *method, *execute, *resume, *target, *precision;
    double tolerance, until, every, step; // 0: not given
    bool verify, project;
    hamel_format format;
    unsigned digits;
    bool stats, raw, full, certify, plot;
    unsigned long long seed; // 0: not given
    hamel_plot figure;       // what --log and its like say
    const char *set[MOST_SETS];
    int set_count;
} options;

typedef struct {
    const char *name;
    const char *usage;   // after the name
    const char *summary; // one line
    const char *help;    // the rest of `hamel help NAME`; may be NULL
    unsigned accepts;    // OPTION_..
    bool takes_argument; // a model or a name
    int more_arguments;  // that must stand behind it; MOST_MORE at most
    int extra_arguments; // that may stand behind these
    int (*run)(const options *o);
} command;

extern const command *const commands[]; // ends with NULL
const command *find_command(const char *name);

// Returns HAMEL_OK or HAMEL_USAGE after saying what is wrong.
int read_options(const command *c, int argc, char **argv, options *out);

// A context with --set applied and the model loaded; on failure prints the diagnostics, destroys
// everything and returns NULL, *status says why.
typedef struct {
    hamel_context *ctx;
    hamel_model *model;
} loaded;
bool load_model(const options *o, loaded *out, int *status);

// Print the result and the diagnostics, release everything, return the exit status.
// With --json and no result, what is wrong goes to standard output as a document, too.
int finish(const options *o, loaded *l, hamel_status status, char *result);
// .. where standard output is taken
int finish_to(const options *o, loaded *l, hamel_status status, char *result, FILE *out);

bool ends_with(const char *s, const char *end);
void print_json_string(const char *s); // quoted and escaped, to standard output

// Panels and terminal of a drawing in characters on `stream`, added to what
// the options say (terminal.c).
hamel_plot plot_on_terminal(const options *o, FILE *stream);
int write_to_standard_output(const void *bytes, size_t size, void *data); // of a hamel_run

extern const command command_check, command_derive, command_eval, command_forms, command_models,
    command_show, command_new, command_help, command_tour, command_describe, command_prove,
    command_transpose, command_simulate, command_compare, command_codegen, command_plot,
    command_report;

#endif
