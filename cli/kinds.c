// Kinds of values: choices known beforehand, checks, names for help.
#include "kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// --- choices -------------------------------------------------------------------------------------

static const kind_properties kinds[] = {
    [VALUE_FORMAT] = {"format", "formats", .formats = true},
    [VALUE_TRANSPOSITION_FORMAT] = {"transposition_format", "transposition-formats",
                                    .formats = true},
    [VALUE_SOURCE_FORMAT] = {"source_format", "source-formats", .formats = true},
    [VALUE_MATRIX_FORMAT] = {"matrix_format", "matrix-formats", .formats = true},
    [VALUE_FORM] = {.id = "form", .known = "forms"},
    [VALUE_FORMS] = {"forms", "forms", "all", "every form that applies", .commas = true},
    [VALUE_METHOD] = {"method", "methods", "auto",
                      .first_about = "chosen by looking at the equations"},
    [VALUE_TARGET] = {"target", "targets", .explained = true},
    [VALUE_FILE] = {.files = true},
    [VALUE_FOLDER] = {.folders = true},
    [VALUE_MODEL] = {"model", "models", .files = true},
    [VALUE_LIBRARY_MODEL] = {.id = "library", .known = "models"},
    [VALUE_COMMAND] = {.id = "command"},
};

const kind_properties *kind_of(value_kind kind) { return &kinds[kind]; }

static const char *command_at(size_t index, const char **about) {
    size_t i = 0;
    while (i < index && commands[i]) i++;
    if (!commands[i]) return NULL;
    *about = commands[i]->purpose;
    return commands[i]->name;
}

static const char *listed(const char *const *choices, size_t index) {
    size_t i = 0;
    while (i < index && choices[i]) i++;
    return choices[i];
}

const char *kind_choice(value_kind kind, const char *const *choices, size_t index,
                        const char **about) {
    const char *unused, **to = about ? about : &unused;
    *to = NULL;
    if (choices) return listed(choices, index);
    if (kind == VALUE_COMMAND) return command_at(index, to);
    if (kinds[kind].first && !index) return *to = kinds[kind].first_about, kinds[kind].first;
    return kinds[kind].known
               ? hamel_known(kinds[kind].known, index - (kinds[kind].first != NULL), to)
               : NULL;
}

// --- checks --------------------------------------------------------------------------------------

static bool is_whole(const option *o, const char *text) {
    char *end;
    errno = 0;
    const unsigned long long n = strtoull(text, &end, 10);
    return !errno && !*end && *text >= '0' && *text <= '9' && n >= o->least && n <= o->most;
}

double kind_number(const char *text) {
    double x;
    return hamel_number_read(text, &x) ? x : 0;
}

bool kind_size(const char *text, double *width, double *height) {
    char first[32];
    const char *by = strchr(text, 'x');
    if (!by || (size_t)(by - text) >= sizeof first) return false;
    memcpy(first, text, (size_t)(by - text));
    first[by - text] = '\0';
    return hamel_number_read(first, width) && hamel_number_read(by + 1, height);
}

static bool is_size(const option *o, const char *text) {
    double width, height;
    const double least = (double)o->least, most = (double)o->most;
    return kind_size(text, &width, &height) && width >= least && width <= most && height >= least &&
           height <= most;
}

// "2G" is 2*10^9; 0: it is no such number
static double scaled(const char *text, size_t length) {
    static const char unit[] = "kMGT";
    char digits[40];
    if (!length || length >= sizeof digits) return 0;
    const char *found = memchr(unit, text[length - 1], sizeof unit - 1);
    if (found) length--;
    memcpy(digits, text, length), digits[length] = 0;
    double x = kind_number(digits);
    for (const char *u = unit; found && u <= found; u++) x *= 1000;
    return x > 0 ? x : 0;
}

bool kind_limits(const char *text, hamel_limits *out) {
    const struct {
        const char *name;
        unsigned long long *to;
    } known[] = {{"memory=", &out->memory},
                 {"nodes=", &out->nodes},
                 {"rows=", &out->rows},
                 {"bytes=", &out->bytes},
                 {"time=", NULL}};
    for (;; text++) {
        size_t i = 0;
        while (i < sizeof known / sizeof *known &&
               strncmp(text, known[i].name, strlen(known[i].name)) != 0)
            i++;
        if (i == sizeof known / sizeof *known) return false;
        text += strlen(known[i].name);
        const size_t length = strcspn(text, ",");
        const double x = scaled(text, length);
        if (!(x > 0 && x < 1e18) || (known[i].to && x < 1)) return false;
        if (known[i].to) *known[i].to = (unsigned long long)x;
        else out->time = x;
        text += length;
        if (!*text) return true;
    }
}

bool kind_format(const char *name, hamel_format *out) {
    const int found = hamel_format_find(name);
    if (found >= 0) *out = (hamel_format)found;
    return found >= 0;
}

static bool is_choice(const option *o, const char *text) {
    const char *known;
    for (size_t i = 0; (known = kind_choice(o->kind, o->choices, i, NULL)); i++)
        if (strcmp(known, text) == 0) return true;
    return false;
}

bool kind_accepts(const option *o, const char *text) {
    switch (o->kind) {
    case VALUE_WHOLE: return is_whole(o, text);
    case VALUE_NUMBER: return kind_number(text) != 0;
    case VALUE_POSITIVE: return kind_number(text) > 0;
    case VALUE_SIZE: return is_size(o, text);
    case VALUE_LIMITS: return kind_limits(text, &(hamel_limits){0});
    case VALUE_CHOICE: return is_choice(o, text);
    default: return !kinds[o->kind].formats || is_choice(o, text);
    }
}

// --- words ---------------------------------------------------------------------------------------

static void write_choices(const option *o, const char *comma, const char *last, FILE *out) {
    const char *choice, *next;
    for (size_t i = 0; (choice = kind_choice(o->kind, o->choices, i, NULL)); i++) {
        next = kind_choice(o->kind, o->choices, i + 1, NULL);
        fprintf(out, "%s%s", i == 0 ? "" : next ? comma : last, choice);
    }
}

void kind_wanted(const option *o, FILE *out) {
    switch (o->kind) {
    case VALUE_WHOLE:
        fprintf(out, "a whole number from %llu to ", o->least);
        if (o->most == ~0ull) fputs("2^64 - 1", out);
        else fprintf(out, "%llu", o->most);
        break;
    case VALUE_NUMBER: fputs("a number other than 0", out); break;
    case VALUE_POSITIVE: fputs("a positive number", out); break;
    case VALUE_SIZE:
        fprintf(out, "WIDTHxHEIGHT, each from %llu to %llu pixels", o->least, o->most);
        break;
    case VALUE_LIMITS:
        fputs("time=SECONDS, memory=BYTES, nodes=N, rows=N or bytes=N with commas between (k, M, G "
              "and T are 10^3, 10^6, 10^9 and 10^12)",
              out);
        break;
    case VALUE_CHOICE: write_choices(o, ", ", " or ", out); break;
    default:
        if (kinds[o->kind].formats) write_choices(o, ", ", " or ", out);
        else fputs("a value", out);
    }
}

void kind_name_value(const option *o, FILE *out) {
    if (o->kind == VALUE_NONE || o->implied) return;
    if (o->value) fputs(o->value, out);
    else write_choices(o, "|", "|", out);
}
