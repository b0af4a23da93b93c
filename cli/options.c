// Reading options. One table for all commands: each says which it accepts.
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned option;
    bool takes_value;
} known[] = {
    {"--json", OPTION_JSON, false},
    {"--set", OPTION_SET, true},
    {"--form", OPTION_FORM, true},
    {"--format", OPTION_FORMAT, true},
    {"--at", OPTION_AT, true},
    {"--digits", OPTION_DIGITS, true},
    {"--stats", OPTION_STATS, false},
    {"--raw", OPTION_RAW, false},
    {"--full", OPTION_FULL, false},
    {"--certify", OPTION_CERTIFY, false},
    {"--seed", OPTION_SEED, true},
    {"--double", OPTION_DOUBLE, true},
    {"-o", OPTION_OUTPUT, true},
    {"--output", OPTION_OUTPUT, true},
    {"--method", OPTION_METHOD, true},
    {"--tol", OPTION_TOLERANCE, true},
    {"--until", OPTION_UNTIL, true},
    {"--every", OPTION_EVERY, true},
    {"--step", OPTION_STEP, true},
    {"--exec", OPTION_EXECUTE, true},
    {"--verify", OPTION_VERIFY, false},
    {"--project", OPTION_PROJECT, false},
    {"--resume", OPTION_RESUME, true},
    {"--precision", OPTION_PRECISION, true},
    {"--target", OPTION_TARGET, true},
    {"--plot", OPTION_PLOT, false},
    {"--log", OPTION_FIGURE, true},
    {"--equal", OPTION_FIGURE, false},
    {"--no-equal", OPTION_FIGURE, false},
    {"--size", OPTION_FIGURE, true},
    {"--title", OPTION_FIGURE, true},
    {"--legend", OPTION_FIGURE, true},
    {"--grid", OPTION_FIGURE, false},
    {"--events", OPTION_FIGURE, false},
    {"--marks", OPTION_FIGURE, false},
    {"--xlabel", OPTION_FIGURE, true},
    {"--ylabel", OPTION_FIGURE, true},
};
enum { KNOWN = sizeof known / sizeof *known, LEAST_SIZE = 100, MOST_SIZE = 5000 };

bool ends_with(const char *s, const char *end) {
    return strlen(s) >= strlen(end) && strcmp(s + strlen(s) - strlen(end), end) == 0;
}

static int complain(const command *c, const char *message, const char *what) {
    fprintf(stderr, "hamel: error: ");
    fprintf(stderr, message, what);
    fprintf(stderr, "\n  = usage: hamel %s %s\n", c->name, c->usage);
    return HAMEL_USAGE;
}

static int set_format(const command *c, options *o, const char *value) {
    static const struct {
        const char *name;
        hamel_format format;
    } formats[] = {{"text", HAMEL_TEXT},
                   {"latex", HAMEL_LATEX},
                   {"markdown", HAMEL_MARKDOWN},
                   {"json", HAMEL_JSON},
                   {"sympy", HAMEL_SYMPY}};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, value) != 0) continue;
        o->format = formats[i].format;
        return HAMEL_OK;
    }
    return complain(c, "there is no format `%s`: text, latex, markdown, json and sympy are known",
                    value);
}

static int set_digits(const command *c, options *o, const char *value) {
    char *end;
    errno = 0;
    const unsigned long n = strtoul(value, &end, 10);
    if (errno || *end || end == value || value[0] == '-' || n < 1 || n > 100000)
        return complain(c, "--digits wants a whole number from 1 to 100000, not `%s`", value);
    o->digits = (unsigned)n;
    return HAMEL_OK;
}

static int set_seed(const command *c, options *o, const char *value) {
    char *end;
    errno = 0;
    o->seed = strtoull(value, &end, 10);
    if (errno || *end || value[0] < '0' || value[0] > '9' || !o->seed)
        return complain(c, "--seed wants a whole number from 1 to 2^64 - 1, not `%s`", value);
    return HAMEL_OK;
}

static int set_number(const command *c, const char *option, const char *value, bool positive,
                      double *out) {
    char *end;
    errno = 0;
    *out = strtod(value, &end);
    if (!errno && !*end && end != value && *out != 0 && (*out > 0 || !positive)) return HAMEL_OK;
    char message[80];
    snprintf(message, sizeof message, "%s wants a %snumber, not `%%s`", option,
             positive ? "positive " : "");
    return complain(c, message, value);
}

static int set_size(const command *c, options *o, const char *value) {
    char rest;
    if (sscanf(value, "%lfx%lf%c", &o->figure.width, &o->figure.height, &rest) == 2 &&
        o->figure.width >= LEAST_SIZE && o->figure.width <= MOST_SIZE &&
        o->figure.height >= LEAST_SIZE && o->figure.height <= MOST_SIZE)
        return HAMEL_OK;
    return complain(c, "--size wants WIDTHxHEIGHT, each from 100 to 5000 pixels, not `%s`", value);
}

static int store_of_figure(const command *c, options *o, const char *name, const char *value) {
    if (strcmp(name, "--log") == 0) o->figure.log = value;
    else if (strcmp(name, "--equal") == 0) o->figure.equal = 1;
    else if (strcmp(name, "--no-equal") == 0) o->figure.equal = -1;
    else if (strcmp(name, "--title") == 0) o->figure.title = value;
    else if (strcmp(name, "--xlabel") == 0) o->figure.x_label = value;
    else if (strcmp(name, "--ylabel") == 0) o->figure.y_label = value;
    else if (strcmp(name, "--marks") == 0) o->figure.marks = 1;
    else if (strcmp(name, "--legend") == 0) o->figure.legend = value;
    else if (strcmp(name, "--grid") == 0) o->figure.grid = 1;
    else if (strcmp(name, "--events") == 0) o->figure.events = 1;
    else return set_size(c, o, value);
    return HAMEL_OK;
}

