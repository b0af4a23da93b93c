// A run as a film: the run is made with rows where pictures are, then drawn.
#include "api/pieces.h"
#include "api/run_job.h"

#include "base/descriptor.h"
#include "base/utf8.h"
#include "print/format.h"
#include "report/film.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 960, HEIGHT = 540, RATE = 30, GIF_RATE = 20, LEAST_SIZE = 16, MOST_SIZE = 8192 };
enum { MOST_RATE = 1000, MOST_PICTURES = 100000 };

// --- what is asked -------------------------------------------------------------------------------

// One %d or %04d, and no other sign of formatting
static bool is_pattern(const char *name) {
    const char *percent = strchr(name, '%');
    if (!percent || strchr(percent + 1, '%')) return false;
    const size_t digits = strspn(percent + 1, "0123456789");
    return percent[1 + digits] == 'd' && (!digits || (digits <= 2 && percent[1] == '0'));
}

static hamel_status refuse(context *ctx, const char *help, const char *what) {
    diag_error(ctx, (span){0}, help, "%s", what);
    return HAMEL_USAGE;
}

static bool within(double value, double least, double most) {
    return value >= least && value <= most;
}

static hamel_status check(context *ctx, const hamel_film *asked) {
    const char *name = asked->output;
    const bool frames = text_ends_in(name, ".png");
    if (!frames && !text_ends_in(name, ".mp4") && !text_ends_in(name, ".gif"))
        return refuse(ctx, "give a name that ends in .mp4 or .gif, or frames-%04d.png",
                      arena_format(&ctx->arena, "`%s` does not say in which format the film is",
                                   utf8_shown(&ctx->arena, name)));
    if (frames && !is_pattern(name))
        return refuse(ctx, "write frames-%04d.png",
                      "each picture is a file of its own: its name "
                      "needs one %d for the number");
    if (asked->width != 0 && !(within(asked->width, LEAST_SIZE, MOST_SIZE) &&
                               within(asked->height, LEAST_SIZE, MOST_SIZE)))
        return refuse(ctx, NULL, "a picture has 16 to 8192 pixels a side");
    if (asked->rate != 0 && !within(asked->rate, 0.01, MOST_RATE))
        return refuse(ctx, NULL, "a film has up to 1000 pictures a second");
    if (asked->speed < 0 || !isfinite(asked->speed))
        return refuse(ctx, NULL, "the speed of a film is a positive number");
    if (asked->has_trail && !(asked->trail >= 0))
        return refuse(ctx, NULL, "a trail lasts 0 seconds or more");
    if (!(isfinite(asked->azimuth) && isfinite(asked->elevation) && isfinite(asked->from) &&
          isfinite(asked->until)))
        return refuse(ctx, NULL, "times and angles are finite numbers");
    return frames ? HAMEL_OK : api_refuse_own(ctx, name);
}

static film_plan plan_of(const hamel_film *asked, const char *title) {
    const bool gif = text_ends_in(asked->output, ".gif");
    const double width = asked->width != 0 ? floor(asked->width) : WIDTH,
                 height = asked->height != 0 ? floor(asked->height) : HEIGHT;
    const bool even = text_ends_in(asked->output, ".mp4"); // the format has no others
    return (film_plan){.width = even ? 2 * ceil(width / 2) : width,
                       .height = even ? 2 * ceil(height / 2) : height,
                       .rate = asked->rate != 0 ? asked->rate
                               : gif            ? GIF_RATE
                                                : RATE,
                       .speed = asked->speed != 0 ? asked->speed : 1,
                       .turned = asked->has_view,
                       .azimuth = asked->azimuth,
                       .elevation = asked->elevation,
                       .trail = asked->has_trail ? asked->trail : -1,
                       .title = title};
}

// --- writing -------------------------------------------------------------------------------------

static hamel_status refuse_film(context *ctx, const char *file, bool no_ffmpeg, const char *why) {
    if (no_ffmpeg)
        diag_error(ctx, (span){0},
                   "install ffmpeg (in Debian 12: ffmpeg), or write the pictures: frames-%04d.png",
                   "cannot make `%s`: there is no ffmpeg here", utf8_shown(&ctx->arena, file));
    else
        diag_error(ctx, (span){0}, NULL, "cannot make `%s`: %s", utf8_shown(&ctx->arena, file),
                   utf8_shown(&ctx->arena, why));
    return HAMEL_NUMERICS;
}

// All that ffmpeg has written into a file in memory, to the file that was asked for
static hamel_status hand_over(context *ctx, const char *name, int file) {
    struct stat about;
    if (fstat(file, &about)) return context_refuse(ctx, (span){0}, "write", name, errno);
    text bytes = {0};
    const size_t size = (size_t)about.st_size;
    text_repeat(&bytes, '\0', size);
    const bool good = descriptor_read_at(file, 0, bytes.bytes, size);
    const hamel_status status = good ? api_write_file(ctx, name, bytes.bytes, size)
                                     : context_refuse(ctx, (span){0}, "write", name, errno);
    text_free(&bytes);
    return status;
}

static hamel_status refuse_own_frames(context *ctx, const film *f, const char *frames) {
    char name[FILM_LONGEST_NAME];
    hamel_status status = HAMEL_OK;
    for (uint32_t i = 0; i < film_picture_count(f) && !status; i++) {
        film_frame_name(frames, i, name);
        status = api_refuse_own(ctx, name);
    }
    return status;
}

