// Usage lines, options in words, filled paragraphs.
#include "writing.h"
#include "kinds.h"

#include <stdlib.h>
#include <string.h>

// --- text in memory ------------------------------------------------------------------------------

_Noreturn static void end_without_memory(void) {
    fputs("hamel: error: memory exhausted\n  = allow the process more memory\n", stderr);
    exit(HAMEL_LIMIT);
}

FILE *open_text(text_file *t) {
    *t = (text_file){0};
    t->out = open_memstream(&t->text, &t->size);
    if (!t->out) end_without_memory();
    return t->out;
}

char *close_text(text_file *t) {
    const bool good = !ferror(t->out);
    if (fclose(t->out) != 0 || !good || !t->text) end_without_memory();
    return t->text;
}

bool ends_with(const char *s, const char *end) {
    return strlen(s) >= strlen(end) && strcmp(s + strlen(s) - strlen(end), end) == 0;
}

void name_after_model(const char *path, const char *ending, char *name, size_t size) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path,
               *dot = strrchr(start, '.');
    if (strcmp(path, "-") == 0) start = "system", dot = NULL;
    const size_t length = dot && dot > start ? (size_t)(dot - start) : strlen(start),
                 room = size - strlen(ending) - 1;
    snprintf(name, size, "%.*s%s", (int)(length < room ? length : room), start, ending);
}

void write_shown(const char *text, FILE *out) {
    char *shown = hamel_text_show(text);
    if (shown) fputs(shown, out);
    hamel_free(shown);
}

void print_json_string(const char *s) {
    putchar('"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') printf("\\%c", *s);
        else if (*s == '\n') fputs("\\n", stdout);
        else if (*s == '\t') fputs("\\t", stdout);
        else if ((unsigned char)*s >= 0x20) putchar(*s);
    }
    putchar('"');
}

const exit_status exit_statuses[] = {
    {"done", NULL},
    {"wrong usage", "an unknown command, option, form or format"},
    {"the model is wrong", "a mistake in it, or a form that does not apply to it"},
    {"refuted", "`prove` has refuted something"},
    {"undecided", "`prove` could not decide something"},
    {"the numerics failed",
     "no number could be had, a run was interrupted, or the system refused to read or write a "
     "file; what was computed is kept"},
    {"a resource limit was reached",
     "memory, what --limit allows, or a limit on the size of models"},
    {NULL, NULL}};

// --- commands and options ------------------------------------------------------------------------

static void write_operand(const operand *o, FILE *out) {
    fprintf(out, o->optional ? " [%s%s]" : " %s%s", o->name, o->repeats ? " .." : "");
}

static void write_value(const option *o, FILE *out) {
    if (o->kind == VALUE_NONE || o->implied) return;
    putc(' ', out);
    kind_name_value(o, out);
}

char *usage_text(const command *c) {
    char *text = NULL;
    text_file made;
    FILE *out = open_text(&made);
    fprintf(out, "usage: hamel %s", c->name);
    for (int i = 0; i < MOST_OPERANDS && c->operands[i].name; i++)
        write_operand(&c->operands[i], out);
    for (const option *const *o = c->options; o && *o; o++) {
        fprintf(out, " [%s", (*o)->letter ? (*o)->letter : (*o)->name);
        write_value(*o, out);
        putc(']', out);
    }
    text = close_text(&made);
    return text;
}

char *option_usage(const option *o) {
    char *text = NULL;
    text_file made;
    FILE *out = open_text(&made);
    if (o->letter) fprintf(out, "%s, ", o->letter);
    fputs(o->name, out);
    write_value(o, out);
    text = close_text(&made);
    return text;
}

char *option_about(const option *o) {
    char *text = NULL;
    const char *choice, *about;
    text_file made;
    FILE *out = open_text(&made);
    fputs(o->help, out);
    for (size_t i = 0;
         kind_of(o->kind)->explained && (choice = kind_choice(o->kind, o->choices, i, &about)); i++)
        fprintf(out, "; %s: %s", choice, about);
    text = close_text(&made);
    return text;
}

const char *option_usual(const option *o) {
    return kind_of(o->kind)->explained ? kind_choice(o->kind, o->choices, 0, NULL) : o->usual;
}

char *option_help(const option *o) {
    char *text = NULL, *about = option_about(o);
    const char *usual = option_usual(o);
    text_file made;
    FILE *out = open_text(&made);
    fputs(about, out);
    free(about);
    if (o->repeats) fputs("; may be given several times", out);
    if (usual) fprintf(out, " (default: %s)", usual);
    text = close_text(&made);
    return text;
}

char *option_text(const option *o) {
    char *text = NULL, *usage = option_usage(o), *help = option_help(o);
    text_file made;
    FILE *out = open_text(&made);
    fprintf(out, "%s: %s", usage, help);
    text = close_text(&made);
    free(usage), free(help);
    return text;
}

const char *operand_help(const operand *o) {
    if (o->help) return o->help;
    switch (o->kind) {
    case VALUE_MODEL: return "a file, `-` for standard input, or the name of a library model";
    case VALUE_LIBRARY_MODEL: return "the name of a library model; `hamel models` lists them";
    case VALUE_FORM: return "the id of a formalism; `hamel forms` lists them";
    case VALUE_COMMAND: return "the name of a command";
    default: return "";
    }
}

// --- paragraphs ----------------------------------------------------------------------------------

// The length of the word at s; what stands in brackets is one word.
static int word_length(const char *s) {
    int length = 0, depth = 0;
    for (; s[length] && s[length] != '\n' && (depth > 0 || s[length] != ' '); length++)
        depth += s[length] == '[' ? 1 : s[length] == ']' ? -1 : 0;
    return length;
}

void write_filled(const char *text, int at, int indent, int width, FILE *out) {
    int column = at;
    bool fresh = true; // nothing stands in this line yet
    for (const char *s = text; *s;) {
        if (*s == '\n') {
            fprintf(out, "\n\n%*s", indent, "");
            column = indent, fresh = true, s++;
            continue;
        }
        const int length = word_length(s);
        if (!fresh && column + 1 + length > width)
            fprintf(out, "\n%*s", indent, ""), column = indent, fresh = true;
        column += fprintf(out, "%s%.*s", fresh ? "" : " ", length, s);
        fresh = false;
        s += length;
        while (*s == ' ') s++;
    }
    putc('\n', out);
}
