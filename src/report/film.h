// A run as a film: the scene of its page (scene.h) seen by a camera, a picture for each moment. A
// film is made of a finished run, its pictures are SVG, and film_write() has them drawn by librsvg
// and handed to ffmpeg, or written one by one as PNG.
#ifndef HAMEL_REPORT_FILM_H
#define HAMEL_REPORT_FILM_H

#include "report/finished_run.h"

typedef struct {
    double width, height;      // of a picture, in pixels
    double rate;               // pictures a second
    double from, until, speed; // times of the motion; its seconds in a second of the film
    bool turned;               // the eye stands where these say, in degrees; false: chosen
    double azimuth, elevation;
    double trail; // seconds of a way that are shown; negative: all
    const char *title;
} film_plan;

typedef struct film film;

// NULL: there is nothing to see. The run must outlive it.
film *film_create(const finished_run *r, const film_plan *plan);
void film_free(film *f);
uint32_t film_picture_count(const film *f);
void film_picture(const film *f, uint32_t index, text *svg);

typedef struct {
    const char *frames; // names of PNG files, with one %d in them; NULL: a film
    int file;           // where ffmpeg writes the film
    bool gif;           // else MPEG-4
    unsigned width, height;
    double rate;
} film_output;

// The file of a picture, from names with one %d in them, whose caller has looked
enum { FILM_LONGEST_NAME = 4096 };
void film_frame_name(const char *frames, uint32_t index, char name[FILM_LONGEST_NAME]);
// False, with the reason in `why`; *no_ffmpeg: it is not there.
bool film_write(const film *f, const film_output *to, bool *no_ffmpeg, text *why);

#endif
