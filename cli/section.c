// hamel section: the states of a motion where an event crosses zero.
#include "interrupts.h"
#include "session.h"
#include "shared_options.h"
#include "terminal.h"
#include "writing.h"

static const option count = {.name = "--count",
                             .kind = VALUE_WHOLE,
                             .value = "N",
                             .least = 1,
                             .most = 1000000000,
                             .usual = "all up to the end of the run",
                             .help = "the run ends with so many crossings; without --until it is "
                                     "at most N times as long as the model says"};
static const option direction = {.name = "--direction",
                                 .kind = VALUE_CHOICE,
                                 .choices = (const char *const[]){"up", "down", "both", NULL},
                                 .usual = "as the event says, else both",
                                 .help = "crossings from negative to positive, or the other way"};
static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.csv|.h5|.npz|.svg|.png|.pdf|-",
                              .usual = "a table",
                              .help = "where the rows go, or a figure of them, in the format its "
                                      "name ends in; - is CSV on standard output"};
static const option plot = {.name = "--plot",
                            .kind = VALUE_TEXT,
                            .value = "X:Y",
                            .usual = "a velocity against its coordinate, where a figure is written",
                            .help = "a panel of a figure: see `hamel help plot`; without -o it is "
                                    "drawn in the terminal instead of the table",
                            .repeats = true};

static bool is_picture(const char *file) {
    return file && (ends_with(file, ".svg") || ends_with(file, ".png") || ends_with(file, ".pdf"));
}

static int run(const arguments *a) {
    session s;
    int status;
    const char *file = given_text(a, &output), *panels[MOST_GIVEN];
    hamel_plot figure = {.panels = panels, .output = is_picture(file) ? file : NULL};
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option == &plot) panels[figure.panel_count++] = a->given[i].text;
    if (!session_open(a, &s, &status)) return status;
    const bool streams = file && file[0] == '-' && !file[1];
    terminal_fit(&figure, streams ? stderr : stdout);
    const hamel_section asked = {.event = a->words[1],
                                 .direction = given_text(a, &direction),
                                 .count = given_whole(a, &count),
                                 .plot = figure.output || figure.panel_count ? &figure : NULL};
    hamel_run how = shared_run(a);
    how.output = is_picture(file) ? NULL : file;
    how.write = terminal_write;
    hamel_limits limits = given_limits(a, &option_limit);
    limits.interrupted = interrupts_heed();
    hamel_context_limit(s.ctx, &limits);
    char *result = NULL;
    const hamel_status found = hamel_model_section(s.model, &asked, &how, given_format(a), &result);
    interrupts_leave();
    return session_finish_to(a, &s, found, result, streams ? stderr : stdout);
}

const command command_section = {
    .name = "section",
    .purpose = "Poincare's section of a motion: its states where an event crosses zero",
    .description = "EVENT is the name of an `event` of the model, or an expression of the state "
                   "and the time, such as \"x - 1\" or \"sin(w*t)\". Crossings are located to "
                   "rounding; a zero that is only touched is none, and neither is one at the very "
                   "start. An event with `stop` that is not EVENT ends the run.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL},
                 {.name = "EVENT",
                  .kind = VALUE_TEXT,
                  .help = "an event of the model, or an expression"}},
    .options = (const option *const[]){&count, &direction, &output, &plot, &option_until,
                                       &option_at, &option_form, &option_method, &option_tol,
                                       &option_step, &option_exec, &option_project, &option_json,
                                       &option_set, &option_limit, NULL},
    .examples = {{"section double_pendulum theta1 --direction up --count 10",
                  "ten times the upper rod hangs straight down"},
                 {"section pendulum x -o crossings.csv", "rows for a table or a script"}},
    .run = run,
};
