// Reading what stands after a command into an `arguments`, by the descriptor of the command.
#include "kinds.h"
#include "shared_options.h"
#include "writing.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// --- what is wrong -------------------------------------------------------------------------------

int complain(const arguments *a, int status, const char *help, const char *format, ...) {
    char *message = NULL;
    text_file made;
    FILE *out = open_text(&made);
    va_list values;
    va_start(values, format);
    vfprintf(out, format, values);
    va_end(values);
    message = close_text(&made);
    char *shown = hamel_text_show(message);
    free(message);
    message = shown;
    fprintf(stderr, "hamel: error: %s\n", message ? message : "memory exhausted");
    if (help) fprintf(stderr, "  = %s\n", help);
    if (a->asks_json) {
        printf("{\"status\":%d,\"diagnostics\":[{\"severity\":\"error\",\"message\":", status);
        print_json_string(message ? message : "memory exhausted");
        if (help) fputs(",\"help\":", stdout), print_json_string(help);
        puts("}]}");
    }
    hamel_free(message);
    return status;
}

static int too_many(const arguments *a, const char *word) {
    char *help = usage_text(a->command);
    const int status = complain(a, HAMEL_USAGE, help, "one argument too many: `%s`", word);
    free(help);
    return status;
}

static int missing(const arguments *a, const operand *o) {
    if (o->kind == VALUE_MODEL || o->kind == VALUE_LIBRARY_MODEL)
        return complain(a, HAMEL_USAGE, "`hamel models` lists the library", "which model? give %s",
                        o->kind == VALUE_MODEL ? "a file, `-` for standard input, or the name of "
                                                 "a library model"
                                               : "the name of a library model");
    char *help = usage_text(a->command);
    const int status = a->word_count ? complain(a, HAMEL_USAGE, help, "%s is missing behind `%s`",
                                                o->name, a->words[a->word_count - 1])
                                     : complain(a, HAMEL_USAGE, help, "%s is missing", o->name);
    free(help);
    return status;
}

static int unknown_option(const arguments *a, const char *word) {
    const char *names[2 * MOST_GIVEN] = {NULL};
    size_t count = 0;
    for (const option *const *o = a->command->options; o && *o; o++) {
        names[count++] = (*o)->name;
        if ((*o)->letter) names[count++] = (*o)->letter;
    }
    const char *near = hamel_nearest(word, names, count);
    char *help = NULL;
    text_file made;
    FILE *out = open_text(&made);
    if (near) fprintf(out, "did you mean %s? ", near);
    if (!count) fputs("it has none", out);
    for (size_t i = 0; i < count; i++) fprintf(out, "%s%s", i ? ", " : "it has ", names[i]);
    help = close_text(&made);
    const int status =
        complain(a, HAMEL_USAGE, help, "`hamel %s` has no option `%s`", a->command->name, word);
    free(help);
    return status;
}

static int wrong_value(const arguments *a, const option *o, const char *name, const char *text) {
    char *wanted = NULL, *help = option_text(o);
    text_file made;
    FILE *out = open_text(&made);
    kind_wanted(o, out);
    wanted = close_text(&made);
    const int status =
        text ? complain(a, HAMEL_USAGE, help, "%s wants %s, not `%s`", name, wanted, text)
             : complain(a, HAMEL_USAGE, help, "%s wants %s", name, wanted);
    free(wanted), free(help);
    return status;
}

// --- reading -------------------------------------------------------------------------------------

static bool is_word(const char *word, size_t length, const char *name) {
    return name && strlen(name) == length && strncmp(name, word, length) == 0;
}

static const option *find_option(const command *c, const char *word, size_t length) {
    for (const option *const *o = c->options; o && *o; o++)
        if (is_word(word, length, (*o)->name) || is_word(word, length, (*o)->letter)) return *o;
    return NULL;
}