static int store(const command *c, options *o, unsigned option, const char *name,
                 const char *value) {
    switch (option) {
    case OPTION_JSON: o->format = HAMEL_JSON; break;
    case OPTION_SET:
        if (o->set_count == MOST_SETS) return complain(c, "too many --set options%s", "");
        o->set[o->set_count++] = value;
        break;
    case OPTION_FORM: o->form = value; break;
    case OPTION_FORMAT: return set_format(c, o, value);
    case OPTION_AT: o->at = value; break;
    case OPTION_DIGITS: return set_digits(c, o, value);
    case OPTION_STATS: o->stats = true; break;
    case OPTION_RAW: o->raw = true; break;
    case OPTION_FULL: o->full = true; break;
    case OPTION_CERTIFY: o->certify = true; break;
    case OPTION_SEED: return set_seed(c, o, value);
    case OPTION_DOUBLE: o->doubled = value; break;
    case OPTION_OUTPUT: o->output = value; break;
    case OPTION_METHOD: o->method = value; break;
    case OPTION_EXECUTE: o->execute = value; break;
    case OPTION_RESUME: o->resume = value; break;
    case OPTION_PRECISION: o->precision = value; break;
    case OPTION_TARGET: o->target = value; break;
    case OPTION_VERIFY: o->verify = true; break;
    case OPTION_PROJECT: o->project = true; break;
    case OPTION_PLOT: o->plot = true; break;
    case OPTION_FIGURE: return store_of_figure(c, o, name, value);
    case OPTION_TOLERANCE: return set_number(c, "--tol", value, true, &o->tolerance);
    case OPTION_UNTIL: return set_number(c, "--until", value, false, &o->until);
    case OPTION_EVERY: return set_number(c, "--every", value, true, &o->every);
    case OPTION_STEP: return set_number(c, "--step", value, true, &o->step);
    }
    return HAMEL_OK;
}

// One option, with its value as "--name value" or "--name=value". Returns how many
// arguments it took, 0 on an error.
static int read_one(const command *c, int argc, char **argv, options *o) {
    const char *equals = strchr(argv[0], '=');
    const size_t length = equals ? (size_t)(equals - argv[0]) : strlen(argv[0]);
    for (int i = 0; i < KNOWN; i++) {
        if (strlen(known[i].name) != length || strncmp(known[i].name, argv[0], length) != 0)
            continue;
        if (!(c->accepts & known[i].option)) break;
        if (!known[i].takes_value) {
            if (equals) return complain(c, "%s takes no value", known[i].name), 0;
            return store(c, o, known[i].option, known[i].name, NULL) ? 0 : 1;
        }
        if (!equals && argc < 2) return complain(c, "%s wants a value", known[i].name), 0;
        if (store(c, o, known[i].option, known[i].name, equals ? equals + 1 : argv[1])) return 0;
        return equals ? 1 : 2;
    }
    complain(c, "this command has no option `%s`", argv[0]);
    return 0;
}

int read_options(const command *c, int argc, char **argv, options *out) {
    *out = (options){.format = HAMEL_TEXT, .digits = 16};
    for (int i = 0; i < argc;) {
        if (argv[i][0] == '-' && argv[i][1]) {
            const int taken = read_one(c, argc - i, argv + i, out);
            if (!taken) return HAMEL_USAGE;
            i += taken;
        } else if (!out->model && c->takes_argument) {
            out->model = argv[i++];
        } else if (out->more_count < c->more_arguments + c->extra_arguments) {
            out->more[out->more_count++] = argv[i++];
        } else {
            return complain(c, "one argument too many: `%s`", argv[i]);
        }
    }
    if (out->model && out->more_count < c->more_arguments)
        return complain(c, "an argument is missing behind `%s`",
                        out->more_count ? out->more[out->more_count - 1] : out->model);
    return HAMEL_OK;
}

static void print_diagnostics(const options *o, hamel_context *ctx, int status, bool has_result) {
    char *text = hamel_diagnostics(ctx);
    fputs(text, stderr);
    hamel_free(text);
    if (o->format != HAMEL_JSON || has_result) return;
    text = hamel_diagnostics_json(ctx, (hamel_status)status);
    fputs(text, stdout);
    hamel_free(text);
}

bool load_model(const options *o, loaded *out, int *status) {
    *out = (loaded){hamel_context_create(), NULL};
    *status = HAMEL_OK;
    if (!o->model) {
        fputs("hamel: error: which model? give a file, `-` for standard input, or the name of a "
              "library model\n"
              "  = `hamel models` lists the library\n",
              stderr);
        *status = HAMEL_USAGE;
    }
    for (int i = 0; i < o->set_count && !*status; i++)
        *status = hamel_context_set(out->ctx, o->set[i]);
    if (!*status) *status = hamel_model_open(out->ctx, o->model, &out->model);
    if (!*status) return true;
    print_diagnostics(o, out->ctx, *status, false);
    hamel_context_destroy(out->ctx);
    return false;
}

int finish(const options *o, loaded *l, hamel_status status, char *result) {
    return finish_to(o, l, status, result, stdout);
}

int finish_to(const options *o, loaded *l, hamel_status status, char *result, FILE *out) {
    int code = (int)status;
    if (result) fputs(result, out);
    print_diagnostics(o, l->ctx, code, result != NULL);
    hamel_free(result);
    hamel_context_destroy(l->ctx);
    if (fflush(stdout) || ferror(stdout)) {
        fputs("hamel: error: cannot write the result\n", stderr);
        if (!code) code = HAMEL_NUMERICS;
    }
    return code;
}
