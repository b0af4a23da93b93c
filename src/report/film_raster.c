// The pictures of a film, drawn in a child process: one after the other as PNG files, or as rows of
// dots through a pipe to ffmpeg, which runs as a child of that child and dies with it.
#include "base/descriptor.h"
#include "base/fence.h"
#include "base/recovery.h"
#include "base/whole_file.h"
#include "report/film.h"
#include "report/raster.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILM = 3, NOT_FOUND = 127 }; // what ffmpeg writes; the status of a program that is not there
static const double ASLEEP = 300;   // seconds that ffmpeg may take for a few pictures

// --- ffmpeg --------------------------------------------------------------------------------------

typedef struct {
    pid_t process;
    int pictures; // what it reads
    int words;    // what it says
} encoder;

// In the new process: its files are in place, and it becomes ffmpeg. Nothing here takes memory.
static void become_ffmpeg(const film_output *to, int pictures, int words) {
    static const char palette[] = "split[a][b];[a]palettegen[p];[b][p]paletteuse";
    char size[32], rate[32];
    snprintf(size, sizeof size, "%ux%u", to->width, to->height);
    snprintf(rate, sizeof rate, "%.6g", to->rate);
    const char *head[] = {"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y",
                          "-f",     "rawvideo", "-pix_fmt",     "bgr0",      "-s",    size,
                          "-r",     rate,       "-i",           "pipe:0",    "-an"};
    const char *gif[] = {"-vf", palette, "-loop", "0", "-f", "gif"};
    const char *mpeg[] = {"-c:v",          "libx264",    "-pix_fmt", "yuv420p",
                          "-map_metadata", "-1",         "-fflags",  "+bitexact",
                          "-movflags",     "+faststart", "-f",       "mp4"};
    enum { HEAD = sizeof head / sizeof *head, GIF = sizeof gif / sizeof *gif };
    enum { MPEG = sizeof mpeg / sizeof *mpeg };
    const char *words_of_it[HEAD + MPEG + 2];
    int count = 0;
    for (int i = 0; i < HEAD; i++) words_of_it[count++] = head[i];
    for (int i = 0; i < (to->gif ? GIF : MPEG); i++)
        words_of_it[count++] = to->gif ? gif[i] : mpeg[i];
    words_of_it[count++] = "file:/proc/self/fd/3";
    words_of_it[count] = NULL;
    const int film = fcntl(to->file, F_DUPFD, 10), from = fcntl(pictures, F_DUPFD, 10),
              said = fcntl(words, F_DUPFD, 10);
    const bool good = dup2(from, 0) == 0 && dup2(said, 1) == 1 && dup2(said, 2) == 2 &&
                      dup2(film, FILM) == FILM && !prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = FILM + 1; i < 256; i++) close(i);
    signal(SIGPIPE, SIG_DFL);
    if (good) execvp("ffmpeg", (char *const *)words_of_it);
    _exit(NOT_FOUND);
}

static bool start(encoder *e, const film_output *to) {
    int pictures[2], words[2];
    if (pipe(pictures)) return false;
    if (pipe(words)) return close(pictures[0]), close(pictures[1]), false;
    e->process = fork();
    if (!e->process) become_ffmpeg(to, pictures[0], words[1]);
    close(pictures[0]), close(words[1]);
    fcntl(words[0], F_SETFL, O_NONBLOCK); // nobody waits for words
    e->pictures = pictures[1], e->words = words[0];
    return e->process > 0;
}

// Nothing more comes: waits for its end; false, with what it said in `why`. Some end well that have
// not read all pictures, or have written nothing.
static bool finish(encoder *e, const film_output *to, bool took_all, bool *no_ffmpeg, text *why) {
    int status = -1;
    struct stat about;
    close(e->pictures);
    while (waitpid(e->process, &status, 0) < 0 && errno == EINTR) {}
    *no_ffmpeg = WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND;
    const bool ended_well = WIFEXITED(status) && !WEXITSTATUS(status);
    if (took_all && ended_well && !fstat(to->file, &about) && about.st_size > 0) return true;
    char said[1024];
    ssize_t got = read(e->words, said, sizeof said);
    while (got > 0 && said[got - 1] == '\n') got--;
    if (got > 0) text_format(why, "ffmpeg: %.*s", (int)got, said);
    else text_append(why, "ffmpeg ended without a film");
    return false;
}

// --- pictures ------------------------------------------------------------------------------------

typedef struct {
    const film *f;
    const film_output *to;
    raster_library call;
    cairo_surface_t *on;
} studio;

