// hamel stability: eigenvalues along a parameter, where they become critical, what is stable.
#include "session.h"
#include "shared_options.h"
#include "terminal.h"

#include <stdlib.h>
#include <string.h>

static const option vary = {.name = "--vary",
                            .kind = VALUE_TEXT,
                            .value = "NAME=A..B",
                            .help = "a param, or an initial value such as x', and from where to "
                                    "where it goes; twice: a map of both",
                            .repeats = true};

static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.svg|.png|.pdf|.csv",
                              .help = "a figure of the eigenvalues, or their rows, in the format "
                                      "its name ends in"};
static const option plot = {.name = "--plot", .help = "draws the eigenvalues in characters"};

// All that is varied, with commas between
static char *join_ranges(const arguments *a) {
    size_t length = 1;
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option == &vary) length += strlen(a->given[i].text) + 2;
    char *all = calloc(length, 1);
    for (int i = 0; i < a->given_count && all; i++)
        if (a->given[i].option == &vary) {
            if (*all) strcat(all, ", ");
            strcat(all, a->given[i].text);
        }
    return all;
}

static int run(const arguments *a) {
    session s;
    int status;
    hamel_plot figure = {.output = given_text(a, &output)};
    terminal_fit(&figure, stdout);
    if (!given(a, &vary))
        return complain(a, HAMEL_USAGE, "give it with --vary, such as --vary \"v=1..10\"",
                        "there is nothing to vary");
    if (!session_open(a, &s, &status)) return status;
    char *result = NULL, *ranges = join_ranges(a);
    const hamel_status found = hamel_model_stability(
        s.model, given_text(a, &option_at), ranges,
        given(a, &plot) || figure.output ? &figure : NULL, given_format(a), &result);
    free(ranges);
    return session_finish(a, &s, found, result);
}

const command command_stability = {
    .name = "stability",
    .purpose = "eigenvalues along a parameter: critical values, and where it is stable, proved",
    .description = "The steady motion is the one that `hamel steady` finds, followed along a "
                   "parameter or an initial value. Critical values are enclosed; between them "
                   "stability is proved for whole intervals.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options = (const option *const[]){&vary, &output, &plot, &option_at, &option_json, &option_set,
                                       &option_limit, NULL},
    .examples = {{"stability bicycle --vary \"x'=4..7\"", "weave and capsize speed of a bicycle"}},
    .run = run,
};
