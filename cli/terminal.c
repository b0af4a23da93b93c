// What the terminal is like, for drawings in characters.
#include "terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
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
    const locale_t users = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    const bool shows = users && strcmp(nl_langinfo_l(CODESET, users), "UTF-8") == 0;
    if (users) freelocale(users);
    return shows;
}

// https://no-color.org: set and not empty.
static bool wants_colour(FILE *stream) {
    const char *no = getenv("NO_COLOR");
    return isatty(fileno(stream)) && !(no && *no);
}

void terminal_fit(hamel_plot *plot, FILE *stream) {
    plot->columns = columns_of(stream), plot->lines = LINES;
    plot->unicode = shows_unicode(), plot->colour = wants_colour(stream);
}

int terminal_write(const void *bytes, size_t size, void *data) {
    (void)data;
    return fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0;
}