static bool draw(const studio *w, const text *svg, text *why) {
    GError *error = NULL;
    RsvgHandle *handle =
        w->call.rsvg_handle_new_from_data((const guint8 *)svg->bytes, svg->length, &error);
    const RsvgRectangle all = {0, 0, w->to->width, w->to->height};
    cairo_t *pen = w->call.cairo_create(w->on);
    w->call.cairo_set_source_rgb(pen, 1, 1, 1);
    w->call.cairo_paint(pen);
    const bool done = handle && w->call.rsvg_handle_render_document(handle, pen, &all, &error);
    if (!done) text_append(why, error ? error->message : "librsvg drew nothing");
    w->call.cairo_destroy(pen);
    if (handle) w->call.g_object_unref(handle);
    w->call.cairo_surface_flush(w->on);
    return done;
}

static cairo_status_t add_bytes(void *to, const unsigned char *bytes, unsigned int size) {
    text_append_n(to, (const char *)bytes, size);
    return CAIRO_STATUS_SUCCESS;
}

void film_frame_name(const char *frames, uint32_t index, char name[FILM_LONGEST_NAME]) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(name, FILM_LONGEST_NAME, frames, (int)index + 1);
#pragma GCC diagnostic pop
}

static bool write_file(const studio *w, uint32_t index, text *why) {
    char name[FILM_LONGEST_NAME];
    text bytes = {0};
    film_frame_name(w->to->frames, index, name);
    bool good = !w->call.cairo_surface_write_to_png_stream(w->on, add_bytes, &bytes);
    if (!good) text_append(why, "cairo made no picture");
    else if (!whole_file_write(name, bytes.bytes, bytes.length)) {
        good = false;
        text_format(why, "%s: %s", name, strerror(errno));
    }
    text_free(&bytes);
    return good;
}

static bool send_rows(const studio *w, const encoder *e) {
    const unsigned char *dots = w->call.cairo_image_surface_get_data(w->on);
    const int stride = w->call.cairo_image_surface_get_stride(w->on);
    for (unsigned row = 0; row < w->to->height; row++)
        if (!descriptor_write(e->pictures, dots + (size_t)row * (size_t)stride,
                              4 * (size_t)w->to->width))
            return false;
    return true;
}

static bool make_pictures(fence *f, const studio *w, const encoder *e, text *why) {
    bool good = true;
    text svg = {0};
    for (uint32_t i = 0; i < film_picture_count(w->f) && good; i++) {
        text_clear(&svg);
        film_picture(w->f, i, &svg);
        good = draw(w, &svg, why) && (e ? send_rows(w, e) : write_file(w, i, why));
        if (good) good = fence_send(f, ".", 1); // a sign of life
    }
    text_free(&svg);
    return good;
}

typedef struct {
    const film *f;
    const film_output *to;
} order;

// What comes out of the child: a dot a picture; where it fails, the reason behind a 0 or a 1, which
// says that ffmpeg is not there.
static bool work(fence *f, void *data) {
    const order *o = data;
    studio w = {.f = o->f, .to = o->to};
    encoder e;
    text why = {0};
    bool no_ffmpeg = false;
    // before the libraries, which start threads
    bool good = o->to->frames || start(&e, o->to);
    if (!good) text_append(&why, strerror(errno));
    good = good && raster_load(&w.call, &why);
    if (good) {
        w.on = w.call.cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)o->to->width,
                                                 (int)o->to->height);
        good = make_pictures(f, &w, o->to->frames ? NULL : &e, &why);
    }
    text said = {0}; // by ffmpeg, which knows best why it takes no more
    if (!o->to->frames && (good || !why.length)) good = finish(&e, o->to, good, &no_ffmpeg, &said);
    if (good) return true;
    fence_send(f, no_ffmpeg ? "\1" : "\0", 1);
    const text *reason = why.length ? &why : &said;
    fence_send(f, reason->bytes, reason->length);
    return false;
}

bool film_write(const film *f, const film_output *to, bool *no_ffmpeg, text *why) {
    order o = {f, to};
    text sent = {0};
    const fence_job job = {
        .work = work, .data = &o, .take = fence_take_text, .to = &sent, .keeps_files = true};
    const fence_outcome end = fence_run(&job, &(fence_limits){.asleep = ASLEEP});
    // died: the libraries that draw end the process where they get no memory
    if (end == FENCE_MEMORY || end == FENCE_DIED) recovery_jump(RECOVERY_NO_MEMORY);
    size_t dots = 0;
    while (dots < sent.length && sent.bytes[dots] == '.') dots++;
    *no_ffmpeg = dots < sent.length && sent.bytes[dots] == 1;
    if (end && dots + 1 < sent.length)
        text_append_n(why, sent.bytes + dots + 1, sent.length - dots - 1);
    else if (end) text_append(why, fence_words(end));
    text_free(&sent);
    return !end;
}