static hamel_status write_film(context *ctx, const film *f, const film_plan *plan,
                               const char *name) {
    const bool frames = text_ends_in(name, ".png");
    film_output to = {.frames = frames ? name : NULL,
                      .gif = text_ends_in(name, ".gif"),
                      .width = (unsigned)plan->width,
                      .height = (unsigned)plan->height,
                      .rate = plan->rate};
    guard open;
    bool no_ffmpeg = false;
    text why = {0};
    to.file = descriptor_in_memory();
    if (to.file < 0) return context_refuse(ctx, (span){0}, "write", name, errno);
    descriptor_guard(&open, to.file);
    hamel_status status = HAMEL_OK;
    if (!film_write(f, &to, &no_ffmpeg, &why))
        status = refuse_film(ctx, name, no_ffmpeg, text_string(&why));
    if (!status && !frames) status = hand_over(ctx, name, to.file);
    descriptor_close(&open, to.file);
    text_free(&why);
    return status;
}

static void say(const film *f, const film_plan *plan, const char *name, hamel_format format,
                text *out) {
    const uint32_t count = film_picture_count(f);
    if (format != HAMEL_JSON) {
        text_format(out, "%s: %u pictures of %g x %g, %.4g s\n", name, count, plan->width,
                    plan->height, count / plan->rate);
        return;
    }
    json j = {.out = out};
    json_open(&j, NULL, '{');
    json_string(&j, "file", name);
    json_integer(&j, "pictures", count);
    json_integer(&j, "width", (int64_t)plan->width);
    json_integer(&j, "height", (int64_t)plan->height);
    json_decimal(&j, "rate", plan->rate, 12);
    json_decimal(&j, "from", plan->from, 12);
    json_decimal(&j, "until", plan->until, 12);
    json_close(&j, '}');
    text_char(out, '\n');
}

// --- the whole -----------------------------------------------------------------------------------

// Rows are where pictures are, and between them where these are far apart: trails are drawn
// through all of them.
static double row_step(const film_plan *plan) {
    enum { ROWS_A_SECOND = 30, MOST_BETWEEN = 100 };
    const double step = plan->speed / plan->rate;
    return step / fmin(MOST_BETWEEN, fmax(1, ceil(step * ROWS_A_SECOND - 1e-9)));
}

// The part of the run that is shown; false: there is none
static bool choose_times(const table *rows, const hamel_film *asked, film_plan *plan) {
    const double first = table_at(rows, 0, 0), last = table_at(rows, rows->row_count - 1, 0);
    plan->from = asked->has_from ? fmax(asked->from, first) : first;
    plan->until = asked->has_until ? fmin(asked->until, last) : last;
    return plan->from <= plan->until;
}

static hamel_status draw(model *m, const run_job *j, const hamel_film *asked, film_plan *plan,
                         hamel_format format, char **result) {
    finished_run done = {.form = j->form,
                         .method = j->method,
                         .sim = j->sim,
                         .run = &j->r,
                         .rows = j->rows,
                         .outcome = run_job_outcome(j)};
    run_changes changes;
    if (j->pieces) changes = pieces_changes(j->pieces), done.changes = &changes;
    if (!choose_times(j->rows, asked, plan))
        return refuse(m->ctx, "look at --from and --until", "the run has nothing at these times");
    if ((plan->until - plan->from) * plan->rate / plan->speed > MOST_PICTURES)
        return refuse(m->ctx, "take a higher --speed or a lower --fps",
                      "a film has 100000 pictures at most");
    film *f = film_create(&done, plan);
    if (!f)
        return refuse(m->ctx, "say what there is by `draw`, or by points and bodies",
                      "there is nothing to see");
    hamel_status status = HAMEL_OK;
    if (text_ends_in(asked->output, ".png")) status = refuse_own_frames(m->ctx, f, asked->output);
    if (!status) status = write_film(m->ctx, f, plan, asked->output);
    text out = {0};
    if (!status) say(f, plan, asked->output, format, &out), api_finish_text(&out, result);
    film_free(f);
    return status;
}

static hamel_status make_film(model *m, const hamel_run *run, const hamel_film *asked,
                              hamel_format format, char **result) {
    hamel_status status = check(m->ctx, asked);
    if (status) return status;
    film_plan plan = plan_of(asked, m->title ? m->title : m->name);
    hamel_run wanted = run ? *run : (hamel_run){0};
    table rows = {0};
    wanted.output = wanted.resume = NULL;
    wanted.interval = row_step(&plan);
    if (asked->has_until) wanted.until = asked->until;
    run_job j = {.m = m, .asked = &wanted, .rows = &rows};
    status = run_job_run(&j);
    // what was computed before a run stopped is shown
    if ((!status || status == HAMEL_NUMERICS) && rows.row_count) {
        const hamel_status drawn = draw(m, &j, asked, &plan, format, result);
        if (drawn) status = drawn;
    }
    run_job_close(&j);
    table_free(&rows);
    return status;
}

hamel_status hamel_model_film(hamel_model *m, const hamel_run *run, const hamel_film *asked,
                              hamel_format format, char **result) {
    API_NEEDS(NULL, m);
    API_NEEDS(m->ctx, result);
    *result = NULL;
    API_NEEDS(m->ctx, asked);
    API_NEEDS(m->ctx, asked->output);
    API_CALL(m->ctx, result, make_film(m, run, asked, format, result), "filming `%s`", m->name);
}
