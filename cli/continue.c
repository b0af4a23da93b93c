// hamel continue: steady motions or orbits followed along a parameter, with all that branches off.
#include "session.h"
#include "shared_options.h"
#include "terminal.h"

static const option vary = {.name = "--vary",
                            .kind = VALUE_TEXT,
                            .value = "NAME=A..B",
                            .help =
                                "a param, or an initial value such as x' (with --orbit: a param, "
                                "or energy), and from where to where it goes"};
static const option orbit = {.name = "--orbit",
                             .help = "follows a periodic orbit instead of a steady motion"};
static const option period = {.name = "--period",
                              .kind = VALUE_TEXT,
                              .value = "T",
                              .usual = "the time after which the motion comes near to its start",
                              .help = "of --orbit: a guess of the period; where the equations "
                                      "depend on time, the period itself; a number, or an "
                                      "expression of parameters: \"2*pi/w\""};
static const option branches = {.name = "--branches",
                                .kind = VALUE_WHOLE,
                                .value = "N",
                                .usual = "20",
                                .least = 1,
                                .most = 1000,
                                .help = "at most so many branches"};
static const option steps = {.name = "--steps",
                             .kind = VALUE_WHOLE,
                             .value = "N",
                             .usual = "2000",
                             .least = 1,
                             .most = 1000000,
                             .help = "at most so many steps in each direction of a branch"};
static const option of = {.name = "--of",
                          .kind = VALUE_TEXT,
                          .value = "NAME",
                          .usual = "the first coordinate or velocity that changes",
                          .help =
                              "what a figure shows over the parameter: a coordinate, a velocity "
                              "or a quasi-velocity; with --orbit: a coordinate, or period"};
static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.svg|.png|.pdf|.csv",
                              .help = "a bifurcation diagram, or the points of all branches, in "
                                      "the format its name ends in"};
static const option plot = {.name = "--plot",
                            .help = "draws the bifurcation diagram in characters"};

static int run(const arguments *a) {
    session s;
    int status;
    hamel_plot figure = {.output = given_text(a, &output)};
    const char *shown = given_text(a, &of);
    if (shown) figure.panels = &shown, figure.panel_count = 1;
    terminal_fit(&figure, stdout);
    if (!given(a, &vary))
        return complain(a, HAMEL_USAGE, "give it with --vary, such as --vary \"w=1..6\"",
                        "there is nothing to vary");
    if (!session_open(a, &s, &status)) return status;
    const hamel_continue asked = {.at = given_text(a, &option_at),
                                  .vary = given_text(a, &vary),
                                  .orbit = given(a, &orbit),
                                  .period = given_text(a, &period),
                                  .branches =
                                      given(a, &branches) ? (unsigned)given_whole(a, &branches) : 0,
                                  .steps = given(a, &steps) ? (unsigned)given_whole(a, &steps) : 0,
                                  .plot = given(a, &plot) || figure.output ? &figure : NULL};
    char *result = NULL;
    const hamel_status found = hamel_model_continue(s.model, &asked, given_format(a), &result);
    return session_finish(a, &s, found, result);
}

const command command_continue = {
    .name = "continue",
    .purpose =
        "steady motions, or orbits, along a parameter: folds, branches that leave, doublings",
    .description = "The first motion is the one that `hamel steady` finds. It is followed in both "
                   "directions by arc length, also where the parameter turns back; folds, branch "
                   "points and Hopf points are located, and each branch that leaves is followed "
                   "once.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options =
        (const option *const[]){&vary, &orbit, &period, &branches, &steps, &of, &output, &plot,
                                &option_at, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"continue bead_on_hoop --vary \"w=1..6\"",
                  "where a bead on a turning hoop leaves the lowest point"},
                 {"continue driven_pendulum --orbit --period \"2*pi/w\" --vary \"A=1.05..1.08\"",
                  "the way to chaos"}},
    .run = run,
};