// One option, with its value as "--name value" or "--name=value". Returns how many words it took,
// 0 after an error.
static int read_option(arguments *a, int argc, const char *const *argv) {
    const char *equals = strchr(argv[0], '=');
    const size_t length = equals ? (size_t)(equals - argv[0]) : strlen(argv[0]);
    const option *o = find_option(a->command, argv[0], length);
    if (!o) return unknown_option(a, argv[0]), 0;
    const bool flag = o->kind == VALUE_NONE || o->implied;
    const char *name = is_word(argv[0], length, o->name) ? o->name : o->letter,
               *text = flag       ? o->implied
                       : equals   ? equals + 1
                       : argc > 1 ? argv[1]
                                  : NULL;
    if (flag && equals) return complain(a, HAMEL_USAGE, NULL, "%s takes no value", name), 0;
    if (!flag && (!text || !kind_accepts(o, text))) return wrong_value(a, o, name, text), 0;
    if (a->given_count == MOST_GIVEN)
        return complain(a, HAMEL_USAGE, NULL, "too many options: %d are read", MOST_GIVEN), 0;
    a->given[a->given_count].option = o;
    a->given[a->given_count++].text = text;
    return flag || equals ? 1 : 2;
}

// The operand that word number `index` is; NULL: there is no room for it.
static const operand *operand_at(const command *c, int index) {
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++)
        if (i == index || c->operands[i].repeats) return &c->operands[i];
    return NULL;
}

static bool asks_json(const command *c, int argc, const char *const *argv) {
    bool has = false, asks = false;
    for (const option *const *o = c->options; o && *o; o++) has = has || *o == &option_json;
    for (int i = 0; i < argc; i++) asks = asks || strcmp(argv[i], option_json.name) == 0;
    return has && asks;
}

int arguments_read(const command *c, int argc, const char *const *argv, arguments *out) {
    *out = (arguments){.command = c, .asks_json = asks_json(c, argc, argv)};
    for (int i = 0; i < argc;) {
        if (argv[i][0] == '-' && argv[i][1]) {
            const int taken = read_option(out, argc - i, argv + i);
            if (!taken) return HAMEL_USAGE;
            i += taken;
        } else if (operand_at(c, out->word_count) && out->word_count < MOST_WORDS) {
            out->words[out->word_count++] = argv[i++];
        } else {
            return too_many(out, argv[i]);
        }
    }
    const operand *next = operand_at(c, out->word_count);
    if (next && !next->optional && (!next->repeats || !out->word_count)) return missing(out, next);
    return HAMEL_OK;
}

// --- what was given ------------------------------------------------------------------------------

static int place_of(const arguments *a, const option *o) {
    int i = a->given_count - 1;
    while (i >= 0 && a->given[i].option != o) i--;
    return i;
}

bool given(const arguments *a, const option *o) { return place_of(a, o) >= 0; }

const char *given_text(const arguments *a, const option *o) {
    const int place = place_of(a, o);
    return place < 0 ? NULL : a->given[place].text;
}

double given_number(const arguments *a, const option *o) {
    const char *text = given_text(a, o);
    return text ? kind_number(text) : 0;
}

unsigned long long given_whole(const arguments *a, const option *o) {
    const char *text = given_text(a, o);
    return text ? strtoull(text, NULL, 10) : 0;
}

void given_size(const arguments *a, const option *o, double *width, double *height) {
    const char *text = given_text(a, o);
    if (text) kind_size(text, width, height);
}

hamel_limits given_limits(const arguments *a, const option *o) {
    hamel_limits all = {0};
    for (int i = 0; i < a->given_count; i++)
        if (a->given[i].option == o) kind_limits(a->given[i].text, &all);
    return all;
}

hamel_format given_format(const arguments *a) {
    hamel_format format = HAMEL_TEXT;
    for (int i = 0; i < a->given_count; i++)
        if (kind_of(a->given[i].option->kind)->formats) kind_format(a->given[i].text, &format);
    return format;
}

const option *given_last(const arguments *a, const option *o, const option *other) {
    const int place = place_of(a, o), other_place = place_of(a, other);
    return place < 0 && other_place < 0 ? NULL : place > other_place ? o : other;
}
