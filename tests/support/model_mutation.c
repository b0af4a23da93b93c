// Changes to the text of a model, token by token and line by line.
#include "support/model_mutation.h"

#include "support/strange_models.h"

#include "base/random.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TOKENS = 6000, MOST_SPLICE = 1000 };

typedef enum { NAME, NUMBER, OPERATOR, OPEN, CLOSE, LINE, OTHER } kind;
typedef struct {
    size_t from, to;
    kind kind;
    bool first; // of its line
} token;

typedef struct {
    char *text;
    size_t size, most;
    uint64_t random;
    token tokens[MOST_TOKENS];
    int count;
} work;

static uint32_t below(work *w, size_t n) { return (uint32_t)(random_next(&w->random) % n); }

// --- tokens --------------------------------------------------------------------------------------

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static size_t token_end(const work *w, size_t i, kind *k) {
    const char *s = w->text, c = s[i];
    size_t j = i + 1;
    if (is_letter(c)) {
        while (j < w->size && (is_letter(s[j]) || isdigit((unsigned char)s[j]))) j++;
        *k = NAME;
    } else if (isdigit((unsigned char)c)) {
        while (j < w->size && (isdigit((unsigned char)s[j]) ||
                               (s[j] == '.' && j + 1 < w->size && s[j + 1] != '.')))
            j++;
        *k = NUMBER;
    } else if (c == '"' || c == '#') { // to the closing quote, to the end of the line
        while (j < w->size && s[j] != '\n' && (c == '#' || s[j] != '"')) j++;
        if (c == '"' && j < w->size && s[j] == '"') j++;
        *k = OTHER;
    } else {
        *k = c && strchr("+-*/^", c) ? OPERATOR
             : c == '('              ? OPEN
             : c == ')'              ? CLOSE
             : c == '\n'             ? LINE
                                     : OTHER;
    }
    return j;
}

static void read_tokens(work *w) {
    w->count = 0;
    bool first = true;
    for (size_t i = 0; i < w->size && w->count < MOST_TOKENS;) {
        if (w->text[i] == ' ' || w->text[i] == '\t') {
            i++;
            continue;
        }
        token *t = &w->tokens[w->count++];
        *t = (token){.from = i, .first = first};
        i = t->to = token_end(w, i, &t->kind);
        first = t->kind == LINE;
    }
}

// A random token of a kind that does not begin a line; NULL: there is none.
static const token *any(work *w, kind k) {
    for (int tries = 0; tries < 60 && w->count; tries++) {
        const token *t = &w->tokens[below(w, (size_t)w->count)];
        if (t->kind == k && !t->first) return t;
    }
    return NULL;
}

static const token *closing(const work *w, const token *open) {
    int depth = 0;
    for (const token *t = open; t < w->tokens + w->count; t++) {
        depth += (t->kind == OPEN) - (t->kind == CLOSE);
        if (!depth) return t;
    }
    return NULL;
}

// --- edits ---------------------------------------------------------------------------------------

static void replace(work *w, size_t from, size_t to, const char *by, size_t length) {
    if (w->size - (to - from) + length > w->most) return;
    memmove(w->text + from + length, w->text + to, w->size - to);
    memcpy(w->text + from, by, length);
    w->size = w->size - (to - from) + length;
}

static void replace_by(work *w, const token *t, const char *by) {
    replace(w, t->from, t->to, by, strlen(by));
}

// The text of one token or bracket in the place of another
static void copy_over(work *w, size_t from, size_t to, size_t source, size_t source_end) {
    char copy[MOST_SPLICE];
    if (source_end - source >= sizeof copy) return;
    memcpy(copy, w->text + source, source_end - source);
    replace(w, from, to, copy, source_end - source);
}

static void change_number(work *w) {
    const token *t = any(w, NUMBER);
    if (t) replace_by(w, t, strange_number(&w->random));
}

// What stands behind a token and says what it is: a bracket, a colon, nothing of the kind
static char behind(const work *w, const token *t) {
    const char c = t->to < w->size ? w->text[t->to] : '\n';
    return strchr("([:=.", c) ? c : ' ';
}

// Does it stand in a statement that declares names?
static bool in_declaration(const work *w, const token *t) {
    static const char *const words[] = {"coord",    "param",  "const",   "given", "function",
                                        "let",      "system", "include", "quasi", "independent",
                                        "simulate", "claim",  "for",     "draw"};
    while (t > w->tokens && !t->first) t--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (t->to - t->from == strlen(words[i]) &&
            memcmp(w->text + t->from, words[i], t->to - t->from) == 0)
            return true;
    return false;
}

// A name that stands for a value in an expression; NULL: none was found.
static const token *any_value(work *w) {
    for (int tries = 0; tries < 20; tries++) {
        const token *t = any(w, NAME);
        if (t && behind(w, t) == ' ' && !in_declaration(w, t)) return t;
    }
    return NULL;
}

static void change_name(work *w) {
    const token *t = any_value(w), *other = any_value(w);
    if (t && other) copy_over(w, t->from, t->to, other->from, other->to);
}

static void change_operator(work *w) {
    static const char *const operators[] = {"+", "-", "*", "/", "^", "*"};
    const token *t = any(w, OPERATOR);
    if (t) replace_by(w, t, operators[below(w, 6)]);
}

