// How names of columns, curves and axes are typeset.
#include "report/label.h"

#include "parse/token.h"

#include <ctype.h>
#include <string.h>

static const char DOT_ABOVE[] = "\xCC\x87", TWO_DOTS_ABOVE[] = "\xCC\x88",
                  RAISED_DOT[] = "\xCB\x99", TWO_RAISED_DOTS[] = "\xC2\xA8",
                  TILDE_ABOVE[] = "\xCC\x83", PRIME[] = "\xE2\x80\xB2", MINUS[] = "\xE2\x88\x92";

// --- runs ----------------------------------------------------------------------------------------

static text *open_run(label *l, bool italic, label_level level) {
    label_run *last = l->count ? &l->run[l->count - 1] : NULL;
    if (last && ((last->italic == italic && last->level == level && !last->is_mark) ||
                 l->count == LABEL_MOST_RUNS))
        return &last->words;
    l->run[l->count] = (label_run){.italic = italic, .level = level};
    return &l->run[l->count++].words;
}

void label_clear(label *l) {
    for (int i = 0; i < l->count; i++) text_free(&l->run[i].words);
    l->count = 0;
}

void label_add_words(label *l, const char *words) {
    text_append(open_run(l, false, LEVEL_BASE), words);
}

void label_add_number(label *l, const char *digits, label_level level) {
    text *out = open_run(l, false, level);
    if (*digits == '-') text_append(out, MINUS), digits++;
    text_append(out, digits);
}

// --- names ---------------------------------------------------------------------------------------

// The Greek letter of this English name in UTF-8, two bytes; false if it is none.
static bool greek(const char *word, size_t length, char out[3]) {
    for (uint32_t code = 0x3C9; code >= 0x391; code--) {
        const char *name = unicode_greek(code);
        if (!name || strlen(name) != length || memcmp(name, word, length) != 0) continue;
        out[0] = (char)(0xC0 | code >> 6), out[1] = (char)(0x80 | (code & 0x3F)), out[2] = 0;
        return true;
    }
    return false;
}

static bool is_number(const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!isdigit((unsigned char)word[i])) return false;
    return length > 0;
}

// A letter is italic, Greek by its sign; a word and a number are upright.
static text *add_word(label *l, const char *word, size_t length, label_level level) {
    char letter[3];
    const bool is_greek = greek(word, length, letter);
    text *out = open_run(l, is_greek || (length == 1 && !is_number(word, length)), level);
    if (is_greek) text_append(out, letter);
    else text_append_n(out, word, length);
    return out;
}

// Behind the leading letters: indices, split at brackets, commas, dots and underscores. Primes are
// counted by the caller.
static void add_indices(label *l, const char *rest, size_t length) {
    static const char separators[] = "[],._ ";
    bool first = true;
    for (const char *end = rest + length; rest < end;) {
        size_t size = 0;
        while (rest + size < end && !strchr(separators, rest[size])) size++;
        if (size) {
            if (!first) text_char(open_run(l, false, LEVEL_BELOW), ',');
            size_t letters = 0;
            while (letters < size && isalpha((unsigned char)rest[letters])) letters++;
            if (letters) add_word(l, rest, letters, LEVEL_BELOW);
            if (letters < size)
                text_append_n(open_run(l, false, LEVEL_BELOW), rest + letters, size - letters);
            first = false;
        }
        rest += size ? size : 1;
    }
}

// Letters that reach higher than an x.
static bool is_tall(const char *letter, size_t length) {
    static const char *const tall[] = {"beta", "delta", "zeta", "theta", "lambda", "xi"};
    if (length == 1) return strchr("bdfhiklt", letter[0]) || isupper((unsigned char)letter[0]);
    for (size_t i = 0; i < sizeof tall / sizeof *tall; i++)
        if (strlen(tall[i]) == length && memcmp(tall[i], letter, length) == 0) return true;
    return isupper((unsigned char)letter[0]);
}

static void add_dots(label *l, const char *letter, size_t length, bool two) {
    label_run *last = &l->run[l->count - 1];
    if (!is_tall(letter, length) || l->count == LABEL_MOST_RUNS) {
        text_append(&last->words, two ? TWO_DOTS_ABOVE : DOT_ABOVE);
        return;
    }
    l->run[l->count] = (label_run){.is_mark = true};
    text_append(&l->run[l->count++].words, two ? TWO_RAISED_DOTS : RAISED_DOT);
}

