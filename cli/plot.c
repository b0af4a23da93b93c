// hamel plot: a run, or the rows of a file, as a figure.
#include "cli.h"

#include <string.h>
#include <sys/stat.h>

// --- rows of a file ------------------------------------------------------------------------------

static bool has_rows(const char *name) {
    struct stat about;
    return name && (ends_with(name, ".csv") || ends_with(name, ".h5")) && stat(name, &about) == 0 &&
           !S_ISDIR(about.st_mode);
}

// The first option that only a run understands; NULL if there is none.
static const char *option_of_a_run(const options *o) {
    const struct {
        bool given;
        const char *name;
    } of_a_run[] = {
        {o->form, "--form"},         {o->method, "--method"},    {o->at, "--at"},
        {o->execute, "--exec"},      {o->until != 0, "--until"}, {o->tolerance != 0, "--tol"},
        {o->every != 0, "--every"},  {o->step != 0, "--step"},   {o->project, "--project"},
        {o->set_count != 0, "--set"}};
    for (size_t i = 0; i < sizeof of_a_run / sizeof *of_a_run; i++)
        if (of_a_run[i].given) return of_a_run[i].name;
    return NULL;
}

static int plot_file(const options *o, const hamel_plot *plot) {
    const char *refused = option_of_a_run(o);
    if (refused) {
        fprintf(stderr,
                "hamel: error: %s is for a run, and `%s` holds rows that are there already\n"
                "  = leave it away, or give the model instead of the file\n",
                refused, o->model);
        return HAMEL_USAGE;
    }
    loaded l = {hamel_context_create(), NULL};
    char *result = NULL;
    const hamel_status s =
        hamel_file_plot(l.ctx, o->model, plot, write_to_standard_output, NULL, &result);
    return finish(o, &l, s, result);
}

// --- runs ----------------------------------------------------------------------------------------

static int plot_model(const options *o, const hamel_plot *plot) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    const hamel_run asked = {.form = o->form,
                             .method = o->method,
                             .at = o->at,
                             .execute = o->execute,
                             .until = o->until,
                             .tolerance = o->tolerance,
                             .interval = o->every,
                             .step = o->step,
                             .project = o->project,
                             .write = write_to_standard_output};
    char *result = NULL;
    const hamel_status s = hamel_model_plot(l.model, &asked, plot, &result);
    return finish(o, &l, s, result);
}

static int run(const options *o) {
    hamel_plot plot = plot_on_terminal(o, stdout);
    plot.output = o->output;
    return has_rows(o->model) ? plot_file(o, &plot) : plot_model(o, &plot);
}

const command command_plot = {
    .name = "plot",
    .usage = "MODEL|FILE.csv|FILE.h5 [X:Y[=NAME][,Y..] ..] [-o FILE.svg|.png|.pdf|-] [--log "
             "x|y|xy|none] [--equal|--no-equal] [--size WxH] [--title WORDS] [--xlabel WORDS] "
             "[--ylabel WORDS] [--legend WHERE] [--grid] [--marks] [--events] [--form ID] "
             "[--method M] [--tol T] [--until T] [--every DT] [--at STATE] [--set name=value]",
    .takes_argument = true,
    .extra_arguments = MOST_MORE,
    .summary = "a figure of a run or of a file: SVG, PNG, PDF, or drawn in the terminal",
    .help = "FILE        rows that are there already: a CSV file with a line of names first, where "
            "empty cells are gaps, or an .h5 file of `simulate`;\n"
            "            without X:Y all columns are drawn against the first; options of a run are "
            "refused\n"
            "X:Y         a panel with column Y against X; Y alone means t:Y, and commas add "
            "curves: x,y or x1:y1,x2:y2\n"
            "            columns are those of the CSV file of `simulate`; error(energy) is its "
            "change, |value - first|/(1 + |first|)\n"
            "X:Y=NAME    the same curve, called NAME in the legend; a column with , : or = in its "
            "name stands in double quotes\n"
            "-o FILE     where the figure goes, in the format its name ends in; - is SVG on "
            "standard output; without it, characters\n"
            "--log       logarithmic axes (default: y where a panel shows errors only)\n"
            "--equal     the same scale on both axes (default: where x, y or z of one point are "
            "drawn against each other)\n"
            "--size      in pixels, 96 to an inch; a PNG has three dots a pixel\n"
            "--xlabel, --ylabel  what stands at the axes instead of the names of the columns\n"
            "--legend    none, above, tl, tr, bl, br (top left ..); default: in a corner that is "
            "free, else above, where there are several curves\n"
            "--grid      lines at the ticks;  --marks a sign at each row, another for each curve;  "
            "--events marks at the events of the run\n",
    .accepts = OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_OUTPUT | OPTION_METHOD |
               OPTION_TOLERANCE | OPTION_UNTIL | OPTION_EVERY | OPTION_STEP | OPTION_EXECUTE |
               OPTION_PROJECT | OPTION_FIGURE,
    .run = run,
};
