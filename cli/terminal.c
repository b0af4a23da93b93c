// What the terminal is like, for drawings in characters.
#include "cli.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_COLUMNS = 80, LEAST_COLUMNS = 30, MOST_COLUMNS = 400, LINES = 15 };

static unsigned columns_of(FILE *stream) {
    struct winsize size;
    const char *said = getenv("COLUMNS");
    long columns = said ? strtol(said, NULL, 10) : 0;
    if (columns <= 0 && isatty(fileno(stream)) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0) return USUAL_COLUMNS;
    return columns < LEAST_COLUMNS  ? LEAST_COLUMNS
           : columns > MOST_COLUMNS ? MOST_COLUMNS
                                    : (unsigned)columns;
}

static bool shows_unicode(void) {
    setlocale(LC_CTYPE, "");
    const bool shows = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    setlocale(LC_CTYPE, "C");
    return shows;
}

// https://no-color.org: set and not empty.
static bool wants_colour(FILE *stream) {
    const char *no = getenv("NO_COLOR");
    return isatty(fileno(stream)) && !(no && *no);
}

hamel_plot plot_on_terminal(const options *o, FILE *stream) {
    hamel_plot p = o->figure;
    p.panels = o->more, p.panel_count = (size_t)o->more_count;
    p.columns = columns_of(stream), p.lines = LINES;
    p.unicode = shows_unicode(), p.colour = wants_colour(stream);
    return p;
}

int write_to_standard_output(const void *bytes, size_t size, void *data) {
    (void)data;
    return fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0;
}