// x, theta', q[1]'', p~[x], speed
static void add_symbol(label *l, const char *name, size_t length) {
    size_t head = 0, primes = 0;
    while (primes < length && name[length - 1 - primes] == '\'') primes++;
    length -= primes;
    while (head < length && isalpha((unsigned char)name[head])) head++;
    if (!head)
        while (head < length && name[head] != '[') head++;
    char letter[3];
    const bool is_letter = head == 1 || greek(name, head, letter);
    text *out = add_word(l, name, head, LEVEL_BASE);
    const size_t letters = head;
    const bool tilde = head < length && name[head] == '~';
    if (tilde) text_append(out, TILDE_ABOVE), head++;
    if (is_letter && primes && primes <= 2) add_dots(l, name, letters, primes == 2), primes = 0;
    add_indices(l, name + head, length - head);
    if (!primes) return;
    out = open_run(l, false, LEVEL_BASE);
    for (; primes; primes--) text_append(out, PRIME);
}

static void add_name(label *l, const char *name);

// "invariant[K_x]" and its like, "error(energy)": a word, and the name within.
static bool add_kind(label *l, const char *name) {
    static const struct {
        const char *opening, *words;
    } kinds[] = {{"error(", "error of "},
                 {"invariant[", "invariant "},
                 {"observable[", ""},
                 {"residual[", "residual of "}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t size = strlen(kinds[i].opening), length = strlen(name);
        if (strncmp(name, kinds[i].opening, size) != 0 || length <= size + 1) continue;
        text within = {0};
        text_append_n(&within, name + size, length - size - 1);
        label_add_words(l, kinds[i].words);
        add_name(l, text_string(&within));
        text_free(&within);
        return true;
    }
    return false;
}

static void add_name(label *l, const char *name) {
    if (!add_kind(l, name)) add_symbol(l, name, strlen(name));
}

// --- curves, axes, ticks -------------------------------------------------------------------------

void label_add_curve(label *l, const curve *c) {
    if (c->label) label_add_words(l, c->label);
    else add_name(l, c->y_name);
}

static bool shows_errors_only(const axis *a) {
    for (uint32_t i = 0; i < a->name_count; i++)
        if (strncmp(a->name[i], "error(", 6) != 0) return false;
    return true;
}

static void add_unit(label *l, const char *unit) {
    label_add_words(l, " [");
    label_add_words(l, unit);
    label_add_words(l, "]");
}

void label_add_axis(label *l, const axis *a) {
    if (a->words) {
        label_add_words(l, a->words);
        return;
    }
    if (a->name_count > 1 && shows_errors_only(a)) {
        label_add_words(l, "error");
        return;
    }
    for (uint32_t i = 0; i < a->name_count; i++) {
        if (i) label_add_words(l, ", ");
        add_name(l, a->name[i]);
        if (!axis_unit(a) && a->unit && a->unit[i]) add_unit(l, a->unit[i]);
    }
    if (axis_unit(a)) add_unit(l, axis_unit(a));
}

bool label_add_ticks_note(label *l, const ticks *t) {
    if (t->log || (!t->shared && !t->offset)) return false;
    if (t->shared) {
        text power = {0};
        text_format(&power, "%d", t->shared);
        label_add_words(l, "\xC3\x97"
                           "10");
        label_add_number(l, text_string(&power), LEVEL_ABOVE);
        text_free(&power);
    }
    if (t->offset) {
        text from = {0};
        ticks_offset(t, &from);
        label_add_words(l, t->shared ? " " : "");
        if (t->offset > 0) label_add_words(l, "+ ");
        label_add_number(l, text_string(&from), LEVEL_BASE);
        text_free(&from);
    }
    return true;
}

// --- widths --------------------------------------------------------------------------------------

// In parts of the font size, as in DejaVu Serif, among the widest of the usual ones.
static double character_width(const char *s) {
    const unsigned char c = (unsigned char)*s;
    if (c == 0xCC || (c & 0xC0) == 0x80) return 0; // a mark above, or the rest of a character
    if (strchr("ijl.,;:'|!", (char)c)) return 0.34;
    if (strchr(" ()[]-frtI", (char)c)) return 0.42;
    if (strchr("mwMWQO@%", (char)c)) return 0.95;
    return isupper(c) || c >= 0x80 ? 0.75 : 0.62;
}

static double text_width(const char *words, double size) {
    double width = 0;
    for (; *words; words++) width += character_width(words) * size;
    return width;
}

double label_width(const label *l, double size) {
    static const double SMALL = 0.7;
    double width = 0;
    for (int i = 0; i < l->count; i++)
        if (!l->run[i].is_mark)
            width += text_width(text_string(&l->run[i].words),
                                size * (l->run[i].level == LEVEL_BASE ? 1 : SMALL));
    return width;
}
