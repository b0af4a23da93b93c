// hamel plot: a run as a figure.
#include "cli.h"

static int run(const options *o) {
    loaded l;
    int status;
    if (!load_model(o, &l, &status)) return status;
    hamel_plot plot = plot_on_terminal(o, stdout);
    plot.output = o->output;
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
    const hamel_status s = hamel_model_plot(l.model, &asked, &plot, &result);
    return finish(o, &l, s, result);
}

const command command_plot = {
    .name = "plot",
    .usage = "MODEL [X:Y[,Y..] ..] [-o FILE.svg|.png|.pdf|-] [--log x|y|xy|none] [--equal|--no-equal] [--size WxH] "
             "[--title WORDS] [--legend WHERE] [--grid] [--events] [--form ID] "
             "[--method M] [--tol T] [--until T] [--every DT] [--at STATE] [--set name=value]",
    .takes_argument = true,
    .extra_arguments = MOST_MORE,
    .summary = "a figure of a run: SVG, PNG, PDF, or drawn in the terminal",
    .help =
        "X:Y         a panel with column Y against X; Y alone means t:Y, and commas add curves: x,y or x1:y1,x2:y2\n"
        "            columns are those of the CSV file of `simulate`; error(energy) is its change, |value - first|/(1 "
        "+ |first|)\n"
        "-o FILE     where the figure goes, in the format its name ends in; - is SVG on standard output; without it, "
        "characters\n"
        "--log       logarithmic axes (default: y where a panel shows errors only)\n"
        "--equal     the same scale on both axes (default: where x, y or z of one point are drawn against each other)\n"
        "--size      in pixels, 96 to an inch; a PNG has three dots a pixel\n"
        "--legend    none, above, tl, tr, bl, br (top left ..); default: in a corner that is free, else above, where "
        "there are several curves\n"
        "--grid      lines at the ticks;  --events marks at the events of the run\n",
    .accepts = OPTION_SET | OPTION_FORM | OPTION_AT | OPTION_OUTPUT | OPTION_METHOD | OPTION_TOLERANCE | OPTION_UNTIL |
               OPTION_EVERY | OPTION_STEP | OPTION_EXECUTE | OPTION_PROJECT | OPTION_FIGURE,
    .run = run,
};