// The coordinates of the text: names behind `coord`, with an index where they are a family
static void coordinates(work *w, strange_names *names, char out[8][40]) {
    names->count = 0, names->bare = true;
    for (int i = 0; i + 1 < w->count; i++) {
        if (!w->tokens[i].first || w->tokens[i].to - w->tokens[i].from != 5 ||
            memcmp(w->text + w->tokens[i].from, "coord", 5) != 0)
            continue;
        for (i++; i < w->count && w->tokens[i].kind != LINE && names->count < 8; i++) {
            const token *t = &w->tokens[i];
            const bool family = t->to < w->size && w->text[t->to] == '[';
            if (t->kind != NAME || t->to - t->from > 30) continue;
            snprintf(out[names->count], 40, "%.*s%s", (int)(t->to - t->from), w->text + t->from,
                     family ? "[1]" : "");
            names->coordinates[names->count] = out[names->count];
            names->count++;
            while (family && i + 1 < w->count && w->text[w->tokens[i].from] != ']') i++;
        }
    }
}

// A prime more or less, of something that moves: it has one, or it is a coordinate.
static void change_prime(work *w) {
    strange_names names;
    char found[8][40];
    coordinates(w, &names, found);
    for (int tries = 0; tries < 20; tries++) {
        const token *t = any_value(w);
        if (!t) return;
        if (t->to < w->size && w->text[t->to] == '\'') {
            replace(w, t->to, t->to + 1, "", 0);
            return;
        }
        for (int i = 0; i < names.count; i++)
            if (strlen(found[i]) == t->to - t->from &&
                memcmp(found[i], w->text + t->from, t->to - t->from) == 0) {
                replace(w, t->to, t->to, "'", 1);
                return;
            }
    }
}

static int commas(const work *w, const token *open, const token *close) {
    int count = 0;
    for (const token *t = open; t < close; t++) count += w->text[t->from] == ',';
    return count;
}

// A bracket for another with as many parts, both behind a name or neither
static void change_bracket(work *w) {
    for (int tries = 0; tries < 20; tries++) {
        const token *t = any(w, OPEN), *other = any(w, OPEN);
        const token *end = t ? closing(w, t) : NULL, *other_end = other ? closing(w, other) : NULL;
        if (!end || !other_end || t == other || (t[-1].kind == NAME) != (other[-1].kind == NAME) ||
            commas(w, t, end) != commas(w, other, other_end) || in_declaration(w, t))
            continue;
        copy_over(w, t->from, end->to, other->from, other_end->to);
        return;
    }
}

static void wrap(work *w) {
    static const char *const before[] = {"sin", "sqrt", "abs",  "ddt", "-",
                                         "2*",  "1/",   "norm", "log", "exp"};
    const token *t = any(w, OPEN);
    if (!t || (t > w->tokens && t[-1].kind == NAME)) return;
    const char *by = before[below(w, 10)];
    replace(w, t->from, t->from, by, strlen(by));
}

// [from, to) of a random line, with its end
static bool any_line(work *w, size_t *from, size_t *to) {
    if (!w->size) return false;
    size_t i = below(w, w->size);
    while (i && w->text[i - 1] != '\n') i--;
    const char *end = memchr(w->text + i, '\n', w->size - i);
    *from = i, *to = end ? (size_t)(end - w->text) + 1 : w->size;
    return true;
}

static void delete_line(work *w) {
    size_t from, to;
    if (any_line(w, &from, &to)) replace(w, from, to, "", 0);
}

static void move_line(work *w) {
    size_t from, to, place, ignored;
    if (!any_line(w, &from, &to) || !any_line(w, &place, &ignored)) return;
    char line[MOST_SPLICE];
    const size_t length = to - from;
    if (length >= sizeof line || place > from) return;
    memcpy(line, w->text + from, length);
    replace(w, from, to, "", 0);
    replace(w, place, place, line, length);
}

static void add_statement(work *w) {
    strange_names names;
    char found[8][40], line[MOST_SPLICE];
    coordinates(w, &names, found);
    const size_t length = strange_statement(&w->random, &names, line, sizeof line);
    size_t from, to;
    if (!w->size || below(w, 2)) {
        if (w->size && w->text[w->size - 1] != '\n') replace(w, w->size, w->size, "\n", 1);
        replace(w, w->size, w->size, line, length);
    } else if (any_line(w, &from, &to)) {
        replace(w, from, from, line, length);
    }
}

// Every place of a name gets another one, of a kind that is seldom seen.
static void rename_all(work *w) {
    static const char *const names[] = {
        "θ", "mass", "E", "I", "int", "a_name_of_some_length", "x_t", "Ω", "sum", "lam_c"};
    const token *t = any(w, NAME);
    char old[60];
    if (!t || t->to - t->from >= sizeof old) return;
    const size_t length = t->to - t->from;
    memcpy(old, w->text + t->from, length);
    const char *by = names[below(w, 10)];
    for (int i = w->count - 1; i >= 0; i--) {
        const token *u = &w->tokens[i];
        if (u->kind == NAME && !u->first && u->to - u->from == length &&
            memcmp(w->text + u->from, old, length) == 0)
            replace(w, u->from, u->to, by, strlen(by));
    }
}

size_t model_mutate(char *text, size_t size, size_t most, int changes, uint64_t seed) {
    static void (*const kinds[])(work *) = {
        change_number,  change_number,  change_name,   change_name, change_operator, change_prime,
        change_bracket, change_bracket, wrap,          delete_line, move_line,       move_line,
        add_statement,  add_statement,  add_statement, rename_all};
    work w = {.text = text, .size = size, .most = most, .random = seed};
    for (int i = 0; i < changes; i++) {
        read_tokens(&w);
        kinds[below(&w, sizeof kinds / sizeof *kinds)](&w);
    }
    return w.size;
}
