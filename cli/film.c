// hamel film: a run as a film, or as pictures.
#include "session.h"
#include "shared_options.h"
#include "writing.h"

enum { LEAST_SIZE = 16, MOST_SIZE = 8192 };

static const option output = {.name = "--output",
                              .letter = "-o",
                              .kind = VALUE_FILE,
                              .value = "FILE.mp4|.gif|frames-%04d.png",
                              .usual = "NAME.mp4 in the working directory",
                              .help = "where the film goes; films are made by ffmpeg, the pictures "
                                      "themselves without it"};
static const option size = {.name = "--size",
                            .kind = VALUE_SIZE,
                            .value = "WxH",
                            .least = LEAST_SIZE,
                            .most = MOST_SIZE,
                            .usual = "960x540",
                            .help = "width and height in pixels; those of an .mp4 are even, one "
                                    "more where they are not"};
static const option rate = {.name = "--fps",
                            .kind = VALUE_POSITIVE,
                            .value = "N",
                            .usual = "30, of a .gif 20",
                            .help = "pictures a second"};
static const option speed = {.name = "--speed",
                             .kind = VALUE_POSITIVE,
                             .value = "S",
                             .usual = "1",
                             .help = "seconds of the motion in a second of the film"};
static const option from = {.name = "--from",
                            .kind = VALUE_NUMBER,
                            .value = "T",
                            .usual = "the beginning of the run",
                            .help = "the time of the first picture"};
static const option azimuth = {.name = "--azimuth",
                               .kind = VALUE_TEXT,
                               .value = "DEGREES",
                               .usual = "as on the page of `report`",
                               .help = "where the eye stands, from the x axis towards y"};
static const option elevation = {.name = "--elevation",
                                 .kind = VALUE_TEXT,
                                 .value = "DEGREES",
                                 .usual = "24, where --azimuth is given",
                                 .help = "how high the eye stands"};
static const option trail = {.name = "--trail",
                             .kind = VALUE_TEXT,
                             .value = "SECONDS",
                             .usual = "the whole way",
                             .help = "how much of the way behind a point is shown; 0: nothing"};

enum { LONGEST_NAME = 200 };
static const double ELEVATION = 24, AZIMUTH = -63; // about those of the page

// A number that may be 0; false after saying that it is none
static bool read_number(const arguments *a, const option *o, double *out, int *has) {
    if (!given(a, o)) return true;
    *has = 1;
    if (hamel_number_read(given_text(a, o), out)) return true;
    complain(a, HAMEL_USAGE, NULL, "%s wants a number, not `%s`", o->name, given_text(a, o));
    return false;
}

static int run(const arguments *a) {
    session s;
    int status, has_azimuth = 0, has_elevation = 0;
    hamel_film film = {.output = given_text(a, &output),
                       .rate = given_number(a, &rate),
                       .speed = given_number(a, &speed),
                       .from = given_number(a, &from),
                       .has_from = given(a, &from),
                       .until = given_number(a, &option_until),
                       .has_until = given(a, &option_until),
                       .azimuth = AZIMUTH,
                       .elevation = ELEVATION};
    given_size(a, &size, &film.width, &film.height);
    if (!read_number(a, &azimuth, &film.azimuth, &has_azimuth) ||
        !read_number(a, &elevation, &film.elevation, &has_elevation) ||
        !read_number(a, &trail, &film.trail, &film.has_trail))
        return HAMEL_USAGE;
    film.has_view = has_azimuth || has_elevation;
    char name[LONGEST_NAME];
    name_after_model(a->words[0], ".mp4", name, sizeof name);
    if (!film.output) film.output = name;
    if (!session_open(a, &s, &status)) return status;
    const hamel_run asked = shared_run(a);
    char *result = NULL;
    const hamel_status made = hamel_model_film(s.model, &asked, &film, given_format(a), &result);
    return session_finish(a, &s, made, result);
}

const command command_film = {
    .name = "film",
    .purpose = "the motion as a film (mp4, gif) or as pictures",
    .description =
        "What the animation of `report` shows, picture by picture: the drawings of the model, or "
        "its points, bodies and trails, with reactions and contacts. The camera stands where that "
        "of the page does; --azimuth and --elevation move it. The file is whole or not there, "
        "whenever the command is interrupted.",
    .operands = {{.name = "MODEL", .kind = VALUE_MODEL}},
    .options =
        (const option *const[]){&output, &size, &rate, &speed, &from, &option_until, &azimuth,
                                &elevation, &trail, &option_form, &option_method, &option_tol,
                                &option_at, &option_json, &option_set, &option_limit, NULL},
    .examples = {{"film rolling_disc -o \"disc-%03d.png\" --until 0.2", "six pictures, as files"},
                 {"film sleigh --speed 4 -o sleigh.mp4", "twenty seconds in five"}},
    .run = run,
};
