// hamel plot: a run, or the rows of a file, as a figure.
#include "session.h"
#include "shared_options.h"
#include "terminal.h"
#include "writing.h"

#include <sys/stat.h>

// --- options -------------------------------------------------------------------------------------

enum { LEAST_SIZE = 100, MOST_SIZE = 5000 };

static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.svg|.png|.pdf|-",
                              .usual = "drawn in characters",
                              .help = "where the figure goes, in the format its name ends in; - is "
                                      "SVG on standard output"};
static const option logarithmic = {.name = "--log",
                                   .kind = VALUE_CHOICE,
                                   .choices = (const char *const[]){"x", "y", "xy", "none", NULL},
                                   .usual = "y where a panel shows errors only",
                                   .help = "logarithmic axes"};
static const option equal = {.name = "--equal",
                             .usual = "where x, y or z of one point are drawn against each other",
                             .help = "the same scale on both axes"};
static const option not_equal = {.name = "--no-equal", .help = "each axis has its own scale"};
static const option size = {.name = "--size",
                            .kind = VALUE_SIZE,
                            .value = "WxH",
                            .least = LEAST_SIZE,
                            .most = MOST_SIZE,
                            .help = "width and height in pixels, 96 to an inch; a PNG has three "
                                    "dots a pixel"};
static const option title = {
    .name = "--title", .kind = VALUE_TEXT, .value = "WORDS", .help = "stands above the figure"};
static const option x_label = {.name = "--xlabel",
                               .kind = VALUE_TEXT,
                               .value = "WORDS",
                               .usual = "the name of the column",
                               .help = "stands at the horizontal axis"};
static const option y_label = {.name = "--ylabel",
                               .kind = VALUE_TEXT,
                               .value = "WORDS",
                               .usual = "the names of the columns",
                               .help = "stands at the vertical axis"};
static const option legend = {
    .name = "--legend",
    .kind = VALUE_CHOICE,
    .choices = (const char *const[]){"none", "above", "tl", "tr", "bl", "br", NULL},
    .usual = "in a corner that is free, else above, where there are several curves",
    .help = "where the names of the curves stand: above, top left .."};
static const option grid = {.name = "--grid", .help = "lines at the ticks"};
static const option marks = {.name = "--marks",
                             .help = "a sign at each row, another for each curve"};
static const option events = {.name = "--events", .help = "marks at the events of the run"};

static const option spectrum = {.name = "--spectrum",
                                .help = "the frequencies in each column instead: amplitudes under "
                                        "Hann's window, and a list of peaks"};
static const option recurrence = {.name = "--recurrence",
                                  .help = "which rows are near to which instead, in the columns "
                                          "that are named or in the state"};
static const option near = {.name = "--near",
                            .kind = VALUE_POSITIVE,
                            .value = "E",
                            .usual = "a tenth of the largest distance",
                            .help = "with --recurrence, rows that differ by less are near"};

static hamel_plot figure_of(const arguments *a) {
    const option *scale = given_last(a, &equal, &not_equal);
    hamel_plot p = {.panels = a->words + 1,
                    .panel_count = (size_t)a->word_count - 1,
                    .output = given_text(a, &output),
                    .title = given_text(a, &title),
                    .x_label = given_text(a, &x_label),
                    .y_label = given_text(a, &y_label),
                    .log = given_text(a, &logarithmic),
                    .legend = given_text(a, &legend),
                    .equal = scale == &equal ? 1
                             : scale         ? -1
                                             : 0,
                    .grid = given(a, &grid),
                    .events = given(a, &events),
                    .marks = given(a, &marks),
                    .spectrum = given(a, &spectrum),
                    .recurrence = given(a, &recurrence),
                    .near = given_number(a, &near),
                    .json = given_format(a) == HAMEL_JSON};
    given_size(a, &size, &p.width, &p.height);
    terminal_fit(&p, stdout);
    return p;
}

// --- rows of a file ------------------------------------------------------------------------------

static bool has_rows(const char *name) {
    struct stat about;
    return name && (ends_with(name, ".csv") || ends_with(name, ".h5")) && stat(name, &about) == 0 &&
           !S_ISDIR(about.st_mode);
}

// The first option that only a run understands; NULL if there is none.
static const option *option_of_a_run(const arguments *a) {
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option->of_run) return a->given[i].option;
    return NULL;
}

static int plot_file(const arguments *a, const hamel_plot *plot) {
    const option *refused = option_of_a_run(a);
    if (refused)
        return complain(a, HAMEL_USAGE, "leave it away, or give the model instead of the file",
                        "%s is for a run, and `%s` holds rows that are there already",
                        refused->name, a->words[0]);
    session s = {session_context(a), NULL};
    char *result = NULL;
    const hamel_status drawn =
        hamel_file_plot(s.ctx, a->words[0], plot, terminal_write, NULL, &result);
    return session_finish(a, &s, drawn, result);
}

// --- runs ----------------------------------------------------------------------------------------

static int plot_model(const arguments *a, const hamel_plot *plot) {
    session s;
    int status;
    if (!session_open(a, &s, &status)) return status;
    hamel_run asked = shared_run(a);
    asked.write = terminal_write;
    char *result = NULL;
    const hamel_status drawn = hamel_model_plot(s.model, &asked, plot, &result);
    return session_finish(a, &s, drawn, result);
}

static int run(const arguments *a) {
    const hamel_plot plot = figure_of(a);
    return has_rows(a->words[0]) ? plot_file(a, &plot) : plot_model(a, &plot);
}

const command command_plot = {
    .name = "plot",
    .purpose = "a figure of a run or of a file: SVG, PNG, PDF, or drawn in the terminal",
    .description =
        "X:Y is a panel with column Y against X; Y alone means t:Y, and commas add curves: x,y or "
        "x1:y1,x2:y2. Columns are those of the CSV file of `simulate`; error(energy) is its "
        "change, |value - first|/(1 + |first|). X:Y=NAME is the same curve, called NAME in the "
        "legend; a column with , : or = in its name stands in double quotes.\n"
        "A file holds rows that are there already: a CSV file with a line of names first, where "
        "empty cells are gaps, or an .h5 file of `simulate`. Without X:Y all its columns are drawn "
        "against the first; options of a run are refused.\n"
        "A file of `hamel sweep` is drawn as the sweep draws itself, over what was varied: NAME "
        "is a panel with this quantity over one grid or over two, X:NAME and X:Y:NAME name the "
        "columns it is drawn over, and `ended` says how runs ended.",
    .operands = {{"MODEL|FILE.csv|FILE.h5", VALUE_MODEL, "a model to run, or a file with rows",
                  .endings = "ham csv h5"},
                 {"X:Y[=NAME][,Y..]", VALUE_TEXT, "a panel", .optional = true, .repeats = true}},
    .options =
        (const option *const[]){&spectrum,       &recurrence,    &near,         &option_json,
                                &output,         &logarithmic,   &equal,        &not_equal,
                                &size,           &title,         &x_label,      &y_label,
                                &legend,         &grid,          &marks,        &events,
                                &option_form,    &option_method, &option_tol,   &option_until,
                                &option_every,   &option_step,   &option_at,    &option_exec,
                                &option_project, &option_set,    &option_limit, NULL},
    .examples = {{"plot sleigh", "the path, drawn in the terminal"},
                 {"plot sleigh x:y \"error(energy)\" -o sleigh.svg", "two panels in a file"},
                 {"plot double_pendulum theta1 --spectrum --until 200", "its frequencies"}},
    .run = run,
};
